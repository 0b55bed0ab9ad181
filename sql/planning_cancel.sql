-- Planning functions end when the statement is cancelled, not when they have computed to the end, which would take thirty times
-- as long as is allowed here. What they stopped in starts anew the next time.
CALL own_schema('planning_cancel');
CREATE FUNCTION times(call text, n int) RETURNS text LANGUAGE sql AS $$ SELECT 'SELECT ' || string_agg(replace(call, '#', i::text), ', ') FROM generate_series(1, n) AS i $$;
CREATE FUNCTION cancelled(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    started timestamptz := clock_timestamp();
BEGIN
    EXECUTE query;
    RETURN 'it ran to its end';
EXCEPTION WHEN query_canceled THEN
    IF clock_timestamp() - started > interval '20 s' THEN RETURN format('cancelled after %s', clock_timestamp() - started); END IF;
    RETURN 'cancelled';
END
$$;
-- Made before, as is what PL/pgSQL makes of the function: the time runs out behind its EXECUTE, also on a slow server.
SELECT times('dp_remap_minimax_loss(0.5 + # * 1e-3, 100)', 300) AS loss,
    times('dp_privacy_loss(''truncated_gg(p=2, lower=0, upper=1000)'', 1 + # * 1e-3, 1)', 200) AS truncated,
    times('dp_collusion_error(''gg(p=16, delta=1e-6)'', 1e-5 + # * 1e-9, 1000, 1, true)', 300) AS collusion,
    (SELECT times('ROW(' || string_agg(format('dp_describe(''r2dp(gamma=5, family=combined)'', 1 + # * 1e-3 + %s * 1e-5, 1)', k), ', ') || ')', 1600)
     FROM generate_series(1, 20) AS k) AS described \gset
SELECT cancelled('SELECT 1');
SET statement_timeout = '500ms';
SELECT cancelled(:'loss') AS first \gset
\echo :first
SELECT :'first' <> 'cancelled' AS too_late \gset
-- Where nothing ends early the others would take minutes.
\if :too_late
\quit
\endif
SELECT cancelled(:'truncated');
SELECT cancelled(:'collusion');
SELECT cancelled(:'described');
RESET statement_timeout;
-- Also in the middle of a plan, whose function keeps what it solved for the next row.
CREATE TABLE games AS SELECT 0.5 + i * 1e-3 AS epsilon FROM generate_series(1, 3) AS i;
SET statement_timeout = '20ms';
SELECT dp_remap_minimax(5, epsilon, 100) BETWEEN 0 AND 100 FROM games;
RESET statement_timeout;
SELECT dp_remap_minimax(5, epsilon, 10) BETWEEN 0 AND 10 AS reading FROM games;
DROP TABLE games;
DROP FUNCTION cancelled(text), times(text, int);
