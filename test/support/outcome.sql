-- What a statement is answered with: the code and the message without numbers of releases, or "ok" and its rows.
CREATE FUNCTION outcome(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE message text; hint text; found int;
BEGIN
    EXECUTE statement;
    GET DIAGNOSTICS found = ROW_COUNT;
    RETURN format('ok %s', found);
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, hint = PG_EXCEPTION_HINT;
    RETURN regexp_replace(format('%s %s (%s)', sqlstate, message, hint), '(release |dp_answer\()[0-9]+', '\1N', 'g');
END
$$;
