-- Texts of citext below private aggregates: compared, matched, grouped and counted once as citext says; and what only looks like it.
SELECT NOT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'citext') AS missing \gset
\if :missing
\echo citext is not installed beside this server: nothing to test
\quit
\endif
CALL own_schema('plain_citext');
SET client_min_messages = warning;
CREATE ROLE regress_citext_ana;
GRANT USAGE, CREATE ON SCHEMA plain_citext TO regress_citext_ana;
DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO regress_citext_ana', current_database()); END $$;
-- Whoever may create in the database owns the extension; what is in it belongs to a superuser.
SET ROLE regress_citext_ana;
CREATE EXTENSION citext SCHEMA plain_citext;
RESET ROLE;
CREATE TABLE account (id int PRIMARY KEY, email citext NOT NULL, domain citext, note text, cost int);
INSERT INTO account SELECT i, (ARRAY['Ann', 'BOB', 'carl'])[1 + i % 3] || i || '@' || (ARRAY['Gmail.com', 'gmail.COM', 'GMX.de', 'gmx.DE', 'x.org'])[1 + i % 5],
    (ARRAY['Gmail.com', 'gmail.COM', 'GMX.de', 'gmx.DE', 'x.org', NULL])[1 + i % 6], 'n' || i, i % 10 FROM generate_series(1, 600) i;
CREATE TABLE plain AS SELECT * FROM account;
CREATE TABLE provider (domain citext PRIMARY KEY, name text);
INSERT INTO provider VALUES ('GMAIL.COM', 'google'), ('gmx.DE', '1und1');
SELECT dp.protect('account', 1e9, answer_epsilon => 1e6), dp.grant_budget('account', 'regress_citext_ana', 1e9, allow_leaks => true);
SELECT dp.declare_values('account', 'domain', 'Gmail.com', 'GMX.de', 'x.org');
SELECT dp.declare_range('account', 'cost', 0, 9);
SELECT dp.declare_values('account', 'domain', 'x.org', 'X.org');
CREATE TABLE account_use (id int PRIMARY KEY, person int, domain citext);
INSERT INTO account_use SELECT i, i / 4, (ARRAY['Gmail.com', 'gmail.COM', 'GMX.de'])[1 + i % 3] FROM generate_series(1, 300) i;
CREATE TABLE plain_use AS SELECT * FROM account_use;
SELECT dp.protect('account_use', 1e9, answer_epsilon => 1e6, privacy_unit => 'person', max_rows_per_unit => 10), dp.grant_budget('account_use', 'regress_citext_ana', 1e9, allow_leaks => true);
GRANT SELECT ON plain, provider, plain_use TO regress_citext_ana;
SET ROLE regress_citext_ana;
-- Nothing where the answer is that over the table that may be read; else the difference.
CREATE FUNCTION pg_temp.differs(query text, types text DEFAULT '', given text DEFAULT '', OUT asked text, OUT plain text, OUT private text) RETURNS SETOF record
LANGUAGE plpgsql AS $$
DECLARE
    mode text;
    line text;
    name text;
BEGIN
    FOREACH mode IN ARRAY ARRAY['force_custom_plan', 'force_generic_plan'] LOOP
        PERFORM set_config('plan_cache_mode', mode, true);
        FOREACH name IN ARRAY ARRAY['plain', 'account'] LOOP
            asked := query;
            plain := private;
            BEGIN
                DEALLOCATE ALL;
                EXECUTE format('PREPARE asked%s AS %s', types, replace(query, 'account', name));
                private := '';
                FOR line IN EXECUTE 'EXECUTE asked' || given LOOP
                    private := concat_ws(' ', private, line);
                END LOOP;
            EXCEPTION WHEN OTHERS THEN
                private := left(SQLERRM, 150);
            END;
        END LOOP;
        IF plain IS DISTINCT FROM private THEN
            RETURN NEXT;
        END IF;
        IF types = '' THEN
            RETURN;
        END IF;
    END LOOP;
