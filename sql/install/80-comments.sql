-- COMMENTs of what nobody calls by name. Everything else has its own where it is made: tools/reference writes docs/reference.md
-- from them, and sql/surface_manual.sql finds what has none.

COMMENT ON TABLE dp.protected_table IS 'the protected tables: budget, price of groups, privacy unit and its limits';
COMMENT ON TABLE dp.account IS 'the budgets of roles on protected tables';
COMMENT ON TABLE dp.public_domain IS 'public: the values that dp.public_values declared, as texts of the type of their grouping expression';
COMMENT ON TABLE dp.answer_policy IS 'public: how long answers on protected tables are shown again and kept, and whether to other roles, too';
COMMENT ON TABLE dp.stored_answer IS 'answers that are kept to be shown again: whose, to which question, at which epsilon';
COMMENT ON TABLE dp.stored_answer_shown IS 'which of them were shown again, when, to whom; dp.reuse shows it';
COMMENT ON TABLE dp.stored_answer_keys IS 'answers that are kept to be shown again: by which keys they are grouped';
COMMENT ON TABLE dp.stored_answer_aggregate IS 'answers that are kept to be shown again: by which aggregates they are found';
COMMENT ON TABLE dp.stored_answer_place IS 'answers that are kept to be shown again: in which order they were stored';
COMMENT ON TABLE dp.stored_answer_rows IS 'answers that are kept to be shown again: their rows';
COMMENT ON TABLE dp.ledger_entry IS 'what was charged, append-only; dp.ledger shows it';
COMMENT ON TABLE dp.release_part IS 'stored answers: the query levels of charged statements; dp.releases shows them';
COMMENT ON TABLE dp.release_aggregate IS 'stored answers: the aggregates of a level, and how its integers become answers';
COMMENT ON TABLE dp.release_keys IS 'stored answers: the group keys';
COMMENT ON TABLE dp.release_level IS 'stored answers: noisy integers and their noise at one epsilon; whoever reads the noise can take it away';
COMMENT ON TABLE dp.release_path IS 'stored answers: the levels at larger epsilons that were drawn';
COMMENT ON TABLE dp.release_holding IS 'stored answers: which role has paid for which level';
COMMENT ON TABLE dp.release_forgotten IS 'answers that are not stored any more: whose they were, on which table, and since when';

COMMENT ON EVENT TRIGGER dp_hardening IS 'says at once when a command opens again what dp.harden() has closed';

COMMENT ON CAST (text AS dp_mechanism) IS 'reads the name or name(key=value, ...) of a mechanism';
COMMENT ON CAST (varchar AS dp_mechanism) IS 'reads the name or name(key=value, ...) of a mechanism';
COMMENT ON OPERATOR CLASS dp_mechanism_ops USING btree IS 'the order of the texts of mechanisms, byte by byte, for DISTINCT';
COMMENT ON OPERATOR FAMILY dp_mechanism_ops USING btree IS 'the order of the texts of mechanisms, byte by byte, for DISTINCT';

DO $$
DECLARE
    one record;
    said text;
BEGIN
    FOR one IN SELECT oid::regoperator AS operator FROM pg_operator WHERE oprleft = 'dp_mechanism'::regtype LOOP
        EXECUTE format('COMMENT ON OPERATOR %s IS %L', one.operator, 'compares the texts of mechanisms, byte by byte');
    END LOOP;
    FOR one IN
        SELECT p.oid::regprocedure AS function, p.proname AS name FROM pg_proc p
        WHERE p.pronamespace = 'dp_internal'::regnamespace AND p.prokind = 'f' AND obj_description(p.oid, 'pg_proc') IS NULL
    LOOP
        said := CASE
            WHEN one.name ~ '^dp_mechanism_(in|out|recv|send)$' THEN 'input or output of dp_mechanism'
            WHEN one.name ~ '^dp_mechanism_' THEN 'comparison of dp_mechanism'
            WHEN one.name ~ '_add$' THEN 'takes a row into the state of an aggregate'
            WHEN one.name ~ '_answer' THEN 'the answer of an aggregate from its state'
            WHEN one.name ~ '^dp_(state|units)_' THEN 'carries the state of an aggregate between parallel workers'
            WHEN one.name ~ '^read_' THEN 'the rows of the view of that name in schema dp'
            WHEN one.name = 'ledger_written' THEN 'trigger: makes running totals be added up anew after a write by hand'
            WHEN one.name = 'hardening_watched' THEN 'event trigger: warns when what dp.harden() has closed is open again'
            WHEN one.name = 'lagging_standbys' THEN 'asynchronous standbys, as far as the caller may see them'
        END;
        IF said IS NOT NULL THEN
            EXECUTE format('COMMENT ON FUNCTION %s IS %L', one.function, said);
        END IF;
    END LOOP;
END
$$;
