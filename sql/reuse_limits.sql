-- Of people with several rows, whose limits are chosen: what the stored numbers of a question hold, a later one about a part of it is shown for
-- nothing, and by fewer keys. At epsilon 1 nothing that is drawn anew is the same by chance.
CALL own_schema('reuse_limits');
SET client_min_messages = error;
CREATE ROLE regress_limits_ana;
CREATE ROLE regress_limits_bob;
CREATE TABLE visit (p int NOT NULL, ward text NOT NULL, kind text NOT NULL, a int NOT NULL, b int, f float8 NOT NULL);
INSERT INTO visit SELECT p, (ARRAY['u', 'v', 'w'])[1 + (p + r) % 3], (ARRAY['x', 'y'])[1 + p * r % 2], (p * 7 + r * 13) % 101, nullif(r % 10, 9), p * r % 11 / 10.0
    FROM generate_series(1, 2000) p, generate_series(1, 9) r WHERE r <= 1 + p % 9;
SELECT dp.protect('visit', 9e9, privacy_unit => 'p', answer_epsilon => 1, reuse => '1 day', share_answers => true), dp.declare_range('visit', 'a', 0, 100),
    dp.declare_range('visit', 'b', 0, 9), dp.declare_range('visit', 'f', 0, 1), dp.declare_values('visit', 'ward', 'u', 'v', 'w'), dp.declare_values('visit', 'kind', 'x', 'y') \g /dev/null
SELECT dp.grant_budget('visit', r, 9e9, allow_leaks => true) FROM unnest('{regress_limits_ana,regress_limits_bob}'::regrole[]) r \g /dev/null

