-- Shapes of the ranked list of what analysts write below private aggregates: row comparisons, OVERLAPS, composite fields, format(),
-- constants of functions of whatever is given; with parameters, in plans that are made for their values and in those for any.
CALL own_schema('plain_ranked');
SET client_min_messages = warning;
CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE TYPE pair AS (a int, b text, inner_mood mood);
CREATE ROLE regress_ranked_ana;
CREATE TABLE stay (id int PRIMARY KEY, ward text NOT NULL, vc varchar(5), n numeric, i int, admitted date, f boolean, mm mood, e mood, ts timestamp, tz timestamptz, w int, x text, c char(3), jb jsonb,
    p pair, at text[], f8 float8);
INSERT INTO stay SELECT i, (ARRAY['a', 'b', 'c'])[1 + i % 3], (ARRAY['a', 'b', NULL])[1 + i % 3], i % 3, i % 5, date '2024-01-01' + i, i % 2 = 0, 'ok', (ARRAY['sad', 'ok'])[1 + i % 2]::mood,
    timestamp '2024-01-01' + i * interval '1 hour', timestamptz '2024-01-01 00:00+00' + i * interval '1 hour', 1 + i % 2, 'a' || i, 'c', jsonb_build_object('a', i % 3),
    CASE WHEN i > 10 THEN row(i % 3, 'x', 'ok')::pair END, ARRAY['x', 'y'], i / 3.0 FROM generate_series(1, 600) i;
CREATE TABLE plain AS SELECT * FROM stay;
SELECT dp.protect('stay', 1e9, answer_epsilon => 1e6), dp.grant_budget('stay', 'regress_ranked_ana', 1e9, allow_leaks => true);
GRANT SELECT ON plain TO regress_ranked_ana;
SET ROLE regress_ranked_ana;
-- Nothing where all answers are those over the table that may be read; else the difference.
CREATE FUNCTION pg_temp.differs(query text, types text DEFAULT '', given text DEFAULT '') RETURNS TABLE (plan text, plain text, private text) LANGUAGE sql AS $$
    SELECT plan || '_plan', plain, private FROM both_answers(query, types, given, CASE WHEN types = '' THEN '{custom}' ELSE '{custom,generic}' END::text[])
    WHERE plain IS DISTINCT FROM private $$;
