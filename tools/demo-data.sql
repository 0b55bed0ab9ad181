-- A hospital: 40,000 patients and 200,000 visits, the same on every machine. Every figure comes from hashes of row
-- numbers; there is no random() here. Some ages and costs are unknown (NULL), some are typing errors far off.

-- The stream-th uniform number in [0, 1) of a row.
CREATE FUNCTION pg_temp.uniform(id bigint, stream bigint) RETURNS float8
    LANGUAGE sql IMMUTABLE AS
$$ SELECT (hashint8extended(id, stream) & 9007199254740991) / 9007199254740992::float8 $$;

-- The same with the standard normal law (Box, Muller).
CREATE FUNCTION pg_temp.normal(id bigint, stream bigint) RETURNS float8
    LANGUAGE sql IMMUTABLE AS
$$ SELECT sqrt(-2 * ln(1 - pg_temp.uniform(id, stream))) * cos(2 * pi() * pg_temp.uniform(id, stream + 1000)) $$;

SET client_min_messages = warning; -- silent where there is nothing to drop
DROP TABLE IF EXISTS visits, patients, wards;

CREATE TABLE wards (
    ward text PRIMARY KEY,
    share float8 NOT NULL,        -- of all visits, from `share` of the one before up to this one
    typical_age float8 NOT NULL,
    typical_cost float8 NOT NULL, -- of a day
    typical_days float8 NOT NULL
);
INSERT INTO wards VALUES
    ('cardiology', 0.18, 64, 640, 4),
    ('emergency', 0.46, 41, 310, 0.6),
    ('geriatrics', 0.56, 81, 330, 9),
    ('maternity', 0.66, 31, 480, 3),
    ('oncology', 0.76, 60, 910, 6),
    ('orthopedics', 0.90, 52, 560, 5),
    ('pediatrics', 0.99985, 8, 420, 2),
    ('transplants', 1.00, 47, 2400, 16);

CREATE TABLE patients (
    patient_id integer PRIMARY KEY,
    born integer NOT NULL,
    home_ward text NOT NULL REFERENCES wards, -- where most of the visits are
    sex text NOT NULL
);
INSERT INTO patients
SELECT id,
       2024 - least(103, greatest(0, round(typical_age + 9 * pg_temp.normal(id, 1))))::int,
       ward,
       CASE WHEN ward = 'maternity' OR pg_temp.uniform(id, 3) < 0.5 THEN 'f' ELSE 'm' END
FROM generate_series(1, 40000) AS id,
     LATERAL (SELECT * FROM wards WHERE pg_temp.uniform(id, 2) < share ORDER BY share LIMIT 1) AS w;

CREATE TABLE visits (
    visit_id integer PRIMARY KEY,
    patient_id integer NOT NULL REFERENCES patients,
    ward text NOT NULL REFERENCES wards,
    admitted date NOT NULL,
    days integer NOT NULL,
    age integer,       -- at admission; unknown for 1 in 80, off by a typing error for 1 in 2,000
    cost numeric(12, 2) -- NULL while the bill is open; 1 in 5,000 has lost its decimal point
);
-- The first 40,000 visits are one of each patient; the others come more often from few.
INSERT INTO visits
SELECT id, patient_id, w.ward, admitted, days,
       CASE WHEN pg_temp.uniform(id, 13) < 0.0125 THEN NULL
            WHEN pg_temp.uniform(id, 13) < 0.0130 THEN 999
            ELSE greatest(0, extract(year FROM admitted)::int - born) END,
       CASE WHEN pg_temp.uniform(id, 14) < 0.03 THEN NULL
            WHEN pg_temp.uniform(id, 14) < 0.0302 THEN 100 * bill
            ELSE bill END
FROM generate_series(1, 200000) AS id,
     LATERAL (SELECT CASE WHEN id <= 40000 THEN id
                          ELSE 1 + floor(40000 * power(pg_temp.uniform(id, 5), 1.2))::int END AS patient) AS who
     JOIN patients AS p ON p.patient_id = who.patient,
     LATERAL (SELECT CASE WHEN pg_temp.uniform(id, 6) < 0.25 THEN 'emergency' ELSE p.home_ward END AS ward) AS place
     JOIN wards AS w ON w.ward = place.ward,
     LATERAL (SELECT date '2020-01-01' + floor(1826 * pg_temp.uniform(id, 7))::int AS admitted,
                     floor(-typical_days * ln(1 - pg_temp.uniform(id, 8)))::int AS days) AS stay,
     LATERAL (SELECT round((typical_cost * (days + 0.5) * exp(0.45 * pg_temp.normal(id, 9)))::numeric, 2) AS bill) AS money;

CREATE INDEX ON visits (patient_id);
ALTER TABLE wards DROP COLUMN share;
VACUUM ANALYZE;
