-- differences(): where what a role is shown is not what the owner was before, of the first of these questions(number, columns); exact(number, by_ward,
-- ward, key, value) has the owner's, and asked(columns, by_ward) writes a question.
CREATE FUNCTION numbers(query text) RETURNS TABLE (ward int, key text, value float8) LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY EXECUTE format('SELECT answer.ward::int, e.key, e.value::float8 FROM (%s) answer, jsonb_each_text(to_jsonb(answer)) e WHERE e.key <> ''ward''', query);
END $$;
CREATE FUNCTION differences(questions int DEFAULT 99) RETURNS TABLE (number int, ward int, key text, answer float8, exact float8) LANGUAGE plpgsql AS $$
DECLARE one record;
BEGIN
    FOR one IN SELECT q.number, q.columns, b FROM questions q, unnest('{f,t}'::boolean[]) b WHERE q.number <= questions LOOP
        RETURN QUERY SELECT e.number, e.ward, e.key, n.value, e.value FROM exact e LEFT JOIN numbers(asked(one.columns, one.b)) n USING (ward, key)
            WHERE e.number = one.number AND e.by_ward = one.b AND (abs(n.value - e.value) > 0.01 OR n.value IS NULL);
    END LOOP;
END $$;