\pset format unaligned
\pset tuples_only on
SET TimeZone = 'Europe/Berlin';
CREATE TEMP TABLE conditions AS SELECT row_number() OVER () AS k, c FROM unnest(string_to_array($$format('%s-%s',x,i)='a1-1'
format('%s', x)='a1'
e=ANY(enum_range(NULL::mood))
e = ANY(enum_range('sad'::mood,'ok'::mood))
jb @> jsonb_build_object('a',1)
jb = jsonb_build_object('a',1)
jb @> to_jsonb(1)
(admitted,admitted+5) OVERLAPS (date '2024-01-01', date '2024-02-01')
(ts,ts+interval '1 day') OVERLAPS (timestamp '2024-01-01', interval '10 days')
make_date(2024,i+1,1)>'2024-01-01'
make_date(2024,1,1)<admitted
age(ts)>interval '0'
age(admitted)>interval '1 year'
age(ts,timestamp '2024-01-01')>interval '3 days'
x SIMILAR TO 'a[0-9]+'
x NOT SIMILAR TO '(a1|a2)%'
x SIMILAR TO 'a(1|2)%' ESCAPE '#'
regexp_replace(x,'[0-9]+','')='a'
regexp_replace(x,'[0-9]','','g')='a'
regexp_replace(x,'([0-9])','<\1>')='a<1>'
substring(x from '[0-9]+')='1'
substring(x from 'a(.)')='1'
substring(x from 'a#"[0-9]#"%' for '#')='1'
lpad(x,5,'0')='00a1'
lpad(i::text,3,'0')='001'
rpad(x,5,'-')='a1---'
log(n+1)>0
log(2,n+1)>0
log(f8)>0
log10(f8)>0
ln(f8)>1
(i,w)=(1,2)
(i,w)<(2,2)
(i,w) IN ((1,2),(2,1))
(i,w) IS NOT NULL
row(i,w) IS DISTINCT FROM row(1,1)
(p).a=1
(p).b='x'
p=row(1,'x')::pair
vc=any(array['a','b'])
ward=concat('a','')
x='a' || 5
admitted > ('2024-02-0'||'1')::date
i << 1 > 2
i >> 1 = 1
array_position(at,'y')=2
array_to_string(at,',')='x,y'
at || 'z'::text = array['x','y','z']
num_nulls(i,vc)=0
num_nonnulls(i,vc)=2
quote_literal(x)='''a1'''
string_to_array(x,'1')=array['a','']
make_interval(days=>i)>interval '1 day'
make_time(10,0,0)<'11:00'::time
date_bin('1 day',ts,timestamp '2024-01-01')='2024-01-02'
isfinite(admitted)
x ILIKE 'A1%'
x LIKE ANY (ARRAY['a1%','a2%'])
starts_with(x,'a1')
x ^@ 'a1'
overlay(x placing 'b' from 1 for 1)='b1'
trim(both 'a' from x)='1'
split_part(x,'a',-1)='1'
to_hex(i)='1'
(jb->'a')::int=1
(jb->>'a')::int=1
jb['a']='1'
jsonb_typeof(jb->'a')='number'
jb ?| array['a','b']
jb #>> '{a}' = '1'
jb || '{"b":1}' @> '{"b":1}'
jb - 'a' = '{}'
(at)[1]='x'
at[1:1]=array['x']
i between symmetric 3 and 1
exp(ln(f8+1))>2
i ^ 2 = 4
|/ f8 > 1
trunc(f8)=3
regexp_match(x,'[0-9]+') = array['1']
coalesce(vc,'z')='z'
x COLLATE "C" < 'a2'
cast(i as varchar)='1'
cast(f8 as int)=3
ts::date = '2024-01-02'
tz at time zone 'Europe/Berlin' > '2024-01-02'
extract(isodow from tz)=1
to_char(ts,'YYYY-MM')='2024-01'
to_char(n,'FM999')='1'
width_bucket(f8,0,100,10)=2
greatest(i,w)=2
concat_ws('-',x,i)='a1-1'
initcap(x)='A1'
e > 'sad'
e::text LIKE 'o%'
f
not f
f is true
mm='ok'
daterange(admitted,admitted+3) @> date '2024-01-05'
tstzrange(tz,tz+interval '1h') && tstzrange('2024-01-01','2024-01-02')
e::text = ANY(enum_range(NULL::mood)::text[])
(i, w) <= (2, 1)
(i, w) > (2, 1)
(i, w, x) >= (2, 1, 'a3')
(vc, w) < ('b', 2)
(vc, w) IS NULL
NOT (vc, w) IS NULL
format('%s%%', i) = '1%'
format('%s', vc) = ''
(CASE WHEN i > 2 THEN p END).a = 1
format('%5s', x) = 'a1'
format('%s')='a'
(ts, interval '1 day') OVERLAPS (timestamp '2024-01-01', timestamp '2024-01-03')
(tz, interval '1 day') OVERLAPS (timestamptz '2024-01-02', interval '1 day')
(ts::time, interval '1 hour') OVERLAPS (time '10:00', time '11:00')
format('%-5s|', x) = 'a1   |'
format('%3s', vc) = '   '
format('%2$s%1$s', i, x) = 'a11'
format('%2$-3s%1$s%%', i, x) = 'a1 1%'
format('%L', x) = 'a1'
substring(x from '^a([0-9]+)$') = '1'
substring(x from '(a)(.)') = 'a'
substring(x from '([^)(]+)') = 'a1'
substring(x from '[\](*]?([[:digit:]]+)') = '1'
substring(x from '(?:a|b)*?(.)') = 'a'
regexp_replace(x, '(a)([0-9])', '\2\1') = '1a'
regexp_replace(x, '(.)(?:a|[0-9])*', '\1', 'g') = 'a'
(regexp_match(x, '[0-9]+'))[1] = '1'
(regexp_match(x, '(a)([0-9]+)'))[2] = '1'
(regexp_match(x, '(?:a)([[(?:]*)([0-9]+)'))[2] = '1'
regexp_substr(x, 'a([0-9])') = 'a1'
regexp_count(x, '[0-9]') = 2
regexp_instr(x, '([0-9])') = 2
regexp_like(x, '^a1')
regexp_like(x, '^A1', 'i')
(string_to_array(x, '1'))[2] = ''
(string_to_array(x, '1'))[3] IS NULL
(string_to_array(left(x, 0), '1'))[1] IS NULL
(string_to_array('50%' || x, '%a'))[2] = '1'
make_interval(hours => i, mins => 30) > interval '2 hours'
ts + make_interval(days => 1) > '2024-01-20'
make_time(i, 0, 0) < '03:00'
make_timestamptz(2024, 1, i + 1, 0, 0, 0) < tz
jb['a']::int + 1 = 2
(jb->'a')::numeric = 1 AND (jb->'a')::float8 = 1 AND (jb->'a')::bigint = 1
(jb->'zz')::boolean IS NULL
substring(x from '(a)+') = 'a'
substring(x from '((a|b)*)') = 'a'
substring(x from '(?:(a))*') = 'a'
substring(x from '(a)(?:b*?)*') = 'a'
substring(x from '(x[(?:]y)*[)]') = 'a'
substring(x from '(a\c(?:1)*\c)') = 'a'
regexp_count(x, '(a)*') = 2
regexp_replace(x, '\(a\)*', 'b', 'b') = 'b1'
(regexp_match(x, '(a)'))[2] IS NULL
regexp_substr(x, '(a)+') = 'a'$$, E'\n')) c;
SELECT c, plain, private FROM conditions, pg_temp.differs('SELECT count(*) FROM stay WHERE ' || c) ORDER BY k;
SELECT count(*) AS answered FROM conditions WHERE NOT EXISTS (SELECT FROM pg_temp.differs('SELECT count(*) FROM stay WHERE ' || c));
-- What a group matched is looked for in texts of up to 1000 bytes; without groups of up to 8 kB.
SELECT count(*) FILTER (WHERE substring(x || repeat('b', 900) FROM '(b+)') IS NULL), count(*) FILTER (WHERE substring(x || repeat('b', 1000) FROM '(b+)') IS NULL),
    count(*) FILTER (WHERE substring(x || repeat('b', 1000) FROM 'b+') IS NULL), count(*) FILTER (WHERE substring(x || repeat('b', 9000) FROM 'b+') IS NULL) FROM stay;
