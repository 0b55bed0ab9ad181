-- What is stored of answers, and for how long: limits of a superuser for a statement and a role, of a curator for a table.
CALL own_schema('release_retention');
SET client_min_messages = error;
SET dp.forget_interval = 0;
SET intervalstyle = postgres;
\set SHOW_CONTEXT never
\set VERBOSITY terse
CREATE ROLE regress_retain_ana;
CREATE ROLE regress_retain_owner;
CREATE TABLE kept_stays AS SELECT i, i % 10 AS k FROM generate_series(1, 10) i;
CREATE TABLE kept_beds AS SELECT i FROM generate_series(1, 10) i;
ALTER TABLE kept_beds OWNER TO regress_retain_owner;
GRANT USAGE, CREATE ON SCHEMA release_retention TO regress_retain_owner;
SELECT dp.protect('kept_stays', 9e9), dp.protect('kept_beds', 9e9), dp.public_values('kept_stays', 'k', VARIADIC ARRAY(SELECT generate_series(0, 9)));
SELECT dp.grant_budget(t, 'regress_retain_ana', 9e9, allow_leaks => true) FROM unnest('{kept_stays, kept_beds}'::regclass[]) t;
CREATE FUNCTION stored() RETURNS bigint LANGUAGE sql SECURITY DEFINER AS $$
    SELECT coalesce(sum(numbers), 0) FROM (
        SELECT octet_length(noisy) / 16 AS numbers, role FROM dp.release_level JOIN dp.release_part USING (release_id, part) UNION ALL
        SELECT get_byte(small, 0), role FROM dp.release_part WHERE small IS NOT NULL) AS stored
    WHERE role = 'regress_retain_ana'::regrole
$$;
-- Numbers of ten groups and of NULL; of a statement with two queries.
\set ten 'SELECT k, dp_count(''*'', 1) FROM release_retention.kept_stays GROUP BY k'
\set two 'SELECT dp_count(i, 1) FROM release_retention.kept_stays UNION ALL SELECT dp_count(i, 1) FROM release_retention.kept_stays'

-- Of a statement: what it asks is answered, and nothing is kept. A role does not set that for itself.
SET ROLE regress_retain_ana;
SET dp.max_numbers_per_statement = 5;
SET dp.max_numbers_per_role = 5;
RESET ROLE;
SET dp.max_numbers_per_statement = 9;
SET ROLE regress_retain_ana;
:ten \g /dev/null
SELECT dp_last_release() IS NULL AS none, stored();
:two \g /dev/null
SELECT dp_last_release() IS NULL AS none, stored();
RESET ROLE;
SET dp.max_numbers_per_statement = 1;
SET ROLE regress_retain_ana;
:two \g /dev/null
SELECT dp_last_release() IS NULL AS none, stored();
RESET ROLE;
RESET dp.max_numbers_per_statement;

-- Of a role: what it has stored already counts, and each level.
SET dp.max_numbers_per_role = 35;
SET ROLE regress_retain_ana;
:ten \g /dev/null
:ten \g /dev/null
SELECT dp_last_release() AS kept, stored() \gset
SELECT :stored AS stored;
SELECT count(*) FROM dp_relax_release(:kept, 2);
SELECT stored();
:ten \g /dev/null
SELECT dp_last_release() IS NULL AS none, stored();
SELECT count(*) FROM dp_relax_release(:kept, 3);
SELECT stored();
SELECT dp_count('*', 1) IS NULL AS small FROM kept_stays;
SELECT dp_last_release() IS NULL AS none, stored();
RESET ROLE;
-- Once some are forgotten there is room.
UPDATE dp.release_part SET made_at = made_at - interval '10 days' WHERE role = 'regress_retain_ana'::regrole AND release_id < :kept;
SELECT dp.forget_releases('1 day') > 0 AS some;
SET ROLE regress_retain_ana;
SELECT stored();
:ten \g /dev/null
SELECT dp_last_release() > :kept AS kept, stored();
RESET ROLE;
RESET dp.max_numbers_per_role;

