-- Whose releases: nobody reads the noise, and another role's release is read as it was shared and not otherwise.
CALL own_schema('release_sharing');
\pset null '(null)'
SET client_min_messages = warning;
DROP ROLE IF EXISTS regress_sharing_maker, regress_sharing_ben, regress_sharing_team, regress_sharing_member, regress_sharing_keeper, regress_sharing_nobody;
CREATE ROLE regress_sharing_maker;
CREATE ROLE regress_sharing_ben;
CREATE ROLE regress_sharing_team;
CREATE ROLE regress_sharing_member IN ROLE regress_sharing_team;
CREATE ROLE regress_sharing_keeper IN ROLE dp_curator;
CREATE ROLE regress_sharing_nobody;
CREATE TABLE stay (id int, ward text NOT NULL);
INSERT INTO stay VALUES (1, 'a'), (2, 'a'), (3, 'b');
SELECT dp.protect('stay', 9e9);
SELECT dp.public_values('stay', 'ward', 'a', 'b');
SELECT dp.grant_budget('stay', r, 9e9, allow_leaks => true) FROM unnest(ARRAY['regress_sharing_maker', 'regress_sharing_ben', 'regress_sharing_team']::regrole[]) r;
GRANT SELECT ON stay TO regress_sharing_maker, regress_sharing_team;
\getenv folder PG_ABS_SRCDIR
\set outcome :folder '/test/support/outcome.sql'
\i :outcome
RESET client_min_messages;
SELECT coalesce(max(seq), 0) AS before FROM dp.ledger \gset
SET ROLE regress_sharing_maker;
SELECT ward, dp_count('*', 0.5) FROM stay GROUP BY ward \g /dev/null
SELECT dp_last_release() AS r \gset

