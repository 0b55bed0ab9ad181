-- \df and \df dp.* are the manual: everything has a COMMENT, arguments of aggregates have names, and what nobody calls by name is in
-- a schema that nobody may use.
SELECT pg_describe_object(d.classid, d.objid, 0) AS "without a comment"
FROM pg_depend d
WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
    AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'pg_dp')
    AND obj_description(d.objid, d.classid::regclass::name) IS NULL
    AND NOT EXISTS (SELECT FROM pg_type t WHERE d.classid = 'pg_type'::regclass AND t.oid = d.objid
        AND (t.typcategory = 'A' OR EXISTS (SELECT FROM pg_class c WHERE c.oid = t.typrelid AND c.relkind <> 'c')));
SELECT name AS "setting without a text" FROM pg_settings WHERE name LIKE 'dp.%' AND (short_desc = '' OR extra_desc = '');
SELECT p.oid::regprocedure AS "aggregate without names" FROM pg_aggregate a JOIN pg_proc p ON p.oid = a.aggfnoid
WHERE p.proname LIKE 'dp\_%' AND p.pronargs > 0 AND p.provariadic = 0 AND p.proargnames IS NULL
    AND obj_description(p.oid, 'pg_proc') <> 'says which parameters are missing';
SELECT p.oid::regprocedure AS "support function in sight" FROM pg_proc p
WHERE p.pronamespace <> 'dp_internal'::regnamespace AND (p.proname LIKE 'dp\_%' OR p.pronamespace = 'dp'::regnamespace)
    AND p.prokind = 'f' AND ('internal'::regtype = ANY (p.proargtypes) OR p.prorettype IN ('internal'::regtype, 'trigger'::regtype, 'event_trigger'::regtype));
SELECT p.oid::regprocedure AS "outside its home" FROM pg_depend d JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid
WHERE d.refclassid = 'pg_extension'::regclass AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'pg_dp')
    AND p.pronamespace NOT IN ('dp'::regnamespace, 'dp_internal'::regnamespace) AND p.proname NOT LIKE 'dp\_%';
SELECT has_schema_privilege('public', 'dp', 'USAGE') AS dp, has_schema_privilege('public', 'dp_internal', 'USAGE') AS dp_internal;
SELECT pg_get_function_arguments('dp_quantile(int, float8, float8, float8, float8, dp_mechanism)'::regprocedure) AS quantile,
    pg_get_function_arguments('dp_histogram(anycompatible, anycompatiblearray, float8)'::regprocedure) AS histogram;

-- An asking role calls nothing there, though its queries do.
CREATE ROLE regress_manual_ana;
SET ROLE regress_manual_ana;
SELECT dp_internal.unit_key();
SELECT 'geometric'::dp_mechanism = 'laplace'::dp_mechanism AS equal;
RESET ROLE;
DROP ROLE regress_manual_ana;

-- The older name and the newer one are one function; whole and "integer" are one argument.
SELECT count(DISTINCT prosrc) AS one FROM pg_proc WHERE proname IN ('relax_release', 'dp_relax_release');
SELECT dp_describe('auto', 0.5, 1, whole => true) = dp_describe('auto', 0.5, 1, "integer" => true) AS described,
    dp_describe('auto', 0.5, 1, true) = dp_describe('auto', 0.5, 1, whole => true) AS by_place,
    dp_describe('auto', 0.5, 1) = dp_describe('auto', 0.5, 1, whole => true) AS as_without;
SELECT dp_usefulness('geometric', 1, 2, whole => true) = dp_usefulness('geometric', 1, 2, "integer" => true) AS usefulness,
    dp_epsilon_for('auto', 20, 0.95, whole => true) AS epsilon_for,
    dp_collusion_error('geometric', 1, 3, whole => true) = dp_collusion_error('geometric', 1, 3, "integer" => true) AS collusion,
    (SELECT array_agg(t) FROM dp_tradeoff('geometric', 1, 2, 2, whole => true) t)
        = (SELECT array_agg(t) FROM dp_tradeoff('geometric', 1, 2, 2, "integer" => true) t) AS tradeoff,
    dp_interval(5::numeric, 'auto', 1, whole => true) = dp_interval(5::numeric, 'auto', 1, "integer" => true) AS exact_interval,
    dp_interval(5::float8, 'auto', 1, whole => true) = dp_interval(5::float8, 'auto', 1, "integer" => true) AS interval;
SELECT dp_describe('auto', 0.5, 1.5, whole => true);
