-- The catalog of budgets: what is protected, who may spend how much, what was charged.
-- Amounts are whole numbers: epsilon in 10^-9, delta in 10^-18. The tables are private to the extension's owner; everyone reads
-- them through the views of 50-budget.sql.

CREATE TABLE dp.protected_table (
    relation regclass PRIMARY KEY,
    epsilon_nano bigint NOT NULL,
    delta_atto bigint NOT NULL,
    query_epsilon_nano bigint, -- the most that one statement may cost; NULL: no such limit
    group_epsilon_nano bigint, -- what a private selection of groups costs for each grouping set; NULL: there is none
    group_delta_atto bigint,
    privacy_unit text,          -- the column that names whose a row is, or the path to it; NULL: each row is a unit of its own
    max_rows_per_unit bigint,   -- limits of what one unit may contribute; NULL: not limited in that way
    max_groups_per_unit bigint,
    max_rows_per_group bigint,
    answer_epsilon_nano bigint, -- of an answer that names none; NULL: a hundredth of the role's budget; -1: there is none
    min_query_epsilon_nano bigint, -- what a charge costs at least; NULL: 10^-6, or the whole budget where that is less
    max_charges bigint,            -- how often the table may be charged; NULL: no such limit
    release_age interval,          -- how old its releases get; NULL: no such limit
    release_numbers bigint,        -- how many of their noisy numbers are stored; NULL: no such limit
    unit_steps text[],          -- the foreign keys of that path as they were declared; NULL: it is a column of the table
    rows_kept text,             -- 'first' or 'latest': which rows count of a unit that has too many; NULL: any, at random
    rows_kept_by text,          -- the column that says which these are
    answer_mechanism dp_mechanism, -- of an answer that names no epsilon; NULL: auto
    accountant text,               -- 'renyi': accounts count Rényi divergences; NULL: epsilon adds up
    conversion_delta_atto bigint,  -- of delta, what is set aside for turning divergences into epsilon; NULL: a half
    period interval, -- how long the limits last; NULL: for ever
    sliding boolean, -- each charge counts that long; false: all count until the period of the calendar ends
    blocks boolean,  -- each partition has a budget of its own; NULL: the table has
    max_blocks_per_unit integer -- in how many of them rows of one unit lie at most; NULL: nothing is said
);

CREATE TABLE dp.account (
    relation regclass,
    role regrole,
    epsilon_nano bigint NOT NULL,
    delta_atto bigint NOT NULL,
    query_epsilon_nano bigint,
    allow_leaks boolean NOT NULL DEFAULT false, -- the role may ask though it sees sizes and counters of tables
    answer_epsilon_nano bigint, -- of the role's answers that name none; NULL: the table's
    max_charges bigint,         -- how often the account may be charged; NULL: no such limit
    answer_mechanism dp_mechanism, -- of the role's answers that name no epsilon; NULL: the table's
    conversion_delta_atto bigint,  -- as of a table; NULL: a half of the account's delta
    period interval, -- as of a table
    sliding boolean,
    PRIMARY KEY (relation, role)
);

-- Declared domains of grouping expressions: public, so everyone may read them.
CREATE TABLE dp.public_domain (
    relation regclass,
    expression text,              -- as key_text writes it (src/budget/policy/grouping_expression.h), whatever the settings of a session
    type regtype NOT NULL,        -- of the expression
    domain_values text[] NOT NULL, -- in that type's text form, sorted
    PRIMARY KEY (relation, expression)
);
GRANT SELECT ON dp.public_domain TO PUBLIC;

-- Append-only, and without a unique index: rows are inserted frozen, and an index that refused one would leave it there.
CREATE TABLE dp.ledger_entry (
    seq bigint NOT NULL,
    charged_at timestamptz NOT NULL,
    role regrole NOT NULL,   -- who asked
    account regrole,         -- whose account paid; NULL: the table's alone
    relation regclass NOT NULL,
    kind text NOT NULL, -- query, relax, share; carried: several of them; closed, reopened: the account, or the role where it has none, and
                        -- nothing was charged; continued: what was spent on the table before it, and continued older: in periods before;
                        -- dropped: amounts taken off, of what had the number before
    epsilon_nano bigint NOT NULL,       -- paid by the account
    delta_atto bigint NOT NULL,
    table_epsilon_nano bigint NOT NULL, -- paid by the table as a whole
    table_delta_atto bigint NOT NULL,
    release_id bigint,
    query text,
    entries bigint, -- of a row of kind carried: how many charges it stands for; NULL: one
    losses text,       -- where divergences are counted: how the account lost what it paid, by kind and parameters; dp.divergences() of it
                       -- are the numbers below. NULL: in some way that is epsilon-DP, with probability delta in any way
    table_losses text, -- and the table
    divergences bigint[],      -- of the account at 16 orders, in 10^-12, rounded up, and in a 17th place, where losses have no bound, how
                               -- many; NULL: at order a the lesser of epsilon and a epsilon^2 / 2
    table_divergences bigint[] -- of the table
);
