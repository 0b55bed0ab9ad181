-- Calls that are admitted or refused by their arguments, and hints for functions that are refused whatever these are.
SET client_min_messages = warning;
DROP ROLE IF EXISTS regress_constants_owner;
CREATE ROLE regress_constants_owner;
CREATE SCHEMA constants AUTHORIZATION regress_constants_owner;
SET ROLE regress_constants_owner;
SET search_path = constants, public;
CREATE TYPE pair AS (x int, y int);
CREATE TABLE person (id int, small int2, large int8, cost float8, single float4, price numeric(10,2), amount numeric,
    wide numeric(1000,400),
    name text, code varchar(5), fixed char(5), label name, data bytea, born date, seen timestamp, stored timestamptz, at time,
        lasted interval,
    tags text[], info jsonb, raw json, place inet, key uuid, local text COLLATE "und-x-icu", other text COLLATE "C",
    active bool, rows pair[], mixed text COLLATE "de-x-icu");
CREATE SEQUENCE numbers;
SELECT dp.protect('person', 100) \g /dev/null
-- What a user made, also under names that are known.
CREATE FUNCTION constants.dp_add(int8, int4) RETURNS int8 LANGUAGE sql IMMUTABLE RETURN $1 / ($2 - 42);
CREATE FUNCTION constants.lower(varchar) RETURNS text LANGUAGE plpgsql IMMUTABLE
    AS $$ BEGIN RAISE NOTICE '%', $1; RETURN $1; END $$;
CREATE FUNCTION constants.tell(int, int) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RAISE EXCEPTION '%', $1; END $$;
CREATE OPERATOR constants.= (FUNCTION = constants.tell, LEFTARG = int, RIGHTARG = int);
SET search_path = public;

