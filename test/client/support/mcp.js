// The client of test/client/mcp.py. Ends with another exit status than 0 at the first thing that is not as it should be.
const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js');
const questions = require('./mcp_questions.json');

const SERVER = 'tools/mcp/server.js';
const environment = (user, more = {}) => ({ ...process.env, PGUSER: user, ...more });
const ana = process.env.PG_DP_ROLE;

// What a start of the server says that ends at once.
const startsAs = (user, more) => {
  const { status, stderr } = spawnSync('node', [SERVER], {
    env: environment(user, more),
    input: '',
    encoding: 'utf8',
    timeout: 30000,
  });
  return { status, stderr };
};

async function main() {
  // Who is no analyst is told so, and that there is no database.
  for (const [user, message] of [
    [process.env.PGUSER, /is a superuser: connect as an analyst's role/],
    [`reader_${ana}`, /may read visits itself/],
  ]) {
    const { status, stderr } = startsAs(user);
    assert.equal(status, 1);
    assert.match(stderr, message);
  }
  assert.match(startsAs(ana, { PGHOST: '/nowhere' }).stderr, /ENOENT/);

  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ command: 'node', args: [SERVER], env: environment(ana) }));
  assert.equal(client.getServerVersion().name, 'pg_dp');
  assert.match(client.getInstructions(), /describe first/);

  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name).sort(), [
    'ask',
    'budget',
    'describe',
    'explain_refusal',
    'price',
    'refine',
  ]);
  assert.deepEqual(tools.find((tool) => tool.name === 'ask').inputSchema.required, ['sql']);
  assert.ok(tools.every((tool) => tool.annotations.destructiveHint === false && tool.description.length > 40));

  const call = async (name, input = {}) => {
    const result = await client.callTool({ name, arguments: input });
    assert.equal(result.content.length, 1);
    return {
      refused: result.isError === true,
      said:
        result.isError && !result.content[0].text.startsWith('{')
          ? result.content[0].text
          : JSON.parse(result.content[0].text),
    };
  };
  const answered = async (name, input) => {
    const { refused, said } = await call(name, input);
    assert.ok(!refused, `${name} ${JSON.stringify(input)}: ${JSON.stringify(said)}`);
    return said;
  };
  const left = async () => (await answered('budget')).budgets.find((one) => one.role_name === ana).epsilon_left;
  assert.ok((await call('ask', {})).refused, 'without SQL');
  assert.ok((await call('refine', { release: 1, epsilon: -1 })).refused, 'a negative epsilon');

  // What may be asked, and an answer with its interval, its price and its release; again it is free; then more accurate.
  const described = await answered('describe');
  assert.deepEqual(
    described.tables.map((one) => one.table),
    ['public.visits'],
  );
  assert.equal(described.tables[0].columns.find((one) => one.name === 'ward').values.length, 8);
  assert.deepEqual((await answered('describe', { table: 'visits' })).tables[0].budget.epsilon_left, 20);
  assert.ok((await call('describe', { table: 'nowhere' })).said.message.includes('does not exist'));
  const count = 'SELECT count(*) FROM visits';
  const price = await answered('price', { sql: count, refreshes_a_day: 24 });
  assert.equal(price.epsilon, 0.05);
  assert.equal(await left(), 20);
  const first = await answered('ask', { sql: count });
  assert.deepEqual(first.columns, ['count']);
  assert.ok(Math.abs(first.rows[0][0] - 200000) < 2000, `count ${first.rows[0][0]}`);
  assert.equal(first.epsilon_charged, 0.05);
  assert.ok(first.intervals95[0].upper - first.intervals95[0].lower < 200);
  const again = await answered('ask', { sql: count });
  assert.deepEqual([again.rows, again.epsilon_charged], [first.rows, 0]);
  const refined = await answered('refine', { release: first.release, epsilon: 1 });
  assert.ok(Math.abs(refined.answers[0].answer - 200000) < 100, `refined ${refined.answers[0].answer}`);
  assert.equal(refined.epsilon_charged, 0.95);
  assert.equal(await left(), 19);
  assert.match((await call('refine', { release: 999999, epsilon: 1 })).said.sqlstate, /^DP003$/);

  // Questions in words.
  let refusals = 0;
  let charged = 0;
  for (const { words, sql, hint, then } of questions) {
    const { refused, said } = await call('ask', { sql });
    assert.equal(refused, hint !== undefined, `${words}: ${JSON.stringify(said)}`);
    const answer = refused ? await answered('ask', { sql: then }) : said;
    if (refused) {
      refusals += 1;
      assert.ok(
        `${said.message} ${said.hint ?? ''}`.includes(hint),
        `${words}: ${JSON.stringify(said)} does not say ${hint}`,
      );
      const explained = await answered('explain_refusal', { sql });
      assert.ok(explained.refused && explained.because.length > 20 && explained.answered.length > 0, words);
    }
    assert.ok(answer.rows.length > 0 || /HAVING/.test(sql), words);
    charged += answer.epsilon_charged;
  }
  assert.equal(questions.length, 50);
  assert.ok(Math.abs(19 - charged - (await left())) < 1e-9, `charged ${charged}`);
  console.log(
    `${questions.length - refusals} answered, ${refusals} refused with a hint that was followed, for epsilon ${charged.toFixed(2)}`,
  );
  for (const example of described.tables[0].examples) await answered('ask', { sql: example.sql });

  // Nothing but one SELECT, and no trace of it in the next one.
  const before = await left();
  for (const [sql, state] of [
    ['SET ROLE postgres', '22023'],
    ['COMMIT', '22023'],
    [`${count}; DELETE FROM notes`, '22023'],
    ['COPY notes TO STDOUT', '22023'],
    ["DO $$ BEGIN INSERT INTO notes VALUES (DEFAULT, 'x'); END $$", '22023'],
    ['CREATE TABLE mine AS SELECT 1', '22023'],
    ["INSERT INTO notes VALUES (DEFAULT, 'x')", '25006'],
    ["WITH w AS (INSERT INTO notes VALUES (DEFAULT, 'x') RETURNING id) SELECT * FROM w", '25006'],
    ["SELECT nextval('notes_id_seq')", '25006'],
    ["SELECT set_config('transaction_read_only', 'off', false)", '25001'],
    ["SELECT dp.protect('visits', 1000)", '25006'],
    ['SELECT * FROM dp.account', '42501'],
    [`SELECT dp_count('*', 100) FROM visits`, 'DP001'],
    ['SELECT * FROM visits', '42501'],
    ['SELECT count(*) FORM visits', '42601'],
  ]) {
    const { refused, said } = await call('ask', { sql });
    assert.ok(refused, `answered: ${sql}`);
    assert.equal(said.sqlstate, state, `${sql}: ${JSON.stringify(said)}`);
  }
  await answered('ask', {
    sql: "SELECT set_config('default_transaction_read_only', 'off', false), set_config('dp.epsilon', '5', false)",
  });
  assert.deepEqual(
    (await answered('ask', { sql: "SELECT current_setting('dp.epsilon'), current_setting('transaction_read_only')" }))
      .rows,
    [['0', 'on']],
  );
  assert.equal(await left(), before);
  assert.equal((await answered('explain_refusal', { sql: count })).refused, false);
  assert.equal((await answered('explain_refusal', { sql: "SELECT dp_count('*', 100) FROM visits" })).sqlstate, 'DP001');
  await client.close();
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
