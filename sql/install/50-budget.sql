-- What curators say about budgets, and what everyone may read of them.
-- Curators of a table are its owner, the members of dp_curator and superusers.

DO $$
BEGIN
    CREATE ROLE dp_curator NOLOGIN;
EXCEPTION WHEN duplicate_object OR unique_violation THEN -- of another database, or of one that does the same just now
    NULL;
END
$$;

CREATE FUNCTION dp.protect(relation regclass, epsilon float8 DEFAULT NULL, delta float8 DEFAULT NULL, query_epsilon float8 DEFAULT NULL,
    group_epsilon float8 DEFAULT NULL, group_delta float8 DEFAULT NULL, privacy_unit text DEFAULT NULL,
    max_rows_per_unit integer DEFAULT NULL, max_groups_per_unit integer DEFAULT NULL, max_rows_per_group integer DEFAULT NULL,
    answer_epsilon float8 DEFAULT NULL, min_query_epsilon float8 DEFAULT NULL, max_charges bigint DEFAULT NULL,
    reuse interval DEFAULT NULL, share_answers boolean DEFAULT NULL, keep_answers interval DEFAULT NULL,
    keep_answers_mb integer DEFAULT NULL, continues regclass DEFAULT NULL, rows_kept text DEFAULT NULL, rows_kept_by text DEFAULT NULL,
    answer_mechanism dp_mechanism DEFAULT NULL, accountant text DEFAULT NULL, conversion_delta float8 DEFAULT NULL, limits text DEFAULT NULL,
    period interval DEFAULT NULL, sliding boolean DEFAULT NULL, blocks boolean DEFAULT NULL, max_blocks_per_unit integer DEFAULT NULL) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_protect';
COMMENT ON FUNCTION dp.protect(regclass, float8, float8, float8, float8, float8, text, integer, integer, integer, float8, float8, bigint,
    interval, boolean, interval, integer, regclass, text, text, dp_mechanism, text, float8, text, interval, boolean, boolean, integer) IS
    'gives a table a budget for all roles together, or changes it: what is not named stays as it was, -1 takes a limit away, 0 a price, '
    '''0'' a time, ''auto'' the mechanism, '''' the privacy unit; query_epsilon is the most that one statement may cost, '
    'group_epsilon and group_delta are what the private selection of groups costs per grouping set (where they are not given, half of the '
    'answer''s price and a hundredth of the role''s delta; -1 makes it so again, with group_epsilon 0 none are chosen), privacy_unit is the column that '
    'names whose a row is, or foreign key columns that lead to it, l_orderkey.o_custkey; of a unit at most max_rows_per_unit rows, or '
    'max_rows_per_group rows in each of max_groups_per_unit groups, count in an answer (where none is given, a limit is chosen privately for '
    'each answer, for a quarter of its epsilon; limits ''auto'' makes it so again); answer_epsilon is the epsilon of an answer that names none (a hundredth of the role''s budget where it is not given, -1 makes it so again), min_query_epsilon what a question or a more accurate '
    'answer costs at least (1e-6 where it is not given), max_charges how many of them may be asked in all; reuse is how old an answer may '
    'be that is shown again to the same question of the same role, for nothing, share_answers lets it serve other roles, whose accounts '
    'pay while the table does not pay twice; answers are kept for keep_answers (a week) and in keep_answers_mb megabytes (100); continues is the '
    'table that this one replaces, whose spending, limits, budgets, declared values and releases go over to it; rows_kept is which rows count '
    'of a unit that has too many: random, or the first or latest by the column rows_kept_by; answer_mechanism is the mechanism of an answer '
    'that names no epsilon; accountant is how accounts on the table count: pure adds up epsilon, renyi counts Rényi divergences, so that '
    'many small answers fit, and conversion_delta is the part of delta that this takes (a half; -1: a half again); period makes the budget '
    'one for each period of the calendar, by universal time (1 day, 1 month, 3 months), and with sliding for any time of that length: then each '
    'charge counts that long; blocks gives each partition a budget of its own: an answer is charged to those that it can depend on; '
    'max_blocks_per_unit is in how many of them rows of one unit lie at most, which is promised so many times the budget';

