-- Calls that SQL writes in a syntax of their own, and every other kind of expression, as argument, condition and key: none ends the
-- server, what is admitted is written back as it was asked, and everything that looks at a query says the same of it.
CALL own_schema('guard_sql_syntax');
SET client_min_messages = error;
CREATE ROLE regress_dp_syntax;
CREATE TABLE stays (i int NOT NULL, at timestamp NOT NULL, day date NOT NULL, zoned timestamptz NOT NULL, t time NOT NULL, note text NOT NULL,
    raw bytea NOT NULL, b bit(8) NOT NULL, doc xml, j jsonb NOT NULL, parts int[] NOT NULL, span interval NOT NULL);
INSERT INTO stays SELECT n, timestamp '2024-01-01 10:00' + n * interval '1 day', date '2024-01-01' + n, timestamptz '2024-01-01 10:00Z', '10:00', 'note ' || n,
    '\x00ff', B'00000001', NULL, '{"a": 1}', ARRAY[n, 2], interval '1 day' FROM generate_series(1, 20) AS n;
CREATE TABLE plain_stays AS TABLE stays;
SELECT dp.protect('stays', 1e9, delta => 0.5, group_epsilon => 1e3, group_delta => 1e-6);
GRANT SELECT ON stays, plain_stays TO regress_dp_syntax;
SELECT dp.grant_budget('stays', 'regress_dp_syntax', 1e9, 0.5);

-- Each expression as it is written, and a condition made of it.
CREATE TABLE asked (id int GENERATED ALWAYS AS IDENTITY, expression text);
INSERT INTO asked (expression) VALUES
    ($$extract(day FROM at)$$), ($$extract(day FROM day)$$), ($$extract(epoch FROM zoned)$$), ($$extract(hour FROM t)$$),
    ($$extract('day' FROM span)$$), ($$extract(timezone_hour FROM zoned)$$), ($$extract(hour FROM t::timetz)$$), ($$extract(day FROM at + interval '1 day')$$),
    ($$extract(nonsense FROM at)$$), ($$pg_catalog.extract('day', at)$$), ($$date_part('day', at)$$), ($$date_trunc('month', at)$$),
    ($$at AT TIME ZONE 'UTC'$$), ($$zoned AT TIME ZONE 'Europe/Berlin'$$), ($$at AT TIME ZONE interval '1 hour'$$), ($$t::timetz AT TIME ZONE 'UTC'$$),
    ($$(at, at) OVERLAPS (timestamp '2024-01-01', timestamp '2024-02-01')$$), ($$(at, interval '1 day') OVERLAPS (at, interval '1 day')$$),
    ($$(t, t) OVERLAPS (time '10:00', time '11:00')$$), ($$(zoned, zoned) OVERLAPS (zoned, interval '1 day')$$),
    ($$overlay(note PLACING 'x' FROM 1)$$), ($$overlay(note PLACING 'x' FROM 1 FOR 2)$$), ($$overlay(raw PLACING '\x01' FROM 1)$$), ($$overlay(b PLACING B'1' FROM 1)$$),
    ($$position('o' IN note)$$), ($$position('\xff'::bytea IN raw)$$), ($$position(B'1' IN b)$$),
    ($$substring(note FROM 2)$$), ($$substring(note FROM 2 FOR 3)$$), ($$substring(note FOR 3)$$), ($$substring(note FROM 'o.')$$),
    ($$substring(note SIMILAR '%#"t#"%' ESCAPE '#')$$), ($$substring(raw FROM 1 FOR 1)$$), ($$substring(b FROM 1 FOR 2)$$),
    ($$trim(note)$$), ($$trim(BOTH 'n' FROM note)$$), ($$trim(LEADING 'n' FROM note)$$), ($$trim(TRAILING FROM note)$$), ($$trim(BOTH '\x00'::bytea FROM raw)$$),
    ($$normalize(note)$$), ($$normalize(note, NFKD)$$), ($$note IS NORMALIZED$$), ($$note IS NFC NORMALIZED$$), ($$note IS NOT NFKC NORMALIZED$$),
    ($$COLLATION FOR (note)$$), ($$xmlexists('//a' PASSING doc)$$), ($$xmlexists('//a' PASSING BY REF doc)$$), ($$doc IS DOCUMENT$$),
    ($$xmlconcat(doc, '<b/>')$$), ($$xmlelement(name a, xmlattributes(note AS b), 'x')$$), ($$xmlforest(note AS a, 'x' AS b)$$), ($$xmlpi(name a, 'x')$$),
    ($$xmlroot(doc, version '1.0', standalone yes)$$), ($$xmlroot(doc, version NO VALUE)$$), ($$xmlparse(DOCUMENT '<a/>' PRESERVE WHITESPACE)$$), ($$xmlparse(CONTENT note)$$), ($$xmlserialize(CONTENT doc AS text)$$),
    ($$current_date - day$$), ($$at - LOCALTIMESTAMP(0)$$), ($$current_user = note$$),
    ($$CASE WHEN i > 3 THEN 'a' ELSE note END$$), ($$CASE note WHEN 'note 1' THEN 'one' WHEN 'note 2' THEN 'two' END$$), ($$coalesce(note, 'none')$$), ($$nullif(note, 'none')$$),
    ($$greatest(note, 'm')$$), ($$least(i, 3)$$), ($$note IN ('note 1', 'note 2')$$), ($$i = ANY (ARRAY[1, 2])$$), ($$i = ALL (parts)$$), ($$i <> ALL ('{1,2}')$$),
    ($$note LIKE 'n%'$$), ($$note NOT ILIKE 'N%' ESCAPE '!'$$), ($$note SIMILAR TO 'n%'$$), ($$note ~ '^n'$$), ($$i BETWEEN 1 AND 3$$), ($$i BETWEEN SYMMETRIC 3 AND 1$$),
    ($$i IS DISTINCT FROM 3$$), ($$(i > 3) IS TRUE$$), ($$(i > 3) IS NOT UNKNOWN$$), ($$doc IS NULL$$), ($$NOT (i > 3 OR i < 1)$$), ($$(i, note) = (1, 'note 1')$$), ($$(i, note) < (3, 'note 3')$$),
    ($$ROW(i, note, 'x') IS NULL$$), ($$ROW(i, note)$$), ($$stays$$), ($$(stays).i$$), ($$parts[1]$$), ($$parts[1:2]$$), ($$j['a']$$), ($$j -> 'a'$$), ($$j ->> 'a'$$), ($$j @> '{"a": 1}'$$),
    ($$ARRAY[i, 2]$$), ($$ARRAY['a', note]$$), ($$ARRAY[[i], [2]]$$), ($$note COLLATE "C"$$), ($$note || 'x'$$), ($$i::text$$), ($$i::varchar(3)$$), ($$'7'::text::int + i$$), ($$cast(note AS char(3))$$), ($$parts::text[]$$), ($$i::numeric(10, 2)$$),
    ($$- i$$), ($$@ i$$), ($$i::float8 ^ 2$$), ($$i % 3$$), ($$mod(i, 3)$$), ($$round(i::numeric, 1)$$), ($$concat('a', note, i)$$), ($$concat_ws(VARIADIC ARRAY['a', note])$$), ($$format('%s', note)$$), ($$make_interval(days => i)$$),
    ($$(SELECT max(v) FROM (VALUES (1), (2)) AS s (v))$$), ($$EXISTS (SELECT 1)$$), ($$i IN (SELECT 1)$$), ($$ARRAY(SELECT 1)$$), ($$(SELECT extract(day FROM at))$$), ($$generate_series(1, i)$$), ($$row_number() OVER ()$$), ($$grouping(i)$$),
    ($$length(trim(substring(overlay(note PLACING 'x' FROM 1) FROM 2 FOR 3))) > extract(day FROM at)$$), ($$dp_div(extract(day FROM at), 2)$$);

