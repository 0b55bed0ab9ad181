-- Writes docs/reference.md to the standard output, from the COMMENTs and signatures of the extension's objects. Run by tools/reference,
-- and by test/fault/reference.sh, which compares.
\set QUIET on
\pset format unaligned
\pset tuples_only on
\pset pager off
SET search_path = public;
SET client_min_messages = warning;

CREATE TEMP VIEW member AS
SELECT p.oid, p.proname, p.pronamespace::regnamespace::text AS home, p.prokind,
    replace(regexp_replace(obj_description(p.oid, 'pg_proc'), '\s+', ' ', 'g'), '|', '\|') AS said
FROM pg_depend d JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid
WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
    AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'pg_dp') AND p.pronamespace <> 'dp_internal'::regnamespace;

-- Casts of defaults are left out.
CREATE TEMP VIEW signed AS
SELECT m.*, format('%s%s(%s)', CASE home WHEN 'dp' THEN 'dp.' END, m.proname, regexp_replace(pg_get_function_arguments(m.oid), '(DEFAULT [^,:]*)::[a-z ]+', '\1', 'g')) AS signature,
    pg_get_function_result(m.oid) AS result
FROM member m WHERE m.prokind IN ('f', 'w');

\qecho '# Reference'
\qecho
\qecho 'Written by `tools/reference` from the COMMENTs in `sql/install`: change those, not this page. `\\df+ dp_*` and `\\df+ dp.*` show the'
\qecho 'same in psql. What analysts call begins with `dp_`, what curators call is in the schema `dp`; `dp_internal` is nobody''s to call.'
\qecho
\qecho '## Aggregates'
\qecho
\qecho 'The arguments go by place. Bounds, fraction and ε are `double precision`; the mechanism may be left out, then it is `auto`.'
\qecho
\qecho '| aggregate | value | answer | |'
\qecho '|---|---|---|---|'
SELECT format('| `%s(%s)` | %s | %s | %s |', proname, arguments, coalesce(types, ''), results, said)
FROM (
    SELECT m.proname, m.said, coalesce(array_to_string(array_remove(p.proargnames, 'mechanism'), ', '), '*')
            || CASE WHEN bool_or('mechanism' = ANY (p.proargnames)) THEN ' [, mechanism]' ELSE '' END AS arguments,
        string_agg(DISTINCT format_type(p.proargtypes[0], NULL), ', ') AS types,
        string_agg(DISTINCT format_type(p.prorettype, NULL), ', ') AS results
    FROM member m JOIN pg_proc p ON p.oid = m.oid
    WHERE m.prokind = 'a' AND p.provariadic = 0 AND (p.proargnames IS NOT NULL OR p.pronargs = 0)
    GROUP BY m.proname, m.said, array_remove(p.proargnames, 'mechanism')) a
ORDER BY proname COLLATE "C", length(arguments), arguments COLLATE "C";
\qecho
\qecho '## Functions of analysts'
\qecho
\qecho '| function | result | |'
\qecho '|---|---|---|'
SELECT format('| `%s` | `%s` | %s |', signature, result, said) FROM signed
WHERE home = 'public' AND oid NOT IN (SELECT function FROM dp.total_functions()) ORDER BY signature COLLATE "C";
\qecho
\qecho '## Functions that cannot fail'
\qecho
\qecho 'For use on the rows of a protected table, in the place of PostgreSQL''s own, which raise errors. `SELECT * FROM dp.total_functions();`'
\qecho 'lists all that may be called there.'
\qecho
\qecho '| function | types | |'
\qecho '|---|---|---|'
SELECT format('| `%s(%s)` | %s | %s |', proname, names, string_agg(types, '; ' ORDER BY types COLLATE "C"), said)
FROM (
    SELECT m.proname, m.said, array_to_string(p.proargnames, ', ') AS names,
        (SELECT string_agg(format_type(t, NULL), ', ' ORDER BY n) FROM unnest(p.proargtypes) WITH ORDINALITY AS u(t, n)) AS types
    FROM member m JOIN pg_proc p ON p.oid = m.oid
    WHERE m.home = 'public' AND m.oid IN (SELECT function FROM dp.total_functions())) f
GROUP BY proname, names, said ORDER BY proname COLLATE "C", names COLLATE "C", said COLLATE "C";
\qecho
\qecho '## Functions of curators, and what shows budgets'
\qecho
\qecho '| function | result | |'
\qecho '|---|---|---|'
SELECT format('| `%s` | `%s` | %s |', signature, result, said) FROM signed WHERE home = 'dp' ORDER BY signature COLLATE "C";
\qecho
\qecho '## Views'
\qecho
\qecho '| view | columns | |'
\qecho '|---|---|---|'
SELECT format('| `dp.%s` | %s | %s |', c.relname,
    (SELECT string_agg(a.attname, ', ' ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0),
    obj_description(c.oid, 'pg_class'))
FROM pg_class c WHERE c.relnamespace = 'dp'::regnamespace AND (c.relkind = 'v' OR c.relname = 'public_domain') ORDER BY c.relname COLLATE "C";
\qecho
\qecho '## Types'
\qecho
\qecho '| type | fields | |'
\qecho '|---|---|---|'
SELECT format('| `%s` | %s | %s |', t.oid::regtype, coalesce(
    (SELECT string_agg(format('%s %s', a.attname, format_type(a.atttypid, a.atttypmod)), ', ' ORDER BY a.attnum) FROM pg_attribute a
        WHERE a.attrelid = t.typrelid AND a.attnum > 0), ''), obj_description(t.oid, 'pg_type'))
FROM pg_depend d JOIN pg_type t ON d.classid = 'pg_type'::regclass AND t.oid = d.objid LEFT JOIN pg_class c ON c.oid = t.typrelid
WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'pg_dp')
    AND t.typcategory <> 'A' AND coalesce(c.relkind, 'c') = 'c' ORDER BY t.oid::regtype::text COLLATE "C";
\qecho
\qecho '## Settings'
\qecho
\qecho '| setting | without a word | who may set it | |'
\qecho '|---|---|---|---|'
SELECT format('| `%s` | %s | %s | %s %s |', name, boot_val, CASE context WHEN 'user' THEN 'everyone' ELSE 'superusers' END, short_desc, extra_desc)
FROM pg_settings WHERE name LIKE 'dp.%' ORDER BY name COLLATE "C";