END
$$;
\pset format unaligned
\pset tuples_only on
-- Conditions: none differs.
SELECT d.* FROM unnest(string_to_array($$domain = 'gmail.com'
domain = 'GMAIL.COM'::citext
domain = 'gmail.COM'::text
domain <> 'gmail.com'
NOT (domain <> 'gmail.com')
domain < 'GN'
domain >= 'gmx.de'
domain BETWEEN 'GMX' AND 'Y'
domain COLLATE "C" > 'gn'
domain ~>~ 'gmail.com'
domain IN ('gmail.com', 'X.ORG')
domain NOT IN ('gmail.com', 'X.ORG')
domain = ANY (ARRAY['gmail.com', 'X.ORG']::citext[])
domain LIKE 'g%'
domain NOT LIKE 'G%.COM'
domain ILIKE 'g%'
domain LIKE 'g%'::text
domain LIKE ANY (ARRAY['%GMAIL%', '%x.org'])
domain ~ '^gm[a-z]+'
domain !~ '^GM'
domain ~* '^GM'
domain SIMILAR TO 'GM%'
domain::text = 'gmail.COM'
domain::text LIKE 'G%'
lower(domain) = 'gmail.com'
upper(domain) = 'GMAIL.COM'
length(domain) = 9
domain || '!' = 'gmail.COM!'
domain IS NULL
domain IS DISTINCT FROM 'GMAIL.com'
note::citext = 'N5'
(id::text || 'A')::citext = '5a'
nullif(domain, 'gmail.com') IS NULL
CASE domain WHEN 'gmail.com' THEN true WHEN 'x.org' THEN true ELSE false END
coalesce(domain, 'none') = 'NONE'
(domain, id) = ('X.ORG', 4)
(domain, id) < ('X.ORG', 5)
split_part(email, '@', 2) = 'gmail.COM'
split_part(email, '@', 3) IS NULL
split_part(domain, '.', 1) IN ('gmail', 'GMX')
strpos(email, 'GM') > 0
position('gm' IN email) > 0
regexp_replace(email, '^.*@', '') = 'gmail.COM'
translate(domain, 'gm', 'ab') = 'abail.COb'
starts_with(domain, 'G')
left(email, 3) = 'BOB'
concat(domain, '-', id) = 'x.org-4'
format('%s', domain) = 'x.org'
trim(domain) = 'gmail.COM'
lower(left(domain, 1)) = 'g'
domain IN (SELECT p.domain FROM provider p WHERE p.name = 'google')
EXISTS (SELECT FROM provider p WHERE p.domain = account.domain)
domain OPERATOR(plain_citext.=) 'gmail.com'$$, E'\n')) c, pg_temp.differs('SELECT count(*) FROM account WHERE ' || c) d;
-- With parameters, in plans for their values and in those for any.
SELECT d.* FROM pg_temp.differs('SELECT count(*) FROM account WHERE domain = $1', '(citext)', '(''GMAIL.com'')') d;
SELECT d.* FROM pg_temp.differs('SELECT count(*) FROM account WHERE domain = $1::citext', '(text)', '(''GMAIL.com'')') d;
SELECT d.* FROM pg_temp.differs('SELECT count(*) FROM account WHERE domain = ANY ($1)', '(citext[])', '(''{GMAIL.com,X.org}'')') d;
SELECT d.* FROM pg_temp.differs('SELECT count(*) FROM account WHERE domain LIKE $1', '(text)', '(''GM%'')') d;
-- Groups: one for all that are equal, in the letters that were declared; and those that conditions leave. Counted once.
SELECT domain, count(*), sum(cost) FROM account GROUP BY domain ORDER BY domain;
SELECT domain, count(*) FROM account GROUP BY domain ORDER BY domain DESC;
SELECT d.* FROM unnest(string_to_array($$SELECT lower(domain), count(*) FROM account GROUP BY domain ORDER BY 1
SELECT lower(domain), count(*) FROM account WHERE domain LIKE 'gm%' GROUP BY domain ORDER BY 1
SELECT lower(domain), count(*) FROM account WHERE domain IN ('GMAIL.com', 'X.org') GROUP BY domain ORDER BY 1
SELECT lower(domain), count(*) FROM account WHERE lower(domain) = 'gmail.com' GROUP BY domain ORDER BY 1
SELECT lower(domain), count(*) FROM account GROUP BY domain HAVING domain > 'h' ORDER BY 1
SELECT upper(domain), count(*) FROM account WHERE domain LIKE 'gm%' GROUP BY 1 ORDER BY 1
SELECT lower(domain), count(*) FROM account WHERE domain::text = 'gmail.COM' GROUP BY 1 HAVING count(*) > 0
SELECT domain = 'GMAIL.com', count(*) FROM account GROUP BY 1 ORDER BY 1
SELECT lower(k), n FROM (SELECT CASE WHEN domain IN ('gmail.com', 'x.org') THEN domain ELSE 'other' END AS k, count(*) AS n FROM account GROUP BY 1) x ORDER BY 1
SELECT lower(coalesce(domain, 'none')), count(*) FROM account GROUP BY coalesce(domain, 'none') ORDER BY 1
SELECT lower(domain), count(*) FILTER (WHERE domain = 'X.org') FROM account GROUP BY ROLLUP (domain) ORDER BY 1
SELECT count(DISTINCT domain), count(DISTINCT domain::text), count(domain) FROM account
SELECT sum(CASE WHEN domain::text = 'gmail.COM' THEN cost ELSE 0 END) FROM account
SELECT p.domain, p.name, count(a.id) FROM provider p LEFT JOIN account a USING (domain) GROUP BY p.domain ORDER BY 1
SELECT count(*) FROM account JOIN (VALUES ('GMAIL.com'::citext), ('X.org')) v (d) ON d = domain
SELECT count(*) FROM account WHERE domain IN (SELECT domain FROM account GROUP BY domain ORDER BY count(*) DESC, domain LIMIT 2)$$, E'\n')) q, pg_temp.differs(q) d;
-- Of each person, too.
SELECT d.* FROM unnest(string_to_array($$SELECT count(*) FROM (SELECT person, domain, count(*) AS n FROM account_use GROUP BY person, domain) x WHERE n > 1
SELECT count(*) FROM (SELECT person, upper(domain) AS letters, count(*) AS n FROM account_use GROUP BY person, domain) x WHERE letters = 'GMAIL.COM'
SELECT count(*) FROM (SELECT person, domain::text AS letters, count(*) AS n FROM account_use GROUP BY person, domain) x WHERE letters <> lower(letters) AND n > 5
SELECT count(*) FROM (SELECT person, domain AS d FROM account_use GROUP BY person, domain HAVING domain LIKE 'gm%') x WHERE d = 'GMAIL.com'
SELECT count(*) FROM (SELECT person, count(DISTINCT domain) AS n FROM account_use GROUP BY person) x WHERE n = 2$$, E'\n')) q, pg_temp.differs(q) d;
-- Where the case decides, the declared letters are not all that rows have.
SELECT domain::text, count(*) FROM account GROUP BY 1;
SELECT sum((CASE WHEN domain = 'gmail.COM' THEN '3' ELSE '1' END)::int) FROM account;
SELECT stddev(DISTINCT (CASE WHEN domain::text = 'gmail.COM' THEN '3' ELSE '1' END)::int) FROM account;
SELECT count(*) FROM account JOIN (VALUES ('GMAIL.com'::citext), ('gmail.COM')) v (d) ON d = domain;
-- What has no form is named.
SELECT count(*) FROM account WHERE replace(email, 'GMAIL', 'x') = 'x';
SELECT count(*) FROM account WHERE greatest(domain, 'h') = 'x.org';

