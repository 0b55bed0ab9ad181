-- dp_bounds over a protected table, asked by a role without any privilege on it: charged like any answer, and refined for the
-- difference. What each level hears belongs to that level. A false alarm has a probability below 5e-9 for each line.
CALL own_schema('release_bounds');
SET client_min_messages = warning;
DROP ROLE IF EXISTS regress_bounds, regress_bounds_reader;
CREATE ROLE regress_bounds;
CREATE ROLE regress_bounds_reader;
CREATE TABLE bill (id int, ward text, amount numeric, age int);
-- 580 rows of a, of which 10 are small, and 20 of b.
INSERT INTO bill SELECT i, CASE WHEN i <= 580 THEN 'a' ELSE 'b' END, CASE WHEN i <= 10 THEN 40 ELSE 150 END, 50 FROM generate_series(1, 600) i;
SELECT dp.protect('bill', 9e9), dp.public_values('bill', 'ward', 'a', 'b');
SELECT dp.grant_budget('bill', 'regress_bounds', 9e9, allow_leaks => true), dp.grant_budget('bill', 'regress_bounds_reader', 9e9, allow_leaks => true);
RESET client_min_messages;
SELECT coalesce(max(seq), 0) AS before FROM dp.ledger \gset

SET ROLE regress_bounds;
SELECT epsilon FROM dp.cost('SELECT dp_bounds(amount, 0.5) FROM bill');
SELECT ward, dp_bounds(amount, 1e6) AS amount FROM bill GROUP BY ward ORDER BY ward;
SELECT dp_bounds(dp_div(age, 20), 1e6), dp_bounds(CASE WHEN id > 10 THEN NULL ELSE amount END, 1e6) AS small FROM bill WHERE ward = 'a';
SELECT dp_bounds(100 / age, 1e6) FROM bill;
SELECT dp_bounds(age, 1, 'gaussian(delta=1e-6)') FROM bill;
SELECT dp_bounds(age, 1, 'bit_gg(p=1, lower=0, upper=100)') FROM bill;

-- At 0.01 a bin needs 2,600 rows, at 0.3 it needs 88, and at 1e6 one.
SELECT ward, dp_bounds(amount, 0.01), dp_bounds(age, 0.01, 'laplace') AS laplace FROM bill GROUP BY ward ORDER BY ward;
SELECT dp_last_release() AS r \gset
SELECT aggregate, mechanism, epsilon FROM dp.releases WHERE release_id = :r;
SELECT group_key ->> 'ward' AS ward, answer, epsilon FROM dp_answer(:r, 'dp_bounds(amount, 0.01)') ORDER BY 1;
SELECT group_key ->> 'ward' AS ward, answer, epsilon FROM relax_release(:r, 0.3, 'dp_bounds(amount, 0.01)') ORDER BY 1;
SELECT aggregate, group_key ->> 'ward' AS ward, answer, epsilon FROM relax_release(:r, 1e6) ORDER BY 1, 2;
SELECT aggregate, group_key ->> 'ward' AS ward, answer, epsilon FROM dp_answer(:r) ORDER BY 1, 2;
RESET ROLE;
SELECT kind, epsilon FROM dp.ledger WHERE relation = 'bill'::regclass AND seq > :before ORDER BY seq;

-- A reader is shown what its own level hears: 0.3 exists, 0.001 is drawn from 0.01.
SELECT dp.share_release(:r, 'regress_bounds_reader', 0.3, 'dp_bounds(amount, 0.01)'), dp.share_release(:r, 'regress_bounds_reader', 0.001, 'dp_bounds(age, 0.01, ''laplace'')');
SET ROLE regress_bounds_reader;
SELECT aggregate, group_key ->> 'ward' AS ward, answer, epsilon FROM dp_answer(:r) ORDER BY 1, 2;
RESET ROLE;

SELECT dp.unprotect('bill');
DROP TABLE bill;
DROP ROLE regress_bounds, regress_bounds_reader;
