-- previews.judge(question): whether all that shows, keeps or wraps a question does with it what the question itself does. Asked with the
-- rights and settings of whoever calls. What is wrong is a WARNING that begins with "preview:".
CREATE SCHEMA previews;
GRANT USAGE ON SCHEMA previews TO PUBLIC;

-- The SQLSTATE, 00000 for success, and the rows as texts, in their order.
CREATE FUNCTION previews.outcome(statement text, OUT state text, OUT message text, OUT rows text[]) LANGUAGE plpgsql AS $$
DECLARE
    found record;
BEGIN
    rows := '{}';
    FOR found IN EXECUTE statement LOOP
        rows := rows || found::text;
    END LOOP;
    state := '00000';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT;
END
$$;

-- The first state that is not success, of statements that are run one after the other; nothing of them stays.
CREATE FUNCTION previews.fate(statements text[], OUT state text, OUT message text) LANGUAGE plpgsql AS $$
DECLARE
    statement text;
BEGIN
    FOREACH statement IN ARRAY statements LOOP
        EXECUTE statement;
    END LOOP;
    RAISE EXCEPTION USING ERRCODE = 'PV000', MESSAGE = 'done';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT;
    IF state = 'PV000' THEN state := '00000'; END IF;
END
$$;

CREATE FUNCTION previews.shown(question text, OUT state text, OUT message text, OUT form text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT dp.private_form(%L)', question) INTO form;
    state := '00000';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT;
END
$$;

-- Whether it is answered by these rows, in whatever order.
CREATE FUNCTION previews.gives(statement text, rows text[]) RETURNS boolean LANGUAGE sql AS $$
    SELECT ARRAY(SELECT row FROM unnest((previews.outcome(statement)).rows) row ORDER BY 1) = ARRAY(SELECT row FROM unnest(rows) row ORDER BY 1)
$$;

CREATE FUNCTION previews.complain(question text, of text, state text, message text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    RAISE WARNING '%', regexp_replace(format('preview: %s: %s %s: %s', of, state, message, question), '\s+', ' ', 'g');
END
$$;

CREATE FUNCTION previews.judge(question text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    asked record;
    again record;
    shown record;
    form record;
    prepared CONSTANT text := 'p' || md5(clock_timestamp()::text);
    forms CONSTANT jsonb := jsonb_build_object(
        'EXPLAIN', jsonb_build_array('EXPLAIN (VERBOSE) ' || question),
        'dp.cost', jsonb_build_array(format('SELECT dp.cost(%L)', question)),
        'dp.admissible', jsonb_build_array(format('SELECT dp.admissible(%L)', question)),
        'PREPARE', jsonb_build_array('PREPARE ' || prepared || ' AS ' || question, 'EXECUTE ' || prepared),
        'DECLARE', jsonb_build_array('DECLARE previewed CURSOR FOR ' || question, 'MOVE ALL IN previewed', 'CLOSE previewed'),
        'CREATE TABLE AS', jsonb_build_array('CREATE TEMP TABLE previewed AS ' || question),
        'a view', jsonb_build_array('CREATE TEMP VIEW previewed AS ' || question, 'SELECT * FROM previewed'),
        'a function', jsonb_build_array('CREATE FUNCTION pg_temp.previewed() RETURNS void LANGUAGE sql AS ' || quote_literal(question),
                                        'SELECT pg_temp.previewed()'),
        'an atomic function', jsonb_build_array('CREATE FUNCTION pg_temp.previewed() RETURNS void LANGUAGE sql BEGIN ATOMIC ' || question || '; END',
                                                'SELECT pg_temp.previewed()'),
        'a rule', jsonb_build_array('CREATE TEMP TABLE previewed ()',
                                    'CREATE RULE previewed AS ON INSERT TO previewed DO INSTEAD ' || question,
                                    'INSERT INTO previewed DEFAULT VALUES'));
    -- Where it is refused for what it is, not for what it asks: names twice, columns without a type, temporary objects.
    otherwise CONSTANT text[] := '{42701,42P16,42P17,0A000,42501,25006,42P13,42P18,22023,42P07,42723,42P03,42P05}';
BEGIN
    PERFORM set_config('client_min_messages', 'error', true);
    asked := previews.outcome(question);
    again := previews.outcome(question);
    shown := previews.shown(question);
    PERFORM set_config('client_min_messages', 'warning', true);
    -- PostgreSQL's own word for constants that are computed to more than a gigabyte.
    IF asked.message ~ 'invalid memory alloc request' THEN RETURN; END IF;
    IF asked.state IN ('XX000', 'DP005') THEN PERFORM previews.complain(question, 'itself', asked.state, asked.message); END IF;
    IF shown.state <> '00000' AND (asked.state = '00000' OR shown.state IN ('XX000', 'DP005')) AND shown.state <> '22023' THEN
        PERFORM previews.complain(question, 'dp.private_form', shown.state, shown.message);
    END IF;
    FOR form IN SELECT f.key, (previews.fate(ARRAY(SELECT jsonb_array_elements_text(f.value)))).* FROM jsonb_each(forms) f LOOP
        -- PostgreSQL's word for a function that is not what it is declared to be.
        CONTINUE WHEN form.message ~ 'during a parallel operation';
        IF form.state IN ('XX000', 'DP005') OR (asked.state = '00000' AND form.state NOT IN ('00000', 'DP001') AND form.state <> ALL (otherwise)) THEN
            PERFORM previews.complain(question, form.key, form.state, form.message);
        END IF;
    END LOOP;
    -- Only of what is so exact that it is the same each time. What is shown has an order where the question has one.
    IF asked.state <> '00000' OR shown.state <> '00000' OR again.rows IS DISTINCT FROM asked.rows THEN RETURN; END IF;
    again := previews.outcome(shown.form);
    IF again.state NOT IN ('00000', 'DP001') THEN
        PERFORM previews.complain(question, 'what dp.private_form shows, ' || shown.form, again.state, again.message);
    -- A function of the script's may ask by itself, and say what became of it.
    ELSIF again.state = '00000' AND again.rows::text !~ 'budget exhausted' AND ARRAY(SELECT row FROM unnest(again.rows) row ORDER BY 1) <> ARRAY(SELECT row FROM unnest(asked.rows) row ORDER BY 1) THEN
        -- Noise and rows that are chosen at random may be the same twice, and other ones for what is shown.
        FOR i IN 1 .. 8 LOOP
            IF (previews.outcome(question)).rows IS DISTINCT FROM asked.rows OR previews.gives(shown.form, asked.rows) THEN RETURN; END IF;
        END LOOP;
        PERFORM previews.complain(question, 'what dp.private_form shows is answered otherwise', again.rows::text, 'not ' || asked.rows::text);
    END IF;
END
$$;
