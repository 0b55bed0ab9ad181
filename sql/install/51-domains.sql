-- What curators declare about the values of columns: the bounds of sums and averages, and the groups of answers, come from there
-- and from the schema, never from the rows.

-- Public, so everyone may read it.
CREATE TABLE dp.declared_range (
    relation regclass,
    column_name name,
    type regtype NOT NULL, -- of the column, without domains around it
    lower text NOT NULL,   -- in that type's text form; both ends included
    upper text NOT NULL,
    PRIMARY KEY (relation, column_name)
);
COMMENT ON TABLE dp.declared_range IS 'public: the ranges that dp.declare_range declared, as texts of the type of their column';
GRANT SELECT ON dp.declared_range TO PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('dp.declared_range', 'WHERE relation IN (SELECT oid FROM pg_catalog.pg_class)');
-- As on the tables of budgets (50-budget.sql).
CREATE TRIGGER policy_written AFTER INSERT OR UPDATE OR DELETE ON dp.declared_range
    FOR EACH ROW EXECUTE FUNCTION dp_internal.policy_written();
ALTER TABLE dp.declared_range ENABLE ALWAYS TRIGGER policy_written;

CREATE FUNCTION dp.declare_range(relation regclass, column_name name, lower anycompatible, upper anycompatible) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_declare_range';
COMMENT ON FUNCTION dp.declare_range(regclass, name, anycompatible, anycompatible) IS
    'declares between which values a column of a protected table lies, both ends included: the bounds of sums, averages and quantiles '
    'that give none; values outside count as the nearer end';

CREATE FUNCTION dp.declare_values(relation regclass, expression text, VARIADIC "values" "any") RETURNS integer
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_public_values';
COMMENT ON FUNCTION dp.declare_values(regclass, text, "any") IS
    'declares which values a column, or another grouping expression, of a protected table can have: values or an array of them';

CREATE FUNCTION dp.withdraw(relation regclass, expression text) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_withdraw';
COMMENT ON FUNCTION dp.withdraw(regclass, text) IS
    'withdraws what dp.declare_range and dp.declare_values said of a column or expression';

-- Why what is declared of an expression, with values of that type, holds for no column; NULL: it may hold.
CREATE FUNCTION dp_internal.lapsed(relation regclass, expression text, type regtype) RETURNS text
    LANGUAGE c STABLE STRICT PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_lapsed';
COMMENT ON FUNCTION dp_internal.lapsed(regclass, text, regtype) IS
    'why what is declared of an expression over a table holds for none of its columns; NULL where it does';