CREATE FUNCTION dp.unprotect(relation regclass) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_unprotect';
COMMENT ON FUNCTION dp.unprotect(regclass) IS
    'ends the protection of a table and removes its roles'' budgets and its public values; what was spent stays and counts if it is protected again';

CREATE FUNCTION dp.grant_budget(relation regclass, role regrole, epsilon float8 DEFAULT NULL, delta float8 DEFAULT NULL,
    query_epsilon float8 DEFAULT NULL, allow_leaks boolean DEFAULT NULL, answer_epsilon float8 DEFAULT NULL,
    max_charges bigint DEFAULT NULL, answer_mechanism dp_mechanism DEFAULT NULL, conversion_delta float8 DEFAULT NULL,
    period interval DEFAULT NULL, sliding boolean DEFAULT NULL) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_grant_budget';
COMMENT ON FUNCTION dp.grant_budget(regclass, regrole, float8, float8, float8, boolean, float8, bigint, dp_mechanism, float8, interval, boolean) IS
    'gives a role a budget on a protected table, or changes it: what is not named stays as it was, -1 takes a limit away, 0 answer_epsilon, ''0'' the period; '
    'query_epsilon is the most that one statement may cost, '
    'allow_leaks accepts that the role sees sizes and counters because dp.harden() was not called, answer_epsilon is the epsilon of its '
    'answers that name none, max_charges how many questions and more accurate answers it may ask for in all, answer_mechanism is the mechanism '
    'of its answers that name no epsilon, conversion_delta the part of delta that turns Rényi divergences into epsilon (a half; -1: a half again), '
    'period and sliding for which time the budget is, as of a table';

CREATE FUNCTION dp.revoke_budget(relation regclass, role regrole) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_revoke_budget';
COMMENT ON FUNCTION dp.revoke_budget(regclass, regrole) IS
    'ends a role''s budget on a table; what was spent stays and counts if it is granted again';

CREATE FUNCTION dp.reopen(relation regclass, role regrole) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_reopen';
COMMENT ON FUNCTION dp.reopen(regclass, regrole) IS
    'opens a role''s account on a table again, after an error that stopped one of its private queries had closed it; where the role '
    'had no account, the role by itself';

CREATE FUNCTION dp.public_values(relation regclass, expression text, VARIADIC "values" "any") RETURNS integer
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_public_values';
COMMENT ON FUNCTION dp.public_values(regclass, text, "any") IS
    'declares which values a grouping expression of a protected table can have, in the place of those declared before, and says how '
    'many there are now: each is a group of every answer, other rows are not counted, NULL is a group too unless the expression is a '
    'NOT NULL column. Values one by one, or an array of them';

CREATE FUNCTION dp.public_values_from(relation regclass, expression text, query text) RETURNS integer
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE AS $$
DECLARE
    size integer;
BEGIN
    IF query IS NULL THEN
        RAISE EXCEPTION 'query must not be NULL'
            USING ERRCODE = '22023', HINT = 'For example dp.public_values_from(''visits'', ''ward'', ''SELECT ward FROM wards'').';
    END IF;
    IF NOT EXISTS (SELECT FROM dp.budgets b WHERE b.relation OPERATOR(pg_catalog.=) public_values_from.relation AND b.role IS NULL) THEN
        PERFORM dp.public_values(relation, expression, VARIADIC '{}'::text[]); -- says why not, before the query runs
    END IF;
    query := pg_catalog.regexp_replace(query, ';\s*$', '');
    BEGIN
        EXECUTE pg_catalog.format('SELECT dp.public_values($1, $2, VARIADIC ARRAY(%s))', query) INTO size USING relation, expression;
    EXCEPTION WHEN syntax_error THEN
        EXECUTE pg_catalog.format('SELECT FROM (%s) AS q LIMIT 0', query); -- fails as well, but for the number of columns
        RAISE EXCEPTION 'a query for public values must give one column, unlike this one: %', query
            USING ERRCODE = 'syntax_error', HINT = pg_catalog.format('For example dp.public_values_from(%L, %L, ''SELECT ward FROM wards'').',
                relation, expression);
    END;
    RETURN size;
