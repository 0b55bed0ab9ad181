// The database, as one analyst's role. Each piece of work has a connection and a READ ONLY transaction of its own, so that no statement
// leaves anything for the next one; charges are written all the same. One statement goes by the extended protocol, of which the server
// takes no second one.
const { Client, types } = require('pg');

// Numbers stay as PostgreSQL writes them where a double could not hold them; moments stay texts.
const asText = (value) => value;
for (const type of [types.builtins.DATE, types.builtins.TIMESTAMP, types.builtins.TIMESTAMPTZ, types.builtins.INTERVAL])
  types.setTypeParser(type, asText);
types.setTypeParser(types.builtins.INT8, (value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value));
types.setTypeParser(types.builtins.NUMERIC, (value) => Number(value));

// What the tools refuse, beside what the server does.
class Refusal extends Error {
  constructor(message, hint, code = 'MCP01') {
    super(message);
    Object.assign(this, { hint, code });
  }
}

// Whoever curates, or may read what is protected, could do by a SELECT what no answer should.
const ROLE = `
  SELECT current_user AS role, r.rolsuper AS is_superuser, pg_has_role('dp_curator', 'MEMBER') AS is_curator,
    (SELECT count(*) FROM dp.budgets WHERE role IS NULL) AS curated,
    (SELECT string_agg(u.table_name, ', ') FROM dp.units u WHERE has_table_privilege(u.relation, 'SELECT')) AS readable
  FROM pg_roles r WHERE r.rolname = current_user`;

function requireAnalyst(role) {
  const because =
    (role.is_superuser && 'is a superuser') ||
    (role.is_curator && 'is a curator') ||
    (Number(role.curated) > 0 && 'sees the budgets of whole tables, as their curator or a member of pg_monitor') ||
    (role.readable !== null && `may read ${role.readable} itself`);
  if (!because) return;
  throw new Refusal(
    `role ${role.role} ${because}: connect as an analyst's role`,
    "A role with LOGIN and nothing else, and SELECT dp.grant_budget('visits', 'analyst', 1); by a curator.",
  );
}

// Runs work(query) in a transaction; query(text, values) returns {fields, rows}, rows as arrays; `notices` fill up meanwhile.
async function inTransaction(work, notices = []) {
  const client = new Client({
    connectionString: process.env.PG_DP_URL,
    application_name: 'pg_dp mcp',
    statement_timeout: Number(process.env.PG_DP_TIMEOUT ?? 60000),
  });
  client.on('notice', (notice) => notices.push([notice.message, notice.hint].filter(Boolean).join('. ')));
  client.on('error', () => {}); // that it has gone is told to who waits for an answer
  await client.connect();
  try {
    const query = (text, values = []) => client.query({ text, values, rowMode: 'array', queryMode: 'extended' });
    await query('BEGIN READ ONLY');
    requireAnalyst(objects(await query(ROLE))[0]);
    const result = await work(query);
    await query('COMMIT');
    return result;
  } finally {
    await client.end().catch(() => {});
  }
}

// The rows as objects, by the names of their columns.
function objects({ fields, rows }) {
  return rows.map((row) => Object.fromEntries(fields.map((field, i) => [field.name, row[i]])));
}

module.exports = { inTransaction, objects, Refusal };
