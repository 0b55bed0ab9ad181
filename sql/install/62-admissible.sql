-- Whether a role may ask a query: yes, or the text of the refusal. The query is planned and does not run; functions that planning
-- calls run as the current user.
CREATE FUNCTION dp.admissible(query text, role regrole DEFAULT NULL) RETURNS text
    LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_admissible';
COMMENT ON FUNCTION dp.admissible(text, regrole) IS
    'yes, or why that role (the current one, if left out) may not ask the query';
