-- Support functions are run as the owner of the aggregates; nobody else has a use for them.

DO $$
DECLARE
    support regprocedure;
BEGIN
    FOR support IN
        SELECT p.oid::regprocedure
        FROM pg_depend d JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
        WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND p.prokind = 'f'
            AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'pg_dp')
            AND p.pronamespace = 'dp_internal'::regnamespace
            AND p.proname ~ '^dp_[a-z_]+_(add|answer|combine|serialize|deserialize)'
    LOOP
        EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', support);
    END LOOP;
END
$$;

-- The settings are the library's, which has to come with the server.
DO $$
BEGIN
    IF current_setting('dp.keep_releases', true) IS NULL THEN
        RAISE WARNING 'pg_dp is not loaded at server start: nothing is answered until it is'
            USING HINT = 'Set shared_preload_libraries = ''pg_dp'' in postgresql.conf and restart the server.';
    END IF;
END
$$;

-- Where the library does not know the server.
SELECT dp_internal.measure_at_creation();
DROP FUNCTION dp_internal.measure_at_creation();
