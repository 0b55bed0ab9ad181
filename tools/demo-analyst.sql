-- In the database demo, after the tour: what a curator has done for the role who asks what docs/analyst.md asks. The role may read the
-- plain tables; of admissions, stays and people it sees private answers alone.
SET client_min_messages = error;
SELECT NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'role') AS missing \gset
\if :missing
CREATE ROLE :role LOGIN;
\endif
SELECT dp.harden();
SELECT dp.protect('admissions', 1000);
SELECT dp.protect('people', 1000, privacy_unit => 'patient_id');
SELECT dp.protect('stays', 1000, privacy_unit => 'patient_id', max_groups_per_unit => 2, max_rows_per_group => 5);
SELECT dp.grant_budget(t, :'role', 20) FROM unnest(ARRAY['admissions', 'stays', 'people']::regclass[]) AS t;
SELECT dp.public_values('admissions', $$date_trunc('month', admitted::timestamp)$$,
                        ARRAY(SELECT m::timestamp::text FROM generate_series('2020-01-01'::timestamp, '2024-12-01', '1 month') AS m));
GRANT SELECT ON wards, visits, patients TO :role;
GRANT CREATE ON SCHEMA public TO :role;
