-- Conditions on moments whose values are known when a statement starts, or are of another type than the column: charts show the days
-- that the superuser sees, and at most a few more, at the ends.
CALL own_schema('plain_relative');
SET client_min_messages = warning;
CREATE ROLE regress_relative_ana;
CREATE TABLE stay (id int PRIMARY KEY, tz timestamptz, ts timestamp NOT NULL, d date NOT NULL);
INSERT INTO stay SELECT i, m, m AT TIME ZONE 'UTC', (m AT TIME ZONE 'UTC')::date FROM generate_series(0, 1697) i,
    LATERAL (SELECT date_trunc('hour', now()) - interval '425 days' + i * interval '7 hours' - i % 7 * interval '11 minutes') m (m);
CREATE TABLE plain AS SELECT * FROM stay;
SELECT dp.protect('stay', 1e9, answer_epsilon => 1e5);
SELECT dp.grant_budget('stay', 'regress_relative_ana', 1e9, allow_leaks => true);
SELECT dp.declare_range('stay', 'tz', date_trunc('day', now()) - interval '425 days', date_trunc('day', now()) + interval '71 days'),
    dp.declare_range('stay', 'ts', localtimestamp::date - interval '425 days', localtimestamp::date + interval '71 days'),
    dp.declare_range('stay', 'd', current_date - 425, current_date + 71);
