-- Different people, counted by what names them in another way: as many, and each in all of their groups.
CALL own_schema('unit_named');
SET client_min_messages = error;
CREATE ROLE regress_named;
CREATE TABLE visit (p int NOT NULL, u uuid NOT NULL, name text NOT NULL, ward text NOT NULL);
INSERT INTO visit SELECT p, md5(p::text)::uuid, 'Person ' || p, (ARRAY['u', 'v', 'w'])[1 + (p + r) % 3] FROM generate_series(1, 300) p, generate_series(1, 6) r WHERE r <= 1 + p % 6;
CREATE TABLE by_uuid AS SELECT * FROM visit;
CREATE TABLE by_name AS SELECT * FROM visit;
CREATE TABLE of_two AS SELECT * FROM visit;
ALTER TABLE by_uuid ALTER u SET NOT NULL, ALTER ward SET NOT NULL;
ALTER TABLE by_name ALTER name SET NOT NULL, ALTER ward SET NOT NULL;
ALTER TABLE of_two ALTER p SET NOT NULL, ALTER ward SET NOT NULL;
CREATE TABLE person (p int PRIMARY KEY, late bool NOT NULL, digits numeric NOT NULL);
INSERT INTO person SELECT p, p > 250, CASE WHEN p % 2 = 0 THEN 1.0 ELSE 1.00 END FROM generate_series(1, 320) p;
SELECT dp.protect('visit', 9e9, privacy_unit => 'p', answer_epsilon => 1e6), dp.protect('by_uuid', 9e9, privacy_unit => 'u', answer_epsilon => 1e6), dp.protect('by_name', 9e9, privacy_unit => 'name', answer_epsilon => 1e6),
    dp.protect('of_two', 9e9, privacy_unit => 'p', max_groups_per_unit => 2, max_rows_per_group => 9, answer_epsilon => 1e6), dp.protect('person', 9e9, privacy_unit => 'p', answer_epsilon => 1e6) \g /dev/null
SELECT dp.declare_values(t, 'ward', 'u', 'v', 'w') FROM unnest('{visit,by_uuid,by_name,of_two}'::regclass[]) t \g /dev/null
SELECT dp.grant_budget(t, 'regress_named', 9e9, allow_leaks => true) FROM unnest('{visit,by_uuid,by_name,of_two,person}'::regclass[]) t \g /dev/null
CREATE FUNCTION counted(asks name, query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE found text;
BEGIN
    PERFORM set_config('role', asks, true);
    EXECUTE format('SELECT string_agg(n::text, '' '' ORDER BY n) FROM (%s) q', query) INTO found;
    PERFORM set_config('role', 'none', true);
    RETURN found;
END $$;
CREATE TABLE asked (number serial, query text);
INSERT INTO asked (query) SELECT format('SELECT count(DISTINCT %s) AS n FROM %s GROUP BY ward', split_part(v, ' of ', 1), split_part(v, ' of ', 2)) FROM unnest(ARRAY['p of visit', 'p::text of visit', 'p::bigint of visit',
    'p::numeric of visit', 'p::bigint::varchar of visit', '(p) of visit', 'coalesce(p, 0) of visit', 'cast(p AS text) of visit', 'u::text of by_uuid', 'name::varchar of by_name', 'coalesce(name, '''') of by_name', 'u of by_uuid']) v;
INSERT INTO asked (query) VALUES ('SELECT count(DISTINCT p::text) AS n FROM visit'), ('SELECT count(DISTINCT p::text) FILTER (WHERE ward = ''u'') AS n FROM visit'), ('SELECT count(DISTINCT v.p::text) AS n FROM person LEFT JOIN visit v USING (p) GROUP BY late'),
    ('SELECT count(DISTINCT coalesce(v.p, 0)) AS n FROM person LEFT JOIN visit v USING (p)'), ('SELECT dp_count(DISTINCT p::text, 1e6) AS n FROM visit GROUP BY ward'), ('SELECT count(DISTINCT ward::varchar) AS n FROM visit'),
    ('SELECT count(DISTINCT digits::text) AS n FROM person'), ('SELECT count(DISTINCT digits) AS n FROM person');
GRANT SELECT ON asked TO regress_named;
SELECT query, asked, CASE WHEN exact <> asked THEN exact END AS by_postgresql FROM (SELECT number, query, counted('regress_named', query) AS asked, counted('none', replace(replace(query, 'dp_count', 'count'), ', 1e6)', ')')) AS exact FROM asked) q
ORDER BY number;
-- With a limit of two groups a person is in two of their groups, and no more, whatever names them.
SELECT (SELECT sum(n) FROM (SELECT counted('regress_named', 'SELECT sum(n) AS n FROM (SELECT count(DISTINCT p::text) AS n FROM of_two GROUP BY ward) q')::int AS n) q) AS as_text,
    counted('regress_named', 'SELECT sum(n) AS n FROM (SELECT count(DISTINCT p) AS n FROM of_two GROUP BY ward) q') AS as_number, (SELECT sum(least(n, 2)) FROM (SELECT count(DISTINCT ward) AS n FROM of_two GROUP BY p) q) AS exact;
-- What makes one of two values is counted as it is written: by letters, digits or lengths.
SET ROLE regress_named;
EXPLAIN (COSTS OFF) SELECT count(DISTINCT p::text), count(DISTINCT coalesce(p, 0)), count(DISTINCT lower(name)), count(DISTINCT p::varchar(2)), count(DISTINCT p::float4) FROM visit;
RESET ROLE;
SELECT dp.unprotect(t) FROM unnest('{visit,by_uuid,by_name,of_two,person}'::regclass[]) t \g /dev/null
DROP SCHEMA unit_named CASCADE;
DROP OWNED BY regress_named;
DROP ROLE regress_named;