-- Nobody but the extension's owner reads what is stored, not even who made it or a curator.
SELECT r.rolname, c.relname
FROM pg_class c, pg_roles r
WHERE c.relnamespace = 'dp'::regnamespace AND c.relname LIKE 'release\_%' AND c.relkind = 'r' AND r.rolname LIKE 'regress\_%'
    AND (has_table_privilege(r.oid, c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')
        OR has_any_column_privilege(r.oid, c.oid, 'SELECT'));
SELECT noise FROM dp.release_level;
SELECT * FROM dp.release_part;
SET ROLE regress_sharing_keeper;
SELECT noise FROM dp.release_level;
DELETE FROM dp.release_path;

-- It is the maker's alone, and for others it is as if it were not there.
SET ROLE regress_sharing_ben;
SELECT count(*) FROM dp.releases WHERE release_id = :r;
SELECT outcome(format('SELECT dp_answer(%s)', :r));
SELECT outcome(format('SELECT relax_release(%s, 1)', :r));
SELECT outcome(format('SELECT dp.share_release(%s, ''regress_sharing_ben'', 0.5)', :r));
SELECT outcome('SELECT dp_answer(4711000000)');
-- Curators see that it is there, for they keep the accounts; its answers are not theirs.
SET ROLE regress_sharing_keeper;
SELECT aggregate, epsilon, groups, role FROM dp.releases WHERE release_id = :r;
SELECT outcome(format('SELECT dp_answer(%s)', :r));
SELECT outcome(format('SELECT relax_release(%s, 1)', :r));
-- The maker cannot share it: others' accounts are not its own.
SET ROLE regress_sharing_maker;
SELECT outcome(format('SELECT dp.share_release(%s, ''regress_sharing_ben'', 0.5)', :r));

-- Shared at the level that exists: the role pays it whole, the table nothing.
SET ROLE regress_sharing_keeper;
SELECT dp.share_release(:r, 'regress_sharing_ben', 0.5);
SET ROLE regress_sharing_ben;
SELECT aggregate, epsilon, groups, role FROM dp.releases WHERE release_id = :r;
SELECT count(*), bool_and(epsilon = 0.5) FROM dp_answer(:r);
-- Reading it does not make it one's own.
SELECT outcome(format('SELECT relax_release(%s, 1)', :r));
SELECT outcome(format('SELECT dp.share_release(%s, ''regress_sharing_nobody'', 0.5)', :r));
SET ROLE regress_sharing_nobody;
SELECT outcome(format('SELECT dp_answer(%s)', :r));

-- Finer for the other one: the table pays what nobody has paid. The maker's is what it was, until it pays the difference: the same
-- answers then, and nothing for the table.
SET ROLE regress_sharing_keeper;
SELECT dp.share_release(:r, 'regress_sharing_ben', 2);
SET ROLE regress_sharing_ben;
SELECT group_key, answer AS ben, epsilon INTO TEMP ben FROM dp_answer(:r);
GRANT SELECT ON ben TO regress_sharing_maker;
SET ROLE regress_sharing_maker;
SELECT DISTINCT epsilon FROM dp_answer(:r);
SELECT DISTINCT epsilon FROM relax_release(:r, 1.9);
SELECT answer = ben AS the_same, m.epsilon FROM relax_release(:r, 2) m JOIN ben USING (group_key);

-- Coarser than all: made from the coarsest by adding noise, and paid by the role alone.
RESET ROLE;
SELECT dp.share_release(:r, 'regress_sharing_team', 0.1);
SELECT dp.share_release(:r, 'regress_sharing_team', 0.3);
SET ROLE regress_sharing_team;
SELECT answer AS team, epsilon FROM dp_answer(:r) ORDER BY group_key LIMIT 1 \gset
SELECT epsilon FROM dp_answer(:r) WHERE group_key ->> 'ward' = 'a';
-- Who has the privileges of a role reads what it holds; relaxing is the maker's.
SET ROLE regress_sharing_member;
SELECT answer = :'team' FROM dp_answer(:r) ORDER BY group_key LIMIT 1;
SELECT epsilon FROM dp.releases WHERE release_id = :r;
SELECT dp_count('*', 0.5) FROM stay \g /dev/null
SELECT dp_last_release() AS m \gset
SET ROLE regress_sharing_team;
SELECT outcome(format('SELECT dp_answer(%s)', :m));
RESET ROLE;
SELECT outcome(format('SELECT relax_release(%s, 3)', :r));
SELECT DISTINCT epsilon FROM dp_answer(:r);
SELECT kind, role, epsilon, table_epsilon FROM dp.ledger WHERE relation = 'stay'::regclass AND seq > :before ORDER BY seq;

-- What cannot be shared: to nobody, beyond an account, without one, for an aggregate that is not there.
SELECT outcome(format('SELECT dp.share_release(%s, %L, 1)', :r, role)) FROM unnest(ARRAY[NULL, '-', '4711']) role;
SELECT outcome(format('SELECT dp.share_release(%s, %L, %L)', :r, 'regress_sharing_ben', e)) FROM unnest(ARRAY[NULL, 'NaN', '0', '1e7']) e;
SELECT outcome(format('SELECT dp.share_release(%s, %L, 1)', :r, 'regress_sharing_nobody'));
SELECT outcome(format('SELECT dp.share_release(%s, %L, 1, %L)', :r, 'regress_sharing_ben', 'dp_sum(id)'));
SELECT dp.grant_budget('stay', 'regress_sharing_ben', 3, allow_leaks => true);
SELECT left(outcome(format('SELECT dp.share_release(%s, %L, 3.000000001)', :r, 'regress_sharing_ben')), 5);
SELECT outcome(format('SELECT dp.share_release(%s, %L, 3)', :r, 'regress_sharing_ben'));

-- One statement, two makers: through a view the permissions are its owner's, and so is the release. Each relaxes its own.
CREATE VIEW ward_of_stay AS SELECT ward FROM stay;
GRANT SELECT ON ward_of_stay TO regress_sharing_maker;
SET ROLE regress_sharing_maker;
SELECT ward, dp_count('*', 0.5) FROM ward_of_stay GROUP BY ward UNION ALL SELECT NULL, dp_count('*', 0.5) FROM stay \g /dev/null
SELECT dp_last_release() AS r \gset
SELECT group_key FROM relax_release(:r, 1);
SELECT group_key, epsilon FROM dp_answer(:r);
RESET ROLE;
SELECT group_key FROM relax_release(:r, 2);
SELECT group_key, epsilon FROM dp_answer(:r);
SET ROLE regress_sharing_maker;
SELECT group_key, epsilon FROM dp_answer(:r);
RESET ROLE;

SELECT dp.grant_budget('stay', 'regress_sharing_ben', 20, allow_leaks => true);
-- Groups that were chosen privately: the choice is paid for once by whom they are shown to, with the first of their answers.
CREATE TABLE rare AS SELECT i % 2 AS k FROM generate_series(1, 40) i;
SELECT dp.protect('rare', 9e9, 0.5, group_epsilon => 1000, group_delta => 1e-6),
    dp.grant_budget('rare', 'regress_sharing_ben', 9e9, 0.5, allow_leaks => true);
SELECT k, dp_count('*', 0.5) + dp_count(k, 0.25) > 1000 AS n FROM rare GROUP BY k UNION ALL
SELECT NULL, dp_count(id, 0.125) > 1000 FROM stay;
SELECT dp_last_release() AS s, max(seq) AS before FROM dp.ledger \gset
SELECT dp.share_release(:s, 'regress_sharing_ben', 1, 'dp_count(id, 0.125)');
SELECT dp.share_release(:s, 'regress_sharing_ben', 1, 'dp_count(''*'', 0.5)');
SELECT dp.share_release(:s, 'regress_sharing_ben', 1, 'dp_count(k, 0.25)');
SELECT dp.share_release(:s, 'regress_sharing_ben', 2);
SELECT relation, epsilon, delta, table_epsilon, table_delta FROM dp.ledger WHERE relation IN ('stay'::regclass, 'rare'::regclass) AND seq > :before ORDER BY seq;
SELECT dp.unprotect('rare');
DROP TABLE rare;

-- dp.releases lists what the stored rows make a role's own, what was shared with it, and for curators all, once for each table that was
-- charged: no more and no less.
CREATE TEMP TABLE looker AS
SELECT unnest(ARRAY['regress_sharing_maker', 'regress_sharing_ben', 'regress_sharing_team', 'regress_sharing_member', 'regress_sharing_keeper', 'regress_sharing_nobody'])::regrole AS who;
CREATE TEMP TABLE seen (who regrole, release_id bigint, aggregate text, epsilon numeric);
GRANT INSERT ON seen TO PUBLIC;
DO $$
DECLARE l looker;
BEGIN
    FOR l IN TABLE looker LOOP
        EXECUTE format('SET LOCAL ROLE %s', l.who);
        INSERT INTO seen SELECT l.who, release_id, aggregate, epsilon FROM dp.releases;
    END LOOP;
    RESET ROLE;
END
$$;
CREATE FUNCTION pg_temp.whole(bytes bytea, at int, size int DEFAULT 4) RETURNS numeric LANGUAGE sql
    RETURN (SELECT sum(get_byte(bytes, at + i) * 256::numeric ^ i) FROM generate_series(0, size - 1) i);
CREATE FUNCTION pg_temp.aggregates(part dp.release_part) RETURNS SETOF dp.release_aggregate LANGUAGE plpgsql AS $$
DECLARE
    a dp.release_aggregate;
    at int := 8;
BEGIN
    RETURN QUERY SELECT * FROM dp.release_aggregate r WHERE (r.release_id, r.part) = (part.release_id, part.part);
    FOR i IN 0 .. coalesce(pg_temp.whole(part.small, 4), 0) - 1 LOOP
        a.aggregate = i;
        a.name = convert_from(substr(part.small, at + 5, pg_temp.whole(part.small, at)::int), 'UTF8');
        FOR text_number IN 1 .. 3 LOOP
            at = at + 4 + pg_temp.whole(part.small, at);
        END LOOP;
        a.epsilon_nano = pg_temp.whole(part.small, at, 8);
        a.sensitivity = nullif(pg_temp.whole(part.small, at + 8, 16), 0);
        at = at + 52;
        RETURN NEXT a;
    END LOOP;
END
$$;
CREATE TEMP TABLE own AS
SELECT w.who, p.release_id, a.name || CASE WHEN a.sensitivity IS NOT NULL AND max(h.epsilon_nano) <> a.epsilon_nano
        THEN ' at epsilon ' || trim_scale(max(h.epsilon_nano) / 1e9) ELSE '' END, CASE WHEN a.sensitivity IS NOT NULL THEN max(h.epsilon_nano) / 1e9 END
FROM looker w, dp.release_part p, unnest(array_prepend(p.relation, p.partners)) charged, pg_temp.aggregates(p) a,
    LATERAL (SELECT p.role, a.epsilon_nano UNION ALL
        SELECT role, epsilon_nano FROM dp.release_holding WHERE (release_id, part, aggregate) = (p.release_id, p.part, a.aggregate)) h
WHERE pg_has_role(w.who, h.role, 'USAGE') OR w.who = 'regress_sharing_keeper'::regrole
GROUP BY w.who, p.release_id, p.part, charged, a.aggregate, a.name, a.epsilon_nano, a.sensitivity;
(TABLE seen EXCEPT ALL TABLE own) UNION ALL (TABLE own EXCEPT ALL TABLE seen);
SELECT who, count(*) FROM seen WHERE who <> 'regress_sharing_keeper'::regrole GROUP BY who ORDER BY who::text;
SELECT count(*) > 5 AS all_of_them FROM seen WHERE who = 'regress_sharing_keeper'::regrole;

-- A dropped role keeps nothing, and leaves its levels on the path: who relaxes further goes on from there.
SELECT dp.share_release(:r, 'regress_sharing_ben', 2.5);
DROP OWNED BY regress_sharing_ben;
DROP ROLE regress_sharing_ben;
SELECT DISTINCT epsilon FROM relax_release(:r, 2.5);
SELECT count(DISTINCT level_id) FROM dp.release_path WHERE release_id = :r AND epsilon_nano = 2500000000 AND part = 0;
SELECT table_epsilon FROM dp.ledger WHERE relation = 'stay'::regclass ORDER BY seq DESC LIMIT 1;

-- Of what is stored, nothing is made up.
RESET ROLE;
BEGIN;
UPDATE dp.release_part SET small = substr(small, 1, length(small) - 32) WHERE release_id = :r;
\set VERBOSITY sqlstate
SELECT * FROM dp_answer(:r);
\set VERBOSITY default
ROLLBACK;
-- A number that another release has, which went on elsewhere, is not given twice: the query is charged and leaves none.
INSERT INTO dp.release_part SELECT max(release_id) + 1, 0, now(), 0, 'stay'::regclass, 1, 0, 0, 0, 'elsewhere' FROM dp.ledger;
SELECT dp_count('*', 1e6) FROM stay;
SELECT dp_last_release() IS NULL AS none;
SELECT query FROM dp.release_part WHERE release_id = (SELECT release_id FROM dp.last_charges(1));
DELETE FROM dp.release_part WHERE query = 'elsewhere';

SELECT dp.unprotect('stay');
DROP TABLE stay CASCADE;
DROP FUNCTION outcome;
DROP OWNED BY regress_sharing_maker, regress_sharing_team, regress_sharing_member, regress_sharing_keeper, regress_sharing_nobody;
DROP ROLE regress_sharing_maker, regress_sharing_team, regress_sharing_member, regress_sharing_keeper, regress_sharing_nobody;
