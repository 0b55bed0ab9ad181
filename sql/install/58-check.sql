-- What is still open beside the one way in. Written in SQL over PostgreSQL's own catalogs, so that whoever doubts it can read it.

-- Standbys that may lag behind, as far as the caller may see them: a function of its own, because the privilege to call what it calls is
-- asked for when a statement begins.
CREATE FUNCTION dp_internal.lagging_standbys() RETURNS SETOF text
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF has_function_privilege('pg_stat_get_wal_senders()', 'EXECUTE') THEN
        RETURN QUERY SELECT application_name FROM pg_stat_replication WHERE sync_state = 'async';
    END IF;
END
$$;

CREATE FUNCTION dp.check(only_relation regclass DEFAULT NULL, OUT relation regclass, OUT finding text, OUT run text)
    RETURNS SETOF record
    LANGUAGE sql STABLE PARALLEL UNSAFE ROWS 20 SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    WITH RECURSIVE protected AS (
        SELECT b.relation FROM dp.budgets b WHERE b.role IS NULL AND (only_relation IS NULL OR b.relation = only_relation)
    ), part AS ( -- the table, its partitions and children
        SELECT p.relation AS top, p.relation AS part FROM protected p
        UNION
        SELECT part.top, i.inhrelid::regclass FROM part JOIN pg_inherits i ON i.inhparent = part.part
    ), view AS ( -- views that read them, directly or through one another
        SELECT part.top, r.ev_class AS view
        FROM part JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = part.part AND d.classid = 'pg_rewrite'::regclass
            JOIN pg_rewrite r ON r.oid = d.objid AND r.ev_class <> part.part
        UNION
        SELECT view.top, r.ev_class
        FROM view JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = view.view AND d.classid = 'pg_rewrite'::regclass
            JOIN pg_rewrite r ON r.oid = d.objid AND r.ev_class <> view.view
    ), account AS (
        SELECT b.relation AS top, b.role, rolname FROM dp.budgets b JOIN protected p USING (relation) JOIN pg_roles ON b.role = pg_roles.oid
    ), granted AS ( -- who else may SELECT from a view that reads with its owner's privileges and asks no private questions
        SELECT DISTINCT view.top, c.oid::regclass AS view, c.relkind, a.grantee
        FROM view JOIN pg_class c ON c.oid = view.view, LATERAL aclexplode(c.relacl) a
        WHERE c.relkind IN ('v', 'm') AND a.grantee <> c.relowner AND a.privilege_type = 'SELECT'
            AND (c.relkind = 'm' OR NOT coalesce(c.reloptions @> '{security_invoker=true}' OR c.reloptions @> '{security_invoker=on}', false))
            AND has_table_privilege(c.relowner, view.top, 'SELECT')
            AND (a.grantee = 0 OR NOT has_table_privilege(a.grantee, view.top, 'SELECT'))
            AND NOT EXISTS (
                SELECT FROM pg_rewrite r JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
                    JOIN pg_proc f ON d.refclassid = 'pg_proc'::regclass AND d.refobjid = f.oid AND f.prokind = 'a'
                    JOIN pg_depend e ON e.classid = 'pg_proc'::regclass AND e.objid = f.oid AND e.deptype = 'e'
                        AND e.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'pg_dp')
                WHERE r.ev_class = c.oid)
    ), name AS (
        SELECT g.*, CASE WHEN grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END AS grantee_name FROM granted g
    )
    SELECT NULL::regclass, 'the library is not loaded at server start: nothing is answered',
        'set shared_preload_libraries = ''pg_dp'' in postgresql.conf and restart the server'
    WHERE current_setting('dp.keep_releases', true) IS NULL AND EXISTS (SELECT FROM protected)
    UNION ALL
    SELECT NULL, format('the functions that queries may call were not measured on PostgreSQL %s: nothing is answered',
            current_setting('server_version')), 'SELECT dp.measure_functions(); as a superuser'
    WHERE EXISTS (SELECT FROM protected) AND NOT (dp_internal.server_evidence()).measured
    UNION ALL
    SELECT NULL, 'this database is not hardened: everyone sees sizes and counters of tables', 'SELECT dp.harden(); as a superuser'
    WHERE NOT dp.is_hardened() AND EXISTS (SELECT FROM protected)
    UNION ALL
    SELECT NULL, 'auto_explain sends plans to clients, with what they measured of pages', 'ALTER SYSTEM RESET auto_explain.log_level;'
    WHERE current_setting('auto_explain.log_level', true) IN ('info', 'notice', 'warning') AND EXISTS (SELECT FROM protected)
    UNION ALL
    SELECT NULL, format('everyone may connect to database %I, which shows locks and counters of this one', datname),
        format('SELECT dp.harden(); there, or REVOKE CONNECT ON DATABASE %I FROM PUBLIC;', datname)
    FROM pg_database
    WHERE datname <> current_database() AND datallowconn AND has_database_privilege('public', oid, 'CONNECT')
        AND EXISTS (SELECT FROM protected)
    UNION ALL
    SELECT NULL, format('standby %s may take over without the last charges', s.name),
        'ALTER SYSTEM SET synchronous_standby_names = ''*''; and let commits wait for it'
    FROM dp_internal.lagging_standbys() s(name) WHERE EXISTS (SELECT FROM protected)
    UNION ALL
    SELECT top, format('%s %s hands raw rows to %s with its owner''s privileges', CASE relkind WHEN 'm' THEN 'materialized view' ELSE 'view' END,
            view, grantee_name),
        format('REVOKE SELECT ON %s FROM %s;', view, grantee_name)
            || CASE relkind WHEN 'm' THEN '' ELSE format(' or ALTER VIEW %s SET (security_invoker = true);', view) END
    FROM name
    UNION ALL
    SELECT DISTINCT a.top, format('role %I has a budget and reads the raw table: it is charged, not fenced', a.rolname),
        concat_ws(' ', 'REVOKE SELECT ON ' || a.top || ' FROM ' || (
            SELECT string_agg(CASE WHEN x.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(x.grantee)) END, ', ' ORDER BY x.grantee DESC)
            FROM aclexplode(c.relacl) x
            WHERE x.privilege_type = 'SELECT' AND x.grantee <> c.relowner AND (x.grantee = 0 OR pg_has_role(a.role, x.grantee, 'USAGE'))) || ';',
            'REVOKE pg_read_all_data FROM ' || (
            SELECT string_agg(DISTINCT quote_ident(pg_get_userbyid(m.member)), ', ')
            FROM pg_auth_members m WHERE pg_get_userbyid(m.roleid) = 'pg_read_all_data' AND pg_has_role(a.role, m.member, 'USAGE')) || ';')
    FROM account a JOIN pg_class c ON c.oid = a.top
    WHERE has_table_privilege(a.role, a.top, 'SELECT') AND NOT pg_has_role(a.role, c.relowner, 'USAGE')
    UNION ALL
    SELECT l.relation, format('rows are lent to role %I, whose server reads them for questions that it charges to that role''s budget', r.rolname),
        format('SELECT dp.lend_rows(%L, %L, lend => false); unless its server is trusted with them', l.relation, r.rolname)
    FROM protected p JOIN dp.lent l USING (relation) JOIN pg_roles r ON r.oid = l.role
    UNION ALL
    SELECT a.top, format('role %I has a budget and privileges on %s', a.rolname, part.part),
        format('REVOKE ALL ON %s FROM %I, PUBLIC;', part.part, a.rolname)
    FROM account a JOIN part USING (top), -- a privilege that there is since 17
        (SELECT CASE WHEN current_setting('server_version_num')::int >= 170000 THEN ', MAINTAIN' ELSE '' END) AS maintain(also)
    WHERE NOT has_table_privilege(a.role, a.top, 'SELECT')
        AND (has_table_privilege(a.role, part.part, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER' || maintain.also)
            OR has_any_column_privilege(a.role, part.part, 'SELECT, INSERT, UPDATE, REFERENCES'))
    UNION ALL
    SELECT part.top, format('rule %I on %s runs with what is written there', r.rulename, part.part),
        format('DROP RULE %I ON %s;', r.rulename, part.part)
    FROM part JOIN pg_rewrite r ON r.ev_class = part.part
    UNION ALL
    SELECT part.top, format('trigger %I on %s gets the rows that are written', t.tgname, part.part),
        format('DROP TRIGGER %I ON %s; unless the function %s keeps them to itself', t.tgname, part.part, t.tgfoid::regproc)
    FROM part JOIN pg_trigger t ON t.tgrelid = part.part AND NOT t.tgisinternal AND t.tgparentid = 0
    UNION ALL
    SELECT part.top, format('publication %I sends the rows of %s to its subscribers', p.pubname, part.part),
        format('ALTER PUBLICATION %I DROP TABLE %s;', p.pubname, part.part)
    FROM part JOIN pg_publication_rel r ON r.prrelid = part.part JOIN pg_publication p ON p.oid = r.prpubid
    UNION ALL
    SELECT DISTINCT part.top, format('publication %I sends the rows of %s to its subscribers', p.pubname, part.part),
        format('DROP PUBLICATION %I; and name the tables that it is to send', p.pubname)
    FROM part JOIN pg_class c ON c.oid = part.part JOIN pg_publication p ON p.puballtables
        OR EXISTS (SELECT FROM pg_publication_namespace n WHERE n.pnpubid = p.oid AND n.pnnspid = c.relnamespace)
    UNION ALL
    SELECT DISTINCT NULL::regclass, format('publication %I sends budgets, and to a new subscriber the ledger and stored noise', p.pubname),
        format('DROP PUBLICATION %I; and name the tables that it is to send', p.pubname)
    FROM pg_publication p JOIN pg_publication_tables t USING (pubname)
    WHERE t.schemaname = 'dp' AND EXISTS (SELECT FROM protected)
    UNION ALL
    SELECT DISTINCT part.top, format('whoever may write to %s learns by its foreign key which keys %s has', f.conrelid::regclass, part.part),
        format('REVOKE INSERT, UPDATE ON %s FROM %s;', f.conrelid::regclass,
            CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END)
    FROM part JOIN pg_constraint f ON f.confrelid = part.part AND f.contype = 'f' AND f.conparentid = 0 JOIN pg_class c ON c.oid = f.conrelid,
        LATERAL aclexplode(c.relacl) a
    WHERE a.grantee <> c.relowner AND a.privilege_type IN ('INSERT', 'UPDATE')
        AND (a.grantee = 0 OR NOT has_table_privilege(a.grantee, part.top, 'SELECT'))
    UNION ALL
    SELECT DISTINCT part.top, format('server %I, which has rows of %s, has a user mapping for PUBLIC: whoever may use the server reads them',
            m.srvname, part.part),
        format('DROP USER MAPPING FOR PUBLIC SERVER %I; and CREATE USER MAPPING FOR %I SERVER %I ...', m.srvname, pg_get_userbyid(c.relowner), m.srvname)
    FROM part JOIN pg_foreign_table f ON f.ftrelid = part.part JOIN pg_user_mappings m ON m.srvid = f.ftserver AND m.umuser = 0
        JOIN pg_class c ON c.oid = part.top
    UNION ALL
    SELECT a.top, format('role %I has a budget and a user mapping of its own for server %I, which has rows of %s', a.rolname, m.srvname, part.part),
        format('DROP USER MAPPING FOR %I SERVER %I; or REVOKE USAGE ON FOREIGN SERVER %I FROM %I, PUBLIC;', m.usename, m.srvname, m.srvname, a.rolname)
    FROM account a JOIN part USING (top) JOIN pg_foreign_table f ON f.ftrelid = part.part JOIN pg_user_mappings m ON m.srvid = f.ftserver
        AND m.umuser <> 0
    WHERE pg_has_role(a.role, m.umuser, 'USAGE') AND has_server_privilege(a.role, m.srvid, 'USAGE')
        AND NOT has_table_privilege(a.role, a.top, 'SELECT')
    UNION ALL
    SELECT part.top, format('%s has a budget of its own, and so has %s: questions about them are refused', part.part, part.top),
        format('SELECT dp.unprotect(%L);', part.part)
    FROM part JOIN dp.budgets b ON b.relation = part.part AND b.role IS NULL WHERE part.part <> part.top
    UNION ALL
    SELECT b.relation, format('a dropped role, number %s, has a budget: it falls to whoever gets that number', b.role::oid),
        format('SELECT dp.revoke_budget(%L, %L);', b.relation, b.role::oid)
    FROM dp.budgets b JOIN protected p USING (relation)
    WHERE b.role IS NOT NULL AND NOT EXISTS (SELECT FROM pg_roles r WHERE r.oid = b.role)
    UNION ALL
    SELECT NULL, 'the ledger is in doubt and nothing is charged: ' || s.doubt,
        'SELECT dp.confirm_ledger(); as a superuser, who has made sure that no charge is lost'
    FROM dp_internal.read_status() s WHERE s.doubt IS NOT NULL
    UNION ALL
    SELECT b.relation, format('role %I is closed: an error stopped one of its private queries', r.rolname),
        format('SELECT dp.reopen(%L, %L); once the server''s log has told why', b.relation, quote_ident(r.rolname))
    FROM dp.budgets b JOIN protected p USING (relation) JOIN pg_roles r ON r.oid = b.role WHERE b.closed
    UNION ALL
    SELECT d.relation, format('%s of %s are declared and hold for no column: the table has %s', d.what, d.expression,
            dp_internal.lapsed(d.relation, d.expression, d.type)),
        format('SELECT dp.withdraw(%L, %L); and declare them anew', d.relation, d.given)
    FROM (SELECT r.relation, 'bounds' AS what, quote_ident(r.column_name) AS expression, r.column_name::text AS given, r.type FROM dp.declared_range r
        UNION ALL SELECT v.relation, 'values', v.expression, v.expression, v.type FROM dp.public_domain v) d JOIN protected p USING (relation)
    WHERE dp_internal.lapsed(d.relation, d.expression, d.type) IS NOT NULL
    UNION ALL
    -- By what ANALYZE found, as if numbers of rows fell off evenly: more rows are lost than the noise of a count is at epsilon 0.1.
    SELECT u.relation, format('rows of %s beyond %s are in no answer, and it has %s of them on average', u.privacy_unit, m.most, round(m.mean::numeric, 1)),
        format('SELECT * FROM dp.limit_quality(%L); says privately what larger limits leave out, dp.protect(%L, max_rows_per_unit => ...) sets one',
            u.relation, u.relation)
    FROM dp.units u JOIN protected p USING (relation) JOIN pg_class c ON c.oid = u.relation JOIN pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_stats s ON s.schemaname = n.nspname AND s.tablename = c.relname AND s.attname = u.privacy_unit AND s.inherited = (c.relkind = 'p'),
        LATERAL (SELECT coalesce(u.max_rows_per_unit, u.max_rows_per_group) AS most, c.reltuples * (1 - s.null_frac) AS rows,
            c.reltuples * (1 - s.null_frac) / nullif(CASE WHEN s.n_distinct < 0 THEN -s.n_distinct * c.reltuples ELSE s.n_distinct END, 0) AS mean) m
    WHERE CASE WHEN m.mean > 1 AND m.rows > 0 THEN ln(m.rows) + m.most * ln(1 - 1 / m.mean) > ln(10 * m.most) END
    ORDER BY 1, 2, 3;
END;
COMMENT ON FUNCTION dp.check(regclass) IS
    'for a curator: what is still open beside private queries on the tables that it curates, or on one of them, a row each with what to '
    'run; relation NULL: for all of them';
