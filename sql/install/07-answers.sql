-- Answers that were charged, kept to be shown again, and what curators say of that. Private to the extension's owner.

CREATE TABLE dp.answer_policy (
    relation regclass PRIMARY KEY,
    reuse_seconds bigint NOT NULL, -- how old an answer may be that is shown again
    keep_seconds bigint NOT NULL,  -- how old a stored answer becomes
    keep_bytes bigint NOT NULL,    -- how many bytes all of them may take
    share_answers boolean NOT NULL -- they serve other roles, too
);
GRANT SELECT ON dp.answer_policy TO PUBLIC;

-- Rows are inserted frozen, as the ledger's are; this one last, when those of dp.stored_answer_rows are there. Found by a hash of the
-- question, which is then compared whole. Not dumped: in another cluster the numbers of tables and functions mean something else.
CREATE TABLE dp.stored_answer (
    question_hash bigint NOT NULL,
    answer_id bigint NOT NULL,
    made_at timestamptz NOT NULL, -- when its rows were read
    role regrole NOT NULL,        -- who was shown it, and paid
    relation regclass NOT NULL,
    release_id bigint NOT NULL,   -- where its noise is kept; 0: nowhere
    part integer NOT NULL,
    row_count bigint NOT NULL,
    bytes bigint NOT NULL,
    question bytea NOT NULL,      -- the digest of what src/guard/reuse/question_text.h writes
    aggregates bytea NOT NULL,    -- of each its epsilon, its delta, how it was answered, and the digest of its text
    rows_hash bigint NOT NULL,    -- by which dp.stored_answer_keys has it; 0: it has not
    partners regclass[]           -- other protected tables that were joined to that one; NULL: none
);
CREATE INDEX ON dp.stored_answer (question_hash, answer_id);
-- Read at each question: not compressed, and in the row as long as that fits a page.
ALTER TABLE dp.stored_answer SET (toast_tuple_target = 8160);
ALTER TABLE dp.stored_answer ALTER COLUMN question SET STORAGE EXTERNAL, ALTER COLUMN aggregates SET STORAGE EXTERNAL;

CREATE TABLE dp.stored_answer_rows (
    answer_id bigint NOT NULL,
    first_row bigint NOT NULL,
    row_count bigint NOT NULL,
    chunk bytea NOT NULL          -- src/budget/answers/answer_rows.h
);
CREATE INDEX ON dp.stored_answer_rows (answer_id);
ALTER TABLE dp.stored_answer_rows ALTER COLUMN chunk SET STORAGE EXTERNAL;

-- Of grouped answers by what they can be rolled up: found by a hash of what their rows are, without the keys.
CREATE TABLE dp.stored_answer_keys (
    rows_hash bigint NOT NULL,
    answer_id bigint NOT NULL,
    question_hash bigint NOT NULL,
    question_rows bytea NOT NULL,   -- the digest of what they are: src/guard/reuse/roll_up.h
    question_keys text NOT NULL,    -- the keys as a tree, and what their groups rely on
    question_groups bytea NOT NULL  -- the digest of all values of each key
);
CREATE INDEX ON dp.stored_answer_keys (rows_hash);

-- By which aggregates an answer is found: hashes of the question with each of its aggregates, and with each thing that the numbers of
-- one say. Other aggregates of the same rows are not looked at.
CREATE TABLE dp.stored_answer_aggregate (
    aggregate_hash bigint NOT NULL,
    answer_id bigint NOT NULL
);
CREATE INDEX ON dp.stored_answer_aggregate (aggregate_hash, answer_id);

-- For each of its protected tables where an answer stands in the order in which they were stored: the oldest ones go first, without a
-- look at all the others.
CREATE TABLE dp.stored_answer_place (
    relation_number bigint NOT NULL, -- a protected table that it is about
    position bigint NOT NULL,        -- the bytes of it and of those that came before
    question_hash bigint NOT NULL,
    answer_id bigint NOT NULL
);
CREATE INDEX ON dp.stored_answer_place (relation_number, position);

-- That an answer was shown again: to each role once a minute at most, and as long as the answer is stored.
CREATE TABLE dp.stored_answer_shown (
    answer_id bigint NOT NULL,
    shown_at timestamptz NOT NULL,
    role regrole NOT NULL,
    relation regclass NOT NULL,
    application_name text NOT NULL,
    query text
);
CREATE INDEX ON dp.stored_answer_shown (answer_id);

SELECT pg_catalog.pg_extension_config_dump('dp.answer_policy', 'WHERE relation IN (SELECT oid FROM pg_catalog.pg_class)');
