-- A naive Bayes classifier of income in Adult (test/support/adult.sql), of twelve attributes: all but the weight of a row and the number
-- that is the education again. Trained on the first 45,000 people, tested on the 3,842 others.
CREATE TEMP TABLE facts AS
SELECT id, id <= 45000 AS training, income = '>50K' AS rich, attribute, value
FROM adult, LATERAL (VALUES ('age', (age / 5)::text), ('workclass', workclass), ('education', education), ('marital', marital_status),
    ('occupation', occupation), ('relationship', relationship), ('race', race), ('sex', sex), ('gain', width_bucket(capital_gain, 0, 20000, 20)::text),
    ('loss', width_bucket(capital_loss, 0, 5000, 20)::text), ('hours', (hours_per_week / 5)::int::text), ('country', native_country)) f(attribute, value)
WHERE value IS NOT NULL;
ANALYZE facts;
-- From the table of that name, with the columns round, e, kind, attribute, value, rich and n, of counts of an attribute's value in a
-- class: products of shares, none below half a person. Precision and recall are those of both classes, weighted by their sizes.
CREATE FUNCTION pg_temp.classified(models regclass) RETURNS TABLE (round int, e numeric, kind text, precise float8, recalled float8) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TEMP TABLE odds AS
        SELECT round, e, kind, attribute, value, ln(max(n) FILTER (WHERE rich) / max(riches)) - ln(max(n) FILTER (WHERE NOT rich) / max(poor)) AS odds, ln(max(riches) / max(poor)) AS prior
        FROM (SELECT round, e, kind, attribute, value, rich, n, sum(n) FILTER (WHERE rich) OVER w AS riches, sum(n) FILTER (WHERE NOT rich) OVER w AS poor
              FROM (SELECT round, e, kind, attribute, value, rich, greatest(coalesce(n, 0), 0.5) AS n
                    FROM (SELECT DISTINCT round, e, kind FROM %1$s) k CROSS JOIN (SELECT DISTINCT attribute, value, rich FROM (SELECT DISTINCT attribute, value FROM facts) v, (VALUES (true), (false)) r(rich)) c
                    LEFT JOIN %1$s USING (round, e, kind, attribute, value, rich)) m WINDOW w AS (PARTITION BY round, e, kind, attribute)) s
        GROUP BY round, e, kind, attribute, value', models);
    ANALYZE odds;
    RETURN QUERY
        SELECT g.round, g.e, g.kind, sum(CASE WHEN g.rich = guess THEN 1 ELSE 0 END * share / guessed)::float8, avg((g.rich = guess)::int)::float8
        FROM (SELECT p.*, count(*) OVER (PARTITION BY p.round, p.e, p.kind, guess) AS guessed,
                     count(*) OVER (PARTITION BY p.round, p.e, p.kind, p.rich)::float8 / count(*) OVER (PARTITION BY p.round, p.e, p.kind) AS share
              FROM (SELECT o.round, o.e, o.kind, f.id, f.rich, avg(prior) + sum(odds) > 0 AS guess
                    FROM facts f JOIN odds o USING (attribute, value) WHERE NOT training GROUP BY o.round, o.e, o.kind, f.id, f.rich) p) g
        GROUP BY g.round, g.e, g.kind;
    DROP TABLE odds;
END
$$;
