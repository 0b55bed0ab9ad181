-- What an answer is called where it is stored: its call as it would be written now, also where a session remembers how
-- it was written before.
SET client_min_messages = error;
CREATE SCHEMA release_texts;
CREATE SCHEMA regress_texts_beth;
CREATE ROLE regress_texts_ann;
CREATE ROLE regress_texts_beth;
GRANT USAGE ON SCHEMA release_texts TO regress_texts_ann, regress_texts_beth;
GRANT USAGE ON SCHEMA regress_texts_beth TO regress_texts_beth;
CREATE TABLE release_texts.item AS SELECT 1 AS n;
SELECT dp.protect('release_texts.item', 1e9), dp.grant_budget('release_texts.item', 'regress_texts_ann', 1e8, allow_leaks => true),
  dp.grant_budget('release_texts.item', 'regress_texts_beth', 1e8, allow_leaks => true) \g /dev/null

SET ROLE regress_texts_ann;
SELECT public.dp_count('*', 1e5) FROM release_texts.item;
SELECT aggregate FROM public.dp_answer(public.dp_last_release());
SELECT public.dp_count('*', 1e5) AS again FROM release_texts.item;
SELECT aggregate FROM public.dp_answer(public.dp_last_release());
-- Other constants
SELECT public.dp_count('*', 2e5) FROM release_texts.item;
SELECT aggregate FROM public.dp_answer(public.dp_last_release());

-- Settings
SET quote_all_identifiers = on;
SELECT public.dp_count('*', 1e5) FROM release_texts.item;
SELECT aggregate FROM public.dp_answer(public.dp_last_release());
RESET quote_all_identifiers;
SELECT public.dp_count('*', float8 '100000.125') FROM release_texts.item;
SELECT aggregate FROM public.dp_answer(public.dp_last_release());
SET extra_float_digits = -12;
SELECT public.dp_count('*', float8 '100000.125') FROM release_texts.item;
SELECT aggregate FROM public.dp_answer(public.dp_last_release());
RESET extra_float_digits;
SELECT public.dp_count(text 'a\b', 1e5) FROM release_texts.item;
SELECT aggregate FROM public.dp_answer(public.dp_last_release());
SET escape_string_warning = off;
SET standard_conforming_strings = off;
SELECT public.dp_count(text 'a\\b', 1e5) FROM release_texts.item;
SELECT aggregate FROM public.dp_answer(public.dp_last_release());
RESET standard_conforming_strings;
SELECT public.dp_count('*', 1e5) FROM release_texts.item;
SET search_path = pg_catalog;
SELECT public.dp_count('*', 1e5) FROM release_texts.item;
SELECT aggregate FROM public.dp_answer(public.dp_last_release());
RESET search_path;

-- Another function of that name: for one who has it on her path, and for all
RESET ROLE;
CREATE FUNCTION regress_texts_beth.dp_count("any", float8) RETURNS int LANGUAGE internal AS 'int4um';
SET ROLE regress_texts_ann;
SELECT public.dp_count('*', 1e5) FROM release_texts.item;
SELECT aggregate FROM public.dp_answer(public.dp_last_release());
SET ROLE regress_texts_beth;
SELECT public.dp_count('*', 1e5) FROM release_texts.item;
SELECT aggregate FROM public.dp_answer(public.dp_last_release());
RESET ROLE;
DROP FUNCTION regress_texts_beth.dp_count;
SET ROLE regress_texts_beth;
SELECT public.dp_count('*', 1e5) FROM release_texts.item;
SELECT aggregate FROM public.dp_answer(public.dp_last_release());
RESET ROLE;

-- Another meaning of the name by a cast
SET search_path = release_texts, public;
CREATE TYPE release_texts.box AS (n int);
CREATE FUNCTION release_texts.boxed(int) RETURNS release_texts.box LANGUAGE sql AS 'SELECT ROW($1)::release_texts.box';
CREATE FUNCTION release_texts.dp_count(release_texts.box, float8) RETURNS int LANGUAGE sql AS 'SELECT 1';
GRANT EXECUTE ON FUNCTION release_texts.dp_count TO regress_texts_ann;
SET ROLE regress_texts_ann;
SELECT public.dp_count(1, 1e5) FROM release_texts.item;
SELECT aggregate FROM public.dp_answer(public.dp_last_release());
RESET ROLE;
CREATE CAST (int AS release_texts.box) WITH FUNCTION release_texts.boxed(int) AS IMPLICIT;
SET ROLE regress_texts_ann;
SELECT public.dp_count(1, 1e5) FROM release_texts.item;
SELECT aggregate FROM public.dp_answer(public.dp_last_release());
RESET ROLE;

RESET search_path;
SELECT dp.unprotect('release_texts.item') \g /dev/null
DROP SCHEMA release_texts, regress_texts_beth CASCADE;
DROP ROLE regress_texts_ann, regress_texts_beth;
