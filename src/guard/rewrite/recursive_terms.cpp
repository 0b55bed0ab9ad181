#include "guard/rewrite/recursive_terms.h"

#include "guard/admission/refusal.h"
#include "guard/rewrite/aggregate_calls.h"
#include "guard/rewrite/free_levels.h"
#include "pg/nodes.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

bool is_row_of_recursion(const RangeTblEntry* entry) { return entry->rtekind == RTE_CTE && entry->self_reference; }

bool reads_recursion(Node* node, void* nothing) {
  if (node == nullptr) return false;
  if (IsA(node, RangeTblEntry)) return is_row_of_recursion(castNode(RangeTblEntry, node));
  if (!IsA(node, Query)) return pg::walk(node, reads_recursion, nothing);
  return pg::walk_query(castNode(Query, node), reads_recursion, nothing, QTW_EXAMINE_RTES_BEFORE);
}

bool asks(Query* level) {
  if (level->hasAggs && aggregates_of(level).ours != NIL) return true;
  return (level->hasAggs || has_keys(level)) && names_denied(level);
}

bool holds_question(Node* node, void* nothing) {
  if (node == nullptr) return false;
  if (!IsA(node, Query)) return pg::walk(node, holds_question, nothing);
  auto* const query = castNode(Query, node);
  return asks(query) || pg::walk_query(query, holds_question, nothing, 0);
}

[[noreturn]] void refuse() {
  DP_REFUSE(-1, errmsg("a private question within WITH RECURSIVE must not depend on rows of the recursion"),
            errhint("Ask once, before it: WITH RECURSIVE a AS (SELECT count(*) AS n FROM t), r AS (SELECT 1 AS i UNION "
                    "ALL SELECT i + 1 FROM r, a WHERE i < a.n) SELECT i FROM r."));
  pg_unreachable();
}

// In an expression of a level. A value that is the same for all of its rows is found before the first of them.
bool holds_question_of_row(Node* node, void* nothing) {
  if (node == nullptr) return false;
  if (IsA(node, SubLink)) {
    const auto* const link = castNode(SubLink, node);
    const bool same = link->testexpr == nullptr && !contain_vars_of_level(link->subselect, 1);
    return (!same && holds_question(link->subselect, nothing)) || holds_question_of_row(link->testexpr, nothing);
  }
  return pg::walk(node, holds_question_of_row, nothing);
}

// Of a level beside whose tables a row of the recursion stands.
void look_beside_row(Query* level) {
  if (pg::walk_query(level, holds_question_of_row, nullptr, QTW_IGNORE_RANGE_TABLE | QTW_IGNORE_CTE_SUBQUERIES))
    refuse();
  ListCell* cell;
  foreach (cell, level->rtable) {
    const auto* const entry = lfirst_node(RangeTblEntry, cell);
    auto* const subquery = reinterpret_cast<Node*>(entry->subquery);
    if (entry->rtekind == RTE_SUBQUERY && contain_vars_of_level(subquery, 1) && holds_question(subquery, nullptr))
      refuse();
  }
}

bool look(Node* node, void* nothing) {
  if (node == nullptr) return false;
  if (!IsA(node, Query)) return pg::walk(node, look, nothing);
  auto* const query = castNode(Query, node);
  if (asks(query) && reads_recursion(node, nothing)) refuse();
  ListCell* cell;
  foreach (cell, query->rtable) {
    if (!is_row_of_recursion(lfirst_node(RangeTblEntry, cell))) continue;
    look_beside_row(query);
    break;
  }
  return pg::walk_query(query, look, nothing, 0);
}

bool look_for_recursion(Node* node, void* nothing) {
  if (node == nullptr) return false;
  if (!IsA(node, Query)) return pg::walk(node, look_for_recursion, nothing);
  auto* const query = castNode(Query, node);
  if (query->hasRecursive) look(reinterpret_cast<Node*>(query->cteList), nothing);
  return pg::walk_query(query, look_for_recursion, nothing, 0);
}

}  // namespace

void refuse_questions_of_recursion(Query* statement) {
  look_for_recursion(reinterpret_cast<Node*>(statement), nullptr);
}

}  // namespace dp::guard
