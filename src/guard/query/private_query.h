// A private query as it travels through the plan: what its release node must know, and the finished plan of its inner
// query.
//
// A node of its own, which copies whole and prints nothing: whoever asks to see the plan of the statement sees none of
// it.
#pragma once

#include "budget/catalog/known_rows.h"
#include "core/accounting/amount.h"
#include "core/mechanism/sensitivity.h"
#include "guard/query/group_key.h"
#include "pg/planner.h"

namespace dp::guard {

// A protected table as an inner query reads it.
struct ProtectedTable {
  Oid relation;  // the table that was protected
  Oid table;     // the one that is read: that table, or a part of it
  Oid subject;   // whose permissions hold where the table was named in a view (its owner); InvalidOid: the asking role
};

// What the release node must know of its inner query. Everything in it is public.
struct InnerQuery {
  ProtectedTable first;  // whose rows are counted
  List* partners;        // oid: of the protected tables that are joined to it, the three of each
  List* path_tables;     // oid: tables that are read only to tell whose the rows are (rewrite/unit_columns.h)
  List* policy;          // int: of the privacy unit when the inner query was made, as unit_numbers() gives it
  int set_column;        // the inner query's column that tells grouping sets apart, as GROUPING() does; 0 without
  // What the private choice of its groups costs for each grouping set, where no curator has said it; zero: as the table
  // says.
  budget::Amount selection;
  // The inner query's column with the units of a group, for the private choice of groups, 0 without; where `weighed`
  // with their weights (core/mechanism/group_selection.h).
  int count_column;
  bool weighed;
  List* keys;            // GroupKey*
  List* dependent_keys;  // List: of each set of keys that depend on each other, as guard/groups/joint_keys.h has it
  List* conditions;   // on the keys, as guard/groups/pruned_groups.h has them: where one is not true, there is no group
  List* protections;  // const budget::Protection*: of the protected tables as it was made with them; NIL in copies
  List* dependencies;  // what was relied on while planning, as guard/query/plan_dependencies.h has it
  budget::CatalogVersion catalog_version;  // what this session had heard of before the first of them
  List* masks;                             // int: of GROUPING() over all keys, for each grouping set
  List* groupings;   // List of int: a column that holds GROUPING(), then the numbers (from 0) of its keys
  List* aggregates;  // String: the texts of the aggregates
  // Of one privacy unit to the groups of a grouping set. Where its limit is chosen: no rows, and of groups one if it is
  // in no more, else none.
  mechanism::Contribution unit;
  List* limits;  // int: what limits it: rows, groups and rows in one group; NIL: a unit has one row
  List*
      errors;  // List: of each error that is asked, its column, that of its answer and the field of that (Integer), its
               // confidence (Expr), and whether it is the bias (Integer)
  List* once;  // int: the aggregates (from 0) to which a unit contributes one row in a group, whatever it has
  List*
      open;  // int: the aggregates (from 0) whose values have no bounds, where a unit has one row and these alone have a
             // limit that is chosen
  List* distinct;  // int: of each aggregate how many values it can count at most (listed_values.h), 0: any number; NIL:
                   // none says so
  char* unit_text;  // whom an answer hides and what of one unit counts, for EXPLAIN; nullptr: each row is a unit
  bool plain;       // nobody wrote its private aggregates: EXPLAIN shows them
  char* fitted;     // what becomes of its grouping sets with dp.consistent, for EXPLAIN; nullptr: nothing
  List* bounds;     // String: what the bounds of its aggregates rely on, for EXPLAIN
  List* shared;     // String: what is read off each noisy vector, for EXPLAIN
  List* families;  // int: of each aggregate, where some exclude each other, as rewrite/exclusive_arms.h has them; where
                   // a unit has several rows those among whose arms what counts is divided (unit_limit/divided_arms.h)
  List* arms;      // int: likewise
  List*
      same_rows;  // int: of each aggregate, as rewrite/same_rows.h has it. Where limits are chosen those are chosen from
                  // the same counts that have the same number, which is that (from 1) of the first of them; 0: from
                  // counts of its own
  List* curves;   // List of int: of the running totals over its groups that are shown (rewrite/window_curves.h)
  List* failing;     // String: what gives NULL where PostgreSQL's own form raises an error, for EXPLAIN
  List* parameters;  // Expr: what the inner query's parameters $1, $2, ... stand for (values.h)
  List* answers;  // SubLink: of the answers that these refer to (single_answers.h); NIL once the inner query is planned
  List*
      deferred_checks;  // List of String and Node: the place and the call, to be judged again when the values are known
  List* collations;     // oid: all that the inner query uses, to be opened at the start
  List* declared;       // as objects.h has it, of the tables that are read
  List* subqueries;     // List: of each that is run by itself a PublicSubquery (query/public_rows.h)
  bool quiet;           // EXPLAIN may run them, and what it compares with (inner/quiet.h)
  List* row_bounds;     // List: of bounds that are known with public rows, as rewrite/row_bounds.h has them
  Query* question;  // the inner query before units were limited, as guard/reuse/question_text.h has it; nullptr where
                    // no answers to it are stored
  List* tables;     // oid: all tables and views that the inner query may read, as plan_check.h has it

