-- Keys of groups: which of them can be NULL, which follow the session, how they are shown, and what memory they take.
CALL own_schema('group_keys');
SET client_min_messages = warning;
CREATE TABLE notes (at timestamp NOT NULL, day date NOT NULL, seen timestamptz NOT NULL, n int NOT NULL, maybe int, word varchar(9) NOT NULL,
    price numeric(6, 2) NOT NULL, share numeric NOT NULL, arr int[] NOT NULL);
INSERT INTO notes SELECT timestamp '2024-01-15' + i * interval '1 day', date '2024-01-15' + i, timestamptz '2024-01-15' + i * interval '1 day', i,
    i, 'w' || i % 2, i % 2 + 0.1, i % 2 + (0.10)::numeric, ARRAY[1]
FROM generate_series(1, 40) AS i;
SELECT dp.protect('notes', 9e9, 0.5, group_epsilon => 100, group_delta => 1e-9);

-- No group of NULL where the key cannot be NULL.
SELECT dp.public_values('notes', $$date_trunc('month', at)$$, '2024-01-01', '2024-02-01'), dp.public_values('notes', 'n / 10', 0, 1),
    dp.public_values('notes', 'day::timestamp', '2024-01-16'), dp.public_values('notes', $$dp_trunc('month', day)$$, '2024-01-01'),
    dp.public_values('notes', 'maybe / 10', 0, 1), dp.public_values('notes', 'coalesce(maybe, 0)', 1, 2),
    dp.public_values('notes', $$CASE WHEN n < 20 THEN 'few' ELSE 'many' END$$, 'few', 'many'),
    dp.public_values('notes', $$CASE WHEN n < 20 THEN 'few' END$$, 'few'), dp.public_values('notes', 'dp_div(n, n)', 1),
    dp.public_values('notes', 'upper(word)', 'W0', 'W1'), dp.public_values('notes', 'arr[1]', 1);
SELECT date_trunc('month', at), dp_count('*', 1e6) FROM notes GROUP BY 1;
SELECT n / 10, dp_count('*', 1e6) FROM notes GROUP BY 1;
SELECT day::timestamp, dp_count('*', 1e6) FROM notes GROUP BY 1;
SELECT dp_trunc('month', day), dp_count('*', 1e6) FROM notes GROUP BY 1;
SELECT maybe / 10, dp_count('*', 1e6) FROM notes GROUP BY 1;
SELECT coalesce(maybe, 0), dp_count('*', 1e6) FROM notes GROUP BY 1;
SELECT CASE WHEN n < 20 THEN 'few' ELSE 'many' END, dp_count('*', 1e6) FROM notes GROUP BY 1;
SELECT CASE WHEN n < 20 THEN 'few' END, dp_count('*', 1e6) FROM notes GROUP BY 1;
SELECT dp_div(n, n), dp_count('*', 1e6) FROM notes GROUP BY 1;
SELECT upper(word), dp_count('*', 1e6) FROM notes GROUP BY 1;
SELECT n > 3, maybe > 3, n IS NULL, NOT (n = 1 OR n = 2), greatest(n, maybe) > 0, word::text = 'w0', dp_count('*', 1e6) > 0 AS many FROM notes
WHERE n = 7 GROUP BY n > 3, maybe > 3, n IS NULL, NOT (n = 1 OR n = 2), greatest(n, maybe) > 0, word::text = 'w0'
HAVING dp_count('*', 1e6) > 0;
SELECT n > 3, maybe > 3, n IN (1, 2), dp_count('*', 1e6) FROM notes GROUP BY 1, 2, 3;
SELECT n IN (1, NULL), maybe IN (1, 2), dp_count('*', 1e6) FROM notes GROUP BY 1, 2;

-- An expression that follows the session is not declared: in Berlin the same rows would have other values.
SELECT dp.public_values('notes', $$date_trunc('month', day)$$, '2024-01-01', '2024-02-01');
SELECT dp.public_values('notes', $$date_trunc('day', seen)$$, '2024-01-16');
SELECT dp.public_values('notes', $$dp_trunc('day', seen)$$, '2024-01-16');
SELECT dp.public_values('notes', 'day::text', '2024-01-16');
SELECT dp.public_values('notes', 'day < CURRENT_DATE', true);
SELECT dp.public_values('notes', 'seen::date', '2024-01-16');
SELECT dp.public_values('notes', $$date_trunc('month', day::timestamp)$$, '2024-01-01', '2024-02-01'),
    dp.public_values('notes', $$date_trunc('month', seen, 'UTC')$$, '2024-01-01 00:00 UTC', '2024-02-01 00:00 UTC'),
    dp.public_values('notes', $$dp_trunc('month', seen, 'UTC')$$, '2024-01-01 00:00 UTC');
SET TimeZone = 'Europe/Berlin';
SELECT date_trunc('month', day::timestamp), dp_count('*', 1e6) FROM notes GROUP BY 1;
SELECT date_trunc('month', seen, 'UTC'), dp_count('*', 1e6) FROM notes GROUP BY 1;
RESET TimeZone;
-- One that was declared before this was so is refused when it is asked for.
INSERT INTO dp.public_domain VALUES ('notes'::regclass, $$date_trunc('month'::text, (day)::timestamp with time zone)$$, 'timestamptz'::regtype,
    ARRAY['2024-01-01 00:00:00+00', '2024-02-01 00:00:00+00']);
SELECT date_trunc('month', day), dp_count('*', 1e6) FROM notes GROUP BY 1;

-- Numbers of one scale keep it.
SELECT price, dp_count('*', 1e6) FROM notes GROUP BY price;
SELECT share, dp_count('*', 1e6) FROM notes GROUP BY share;

-- Categories are a list.
SELECT dp_histogram(n, ARRAY[ARRAY[1, 2], ARRAY[3, 4]], 1e6) FROM notes;
SELECT dp_histogram(n, ARRAY[1, 2], 1e6) FROM notes;

-- What stands in the way, with a way out that fits one table.
SELECT dp_count(n, 1) FROM (SELECT n, count(*) FROM notes GROUP BY n) AS s;
SELECT dp_count(n, 1) FROM (SELECT DISTINCT n FROM notes) AS s;
SELECT dp_sum((SELECT max(n) FROM notes), 0, 10, 1);

-- Keys take memory for a row at a time, whatever their number.
CREATE TABLE mails AS SELECT 'someone' || i || '@' || repeat('example.', 4) || i % 7 AS mail FROM generate_series(1, 100000) AS i;
SELECT dp.protect('mails', 9e9, 0.5, group_epsilon => 0.01, group_delta => 1e-9);
SELECT dp.public_values('notes', 'word', 'w0');
-- auto_explain keeps the inner query's memory until it has measured all of it.
LOAD 'auto_explain';
SET auto_explain.log_min_duration = 0;
SET auto_explain.log_analyze = on;
BEGIN;
DECLARE groups CURSOR FOR SELECT mail, dp_count('*', 1e6) FROM mails GROUP BY mail;
FETCH groups;
SELECT sum(total_bytes) < 1000000 AS little FROM pg_backend_memory_contexts WHERE name = 'ExecutorState';
ROLLBACK;
RESET auto_explain.log_min_duration;
RESET auto_explain.log_analyze;

SELECT dp.unprotect('notes'), dp.unprotect('mails');
DROP TABLE notes, mails;
