// What the tests of BI tools share: the database they ask, the browser they are used in, and what is said about their answers.
//
// PGHOST, PGPORT and PGDATABASE lead the superuser to a database with the table visits of tools/demo, protected; TOOL_HOST, TOOL_PORT,
// TOOL_USER and TOOL_PASSWORD lead a tool there, as a role that gets private answers alone, at EPSILON each: 1e6, where they are exact, or
// less, when nothing is compared. COMMON is the folder with node_modules of playwright-core and pg, PLACE that of the tool, PICTURES that
// for screenshots.
import { execFileSync, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';

export const { PLACE, PICTURES, TOOL_HOST, TOOL_PORT, TOOL_USER, TOOL_PASSWORD, PGDATABASE } = process.env;
const { COMMON, EPSILON } = process.env;
const EXACT = Number(EPSILON) === 1e6;
const common = createRequire(path.join(COMMON, 'package.json'));

// The rows, as objects of texts, that the superuser is shown: the exact answer.
export function truth(sql) {
  const psql = [
    '-XqAt',
    '-v',
    'ON_ERROR_STOP=1',
    '-c',
    `SELECT coalesce(json_agg(row_to_json(t)), '[]') FROM (${sql}) AS t`,
  ];
  return JSON.parse(
    execFileSync(path.join(process.env.PG_BIN, 'psql'), psql, { encoding: 'utf8', maxBuffer: 1 << 28 }),
  );
}

// What is the same in two forms of one value: numbers, moments to the second, texts as they are.
function plain(value) {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return moment(value);
  const text = String(value);
  if (/^-?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(text)) return Number(text);
  if (/^\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?$/.test(text))
    return moment(new Date(/(Z|[-+]\d\d(:?\d\d)?|^.{10})$/.test(text) ? text : text + 'Z'));
  return text;
}
const moment = (date) => date.toISOString().slice(0, 19);
// Whole numbers must be the same; others may be off by the little noise that is left.
const close = (a, b) =>
  Math.abs(a - b) <= (Number.isInteger(a) && Number.isInteger(b) ? 0 : Math.min(1, 0.01 + 1e-5 * Math.abs(b)));
const same = (a, b) => a === b || (typeof a === 'number' && typeof b === 'number' && close(a, b));
const sameRow = (a, b) => a.length === b.length && a.every((value, i) => same(value, b[i]));

// Fails unless the rows of a tool are those of the superuser's answer to that SQL, column by column, and, unless told otherwise, in its
// order. A group without rows, which is shown so that no group tells of one, is there in the private answer alone, with a count of 0.
export function sameAnswer(rows, sql, what, ordered = true) {
  if (!EXACT) return;
  const wanted = truth(sql).map((row) => Object.values(row).map(plain));
  const found = rows
    .map((row) => Object.values(row).map(plain))
    .filter((row) => !row.includes(0) || wanted.some((other) => sameRow(row, other)));
  if (wanted.length === 0) throw new Error(`${what}: nothing to compare with`);
  const isThere = (row, i) =>
    ordered ? i < found.length && sameRow(found[i], row) : found.some((other) => sameRow(other, row));
  const at = wanted.findIndex((row, i) => !isThere(row, i));
  if (at >= 0 || found.length > wanted.length) {
    throw new Error(
      `${what}: not ${JSON.stringify(wanted[at])}, row ${at} of ${wanted.length}, but ${JSON.stringify(found.slice(0, 40))}`,
    );
  }
  console.log(`${what}: ${found.length} rows as the superuser is shown`);
}

export function expect(found, wanted, what) {
  if (JSON.stringify(found) !== JSON.stringify(wanted))
    throw new Error(`${what}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
}

// What the role has been charged so far.
export const spent = () =>
  truth(`SELECT coalesce(sum(epsilon), 0) AS e FROM dp.ledger WHERE role = '${TOOL_USER}'::regrole`)[0].e;

// Does something that must cost nothing, such as asking again, and returns what that returns.
export async function free(what, action) {
  const before = spent();
  const result = await action();
  expect(spent() - before, 0, `charged for ${what}`);
  console.log(`${what}: nothing was charged`);
  return result;
}

export async function until(what, ready, seconds = 120) {
  for (const end = Date.now() + 1000 * seconds; Date.now() < end; await new Promise((done) => setTimeout(done, 250))) {
    const found = await ready();
    if (found) return found;
  }
  throw new Error(`${what}: not within ${seconds} s`);
}

export const freePort = () =>
  new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });

// A folder for this run alone.
export function scratch(name) {
  const folder = mkdtempSync(path.join(PLACE, name + '-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

// start(program, arguments, options): a server of a tool, until this process ends; its output is shown.
export function start(program, args, { env = {}, cwd = PLACE } = {}) {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
  const stop = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      /* it has ended */
    }
  };
  process.on('exit', stop);
  return { stop, ended: () => child.exitCode !== null };
}

// answers(url): waits until a server answers there at all.
export const answers = (url) =>
  until(url, () =>
    fetch(url).then(
      () => true,
      () => false,
    ),
  );

// A page of a real Chromium, of the size of a laptop's.
export async function browse(width = 1280, height = 800) {
  const browser = await common('playwright-core').chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ['--no-sandbox'],
  });
  const page = await browser.newPage({ viewport: { width, height } });
  page.setDefaultTimeout(60000);
  return { browser, page, picture: (name) => page.screenshot({ path: path.join(PICTURES, name + '.png') }) };
}