-- What becomes of a query: 'yes', or the refusal, the same from all that look at it; 'no' where they differ.
CREATE FUNCTION outcomes(query text) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
    said text := coalesce(split_part((dp.admissible(query)).message, E'\n', 1), 'yes');
    cost text := 'yes';
    explained text := 'yes';
BEGIN
    BEGIN
        PERFORM * FROM dp.cost(query);
    EXCEPTION WHEN OTHERS THEN
        cost := SQLERRM;
    END;
    BEGIN
        EXECUTE 'EXPLAIN (VERBOSE) ' || query;
    EXCEPTION WHEN OTHERS THEN
        explained := SQLERRM;
    END;
    RETURN ARRAY[said, cost, explained];
END
$$;
CREATE TABLE forms (form text);
INSERT INTO forms VALUES ($$SELECT %1$s, dp_count('*', 1e-3) FROM stays GROUP BY 1$$), ($$SELECT dp_count('*', 1e-3) FROM stays WHERE (%1$s) IS NOT NULL$$),
    ($$SELECT dp_count(%1$s, 1e-3), dp_count('*', 1e-3) FILTER (WHERE (%1$s) IS NOT NULL) FROM stays$$), ($$SELECT dp_sum(%1$s, 0, 31, 1e-3) FROM stays$$),
    ($$SELECT %1$s, dp_count('*', 1e-3) FILTER (WHERE (%1$s) IS NOT NULL) FROM plain_stays AS stays GROUP BY 1$$);
GRANT SELECT ON asked, forms TO regress_dp_syntax;
SET ROLE regress_dp_syntax;
SELECT form, count(*) > 100 AS many, count(*) FILTER (WHERE o[1] = 'yes') > 5 AS some_admitted, count(*) FILTER (WHERE o[1] <> 'yes') > 5 AS some_refused,
    min(expression) FILTER (WHERE o[1] <> o[2] OR o[1] <> o[3]) AS different
FROM asked, forms, LATERAL outcomes(format(form, expression)) AS o GROUP BY form ORDER BY form COLLATE "C";
-- What was asked, as it is written back
DO $$
DECLARE
    e text;
BEGIN
    FOR e IN SELECT expression FROM asked ORDER BY id LOOP
        IF (dp.admissible(format('SELECT dp_count(%s, 1e-3) FROM stays', e))).admissible THEN
            EXECUTE format('SELECT dp_count(%s, 1e-3) FROM stays', e);
        END IF;
    END LOOP;
END
$$;
\pset format unaligned
\pset tuples_only on
SELECT aggregate FROM dp.releases WHERE role = 'regress_dp_syntax'::regrole ORDER BY release_id;
-- And by dp.private_form: no word of a syntax is cut
SELECT trim(split_part(form, E'\n', 1)) FROM asked, LATERAL dp.private_form(format('SELECT %s AS x FROM plain_stays AS stays', expression)) AS form
WHERE expression ~ '^(extract|normalize|trim|position|overlay|substring)' AND expression !~ 'nonsense' ORDER BY id;
RESET ROLE;
\pset tuples_only off
\pset format aligned
SELECT dp.revoke_budget('stays', 'regress_dp_syntax');
DROP TABLE stays, plain_stays, asked, forms;
DROP FUNCTION outcomes(text);
DROP ROLE regress_dp_syntax;
