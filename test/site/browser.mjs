// The site in a real Chromium: the page to play with says what theory says, pictures follow the page to the dark, diagrams are drawn,
// searching finds, and nothing is asked of another host.
//
//   node test/site/browser.mjs FOLDER COMMON
//
// FOLDER is the site, COMMON the folder with node_modules of playwright-core. What was left out of the site is not tested.
import { createRequire } from 'node:module';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';

const [SITE, COMMON] = process.argv.slice(2);
const { chromium } = createRequire(path.resolve(COMMON, 'package.json'))('playwright-core');
const TYPES = { html: 'text/html', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', json: 'application/json', png: 'image/png' };

// In a folder of the server, as sites are that do not have a host for themselves.
const server = createServer((request, answer) => {
  const file = path.join(SITE, decodeURIComponent(new URL(request.url, 'http://site').pathname).replace(/^\/docs/, ''));
  if (!existsSync(file) || !statSync(file).isFile()) return answer.writeHead(404).end();
  answer.writeHead(200, { 'Content-Type': TYPES[file.split('.').pop()] ?? 'application/octet-stream' });
  createReadStream(file).pipe(answer);
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const ROOT = `http://127.0.0.1:${server.address().port}/docs/`;

function expect(is, what) {
  if (!is) throw new Error(what);
}
const near = (found, wanted, most, what) =>
  expect(Math.abs(found - wanted) <= most, `${what}: ${found}, where ${wanted} is wanted, give or take ${most}`);

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
const complaints = [];
async function open(name, colorScheme = 'light') {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme });
  page.setDefaultTimeout(30000);
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(`${name}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`${name}: ${error.message}`));
  page.on('request', (request) => /^(data|blob):/.test(request.url()) || request.url().startsWith(ROOT) || complaints.push(`${name} asks for ${request.url()}`));
  page.on('response', (response) => response.ok() || response.status() === 304 || complaints.push(`${name}: ${response.status()} for ${response.url()}`));
  await page.goto(ROOT + name);
  return page;
}

// ---- the page to play with ------------------------------------------------------------------------------------------

// Of exact discrete Laplace noise with P(x) proportional to e^{-rate |x|}.
const laplaceError = (rate) => 1 / Math.sinh(rate);
const laplaceHalf = (rate) => Math.ceil(Math.log(0.025 * (1 + Math.exp(-rate))) / -rate - 1 - 1e-9);

async function play() {
  const page = await open('play.html');
  await page.locator('#answers').waitFor({ state: 'visible' });
  const set = (id, value) => (id === 'noise' ? page.selectOption('#noise', value) : page.fill('#' + id, String(value)));
  const read = async (id) => page.locator('#' + id).evaluate((shown) => Object.fromEntries(Object.entries(shown.dataset).map(([k, v]) => [k, Number(v)])));
  const fits = async (id) => (await read(id)).value;
  const numbers = () =>
    page.locator('#numbers tbody tr').evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => Number(cell.textContent))));
  // Two thousand answers, and the same made more accurate.
  async function many(truth) {
    const found = [];
    for (let i = 0; i < 20; ++i) {
      await page.click('#again');
      found.push(...(await numbers()));
    }
    expect(found.length === 2000, `${found.length} answers of 2000`);
    expect(found.flat().every(Number.isInteger), 'an answer is no whole number');
    return [0, 1].map((column) => found.map((row) => row[column] - truth));
  }
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  // Within eight standard errors, which chance does not leave: of a mean of 2000 draws with that deviation.
  function spread(noise, error, deviation, half, what) {
    near(mean(noise), 0, (8 * deviation) / Math.sqrt(2000), `mean of ${what}`);
    near(mean(noise.map(Math.abs)), error, (8 * deviation) / Math.sqrt(2000), `mean size of ${what}`);
    near(noise.filter((one) => Math.abs(one) <= half).length, 1900, 80, `of 2000 within the interval, ${what}`);
  }

  // As it stands: four rows of a person, 2000 people.
  const summary = await read('summary');
  near(summary.truth, 2000 + 1000 + 500 + 250, 0, 'rows that count');
  near(summary.error, laplaceError(0.1 / 4), 1e-6, 'error');
  near(summary.half, laplaceHalf(0.1 / 4), 0, 'half of the interval');
  const relaxed = await read('relaxed');
  near(relaxed.error, laplaceError(0.4 / 4), 1e-6, 'error after relaxing');
  near(relaxed.half, laplaceHalf(0.4 / 4), 0, 'half of the interval after relaxing');
  const [coarse, fine] = await many(summary.truth);
  spread(coarse, summary.error, summary.error * Math.SQRT2, summary.half, 'answers');
  spread(fine, relaxed.error, relaxed.error * Math.SQRT2, relaxed.half, 'answers made more accurate');
  // One path: V1 = V2 + W with W independent of V2, so that their covariance is the variance of V2.
  near(mean(coarse.map((one, i) => one * fine[i])) / mean(fine.map((one) => one * one)), 1, 0.6, 'share of the finer noise in the coarser');
  expect((await page.locator('#picture circle').count()) === 200, 'two hundred dots are drawn');

  // Numbers that docs/accountants.md has, from the server.
  near(await fits('pure-once'), 100, 0, 'answers of 0.1 for 10');
  near(await fits('renyi-once'), 254, 0, 'answers of 0.1 for 10, by divergences');
  await set('delta', 2e-6);
  near(await fits('renyi-once'), 266, 0, 'answers of 0.1 for 10, by divergences with all of 1e-6');
  await set('budget', 3);
  near(await fits('renyi-once'), 36, 0, 'answers of 0.1 for 3, by divergences');
  near(await fits('pure-better'), 7, 0, 'answers made 0.4 for 3');
  near(await fits('pure-twice'), 6, 0, 'answers of 0.1 and of 0.4 for 3');

  // Other inputs, other numbers.
  await set('rows', 1);
  const single = await read('summary');
  near(single.truth, 2000, 0, 'rows that count, one of each person');
  near(single.half, laplaceHalf(0.1), 0, 'half of the interval, one row of each');
  await set('people', 100);
  near((await read('summary')).truth, 100, 0, 'rows of 100 people');

  // Gaussian noise: the deviation is rows/epsilon, and only divergences count it.
  await set('noise', '1');
  await set('rows', 4);
  const gaussian = await read('summary');
  near(gaussian.error, 40 * Math.sqrt(2 / Math.PI), 0.05, 'error of Gaussian noise');
  const [wide, narrow] = await many(gaussian.truth);
  spread(wide, gaussian.error, 40, gaussian.half, 'Gaussian answers');
  spread(narrow, 10 * Math.sqrt(2 / Math.PI), 10, (await read('relaxed')).half, 'Gaussian answers made more accurate');
  near(await fits('pure-once'), 0, 0, 'Gaussian answers where epsilon adds up');
  await set('budget', 10);
  await set('epsilon', 0.1 / Math.SQRT2);
  near(await fits('renyi-once'), 522, 0, 'Gaussian answers as far off as those of 0.1, for 10');

  // What is not allowed the core says.
  for (const [id, value, wanted] of [['epsilon', 0, /epsilon must be a number/], ['delta', 2, /delta must be a number/], ['finer', 0.01, /larger epsilon/], ['people', 0.5, /whole number/]]) {
    const before = await page.inputValue('#' + id);
    await set(id, value);
    expect(wanted.test(await page.locator('#said').textContent()), `${id} ${value} is refused: ${await page.locator('#said').textContent()}`);
    expect(await page.locator('#answers').isHidden(), `nothing is shown for ${id} ${value}`);
    await set(id, before);
    expect(await page.locator('#answers').isVisible(), `answers are back after ${id} ${value}`);
  }
  const nameless = await page.locator('#play').evaluate((form) => [...form.elements].filter((field) => /INPUT|SELECT/.test(field.tagName) && field.labels.length === 0).length);
  expect(nameless === 0, 'each field has a label');
  await page.close();
}

// ---- the rest of the site -------------------------------------------------------------------------------------------

// The mean brightness of a picture, as it is shown.
async function brightness(page, selector) {
  const shot = await page.locator(selector).first().screenshot();
  return page.evaluate(async (data) => {
    const image = await createImageBitmap(await (await fetch('data:image/png;base64,' + data)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
    canvas.drawImage(image, 0, 0);
    const dots = canvas.getImageData(0, 0, image.width, image.height).data;
    return dots.reduce((sum, value) => sum + value, 0) / dots.length;
  }, shot.toString('base64'));
}

async function pictures() {
  for (const [scheme, dark] of [['light', false], ['dark', true]]) {
    const page = await open('index.html', scheme);
    const is = await brightness(page, 'article img[src$=".svg"]');
    expect(dark ? is < 130 : is > 200, `a picture on a ${scheme} page has the brightness ${is}`);
    // The reader's choice counts, not the system's.
    await page.locator('form[data-md-component=palette] label:visible').click();
    await page.waitForTimeout(300);
    const other = await brightness(page, 'article img[src$=".svg"]');
    expect(dark ? other > 200 : other < 130, `a picture on a page made ${dark ? 'light' : 'dark'} has the brightness ${other}`);
    await page.close();
  }
}

async function diagrams() {
  const page = await open('architecture.html');
  await page.waitForFunction(() => document.querySelectorAll('pre.mermaid').length === 0 && document.querySelectorAll('div.mermaid').length === 5);
  await page.close();
}

async function search() {
  const page = await open('index.html');
  await page.click('input.md-search__input');
  await page.keyboard.type('relaxing', { delay: 20 });
  await page.locator('.md-search-result__link').first().waitFor();
  await page.close();
}

const has = (file) => existsSync(path.join(SITE, file));
const TESTS = { play: has('play.html') && play, pictures, diagrams: has('mermaid.min.js') && diagrams, search };
let failed = 0;
for (const [name, test] of Object.entries(TESTS)) {
  if (!test) {
    console.log(`skipped: ${name}, which the site does not have`);
    continue;
  }
  try {
    await test();
    console.log(`passed: ${name}`);
  } catch (error) {
    console.log(`failed: ${name}: ${error.message}`);
    failed = 1;
  }
}
for (const complaint of complaints) console.log(`failed: ${complaint}`);
await browser.close();
server.close();
process.exit(failed || complaints.length > 0 ? 1 : 0);
