-- What tools/utility and the picture of its page ask about: totals of people in five laws, and the best limit in hindsight.
-- Every figure comes from hashes of row numbers; there is no random() here.
CREATE FUNCTION pg_temp.uniform(id bigint, stream bigint) RETURNS float8
    LANGUAGE sql IMMUTABLE AS
$$ SELECT (hashint8extended(id, stream) & 9007199254740991) / 9007199254740992::float8 $$;

CREATE FUNCTION pg_temp.normal(id bigint, stream bigint) RETURNS float8
    LANGUAGE sql IMMUTABLE AS
$$ SELECT sqrt(-2 * ln(1 - pg_temp.uniform(id, stream))) * cos(2 * pi() * pg_temp.uniform(id, stream + 1000)) $$;

-- One row of each person with what she adds up to; of the last two, rows of each, 5 in the mean (geometric).
CREATE TABLE laws (law int, name text, people text, total text, e float8, r2t float8);
CREATE TABLE law1 AS SELECT id AS person, floor(exp(8 + pg_temp.normal(id, 1)))::bigint AS total FROM generate_series(1, 20000) AS id;
CREATE TABLE law2 AS SELECT id AS person, floor(exp(8 + pg_temp.normal(id, 1)))::bigint AS total FROM generate_series(1, 200000) AS id;
CREATE TABLE law3 AS SELECT id AS person, floor(exp(8 + 2 * pg_temp.normal(id, 1)))::bigint AS total FROM generate_series(1, 200000) AS id;
CREATE TABLE law4 AS SELECT id AS person FROM generate_series(1, 20000) AS id,
    generate_series(0, floor(ln(1 - pg_temp.uniform(id, 1)) / ln(0.8))::int);
CREATE TABLE law5 AS SELECT id AS person FROM generate_series(1, 200000) AS id,
    generate_series(0, floor(ln(1 - pg_temp.uniform(id, 1)) / ln(0.8))::int);
VACUUM ANALYZE law1, law2, law3, law4, law5;

-- The last column: what R2T is off by in simulations of the same laws, in % (root mean square).
INSERT INTO laws
SELECT law, name, people, CASE WHEN law <= 3 THEN 'total' ELSE '1' END, e[i], r2t[i]
FROM (VALUES (1, 'lognormal(8, 1)', '20,000', ARRAY[36, 7.1]), (2, 'lognormal(8, 1)', '200,000', ARRAY[6.8, 1.8]),
             (3, 'lognormal(8, 2)', '200,000', ARRAY[33, 13]), (4, 'rows, 5 in the mean', '20,000', ARRAY[32, 3.9]),
             (5, 'rows, 5 in the mean', '200,000', ARRAY[3.9, 0.43])) AS l(law, name, people, r2t),
     generate_subscripts(r2t, 1) AS i, LATERAL (SELECT ARRAY[0.1, 1]::float8[] AS e) AS x;

-- The root mean square error of the best of all limits in steps of 2 %: what it cuts, and noise for it at all of epsilon; in %.
CREATE FUNCTION best_in_hindsight(law int, e float8) RETURNS float8
    LANGUAGE plpgsql AS
$$
DECLARE
    best float8;
BEGIN
    EXECUTE format('WITH of_person AS (SELECT sum(%s)::float8 AS total FROM law%s GROUP BY person),
            limits AS (SELECT 1.02 ^ step::float8 AS most, step FROM generate_series(0, (SELECT ceil(ln(max(total)) / ln(1.02))::int FROM of_person)) AS step),
            steps AS (SELECT ceil(ln(greatest(total, 1)) / ln(1.02))::int AS step, count(*) AS people, sum(total) AS total FROM of_person GROUP BY 1),
            beyond AS (SELECT most, coalesce(sum(people) OVER later, 0) AS people, coalesce(sum(total) OVER later, 0) AS total
                FROM limits LEFT JOIN steps USING (step)
                WINDOW later AS (ORDER BY step ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING))
        SELECT 100 * min(sqrt((total - most * people) ^ 2 + 2 * (most / $1) ^ 2)) / (SELECT sum(total) FROM of_person) FROM beyond',
        (SELECT total FROM laws AS l WHERE l.law = $1 LIMIT 1), law) INTO best USING e;
    RETURN best;
END
$$;

SELECT dp.protect('law' || law, 1e9, privacy_unit => 'person') FROM (SELECT DISTINCT law FROM laws) AS l;
CREATE TABLE law_answer (law int, e float8, value float8);
