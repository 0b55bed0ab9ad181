// Cube: a model of the exposed view, a chart built in its playground by clicks, filtered there, and asked again through its API.
import path from 'node:path';
import { mkdirSync, writeFileSync } from 'node:fs';
import * as hospital from './support/hospital.mjs';

const { PLACE, TOOL_HOST, TOOL_PASSWORD, TOOL_PORT, TOOL_USER, PGDATABASE, free, sameAnswer, until } = hospital;
const port = await hospital.freePort();
const url = `http://127.0.0.1:${port}`;
const project = hospital.scratch('project');
mkdirSync(path.join(project, 'model'));
writeFileSync(
  path.join(project, 'model/Visits.js'),
  `cube('Visits', {
  sql: 'SELECT * FROM bi.visits',
  measures: {
    count: { type: 'count' },
    cost: { sql: 'cost', type: 'avg' },
    days: { sql: 'days', type: 'sum' },
    wards: { sql: 'ward', type: 'countDistinct' },
    patients: { sql: 'patient_id', type: 'countDistinct' },
    oncology: { type: 'count', filters: [{ sql: \`\${CUBE}.ward = 'oncology'\` }] },
    share: { sql: \`100.0 * \${oncology} / NULLIF(\${count}, 0)\`, type: 'number' },
    running: { sql: 'days', type: 'runningTotal' },
    rolling: { type: 'count', rollingWindow: { trailing: '3 month' } },
  },
  dimensions: {
    visitId: { sql: 'visit_id', type: 'number', primaryKey: true },
    ward: { sql: 'ward', type: 'string' },
    admitted: { sql: 'admitted', type: 'time' },
    long: { sql: 'days > 7', type: 'boolean' },
    decade: { sql: 'floor(age / 10) * 10', type: 'number' },
    group: {
      type: 'string',
      case: { when: [{ sql: \`\${CUBE}.age < 18\`, label: 'child' }, { sql: \`\${CUBE}.age >= 65\`, label: 'old' }], else: { label: 'adult' } },
    },
  },
});
`,
);
hospital.start('node', [path.join(PLACE, 'node_modules/@cubejs-backend/server/bin/server')], {
  cwd: project,
  env: {
    PORT: port,
    CUBEJS_DB_TYPE: 'postgres',
    CUBEJS_DB_HOST: TOOL_HOST,
    CUBEJS_DB_PORT: TOOL_PORT,
    CUBEJS_DB_NAME: PGDATABASE,
    CUBEJS_DB_USER: TOOL_USER,
    CUBEJS_DB_PASS: TOOL_PASSWORD,
    CUBEJS_API_SECRET: 'secret',
    CUBEJS_DEV_MODE: 'true',
    CUBEJS_CACHE_AND_QUEUE_DRIVER: 'memory',
    CUBEJS_TELEMETRY: 'false',
    CUBEJS_SCHEMA_PATH: 'model',
    CUBEJS_SCHEDULED_REFRESH_TIMER: 'false',
    NODE_PATH: path.join(PLACE, 'node_modules'),
  },
});
await hospital.answers(url);
const { page, picture } = await hospital.browse();
await page.goto(url + '/#/build');

// What its API answers to the page while something is done there, as arrays.
const loaded = async (action, ...fields) => {
  const [response] = await Promise.all([
    page.waitForResponse(async (r) => r.url().includes('/v1/load') && (await r.text()).includes('"results"')),
    action(),
  ]);
  return (await response.json()).results[0].data.map((row) => fields.map((field) => row[field]));
};
const pick = (item) => page.click(`.ant-dropdown:not(.ant-dropdown-hidden) >> text="${item}"`);
const choose = async (button, item) => {
  await page.click(`[data-testid="${button}"]`);
  await pick(item);
};

// Visits by month, as a line.
await choose('Measure', 'Count');
await choose('TimeDimension', 'Admitted');
await page.locator('button', { hasText: /^(w\/o grouping|Day|Month)$/ }).click();
await pick('Month');
await choose('chart-type-btn', 'Line');
const monthly = (where) =>
  `SELECT date_trunc('month', admitted) AT TIME ZONE 'UTC', count(visit_id) FROM visits ${where} GROUP BY 1 ORDER BY 1`;
const byMonth = ['Visits.admitted.month', 'Visits.count'];
sameAnswer(await loaded(() => page.click('[data-testid="run-query-btn"]'), ...byMonth), monthly(''), 'visits by month');

