-- The table adult, 48,842 people of the 1994 US Census, where shared/data stands beside the tests; :here says whether it does.
\set adult :folder '/../shared/data/adult.csv'
\setenv ADULT :adult
\set here `test -r "$ADULT" && echo yes || echo no`
\if :here
CREATE TABLE adult (id int, split text, age int2, workclass text, fnlwgt int8, education text, education_num int, marital_status text,
    occupation text, relationship text, race text, sex text, capital_gain int, capital_loss numeric, hours_per_week float8,
    native_country text, income text);
\set copy '\\copy adult FROM ' :'adult' ' (FORMAT csv, HEADER)'
:copy
\endif
