// Subqueries in FROM that read public tables only, whatever they do with them: group, sort, limit, number, unite.
//
//   SELECT d.region, count(*) FROM visits v JOIN (SELECT ward, max(region) AS region FROM beds GROUP BY ward) d
//   ON d.ward = v.ward GROUP BY d.region
//
// Such a subquery is a statement that the asker may send by himself. So it is run as one when an execution starts: as
// the asker, under the asker's settings, to its end, before anything is charged, and with nothing of the private query
// in its plan. An error in it tells of public rows alone. The inner query reads the rows that came of it, which stand
// in the place of the subquery as a table of no name.
//
// Each of its rows is known before the charge. So it is seen from them whether they are told apart by the columns by
// which they are joined, which values group keys have, and whether a question is the same as an older one.
#pragma once

#include <optional>

#include "budget/policy/domains.h"
#include "pg/planner.h"

namespace dp::guard {

// Of one execution.
struct PublicRows {
  TupleDesc shape;
  int count;
  NullableDatum* values;  // of the first row, then of the second, ...
  Tuplestorestate* store;
  Size longest;  // bytes of a row

  const NullableDatum& at(int row, int column) const { return values[row * shape->natts + column - 1]; }
};

// The most rows of one. What is kept of their values has its limit, too.
inline constexpr int kMostPublicRows = 100'000;
using budget::kMostPublicBytes;

// What an inner query knows of one of its subqueries, in lists, which a plan can hold.
struct PublicSubquery {
  Node* query;       // Query; PlannedStmt, once the statement has been planned
  const char* name;  // as the statement calls it
  List* columns;     // int: those by which it is joined, and which have to tell its rows apart
  List* collations;  // oid: in which these are compared
  bool preserved;    // rows that are joined to nothing are groups all the same
  bool several;      // a row may find several of its rows
  int value;         // the inner query's parameter that stands in the question for what its rows are

  List* as_list() const;
  static PublicSubquery of(const List* list);
};

// The entry in the place of the subquery of that number, from 1; `as`: the entry of the subquery.
RangeTblEntry* entry_of_public_rows(const RangeTblEntry* as, const Query* subquery, int number);

// The number of the subquery in whose place the entry is; 0 for other entries.
int number_in_name(const RangeTblEntry* entry);
inline int number_of_public_rows(const RangeTblEntry* entry) {
  return entry->rtekind == RTE_NAMEDTUPLESTORE ? number_in_name(entry) : 0;
}

// What stands in a private call for a bound that is known with such rows (rewrite/row_bounds.h): of the two that have
// one number, the lower or the upper one. Without a number (-1) where the call has just been made.
Node* bound_of_rows(int number, bool upper);

// That number and end; nothing for other nodes.
struct BoundOfRows {
  int number;
  bool upper;
};
inline std::optional<BoundOfRows> as_bound_of_rows(const Node* node) {
  if (!IsA(node, Param)) return std::nullopt;
  const auto* const param = reinterpret_cast<const Param*>(node);
  if (param->paramkind != PARAM_SUBLINK) return std::nullopt;
  return BoundOfRows{param->paramid / 2 - 1, param->paramid % 2 != 0};
}

// Whether such a bound is among the arguments of the call.
inline bool has_bounds_of_rows(const Aggref* call) {
  ListCell* cell;
  foreach (cell, call->args) {
    if (as_bound_of_rows(reinterpret_cast<Node*>(lfirst_node(TargetEntry, cell)->expr))) return true;
  }
  return false;
}

// What lets the inner query find them. `rows`: of each of the subqueries, of which there are so many.
QueryEnvironment* environment_of(const PublicRows* rows, int count);

}  // namespace dp::guard
