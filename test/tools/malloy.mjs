// Malloy: a model of the exposed view; its views are run through Malloy's own connection and drawn by its renderer, in one page.
import { createRequire } from 'node:module';
import path from 'node:path';
import * as hospital from './support/hospital.mjs';

const { PLACE, TOOL_HOST, TOOL_PASSWORD, TOOL_PORT, TOOL_USER, PGDATABASE, free, sameAnswer } = hospital;
const require = createRequire(path.join(PLACE, 'package.json'));
const malloy = require('@malloydata/malloy');
const { PostgresConnection } = require('@malloydata/db-postgres');
const server = {
  host: TOOL_HOST,
  port: Number(TOOL_PORT),
  databaseName: PGDATABASE,
  username: TOOL_USER,
  password: TOOL_PASSWORD,
};
const runtime = new malloy.SingleConnectionRuntime({
  connection: new PostgresConnection(
    'hospital',
    () => ({}),
    () => server,
  ),
});
const model = runtime.loadModel(`
source: visits is hospital.table('bi.visits') extend {
  dimension: age_group is age ? pick 'child' when < 18 pick 'old' when >= 65 else 'adult'
  measure: visit_count is count()
  measure: average_cost is avg(cost)
  # bar_chart
  view: by_ward is { group_by: ward; aggregate: visit_count; order_by: ward }
  # bar_chart
  view: cost_by_ward is { group_by: ward; aggregate: average_cost; order_by: ward }
  # line_chart
  view: by_month is { group_by: in_month is admitted.month; aggregate: visit_count; order_by: in_month }
  # bar_chart
  view: by_age is { group_by: decade is floor(age / 10) * 10; aggregate: visit_count; order_by: decade; where: age is not null }
}`);
const ask = (query) => model.loadQuery(`run: visits -> ${query}`).run();
const rows = (result) => result.data.value;

const views = {
  by_ward: 'SELECT ward, count(*) FROM visits GROUP BY 1 ORDER BY 1',
  cost_by_ward: 'SELECT ward, avg(cost) FROM visits GROUP BY 1 ORDER BY 1',
  by_month: "SELECT date_trunc('month', admitted), count(*) FROM visits GROUP BY 1 ORDER BY 1",
  by_age: 'SELECT floor(age / 10.0) * 10, count(*) FROM visits WHERE age IS NOT NULL GROUP BY 1 ORDER BY 1',
};
const results = [];
for (const [view, sql] of Object.entries(views)) {
  const result = await ask(view);
  sameAnswer(rows(result), sql, view);
  results.push(malloy.API.util.wrapResult(result));
}
await free('a refresh of all views', async () => {
  for (const [view, sql] of Object.entries(views)) sameAnswer(rows(await ask(view)), sql, `${view}, refreshed`);
});
await free('a filter on the bars', async () =>
  sameAnswer(
    rows(await ask('by_ward + { where: ward = "oncology" | "cardiology" }')),
    "SELECT ward, count(*) FROM visits WHERE ward IN ('oncology', 'cardiology') GROUP BY 1 ORDER BY 1",
    'filtered',
  ),
);

// What else its queries can ask for, against the SQL that Malloy says it sends.
const others = [
  '{ group_by: age_group; aggregate: visit_count, wards is count(ward), oncology is count() { where: ward = "oncology" } }',
  '{ group_by: in_quarter is admitted.quarter; aggregate: visit_count, average_cost; where: admitted ? @2023 to @2024-07 }',
  '{ group_by: in_month is admitted.month; aggregate: visit_count; where: admitted = @2024; order_by: in_month; calculate: before is lag(visit_count) }',
  '{ group_by: ward; aggregate: visit_count; having: visit_count > 1000; limit: 3 }',
  '{ group_by: weekday is day_of_week(admitted); aggregate: visit_count; order_by: weekday }',
  `{ group_by: ward; aggregate: visit_count; where: ward ~ r'^o' }`,
  '{ group_by: ward; aggregate: visit_count } -> { aggregate: wards is count(), largest is max(visit_count) }',
];
for (const query of others) {
  const sql = await model.loadQuery(`run: visits -> ${query}`).getSQL();
  const columns = sql.replace('SELECT row_to_json(finalStage) as row FROM', 'SELECT * FROM');
  sameAnswer(rows(await ask(query)), columns, query, false);
}

// What its renderer draws of them.
const { page, picture } = await hospital.browse(1280, 760);
const place = path.join(PLACE, 'node_modules/@malloydata/render/dist/module/index.mjs');
await page.route('http://localhost/**', (route) =>
  route.request().url().endsWith('.mjs')
    ? route.fulfill({ path: place, contentType: 'text/javascript' })
    : route.fulfill({
        contentType: 'text/html',
        body: '<!doctype html><style>section { display: inline-block; margin: 12px; width: 590px; height: 330px; position: relative }</style><body>',
      }),
);
await page.goto('http://localhost/'); // a secure place, as the renderer wants
const drawn = await page.evaluate(async (results) => {
  const { MalloyRenderer } = await import('http://localhost/index.mjs');
  for (const result of results) {
    const element = document.body
      .appendChild(document.createElement('section'))
      .appendChild(document.createElement('div'));
    element.style.cssText = 'width: 100%; height: 100%';
    const viz = new MalloyRenderer().createViz();
    viz.setResult(result);
    viz.render(element);
  }
  await new Promise((done) => setTimeout(done, 5000));
  return document.querySelectorAll('canvas, svg').length;
}, results);
await picture('malloy');
if (drawn < 4) throw new Error(`${drawn} charts were drawn, not 4`);
process.exit(0);
