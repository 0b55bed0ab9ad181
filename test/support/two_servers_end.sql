-- What two_servers.sql and two_databases.sql made is gone.
\c :before
SET client_min_messages = warning;
DROP SCHEMA :name CASCADE;
DROP DATABASE :first;
DROP DATABASE :second;
DROP ROLE :owner, :reader, :ana;