-- Of a table: by age, and by how much there is.
SELECT dp.retain_releases('kept_stays', max_age => '5 days');
SELECT release_age, release_numbers FROM dp.protected_table WHERE relation = 'kept_stays'::regclass;
SELECT dp.forget_releases() AS none;
UPDATE dp.release_part SET made_at = made_at - interval '10 days' WHERE release_id = :kept;
SET ROLE regress_retain_ana;
SELECT dp.forget_releases() AS not_hers;
SELECT count(*) FROM dp_answer(:kept);
RESET ROLE;
SELECT dp.forget_releases() AS old;
\set VERBOSITY default
CREATE FUNCTION outcome(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    detail text;
    hint text;
BEGIN
    EXECUTE query;
    RETURN 'done';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
    RETURN regexp_replace(concat_ws(E'\n', sqlstate || ' ' || sqlerrm, detail, hint), '\d+( was|;)', 'N\1', 'g');
END
$$;
SET ROLE regress_retain_ana;
SELECT outcome(format('SELECT dp_relax_release(%s, 5)', :kept));
SELECT outcome(format('SELECT dp_answer(%s)', :kept)) = outcome(format('SELECT dp_errors(%s)', :kept)) AS the_same;
SET ROLE regress_retain_owner;
SELECT outcome(format('SELECT dp_answer(%s)', :kept)) LIKE 'DP003 there is no release%' AS no_more_than_that;
RESET ROLE;
SELECT outcome(format('SELECT dp.share_release(%s, ''regress_retain_owner'', 5)', :kept)) LIKE '% was forgotten:%' AS told;
SELECT count(*) > 0 AS charged FROM dp.ledger WHERE release_id = :kept;
SELECT count(*) AS stored FROM dp.release_level WHERE release_id = :kept;

-- The newest stay.
SELECT dp.retain_releases('kept_stays', max_numbers => 25);
SET ROLE regress_retain_ana;
:ten \g /dev/null
:ten \g /dev/null
SELECT stored() AS before;
RESET ROLE;
SELECT dp.forget_releases() > 0 AS some;
SET ROLE regress_retain_ana;
SELECT stored();
SELECT count(*) FROM dp_answer(dp_last_release());
RESET ROLE;
SELECT dp.forget_releases() AS none;
-- What a level adds counts, too.
SET ROLE regress_retain_ana;
SELECT count(*) FROM dp_relax_release(dp_last_release(), 2);
RESET ROLE;
SELECT dp.forget_releases() AS one;
SET ROLE regress_retain_ana;
SELECT stored();
RESET ROLE;

-- Nobody forgets for another table's curators, and a release on two tables needs both.
SELECT dp.retain_releases('kept_beds', max_numbers => 1);
SET ROLE regress_retain_ana;
SELECT dp_count(i, 1) FROM kept_beds \g /dev/null
SELECT dp_count(i, 1) FROM kept_beds UNION ALL SELECT dp_count(i, 1) FROM kept_stays \g /dev/null
SELECT dp_last_release() AS both \gset
SELECT dp_count(i, 1) FROM kept_beds \g /dev/null
SET ROLE regress_retain_owner;
SELECT dp.retain_releases('kept_beds', max_numbers => 1);
SELECT dp.retain_releases('kept_stays', max_numbers => 1);
SELECT dp.forget_releases() AS one;
RESET ROLE;
SELECT dp.forget_releases() > 0 AS rest;
SELECT count(*) AS gone FROM dp.release_part WHERE release_id = :both;
-- A new budget leaves it as it is, the end of protection does not.
SELECT dp.protect('kept_stays', 9e9);
SELECT release_numbers FROM dp.protected_table WHERE relation = 'kept_stays'::regclass;
SELECT dp.retain_releases('kept_stays');
SELECT release_age IS NULL AND release_numbers IS NULL AS none FROM dp.protected_table WHERE relation = 'kept_stays'::regclass;
\set VERBOSITY default
SELECT dp.retain_releases('kept_stays', max_age => '-1 day');
SELECT dp.retain_releases('kept_stays', max_numbers => 0);
SELECT dp.unprotect('kept_stays'), dp.unprotect('kept_beds');
SELECT dp.retain_releases('kept_stays', max_numbers => 1);
DROP TABLE kept_stays, kept_beds;
DROP FUNCTION stored, outcome;
DROP OWNED BY regress_retain_owner, regress_retain_ana;
DROP ROLE regress_retain_ana, regress_retain_owner;
