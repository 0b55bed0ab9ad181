#include "guard/rewrite/outer_query.h"

#include "guard/admission/refusal.h"
#include "guard/forms/extension_forms.h"
#include "guard/relations/from_clause.h"
#include "guard/rewrite/aggregate_calls.h"
#include "guard/rewrite/error_calls.h"
#include "guard/rewrite/public_columns.h"
#include "guard/tree/by_number.h"
#include "guard/tree/columns.h"
#include "guard/tree/entries.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

struct Mutation {
  const InnerQueryParts* inner_query;
  GroupedLevel level;
  int depth;
  int looked_up;  // how many columns of public tables have become subqueries
};

Node* column(const InnerQueryParts& inner_query, int number, int depth) {
  const auto* const entry = target_numbered(inner_query.query->targetList, number);
  auto* const shown = reinterpret_cast<Node*>(entry->expr);
  return reinterpret_cast<Node*>(column_showing(1, number, shown, depth));
}

// As the query shows it: of a citext the column within is a text.
Node* column_of_key(const InnerQueryParts& inner_query, int key, int depth) {
  auto* const written = static_cast<Node*>(list_nth(inner_query.keys, key - 1));
  return shown_as(column(inner_query, key, depth), written);
}

Node* answer_column(Node* node, const Mutation& mutation) {
  Node* const seen = mutation.depth == 0 ? node : seen_from(node, mutation.depth);
  ListCell *answer, *number;
  forboth(answer, mutation.inner_query->answers, number, mutation.inner_query->columns) {
    if (equal(lfirst(answer), seen)) return column(*mutation.inner_query, lfirst_int(number), mutation.depth);
  }
  elog(ERROR, "an aggregate is missing in the core of a private query");
  pg_unreachable();
}

// The column of the key that this node is, nullptr where it is none. In a subquery a key is recognised where it is a
// column. A key without columns is a constant expression: grouping sets make NULL of it only where it stands in the
// select list by itself.
Node* key_column(Node* node, const Mutation& mutation) {
  if (mutation.depth > 0 && !(IsA(node, Var) && static_cast<int>(castNode(Var, node)->varlevelsup) == mutation.depth)) {
    return nullptr;
  }
  Node* const seen = mutation.depth == 0 ? node : seen_from(node, mutation.depth);
  ListCell* key;
  foreach (key, mutation.inner_query->keys) {
    if (!equal(lfirst(key), seen) || !contain_var_clause(seen)) continue;
    return column_of_key(*mutation.inner_query, foreach_current_index(key) + 1, mutation.depth);
  }
  return nullptr;
}

// Whether it is dp_error of one of the level's aggregates.
bool is_error_of(Node* node, const Mutation& mutation) {
  if (!is_error_call(node)) return false;
  const Aggref* const answer = asked_error(castNode(FuncExpr, node)).aggregate;
  return answer != nullptr && static_cast<int>(answer->agglevelsup) == mutation.depth;
}

Node* mutate(Node* node, void* context) {
  if (node == nullptr) return nullptr;
  auto* const mutation = static_cast<Mutation*>(context);
  if (IsA(node, Query)) {
    const int before = mutation->looked_up;
    ++mutation->depth;
    Query* const query = pg::mutate_query(castNode(Query, node), mutate, context, 0);
    --mutation->depth;
    query->hasSubLinks = query->hasSubLinks || mutation->looked_up > before;
    return reinterpret_cast<Node*>(query);
  }
  if (is_error_of(node, *mutation)) return answer_column(node, *mutation);
  if (IsA(node, Aggref) && static_cast<int>(castNode(Aggref, node)->agglevelsup) == mutation->depth) {
    return answer_column(node, *mutation);
  }
  if (IsA(node, GroupingFunc) && static_cast<int>(castNode(GroupingFunc, node)->agglevelsup) == mutation->depth) {
    return answer_column(node, *mutation);
  }
  if (!IsA(node, List) && !IsA(node, TargetEntry)) {
    if (Node* const key = key_column(node, *mutation)) return key;
  }
  if (IsA(node, Var) && static_cast<int>(castNode(Var, node)->varlevelsup) == mutation->depth) {
    Node* const found = look_up_column(mutation->level, castNode(Var, node), mutation->depth);
    if (found != nullptr) {
      ++mutation->looked_up;
      return found;
    }
    DP_REFUSE(castNode(Var, node)->location, errmsg("a private query shows a column that it does not group by"),
              errhint("Add the column to GROUP BY; that the primary key is grouped does for public tables alone."));
  }
  return pg::mutate(node, mutate, context);
}

