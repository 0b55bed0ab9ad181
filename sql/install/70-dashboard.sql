-- What a dashboard costs a day, before it is shown to anybody.

-- The statements are looked at as the asker wrote them, by the asker's search_path; all else is PostgreSQL's own.
CREATE FUNCTION dp_internal.check_dashboard(queries text[], refreshes numeric, path text)
    RETURNS TABLE (number integer, query text, answered boolean, epsilon numeric, charges_a_day numeric, epsilon_a_day numeric,
        groups bigint, expected_error text, finding text, instead text)
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE ROWS 10 SET search_path = pg_catalog, pg_temp SET dp.reuse = 0
    SET client_min_messages = warning SET intervalstyle = postgres AS $$
#variable_conflict use_variable
DECLARE
    own CONSTANT text := current_setting('search_path');
    said record;
    costs jsonb;
    plan jsonb;
    nodes jsonb;
    tables regclass[];
    one text;
    served bigint;  -- for how many seconds an answer is shown again
    changes bigint; -- and after how many its question is another one; NULL: never
BEGIN
    IF queries IS NULL OR refreshes IS NULL OR NOT (refreshes > 0 AND refreshes < 'Infinity') THEN
        RAISE EXCEPTION 'dp.check_dashboard() needs statements, and how often a day each is refreshed, not % and %',
                coalesce(queries::text, 'NULL'), coalesce(refreshes::text, 'NULL')
            USING ERRCODE = '22023', HINT = 'For example dp.check_dashboard(ARRAY[''SELECT count(*) FROM visits''], 24).';
    END IF;
    queries := ARRAY(SELECT unnest(queries));
    FOR i IN 1 .. cardinality(queries) LOOP
        number := i;
        query := queries[number];
        finding := NULL;
        answered := false;
        epsilon := NULL;
        charges_a_day := NULL;
        epsilon_a_day := NULL;
        groups := NULL;
        expected_error := NULL;
        instead := NULL;
        IF query IS NULL OR query ~ '^[\s;]*$' THEN
            finding := 'there is no statement';
            RETURN NEXT;
            CONTINUE;
        END IF;
        one := 'EXPLAIN (FORMAT json) ' || query;
        PERFORM pg_catalog.set_config('search_path', path, true);
        SELECT a.* INTO said FROM dp.admissible(query) a;
        PERFORM pg_catalog.set_config('search_path', own, true);
        answered := said.admissible;
        IF NOT answered THEN
            finding := format('refused with %s: %s', said.sqlstate, replace(said.message, 'dp.admissible', 'dp.check_dashboard'));
            instead := CASE said.sqlstate
                WHEN '42P02' THEN 'Write a value in the place of each parameter, as the tool sends it.'
                WHEN '22023' THEN 'Give each statement by itself, without EXPLAIN or the like around it.'
                ELSE said.hint END;
        END IF;
        IF NOT answered THEN
            RETURN NEXT;
            CONTINUE;
        END IF;

        -- What it costs to ask it anew; of several accounts what the one pays that pays most.
        PERFORM pg_catalog.set_config('search_path', path, true);
        SELECT c.costs INTO costs FROM (SELECT pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('relation', c.relation::oid, 'role', c.role::oid, 'epsilon', c.epsilon)) AS costs
            FROM dp.cost(query) c) c;
        EXECUTE one INTO plan;
        PERFORM pg_catalog.set_config('search_path', own, true);
        nodes := jsonb_path_query_array(plan, 'strict $.** ? (@."Custom Plan Provider" == "DpRelease")');
        SELECT trim_scale(coalesce(max(c.epsilon), 0)), array_agg(DISTINCT c.relation::regclass) INTO epsilon, tables
            FROM jsonb_to_recordset(costs) AS c(relation oid, epsilon numeric);
        groups := (SELECT CASE WHEN count(*) = count(n -> 'Public Groups') THEN max((n ->> 'Public Groups')::bigint) END FROM jsonb_array_elements(nodes) n);
        expected_error := (SELECT string_agg(e, '; ') FROM jsonb_array_elements(nodes) n, jsonb_array_elements_text(n -> 'Expected Error') e);
        IF epsilon = 0 THEN
            charges_a_day := 0;
            epsilon_a_day := 0;
            finding := CASE WHEN nodes = '[]' THEN 'nothing is charged: no protected table is asked privately'
                ELSE 'nothing is charged: it shows what is public' END;
            RETURN NEXT;
            CONTINUE;
        END IF;

        SELECT b.epsilon_left, b.query_epsilon_limit INTO said
            FROM (SELECT b.relation, b.role, b.epsilon_left, b.query_epsilon_limit FROM dp.budgets b
                  UNION ALL SELECT b.block, b.role, b.epsilon_left, NULL FROM dp.blocks b) b
                JOIN jsonb_to_recordset(costs) AS c(relation oid, role oid, epsilon numeric)
                    ON c.relation = b.relation AND c.role IS NOT DISTINCT FROM b.role
            WHERE c.epsilon > least(b.epsilon_left, b.query_epsilon_limit) LIMIT 1;
        IF FOUND THEN
            answered := false;
            finding := CASE WHEN epsilon > said.query_epsilon_limit
                THEN format('refused with DP001: one statement may cost epsilon %s', trim_scale(said.query_epsilon_limit))
                ELSE format('refused with DP001: epsilon %s is left', trim_scale(said.epsilon_left)) END;
            instead := 'Ask for less, by fewer aggregates or a smaller epsilon; or ask a curator for more.';
        END IF;
        served := (SELECT min(coalesce(p.reuse_seconds, 0)) FROM unnest(tables) t(relation)
            LEFT JOIN (SELECT DISTINCT relation, block FROM dp.blocks) b ON b.block = t.relation
            LEFT JOIN dp.answer_policy p ON p.relation = coalesce(b.relation, t.relation));
        changes := CASE
            WHEN query !~* '\m(now|current_date|current_time(stamp)?|localtime(stamp)?|transaction_timestamp|statement_timestamp)\M' THEN NULL
            WHEN current_setting('dp.now_rounding') <> '0' THEN extract(epoch FROM current_setting('dp.now_rounding')::interval)
            WHEN query ~* '''(second|milliseconds?|microseconds?)''' THEN 1
            WHEN query ~* '''minute''' THEN 60
            WHEN query ~* '''hour''' THEN 3600
            ELSE 86400 END;
        IF answered AND nodes @? '$[*]."Asked Anew"' THEN
            charges_a_day := refreshes;
            finding := 'now() makes each refresh another question, and another charge';
            instead := format('Write date_trunc(''day'', now()), which is the same all day; or ask a superuser: ALTER ROLE %I SET dp.now_rounding = ''1 day'';',
                current_user);
        ELSIF served = 0 THEN
            charges_a_day := refreshes;
            finding := coalesce(finding, 'no answer is shown again: each refresh is charged');
            instead := coalesce(instead, format('Ask a curator: SELECT dp.protect(%L, reuse => ''1 day'');', tables[1]::text));
        ELSIF queries[: number - 1] @> ARRAY[query] THEN
            charges_a_day := 0;
            finding := format('the same statement as number %s, whose answer it is shown', array_position(queries, query) - array_lower(queries, 1) + 1);
        ELSE
            charges_a_day := trim_scale(round(least(refreshes, 86400.0 / least(served, changes)), 3));
            IF charges_a_day > 1 AND changes < served THEN
                finding := coalesce(finding, format('its now() is another one every %s', changes * interval '1 second'));
                instead := coalesce(instead, 'Round it to the day, date_trunc(''day'', now()), where that will do.');
            END IF;
        END IF;
        epsilon_a_day := trim_scale(charges_a_day * epsilon);
        finding := coalesce(finding, (SELECT CASE
                WHEN bool_or(n ? 'Groups') THEN 'its groups are chosen privately: small ones may be missing'
                WHEN bool_or(n ? 'Epsilon of an Answer') THEN 'nobody has said what an answer costs' END
            FROM jsonb_array_elements(nodes) n));
        instead := coalesce(instead, CASE finding
            WHEN 'its groups are chosen privately: small ones may be missing' THEN
                format('Ask a curator to declare them: SELECT dp.declare_values(%L, ''column'', ''value'', ...);', tables[1]::text)
            WHEN 'nobody has said what an answer costs' THEN
                format('Ask a curator: SELECT dp.protect(%L, answer_epsilon => %s);', tables[1]::text, epsilon) END);
        RETURN NEXT;
    END LOOP;
END
$$;
COMMENT ON FUNCTION dp_internal.check_dashboard(text[], numeric, text) IS 'dp.check_dashboard() with the search_path of who asks';

CREATE FUNCTION dp.check_dashboard(queries text[], refreshes numeric DEFAULT 24)
    RETURNS TABLE (number integer, query text, answered boolean, epsilon numeric, charges_a_day numeric, epsilon_a_day numeric,
        groups bigint, expected_error text, finding text, instead text)
    LANGUAGE sql VOLATILE PARALLEL UNSAFE ROWS 10
BEGIN ATOMIC
    SELECT c.number, c.query, c.answered, c.epsilon, c.charges_a_day, c.epsilon_a_day, c.groups, c.expected_error, c.finding, c.instead
    FROM dp_internal.check_dashboard(queries, refreshes, pg_catalog.current_setting('search_path')) c;
END;
COMMENT ON FUNCTION dp.check_dashboard(text[], numeric) IS
    'what statements that are refreshed so often a day would cost the asking role, a row for each; nothing runs and nothing is charged. '
    'epsilon: to ask it anew; charges_a_day: how often that is, by reuse of the tables and by the now() in it; groups: how many, where that is '
    'known; a statement that is refused is a row with answered false, the error as finding, and what to write instead';
