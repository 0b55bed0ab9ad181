#include "guard/rewrite/joined_answers.h"

#include <functional>
#include <optional>

#include "guard/admission/refusal.h"
#include "guard/relations/from_clause.h"
#include "guard/relations/protected_reads.h"
#include "guard/rewrite/free_levels.h"
#include "guard/tree/by_number.h"
#include "guard/tree/columns.h"
#include "guard/tree/entries.h"
#include "guard/tree/fault.h"
#include "guard/tree/replacements.h"
#include "pg/joins.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// ---- the keys of a subquery of answers ------------------------------------------------------------------------------

// The columns (int) of the group keys of a query that is one of answers; nothing for another query.
using OwnKeys = std::function<std::optional<List*>(const Query*)>;

std::optional<List*> keys_of_inner(const InnerQuery* inner) {
  if (inner == nullptr || inner->sets() != 1 || inner->keys == NIL) return std::nullopt;
  List* keys = NIL;
  for (int key = 1; key <= list_length(inner->keys); ++key) keys = lappend_int(keys, key);
  return keys;
}

// Of a level that stays whole, as it is written.
std::optional<List*> keys_of_groups(const Query* query) {
  if (query->commandType != CMD_SELECT || query->setOperations != nullptr || query->hasTargetSRFs ||
      query->groupClause == NIL || query->groupingSets != NIL || query->rowMarks != NIL)
    return std::nullopt;
  List* keys = NIL;
  ListCell* cell;
  foreach (cell, query->groupClause) {
    const auto* const shown = get_sortgroupclause_tle(lfirst_node(SortGroupClause, cell), query->targetList);
    if (shown->resjunk) return std::nullopt;
    keys = lappend_int(keys, shown->resno);
  }
  return keys;
}

// The columns (int) of a query's result that together tell its rows apart: the group keys of the answers that it reads.
// Nothing for another query.
std::optional<List*> keys_of_answers(const Query* query, const OwnKeys& own) {
  if (const auto keys = own(query)) return keys;
  const bool reads_one = query->commandType == CMD_SELECT && query->setOperations == nullptr && !query->hasTargetSRFs &&
                         !query->hasAggs && query->groupClause == NIL && query->groupingSets == NIL &&
                         query->rowMarks == NIL && list_length(query->jointree->fromlist) == 1 &&
                         IsA(linitial(query->jointree->fromlist), RangeTblRef);
  if (!reads_one) return std::nullopt;
  const int read = linitial_node(RangeTblRef, query->jointree->fromlist)->rtindex;
  const RangeTblEntry* const entry = entry_numbered(read, query->rtable);
  if (entry->rtekind != RTE_SUBQUERY || entry->lateral) return std::nullopt;
  const auto below = keys_of_answers(entry->subquery, own);
  if (!below) return std::nullopt;
  List* keys = NIL;
  ListCell *key, *cell;
  foreach (key, *below) {
    int shown = 0;
    foreach (cell, query->targetList) {
      const auto* const column = lfirst_node(TargetEntry, cell);
      if (column->resjunk || !IsA(column->expr, Var)) continue;
      const auto* const var = castNode(Var, column->expr);
      if (var->varlevelsup == 0 && var->varno == read && var->varattno == lfirst_int(key)) shown = column->resno;
    }
    if (shown == 0) return std::nullopt;
    keys = lappend_int(keys, shown);
  }
  return keys;
}

// ---- conditions -----------------------------------------------------------------------------------------------------

bool is_key(const Query* level, Node* expression) {
  ListCell* cell;
  foreach (cell, level->groupClause) {
    if (equal(get_sortgroupclause_expr(lfirst_node(SortGroupClause, cell), level->targetList), expression)) return true;
  }
  return false;
}

Node* without_relabel(Node* node) {
  while (IsA(node, RelabelType)) node = reinterpret_cast<Node*>(castNode(RelabelType, node)->arg);
  return node;
}

