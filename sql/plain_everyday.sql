-- Conditions that analysts write every day, over columns of every type, below a private count: where PostgreSQL answers, the
-- answer is the same; where it raises an error about a row, the row does not count; what is refused is listed with its reason.
CALL own_schema('plain_everyday');
SET client_min_messages = warning;
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE TABLE t (id int PRIMARY KEY, i int, b bigint, s smallint, f float8, r real, n numeric, m numeric(8,2), x text, vc varchar(20), c char(4), d date,
    ts timestamp, tz timestamptz, tm time, iv interval, j json, jb jsonb, ai int[], at text[], bo boolean, e mood, u uuid, rg int4range, by bytea, ip inet);
INSERT INTO t SELECT k, k % 7, k, k % 5, k / 3.0, k / 2.0, k * 1.5, k * 0.25, 'a' || k, 'v' || k % 5, 'c', date '2024-01-01' + k % 300,
    timestamp '2024-01-01' + k * interval '1 hour', timestamptz '2024-01-01 00:00+00' + k * interval '1 hour', time '10:00', interval '1 day' * k,
    '{"a":1,"l":[1,2]}', '{"a":1,"l":[1,2]}', ARRAY[k, k + 1], ARRAY['x', 'y'], k % 2 = 0, 'ok', lpad(k::text, 32, '0')::uuid, int4range(k, k + 5), 'abc', '10.0.0.1'
    FROM generate_series(1, 1000) k;
-- And a row at the end of everything, which many of them fail on.
INSERT INTO t VALUES (0, -2147483648, -9223372036854775808, -32768, 'NaN', 'Infinity', 'NaN', 0, 'ä', '', '', '-infinity', 'infinity', '-infinity', '24:00',
    '-178000000 years', '1', '1', '{}', NULL, NULL, 'sad', NULL, 'empty', '', '::1');
