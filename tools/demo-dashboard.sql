-- What a curator does before a BI tool connects (docs/bi-tools.md), with the data of tools/demo-data.sql: psql variables say the budget,
-- what each answer costs, and the role with its password.
SET client_min_messages = error;
SELECT NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'role') AS missing \gset
\if :missing
CREATE ROLE :role;
\endif
ALTER ROLE :role LOGIN PASSWORD :'password';
SELECT dp.harden();
SELECT dp.protect('visits', :budget, answer_epsilon => :epsilon, reuse => '1 day');
SELECT dp.grant_budget('visits', :'role', :budget);
SELECT dp.declare_values('visits', 'ward', VARIADIC ARRAY(SELECT ward FROM wards));
SELECT dp.declare_range('visits', 'age', 0, 110), dp.declare_range('visits', 'cost', 0, 50000),
       dp.declare_range('visits', 'days', 0, 100), dp.declare_range('visits', 'admitted', '2020-01-01', '2024-12-31');
SELECT dp.expose('visits');
