-- bounded(expression): the bounds that a plain sum of it over stay gets, or why it gets none.
CREATE FUNCTION bounded(expression text, OUT lower float8, OUT upper float8, OUT error text) LANGUAGE plpgsql AS $$
DECLARE
    parts text[];
BEGIN
    parts := regexp_match('x' || dp.private_form(format('SELECT sum(%s) FROM stay', expression)), '^.*, ''?(-?[0-9.e+-]+)''?(?:::[a-z ]+)?, ''?(-?[0-9.e+-]+)''?(?:::[a-z ]+)?, ''?[0-9.e+]+''?(?:::[a-z ]+)?\)');
    lower := parts[1];
    upper := parts[2];
EXCEPTION WHEN OTHERS THEN
    error := SQLERRM;
END
$$;