// Filtered by clicks.
await page.click('button:has-text("Filter") >> nth=-1');
await pick('Ward');
await page.click('.ant-select >> nth=0');
await page.click('.ant-select-item >> text="equals"');
await page.click('.ant-select >> nth=1');
await page.keyboard.type('oncology', { delay: 50 });
await page.click('.ant-select-item-option >> text="oncology"');
await page.waitForSelector('.ant-select-selection-item-content:has-text("oncology")');
await page.click('text=MEASURES'); // which closes the list
await page.waitForTimeout(1500); // until it has looked at the query as it is now
sameAnswer(
  await loaded(() => page.click('[data-testid="run-query-btn"]'), ...byMonth),
  monthly("WHERE ward = 'oncology'"),
  'filtered to a ward',
);
await page.waitForTimeout(3000); // until it is drawn
await picture('cube');

// Through its API: renewQuery passes over what Cube remembers, so PostgreSQL is asked each time.
const load = async (query, ...fields) => {
  const body = JSON.stringify({ query: { ...query, renewQuery: true } });
  const found = await until('an answer of Cube', async () => {
    const answer = await fetch(`${url}/cubejs-api/v1/load`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    }).then((r) => r.json());
    if (answer.error && answer.error !== 'Continue wait') throw new Error(answer.error);
    return answer.data;
  });
  return found.map((row) => fields.map((field) => row[field]));
};
const wards = {
  measures: ['Visits.count', 'Visits.cost', 'Visits.days'],
  dimensions: ['Visits.ward'],
  order: { 'Visits.ward': 'asc' },
};
const fields = ['Visits.ward', 'Visits.count', 'Visits.cost', 'Visits.days'];
const byWard = 'SELECT ward, count(visit_id), avg(cost), sum(days) FROM visits GROUP BY ward ORDER BY 1';
sameAnswer(await load(wards, ...fields), byWard, 'three measures by ward');
await free('a refresh', async () => sameAnswer(await load(wards, ...fields), byWard, 'refreshed'));
const two = {
  ...wards,
  filters: [{ member: 'Visits.ward', operator: 'equals', values: ['oncology', 'surgery', 'maternity'] }],
};
await free('a filter on its bars', async () =>
  sameAnswer(
    await load(two, ...fields),
    byWard.replace('GROUP', "WHERE ward IN ('oncology', 'surgery', 'maternity') GROUP"),
    'filtered',
  ),
);
await free('the values of a filter', async () =>
  sameAnswer(
    await load({ dimensions: ['Visits.ward'] }, 'Visits.ward'),
    'SELECT DISTINCT ward FROM visits ORDER BY 1',
    'values',
  ),
);

// What else its queries can ask for, against the SQL that Cube says it sends.
const member = (...names) => names.map((name) => `Visits.${name}`);
const admitted = (rest) => [{ dimension: 'Visits.admitted', ...rest }];
const others = [
  { measures: member('count', 'wards'), dimensions: member('group') },
  { measures: member('oncology', 'share'), dimensions: member('group') },
  { measures: member('patients') },
  { measures: member('count'), dimensions: member('decade', 'long') },
  {
    measures: member('running'),
    timeDimensions: admitted({ granularity: 'month', dateRange: ['2024-01-01', '2024-06-30'] }),
  },
  {
    measures: member('rolling'),
    timeDimensions: admitted({ granularity: 'month', dateRange: ['2024-01-01', '2024-06-30'] }),
  },
  {
    measures: member('count'),
    timeDimensions: admitted({ granularity: 'week', dateRange: ['2024-01-01', '2024-03-31'] }),
  },
  { measures: member('count'), timeDimensions: admitted({ granularity: 'quarter' }), timezone: 'America/New_York' },
  {
    measures: member('count'),
    dimensions: member('ward'),
    filters: [{ member: 'Visits.count', operator: 'gt', values: ['1000'] }],
  },
  {
    measures: member('count'),
    dimensions: member('ward'),
    filters: [{ member: 'Visits.ward', operator: 'contains', values: ['o'] }],
  },
];
for (const query of others) {
  const body = JSON.stringify({ query });
  const headers = { 'Content-Type': 'application/json' };
  const said = await fetch(`${url}/cubejs-api/v1/sql`, { method: 'POST', headers, body }).then((r) => r.json());
  const [text, values] = said.sql.sql;
  const sql = values.reduce((so_far, value, i) => so_far.replaceAll(`$${i + 1}`, `'${value}'`), text);
  const columns = [
    ...(query.dimensions ?? []),
    ...(query.timeDimensions ?? []).map((time) => `${time.dimension}.${time.granularity}`),
    ...query.measures,
  ];
  sameAnswer(await load(query, ...columns), sql, JSON.stringify(query), false);
}
process.exit(0);
