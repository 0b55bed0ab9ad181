-- Public groups: dp.public_values and dp.no_public_values, and what the schema says of a column.
CALL own_schema('group_domains');
SET client_min_messages = warning;
DROP ROLE IF EXISTS regress_domains_owner, regress_domains_other, regress_domains_ana;
RESET client_min_messages;
CREATE ROLE regress_domains_owner;
CREATE ROLE regress_domains_other;
CREATE ROLE regress_domains_ana;
GRANT CREATE ON SCHEMA group_domains TO regress_domains_owner, regress_domains_other;
CREATE SCHEMA odd AUTHORIZATION regress_domains_owner;
SET ROLE regress_domains_owner;
CREATE TYPE odd.mood AS ENUM ('low', 'high', 'Äh, "so"');
ALTER TYPE odd.mood ADD VALUE 'middle' BEFORE 'high';
CREATE DOMAIN odd.percent AS int CHECK (VALUE BETWEEN 0 AND 100);
CREATE FUNCTION odd.half(int) RETURNS int LANGUAGE sql IMMUTABLE RETURN $1 / 2;
CREATE FUNCTION odd.roll(int) RETURNS int LANGUAGE sql VOLATILE RETURN $1;
CREATE TABLE ward (name text PRIMARY KEY, beds int);
INSERT INTO ward VALUES ('oncology', 3), ('ärzte', 1), ('Emergency', 9);
CREATE TABLE stay (id int NOT NULL, age int, ward text, kind varchar(6), code char(3), price numeric(5,2), share odd.percent,
    feels odd.mood NOT NULL, day date, seen timestamptz, lasted interval, dose float8, urgent boolean NOT NULL, maybe boolean,
    place point, "Odd name" int, home text REFERENCES ward);
SELECT dp.protect('stay', 10, 1e-6);

-- Texts are those of the expression, however it was written; values those of its type, sorted.
SELECT dp.public_values('stay', 'ward', 'b', 'a', 'c');
SELECT dp.public_values('stay', ' age/10*10 ', 20, 0, 10);
SELECT dp.public_values('stay', 'stay.age', VARIADIC ARRAY(SELECT generate_series(119, 0, -1)));
SELECT dp.public_values('stay', 'kind', 'x', 'y'), dp.public_values('stay', 'code', 'AB', 'abc'),
    dp.public_values('stay', 'price', 1, 2.5, 0.1), dp.public_values('stay', 'share', 0, 50), dp.public_values('stay', '"Odd name"', 1);
SELECT dp.public_values('stay', 'feels', 'high', 'low'), dp.public_values('stay', 'maybe', true);
SELECT dp.public_values('stay', $$CASE WHEN age < 18 THEN 'minor' WHEN age >= 18 THEN 'adult' END$$, 'minor', 'adult'),
    dp.public_values('stay', 'dose', 0.1::float8, 'NaN', '-Infinity', 1e300), dp.public_values('stay', 'odd.half(age)', 1, 2),
    dp.public_values('stay', $$feels = 'low'$$, true, false), dp.public_values('stay', 'ward COLLATE "C" || ''x''', 'ax');
SET DateStyle = 'SQL, DMY';
SET TimeZone = 'Europe/Berlin';
SET IntervalStyle = 'sql_standard';
SELECT dp.public_values('stay', 'day', '03/02/2024', '01/02/2024', 'infinity'),
    dp.public_values('stay', 'seen', '03/02/2024 00:00', '01/02/2024 00:00 UTC'), dp.public_values('stay', 'lasted', '-1 2:00', '0-1'),
    dp.public_values('stay', 'day + 1', date '02/01/2024', date '01/12/2024'), dp.public_values('stay', $$date_trunc('day', seen, 'UTC')$$, date_trunc('day', now(), 'UTC')),
    dp.public_values('stay', $$seen < '2024-02-01'$$, true);
SELECT dp.no_public_values('stay', $$date_trunc('day', seen, 'UTC')$$);
RESET DateStyle;
RESET TimeZone;
RESET IntervalStyle;
SELECT relation, expression, type, domain_values FROM dp.public_domain WHERE relation = 'stay'::regclass AND expression <> 'age' ORDER BY expression COLLATE "C";
SELECT array_length(domain_values, 1), domain_values[1:3] FROM dp.public_domain WHERE relation = 'stay'::regclass AND expression = 'age';

