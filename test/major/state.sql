-- What is compared between one major version and another. Without OIDs, which a dump does not keep.
\pset format unaligned
\pset tuples_only on
TABLE dp.budgets ORDER BY relation::text, role::text NULLS FIRST;
TABLE dp.units ORDER BY relation::text;
TABLE dp.protected_table ORDER BY relation::text;
TABLE dp.account ORDER BY relation::text, role::text;
TABLE dp.public_domain ORDER BY relation::text, expression;
TABLE dp.declared_range ORDER BY relation::text;
TABLE dp.answer_policy ORDER BY relation::text;
TABLE dp.continued ORDER BY seq, source::text;
TABLE dp.ledger ORDER BY seq;
TABLE dp.releases ORDER BY release_id;
SELECT relation, finding, run FROM dp.check() WHERE relation IS NOT NULL;
-- Answers that were paid for are free, and the same.
SET ROLE major_ana;
SELECT release_id, answer FROM dp.releases, LATERAL (SELECT string_agg(a::text, ' ' ORDER BY a::text) AS answer FROM dp_answer(release_id) AS a) AS answers
ORDER BY release_id;
SET ROLE major_ben;
SELECT has_table_privilege('clinic.patient', 'SELECT');
