--
-- PostgreSQL database dump
--

\restrict pkF2PQxlbuzsayU8DhzOtjf9Ngga1fGufve85mYsACTiqz9q18A9eRtIOIwe4aE

-- Dumped from database version 15.20 (Debian 15.20-0+deb12u1)
-- Dumped by pg_dump version 15.20 (Debian 15.20-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: clinic; Type: SCHEMA; Schema: -; Owner: postgres
--

CREATE SCHEMA clinic;


ALTER SCHEMA clinic OWNER TO postgres;

--
-- Name: pg_dp; Type: EXTENSION; Schema: -; Owner: -
--

CREATE EXTENSION IF NOT EXISTS pg_dp WITH SCHEMA public;


--
-- Name: EXTENSION pg_dp; Type: COMMENT; Schema: -; Owner: 
--

COMMENT ON EXTENSION pg_dp IS 'Differentially private answers in plain SQL, with exact noise';


--
-- Name: mechanism(public.dp_mechanism); Type: FUNCTION; Schema: clinic; Owner: postgres
--

CREATE FUNCTION clinic.mechanism(public.dp_mechanism) RETURNS text
    LANGUAGE sql
    AS $_$SELECT $1::text$_$;


ALTER FUNCTION clinic.mechanism(public.dp_mechanism) OWNER TO postgres;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: visits; Type: TABLE; Schema: clinic; Owner: postgres
--

CREATE TABLE clinic.visits (
    id integer NOT NULL,
    patient_id integer NOT NULL,
    ward text NOT NULL,
    cost double precision NOT NULL
);


ALTER TABLE clinic.visits OWNER TO postgres;

--
-- Name: answers; Type: VIEW; Schema: clinic; Owner: postgres
--

CREATE VIEW clinic.answers AS
 SELECT visits.ward,
    public.dp_count('*', ('1000000'::numeric)::double precision) AS n,
    public.dp_avg(visits.cost, (0)::double precision, (200)::double precision, ('1000000'::numeric)::double precision) AS mean
   FROM clinic.visits
  GROUP BY visits.ward;


ALTER TABLE clinic.answers OWNER TO postgres;

--
-- Name: forms; Type: VIEW; Schema: clinic; Owner: postgres
--

CREATE VIEW clinic.forms AS
 SELECT visits.id,
    public.dp_add(visits.id, 1) AS next,
    public.dp_div(visits.cost, (2.0)::double precision) AS half,
    public.dp_trunc('month'::text, '2024-05-06 00:00:00'::timestamp without time zone) AS month
   FROM clinic.visits;


ALTER TABLE clinic.forms OWNER TO postgres;

--
-- Name: patient; Type: TABLE; Schema: clinic; Owner: postgres
--

CREATE TABLE clinic.patient (
    id integer NOT NULL,
    born date NOT NULL
);


ALTER TABLE clinic.patient OWNER TO postgres;

--
-- Name: plans; Type: TABLE; Schema: clinic; Owner: postgres
--

CREATE TABLE clinic.plans (
    mechanism public.dp_mechanism
);


ALTER TABLE clinic.plans OWNER TO postgres;

--
-- Name: ward; Type: TABLE; Schema: clinic; Owner: postgres
--

CREATE TABLE clinic.ward (
    ward text NOT NULL
);


ALTER TABLE clinic.ward OWNER TO postgres;

--
-- Data for Name: patient; Type: TABLE DATA; Schema: clinic; Owner: postgres
--

COPY clinic.patient (id, born) FROM stdin;
1	1950-01-02
2	1950-01-03
3	1950-01-04
4	1950-01-05
5	1950-01-06
6	1950-01-07
7	1950-01-08
8	1950-01-09
9	1950-01-10
10	1950-01-11
11	1950-01-12
12	1950-01-13
13	1950-01-14
14	1950-01-15
15	1950-01-16
16	1950-01-17
17	1950-01-18
18	1950-01-19
19	1950-01-20
20	1950-01-21
21	1950-01-22
22	1950-01-23
23	1950-01-24
24	1950-01-25
25	1950-01-26
26	1950-01-27
27	1950-01-28
28	1950-01-29
29	1950-01-30
30	1950-01-31
31	1950-02-01
32	1950-02-02
33	1950-02-03
34	1950-02-04
35	1950-02-05
36	1950-02-06
37	1950-02-07
38	1950-02-08
39	1950-02-09
40	1950-02-10
\.


--
-- Data for Name: plans; Type: TABLE DATA; Schema: clinic; Owner: postgres
--

COPY clinic.plans (mechanism) FROM stdin;
geometric
gaussian(delta=1e-6)
\.


--
-- Data for Name: visits; Type: TABLE DATA; Schema: clinic; Owner: postgres
--

COPY clinic.visits (id, patient_id, ward, cost) FROM stdin;
1	1	south	1
2	2	south	2
3	3	north	3
4	4	south	4
5	5	south	5
6	6	north	6
7	7	south	7
8	8	south	8
9	9	north	9
10	10	south	10
11	11	south	11
12	12	north	12
13	13	south	13
14	14	south	14
15	15	north	15
16	16	south	16
17	17	south	17
18	18	north	18
19	19	south	19
20	20	south	20
21	21	north	21
22	22	south	22
23	23	south	23
24	24	north	24
25	25	south	25
26	26	south	26
27	27	north	27
28	28	south	28
29	29	south	29
30	30	north	30
31	31	south	31
32	32	south	32
33	33	north	33
34	34	south	34
35	35	south	35
36	36	north	36
37	37	south	37
38	38	south	38
39	39	north	39
40	0	south	40
41	1	south	41
42	2	north	42
43	3	south	43
44	4	south	44
45	5	north	45
46	6	south	46
47	7	south	47
48	8	north	48
49	9	south	49
50	10	south	50
51	11	north	51
52	12	south	52
53	13	south	53
54	14	north	54
55	15	south	55
56	16	south	56
57	17	north	57
58	18	south	58
59	19	south	59
60	20	north	60
61	21	south	61
62	22	south	62
63	23	north	63
64	24	south	64
65	25	south	65
66	26	north	66
67	27	south	67
68	28	south	68
69	29	north	69
70	30	south	70
71	31	south	71
72	32	north	72
73	33	south	73
74	34	south	74
75	35	north	75
76	36	south	76
77	37	south	77
78	38	north	78
79	39	south	79
80	0	south	80
81	1	north	81
82	2	south	82
83	3	south	83
84	4	north	84
85	5	south	85
86	6	south	86
87	7	north	87
88	8	south	88
89	9	south	89
90	10	north	90
91	11	south	91
92	12	south	92
93	13	north	93
94	14	south	94
95	15	south	95
96	16	north	96
97	17	south	97
98	18	south	98
99	19	north	99
100	20	south	100
101	21	south	101
102	22	north	102
103	23	south	103
104	24	south	104
105	25	north	105
106	26	south	106
107	27	south	107
108	28	north	108
109	29	south	109
110	30	south	110
111	31	north	111
112	32	south	112
113	33	south	113
114	34	north	114
115	35	south	115
116	36	south	116
117	37	north	117
118	38	south	118
119	39	south	119
120	0	north	120
\.


--
-- Data for Name: ward; Type: TABLE DATA; Schema: clinic; Owner: postgres
--

COPY clinic.ward (ward) FROM stdin;
north
south
\.


--
-- Data for Name: account; Type: TABLE DATA; Schema: dp; Owner: postgres
--

COPY dp.account (relation, role, epsilon_nano, delta_atto, query_epsilon_nano, allow_leaks) FROM stdin;
clinic.visits	upgrade_ana	6000000000000000	0	\N	t
clinic.visits	upgrade_ben	10000000000	0	1000000000	t
clinic.patient	upgrade_ana	50000000000	0	\N	t
\.


--
-- Data for Name: ledger_entry; Type: TABLE DATA; Schema: dp; Owner: postgres
--

COPY dp.ledger_entry (seq, charged_at, role, account, relation, kind, epsilon_nano, delta_atto, table_epsilon_nano, table_delta_atto, release_id, query) FROM stdin;
1	2026-11-22 05:16:48.704449+00	upgrade_ana	upgrade_ana	clinic.visits	query	1000000000000000	0	1000000000000000	0	1	SELECT dp_count('*', 1e6) FROM clinic.visits;
2	2026-11-22 05:16:48.708986+00	upgrade_ana	upgrade_ana	clinic.visits	query	2000000000000000	0	2000000000000000	0	2	SELECT ward, dp_count('*', 1e6) AS visits, dp_sum(cost, 0, 200, 1e6) FROM clinic.visits GROUP BY ward;
3	2026-11-22 05:16:48.709766+00	upgrade_ana	upgrade_ana	clinic.patient	query	500000000	0	500000000	0	3	SELECT dp_count('*', 0.5, 'geometric') AS level FROM clinic.patient;
4	2026-11-22 05:16:48.711771+00	upgrade_ana	upgrade_ana	clinic.patient	relax	2000000000	0	2000000000	0	3	SELECT relax_release(dp_last_release(), 2.5) IS NOT NULL;
5	2026-11-22 05:16:48.71232+00	upgrade_ana	upgrade_ana	clinic.patient	query	500000000	0	500000000	0	4	SELECT dp_median(extract(year FROM born), 1900, 2000, 0.5) IS NOT NULL FROM clinic.patient;
6	2026-11-22 05:16:48.71268+00	upgrade_ben	upgrade_ben	clinic.visits	query	250000000	0	250000000	0	5	SELECT dp_count('*', 0.25) IS NOT NULL FROM clinic.visits;
\.


--
-- Data for Name: protected_table; Type: TABLE DATA; Schema: dp; Owner: postgres
--

COPY dp.protected_table (relation, epsilon_nano, delta_atto, query_epsilon_nano, group_epsilon_nano, group_delta_atto, privacy_unit, max_rows_per_unit, max_groups_per_unit, max_rows_per_group) FROM stdin;
clinic.visits	10000000000000000	1000000000000	5000000000000000	100000000	1000000000	patient_id	3	\N	\N
clinic.patient	100000000000	0	\N	\N	\N	id	\N	\N	\N
\.


--
-- Data for Name: public_domain; Type: TABLE DATA; Schema: dp; Owner: postgres
--

COPY dp.public_domain (relation, expression, type, domain_values) FROM stdin;
clinic.visits	ward	text	{east,north,south}
clinic.visits	(id % 3)	integer	{0,1,2}
\.


--
-- Data for Name: release_aggregate; Type: TABLE DATA; Schema: dp; Owner: postgres
--

COPY dp.release_aggregate (release_id, part, aggregate, name, mechanism, epsilon_nano, sensitivity, coordinates, form, refinement, exponent, lower, range) FROM stdin;
1	0	0	dp_count('*', '1000000'::numeric)	geometric	1000000000000000	3	1	bigint	0	0	0	0
2	0	0	dp_count('*', '1000000'::numeric)	geometric	1000000000000000	3	1	bigint	0	0	0	0
2	0	1	dp_sum(cost, 0, 200, '1000000'::numeric)	laplace	1000000000000000	10066329600	1	float8	0	-24	0	3355443200
3	0	0	dp_count('*', 0.5, 'geometric')	geometric	500000000	1	1	bigint	0	0	0	0
4	0	0	dp_median(EXTRACT(year FROM born), 1900, 2000, 0.5)	auto	500000000	\N	0	bigint	0	0	0	0
5	0	0	dp_count('*', 0.25)	geometric	250000000	3	1	bigint	0	0	0	0
\.


--
-- Data for Name: release_holding; Type: TABLE DATA; Schema: dp; Owner: postgres
--

COPY dp.release_holding (release_id, part, aggregate, role, epsilon_nano) FROM stdin;
3	0	0	upgrade_ana	2500000000
\.


--
-- Data for Name: release_keys; Type: TABLE DATA; Schema: dp; Owner: postgres
--

COPY dp.release_keys (release_id, part, first_group, keys) FROM stdin;
4	0	0	[{}]
3	0	0	[{}]
1	0	0	[{}]
5	0	0	[{}]
2	0	0	[{"ward":"east"},{"ward":"north"},{"ward":"south"}]
\.


--
-- Data for Name: release_level; Type: TABLE DATA; Schema: dp; Owner: postgres
--

COPY dp.release_level (release_id, part, aggregate, level_id, first_group, noisy, noise) FROM stdin;
1	0	0	0	0	\\x78000000000000000000000000000000	\\x00000000000000000000000000000000
2	0	0	0	0	\\x000000000000000000000000000000002800000000000000000000000000000050000000000000000000000000000000	\\x000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
2	0	1	0	0	\\x3c0f0000000000000000000000000000ca2d009c09000000000000000000000040e3ffbf120000000000000000000000	\\x3c0f0000000000000000000000000000ca2d000000000000000000000000000040e3ffffffffffffffffffffffffffff
3	0	0	0	0	\\x2c000000000000000000000000000000	\\x04000000000000000000000000000000
3	0	0	4180220321378786343	0	\\x28000000000000000000000000000000	\\x00000000000000000000000000000000
5	0	0	0	0	\\x7b000000000000000000000000000000	\\x03000000000000000000000000000000
\.


--
-- Data for Name: release_part; Type: TABLE DATA; Schema: dp; Owner: postgres
--

COPY dp.release_part (release_id, part, made_at, role, relation, sets, groups, selection_epsilon_nano, selection_delta_atto, query) FROM stdin;
1	0	2026-11-22 05:16:48.704823+00	upgrade_ana	clinic.visits	1	1	0	0	SELECT dp_count('*', 1e6) FROM clinic.visits;
2	0	2026-11-22 05:16:48.709244+00	upgrade_ana	clinic.visits	1	3	0	0	SELECT ward, dp_count('*', 1e6) AS visits, dp_sum(cost, 0, 200, 1e6) FROM clinic.visits GROUP BY ward;
3	0	2026-11-22 05:16:48.709812+00	upgrade_ana	clinic.patient	1	1	0	0	SELECT dp_count('*', 0.5, 'geometric') AS level FROM clinic.patient;
4	0	2026-11-22 05:16:48.712454+00	upgrade_ana	clinic.patient	1	1	0	0	SELECT dp_median(extract(year FROM born), 1900, 2000, 0.5) IS NOT NULL FROM clinic.patient;
5	0	2026-11-22 05:16:48.712725+00	upgrade_ben	clinic.visits	1	1	0	0	SELECT dp_count('*', 0.25) IS NOT NULL FROM clinic.visits;
\.


--
-- Data for Name: release_path; Type: TABLE DATA; Schema: dp; Owner: postgres
--

COPY dp.release_path (release_id, part, aggregate, epsilon_nano, level_id) FROM stdin;
3	0	0	2500000000	4180220321378786343
\.


--
-- Name: patient patient_pkey; Type: CONSTRAINT; Schema: clinic; Owner: postgres
--

ALTER TABLE ONLY clinic.patient
    ADD CONSTRAINT patient_pkey PRIMARY KEY (id);


--
-- Name: visits visits_pkey; Type: CONSTRAINT; Schema: clinic; Owner: postgres
--

ALTER TABLE ONLY clinic.visits
    ADD CONSTRAINT visits_pkey PRIMARY KEY (id);


--
-- Name: ward ward_pkey; Type: CONSTRAINT; Schema: clinic; Owner: postgres
--

ALTER TABLE ONLY clinic.ward
    ADD CONSTRAINT ward_pkey PRIMARY KEY (ward);


--
-- Name: visits visits_ward_fkey; Type: FK CONSTRAINT; Schema: clinic; Owner: postgres
--

ALTER TABLE ONLY clinic.visits
    ADD CONSTRAINT visits_ward_fkey FOREIGN KEY (ward) REFERENCES clinic.ward(ward);


--
-- Name: SCHEMA clinic; Type: ACL; Schema: -; Owner: postgres
--

GRANT USAGE ON SCHEMA clinic TO upgrade_ana;
GRANT USAGE ON SCHEMA clinic TO upgrade_ben;


--
-- PostgreSQL database dump complete
--

\unrestrict pkF2PQxlbuzsayU8DhzOtjf9Ngga1fGufve85mYsACTiqz9q18A9eRtIOIwe4aE