  std::uint64_t number;  // of the plan, in this session: in copies of it, and in them alone, all of this is the same

  // Keys are numbered from 0, as their columns are from 1.
  const GroupKey& key(int number) const { return *static_cast<const GroupKey*>(list_nth(keys, number)); }
  List* key_names() const;  // String

  int sets() const { return list_length(masks); }

  // The protected tables that are read, the first one above and its partners.
  int protected_tables() const { return 1 + list_length(partners) / 3; }
  ProtectedTable protected_table(int i) const { return i == 0 ? first : partner(i); }
  ProtectedTable partner(int i) const;

  // What was protected of all of them, oid, each once, the first one first.
  List* protected_relations() const;

  // Whether nobody has said how much of a unit counts, so that a limit is chosen for that aggregate: its contribution
  // is known afterwards. What is counted once needs none where a unit is in one group, and in no arms.
  bool chooses_limits() const { return limits != NIL && unit.rows == 0; }
  bool chooses_limit(int aggregate) const {
    if (list_member_int(open, aggregate)) return true;
    const bool in_arms = families != NIL && list_nth_int(families, aggregate) > 0;
    return chooses_limits() && (unit.groups == 0 || in_arms || !list_member_int(once, aggregate));
  }

  // Whether what counts of a unit for an aggregate depends on no other that is asked beside it: it has one row, or each
  // aggregate has a limit of its own that is chosen. Those of a family have one for all of them, which each may have by
  // itself as well: which limit it was, only its noise depends on.
  bool limits_each_aggregate() const;

  // The family of the aggregate, where its limit is chosen and is one for all of the family; else 0.
  int divided_family(int aggregate) const {
    return chooses_limits() && families != NIL ? list_nth_int(families, aggregate) : 0;
  }

  // What one privacy unit contributes to that aggregate.
  mechanism::Contribution contribution(int aggregate) const;

  // All that is in it, in the current memory context.
  InnerQuery copy() const;
};

// The inner queries of one planner call. An inner query is marked by its Query.queryId, which copies of the query keep.
class InnerQueries {
 public:
  InnerQueries() = default;
  InnerQueries(const InnerQueries&) = delete;
  InnerQueries& operator=(const InnerQueries&) = delete;

  void add(Query* inner_query, const InnerQuery& what);
  InnerQuery* find(const Query* query) const { return empty() ? nullptr : find_marked(query); }
  bool empty() const { return inner_queries_ == NIL; }

  // Levels are being split, each after those within it. Before that nothing is known to be an answer.
  void begin_splitting() { splitting_ = true; }
  bool splitting() const { return splitting_; }

  // The statement would have become another one for another role, whether or not it has inner queries.
  void note_role() { depends_on_role_ = true; }
  bool depends_on_role() const { return depends_on_role_ || inner_queries_ != NIL; }

 private:
  InnerQuery* find_marked(const Query* query) const;

  List* inner_queries_ = NIL;  // of InnerQuery*
  bool depends_on_role_ = false;
  bool splitting_ = false;
};

// Subqueries lose the numbers that others gave them (compute_query_id, whose hooks see the bodies of functions that are
// inlined): by these numbers parts of a query are marked while it is planned. That of the whole is kept.
void forget_query_ids(Query* query);

struct PrivateQuery {
  ExtensibleNode node;
  InnerQuery inner_query;
  PlannedStmt* plan;
};

// Copies nothing, and gives the inner query its number.
PrivateQuery* make_private_query(const InnerQuery& inner_query, PlannedStmt* plan);

// Makes the kind of node known. Called once, from shared_preload_libraries.
void register_private_query();

}  // namespace dp::guard
