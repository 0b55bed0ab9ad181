#include "guard/admission/row_limits.h"

#include <algorithm>

#include "guard/admission/growth.h"
#include "guard/admission/refusal.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// What rows can hold, of all levels of an inner query.
struct Rows {
  int columns = 0;         // of the widest
  std::int64_t bytes = 0;  // made by all levels together
};

// A query level: what its rows hold from where they are read until they are shown.
struct Level {
  const Level* outer;
  const Query* query;
  bool counts_equal;  // equal aggregates once: the planner makes one of them, and looking for them takes time
  Rows* rows;
  Bitmapset** read;  // of each entry of the range table: its columns that the level names
  int joined;        // columns of subqueries that the planner may make part of it
  int aggregates;
  List* different;     // these
  int windows;         // calls of window functions
  bool orders_itself;  // an aggregate reads its values in an order
};

int position_of(int column) { return column - FirstLowInvalidHeapAttributeNumber; }

void read(const Var* column, Level* level) {
  const Level* of = level;
  for (Index up = column->varlevelsup; up > 0 && of != nullptr; --up) of = of->outer;
  if (of == nullptr || column->varno < 1 || column->varno > list_length(of->query->rtable)) return;
  Bitmapset** const columns = &of->read[column->varno - 1];
  *columns = bms_add_member(*columns, position_of(column->varattno));
}

void count(Aggref* aggregate, Level* level) {
  level->orders_itself = level->orders_itself || aggregate->aggorder != NIL || aggregate->aggdistinct != NIL;
  if (!level->counts_equal) {
    ++level->aggregates;
    return;
  }
  level->different = list_append_unique(level->different, aggregate);
  level->aggregates = list_length(level->different);
}

// Whether the planner may read its tables as those of the level around it.
bool may_become_part(const Query* query) {
  return !query->hasAggs && !query->hasWindowFuncs && query->groupClause == NIL && query->groupingSets == NIL &&
         query->distinctClause == NIL && query->limitCount == nullptr && query->limitOffset == nullptr;
}

void measure(Query* query, Level* outer, bool in_condition, bool counts_equal, Rows* rows);

bool visit(Node* node, void* context) {
  if (node == nullptr) return false;
  auto* const level = static_cast<Level*>(context);
  if (IsA(node, Query)) {
    measure(castNode(Query, node), level, false, level->counts_equal, level->rows);
    return false;
  }
  if (IsA(node, SubLink)) {
    measure(castNode(Query, castNode(SubLink, node)->subselect), level, true, level->counts_equal, level->rows);
    return visit(castNode(SubLink, node)->testexpr, context);
  }
  if (IsA(node, Var)) read(castNode(Var, node), level);
  if (IsA(node, Aggref) && castNode(Aggref, node)->agglevelsup == 0) count(castNode(Aggref, node), level);
  if (IsA(node, WindowFunc)) ++level->windows;
  return pg::walk(node, visit, context);
}

Bitmapset* references(Bitmapset* found, List* clauses) {
  ListCell* cell;
  foreach (cell, clauses)
    found = bms_add_member(found, static_cast<int>(lfirst_node(SortGroupClause, cell)->tleSortGroupRef));
  return found;
}

// What it groups, sorts and numbers by.
int clauses_of(const Query* query) {
  Bitmapset* found = references(nullptr, query->groupClause);
  found = references(references(found, query->distinctClause), query->sortClause);
  ListCell* cell;
  foreach (cell, query->windowClause) {
    const auto* const window = lfirst_node(WindowClause, cell);
    found = references(references(found, window->partitionClause), window->orderClause);
  }
  return bms_num_members(found);
}

// The tables' rows, joined, beside what is computed of them; then groups; then groups with numbers; then what is shown.
int columns_of(const Level& level) {
  const Query& query = *level.query;
  int read = level.joined;
  for (int table = 0; table < list_length(query.rtable); ++table) read += bms_num_members(level.read[table]);
  const int clauses = clauses_of(&query);
  const int groups = (query.hasAggs || query.groupClause != NIL) ? clauses + level.aggregates : read + clauses;
  const int shown = list_length(query.targetList) + (level.outer == nullptr ? kBehindAnswers : 0);
  return std::max({read + clauses + level.orders_itself, groups + level.windows, shown});
}

void measure(Query* query, Level* outer, bool in_condition, bool counts_equal, Rows* rows) {
  Level here{outer, query, counts_equal, rows, nullptr, 0, 0, NIL, 0, false};
  here.read = static_cast<Bitmapset**>(palloc0(sizeof(Bitmapset*) * static_cast<Size>(list_length(query->rtable) + 1)));
  pg::walk_query(query, visit, &here, 0);
  const int columns = columns_of(here);
  rows->columns = std::max(rows->columns, columns);
  if (outer != nullptr && (in_condition || may_become_part(query)))
    outer->joined += columns + list_length(query->targetList);
  ListCell* cell;
  foreach (cell, query->targetList)
    rows->bytes += most_bytes_made(reinterpret_cast<Node*>(lfirst_node(TargetEntry, cell)->expr));
}

}  // namespace

void refuse_columns(int aggregates, int columns) {
  // In rows that are as wide for each of them, with some room.
  const int fewer = aggregates * (kMostColumns - 8) / columns;
  const int about = fewer >= 100 ? fewer / 100 * 100 : fewer;
  const char* const what = aggregates == 1 ? "1 aggregate" : psprintf("%d aggregates", aggregates);
  DP_REFUSE(-1,
            errmsg("a private query of %s would need rows of %d columns, and PostgreSQL has rows of at most %d", what,
                   columns, kMostColumns),
            about > 0 ? errhint("Ask in several queries, of about %d such aggregates each.", about)
                      : errhint("Let it read and compute fewer columns."));
  pg_unreachable();
}

void require_possible_rows(Query* inner, const InnerQuery& inner_query) {
  Rows rows;
  measure(inner, nullptr, false, false, &rows);
  if (rows.columns > kMostColumns) {
    rows = {};
    measure(inner, nullptr, false, true, &rows);
  }
  if (rows.columns > kMostColumns) refuse_columns(list_length(inner_query.aggregates), rows.columns);
  if (rows.bytes <= kMostRowBytes) return;
  DP_REFUSE(-1,
            errmsg("the values that a private query makes of a row could have %lld MB together, and may have %lld",
                   static_cast<long long>((rows.bytes >> 20) + 1), static_cast<long long>(kMostRowBytes >> 20)),
            errhint("Group by and compute less in one query, or shorter texts: x::varchar(100)."));
}

}  // namespace dp::guard