GRANT SELECT ON plain TO regress_relative_ana;
SET ROLE regress_relative_ana;
-- C is each of the columns, one after the other; DAYS ago is FROM_DAY, FROM_TIME, FROM_EPOCH.
CREATE TEMP TABLE form AS SELECT row_number() OVER () AS i, f.* FROM (VALUES
    -- the clock
    ('tz ts d', 'C >= now() - interval ''DAYS days''', '', ''), ('tz ts d', 'C > current_timestamp - interval ''1 month'' AND C <= current_timestamp', '', ''),
    ('tz ts d', 'now() - interval ''DAYS days'' <= C', '', ''), ('tz ts d', 'C >= date_trunc(''day'', now()) - interval ''DAYS days''', '', ''),
    ('tz ts d', 'C >= date_trunc(''month'', now()) - interval ''1 month'' AND C < date_trunc(''month'', now())', '', ''),
    ('tz ts d', 'C >= current_date - DAYS', '', ''), ('tz ts d', 'C BETWEEN current_date - DAYS AND current_date - DAYS + 20', '', ''),
    ('tz ts d', 'C >= current_date - interval ''DAYS days''', '', ''), ('tz ts d', 'C > localtimestamp - interval ''DAYS days''', '', ''),
    ('tz ts d', 'C >= localtimestamp::date - DAYS', '', ''), ('tz ts d', 'C >= statement_timestamp() - interval ''DAYS days''', '', ''),
    ('tz ts d', 'C >= now() AT TIME ZONE ''Asia/Tokyo'' - interval ''DAYS days''', '', ''), ('tz ts d', 'C < now() - interval ''400 days''', '', ''),
    ('tz ts d', 'NOT (C < now() - interval ''DAYS days'')', '', ''), ('tz ts d', 'C BETWEEN now() - interval ''9 days'' AND now() OR C BETWEEN now() - interval ''DAYS days'' AND now() - interval ''8 days''', '', ''),
    ('tz ts d', 'C >= greatest(now() - interval ''DAYS days'', ''2000-01-01'')', '', ''), ('tz ts d', 'C >= ''yesterday''::date - DAYS', '', ''),
    -- constants of another type
    ('tz ts d', 'C >= date FROM_DAY', '', ''), ('tz ts d', 'C >= timestamp FROM_TIME', '', ''), ('tz ts d', 'C >= timestamptz FROM_TIME', '', ''), ('tz ts d', 'C >= FROM_DAY', '', ''),
    ('tz ts d', 'C BETWEEN timestamp FROM_TIME AND timestamp FROM_TIME + interval ''10 days''', '', ''), ('tz ts d', 'C BETWEEN date FROM_DAY AND date FROM_DAY + 10', '', ''),
    ('tz ts d', 'C >= to_timestamp(FROM_TIME, ''YYYY-MM-DD HH24:MI:SS.US'')', '', ''), ('tz ts d', 'C >= to_date(FROM_DAY, ''YYYY-MM-DD'')', '', ''),
    ('tz ts d', 'C >= to_timestamp(FROM_EPOCH)', '', ''),
    -- parameters
    ('tz ts d', 'C >= $1', '(timestamptz)', '(now() - interval ''DAYS days'')'), ('tz ts d', 'C >= $1', '(timestamp)', '(localtimestamp - interval ''DAYS days'')'), ('tz ts d', 'C >= $1', '(date)', '(current_date - DAYS)'),
    ('tz ts d', 'C >= $1::timestamptz AND C <= $2::timestamptz', '(text, text)', '(FROM_DAY, ''now'')'), ('tz ts d', 'C >= $1::timestamp', '(text)', '(FROM_DAY)'), ('tz ts d', 'C >= $1::date', '(text)', '(FROM_DAY)'),
    ('tz ts d', 'C >= now() - $1', '(interval)', '(''DAYS days'')'), ('tz ts d', 'C >= now() - $1 * interval ''1 day''', '(int)', '(DAYS)'), ('tz ts d', '($1 IS NULL OR C >= $1)', '(timestamptz)', '(now() - interval ''DAYS days'')'),
    ('tz ts d', '($1 IS NULL OR C >= $1)', '(timestamptz)', '(NULL)'), ('tz ts d', 'C >= coalesce($1, now() - interval ''DAYS days'')', '(timestamptz)', '(NULL)'),
    -- subqueries
    ('tz ts d', 'C >= (SELECT TIMESTAMP FROM_TIME)', '', ''), ('tz ts d', 'C >= (SELECT date_trunc(''day'', now()) - interval ''DAYS days'')', '', ''),
    ('tz ts d', 'C >= (SELECT (DATE_TRUNC(''day'', CURRENT_TIMESTAMP) + (-29 || '' day'')::INTERVAL)) AND C < (SELECT ((DATE_TRUNC(''day'', CURRENT_TIMESTAMP) + (-29 || '' day'')::INTERVAL) + (30 || '' day'')::INTERVAL))', '', ''),
    -- computed from the column
    ('tz ts d', 'extract(epoch FROM C) >= FROM_EPOCH', '', ''), ('tz ts', 'date_part(''epoch'', C) BETWEEN FROM_EPOCH AND FROM_EPOCH + 864000', '', ''), ('tz ts', 'extract(epoch FROM C) * 1000 >= FROM_EPOCH000', '', ''), ('tz ts', '5 - extract(epoch FROM C) <= 5 - FROM_EPOCH', '', ''),
    ('tz ts d', 'extract(epoch FROM C)::bigint >= extract(epoch FROM now())::bigint - DAYS * 86400', '', ''),
    ('tz ts d', 'C + interval ''DAYS days'' >= now()', '', ''), ('tz ts d', 'C + interval ''1 month'' >= now()', '', ''), ('tz ts d', 'C + DAYS * interval ''24 hours'' >= now()', '', ''), ('tz ts d', 'C - interval ''2 months'' < now() - interval ''1 year''', '', ''),
    ('tz ts', 'C + $1 >= now()', '(interval)', '(''DAYS days'')'), ('tz', 'now() - C < interval ''DAYS days''', '', ''), ('tz ts d', 'now() - C <= interval ''DAYS days''', '', ''), ('ts d', 'localtimestamp - C <= interval ''DAYS days''', '', ''), ('tz ts d', 'current_date - C::date <= DAYS', '', ''),
    ('tz ts', 'extract(day FROM now() - C) < DAYS', '', ''), ('tz ts', 'extract(epoch FROM now() - C) / 3600 < DAYS * 24', '', ''), ('tz ts', 'C - now() > interval ''-DAYS days''', '', ''),
    ('tz ts d', 'C::date >= current_date - DAYS', '', ''), ('tz ts', 'C::date = current_date - DAYS', '', ''), ('tz ts', 'C::date IN (current_date - DAYS, current_date - DAYS + 10)', '', ''),
    ('tz ts d', 'date_trunc(''day'', C) >= now() - interval ''DAYS days''', '', ''), ('tz ts', '(C AT TIME ZONE ''America/New_York'')::date >= current_date - DAYS', '', ''), ('tz ts', 'C AT TIME ZONE ''Asia/Kathmandu'' >= localtimestamp - interval ''DAYS days''', '', ''),
    ('tz ts d', 'C::timestamp >= localtimestamp - interval ''200 days'' AND C::timestamptz < now()', '', ''), ('d', 'd + DAYS >= current_date', '', ''), ('d', 'current_date - d < DAYS', '', ''),
    ('tz ts d', 'to_char(C, ''YYYY-MM-DD'') >= FROM_DAY', '', ''), ('tz ts d', 'date_trunc(''hour'', C) = date_trunc(''hour'', now()) - interval ''DAYS days''', '', '')) f (cols, condition, types, given);