// The column of the entry that the condition says to be equal to a key of the level, by the equality of their type; 0
// for others.
int joined_column(const Query* level, Node* condition, int number) {
  const bool same = IsA(condition, BoolExpr) && castNode(BoolExpr, condition)->boolop == NOT_EXPR &&
                    IsA(linitial(castNode(BoolExpr, condition)->args), DistinctExpr);
  if (same) condition = static_cast<Node*>(linitial(castNode(BoolExpr, condition)->args));
  if (!same && !IsA(condition, OpExpr)) return 0;
  const auto* const op = reinterpret_cast<const OpExpr*>(condition);
  const bool exact = !OidIsValid(op->inputcollid) || get_collation_isdeterministic(op->inputcollid);
  if (list_length(op->args) != 2 || !exact) return 0;
  for (const int side : {0, 1}) {
    auto* const column = without_relabel(static_cast<Node*>(list_nth(op->args, side)));
    auto* const key = static_cast<Node*>(list_nth(op->args, 1 - side));
    if (!IsA(column, Var) || castNode(Var, column)->varno != number || castNode(Var, column)->varlevelsup != 0)
      continue;
    if (!is_key(level, key) && !is_key(level, without_relabel(key))) continue;
    const Oid equality =
        lookup_type_cache(exprType(static_cast<Node*>(list_nth(op->args, side))), TYPECACHE_EQ_OPR)->eq_opr;
    if (op->opno == equality) return castNode(Var, column)->varattno;
  }
  return 0;
}

// ---- the level's FROM -----------------------------------------------------------------------------------------------

void refuse_where_denied(const Query* level, FromExpr* from, List* levels, int number) {
  if (!reads_denied_beside(level, from, levels, number)) return;
  DP_REFUSE(
      -1,
      errmsg("subquery %s of answers is joined to rows of a protected table, not to groups",
             entry_numbered(number, level->rtable)->eref->aliasname),
      errhint("Join it on all its group keys, each by an equality to a key by which the query groups, too: SELECT "
              "s.ward, count(*) FROM visits s JOIN (SELECT ward FROM visits GROUP BY ward ORDER BY count(*) DESC "
              "LIMIT 3) top ON s.ward = top.ward GROUP BY s.ward. What is asked of each person groups by the "
              "privacy unit, is joined on it, and as a CTE is read there alone."));
}

// False where it stays.
bool take(Query* level, List* levels, int number, List* keys, JoinedAnswers* joined) {
  RangeTblEntry* const entry = entry_numbered(number, level->rtable);
  Query without = *level;
  FromExpr* const from = without.jointree = static_cast<FromExpr*>(copyObjectImpl(level->jointree));
  List* conditions = conditions_in(from->quals);
  if (!take_out_of_from(from, number, &conditions)) return false;
  List *others = NIL, *own = NIL;
  Bitmapset* equal_columns = nullptr;
  bool by_others = false;  // joined, or used, otherwise than by its keys
  ListCell* cell;
  foreach (cell, conditions) {
    auto* const condition = static_cast<Node*>(lfirst(cell));
    if (!uses_in(condition, number).any()) {
      others = lappend(others, condition);
      continue;
    }
    const int column = joined_column(level, condition, number);
    by_others = by_others || column == 0;
    equal_columns = bms_add_member(equal_columns, column);
    own = lappend(own, condition);
  }
  foreach (cell, keys) by_others = by_others || !bms_is_member(lfirst_int(cell), equal_columns);
  from->quals = all_of(others);
  if (by_others || uses_of(&without, number).any()) {
    refuse_where_denied(level, from, levels, number);
    return false;
  }
  leave_unread(&without, number);
  *level = without;
  joined->entries = lappend(joined->entries, entry);
  joined->numbers = lappend_int(joined->numbers, number);
  joined->conditions = list_concat(joined->conditions, own);
  return true;
}

// ---- above the noise ------------------------------------------------------------------------------------------------

