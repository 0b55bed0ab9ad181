#include "guard/rewrite/per_unit_joins.h"

#include "guard/relations/first_rows.h"
#include "guard/relations/from_clause.h"
#include "guard/relations/join_conditions.h"
#include "guard/relations/lateral.h"
#include "guard/rewrite/aggregate_calls.h"
#include "guard/rewrite/answers_for_each.h"
#include "guard/rewrite/computed_per_unit.h"
#include "guard/rewrite/free_levels.h"
#include "guard/tree/by_number.h"
#include "guard/tree/columns.h"
#include "guard/tree/entries.h"
#include "pg/joins.h"
#include "pg/nodes.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// ---- as a join ------------------------------------------------------------------------------------------------------

// All that the level reads LEFT JOIN the entry.
void join_behind(Query* level, int number, Node* condition) {
  Node* tree = nullptr;
  ListCell* cell;
  foreach (cell, level->jointree->fromlist) {
    auto* const item = static_cast<Node*>(lfirst(cell));
    tree = tree == nullptr ? item : reinterpret_cast<Node*>(joined(JOIN_INNER, tree, item, nullptr));
  }
  JoinExpr* const join = joined(JOIN_LEFT, tree, item_of(number), condition);
  level->jointree = makeFromExpr(list_make1(join), level->jointree->quals);
}

Node* joined_where(List* compared, Query* query, int number) {
  List* conditions = NIL;
  ListCell* cell;
  foreach (cell, compared)
    conditions = lappend(conditions, condition_of_join(static_cast<Node*>(lfirst(cell)), query, number));
  return all_of(conditions);
}

// Whether that column of the query may tell whose rows it looks at together: a grouped one groups by it. (Whose rows
// windows look at is judged where they are.)
bool may_look_at_each(const Query* query, int column) {
  if (query->groupClause == NIL && query->distinctClause == NIL) return more_than_a_choice(query) != nullptr;
  const Expr* const shown = target_numbered(query->targetList, column)->expr;
  const auto is_among = [&](List* clauses) {
    return list_member(get_sortgrouplist_exprs(clauses, query->targetList), shown);
  };
  return is_among(query->groupClause) || is_among(query->distinctClause);
}

class Answers : public Replacement {
 public:
  Answers(const Computed& computed, int number) : computed_(computed), number_(number) {}

  Node* in_place_of(const Var* column) override {
    const bool is_one = static_cast<int>(column->varno) == number_ && column->varattno > 0 &&
                        column->varattno <= list_length(computed_.answers);
    return is_one ? answer_of(computed_, number_, column->varattno) : nullptr;
  }

 private:
  const Computed& computed_;
  int number_;
};

// ---- the level ------------------------------------------------------------------------------------------------------

class Joiner {
 public:
  explicit Joiner(Query* query) : query_(query), level_(pg::flattened(query)) {}

  void write() {
    List* keys = NIL;
    ListCell* cell;
    foreach (cell, level_->groupClause)
      keys = lappend(keys, get_sortgroupclause_tle(lfirst_node(SortGroupClause, cell), level_->targetList));
    // All are taken out before one is joined, behind which the others could not be.
    List *numbers = NIL, *conditions = NIL;
    foreach (cell, from_indexes(level_)) {
      Node* const condition = take_computed(lfirst_int(cell));
      if (condition == nullptr) continue;
      numbers = lappend_int(numbers, lfirst_int(cell));
      conditions = lappend(conditions, condition);
    }
    ListCell* condition;
    forboth(cell, numbers, condition, conditions)
        join_behind(level_, lfirst_int(cell), static_cast<Node*>(lfirst(condition)));
    List* columns = NIL;
    foreach (cell, level_->targetList) {
      TargetEntry* const column = flatCopyTargetEntry(lfirst_node(TargetEntry, cell));
      in_key_ = list_member_ptr(keys, lfirst(cell));
      column->expr = reinterpret_cast<Expr*>(put(reinterpret_cast<Node*>(column->expr), this));
      columns = lappend(columns, column);
    }
    in_key_ = false;
    if (level_->jointree->quals != nullptr) {
      Node* const conditions = put(level_->jointree->quals, this);
      level_->jointree = makeFromExpr(level_->jointree->fromlist, conditions);
    }
    if (!changed_) return;
    level_->targetList = columns;
    level_->hasSubLinks = level_->hasSubLinks && (checkExprHasSubLink(reinterpret_cast<Node*>(level_->targetList)) ||
                                                  checkExprHasSubLink(reinterpret_cast<Node*>(level_->jointree)) ||
                                                  checkExprHasSubLink(level_->havingQual));
    *query_ = *level_;
  }