-- Neither search path nor settings make another text of it.
SET search_path = odd, group_domains, public;
SET quote_all_identifiers = on;
SELECT dp.public_values('stay', 'half(age)', 3);
SELECT dp.public_values('stay', 'feels', 'low');
RESET quote_all_identifiers;
SELECT dp.public_values('stay', 'ward', 'a', 'b');
SET search_path = group_domains, public;
SELECT expression, type, domain_values FROM dp.public_domain WHERE relation = 'stay'::regclass AND expression ~ 'half|^feels$|^ward$' ORDER BY 1;

-- What groups an answer has, in their order; NULL is one unless the column is NOT NULL.
CREATE FUNCTION groups(expression text, relation regclass DEFAULT 'stay') RETURNS text[] LANGUAGE sql
    RETURN (SELECT array_agg(g) FROM dp.public_groups(relation, expression) g);
SELECT groups('ward'), groups('age / 10 * 10'), groups('(feels)'), groups('price'), groups('dose'), groups('share');
SELECT groups('day'), groups('lasted'), groups('code'), groups('maybe');
SELECT groups('age % 7'), groups('place'), groups('ward || ''x''');
SELECT dp.no_public_values('stay', 'feels'), dp.no_public_values('stay', '"maybe"'), dp.no_public_values('group_domains.stay', 'stay . ward');
SELECT groups('ward'), groups('feels'), groups('urgent'), groups('maybe'), groups('not urgent'), groups('home'), groups('feels::text');
-- The collation of the expression tells values apart and orders them.
CREATE COLLATION odd.blind (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
ALTER TABLE stay ALTER kind TYPE text COLLATE odd.blind;
SELECT dp.public_values('stay', 'kind', 'B', 'a', 'b');
SELECT dp.public_values('stay', 'kind', 'B', 'a');
SELECT groups('kind'), groups('kind COLLATE "C"');

-- Foreign keys: to tables of the same owner that hide nothing and nobody.
INSERT INTO ward VALUES ('new', 0);
SELECT groups('home');
DELETE FROM ward WHERE name = 'new';
ALTER TABLE ward ENABLE ROW LEVEL SECURITY;
SELECT groups('home');
ALTER TABLE ward DISABLE ROW LEVEL SECURITY;
SELECT dp.protect('ward', 1);
SELECT groups('home');
SELECT dp.unprotect('ward');
CREATE TABLE pair (a int, b int, PRIMARY KEY (a, b));
CREATE TABLE size (s bigint PRIMARY KEY, t int UNIQUE);
INSERT INTO size VALUES (3, 30), (1, NULL), (2, 10);
CREATE TABLE region (r int PRIMARY KEY) PARTITION BY LIST (r);
CREATE TABLE region_a PARTITION OF region FOR VALUES IN (1, 5);
CREATE TABLE region_b PARTITION OF region FOR VALUES IN (3);
INSERT INTO region VALUES (5), (3), (1);
CREATE TABLE visit (a int, b int, s int REFERENCES size (s), s2 bigint REFERENCES size (s), t int REFERENCES size (t), r int REFERENCES region,
    self int, id int PRIMARY KEY, FOREIGN KEY (a, b) REFERENCES pair) PARTITION BY RANGE (id);
ALTER TABLE visit ADD FOREIGN KEY (self) REFERENCES visit;
CREATE TABLE visit_1 PARTITION OF visit FOR VALUES FROM (0) TO (10);
SELECT dp.protect('visit', 1);
SELECT groups('a', 'visit'), groups('s', 'visit'), groups('s2', 'visit'), groups('t', 'visit'), groups('r', 'visit'), groups('self', 'visit');
RESET ROLE;
ALTER TABLE ward OWNER TO regress_domains_other;
SELECT groups('home');
ALTER TABLE ward OWNER TO regress_domains_owner;
SELECT groups('home');
SET ROLE regress_domains_owner;
INSERT INTO size SELECT i FROM generate_series(4, 100000) i;
SELECT array_length(groups('s2', 'visit'), 1);
INSERT INTO size VALUES (100001);
SELECT groups('s2', 'visit');

-- NOT NULL must hold in every child.
-- Since PostgreSQL 18 a child cannot let go of what it inherits.
SELECT CASE WHEN current_setting('server_version_num')::int >= 180000 THEN 'NO INHERIT' ELSE '' END AS no_inherit \gset
CREATE TABLE parent (flag boolean NOT NULL :no_inherit);
CREATE TABLE child (flag boolean NOT NULL) INHERITS (parent);
SELECT dp.protect('parent', 1);
SELECT groups('flag', 'parent');
ALTER TABLE child ALTER flag DROP NOT NULL;
SELECT groups('flag', 'parent');

-- What is not a grouping expression, and what is not a domain of it
SELECT dp.public_values('stay', '', 1);
SELECT dp.public_values('stay', '*', 1);
SELECT dp.public_values('stay', 'stay.*', 1);
SELECT dp.public_values('stay', 'stay', 1);
SELECT dp.public_values('stay', 'ctid', 1);
SELECT dp.public_values('stay', '1 + 1', 2);
SELECT dp.public_values('stay', 'age, ward', 1);
SELECT dp.public_values('stay', 'age AS x', 1);
SELECT dp.public_values('stay', 'age FROM ward', 1);
SELECT dp.public_values('stay', 'age WHERE true', 1);
SELECT dp.public_values('stay', 'DISTINCT age', 1);
SELECT dp.public_values('stay', 'age; DROP TABLE stay', 1);
SELECT dp.public_values('stay', 'age +', 1);
SELECT dp.public_values('stay', 'agee', 1);
SELECT dp.public_values('stay', 'ward.name', 1);
SELECT dp.public_values('stay', '$1', 1);
SELECT dp.public_values('stay', '(SELECT age)', 1);
SELECT dp.public_values('stay', 'max(age)', 1);
SELECT dp.public_values('stay', 'dp_count(age, 0.5)', 1);
SELECT dp.public_values('stay', 'rank() OVER (ORDER BY age)', 1);
SELECT dp.public_values('stay', 'generate_series(1, age)', 1);
SELECT dp.public_values('stay', 'odd.roll(age)', 1);
SELECT dp.public_values('stay', 'age + random()', 1);
SELECT dp.public_values('stay', 'place', '(0,0)');
SELECT dp.public_values('stay', 'age', 1, NULL);
SELECT dp.public_values('stay', 'age', 1, 2, 1);
SELECT dp.public_values('stay', 'price', 1.001, 1.002);
SELECT dp.public_values('stay', 'age', 1.5);
SELECT dp.public_values('stay', 'age', 'a');
SELECT dp.public_values('stay', 'share', 101);
SELECT dp.public_values('stay', 'home', VARIADIC NULL::text[]);
SELECT dp.public_values('stay', 'home', VARIADIC ARRAY[]::text[]);
SELECT dp.public_values('stay', 'age', VARIADIC ARRAY(SELECT generate_series(0, 100000)));
SELECT dp.public_values('stay', NULL, 1);
SELECT dp.public_values(NULL, 'age', 1);
SELECT dp.public_values('ward', 'name', 'a');
SELECT dp.public_values('visit_1', 'a', 1);
SELECT dp.no_public_values('stay', 'age % 3');
SELECT dp.no_public_values('stay', 'nonsense');
SELECT dp.public_groups('ward', 'name');

-- Curators alone
SET ROLE regress_domains_ana;
SELECT dp.public_values('stay', 'age', 1);
SELECT dp.no_public_values('stay', 'age');
SELECT dp.public_groups('stay', 'home');
DELETE FROM dp.public_domain;
SELECT count(*) > 0 AS "everyone may read them" FROM dp.public_domain;

-- A column of another type takes its domain out of force; it can be withdrawn by the text that the table shows.
SET ROLE regress_domains_owner;
SELECT dp.public_values('visit', 'b', 1, 2), dp.public_values('visit', 'a', 1, 2);
ALTER TABLE visit DROP CONSTRAINT visit_a_b_fkey, ALTER COLUMN b TYPE text;
ALTER TABLE visit RENAME a TO z;
SELECT groups('b', 'visit'), groups('z', 'visit');
SELECT dp.no_public_values('visit', 'b');
SELECT expression, type, domain_values FROM dp.public_domain WHERE relation = 'visit'::regclass;
SELECT dp.unprotect('visit');
SELECT count(*) FROM dp.public_domain WHERE relation = 'visit'::regclass;

SELECT dp.unprotect(t) FROM unnest('{stay,parent}'::regclass[]) t;
RESET ROLE;
SET client_min_messages = warning;
DROP OWNED BY regress_domains_owner, regress_domains_other CASCADE;
DROP ROLE regress_domains_owner, regress_domains_other, regress_domains_ana;