// Whether ORDER BY, DISTINCT or a window refers to that number.
bool is_referred_to(const Query* level, Index reference) {
  const auto in = [reference](List* clauses) {
    ListCell* cell;
    foreach (cell, clauses) {
      if (static_cast<SortGroupClause*>(lfirst(cell))->tleSortGroupRef == reference) return true;
    }
    return false;
  };
  if (in(level->sortClause) || in(level->distinctClause)) return true;
  ListCell* cell;
  foreach (cell, level->windowClause) {
    const auto* const window = static_cast<WindowClause*>(lfirst(cell));
    if (in(window->partitionClause) || in(window->orderClause)) return true;
  }
  return false;
}

// Drops the entries that stood there for GROUP BY alone; the others no longer refer to it.
List* trim(const Query* level, List* entries) {
  List* kept = NIL;
  ListCell* cell;
  foreach (cell, entries) {
    auto* const entry = static_cast<TargetEntry*>(lfirst(cell));
    if (entry->ressortgroupref != 0 && !is_referred_to(level, entry->ressortgroupref)) {
      if (entry->resjunk) continue;
      entry->ressortgroupref = 0;
    }
    kept = lappend(kept, entry);
    entry->resno = static_cast<AttrNumber>(list_length(kept));
  }
  return kept;
}

Index reference_of(const List* clauses, int i) {
  return static_cast<const SortGroupClause*>(list_nth(clauses, i))->tleSortGroupRef;
}

// Target entries that are keys become columns of the inner query; in the others, the keys and aggregates within them
// do.
List* shown(const Query* level, Mutation* mutation) {
  List* entries = NIL;
  ListCell* cell;
  foreach (cell, level->targetList) {
    auto* const entry = static_cast<TargetEntry*>(lfirst(cell));
    int key = entry->ressortgroupref == 0 ? 0 : list_length(level->groupClause);
    while (key > 0 && reference_of(level->groupClause, key - 1) != entry->ressortgroupref) --key;
    auto* const copy = flatCopyTargetEntry(entry);
    copy->expr = reinterpret_cast<Expr*>(key > 0 ? column_of_key(*mutation->inner_query, key, 0)
                                                 : mutate(reinterpret_cast<Node*>(entry->expr), mutation));
    entries = lappend(entries, copy);
  }
  return entries;
}

}  // namespace

void make_outer_query(Query* level, const InnerQueryParts& inner_query) {
  const Query before = *level;
  Mutation mutation{&inner_query, {&before, &inner_query}, 0, 0};
  const auto outer_of = [&mutation](auto* expression) {
    return reinterpret_cast<decltype(expression)>(mutate(reinterpret_cast<Node*>(expression), &mutation));
  };
  level->targetList = trim(level, shown(level, &mutation));
  level->windowClause = outer_of(level->windowClause);
  Node* const having = outer_of(level->havingQual);
  level->hasSubLinks = level->hasSubLinks || mutation.looked_up > 0;
  List* permissions = NIL;
  level->rtable = lcons(entry_of_subquery(inner_query.query, "core"), named_only(level, &permissions));
  pg::set_permissions(level, permissions);
  level->jointree = makeFromExpr(list_make1(item_of(1)), having);
  level->havingQual = nullptr;
  level->groupClause = NIL;
  level->groupingSets = NIL;
  level->groupDistinct = false;
  level->hasAggs = false;
  level->constraintDeps = NIL;
}

}  // namespace dp::guard