-- What a statement shows, each of its columns as a list over its rows; and what it is charged.
CREATE FUNCTION shown(query text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE found jsonb;
BEGIN
    EXECUTE format('SELECT jsonb_object_agg(k, v) FROM (SELECT k, jsonb_agg(v ORDER BY r->>''ward'') AS v FROM (SELECT to_jsonb(q) FROM (%s) q) q (r), jsonb_each(r) e (k, v) GROUP BY k) q', query) INTO found;
    RETURN found;
END $$;
CREATE FUNCTION charged(role name, query text, OUT shows jsonb, OUT charges numeric) LANGUAGE plpgsql AS $$
DECLARE last bigint := (SELECT coalesce(max(seq), 0) FROM dp.ledger);
BEGIN
    PERFORM set_config('role', role, true);
    shows := shown(query);
    PERFORM set_config('role', 'none', true);
    charges := (SELECT trim_scale(coalesce(sum(epsilon), 0)) FROM dp.ledger WHERE seq > last AND relation = 'visit'::regclass);
END $$;
-- After `first`: whether `later` is charged nothing and shows what stands there under the same names; of what it does not say there, the price.
CREATE FUNCTION after(first text, later text, rest text DEFAULT 'FROM visit') RETURNS text LANGUAGE plpgsql AS $$
DECLARE one record; two record;
BEGIN
    PERFORM dp.forget_answers('visit');
    SELECT * INTO one FROM charged('regress_limits_ana', format('SELECT %s %s', first, rest));
    SELECT * INTO two FROM charged('regress_limits_ana', format('SELECT %s %s', later, rest));
    RETURN CASE WHEN two.charges > 0 THEN 'costs ' || two.charges WHEN one.shows @> two.shows THEN 'the same numbers' WHEN two.shows ?| ARRAY['said'] THEN 'said by them' ELSE 'others' END;
END $$;

SELECT first, later, after(first, later) AS of_all, after('ward, ' || first, 'ward, ' || later, 'FROM visit GROUP BY ward') AS by_ward FROM (VALUES
    ('avg(a) AS x, avg(b) AS y', 'avg(a) AS x'), ('avg(a) AS x, avg(b) AS y', 'avg(b) AS y'), ('sum(a) AS x, sum(b) AS y', 'sum(a) AS x'), ('count(b) AS x, sum(a) AS y', 'count(b) AS x'),
    ('count(*) AS n, avg(a) AS x, stddev(b) AS s', 'stddev(b) AS s'), ('count(*) AS n, avg(a) AS x, stddev(b) AS s', 'variance(b) AS said'),
    ('count(*) AS n, avg(a) AS x, stddev(b) AS s', 'count(b) AS said'), ('avg(a) AS x, sum(a) AS s', 'sum(a) AS s'), ('avg(a) AS x, sum(a) AS s', 'count(a) AS said'),
    ('avg(a) AS x, count(DISTINCT p) AS n', 'count(DISTINCT p) AS n'), ('count(*) AS n, corr(a, b) AS c', 'corr(a, b) AS c'), ('count(*) AS n, avg(f) AS x, avg(b) AS y', 'avg(f) AS x'),
    ('avg(a) FILTER (WHERE kind = ''x'') AS x, avg(a) FILTER (WHERE kind = ''y'') AS y', 'avg(a) FILTER (WHERE kind = ''y'') AS y'),
    ('avg(a) FILTER (WHERE kind = ''x'') AS x, avg(b) FILTER (WHERE kind = ''x'') AS y', 'avg(b) FILTER (WHERE kind = ''x'') AS y'),
    ('avg(a) AS x, avg(b) AS y', 'sum(a) AS said'), ('sum(a) AS x', 'avg(a) AS y'),
    -- Other rows; and what grows with the rows, of what is none of plain SQL's: the limit is one by which a mean needs few of them.
    ('avg(a) AS x', 'avg(a) FILTER (WHERE kind = ''x'') AS x'), ('avg(b) AS x', 'count(*) FILTER (WHERE kind = ''x'') AS n'),
    ('dp_avg(a, 0, 100, 1) AS x', 'dp_avg(a, 0, 100, 1) AS x'), ('dp_avg(a, 0, 100, 1) AS x', 'dp_count(a, 1) AS n'), ('dp_stddev(a, 0, 100, 1) AS x', 'dp_avg(a, 0, 100, 1) AS said'),
    ('dp_stddev(a, 0, 100, 1) AS x', 'dp_count(a, 1) AS n'), ('dp_covar_pop(a, b, 0, 100, 0, 9, 1) AS x', 'dp_covar_samp(a, b, 0, 100, 0, 9, 1) AS said'),
    ('dp_covar_pop(a, b, 0, 100, 0, 9, 1) AS x', 'dp_regr_count(a, b, 0, 100, 0, 9, 1) AS n'), ('dp_regr_count(a, b, 0, 100, 0, 9, 1) AS x', 'dp_regr_avgx(a, b, 0, 100, 0, 9, 1) AS said')) v (first, later);

-- By fewer keys: the sums of groups, in each of which a person has a share of one limit. At 1e6 no row is cut, and answers are those of PostgreSQL.
CREATE FUNCTION rolled_up(first text, later text, rest text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE one record;
BEGIN
    PERFORM dp.forget_answers('visit');
    PERFORM set_config('dp.epsilon', '1e6', true);
    PERFORM charged('regress_limits_ana', format('SELECT ward, kind, %s FROM visit GROUP BY ward, kind', first));
    SELECT c.charges, (SELECT jsonb_agg(round(v::numeric)) FROM jsonb_each(c.shows) s, jsonb_array_elements_text(value) v WHERE key NOT IN ('ward', 'kind')) AS shows INTO one
    FROM charged('regress_limits_ana', format('SELECT %s FROM visit %s', later, rest)) c;
    RETURN format('%s %s', one.charges, CASE WHEN one.shows = (SELECT jsonb_agg(round(v::numeric)) FROM jsonb_each(shown(format('SELECT %s FROM visit %s', later, rest))) s,
        jsonb_array_elements_text(value) v WHERE key NOT IN ('ward', 'kind')) THEN 'exactly' ELSE 'shows ' || one.shows::text END);
END $$;
SELECT first, later, rolled_up(first, 'ward, ' || later, 'GROUP BY ward') AS by_ward, rolled_up(first, later, '') AS of_all FROM (VALUES
    ('avg(a) AS x, avg(b) AS y', '1000 * avg(b) AS y'), ('count(*) AS n, avg(a) AS x, stddev(b) AS s', 'count(*) AS n, 1000 * stddev(b) AS s'), ('sum(a) AS s, count(b) AS n', 'sum(a) AS s'),
    ('count(DISTINCT p) AS n, count(*) AS m', 'count(*) AS m'), ('avg(a) AS x', 'count(a) AS n'),
    -- A person is in several groups, so that people do not add up.
    ('count(DISTINCT p) AS n', 'count(DISTINCT p) AS n')) v (first, later);
SELECT rest, rolled_up('count(*) AS n, avg(a) AS x', later, rest) FROM (VALUES ('ward, count(*) AS n', 'WHERE kind = ''x'' GROUP BY ward'), ('1000 * avg(a) AS x', 'WHERE kind = ''x'' AND ward = ''u'''),
    ('ward, kind, count(*) AS n', 'WHERE ward = ''u'' AND kind = ''y'' GROUP BY ward, kind'), ('count(*) AS n', 'WHERE a < 50')) v (later, rest);

-- Made more accurate together, for the difference; and another role pays for what it is shown.
CREATE FUNCTION at(epsilon text, role name, query text) RETURNS numeric LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('dp.epsilon', epsilon, true);
    RETURN (SELECT charges FROM charged(role, query));
END $$;
SELECT dp.forget_answers('visit') \g /dev/null
SELECT at('1', 'regress_limits_ana', 'SELECT avg(a), avg(b) FROM visit') AS both, at('1', 'regress_limits_ana', 'SELECT avg(a) FROM visit') AS one,
    at('1.2', 'regress_limits_ana', 'SELECT avg(a) FROM visit') AS finer, at('1.2', 'regress_limits_ana', 'SELECT count(a), avg(a) FROM visit') AS of_it, at('1.2', 'regress_limits_ana', 'SELECT avg(b) FROM visit') AS other;
SELECT at('1.2', 'regress_limits_bob', 'SELECT avg(a) FROM visit') AS of_bob, at('1.2', 'regress_limits_bob', 'SELECT avg(a), count(a) FROM visit') AS again, at('1', 'regress_limits_bob', 'SELECT avg(b) FROM visit') AS other;

-- A person who has one row is a unit as a row is one.
CREATE TABLE person (p int PRIMARY KEY, ward text NOT NULL, a int NOT NULL);
INSERT INTO person SELECT p, (ARRAY['u', 'v', 'w'])[1 + p % 3], p % 101 FROM generate_series(1, 1000) p;
SELECT dp.protect('person', 9e9, privacy_unit => 'p', answer_epsilon => 1, reuse => '1 day'), dp.declare_range('person', 'a', 0, 100), dp.declare_values('person', 'ward', 'u', 'v', 'w'),
    dp.grant_budget('person', 'regress_limits_ana', 9e9, allow_leaks => true) \g /dev/null
SET ROLE regress_limits_ana;
SELECT count(n), count(x) FROM (SELECT ward, count(*) AS n, avg(a) AS x FROM person GROUP BY ward) q;
SELECT count(x) FROM (SELECT ward, avg(a) AS x FROM person GROUP BY ward) q;
SELECT count(n), count(x) FROM (SELECT ward, count(*) AS n, avg(a) AS x FROM person WHERE ward = 'u' GROUP BY ward) q;
SELECT sum(a) IS NULL FROM person;
RESET ROLE;
SELECT kind, epsilon, query FROM dp.ledger WHERE relation = 'person'::regclass AND kind <> 'reuse';
SELECT dp.unprotect(t) FROM unnest('{visit,person}'::regclass[]) t \g /dev/null
DROP SCHEMA reuse_limits CASCADE;
DROP OWNED BY regress_limits_ana, regress_limits_bob;
DROP ROLE regress_limits_ana, regress_limits_bob;