// From the level, which has been split, to the outer query: keys are columns of the answers, and the entries that were
// taken have other numbers there. Nothing else stands in their conditions.
struct Above {
  const JoinedAnswers* joined;
  const InnerQueryParts* inner_query;
  int first;  // the number of the first of them in the outer query
};

Node* above(Node* node, void* context) {
  if (node == nullptr) return nullptr;
  const auto& here = *static_cast<const Above*>(context);
  ListCell* cell;
  foreach (cell, here.inner_query->keys) {
    if (equal(lfirst(cell), node))
      return reinterpret_cast<Node*>(column_showing(1, foreach_current_index(cell) + 1, node));
  }
  if (!IsA(node, Var)) return pg::mutate(node, above, context);
  const auto* const column = castNode(Var, node);
  foreach (cell, here.joined->numbers) {
    if (lfirst_int(cell) == static_cast<int>(column->varno) && column->varlevelsup == 0)
      return reinterpret_cast<Node*>(column_of(here.first + foreach_current_index(cell), column));
  }
  if (column->varlevelsup == 0) raise_tree_fault("a condition of answers reads what is neither a key nor an answer");
  return static_cast<Node*>(copyObjectImpl(node));
}

}  // namespace

bool reads_denied_beside(const Query* level, FromExpr* from, List* levels, int number) {
  Query without = *level;
  without.jointree = from;
  NullColumns nulls(number);
  replace_in_level(&without, &nulls);
  const Sources sources = sources_of(&without, levels);
  return sources.tables != NIL && reads_denied(sources.read());
}

const Query* subquery_of(const RangeTblEntry* entry, List* levels) {
  if (entry->rtekind == RTE_SUBQUERY) return entry->lateral || OidIsValid(entry->relid) ? nullptr : entry->subquery;
  if (entry->rtekind != RTE_CTE || entry->self_reference) return nullptr;
  List* outer = NIL;
  const CommonTableExpr* const cte = find_cte(entry, levels, &outer);
  return cte == nullptr ? nullptr : castNode(Query, cte->ctequery);
}

static JoinedAnswers take_all(Query* level, List* levels, const InnerQueries& inner_queries, const OwnKeys& own) {
  JoinedAnswers joined{};
  if (level->groupingSets != NIL) return joined;
  ListCell* cell;
  foreach (cell, level->rtable) {
    const Query* const subquery = subquery_of(lfirst_node(RangeTblEntry, cell), levels);
    const auto keys = subquery == nullptr ? std::optional<List*>() : keys_of_answers(subquery, own);
    if (!keys || !reads_protected(level, levels, NIL, inner_queries)) continue;
    take(level, levels, foreach_current_index(cell) + 1, *keys, &joined);
  }
  return joined;
}

JoinedAnswers take_joined_answers(Query* level, List* levels, const InnerQueries& inner_queries) {
  if (inner_queries.empty()) return {};
  return take_all(level, levels, inner_queries,
                  [&](const Query* query) { return keys_of_inner(inner_queries.find(query)); });
}

bool take_written_answers(Query* level, List* levels, List* written) {
  if (written == NIL) return false;
  const InnerQueries none;
  const auto own = [=](const Query* query) {
    return list_member_ptr(written, query) ? keys_of_groups(query) : std::nullopt;
  };
  return take_all(level, levels, none, own).entries != NIL;
}

void join_answers(Query* level, const JoinedAnswers& joined, const InnerQueryParts& inner_query) {
  Above context{&joined, &inner_query, list_length(level->rtable) + 1};
  ListCell* cell;
  foreach (cell, joined.entries) {
    const int number = add_entry(level, lfirst_node(RangeTblEntry, cell));
    level->jointree->fromlist = lappend(level->jointree->fromlist, item_of(number));
  }
  List* conditions = conditions_in(level->jointree->quals);
  foreach (cell, joined.conditions) conditions = lappend(conditions, above(static_cast<Node*>(lfirst(cell)), &context));
  level->jointree->quals = all_of(conditions);
}

}  // namespace dp::guard