-- As values of an aggregate, and of a filter.
SELECT c, private FROM conditions, pg_temp.differs(format('SELECT sum(CASE WHEN %s THEN 1 ELSE 0 END), count(*) FILTER (WHERE %1$s) FROM stay', c))
    WHERE NOT EXISTS (SELECT FROM pg_temp.differs('SELECT count(*) FROM stay WHERE ' || c)) AND (plain IS NULL OR plain <> '') ORDER BY k;
-- With parameters.
SELECT c, given, d.* FROM (VALUES ('x LIKE $1', '(text)', '(''a%'')'), ('x SIMILAR TO $1', '(text)', '(''a[12]'')'), ('x ~ $1', '(text)', '(''^a1'')'), ('jb @> $1', '(jsonb)', '(''{"a":1}'')'),
    ('substr(x, 1, $1) = ''a''', '(int)', '(1)'), ('i % $1 = 0', '(int)', '(2)'), ('date_part($1, ts) = 1', '(text)', '(''month'')'), ('date_trunc($1, ts) = ''2024-01-01''', '(text)', '(''month'')'),
    ('lpad(x, $1, ''0'') = ''0a1''', '(int)', '(3)'), ('regexp_replace(x, $1, $2) = ''a2''', '(text, text)', '(''1'', ''2'')'), ('regexp_replace(x, $1, '''', $2) = ''a''', '(text, text)', '(''[0-9]'', ''g'')'),
    ('substring(x FROM $1) = ''1''', '(text)', '(''[0-9]+'')'), ('substring(x FROM $1) = ''1''', '(text)', '(''(1)'')'), ('substring(x FROM $1) = ''1''', '(text)', '(''[1'')'),
    ('substring(x FROM $1) = ''1''', '(text)', '(NULL)'), ('ts + $1 > ''2024-01-05''', '(interval)', '(''1 day'')'), ('e = ANY ($1)', '(mood[])', '(''{ok}'')'), ('vc = ANY ($1)', '(varchar[])', '(''{a}'')'),
    ('(i, w) < ($1, $2)', '(int, int)', '(2, 2)'), ('log($1, n + 1) > 1', '(numeric)', '(2)'), ('(admitted, admitted + 5) OVERLAPS ($1, $2)', '(date, date)', '(''2024-01-01'', ''2024-02-01'')'),
    ('(ts, $1) OVERLAPS ($2, interval ''1 day'')', '(interval, timestamp)', '(''1 day'', ''2024-01-03'')'), ('admitted > make_date($1, $2, $3)', '(int, int, int)', '(2024, 2, 1)'),
    ('jb @> jsonb_build_object($1, 1)', '(text)', '(''a'')'), ('format(''%s'', $1) = x', '(text)', '(''a1'')'), ('format(''%s-%s'', x, $1) = ''a1-z''', '(text)', '(''z'')'),
    ('format($1, x) = ''a1''', '(text)', '(''%s'')'), ('width_bucket(f8, 0, 100, $1) = 1', '(int)', '(5)'), ('(p).a = $1', '(int)', '(1)'), ('age(ts, $1) > interval ''3 days''', '(timestamp)', '(''2024-01-01'')'),
    ('x = $1 || 5', '(text)', '(''a'')'), ('x = concat($1)', '(pair)', '(row(1, ''a'', ''ok''))'), ('x = concat($1, 1)', '(mood)', '(''ok'')')) v (c, types, given), pg_temp.differs('SELECT count(*) FROM stay WHERE ' || c, types, given) d;
