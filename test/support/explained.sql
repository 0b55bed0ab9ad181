-- explained(query): its plan as all versions of PostgreSQL say it: since 17 none says what an InitPlan returns.
CREATE FUNCTION pg_temp.explained(query text) RETURNS TABLE ("QUERY PLAN" text) LANGUAGE plpgsql AS $$
BEGIN
    FOR "QUERY PLAN" IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
        "QUERY PLAN" := regexp_replace("QUERY PLAN", ' \(returns .*\)', '');
        RETURN NEXT;
    END LOOP;
END $$;
