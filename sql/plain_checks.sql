-- Values that CHECK constraints list, of columns and of SQL domains, are public groups and bounds: they stand in the schema.
-- Answers at epsilon 1e6 beside those of the superuser.
CALL own_schema('plain_checks');
SET client_min_messages = warning;
CREATE DOMAIN triage AS text CHECK (VALUE IN ('red', 'yellow', 'green'));
CREATE DOMAIN urgent AS triage CHECK (VALUE <> 'green');
CREATE COLLATION regress_checks_any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE stay (id int PRIMARY KEY,
    sex text NOT NULL CHECK (sex IN ('f', 'm')),
    kind varchar(10) NOT NULL CHECK (kind IN ('day', 'night', 'none')),
    code char(3) NOT NULL CHECK (code IN ('A', 'BC', 'DEF')),
    state text CHECK (state = 'open' OR 'shut' = state OR state IN ('lost')),
    one text NOT NULL CHECK (one = 'x' AND id >= 0),
    rating smallint NOT NULL CHECK (rating IN (1, 2, 5)),
    big bigint NOT NULL CHECK (big IN (10, 20)),
    price numeric(4,1) NOT NULL CHECK (price IN (1.5, 2.5)),
    triage triage NOT NULL, urgent urgent NOT NULL,
    day date NOT NULL CHECK (day IN ('2024-01-01', '2024-02-01')),
    -- These list nothing, or not all.
    open text NOT NULL CHECK (open IN ('a', NULL)),
    wide text NOT NULL CHECK (wide IN ('a', 'b') OR length(wide) > 3),
    other text NOT NULL CHECK (other NOT IN ('a')), every text NOT NULL CHECK (every = ALL ('{}')),
    folded text COLLATE "C" NOT NULL CHECK (folded COLLATE regress_checks_any_case IN ('a', 'b')),
    small smallint NOT NULL CHECK (small IN (1, 100000)),
    later text NOT NULL);
INSERT INTO stay SELECT i, (ARRAY['f', 'm'])[1 + i % 2], (ARRAY['day', 'night'])[1 + i % 2], (ARRAY['A', 'BC'])[1 + i / 2 % 2], (ARRAY['open', 'shut', NULL])[1 + i % 3], 'x',
    (ARRAY[1, 2, 5])[1 + i % 3], (ARRAY[10, 20])[1 + i % 2], 1.5 + i % 2, (ARRAY['red', 'green'])[1 + i % 2], 'red', date '2024-01-01' + 31 * (i % 2),
    'a', 'a', 'b', 'b', 'A', 1, 'a' FROM generate_series(1, 60) i;
ALTER TABLE stay ADD CONSTRAINT later CHECK (later IN ('a', 'b')) NOT VALID;
CREATE ROLE regress_checks_ana;
SELECT dp.protect('stay', 1e9), dp.grant_budget('stay', 'regress_checks_ana', 1e9, allow_leaks => true);
SET ROLE regress_checks_ana;
SET dp.epsilon = 1e6;

-- Each value that is listed, and NULL where the column may be NULL.
SELECT sex, count(*) FROM stay GROUP BY sex ORDER BY sex;
SELECT kind, count(*) FROM stay GROUP BY kind ORDER BY kind;
SELECT code || '.' AS code, octet_length(code), n FROM (SELECT code, count(*) AS n FROM stay GROUP BY code) AS c ORDER BY code;
SELECT state, count(*) FROM stay GROUP BY state ORDER BY state;
SELECT one, count(*) FROM stay GROUP BY one;
SELECT rating, big, count(*) FROM stay GROUP BY rating, big ORDER BY rating, big;
SELECT price, count(*) FROM stay GROUP BY price ORDER BY price;
SELECT triage, count(*) FROM stay GROUP BY triage ORDER BY triage;
SELECT urgent, count(*) FROM stay GROUP BY urgent ORDER BY urgent;
SELECT day, count(*) FROM stay GROUP BY day ORDER BY day;
SELECT upper(sex) AS sex, count(*) FROM stay GROUP BY 1 ORDER BY 1;
SELECT DISTINCT sex FROM stay ORDER BY sex;
-- Bounds, too.
SELECT sum(rating), sum(big), round(sum(price), 1) AS sum FROM stay;
SELECT min(rating), max(rating) FROM stay;

-- Where not all are listed nothing is public.
SELECT open, count(*) FROM stay GROUP BY open;
SELECT wide, count(*) FROM stay GROUP BY wide;
SELECT other, count(*) FROM stay GROUP BY other;
SELECT every, count(*) FROM stay GROUP BY every;
SELECT folded, count(*) FROM stay GROUP BY folded;
SELECT small, count(*) FROM stay GROUP BY small;
SELECT later, count(*) FROM stay GROUP BY later;
RESET ROLE;

-- What a curator declares goes before; what the schema no longer says is not public any more.
SELECT dp.declare_values('stay', 'sex', 'f', 'm', 'x');
ALTER TABLE stay VALIDATE CONSTRAINT later;
SET ROLE regress_checks_ana;
PREPARE by_later AS SELECT later, count(*) FROM stay GROUP BY later ORDER BY later;
SELECT sex, count(*) FROM stay GROUP BY sex ORDER BY sex;
EXECUTE by_later;
RESET ROLE;
ALTER TABLE stay DROP CONSTRAINT later;
SET ROLE regress_checks_ana;
EXECUTE by_later;
RESET ROLE;

-- Of a table with children a constraint that these need not have says nothing.
CREATE TABLE parent (id int, sex text NOT NULL CHECK (sex IN ('f', 'm')) NO INHERIT, kind text NOT NULL CHECK (kind IN ('a', 'b')));
CREATE TABLE child () INHERITS (parent);
INSERT INTO child VALUES (1, 'x', 'a');
SELECT dp.protect('parent', 1e9), dp.grant_budget('parent', 'regress_checks_ana', 1e9, allow_leaks => true);
SET ROLE regress_checks_ana;
SELECT kind, count(*) FROM parent GROUP BY kind ORDER BY kind;
SELECT sex, count(*) FROM parent GROUP BY sex;
RESET ROLE;
DROP SCHEMA plain_checks CASCADE;
DROP ROLE regress_checks_ana;
