-- What the stored numbers of a column hold is not paid again, whichever aggregate of it was asked first; what they do not hold is. At
-- epsilon 1e6 answers are exact, at 1e-4 nothing that is drawn anew is the same by chance.
CALL own_schema('reuse_vectors');
SET client_min_messages = warning;
CREATE ROLE regress_held_ana;
CREATE ROLE regress_held_bob;
CREATE TABLE stay (id int PRIMARY KEY, ward text NOT NULL, kind text NOT NULL, age int, cost numeric(9, 2), height float8, weight real, tilt float8);
INSERT INTO stay SELECT i, (ARRAY['a', 'b', 'c'])[1 + i % 3], (ARRAY['x', 'y'])[1 + i % 2], CASE WHEN i % 7 > 0 THEN 20 + i % 60 END, i % 47 + 0.3,
    i % 90, i % 80, i % 50 + 0.6 FROM generate_series(1, 600) i;
SELECT dp.protect('stay', 9e9, answer_epsilon => 1e6, reuse => '1 day', share_answers => true);
SELECT dp.grant_budget('stay', r, 9e9, allow_leaks => true) FROM unnest(ARRAY['regress_held_ana', 'regress_held_bob']::regrole[]) r;
SELECT dp.declare_values('stay', 'ward', 'a', 'b', 'c'), dp.declare_values('stay', 'kind', 'x', 'y');
SELECT dp.declare_range('stay', 'cost', -10, 60), dp.declare_range('stay', 'age', 0, 100), dp.declare_range('stay', 'height', 0, 100),
    dp.declare_range('stay', 'weight', 0, 100), dp.declare_range('stay', 'tilt', 0, 100);