 private:
  // LATERAL (SELECT count(*) ...): how it is joined, once it is out of FROM; nullptr where it is another entry.
  Node* take_computed(int number) {
    const RangeTblEntry* const entry = entry_numbered(number, level_->rtable);
    if (!entry->lateral || entry->rtekind != RTE_SUBQUERY || uses_of(level_, number).whole) return nullptr;
    const auto computed = computed_per_unit(entry->subquery);
    if (!computed) return nullptr;
    auto* const from = static_cast<FromExpr*>(copyObjectImpl(level_->jointree));
    if (!take_out_joined_to_all(from, number)) return nullptr;
    auto* const copy = static_cast<RangeTblEntry*>(copyObjectImpl(entry));
    copy->lateral = false;
    copy->subquery = computed->question;
    copy->eref->colnames = NIL;
    name_added_columns(copy);
    level_->jointree = from;
    level_->rtable = list_copy(level_->rtable);
    lfirst(list_nth_cell(level_->rtable, number - 1)) = copy;
    Answers answers(*computed, number);
    replace_in_level(level_, &answers);
    changed_ = true;
    return joined_where(computed->compared, computed->question, number);
  }

  static Node* put(Node* node, void* context) {
    if (node == nullptr) return nullptr;
    auto& self = *static_cast<Joiner*>(context);
    if (!IsA(node, SubLink)) return pg::mutate(node, put, context);
    Node* const in_place = self.in_place_of(castNode(SubLink, node));
    if (in_place == nullptr) return node;
    self.changed_ = true;
    return in_place;
  }

  Node* in_place_of(const SubLink* link) {
    ListCell *known, *place;
    forboth(known, links_, place, places_) {
      if (equal(lfirst(known), link)) return static_cast<Node*>(copyObjectImpl(lfirst(place)));
    }
    if (level_->jointree->fromlist == NIL) return nullptr;
    Node* const found = link->subLinkType == EXPR_SUBLINK ? value_of(link) : presence(link);
    if (found == nullptr) return nullptr;
    links_ = lappend(links_, copyObjectImpl(link));
    places_ = lappend(places_, found);
    return static_cast<Node*>(copyObjectImpl(found));
  }

  Node* value_of(const SubLink* link) {
    auto* const subquery = castNode(Query, link->subselect);
    if (takes_first(subquery)) return first_row(subquery);
    if (!in_key_ && subquery->groupClause == NIL) return nullptr;  // a value of the row, as it is
    const auto computed = computed_per_unit(subquery);
    if (!computed || list_length(computed->answers) != 1) return nullptr;
    const int number = add(entry_of_subquery(computed->question, "computed"));
    join_behind(level_, number, joined_where(computed->compared, computed->question, number));
    return answer_of(*computed, number, 1);
  }

  // (SELECT ... ORDER BY ... LIMIT 1)
  Node* first_row(Query* subquery) {
    if (subquery->sortClause == NIL || !reads_around(subquery) || reads_further(subquery)) return nullptr;
    RangeTblEntry* const entry = entry_of_subquery(static_cast<Query*>(copyObjectImpl(subquery)), "first");
    entry->lateral = true;
    const int number = add(entry);
    join_behind(level_, number, makeBoolConst(true, false));
    return reinterpret_cast<Node*>(column_showing(number, 1, target_numbered(subquery->targetList, 1)->expr));
  }

