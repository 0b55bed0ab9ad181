-- answers(query, epsilon): the arrays that a query shows at that epsilon, one behind the other.
CREATE FUNCTION answers(query text, epsilon text) RETURNS numeric[] LANGUAGE plpgsql AS $$
DECLARE row_of numeric[]; answers numeric[] := '{}';
BEGIN
    PERFORM set_config('dp.epsilon', epsilon, true);
    FOR row_of IN EXECUTE query LOOP answers := answers || row_of; END LOOP;
    RETURN answers;
END $$;
