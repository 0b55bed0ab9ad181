-- Every function on the allow-list, over the product of extreme values of its arguments: none may raise an error, and none may
-- give a value that cannot be shown. A wrong entry is a line below, and so is a function with an argument without values.
SET client_min_messages = warning;
SET jit = off;
SET TimeZone = 'America/Los_Angeles';  -- west of UTC, and in early times not by whole hours

SELECT dp_internal.make_extreme_values();

-- It finds functions that are not total: no line here.
SELECT name FROM unnest('{
    "int4pl(int,int)","int8um(int8)","float8mul(float8,float8)","float48div(float4,float8)","numeric_add(numeric,numeric)",
    "numeric_div(numeric,numeric)","float8(numeric)","int4(float8)","round(numeric)","numeric(numeric,int)","sqrt(numeric)",
    "int4div(int,int)","int4mod(int,int)","timestamp(date)","timestamptz(timestamp)","timestamp_mi_interval(timestamp,interval)",
    "timestamp_mi(timestamp,timestamp)","date_trunc(text,timestamp)","extract(text,date)","textlike(text,text)",
    "substr(text,int,int)","split_part(text,text,int)","chr(int)","jsonb_array_length(jsonb)","numeric(jsonb)"}'::text[]) name
WHERE (dp_internal.first_error(name::regprocedure)).error IS NULL;

CREATE TEMP TABLE tried AS
SELECT function, (dp_internal.first_error(function)).* FROM dp.total_functions() WHERE provided IS NULL;
SELECT function, error FROM tried WHERE error IS NOT NULL ORDER BY function::text;
SELECT count(*) AS functions, sum(calls) AS calls, sum(answers) > 40000 AS answers, count(error) AS raised FROM tried;
DROP SCHEMA dp_extreme CASCADE;
