-- Whether a role may ask a query, or why not. The query is planned and does not run; functions that planning calls run as the
-- current user.
CREATE FUNCTION dp.admissible(query text, role regrole DEFAULT NULL, OUT admissible boolean, OUT sqlstate text, OUT message text,
    OUT hint text)
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_admissible';
COMMENT ON FUNCTION dp.admissible(text, regrole) IS
    'whether that role (the current one, if left out) may ask the query; if not, the error that it would get: SQLSTATE, message, hint';