-- How many answers that statement is charged for, and whether it says what PostgreSQL says of the rows.
CREATE FUNCTION asked(role name, query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    last bigint := (SELECT coalesce(max(seq), 0) FROM dp.ledger);
    found text;
    exact text;
    shown text := format($q$
        SELECT string_agg((SELECT string_agg(CASE jsonb_typeof(v) WHEN 'number' THEN round(v::numeric)::text ELSE v::text END, ' ' ORDER BY k)
            FROM jsonb_each(to_jsonb(q)) AS e(k, v)), '; ' ORDER BY to_jsonb(q)->>'ward', to_jsonb(q)->>'kind') FROM (%s) q$q$, query);
BEGIN
    PERFORM set_config('role', role, true);
    EXECUTE shown INTO found;
    PERFORM set_config('role', 'none', true);
    EXECUTE shown INTO exact;
    RETURN (SELECT coalesce(string_agg(format('%s %s', kind, round(epsilon / 1e6, 3)), ', ' ORDER BY seq), 'nothing') FROM dp.ledger
            WHERE seq > last AND relation = 'stay'::regclass)
        || CASE WHEN found = exact THEN '' ELSE format(', and %s is shown, not %s', found, exact) END;
END $$;
CREATE FUNCTION asked_anew(query text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM dp.forget_answers('stay');
    RETURN asked('regress_held_ana', query);
END $$;

-- Whichever was asked first: its numbers hold what stands beside it in the row, as often as that is asked.
CREATE TABLE part (name text PRIMARY KEY, call text);
INSERT INTO part VALUES ('rows', 'count(*)'), ('count', 'count(cost)'), ('sum', 'sum(cost)'), ('avg', 'avg(cost)'), ('variance', 'variance(cost)'),
    ('var_pop', 'var_pop(cost)'), ('stddev', 'stddev(cost)'), ('stddev_pop', 'stddev_pop(cost)'), ('pair', 'count(*), sum(cost), avg(cost)'),
    ('all', 'count(*), stddev(cost)');
CREATE FUNCTION asked_after(first text, call text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM asked_anew(format('SELECT ward, %s FROM stay GROUP BY ward', first));
    RETURN asked('regress_held_ana', format('SELECT ward, %s FROM stay GROUP BY ward', call));
END $$;
SELECT f.name AS first, charged, string_agg(l.name, ' ' ORDER BY l.name) AS then
FROM part f, part l, asked_after(f.call, l.call) AS charged GROUP BY 1, 2 ORDER BY 1, 2;

-- Other rows, other bounds, other columns, other groups are paid; so are values where a vector of another column has the same rows.
SELECT asked_anew('SELECT ward, count(*), sum(cost), avg(cost) FROM stay GROUP BY ward');
SELECT q, asked('regress_held_ana', q) FROM unnest(ARRAY[
    'SELECT ward, count(*) FROM stay GROUP BY ward',
    'SELECT ward, count(*) FILTER (WHERE kind = ''x'') FROM stay GROUP BY ward',
    'SELECT ward, sum(cost) FILTER (WHERE kind = ''x'') FROM stay GROUP BY ward',
    'SELECT ward, sum(greatest(cost, 0)) FROM stay GROUP BY ward',
    'SELECT ward, sum(age) FROM stay GROUP BY ward',
    'SELECT ward, count(age) FROM stay GROUP BY ward',
    'SELECT ward, count(DISTINCT kind) FROM stay GROUP BY ward',
    'SELECT ward, sum(cost) FROM stay WHERE kind = ''x'' GROUP BY ward',
    'SELECT kind, sum(cost) FROM stay GROUP BY kind']) q;

-- Groups of it, sums of its groups, and several columns, whose rows are the mean of what their vectors say.
SELECT asked_anew('SELECT ward, kind, count(*), sum(cost), avg(age) FROM stay GROUP BY ward, kind');
SELECT q, asked('regress_held_ana', q) FROM unnest(ARRAY[
    'SELECT ward, kind, avg(cost) FROM stay GROUP BY ward, kind',
    'SELECT ward, count(*), sum(age) FROM stay GROUP BY ward',
    'SELECT count(*), count(age), avg(age) FROM stay',
    'SELECT kind, sum(cost) FROM stay WHERE ward = ''a'' GROUP BY kind',
    'SELECT ward, kind, avg(cost), count(age) FROM stay WHERE ward IN (''a'', ''b'') GROUP BY ward, kind']) q;

-- Types: whole numbers, float8, and real, which is added up as float8.
SELECT asked_anew('SELECT avg(height), avg(age), avg(weight) FROM stay');
SELECT q, asked('regress_held_ana', q) FROM unnest(ARRAY[
    'SELECT sum(height) FROM stay', 'SELECT sum(age) FROM stay', 'SELECT sum(weight) FROM stay', 'SELECT count(weight) FROM stay',
    'SELECT sum(age), avg(age), count(age), sum(height) FROM stay']) q;
-- A cast is the number itself, another function is not.
SELECT asked_anew('SELECT avg(tilt) FROM stay');
SELECT q, asked('regress_held_ana', q) FROM unnest(ARRAY['SELECT sum(floor(tilt)) FROM stay', 'SELECT sum(tilt) FROM stay']) q;

-- Calls that name an epsilon find it, too, and are found; where they ask for less.
SELECT dp.forget_answers('stay') > 0 AS forgotten;
SET ROLE regress_held_ana;
SELECT round((dp_moments(height, 0, 100, 1e5)).sum) AS sum FROM stay;
RESET ROLE;
CREATE FUNCTION charged() RETURNS text LANGUAGE sql SECURITY DEFINER AS $$
    SELECT kind || ' ' || round(epsilon / 1e6, 3) FROM dp.ledger WHERE relation = 'reuse_vectors.stay'::regclass ORDER BY seq DESC LIMIT 1
$$;
SET ROLE regress_held_ana;
SELECT round(dp_avg(height, 0, 100, 1e4)) AS avg FROM stay;
SELECT charged();
SELECT round((dp_totals(height, 0, 100, 1e5)).avg) AS avg FROM stay;
SELECT charged();
SELECT round(dp_avg(height, 0, 99, 1e4)) AS avg FROM stay;
SELECT charged();
SELECT round(dp_avg(height, 0, 100, 2e4, 'staircase')) AS avg FROM stay;
SELECT charged();

-- What is asked at a larger epsilon makes all of the vector finer, for the difference, also for who asks another part of it then.
EXPLAIN (COSTS OFF) SELECT sum(height) FROM stay;
SELECT round(sum(height)) AS sum FROM stay;
SELECT charged();
SELECT round(avg(height)) AS avg, round(stddev(height)) AS stddev, count(*) FROM stay;
SELECT charged();
EXPLAIN (COSTS OFF) SELECT sum(height), dp_error(sum(height)) FROM stay;
EXPLAIN (COSTS OFF) SELECT count(*), stddev(height) FROM stay;

-- Another role pays for what it is shown, and holds all of it from then on.
RESET ROLE;
SELECT asked('regress_held_bob', 'SELECT sum(height) FROM stay');
SELECT asked('regress_held_bob', 'SELECT count(*), round(avg(height)) AS avg FROM stay');
SELECT l.kind, l.epsilon, l.table_epsilon FROM dp.ledger l WHERE role = 'regress_held_bob'::regrole ORDER BY seq;

-- Its error is that of the part.
SET ROLE regress_held_ana;
SET dp.epsilon = 1e-4;
CREATE TEMP TABLE vector AS SELECT kind, count(*) AS n, sum(height) AS sum, avg(height) AS mean, dp_error(sum(height)) AS sum_error,
    dp_error(avg(height)) AS mean_error FROM stay GROUP BY kind;
SELECT charged();
SELECT v.sum = q.sum AND v.sum_error = q.e AS same FROM vector v JOIN (SELECT kind, sum(height), dp_error(sum(height)) AS e FROM stay GROUP BY kind) q
    USING (kind);
SELECT v.mean = q.mean AND v.mean_error = q.e AS same
FROM vector v JOIN (SELECT kind, avg(height) AS mean, dp_error(avg(height)) AS e FROM stay GROUP BY kind) q USING (kind);
SELECT v.n = q.n AS same FROM vector v JOIN (SELECT kind, count(*) AS n FROM stay GROUP BY kind) q USING (kind);
SELECT charged();
-- Where both are stored, the aggregate itself is shown again, and not what the vector says of it.
RESET ROLE;
SELECT dp.forget_answers('stay') > 0 AS forgotten;
SET ROLE regress_held_ana;
SET dp.epsilon = 1e-4;
CREATE TEMP TABLE counted AS SELECT kind, count(*) AS n FROM stay GROUP BY kind;
SELECT count(n + sum) FROM (SELECT kind, count(*) AS n, sum(height) FROM stay GROUP BY kind) q;
SELECT c.n = q.n AS same FROM counted c JOIN (SELECT kind, count(*) AS n FROM stay GROUP BY kind) q USING (kind);
-- Prepared, with parameters, in a cursor, and in a transaction that is rolled back.
PREPARE of_kind(text) AS SELECT count(*), avg(weight) FROM stay WHERE kind = $1;
CREATE TEMP TABLE of_x AS EXECUTE of_kind('x');
SELECT charged();
PREPARE weight_of(text) AS SELECT sum(weight), avg(weight), count(weight) FROM stay WHERE kind = $1;
CREATE TEMP TABLE weight_of_x AS EXECUTE weight_of('x');
SELECT w.avg = x.avg AS same FROM of_x x, weight_of_x w;
SELECT charged();
BEGIN;
SELECT count(sum) FROM (SELECT sum(weight) FROM stay WHERE kind = 'y') q;
ROLLBACK;
SELECT charged();
RESET ROLE;

-- Where people have several rows, what counts of them is shared by the aggregates of a question: then it is another question.
CREATE TABLE visit (person int NOT NULL, cost int NOT NULL);
INSERT INTO visit SELECT i % 50, i % 10 FROM generate_series(1, 200) i;
SELECT dp.protect('visit', 9e9, privacy_unit => 'person', max_rows_per_unit => 10, answer_epsilon => 1e6, reuse => '1 day');
SELECT dp.grant_budget('visit', 'regress_held_ana', 9e9, allow_leaks => true), dp.declare_range('visit', 'cost', 0, 9);
RESET dp.epsilon;
SET ROLE regress_held_ana;
SELECT count(*), round(avg(cost), 1) AS avg FROM visit;
SELECT sum(cost) FROM visit;
SELECT count(*), round(avg(cost), 1) AS avg FROM visit;
RESET ROLE;
SELECT kind, epsilon FROM dp.ledger WHERE relation = 'visit'::regclass AND kind <> 'reuse' ORDER BY seq;
DROP SCHEMA reuse_vectors CASCADE;
DROP OWNED BY regress_held_ana, regress_held_bob;
DROP ROLE regress_held_ana, regress_held_bob;
