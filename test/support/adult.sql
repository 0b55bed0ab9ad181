-- The table adult: 48,842 people of the 1994 US Census, numbered in the order of the file (test/data/README.md).
CREATE TABLE adult (id int, split text, age int2, workclass text, fnlwgt int8, education text, education_num int, marital_status text,
    occupation text, relationship text, race text, sex text, capital_gain int, capital_loss numeric, hours_per_week float8,
    native_country text, income text);
\set file :folder '/test/data/adult.csv.gz'
\setenv ADULT :file
\copy adult FROM PROGRAM 'gzip -dc "$ADULT" | tail -n +2 | nl -w 1 -s ,' (FORMAT csv)
