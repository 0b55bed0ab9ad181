-- Rows that two servers have to do with, each with an owner, budgets and a ledger of its own (docs/scale-out.md, Two owners).

-- Who has the rows: which roles, of other servers, may read them for questions that are charged to their budgets first.
CREATE TABLE dp.lent (
    relation regclass,
    role regrole,
    PRIMARY KEY (relation, role)
);
COMMENT ON TABLE dp.lent IS 'which roles, of other servers, may read the rows of a table for questions that they charge to their budgets first';
SELECT pg_catalog.pg_extension_config_dump('dp.lent',
    'WHERE relation IN (SELECT oid FROM pg_catalog.pg_class) AND role IN (SELECT oid FROM pg_catalog.pg_roles)');

-- Who asks: the protected tables whose rows belong to another owner, on another server.
CREATE TABLE dp.other_owner (relation regclass PRIMARY KEY);
COMMENT ON TABLE dp.other_owner IS 'protected foreign tables whose questions are charged on their servers, too';
SELECT pg_catalog.pg_extension_config_dump('dp.other_owner', 'WHERE relation IN (SELECT oid FROM pg_catalog.pg_class)');

GRANT SELECT ON dp.lent, dp.other_owner TO PUBLIC;

CREATE FUNCTION dp.lend_rows(relation regclass, role regrole, lend boolean DEFAULT true) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_lend_rows';
COMMENT ON FUNCTION dp.lend_rows(regclass, regrole, boolean) IS
    'lets a server of another owner, which logs in as that role, read rows of the table for questions of its own: each is charged to the '
    'role''s budget here before its rows are read, and that server, which is trusted with them, limits what a unit contributes and adds the '
    'noise; lend => false ends it, and so does dp.revoke_budget';

CREATE FUNCTION dp.charge_rows(relation regclass, privacy_unit text, epsilon_nano bigint, delta_atto bigint, losses text, question text,
    query text, statements text[]) RETURNS text
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_charge_rows';
COMMENT ON FUNCTION dp.charge_rows(regclass, text, bigint, bigint, text, text, text, text[]) IS
    'what pg_dp of another server calls before it reads rows that were lent to its role: charges them a question, durably, and lets each of '
    'these statements run once in this transaction; charged, not lent to the role, or an SQLSTATE and why it is refused. With epsilon_nano NULL '
    'nothing is charged, and the answer is lent where it could be';

CREATE FUNCTION dp.withdraw_rows(question text) RETURNS boolean
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_withdraw_rows';
COMMENT ON FUNCTION dp.withdraw_rows(text) IS
    'what pg_dp of another server calls where it refuses a question that was charged here in this transaction: takes the charge back, unless '
    'rows were read for it; says whether there was one and all of it is taken back';
