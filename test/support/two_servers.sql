-- After two_databases.sql and the tables there: the schema :name here, the servers :server1 and :server2 that its owner may ask, and what questions are
-- compared by: what is told of one, and of one that fails, what its plan sends to servers, and a table of questions; there(), which runs a
-- command on the first server.
\c :before
SET client_min_messages = warning;
CREATE SCHEMA :name AUTHORIZATION :owner;
GRANT USAGE ON SCHEMA :name TO PUBLIC;
SET search_path = :name, public;
CREATE EXTENSION postgres_fdw SCHEMA :name;
SELECT CASE WHEN :'parts' THEN ', extensions ''pg_dp''' ELSE '' END AS told \gset
SELECT format('CREATE SERVER %I FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host %L, port %L, dbname %L, async_capable ''true''%s)', :'server' || n,
    split_part(current_setting('unix_socket_directories'), ',', 1), current_setting('port'), 'regress_' || :'server' || n, :'told') FROM generate_series(1, 2) n \gexec
SELECT format('CREATE USER MAPPING FOR %s SERVER %I OPTIONS (user %L, password_required ''false'')', :'owner', :'server' || n, :'reader') FROM generate_series(1, 2) n \gexec
SELECT format('GRANT USAGE ON FOREIGN SERVER %I TO %s', :'server' || n, :'owner') FROM generate_series(1, 2) n \gexec
CREATE FUNCTION answer(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    rows text;
BEGIN
    EXECUTE 'SELECT jsonb_agg(to_jsonb(q) ORDER BY to_jsonb(q)) FROM (' || query || ') q' INTO rows;
    RETURN rows;
EXCEPTION WHEN OTHERS THEN
    RETURN sqlstate || ' ' || sqlerrm;
END
$$;
CREATE FUNCTION told(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
    detail text;
BEGIN
    EXECUTE query INTO answer;
    RETURN answer;
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
    RETURN concat_ws(' | ', sqlstate, sqlerrm, detail);
END
$$;
SELECT format($f$CREATE FUNCTION there(command text) RETURNS void LANGUAGE plpgsql AS $b$
BEGIN
    EXECUTE format('COPY (SELECT %%L) TO PROGRAM %%L', command,
        format('psql -X -q -d %s -h %%s -p %%s', split_part(current_setting('unix_socket_directories'), ',', 1), current_setting('port')));
END
$b$ $f$, :'first') \gexec
CREATE FUNCTION sent(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    line text;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF, VERBOSE) ' || query LOOP
        IF line ~ 'Remote SQL' THEN RETURN NEXT trim(line); END IF;
    END LOOP;
END
$$;
CREATE TABLE questions (number serial, text text);
GRANT SELECT ON questions TO PUBLIC;
