#!/usr/bin/env node
// An MCP server, by stdin and stdout, that asks a PostgreSQL with pg_dp for a language model (docs/agents.md). It connects as one
// analyst's role: by PG_DP_URL, or by PGHOST, PGPORT, PGDATABASE, PGUSER and PGPASSWORD.
const { McpServer } = require('@modelcontextprotocol/sdk/server/mcp.js');
const { StdioServerTransport } = require('@modelcontextprotocol/sdk/server/stdio.js');
const { z } = require('zod');
const { inTransaction } = require('./database.js');
const tools = require('./tools.js');
const { version } = require('./package.json');

const INSTRUCTIONS = `Answers about people, with noise that hides each of them. Call describe first: it has the tables, columns, ranges, values,
examples and what is refused. Then ask one SELECT with aggregates. Each answer costs epsilon out of a budget that does not come back: ask
price before what may be dear, do not ask the same in many ways, and group instead of asking for each value. Where ask is refused, the message
says what to write instead; explain_refusal has examples too. intervals95 hold the exact answers in 95 of 100 cases: report them with the
numbers, and take what is smaller than its interval for nothing. refine makes an answer that was paid for more accurate.`;

// An error as a result: what was wrong, its SQLSTATE, why, and what to do.
function failed(error) {
  const said = {
    sqlstate: error.code,
    message: error.message || String(error),
    detail: error.detail,
    hint: error.hint,
  };
  if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT')
    said.message = `the database cannot be reached: ${error.message || error.code}`;
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(said) }] };
}

const server = new McpServer({ name: 'pg_dp', version }, { instructions: INSTRUCTIONS });

function tool(name, description, inputSchema, work, charges) {
  const annotations = {
    readOnlyHint: !charges,
    destructiveHint: false,
    idempotentHint: !charges,
    openWorldHint: false,
  };
  server.registerTool(name, { description, inputSchema, annotations }, async (input) => {
    try {
      return { content: [{ type: 'text', text: JSON.stringify(await work(input)) }] };
    } catch (error) {
      return failed(error);
    }
  });
}

const sql = z.string().min(1).max(100000).describe('one SELECT statement');

tool(
  'describe',
  'Which tables may be asked, with columns, ranges, public values, price of examples, what is left of the budget, and what is refused. Free.',
  { table: z.string().optional().describe('only this table') },
  tools.describe,
  false,
);
tool(
  'ask',
  'Asks one SELECT with aggregates and returns its answers with noise. Charges epsilon, unless the same was asked before and is shown again.',
  { sql },
  tools.ask,
  true,
);
tool(
  'price',
  'What a SELECT would cost, how many groups it has, how far off answers will be, and whether it is refused. Free, nothing runs.',
  {
    sql,
    refreshes_a_day: z.number().positive().max(100000).optional().describe('how often a day a dashboard would ask it'),
  },
  tools.price,
  false,
);
tool(
  'refine',
  'Makes the answers of a release, whose number ask returned, more accurate; charges the difference of epsilon.',
  {
    release: z.number().int().positive(),
    epsilon: z.number().positive().describe('of each answer, larger than before'),
    aggregate: z.string().optional().describe('only this aggregate of it, by its name'),
  },
  tools.refine,
  true,
);
tool(
  'budget',
  'What is left of each budget, what was spent today and in a week, for how many days the rest lasts. Free.',
  {},
  tools.budget,
  false,
);
tool(
  'explain_refusal',
  'Why a statement is refused, what to write instead, and examples that are answered. Free, nothing runs.',
  { sql },
  tools.explainRefusal,
  false,
);

async function main() {
  await inTransaction(async () => {}); // a role that is none of an analyst's is told at once
  await server.connect(new StdioServerTransport());
}

main().catch((error) => {
  console.error(`pg_dp-mcp: ${error.message || error.code || error}${error.hint ? `. ${error.hint}` : ''}`);
  process.exit(1);
});
