-- Nothing of the suite stays, roles are cluster-wide.
RESET SESSION AUTHORIZATION;
SET client_min_messages = warning;
\set ECHO none
DROP SCHEMA own, corpus CASCADE;
DROP OWNED BY corpus_owner, corpus_ana, corpus_bob;
DROP ROLE corpus_owner, corpus_ana, corpus_bob;