  // EXISTS and IN over subqueries that look at the rows of each person.
  Node* presence(const SubLink* link) {
    const bool any = link->subLinkType == ANY_SUBLINK;
    if (!any && link->subLinkType != EXISTS_SUBLINK) return nullptr;
    auto* const query = pg::flattened(static_cast<Query*>(copyObjectImpl(link->subselect)));
    if (!any) query->limitCount = takes_first(query) ? nullptr : query->limitCount;
    if (query->hasAggs || query->groupClause != NIL || query->hasDistinctOn || !only_chooses(query) ||
        reads_further(query))
      return nullptr;
    List* compared = NIL;
    if (!take_compared(query, &compared)) return nullptr;
    take_hidden_columns(query);
    Node* shown = nullptr;
    if (any) {
      if (list_length(query->targetList) != 1 || !IsA(link->testexpr, OpExpr)) return nullptr;
      shown = reinterpret_cast<Node*>(linitial_node(TargetEntry, query->targetList)->expr);
      if (!IsA(shown, Var)) return nullptr;
      auto* const comparison = static_cast<OpExpr*>(copyObjectImpl(link->testexpr));
      if (!IsA(without_relabel(static_cast<Node*>(lsecond(comparison->args))), Param)) return nullptr;
      put_further_in(linitial(comparison->args), 1);
      lsecond(comparison->args) = shown;
      auto* const condition = reinterpret_cast<Node*>(comparison);
      if (compared_column(condition) == nullptr) return nullptr;
      compared = lappend(compared, condition);
    }
    if (!asks_of_compared(query, compared)) return nullptr;
    query->targetList = NIL;
    query->distinctClause = keys_for(compared, query);
    const int number = add(entry_of_subquery(query, "found"));
    join_behind(level_, number, joined_where(compared, query, number));
    return pg::is_not_null(column_showing(number, 1, target_numbered(query->targetList, 1)->expr));
  }

  // Whether a column that is compared may tell whose rows a subquery or a CTE of the level in its FROM looks at
  // together.
  bool asks_of_compared(const Query* query, List* compared) const {
    ListCell* cell;
    foreach (cell, compared) {
      const Var* const column = compared_column(static_cast<Node*>(lfirst(cell)));
      const Query* const read = column->varattno > 0 ? read_by(entry_numbered(column->varno, query->rtable)) : nullptr;
      if (read != nullptr && names_denied(read) && may_look_at_each(read, column->varattno)) return true;
    }
    return false;
  }

  const Query* read_by(const RangeTblEntry* entry) const {
    if (entry->rtekind == RTE_SUBQUERY) return entry->subquery;
    ListCell* cell;
    foreach (cell, level_->cteList) {
      const auto* const cte = lfirst_node(CommonTableExpr, cell);
      const bool is_read =
          entry->rtekind == RTE_CTE && entry->ctelevelsup == 1 && strcmp(entry->ctename, cte->ctename) == 0;
      if (is_read) return castNode(Query, cte->ctequery);
    }
    return nullptr;
  }

  int add(RangeTblEntry* entry) {
    name_added_columns(entry);
    return add_entry(level_, entry);
  }

  Query* query_;
  Query* level_;
  bool in_key_ = false;
  bool changed_ = false;
  List* links_ = NIL;   // SubLink: those that are joined
  List* places_ = NIL;  // Node: what stands for them
};

void join_within(Query* query, bool asks) {
  const bool is_level = query->commandType == CMD_SELECT && query->setOperations == nullptr && query->rowMarks == NIL;
  if (!is_level || query->jointree->fromlist == NIL) return;
  if (asks || names_denied(query)) {
    Joiner(query).write();
  } else {
    ask_for_each(query);
  }
}

}  // namespace

void join_per_unit(Query* query) { visit_levels(query, join_within); }

}  // namespace dp::guard
