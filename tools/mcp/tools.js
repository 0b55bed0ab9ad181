// What the tools do, each in one transaction of database.js.
const { inTransaction, objects, Refusal } = require('./database.js');

const MOST_ROWS = 500;

const one = async (query, text, values) => objects(await query(text, values))[0];

// What dp.admissible() says of a call of itself is not for who asks here.
const messageOf = (said) => said.message.replace('dp.admissible', 'this tool');
const hintOf = (said) =>
  said.sqlstate === '22023' ? 'Give one SELECT, and nothing around it.' : (said.hint ?? undefined);

// Refused by what the server says of the statement, before it runs: what is no query (SET, COPY, DO), several statements, and what the
// guard does not admit.
async function requireAdmissible(query, sql) {
  const said = await one(query, 'SELECT * FROM dp.admissible($1)', [sql]);
  if (!said.admissible) throw new Refusal(messageOf(said), hintOf(said), said.sqlstate);
}

// What the statement before has left: its release, what was charged for it, and intervals around its answers.
async function charged(query, began) {
  const { release } = await one(query, 'SELECT dp_last_release() AS release');
  const { epsilon } = await one(
    query,
    `SELECT coalesce(sum(epsilon), 0) AS epsilon FROM dp.last_charges(100)
     WHERE CASE WHEN $1::bigint IS NULL THEN charged_at >= $2 AND role = current_user::regrole ELSE release_id = $1 AND charged_at >= $2 END`,
    [release, began],
  );
  return { epsilon_charged: epsilon, release };
}

const now = async (query) => (await one(query, 'SELECT clock_timestamp() AS now')).now;

async function errorsOf(query, release) {
  if (release === null) return undefined;
  const rows = await query('SELECT group_key, aggregate, lower, upper FROM dp_errors($1) LIMIT $2', [
    release,
    MOST_ROWS,
  ]);
  return objects(rows).filter((row) => row.lower !== null);
}

async function ask({ sql }) {
  const notices = [];
  return inTransaction(async (query) => {
    await requireAdmissible(query, sql);
    const began = await now(query);
    const { fields, rows } = await query(sql);
    const paid = await charged(query, began);
    return {
      columns: fields.map((field) => field.name),
      rows: rows.slice(0, MOST_ROWS),
      rows_left_out: rows.length > MOST_ROWS ? rows.length - MOST_ROWS : undefined,
      ...paid,
      intervals95: await errorsOf(query, paid.release),
      notices: notices.length > 0 ? notices : undefined,
    };
  }, notices);
}

async function price({ sql, refreshes_a_day: refreshes = 1 }) {
  return inTransaction((query) => one(query, 'SELECT * FROM dp.check_dashboard(ARRAY[$1], $2)', [sql, refreshes]));
}

async function refine({ release, epsilon, aggregate = null }) {
  return inTransaction(async (query) => {
    const began = await now(query);
    const answers = await query('SELECT * FROM dp_relax_release($1, $2, $3)', [release, epsilon, aggregate]);
    const paid = await one(
      query,
      `SELECT coalesce(sum(epsilon), 0) AS epsilon FROM dp.last_charges(100) WHERE release_id = $1 AND charged_at >= $2`,
      [release, began],
    );
    return {
      answers: objects(answers).slice(0, MOST_ROWS),
      epsilon_charged: paid.epsilon,
      release,
      intervals95: await errorsOf(query, release),
    };
  });
}

async function budget() {
  return inTransaction(async (query) => ({
    budgets: objects(
      await query(`SELECT table_name, role_name, epsilon_limit, epsilon_left, percent_left, spent_today, spent_in_week, days_left, renewed_at, closed,
        dearest_questions FROM dp.pace ORDER BY table_name, role_name`),
    ),
  }));
}

async function describe({ table = null }) {
  return inTransaction(
    async (query) => (await one(query, 'SELECT dp.describe($1::regclass) AS described', [table])).described,
  );
}

// Why it is refused, what to write instead, and examples that are answered of the tables that it speaks of.
async function explainRefusal({ sql }) {
  return inTransaction(async (query) => {
    const said = await one(query, 'SELECT * FROM dp.admissible($1)', [sql]);
    if (said.admissible) {
      const checked = await one(query, 'SELECT * FROM dp.check_dashboard(ARRAY[$1], 1)', [sql]);
      return {
        refused: !checked.answered,
        sqlstate: checked.answered ? undefined : 'DP001',
        because: checked.finding,
        instead: checked.instead,
      };
    }
    const { tables } = (await one(query, 'SELECT dp.describe() AS described')).described;
    const mentioned = tables.filter(({ table }) =>
      sql.toLowerCase().includes(table.split('.').pop().replaceAll('"', '').toLowerCase()),
    );
    return {
      refused: true,
      sqlstate: said.sqlstate,
      because: messageOf(said),
      instead: hintOf(said),
      answered: (mentioned.length > 0 ? mentioned : tables).flatMap(({ examples }) =>
        (examples ?? []).map((example) => example.sql),
      ),
    };
  });
}

module.exports = { ask, price, refine, budget, describe, explainRefusal };