-- Of the forms those of which a group or a row is lost, or of which too many groups are shown: where several days of a month become
-- its last one, more than elsewhere. The data and the declared range end on days that may be cut.
CREATE FUNCTION pg_temp.differs(key text, days int) RETURNS TABLE (condition text, c text, plan text, lost bigint, wrong bigint, more bigint, problem text) LANGUAGE plpgsql AS $$
DECLARE
    f record; t text; here text; room int; answer jsonb; answers jsonb[];
BEGIN
    FOR f IN SELECT form.*, x.c FROM form, string_to_table(cols, ' ') x (c) ORDER BY i LOOP
        condition := f.condition; c := f.c; room := CASE WHEN condition ~ 'C . interval .[12] month' THEN 10 ELSE 3 END;
        FOREACH plan IN ARRAY CASE WHEN f.types = '' THEN '{generic}'::text[] ELSE '{custom,generic}' END LOOP
            PERFORM set_config('plan_cache_mode', format('force_%s_plan', plan), true);
            problem := NULL; answers := '{}';
            BEGIN
                FOREACH t IN ARRAY '{stay,plain}'::text[] LOOP
                    here := regexp_replace(format('SELECT jsonb_object_agg(coalesce(k::text, ''''), n) FROM (SELECT %s AS k, count(*) AS n FROM %s WHERE %s GROUP BY 1) q', key, t, condition), '\mC\M', c, 'g');
                    here := replace(here, 'FROM_TIME', to_char(now() - days * interval '1 day', '''YYYY-MM-DD HH24:MI:SS'''));
                    here := replace(here, 'FROM_EPOCH', (extract(epoch FROM now())::bigint - days * 86400)::text);
                    here := replace(replace(here, 'FROM_DAY', to_char(current_date - days, '''YYYY-MM-DD''')), 'DAYS', days::text);
                    DEALLOCATE ALL;
                    EXECUTE format('PREPARE asked%s AS %s', f.types, here);
                    here := replace(replace(f.given, 'FROM_DAY', to_char(current_date - days, '''YYYY-MM-DD''')), 'DAYS', days::text);
                    FOR answer IN EXECUTE 'EXECUTE asked' || here LOOP answers := answers || answer; END LOOP;
                END LOOP;
                SELECT count(*) FILTER (WHERE s.value IS NULL), count(*) FILTER (WHERE s.value <> p.value), count(*) FILTER (WHERE p.value IS NULL) INTO lost, wrong, more
                FROM jsonb_each(answers[1]) s FULL JOIN jsonb_each(answers[2]) p USING (key);
            EXCEPTION WHEN OTHERS THEN
                problem := left(SQLERRM, 130);
            END;
            IF problem IS NOT NULL OR lost + wrong > 0 OR more > room THEN RETURN NEXT; END IF;
        END LOOP;
    END LOOP;
END $$;
SELECT count(*) AS forms, sum(array_length(string_to_array(cols, ' '), 1)) AS of_columns FROM form;
SET TimeZone = 'Asia/Kathmandu';
SELECT * FROM pg_temp.differs('date_trunc(''day'', C)', 30);
-- Clocks have changed meanwhile.
SET TimeZone = 'Europe/Berlin';
SELECT * FROM pg_temp.differs('C::date', 210);
SET TimeZone = 'Australia/Lord_Howe';
SELECT * FROM pg_temp.differs('to_char(C, ''YYYY-MM-DD'')', 210);
RESET TimeZone;
RESET ROLE;
-- Where clocks go back, by an hour, half of one or nearly a day, or by what no zone has, some moments come twice: no row is lost, whichever
-- of the two the condition names.
CREATE FUNCTION lost_at(zone text, change timestamptz, around interval, step interval, VARIADIC conditions text[])
RETURNS TABLE (condition text, asked bigint, differ bigint) LANGUAGE plpgsql AS $$
DECLARE
    moment timestamp;
    t text;
    seen text[];
BEGIN
    PERFORM set_config('TimeZone', zone, true), set_config('client_min_messages', 'error', true);
    CREATE TABLE night AS SELECT i AS id, change - around + i * step AS tz FROM generate_series(1, (extract(epoch FROM 2 * around) / extract(epoch FROM step))::int - 1) i;
    CREATE TABLE plain_night AS TABLE night;
    GRANT SELECT ON plain_night TO regress_relative_ana;
    PERFORM dp.protect('night', 1e9, answer_epsilon => 1e5), dp.grant_budget('night', 'regress_relative_ana', 1e9, allow_leaks => true),
        dp.declare_range('night', 'tz', change - around, change + around);
    SET LOCAL ROLE regress_relative_ana;
    FOREACH condition IN ARRAY conditions LOOP
        asked := 0; differ := 0;
        FOR moment IN SELECT (change - around / 3)::timestamp + i * around / 30 FROM generate_series(1, 20) i LOOP
            seen := '{}';
            FOREACH t IN ARRAY '{night,plain_night}'::text[] LOOP
                EXECUTE format('SELECT string_agg(k || '' '' || n, '','' ORDER BY k) FILTER (WHERE n > 0) FROM (SELECT date_trunc(''hour'', tz AT TIME ZONE ''UTC'') AS k, count(*) AS n FROM %s WHERE %s GROUP BY 1) q',
                    t, replace(condition, '$', quote_literal(moment))) INTO t;
                seen := seen || coalesce(t, '');
            END LOOP;
            asked := asked + 1;
            differ := differ + (seen[1] <> seen[2])::int;
        END LOOP;
        RETURN NEXT;
    END LOOP;
    RESET ROLE;
    PERFORM dp.unprotect('night');
    DROP TABLE night, plain_night;
END $$;
SELECT * FROM lost_at('Europe/Berlin', '2024-10-27 01:00+00', '3 hours', '10 minutes', 'tz::timestamp >= $', 'tz::timestamp < $', 'date_trunc(''hour'', tz) >= timestamp $', 'tz + interval ''1 day'' >= timestamp $ + interval ''1 day''', 'tz - interval ''1 month'' < timestamp $ - interval ''1 month''', 'tz::timestamp = $');
SELECT * FROM lost_at('Australia/Lord_Howe', '2024-04-06 15:00+00', '3 hours', '10 minutes', 'tz::timestamp >= $', 'tz::timestamp < $', 'tz AT TIME ZONE ''Australia/Lord_Howe'' >= $', 'date_trunc(''minute'', tz::timestamp) > $');
SELECT * FROM lost_at('Pacific/Kwajalein', '1969-09-30 13:00+00', '60 hours', '30 minutes', 'tz::timestamp >= $', 'tz::timestamp < $', 'tz::date > date $', 'date_trunc(''day'', tz) > $');
SELECT * FROM lost_at('AAA-100BBB+60,M3.2.0,M11.1.0', '2024-10-30 21:00+00', '400 hours', '3 hours', 'tz::timestamp >= $', 'tz::timestamp < $', 'tz::date >= date $');
SELECT * FROM lost_at('Europe/Berlin', '2024-01-31 01:00+00', '3 hours', '10 minutes', 'tz + interval ''60 days'' >= timestamp $ + interval ''60 days''', 'tz + interval ''60 days'' < timestamp $ + interval ''60 days''');
-- The last days of a month, at their own times, become one.
SELECT * FROM lost_at('UTC', '2024-02-01 00:00+00', '5 days', '3 hours', 'tz + interval ''1 month'' >= timestamp $ + interval ''1 month''', 'tz + interval ''1 month'' < timestamp $ + interval ''1 month''');
-- What is NULL in place of an error, of later moments alone, says nothing of those before.
CREATE TABLE late (tz timestamptz NOT NULL);
INSERT INTO late VALUES ('2037-11-05'), ('2037-12-05'), ('2038-02-05');
SELECT dp.protect('late', 1e9, answer_epsilon => 1e5), dp.grant_budget('late', 'regress_relative_ana', 1e9, allow_leaks => true),
    dp.declare_range('late', 'tz', '2037-10-01'::timestamptz, '2038-03-31');
SET ROLE regress_relative_ana;
SELECT to_char(tz, 'YYYY-MM') AS month, count(*) FROM late WHERE extract(epoch FROM tz)::int > 2142000000 GROUP BY 1 ORDER BY 1;
RESET ROLE;
SELECT dp.unprotect('stay'), dp.unprotect('late');
SET client_min_messages = error;
DROP SCHEMA plain_relative CASCADE;
DROP OWNED BY regress_relative_ana;
DROP ROLE regress_relative_ana;
