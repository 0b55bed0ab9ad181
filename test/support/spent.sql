-- spent(): what questions about the table visits were charged since CALL from_now().
CREATE FUNCTION spent() RETURNS TABLE (epsilon numeric, delta numeric) LANGUAGE sql SECURITY DEFINER AS $$
    SELECT trim_scale(sum(epsilon)), trim_scale(sum(delta)) FROM dp.ledger WHERE relation = 'visits'::regclass AND seq > coalesce(current_setting('spent.seen', true)::bigint, 0)
$$;
CREATE PROCEDURE from_now() LANGUAGE sql SECURITY DEFINER AS $$
    SELECT set_config('spent.seen', coalesce((SELECT max(seq) FROM dp.ledger), 0)::text, false)
$$;
GRANT EXECUTE ON FUNCTION spent() TO PUBLIC;
GRANT EXECUTE ON PROCEDURE from_now() TO PUBLIC;