END
$$;
COMMENT ON FUNCTION dp.public_values_from(regclass, text, text) IS
    'declares the values that a query of one column gives, as dp.public_values does: the query runs now, as the current user, and its '
    'values become public';

CREATE FUNCTION dp.no_public_values(relation regclass, expression text) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_no_public_values';
COMMENT ON FUNCTION dp.no_public_values(regclass, text) IS 'withdraws the values that dp.public_values declared';

CREATE FUNCTION dp.public_groups(relation regclass, expression text) RETURNS SETOF text
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_public_groups';
COMMENT ON FUNCTION dp.public_groups(regclass, text) IS
    'the groups that every answer grouped by that expression has, in their order: declared values, or those of a boolean, an enum, '
    'a foreign key to a table of the same owner; no rows: its groups are not public';

-- A statement that writes to the ledger by itself (a restore, a superuser's hand) makes the running totals worthless.
CREATE FUNCTION dp_internal.ledger_written() RETURNS trigger
    LANGUAGE c AS 'MODULE_PATHNAME', 'dp_ledger_written';
REVOKE EXECUTE ON FUNCTION dp_internal.ledger_written() FROM PUBLIC;
CREATE TRIGGER ledger_written AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON dp.ledger_entry
    FOR EACH STATEMENT EXECUTE FUNCTION dp_internal.ledger_written();
ALTER TABLE dp.ledger_entry ENABLE ALWAYS TRIGGER ledger_written;

-- Sessions keep what they have read of these tables until a statement writes to it. For each row, because a subscription fires no
-- triggers of statements.
CREATE FUNCTION dp_internal.policy_written() RETURNS trigger
    LANGUAGE c AS 'MODULE_PATHNAME', 'dp_policy_written';
COMMENT ON FUNCTION dp_internal.policy_written() IS 'tells all sessions that what they have read of the table may be no more';
REVOKE EXECUTE ON FUNCTION dp_internal.policy_written() FROM PUBLIC;
CREATE TRIGGER policy_written AFTER INSERT OR UPDATE OR DELETE ON dp.protected_table
    FOR EACH ROW EXECUTE FUNCTION dp_internal.policy_written();
CREATE TRIGGER policy_written AFTER INSERT OR UPDATE OR DELETE ON dp.account
    FOR EACH ROW EXECUTE FUNCTION dp_internal.policy_written();
CREATE TRIGGER policy_written AFTER INSERT OR UPDATE OR DELETE ON dp.answer_policy
    FOR EACH ROW EXECUTE FUNCTION dp_internal.policy_written();
ALTER TABLE dp.protected_table ENABLE ALWAYS TRIGGER policy_written;
ALTER TABLE dp.account ENABLE ALWAYS TRIGGER policy_written;
ALTER TABLE dp.answer_policy ENABLE ALWAYS TRIGGER policy_written;
CREATE TRIGGER policy_written AFTER INSERT OR UPDATE OR DELETE ON dp.public_domain
    FOR EACH ROW EXECUTE FUNCTION dp_internal.policy_written();
ALTER TABLE dp.public_domain ENABLE ALWAYS TRIGGER policy_written;

-- The views show a role its own rows, and curators all of their tables. Their functions read what is in force at this moment,
-- whatever the snapshot of the transaction.
CREATE FUNCTION dp_internal.read_budgets(epsilon float8, OUT relation regclass, OUT role regrole, OUT epsilon_limit numeric, OUT epsilon_spent numeric,
    OUT epsilon_left numeric, OUT delta_limit numeric, OUT delta_spent numeric, OUT delta_left numeric,
    OUT query_epsilon_limit numeric, OUT group_epsilon numeric, OUT group_delta numeric, OUT closed boolean,
    OUT query_epsilon_least numeric, OUT charges bigint, OUT charges_limit bigint, OUT charges_left bigint, OUT answers_left bigint,
    OUT accountant text, OUT conversion_delta numeric, OUT period interval, OUT sliding boolean, OUT period_end timestamptz,
    OUT epsilon_ever numeric, OUT blocks boolean, OUT block regclass,
    OUT max_blocks_per_unit integer) RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL RESTRICTED ROWS 100 AS 'MODULE_PATHNAME', 'dp_read_budgets';

CREATE VIEW dp.budgets AS
    SELECT relation, role, epsilon_limit, epsilon_spent, epsilon_left, delta_limit, delta_spent, delta_left, query_epsilon_limit,
        group_epsilon, group_delta, closed,
        CASE
            WHEN closed OR one.epsilon > query_epsilon_limit OR one.epsilon < query_epsilon_least THEN 0
            ELSE least(answers_left, charges_left)
        END AS answers_left, query_epsilon_least, charges, charges_limit, charges_left, relation::text AS table_name,
        pg_get_userbyid(role)::text AS role_name, accountant, conversion_delta, period, sliding, period_end, epsilon_ever,
        format('epsilon %s%s ', epsilon_limit, ' and delta ' || nullif(delta_limit, 0)) || CASE
            WHEN period IS NULL THEN 'for all that is ever told'
            WHEN sliding THEN format('for what is told in any %s, beside all that was told before; in n times as long n times as much, and no '
                'limit over the years for who stays in the table', period)
            ELSE format('for what is told in each %s of the calendar, beside all that was told before, and twice that in as long a time across '
                'the end of one; in n of them n times as much, and no limit over the years for who stays in the table', period)
        END || CASE
            WHEN NOT blocks THEN ''
            WHEN max_blocks_per_unit IS NULL THEN ', about what lies in one partition'
            ELSE format(', for each partition with rows of a privacy unit: %s times as much about one with rows in %s of them', max_blocks_per_unit,
                max_blocks_per_unit)
        END AS guarantee
    FROM (SELECT nullif(current_setting('dp.epsilon', true), '0')::float8::numeric AS epsilon) AS one,
        dp_internal.read_budgets(one.epsilon::float8)
    WHERE block IS NULL;
COMMENT ON VIEW dp.budgets IS 'what may be spent on protected tables and what is left (no more than what is left of the whole table); '
    'role NULL: the table as a whole; closed: nothing is answered until a curator says dp.reopen(); answers_left: how many answers '
    'are left at the epsilon of the setting dp.epsilon, NULL where it is not set; charges: how many questions, and levels of '
    'answers, were paid for, and how many more there may be; accountant renyi: Rényi divergences are counted, epsilon_spent is what the '
    'loss by all answers exceeds with a chance of at most conversion_delta, at whatever moment, and epsilon_left what admission goes by; '
    'period, sliding: limits are for each such time, and what is spent is what counts in it, until period_end or, where it slides, each charge '
    'that long; epsilon_ever: what was spent in all; guarantee: what that promises, in words';
GRANT SELECT ON dp.budgets TO PUBLIC;

CREATE VIEW dp.blocks AS
    SELECT relation, block, role, epsilon_limit, epsilon_spent, epsilon_left, delta_limit, delta_spent, delta_left, charges, charges_left,
        epsilon_ever, pg_get_expr(c.relpartbound, c.oid) AS bounds, relation::text AS table_name, block::text AS block_name,
        pg_get_userbyid(role)::text AS role_name
    FROM dp_internal.read_budgets(NULL), pg_class c
    WHERE c.oid = block;
COMMENT ON VIEW dp.blocks IS 'the same as dp.budgets for each partition of tables whose partitions have a budget each, which dp.budgets shows by '
    'the one that has least left; bounds: which rows lie in it';
GRANT SELECT ON dp.blocks TO PUBLIC;

-- Of a table whose partitions have a budget each: what was told of a row was charged to where it lies.
CREATE FUNCTION dp_internal.keeps_its_block() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'a row of table % keeps its partition key, %: each partition has a budget of its own', TG_RELID::regclass,
        array_to_string(TG_ARGV, ', ')
        USING ERRCODE = '55000', HINT = 'What was told of it was charged there. A curator may delete it and insert it anew.';
END
$$;
COMMENT ON FUNCTION dp_internal.keeps_its_block() IS
    'trigger: refuses an UPDATE of what says in which partition a row lies, of a table whose partitions have a budget each';

CREATE FUNCTION dp_internal.read_units(OUT relation regclass, OUT privacy_unit text, OUT is_unique boolean, OUT max_rows_per_unit integer,
    OUT max_groups_per_unit integer, OUT max_rows_per_group integer, OUT rows_kept text, OUT rows_kept_by text) RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL RESTRICTED ROWS 100 AS 'MODULE_PATHNAME', 'dp_read_units';

CREATE VIEW dp.units AS
    SELECT relation, privacy_unit, is_unique, max_rows_per_unit, max_groups_per_unit, max_rows_per_group, rows_kept, rows_kept_by,
        relation::text AS table_name
    FROM dp_internal.read_units();
COMMENT ON VIEW dp.units IS
    'whose rows the protected tables hold: the column that names the privacy unit, or the path to it (NULL: each row is one), and how much of one unit an '
    'answer may depend on; is_unique: a unit has one row, nothing has to be limited; rows_kept: the first or the latest rows by '
    'rows_kept_by count of a unit that has more, NULL: any, at random';
GRANT SELECT ON dp.units TO PUBLIC;

CREATE FUNCTION dp_internal.read_ledger(OUT seq bigint, OUT charged_at timestamptz, OUT role regrole, OUT relation regclass, OUT kind text,
    OUT epsilon numeric, OUT delta numeric, OUT table_epsilon numeric, OUT table_delta numeric, OUT release_id bigint,
    OUT query text, OUT losses text, OUT table_losses text) RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL RESTRICTED ROWS 1000 AS 'MODULE_PATHNAME', 'dp_read_ledger';

CREATE FUNCTION dp.ledger_of(only_relation regclass, from_seq bigint DEFAULT NULL, to_seq bigint DEFAULT NULL, OUT seq bigint,
    OUT charged_at timestamptz, OUT role regrole, OUT relation regclass, OUT kind text, OUT epsilon numeric, OUT delta numeric,
    OUT table_epsilon numeric, OUT table_delta numeric, OUT release_id bigint, OUT query text, OUT losses text, OUT table_losses text)
    RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL RESTRICTED ROWS 1000 AS 'MODULE_PATHNAME', 'dp_read_ledger';
COMMENT ON FUNCTION dp.ledger_of(regclass, bigint, bigint) IS
    'the rows of dp.ledger of one table (NULL: of all), from one number on, up to another one: where there are many, much sooner than a '
    'condition on the view';

CREATE FUNCTION dp.divergences(losses text) RETURNS bigint[]
    LANGUAGE c STRICT IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_divergences';
COMMENT ON FUNCTION dp.divergences(text) IS
    'what such losses, as dp.ledger shows them, are in Rényi divergences: at the orders 1.5 2 3 4 6 8 12 16 24 32 48 64 96 128 256 512, in '
    '10^-12, rounded up, and a 17th number where losses have no bound: how many; those of the rows of dp.ledger_entry add up to what was spent';

-- Dumps carry the rows, so that nobody starts afresh after a restore. They write tables and roles by name; what was dropped has
-- only a number, which in another cluster may be somebody else's.
SELECT pg_catalog.pg_extension_config_dump('dp.protected_table', 'WHERE relation IN (SELECT oid FROM pg_catalog.pg_class)');
SELECT pg_catalog.pg_extension_config_dump('dp.account',
    'WHERE relation IN (SELECT oid FROM pg_catalog.pg_class) AND role IN (SELECT oid FROM pg_catalog.pg_roles)');
SELECT pg_catalog.pg_extension_config_dump('dp.public_domain',
    'WHERE relation IN (SELECT oid FROM pg_catalog.pg_class) AND type IN (SELECT oid FROM pg_catalog.pg_type)');
SELECT pg_catalog.pg_extension_config_dump('dp.ledger_entry', 'WHERE relation IN (SELECT oid FROM pg_catalog.pg_class)');
