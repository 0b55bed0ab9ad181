// node-postgres, as the role in PG_DP_ROLE and as the superuser: text, parameters, prepared statements, arrays, cancel, errors. Prints a
// line for each comparison, and ends with another exit status than 0 at a difference.
const { Client } = require('pg');

const connect = async (user) => {
  const client = new Client({
    host: process.env.PGHOST,
    port: process.env.PGPORT,
    database: process.env.PGDATABASE,
    user,
  });
  await client.connect();
  return client;
};
// Whole numbers must be the same; others may be off by the little noise that is left.
const close = (a, b) =>
  Math.abs(a - b) <= (Number.isInteger(a) && Number.isInteger(b) ? 0 : Math.min(1, 0.01 + 1e-5 * Math.abs(b)));
const fail = (text) => {
  throw new Error(text);
};

async function main() {
  const [ana, root] = [await connect(process.env.PG_DP_ROLE), await connect(process.env.PGUSER)];
  // The same rows, but for groups without any, which the private answer shows too, with a count of 0.
  const same = async (what, query) => {
    const found = (await ana.query({ ...query, rowMode: 'array' })).rows.filter((row) => !row.includes('0'));
    const wanted = (await root.query({ ...query, rowMode: 'array' })).rows;
    const equal =
      found.length === wanted.length &&
      wanted.every((row, i) =>
        row.every(
          (value, j) =>
            String(value) === String(found[i][j]) || (value !== null && close(Number(found[i][j]), Number(value))),
        ),
      );
    if (wanted.length === 0 || !equal) fail(`${what}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
    console.log(`${what}: ${wanted.length} rows as the superuser is shown`);
  };
  const byWard =
    'SELECT ward, count(*), avg(age), sum(cost) FROM visits WHERE age BETWEEN $1 AND $2 GROUP BY ward ORDER BY ward';
  await same('plain', { text: 'SELECT ward, count(*) AS n FROM visits GROUP BY ward ORDER BY n DESC, ward' });
  await same('with parameters', { text: byWard, values: [18, 64] });
  for (let turn = 0; turn < 7; ++turn) await same('prepared', { name: 'by ward', text: byWard, values: [0, 99] });
  await same('an array as a parameter', {
    text: 'SELECT ward, count(*) FROM visits WHERE ward = ANY($1) GROUP BY ward ORDER BY ward',
    values: [['oncology', 'cardiology']],
  });
  await same('a moment as a parameter', {
    text: "SELECT date_trunc('month', admitted::timestamp) AS month, count(*) FROM visits WHERE admitted >= $1 GROUP BY 1 ORDER BY 1",
    values: [new Date(Date.UTC(2024, 2, 1))],
  });

  const { fields, rows } = await ana.query('SELECT count(*) AS n, avg(age) AS a FROM visits');
  if (fields.map((field) => field.dataTypeID).join() !== '20,1700') fail(`types: ${JSON.stringify(fields)}`);
  const {
    rows: [mine],
  } = await ana.query("SELECT dp_count('*', $1, $2) AS n FROM visits", [1e6, 'laplace']);
  if (mine.n !== rows[0].n) fail(`with epsilon and mechanism as parameters: ${mine.n}`);

  const refused = await ana.query('SELECT * FROM visits LIMIT 10').then(
    () => fail('rows were shown'),
    (error) => error,
  );
  if (!/SELECT count\(\*\) FROM visits/.test(refused.message) || refused.code !== '42501') fail(`rows: ${refused.code} ${refused.message}`);

  // A question that waits for a lock is cancelled from another connection, and this one goes on.
  await root.query('BEGIN; LOCK TABLE visits');
  const waiting = ana.query("SELECT count(*) FROM visits WHERE ward <> 'oncology'").then(
    () => fail('not cancelled'),
    (error) => error,
  );
  const canceller = await connect(process.env.PGUSER);
  for (let left = 600; left > 0; --left) {
    const {
      rows: [{ done }],
    } = await canceller
      .query('SELECT pg_cancel_backend(pid) AS done FROM pg_locks WHERE NOT granted AND pid = $1 LIMIT 1', [
        ana.processID,
      ])
      .then((result) => (result.rows.length ? result : { rows: [{ done: false }] }));
    if (done) break;
    await new Promise((ready) => setTimeout(ready, 100));
  }
  const error = await waiting;
  if (error.code !== '57014') fail(`cancelled: ${error.code} ${error.message}`);
  await root.query('ROLLBACK');
  await same('after the cancel', { text: 'SELECT count(*) FROM visits' });
  await Promise.all([ana.end(), root.end(), canceller.end()]);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