CREATE TABLE pub (i int PRIMARY KEY, name text);
INSERT INTO pub SELECT g, 'n' || g FROM generate_series(0, 9) g;
CREATE ROLE regress_everyday_ana;
GRANT SELECT ON pub TO regress_everyday_ana;
SELECT dp.protect('t', 1e9), dp.grant_budget('t', 'regress_everyday_ana', 1e9, allow_leaks => true, answer_epsilon => 1e6);
-- The count of the rows for which the condition holds, or the error.
CREATE FUNCTION counted(condition text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    n text;
BEGIN
    EXECUTE 'SELECT count(*) FROM t WHERE ' || condition INTO n;
    RETURN n;
EXCEPTION WHEN OTHERS THEN
    RETURN SQLERRM;
END
$$;
-- Each row by itself, so that an error is that of one row.
CREATE FUNCTION counted_one_by_one(condition text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    row record;
    n bigint := 0;
    fits boolean;
BEGIN
    FOR row IN SELECT id FROM t WHERE id % 97 = 0 LOOP
        BEGIN
            EXECUTE format('SELECT %s FROM t WHERE id = %s', condition, row.id) INTO fits;
            n := n + coalesce(fits::int, 0);
        EXCEPTION WHEN OTHERS THEN
        END;
    END LOOP;
    RETURN n::text;
END
$$;
CREATE TABLE conditions (k int GENERATED ALWAYS AS IDENTITY, condition text, plain text);
INSERT INTO conditions (condition) SELECT unnest(string_to_array($$sqrt(f)>1
sqrt(n)>1
sqrt(i)>1
ln(f)>0
ln(n)>0
log(n)>0
log(2,n)>1
log10(f)>0
exp(f)>0
exp(n)>0
power(f,2)>0
f^2>0
power(n,2)>0
n^2>0
power(i,2)>0
cbrt(f)>0
sin(f)>0
acos(f)>0
atan2(f,1)>0
degrees(f)>0
r+r>1
r*2>1
r/2>1
f+r>1
-f>0
-n>0
abs(n)>0
sign(n)>0
trunc(n)>0
trunc(n,2)>0
round(m,1)>0
round(f)>0
ceil(f)>0
mod(n,3)>0
mod(i,3)>0
i%3>0
div(n,3)>0
gcd(i,4)>0
width_bucket(f,0,10,5)>0
x ~ '^a1'
x ~* 'A1'
x !~ 'z'
x SIMILAR TO 'a%'
regexp_replace(x,'[0-9]','','g')='a'
regexp_match(x,'a') IS NOT NULL
substring(x from 'a(.)')='1'
substring(x from 1 for 2)='a1'
x LIKE 'a%'
x || vc > 'a'
x || i > 'a'
concat(x,vc)>'a'
concat_ws('-',x,vc)>'a'
format('%s',x)>'a'
lpad(x,5,'0')>'a'
rpad(x,5)>'a'
lpad(i::text,5,'0')>'a'
i::text='1'
n::text='1'
f::text='1'
d::text='2024-01-01'
ts::text>'2024'
x::int=1
vc::text='v1'
left(x,2)='a1'
right(x,2)='a1'
upper(x)='A1'
initcap(x)='A1'
trim(x)='a1'
btrim(x,'a')='1'
reverse(x)='1a'
length(x)=2
char_length(x)=2
position('1' in x)>0
strpos(x,'1')>0
split_part(x,'a',2)='1'
replace(x,'a','bb')='bb1'
translate(x,'a','b')='b1'
ascii(x)>0
chr(i+65)>'A'
repeat(x,2)>'a'
starts_with(x,'a')
to_char(n,'999')='1'
to_char(i,'999')='1'
to_number(x,'999')>0
to_date(x,'YYYY-MM-DD')>'2024-01-01'
to_timestamp(f)>'2024-01-01'
to_timestamp(x,'YYYY')>'2024-01-01'
d+1>'2024-01-01'
d-d>0
d-'2024-01-01'>0
ts-ts>interval '0'
age(ts)>interval '0'
age(ts,ts)>=interval '0'
d+interval '1 month'>'2024-01-01'
extract(year from d)=2024
extract(year from d)::int=2024
date_part('year',d)=2024
extract(epoch from ts)/86400>1
extract(epoch from ts-ts)>=0
extract(dow from d)::int+1>1
date_bin('1 day',ts,'2024-01-01')>'2024-01-01'
make_date(2024,i+1,1)>'2024-01-01'
make_timestamp(2024,i+1,1,0,0,0)>'2024-01-01'
make_interval(days=>i)>interval '0'
(d,d) OVERLAPS (date '2024-01-01', date '2024-02-01')
d BETWEEN '2024-01-01' AND '2024-02-01'
ts::date='2024-01-01'
tz::date='2024-01-01'
ts::time>'10:00'
tz AT TIME ZONE 'UTC'>'2024-01-01'
ts AT TIME ZONE 'UTC'>'2024-01-01'
tz::timestamp>'2024-01-01'
ts::timestamptz>'2024-01-01'
tm>'09:00'
tm+interval '1 hour'>'09:00'
iv>interval '1 day'
iv*2>interval '1 day'
iv+iv>interval '1 day'
iv/2>interval '1 day'
justify_days(iv)>interval '1 day'
extract(day from iv)>1
rg @> 3
rg && int4range(1,10)
lower(rg)>3
upper(rg)>3
isempty(rg)
int4range(i,i+5) @> 3
daterange(d,d+3) @> date '2024-01-02'
tsrange(ts,ts+interval '1 day') @> timestamp '2024-01-02'
jb->>'a'='1'
jb->'a'='1'
(jb->>'a')::int=1
(jb->'l'->>0)::int=1
jb#>>'{l,0}'='1'
jb @> '{"a":1}'
jb ? 'a'
jsonb_array_length(jb->'l')=2
jsonb_typeof(jb)='object'
jb['a']='1'
jsonb_path_exists(jb,'$.a')
j->>'a'='1'
j#>>'{a}'='1'
(j->>'a')::numeric>0
json_array_length(j->'l')>0
ai[1]=1
ai[1:1]='{1}'
1=ANY(ai)
ai @> ARRAY[1]
array_length(ai,1)=2
cardinality(ai)=2
array_position(ai,1)=1
ai||5 = '{1}'
array_to_string(at,',')='x,y'
at @> ARRAY['x']
i IN (1,2,3)
vc IN ('v1','v2')
vc=ANY(ARRAY['v1','v2'])
vc = ANY('{v1,v2}'::varchar[])
i IN (SELECT i FROM pub)
i IN (SELECT i FROM pub WHERE name='n1')
EXISTS (SELECT 1 FROM pub WHERE pub.i=t.i)
NOT EXISTS (SELECT 1 FROM pub WHERE pub.i=t.i)
i NOT IN (SELECT i FROM pub WHERE i > 5)
i > (SELECT min(i) FROM pub)
i > (SELECT avg(i) FROM pub)
(i,s) = (1,2)
(i,s) IN ((1,2),(2,3))
coalesce(x,'')='a1'
nullif(i,0)=1
greatest(i,s)=1
CASE WHEN i>3 THEN 1 ELSE 0 END=1
CASE i WHEN 1 THEN 'a' ELSE 'b' END='a'
bo IS TRUE
NOT bo
i IS DISTINCT FROM 3
e='ok'
e::text='ok'
e>'sad'
e=ANY(enum_range(NULL::mood))
u='00000000-0000-0000-0000-000000000000'
u::text>'a'
c='c'
c::text='c'
encode(by,'hex')='a'
length(by)=3
ip << inet '10.0.0.0/8'
host(ip)='10.0.0.1'
i/10*10=0
i-i%10=0
floor(f/5)*5=0
i/2.0>1
i::numeric/3>1
i::float8/3>1
n/3>1
n/s>1
n*m>1
round(n*0.19,2)>1
n::numeric(10,2)>1
n::int=1
f::int=1
f::numeric>1
b::int=1
b+i>1
i*b>1
s+1>1
i::smallint=1
bo::int=1
i::boolean
x COLLATE "C">'a'
x IS NULL
num_nulls(i,s)=0
i&1=0
i<<1>0
~i<0
i#3>0
|/f>0
@i>0
!!NULL::tsquery IS NULL
to_tsvector('simple',x) @@ to_tsquery('simple','a1')
overlay(x placing 'b' from 1)>'a'
quote_literal(x)>'a'
string_to_array(x,'1')='{a}'
date_trunc('month',ts)='2024-01-01'
date_trunc('week',d)>='2024-01-01'
cast(x as varchar(3))='a1'
row(i,s)=row(1,2)$$, E'\n'));
UPDATE conditions SET plain = counted('id % 97 = 0 AND (' || condition || ')');
UPDATE conditions SET plain = counted_one_by_one('(' || condition || ')') WHERE plain !~ '^\d+$';
GRANT USAGE, CREATE ON SCHEMA plain_everyday TO regress_everyday_ana;
GRANT SELECT ON conditions TO regress_everyday_ana;
SET ROLE regress_everyday_ana;
CREATE TABLE asked AS SELECT k, condition, plain, counted('id % 97 = 0 AND (' || condition || ')') AS private FROM conditions;
SELECT condition, left(private, 160) AS refused FROM asked WHERE private !~ '^-?\d+$' ORDER BY k;
SELECT condition, plain, private FROM asked WHERE private ~ '^-?\d+$' AND private <> plain ORDER BY k;
SELECT count(*) AS conditions, count(*) FILTER (WHERE private = plain) AS answered FROM asked;
-- A pattern that is malformed, or takes long, is refused before any row is read.
SELECT count(*) FROM t WHERE x ~ 'a(';
SELECT count(*) FROM t WHERE regexp_replace(x, '[', '') = 'a';
SELECT count(*) FROM t WHERE x ~ '(a)\1';
SELECT count(*) FROM t WHERE x ~ '(a{50}){50}';
SELECT count(*) FROM t WHERE x ~ 'a{65}';
SELECT count(*) FROM t WHERE x ~ repeat('a?', 101);
SELECT count(*) FROM t WHERE x ~ '^(?=a)';
SELECT count(*) FROM t WHERE x ~ vc;
SELECT count(*) FROM t WHERE to_char(n, x) > 'a';
-- Texts do not become long: NULL, and at once.
SELECT count(repeat(x, 2000000)), count(repeat('', 2147483647 - id)), count(lpad(x, 300000)), count(replace(repeat(x, 1000), 'a', repeat('a', 1000))) FROM t WHERE id < 10;
-- Nor by a separator that stands often, or by numbers of few bytes and many digits.
SELECT count(concat_ws(repeat(left(x, 1), 600000), x, x, x)), count(concat_ws(repeat(left(x, 1), 1000), x, x, x)),
    count(concat(n1, n1, n1, n1, n1, n1, n1, n1, n1)), count(concat(n1, n1))
    FROM (SELECT id, x, CASE WHEN id >= 0 THEN 1e131071 END AS n1 FROM t WHERE id BETWEEN 1 AND 9) s;
-- A zone that a row's text names is not loaded: it would stay in the session's memory. Offsets are read.
SELECT count(*) AS moments, count((x || '2020-01-01 10:00 Antarctica/Troll')::timestamptz) AS of_rows,
    count(('2020-01-01 10:00 Antarctica/Troll' || left(x, 0))::timestamptz) AS named, count(('2020-01-01 10:00 UTC+5:0' || left(x, 0))::timestamptz) AS posix,
    count(('2020-01-01 10:00 Jan-5' || left(x, 0))::timestamptz) AS month, count(('2020-01-01 10:00+02' || left(x, 0))::timestamptz) AS at_offset,
    count(('Jan-02-2020 10:00 pm utc' || left(x, 0))::timestamptz) AS words, count(('2020-01-01T10:00:00Z' || left(x, 0))::timestamptz) AS iso FROM t;
-- Elements of containers that somebody made, and ranges of types that somebody made, are not read.
RESET ROLE;
CREATE TYPE texts AS RANGE (subtype = text);
CREATE TABLE made (id int PRIMARY KEY, named texts, at point);
SELECT dp.protect('made', 1e9), dp.grant_budget('made', 'regress_everyday_ana', 1e9, allow_leaks => true, answer_epsilon => 1e6);
SET ROLE regress_everyday_ana;
SELECT count(*) FROM made WHERE named @> 'a'::text;
SELECT count(*) FROM made WHERE at[0] > 1;
PREPARE like_that(text) AS SELECT count(*) FROM t WHERE x ~ $1;
EXECUTE like_that('^a[12]$');
\set VERBOSITY sqlstate
EXECUTE like_that('(a)\1');
\set VERBOSITY default
RESET ROLE;
SELECT dp.unprotect('t'), dp.unprotect('made');
DROP SCHEMA plain_everyday CASCADE;
DROP OWNED BY regress_everyday_ana;
DROP ROLE regress_everyday_ana;