-- Keys.
SELECT k, d.plain, d.private FROM unnest(ARRAY['(i, w) < (2, 2)', '(p).a', 'format(''%s'', CASE WHEN i > 2 THEN ''many'' ELSE ''few'' END)']) k,
    pg_temp.differs(format('SELECT row(%s, count(*))::text FROM stay WHERE p IS NOT NULL GROUP BY %1$s ORDER BY 1', k)) d;
RESET ROLE;
SELECT dp.declare_values('stay', '(p).a', 0, 1, 2), dp.declare_values('stay', '(p).inner_mood', 'ok'::mood);
SET ROLE regress_ranked_ana;
SELECT (p).a, count(*) FROM stay WHERE (p).a IS NOT NULL GROUP BY (p).a ORDER BY 1;
SELECT sum((p).a) FROM stay;
-- What somebody made is told with the extension that it is of, where there is one.
RESET ROLE;
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_available_extensions WHERE name = 'hstore') THEN
        CREATE EXTENSION hstore SCHEMA plain_ranked;
        ALTER TABLE stay ADD COLUMN hs plain_ranked.hstore DEFAULT 'a=>1';
        SET LOCAL ROLE regress_ranked_ana;
        BEGIN
            PERFORM count(*) FROM stay WHERE hs ? 'a';
            RAISE 'an extension''s operator is admitted';
        EXCEPTION WHEN SQLSTATE 'DP002' THEN
            IF SQLERRM NOT LIKE '%it is of the extension hstore%' THEN
                RAISE;
            END IF;
        END;
        RESET ROLE;
    END IF;
END
$$;
SELECT dp.unprotect('stay');
DROP SCHEMA plain_ranked CASCADE;
DROP OWNED BY regress_ranked_ana;
DROP ROLE regress_ranked_ana;
