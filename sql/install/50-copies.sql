-- Copies of public tables on other servers, beside the rows of protected ones there, by which joins are computed where the rows are
-- (src/budget/policy/copies.h, docs/scale-out.md).

CREATE TABLE dp.public_copy (
    copy regclass PRIMARY KEY, -- a foreign table
    relation regclass NOT NULL
);
COMMENT ON TABLE dp.public_copy IS 'foreign tables that stand for copies of a public table on other servers: joins with it are computed there';
SELECT pg_catalog.pg_extension_config_dump('dp.public_copy',
    'WHERE copy IN (SELECT oid FROM pg_catalog.pg_class) AND relation IN (SELECT oid FROM pg_catalog.pg_class)');
GRANT SELECT ON dp.public_copy TO PUBLIC;

CREATE FUNCTION dp.declare_copies(relation regclass, VARIADIC copies regclass[]) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_declare_copies';
COMMENT ON FUNCTION dp.declare_copies(regclass, regclass[]) IS
    'says that these foreign tables, and no others, stand for copies of the public table on other servers: joins of protected rows there with '
    'it are computed there. Rows are compared now, columns, keys and checks before each question; whoever changes the table changes its '
    'copies. dp.declare_copies(''wards'', VARIADIC ''{}'') ends it';

-- Protected foreign tables that lie side by side on their server, by which joins along the unit are computed there
-- (src/budget/policy/colocated.h).

CREATE TABLE dp.colocated (
    relation regclass PRIMARY KEY, -- a foreign table
    first regclass NOT NULL, -- the same of all of which it was said together: one of them
    spread boolean NOT NULL -- Citus spreads them over servers of its own
);
COMMENT ON TABLE dp.colocated IS 'protected foreign tables that have the rows of each privacy unit side by side on their server: joins along the unit are computed there';
SELECT pg_catalog.pg_extension_config_dump('dp.colocated',
    'WHERE relation IN (SELECT oid FROM pg_catalog.pg_class) AND first IN (SELECT oid FROM pg_catalog.pg_class)');
GRANT SELECT ON dp.colocated TO PUBLIC;

CREATE FUNCTION dp.declare_colocated(relation regclass, VARIADIC others regclass[]) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_declare_colocated';
COMMENT ON FUNCTION dp.declare_colocated(regclass, regclass[]) IS
    'says that the protected foreign tables have the rows of each privacy unit side by side on their server: joins along the unit are computed '
    'there. A server with Citus is asked now and before each question whether it spreads them alike. '
    'dp.declare_colocated(''visits'', VARIADIC ''{}'') ends it';
