-- All that belongs to the extension in this database, one line each, without numbers that differ between databases: what an upgraded
-- extension must have in common with a fresh one.
SET search_path = pg_catalog;
WITH member AS (
    SELECT classid, objid
    FROM pg_depend
    WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
      AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'pg_dp')
), relation AS (
    SELECT c.* FROM pg_class c JOIN member m ON m.classid = 'pg_class'::regclass AND m.objid = c.oid
), line AS (
    SELECT 'member ' || i.type || ' ' || i.identity AS text
    FROM member m, pg_identify_object(m.classid, m.objid, 0) i
    UNION ALL
    SELECT 'comment ' || i.type || ' ' || i.identity || ': ' || d.description
    FROM member m JOIN pg_description d ON d.classoid = m.classid AND d.objoid = m.objid AND d.objsubid = 0,
        pg_identify_object(m.classid, m.objid, 0) i
    UNION ALL
    SELECT 'function ' || p.oid::regprocedure || ' (' || pg_get_function_arguments(p.oid) || ') returns '
        || coalesce(pg_get_function_result(p.oid), '') || ': '
        || concat_ws(' ', l.lanname, p.prokind, p.provolatile, p.proparallel, p.proisstrict, p.proleakproof, p.prosecdef, p.procost,
                     p.prorows, p.prosupport, p.proconfig, p.prosrc, p.proargtypes::regtype[])
    FROM member m JOIN pg_proc p ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid JOIN pg_language l ON l.oid = p.prolang
    UNION ALL
    SELECT 'aggregate ' || a.aggfnoid::regprocedure || ': '
        || concat_ws(' ', aggkind, aggnumdirectargs, aggtransfn, aggfinalfn, aggcombinefn, aggserialfn, aggdeserialfn, aggmtransfn,
                     aggminvtransfn, aggmfinalfn, aggfinalextra, aggmfinalextra, aggfinalmodify, aggmfinalmodify, aggsortop,
                     aggtranstype::regtype, aggtransspace, aggmtranstype, aggmtransspace, agginitval, aggminitval)
    FROM member m JOIN pg_aggregate a ON m.classid = 'pg_proc'::regclass AND m.objid = a.aggfnoid
    UNION ALL
    SELECT 'rights on ' || i.type || ' ' || i.identity || ': ' || string_agg(right_, ', ' ORDER BY right_)
    FROM (SELECT m.classid, m.objid, coalesce(p.proacl, c.relacl, n.nspacl, t.typacl) AS acl,
              coalesce(p.proowner, c.relowner, n.nspowner, t.typowner) AS owner
          FROM member m
              LEFT JOIN pg_proc p ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid
              LEFT JOIN pg_class c ON m.classid = 'pg_class'::regclass AND m.objid = c.oid
              LEFT JOIN pg_namespace n ON m.classid = 'pg_namespace'::regclass AND m.objid = n.oid
              LEFT JOIN pg_type t ON m.classid = 'pg_type'::regclass AND m.objid = t.oid) o,
        aclexplode(acl) AS x (grantor, grantee, privilege, grantable),
        LATERAL (SELECT CASE x.grantee WHEN 0 THEN 'public' WHEN o.owner THEN 'owner' ELSE x.grantee::regrole::text END
                     || ' ' || privilege || CASE WHEN grantable THEN '*' ELSE '' END AS right_) r,
        pg_identify_object(o.classid, o.objid, 0) i
    WHERE acl IS NOT NULL
    GROUP BY i.type, i.identity
    UNION ALL
    SELECT 'column ' || r.oid::regclass || '.' || a.attnum || ' ' || a.attname || ' '
        || concat_ws(' ', format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attcollation::regcollation, a.attstorage,
                     pg_get_expr(d.adbin, d.adrelid))
    FROM relation r JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
        LEFT JOIN pg_attrdef d ON d.adrelid = r.oid AND d.adnum = a.attnum
    UNION ALL
    SELECT 'relation ' || r.oid::regclass || ' ' || concat_ws(' ', r.relkind, r.relpersistence, r.reloptions, r.relrowsecurity)
    FROM relation r
    UNION ALL
    SELECT 'view ' || r.oid::regclass || ': ' || pg_get_viewdef(r.oid) FROM relation r WHERE r.relkind = 'v'
    UNION ALL
    SELECT 'index ' || pg_get_indexdef(i.indexrelid) FROM relation r JOIN pg_index i ON i.indrelid = r.oid
    UNION ALL
    SELECT 'constraint ' || r.oid::regclass || ' ' || c.conname || ': ' || pg_get_constraintdef(c.oid)
    FROM relation r JOIN pg_constraint c ON c.conrelid = r.oid
    UNION ALL
    SELECT 'trigger ' || concat_ws(' ', pg_get_triggerdef(t.oid), t.tgenabled) FROM relation r JOIN pg_trigger t ON t.tgrelid = r.oid
    WHERE NOT t.tgisinternal
    UNION ALL
    SELECT 'event trigger ' || concat_ws(' ', e.evtname, e.evtevent, e.evtfoid::regproc, e.evtenabled, e.evttags)
    FROM member m JOIN pg_event_trigger e ON m.classid = 'pg_event_trigger'::regclass AND m.objid = e.oid
    UNION ALL
    SELECT 'type ' || t.oid::regtype || ': '
        || concat_ws(' ', typlen, typbyval, typtype, typcategory, typdelim, typinput, typoutput, typreceive, typsend, typmodin,
                     typanalyze, typalign, typstorage, typbasetype::regtype, typcollation,
                     (SELECT string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' ORDER BY attnum)
                      FROM pg_attribute WHERE attrelid = t.typrelid AND attnum > 0))
    FROM member m JOIN pg_type t ON m.classid = 'pg_type'::regclass AND m.objid = t.oid
    UNION ALL
    SELECT 'dumped ' || config::regclass || ' ' || condition
    FROM pg_extension, unnest(extconfig, extcondition) AS c (config, condition) WHERE extname = 'pg_dp'
)
SELECT replace(text, E'\n', ' ') FROM line ORDER BY text COLLATE "C";