-- 'yes', or why not.
CREATE FUNCTION constants.verdict(condition text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    SELECT CASE WHEN admissible THEN 'yes' ELSE message || coalesce(E'\nHINT:  ' || hint, '') END
    INTO answer
    FROM dp.admissible(format('SELECT dp_count(''*'', 0.5) FROM constants.person WHERE %s', condition));
    RETURN answer;
EXCEPTION WHEN others THEN
    RETURN sqlstate || ' ' || sqlerrm;
END
$$;
\pset format unaligned
\pset tuples_only

-- Admitted: no line here.
SELECT condition, verdict FROM unnest(ARRAY[
    'id = 1', 'small < large', 'single >= cost', 'price < 9.5', 'amount BETWEEN 1 AND 2', 'id IN (1, 2, 3)', $$name <> 'x'$$,
    $$code = 'ab'$$, $$fixed = 'ab'$$, $$label = 'x'$$, $$born < '2020-01-01'$$, 'born < seen AND seen < stored', $$at < '12:00'$$,
    $$lasted > '1 day'$$, $$place << '10.0.0.0/8'$$, 'key IS NOT NULL', $$data = '\x00'$$, 'NOT active',
    'name IS DISTINCT FROM code',
    $$coalesce(name, code) = ''$$, 'greatest(id, small) = least(1, id)', 'CASE WHEN id < 3 THEN active ELSE price > 1 END',
    $$CASE name WHEN 'a' THEN true END$$, 'nullif(id, 0) = 1', 'active IS UNKNOWN', $$local < 'x' AND other > 'y'$$,
    'local < other COLLATE "C"', 'name = mixed', $$local IN ('a', 'b')$$,
    -- LIKE
    $$name LIKE 'a%'$$, $$code NOT LIKE '_b'$$, $$fixed LIKE '%'$$, $$label LIKE 'a\\%'$$, $$name ILIKE '%X%'$$, $$name LIKE ''$$,
    $$name LIKE 'a#%' ESCAPE '#'$$, $$name LIKE 'a\' ESCAPE ''$$, $$name LIKE 'a' || '%'$$, 'name LIKE NULL', $$data LIKE '\x25'$$,
    $$local ILIKE 'a%'$$, 'starts_with(name, code)', 'position(code in name) > 0', $$name LIKE ANY ('{a%,b%}')$$,
    -- Parts of texts and moments, numbers
    $$substr(name, 1, 3) = 'abc'$$, $$substring(name FROM 2) = 'b'$$, $$left(name, -1) = ''$$, 'lower(name) = upper(code)',
    $$split_part(name, '@', 2) = 'x'$$, $$split_part(name, '@', -1) = 'x'$$, $$replace(name, ' ', '') = 'x'$$,
    $$name::varchar(3) = 'abc'$$,
    'length(trim(name)) = 3', $$translate(name, 'a', 'b') = 'b'$$, $$name::char(3) = 'abc'$$, 'extract(year FROM born) = 2000',
    $$date_part('dow', seen) = 1$$,
    'extract(epoch FROM lasted) > 0', 'extract(timezone FROM stored) = 0', 'extract(HOUR FROM at) = 1',
    $$date_trunc('day', seen) = '2020-01-01'$$, $$date_trunc('second', stored) = '2020-01-01'$$, $$seen::date = '2020-01-01'$$,
    $$stored::date = '2020-01-01'$$, 'id / 10 = 1', 'large % 7 = 0', 'small / 2 = 1', 'mod(id, -1) = 0', 'round(price) = 1',
    'floor(price) = 1', 'round(price, 1) = 0.5', 'price::float8 < cost', 'price < cost', 'trunc(amount, 2) = 1', 'round(cost) = 1',
    'floor(single) = 1', 'abs(amount) = 1', '-cost < 0', 'id::int8::numeric = 1', 'active::int = 1', 'id::float8 < 1',
    $$width_bucket(id, '{0,18,65}') = 1$$, 'width_bucket(amount, ARRAY[0, 1e3]) = 1',
    -- Containers
    $$tags @> '{a}'$$, $$tags && '{a,b}'$$, $$'a' = ANY (tags)$$, 'cardinality(tags) > 1', 'id = ANY (ARRAY[small, large])',
    $$info ->> 'a' = 'x'$$,
    $$info #>> '{a,0}' = 'x'$$,
    $$info ? 'a'$$, $$info @> '{"a": 1}'$$, $$'{"a": 1}' <@ info$$,
    -- Total versions
    'dp_add(id, 1) = 2', 'dp_div(cost, price) > 1', 'dp_mul(small, small) > 1', 'dp_mod(amount, 3) = 0', 'dp_try_int(name) = 1',
    $$dp_try_numeric(info ->> 'a') = 1$$, $$dp_try_date(name) > '2020-01-01'$$, $$dp_trunc('month', born) = '2020-01-01'$$,
    $$dp_trunc('week', stored) = '2020-01-01'$$, 'dp_trunc(name, seen) IS NULL', 'dp_bucket(cost, 0.5) = 1',
    $$dp_sub(seen, '2020-01-01') > '1 day'$$, $$dp_sub(born, '2020-01-01') > 5$$, $$dp_concat(name, code) = 'ab'$$,
    'dp_round(amount, 1) = 1',
    'born < current_date', $$stored > now() - interval '1 year'$$
    ]) condition, constants.verdict(condition) verdict
WHERE verdict <> 'yes';

-- Refused by the argument.
SELECT condition || E'\n    ' || constants.verdict(condition) FROM unnest(ARRAY[
    $$name LIKE 'a\'$$, $$name ILIKE '%\\\'$$, 'name LIKE code', $$name LIKE repeat('%a', 501)$$, $$name LIKE 'a%' ESCAPE '##'$$,
    $$data LIKE '\x5c'$$, $$name LIKE ANY ('{a%,b\\}')$$, 'name LIKE ANY (tags)', $$substr(name, 1, -1) = ''$$,
    $$substr(name, 1, id) = ''$$,
    $$split_part(name, '@', 0) = ''$$, $$split_part(name, '@', id) = ''$$, $$replace(name, 'a', 'aa') = ''$$,
    $$replace(name, code, 'a') = ''$$,
    'extract(hour FROM born) = 1', 'extract(timezone FROM seen) = 1', 'extract(week FROM lasted) = 1', 'date_part(name, seen) = 1',
    $$date_part('bogus', stored) = 1$$, $$date_part('year', born) = 2000$$, $$date_trunc('month', seen) = '2020-01-01'$$,
    $$date_trunc('day', stored) = '2020-01-01'$$, $$date_trunc('bogus', seen) = '2020-01-01'$$,
    $$date_trunc('month', born) = '2020-01-01'$$,
    'id / 0 = 1', 'id / -1 = 1', 'id / small = 1', 'id % 0 = 1', 'id / (1 - 1) = 1', 'round(amount) = 1', 'ceil(amount) = 1',
    'amount::float8 = 1', 'amount < cost', 'wide::float8 = 1', $$width_bucket(id, '{0,NULL}') = 1$$,
    $$width_bucket(id, '{{0}}') = 1$$,
    'width_bucket(id, ARRAY[small::int]) = 1', 'rows = rows', $$fixed = name::char(1001)$$, 'ARRAY[tags, tags] = ARRAY[tags]',
    $$'a' = ANY (ARRAY[name, code])$$, 'info @> info', $$info -> 'a' <@ info$$
    ]) condition;

-- Refused whatever the argument; the hint is the way out.
CREATE FUNCTION constants.answer_to(condition text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT dp_count(''*'', 0.5) FROM constants.person WHERE %s LIMIT 0', condition);
    RETURN 'admitted';
EXCEPTION WHEN others THEN
    RETURN sqlstate || ' ' || sqlerrm;
END
$$;
SELECT condition || E'\n    ' || constants.answer_to(condition) FROM unnest(ARRAY[
    'id + 1 = 2', 'cost * 2 > 1', 'amount - 1 > 1', 'cost / 2 > 1', 'amount % 2 = 1', '-id < 0', 'ln(cost) > 1', 'large::int = 1',
    'cost::int = 1', 'amount::numeric(5,2) = 1', 'cost::float4 = 1', $$(info -> 'a')::int = 1$$, 'born + 1 > now()',
    $$seen - interval '1 day' < now()$$, 'born - born > 1', $$age(seen, seen) > '1 day'$$, 'born::timestamp > now()',
    $$stored AT TIME ZONE 'UTC' > seen$$, 'seen::timestamp(0) > now()', 'width_bucket(cost, 0, 1, 10) = 1', $$name || code = ''$$,
    $$concat(name, code) = ''$$, $$to_char(seen, 'YYYY') = ''$$, $$to_date(name, 'YYYY') > now()$$, $$md5(name) = ''$$,
    $$name ~ 'a'$$,
    $$name SIMILAR TO 'a'$$, 'name::int = 1', $$repeat(name, 2) = ''$$, 'factorial(large) > 1',
    $$has_table_privilege(name, 'SELECT')$$,
    'pg_relation_size(id::oid::regclass) > 0', $$current_setting(name) = ''$$, $$set_config(name, 'x', true) = ''$$,
    $$nextval('constants.numbers') > id$$, 'random() < cost', 'generate_series(1, id) = 1', $$raw ->> 'a' = ''$$,
    'jsonb_array_length(info) = 1',
    'constants.tell(id, 1)', 'id OPERATOR(constants.=) 1', 'constants.dp_add(large, id) = 1', $$constants.lower(code) = ''$$,
    'local < other', 'local = other', 'other LIKE local', 'coalesce(local, other) IS NULL',
    $$lower(dp_concat(local, other)) < ''$$,
    $$greatest(local, other) = 'x'$$, $$CASE local WHEN other THEN true END$$, $$local = ANY (ARRAY[other])$$
    ]) condition;

-- A search path of the role's own brings such functions in by their names.
SET search_path = constants, pg_catalog, public;
SELECT condition || E'\n    ' || answer_to(condition) FROM unnest(ARRAY['id = 1', $$lower(code) = ''$$, 'dp_add(large, id) = 1',
    'id < 1']) condition;
RESET search_path;
-- Nor are all of the extension's own functions total.
SELECT verdict FROM constants.verdict('dp_remap(id, 0.5, ARRAY[0.5, 0.5]) = 1') verdict;
\pset format aligned
\pset tuples_only off
DROP SCHEMA constants CASCADE;
RESET ROLE;
DROP ROLE regress_constants_owner;