-- ---- what only looks like citext --------------------------------------------------------------------------------------------------
\set VERBOSITY terse
CREATE SCHEMA regress_citext_own;
-- A function and an operator of the asker's, of the same names and types.
CREATE FUNCTION regress_citext_own.citext_eq(citext, citext) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RAISE NOTICE 'seen %', $1; RETURN true; END $$;
CREATE OPERATOR regress_citext_own.= (FUNCTION = regress_citext_own.citext_eq, LEFTARG = citext, RIGHTARG = citext);
SELECT count(*) FROM account WHERE domain OPERATOR(regress_citext_own.=) 'gmail.com';
-- An operator of his over citext's function, with a negator that lies.
CREATE OPERATOR regress_citext_own.== (FUNCTION = plain_citext.citext_eq, LEFTARG = citext, RIGHTARG = citext);
CREATE OPERATOR regress_citext_own.!== (FUNCTION = plain_citext.citext_eq, LEFTARG = citext, RIGHTARG = citext, NEGATOR = OPERATOR(regress_citext_own.==));
SELECT count(*) FROM account WHERE NOT domain OPERATOR(regress_citext_own.==) 'gmail.com';
-- The extension's owner can add what is his own to it, and put his schema first.
CREATE FUNCTION regress_citext_own.strpos(citext, citext) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 1';
ALTER EXTENSION citext ADD FUNCTION regress_citext_own.strpos(citext, citext);
ALTER EXTENSION citext ADD OPERATOR regress_citext_own.== (citext, citext);
SELECT count(*) FROM account WHERE regress_citext_own.strpos(domain, 'gm') = 1;
SELECT count(*) FROM account WHERE domain OPERATOR(regress_citext_own.==) 'gmail.com';
ALTER EXTENSION citext DROP FUNCTION regress_citext_own.strpos(citext, citext);
ALTER EXTENSION citext DROP OPERATOR regress_citext_own.== (citext, citext);
-- He cannot replace what is in it.
CREATE OR REPLACE FUNCTION plain_citext.strpos(citext, citext) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 1';
RESET ROLE;
-- A member of another owner, of another library, of another symbol, one that is no member: none is known any more.
SELECT set_config('test.changes', $$ALTER FUNCTION citext_lt(citext, citext) OWNER TO regress_citext_ana
UPDATE pg_proc SET probin = '$libdir/./citext' WHERE proname = 'citext_lt'
UPDATE pg_proc SET prosrc = 'citext_gt', proname = 'citext_lt' WHERE proname = 'citext_lt'
UPDATE pg_proc SET proconfig = '{TimeZone=UTC}' WHERE proname = 'citext_lt'
ALTER EXTENSION citext DROP FUNCTION citext_lt(citext, citext)
ALTER EXTENSION citext DROP OPERATOR < (citext, citext)
ALTER OPERATOR < (citext, citext) OWNER TO regress_citext_ana$$, false) IS NULL;
CREATE FUNCTION refusals() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    change text;
BEGIN
    FOREACH change IN ARRAY string_to_array(current_setting('test.changes'), E'\n') LOOP
        BEGIN
            EXECUTE change;
            SET LOCAL ROLE regress_citext_ana;
            -- Asked as another text each time: plans are kept.
            BEGIN
                EXECUTE format('SELECT count(*)::text FROM account WHERE domain < %L', 'GMX' || md5(change)) INTO change;
            EXCEPTION WHEN SQLSTATE 'DP002' THEN
                change := regexp_replace(SQLERRM, '[.:] .*', '');
            END;
            RETURN NEXT change;
            RAISE SQLSTATE 'ZZ000';
        EXCEPTION WHEN SQLSTATE 'ZZ000' THEN
            NULL;
        END;
    END LOOP;
END
$$;
SELECT * FROM refusals();
-- The case of a group is that of any of its rows: nothing is asked for it.
SELECT dp_count('*', 1e6) FROM (SELECT person, domain FROM account_use GROUP BY 1, 2 HAVING EXISTS (SELECT FROM provider o WHERE o.domain = account_use.domain)) p;
SELECT dp_count('*', 1e6) FROM (SELECT row_number() OVER (PARTITION BY person ORDER BY domain) AS n FROM account_use) x WHERE n = 1;
SELECT dp.unprotect('account'), dp.unprotect('account_use');
SET dp.allow_drop = on;
DROP SCHEMA plain_citext, regress_citext_own CASCADE;
DROP OWNED BY regress_citext_ana;
DROP ROLE regress_citext_ana;
