-- The law of answers by unit, through SQL: a unit with many rows in several groups is there, or it is not. With epsilon = 1 the odds of
-- an event may differ by e. The events are ones where they differ by just that, so that noise for less than the whole unit
-- shows at once, and noise for more as well. 20,000 pairs of groups each; a ratio is known to 2.2 percent, 13 percent are six
-- standard errors.
CALL own_schema('unit_law');
SET client_min_messages = warning;
SET dp.keep_releases = 0;
CREATE TABLE owned (unit int, slot int NOT NULL, kind int, x float8);
-- Unit u has ten rows in each of the slots 2u and 2u + 1; from 20,000 on there is nobody.
INSERT INTO owned SELECT u, 2 * u + s, s, 1 FROM generate_series(0, 19999) u, generate_series(0, 1) s, generate_series(1, 10);
ANALYZE owned;
SELECT dp.protect('owned', 1e9, privacy_unit => 'unit', max_groups_per_unit => 2, max_rows_per_group => 2);
SELECT array_agg(i) AS slots FROM generate_series(0, 79999) i \gset
SELECT dp.public_values('owned', 'slot', VARIADIC :'slots'::int[]);

-- How much likelier the event is where the unit is, by the number of its slots that are at least 2: both, with counts (2, 2) for (0, 0).
CREATE FUNCTION likelier(answers regclass, OUT ratio float8) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT count(*) FILTER (WHERE hit AND unit < 20000)::float8 / count(*) FILTER (WHERE hit AND unit >= 20000)
        FROM (SELECT slot / 2 AS unit, bool_and(n >= 2) AS hit FROM %s GROUP BY 1) s', answers) INTO ratio;
END $$;

-- Parts by unit and group; geometric noise at joint l1 = 4: P(N >= 0)^2 / P(N >= 2)^2 = e^(4 epsilon / 4).
CREATE TEMP TABLE parts AS SELECT slot, dp_count('*', 1, 'geometric') AS n FROM owned GROUP BY slot;
SELECT likelier('parts') / exp(1) BETWEEN 0.87 AND 1.13 AS exactly_e;
-- Chosen rows: the histogram of one bucket is the same count.
CREATE TEMP TABLE chosen AS SELECT slot, (dp_histogram(x, 0, 2, 1, 1, 'geometric'))[1] AS n FROM owned GROUP BY slot;
SELECT likelier('chosen') / exp(1) BETWEEN 0.87 AND 1.13 AS exactly_e;
-- A sum in steps of its own: clamped to 0 .. 1, so that two rows add 2.
CREATE TEMP TABLE sums AS SELECT slot, dp_sum(x, 0, 1, 1, 'laplace') AS n FROM owned GROUP BY slot;
SELECT likelier('sums') / exp(1) BETWEEN 0.87 AND 1.13 AS exactly_e;
-- Laws that lose by the coordinate get half of epsilon in each of the two groups: no more than e, whatever the noise.
CREATE TEMP TABLE stairs AS SELECT slot, dp_count('*', 1, 'staircase') AS n FROM owned GROUP BY slot;
SELECT likelier('stairs') / exp(1) < 1.13 AS at_most_e, likelier('stairs') > 1.5 AS seen;
-- Units counted: one in each of two groups, so epsilon / 2 in each.
CREATE TEMP TABLE units AS SELECT slot, dp_count(DISTINCT unit, 1, 'geometric') + 1 AS n FROM owned GROUP BY slot;
SELECT likelier('units') / exp(1) BETWEEN 0.87 AND 1.13 AS exactly_e;

-- Four rows of a unit: as it has as many in each of its two slots, two in each.
SELECT dp.protect('owned', 1e9, max_rows_per_unit => 4);
CREATE TEMP TABLE few AS SELECT slot, dp_count('*', 1, 'geometric') AS n FROM owned GROUP BY slot;
SELECT likelier('few') / exp(1) BETWEEN 0.87 AND 1.13 AS exactly_e;
-- Chosen, they may fall otherwise.
CREATE TEMP TABLE any_four AS SELECT slot, (dp_histogram(x, 0, 2, 1, 1, 'geometric'))[1] AS n FROM owned GROUP BY slot;
SELECT likelier('any_four') / exp(1) < 1.13 AS at_most_e, likelier('any_four') > 1.5 AS seen;

-- A choice: with four rows for the one answer the other one has 1/2 e^(-4 epsilon / 4), without them 1/2.
SELECT dp.public_values('owned', 'unit', VARIADIC (:'slots'::int[])[1:40000]);
SELECT count(*) FILTER (WHERE mode = 7 AND unit >= 20000)::float8 / count(*) FILTER (WHERE mode = 7 AND unit < 20000) / exp(1)
    BETWEEN 0.87 AND 1.13 AS exactly_e
FROM (SELECT unit, dp_mode(kind, ARRAY[1, 7], 1) AS mode FROM owned WHERE kind = 1 GROUP BY unit) s WHERE unit IS NOT NULL;
-- The median of four rows at the upper end, and of none: where it is at the lower end.
SELECT count(*) FILTER (WHERE median = 0 AND unit >= 20000)::float8 / count(*) FILTER (WHERE median = 0 AND unit < 20000) / exp(1) < 1.13
    AS at_most_e, count(*) FILTER (WHERE median = 0 AND unit < 20000) < 0.9 * count(*) FILTER (WHERE median = 0 AND unit >= 20000) AS seen
FROM (SELECT unit, dp_median(kind, 0, 1, 1) AS median FROM owned WHERE kind = 1 GROUP BY unit) s WHERE unit IS NOT NULL;

-- Whether a group is shown: a group of one unit has to pass the same test whatever its rows, and with half of group_epsilon and
-- group_delta where the unit is in two. At epsilon ln 3 and delta 0.21 for each the threshold is 1, and P(shown) = P(X = 1) =
-- a/(1 + 2a) = 0.2 with a = e^-epsilon = 1/3; at the whole of both it would be 0.09.
SELECT dp.no_public_values('owned', 'slot');
SELECT dp.protect('owned', 1e9, 0.5, group_epsilon => 2 * ln(3), group_delta => 0.42, max_groups_per_unit => 2);
SELECT round(count(*) / 40000.0, 1) AS shown FROM (SELECT slot, dp_count('*', 1) FROM owned GROUP BY slot) s;

SELECT dp.unprotect('owned');
DROP FUNCTION likelier;
DROP TABLE owned, parts, chosen, sums, stairs, units, few, any_four;
RESET dp.keep_releases;
