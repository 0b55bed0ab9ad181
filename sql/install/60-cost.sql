-- What a query would cost. It is planned as the current role and does not run: nothing is charged.
-- A part that turns out not to run (LIMIT 0, a CASE that nobody reaches) is counted here and not charged then; what functions
-- ask that the query calls is charged then and not counted here.
CREATE FUNCTION dp.cost(query text) RETURNS TABLE (relation regclass, role regrole, epsilon numeric, delta numeric)
    LANGUAGE c VOLATILE PARALLEL UNSAFE ROWS 2 AS 'MODULE_PATHNAME', 'dp_cost';
COMMENT ON FUNCTION dp.cost(text) IS
    'what a query would be charged, without running it: one row for each account, with role NULL for the table as a whole';

-- How far off its answers will be.
CREATE FUNCTION dp.expected_errors(query text) RETURNS TABLE (answer text, expected_error text)
    LANGUAGE c VOLATILE PARALLEL UNSAFE ROWS 2 AS 'MODULE_PATHNAME', 'dp_expected_errors';
COMMENT ON FUNCTION dp.expected_errors(text) IS
    'how far each answer of a query will be off in the mean, in units of the answer or in ranks, without running it; NULL where that '
    'depends on the data';
