// Malloy: a model of the exposed view; its views are run through Malloy's own connection and drawn by its renderer, in one page.
import { createRequire } from 'node:module';
import path from 'node:path';
import * as hospital from './support/hospital.mjs';

const { PLACE, TOOL_HOST, TOOL_PASSWORD, TOOL_PORT, TOOL_USER, PGDATABASE, free, sameAnswer } = hospital;
const require = createRequire(path.join(PLACE, 'package.json'));
const malloy = require('@malloydata/malloy');
const { PostgresConnection } = require('@malloydata/db-postgres');
const server = { host: TOOL_HOST, port: Number(TOOL_PORT), databaseName: PGDATABASE, username: TOOL_USER, password: TOOL_PASSWORD };
const runtime = new malloy.SingleConnectionRuntime({ connection: new PostgresConnection('hospital', () => ({}), () => server) });
const model = runtime.loadModel(`
source: visits is hospital.table('bi.visits') extend {
  measure: visit_count is count()
  measure: average_cost is avg(cost)
  # bar_chart
  view: by_ward is { group_by: ward; aggregate: visit_count; order_by: ward }
  # bar_chart
  view: cost_by_ward is { group_by: ward; aggregate: average_cost; order_by: ward }
  # line_chart
  view: by_month is { group_by: in_month is admitted.month; aggregate: visit_count; order_by: in_month }
}`);
const ask = (query) => model.loadQuery(`run: visits -> ${query}`).run();
const rows = (result) => result.data.value;

const views = {
  by_ward: 'SELECT ward, count(*) FROM visits GROUP BY 1 ORDER BY 1',
  cost_by_ward: 'SELECT ward, avg(cost) FROM visits GROUP BY 1 ORDER BY 1',
  by_month: "SELECT date_trunc('month', admitted), count(*) FROM visits GROUP BY 1 ORDER BY 1",
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
  sameAnswer(rows(await ask('by_ward + { where: ward = "oncology" | "cardiology" }')), "SELECT ward, count(*) FROM visits WHERE ward IN ('oncology', 'cardiology') GROUP BY 1 ORDER BY 1", 'filtered'));

// What its renderer draws of them.
const { page, picture } = await hospital.browse(1280, 760);
const place = path.join(PLACE, 'node_modules/@malloydata/render/dist/module/index.mjs');
await page.route('http://localhost/**', (route) => (route.request().url().endsWith('.mjs') ? route.fulfill({ path: place, contentType: 'text/javascript' })
  : route.fulfill({ contentType: 'text/html', body: '<!doctype html><style>section { display: inline-block; margin: 12px; width: 590px; height: 330px; position: relative }</style><body>' })));
await page.goto('http://localhost/'); // a secure place, as the renderer wants
const drawn = await page.evaluate(async (results) => {
  const { MalloyRenderer } = await import('http://localhost/index.mjs');
  for (const result of results) {
    const element = document.body.appendChild(document.createElement('section')).appendChild(document.createElement('div'));
    element.style.cssText = 'width: 100%; height: 100%';
    const viz = new MalloyRenderer().createViz();
    viz.setResult(result);
    viz.render(element);
  }
  await new Promise((done) => setTimeout(done, 5000));
  return document.querySelectorAll('canvas, svg').length;
}, results);
await picture('malloy');
if (drawn < 3) throw new Error(`${drawn} charts were drawn, not 3`);
process.exit(0);
