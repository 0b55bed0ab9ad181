// SQLPad: a query is typed, run, drawn and saved by clicks; its chart is opened by its link, reloaded, and filtered.
import path from 'node:path';
import * as hospital from './support/hospital.mjs';

const { PLACE, TOOL_HOST, TOOL_PASSWORD, TOOL_PORT, TOOL_USER, PGDATABASE, free, sameAnswer } = hospital;
const port = await hospital.freePort();
const url = `http://127.0.0.1:${port}`;
hospital.start('node', [path.join(PLACE, 'node_modules/sqlpad/server.js')], {
  env: { SQLPAD_PORT: port, SQLPAD_IP: '127.0.0.1', SQLPAD_DB_PATH: hospital.scratch('db') },
});
await hospital.answers(url);
const { page, picture } = await hospital.browse();

// An account and the connection, through its API.
await page.goto(url);
const post = (where, data) =>
  page.evaluate(
    ([where, data]) =>
      fetch(where, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(data),
      }).then((r) => r.json()),
    [where, data],
  );
await post('/api/signup', { email: 'ana@example.org', password: 'ana', passwordConfirmation: 'ana' });
await post('/api/connections', {
  name: 'hospital',
  driver: 'postgres',
  host: TOOL_HOST,
  port: TOOL_PORT,
  database: PGDATABASE,
  username: TOOL_USER,
  password: TOOL_PASSWORD,
});

// Typed and run.
const result = async (action) => {
  const [response] = await Promise.all([page.waitForResponse(/api\/query-result/), action()]);
  const { queryResult, error } = await response.json();
  if (error) throw new Error(error);
  return queryResult.rows;
};
const type = async (sql) => {
  await page.click('.ace_editor');
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(sql);
};
const run = () => result(() => page.click('button:text-is("Run")'));
const byMonth =
  "SELECT date_trunc('month', admitted)::date AS month, ward, count(*) AS visits FROM bi.visits WHERE admitted >= '2023-01-01' GROUP BY 1, 2 ORDER BY 1, 2";
await page.goto(url + '/queries/new');
await page.waitForSelector('.ace_editor');
await page.waitForTimeout(1000); // the editor takes what is typed a moment after it is there
await type(byMonth);
sameAnswer(await run(), byMonth, 'typed and run');

// Drawn by clicks, and saved.
await page.click('button:right-of(button:text-is("Run")) >> nth=0');
const choose = (place, value) =>
  page
    .locator('select')
    .nth(1 + place) /* after that of the connection */
    .selectOption(value);
await choose(0, 'line');
await choose(1, 'month');
await choose(2, 'visits');
await choose(3, 'ward');
await page.click('button:text-is("OK")');
await page.fill('input[placeholder="Query name"]', 'Visits by month');
const [saved] = await Promise.all([
  page.waitForResponse(/api\/queries/),
  page.click('button:left-of(button:text-is("Run")) >> nth=0'),
]);
const { query } = await saved.json();

// Opened by its link and reloaded: it asks each time, and pays once.
await free('opening the chart', async () =>
  sameAnswer(await result(() => page.goto(`${url}/query-chart/${query._id}`)), byMonth, 'the chart'),
);
await free('reloading the chart', async () =>
  sameAnswer(await result(() => page.reload()), byMonth, 'the chart, reloaded'),
);
await page.waitForTimeout(2000); // until it has drawn
await picture('sqlpad');

// Filtered to two of its lines: a part of the stored answer.
await page.goto(`${url}/queries/${query._id}`);
await page.waitForTimeout(1000);
const filtered = byMonth.replace('GROUP', "AND ward IN ('cardiology', 'orthopedics') GROUP");
await type(filtered);
await free('a filter', async () => sameAnswer(await run(), filtered, 'filtered'));

// The three largest wards by month, as a tool with a series limit asks.
const limit = 'SELECT ward AS ward__, count(*) AS inner__ FROM bi.visits GROUP BY ward ORDER BY inner__ DESC LIMIT 3';
const top = byMonth.replace('WHERE', `JOIN (${limit}) AS series_limit ON ward = ward__ WHERE`);
await type(top);
sameAnswer(await run(), top, 'top 3');

// Opening the table is refused, and what it shows says what to write.
await type('SELECT * FROM bi.visits');
const refused = await run().then(
  () => 'answered',
  (error) => error.message,
);
if (!/count\(\*\)/.test(refused)) throw new Error(`rows: ${refused}`);
await page.waitForTimeout(1000);
await picture('refused');
process.exit(0);
