#include "guard/rewrite/key_descriptions.h"

#include "budget/policy/accounts.h"
#include "budget/policy/grouping_expression.h"
#include "guard/admission/values.h"
#include "guard/functions/meaning.h"
#include "guard/groups/counts_per_unit.h"
#include "guard/groups/groups.h"
#include "guard/groups/joint_keys.h"
#include "guard/groups/key_images.h"
#include "guard/groups/key_steps.h"
#include "guard/groups/small_codomain.h"
#include "guard/groups/values_from_quals.h"
#include "guard/query/permissions.h"
#include "guard/query/plan_dependencies.h"
#include "guard/query/public_rows.h"
#include "guard/relations/joins.h"
#include "guard/relations/nulls.h"
#include "guard/relations/protected_reads.h"
#include "guard/relations/value_lists.h"
#include "guard/rewrite/part_keys.h"
#include "guard/rewrite/per_unit_keys.h"
#include "guard/tree/by_number.h"
#include "guard/tree/columns.h"
#include "guard/tree/entries.h"
#include "pg/nodes.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// The number of the one table that the expression reads; the first where it reads none, 0 where it reads several, or
// where that is no table.
int table_of(Node* expression, const Sources& sources) {
  const Bitmapset* const tables = pull_varnos(nullptr, expression);
  int only = 1;
  if (!bms_is_empty(tables) && !bms_get_singleton_member(tables, &only)) return 0;
  return sources.table(only)->rtekind == RTE_RELATION ? only : 0;
}

// The number in FROM of the only table that the expression reads, which stands for a subquery that is run by itself; 0:
// it reads others, or none.
int rows_of(Node* expression, const Sources& sources) {
  int only;
  if (!bms_get_singleton_member(pull_varnos(nullptr, expression), &only)) return 0;
  return number_of_public_rows(sources.table(only)) > 0 ? only : 0;
}

Node* over_a_row(Node* expression, int table) {
  auto* const alone = static_cast<Node*>(copyObjectImpl(expression));
  renumber(alone, table, 1);
  return alone;
}

bool is_known_only_inside(Node* node, void*) {
  if (node == nullptr) return false;
  if (IsA(node, SubLink) || (IsA(node, Param) && castNode(Param, node)->paramkind != PARAM_EXTERN)) return true;
  return pg::walk(node, is_known_only_inside, nullptr);
}

// Those that read the rows of that table alone.
List* conditions_on_rows(Node* conditions, int table, const Sources& sources) {
  List* found = NIL;
  ListCell* cell;
  foreach (cell, make_ands_implicit(reinterpret_cast<Expr*>(conditions))) {
    auto* const condition = static_cast<Node*>(lfirst(cell));
    if (rows_of(condition, sources) == table && !is_known_only_inside(condition, nullptr))
      found = lappend(found, over_a_row(condition, table));
  }
  return found;
}

// The conditions of a left join, as they hold for all of its rows: `table` is on the right of it.
List* where_found(Node* conditions, int table) {
  List* held = NIL;
  ListCell *cell, *read;
  foreach (cell, make_ands_implicit(reinterpret_cast<Expr*>(conditions))) {
    auto* const condition = static_cast<Node*>(lfirst(cell));
    foreach (read, pull_var_clause(condition, 0)) {
      if (lfirst_node(Var, read)->varno != table) continue;
      Node* const missing = pg::is_null(copyObjectImpl(lfirst(read)));
      held = lappend(held, make_orclause(list_make2(missing, condition)));
      break;
    }
  }
  return held;
}

// What joins say of every row that comes of them.
List* certain_joins(Node* tree, const JoinExpr* shows_all) {
  if (!IsA(tree, JoinExpr)) return NIL;
  const auto* const join = castNode(JoinExpr, tree);
  List* const left = certain_joins(join->larg, shows_all);
  if (join == shows_all) return left;
  if (join->jointype == JOIN_LEFT && IsA(join->rarg, RangeTblRef))
    return list_concat(left, where_found(join->quals, castNode(RangeTblRef, join->rarg)->rtindex));
  if (join->jointype != JOIN_INNER) return left;
  List* const conditions = list_concat(left, certain_joins(join->rarg, shows_all));
  return join->quals == nullptr ? conditions : lappend(conditions, join->quals);
}

// The same, and what the conditions of the inner query say.
List* all_certain(const Sources& sources, Node* conditions) {
  List* const certain = certain_joins(sources.tree, sources.shows_all);
  return conditions == nullptr ? certain : lappend(certain, conditions);
}

// Notes the facts that decide which groups there are. `protection`: of the only table that the key reads, `table`;
// nullptr: it reads others, or public rows.
void note_facts(Node* key, const Sources& sources, Oid table, const budget::Protection* protection, const char* text,
                List** noted) {
  List*& facts = *noted;
  ListCell* cell;
  foreach (cell, pull_var_clause(key, 0)) {
    const auto* const column = lfirst_node(Var, cell);
    if (column->varattno > 0 && sources.table(column->varno)->rtekind == RTE_RELATION)
      facts = with_dependency(facts, Dependency::column, sources.table(column->varno)->relid, column->varattno);
  }
  if (protection == nullptr) return;
  if (IsA(key, Var)) facts = with_dependency(facts, Dependency::reference, table, castNode(Var, key)->varattno);
  facts = with_dependency(facts, Dependency::declaration, protection->relation, 0, text);
}

GroupKey::Nulls nulls_if(bool may_be_null) { return may_be_null ? GroupKey::Nulls::possible : GroupKey::Nulls::never; }

// Of no table, and as if its values were not public.
GroupKey* new_key(Node* key, const char* text, bool may_be_null) {
  return new (palloc(sizeof(GroupKey))) GroupKey{.name = nullptr,
                                                 .text = text,
                                                 .table = InvalidOid,
                                                 .policy = InvalidOid,
                                                 .column = 0,
                                                 .subject = InvalidOid,
                                                 .least = -1,
                                                 .nulls = nulls_if(may_be_null),
                                                 .type = exprType(key),
                                                 .collation = exprCollation(key),
                                                 .image = NIL,
                                                 .subquery = 0,
                                                 .row = NIL};
}

// The values of the least or the greatest of some that conditions of its subquery list, ward IN (...); NIL for others.
List* image_of_extreme(Node* shown, const Query* subquery) {
  if (!IsA(shown, Aggref) || castNode(Aggref, shown)->aggfnoid >= FirstGenbkiObjectId) return NIL;
  const auto* const aggregate = castNode(Aggref, shown);
  const char* const name = get_func_name(aggregate->aggfnoid);
  if (strcmp(name, "min") != 0 && strcmp(name, "max") != 0) return NIL;
  auto* value = reinterpret_cast<Node*>(linitial_node(TargetEntry, aggregate->args)->expr);
  if (IsA(value, FuncExpr) && meaning_of(castNode(FuncExpr, value)->funcid) == Meaning::capped)
    value = static_cast<Node*>(linitial(castNode(FuncExpr, value)->args));
  if (exprType(value) != aggregate->aggtype) return NIL;
  Node* const conditions = subquery->jointree->quals;
  List* const values = values_from_quals(value, value, {conditions_in(conditions), conditions, value}, true);
  if (values == NIL) return NIL;
  Const* const nothing = makeNullConst(aggregate->aggtype, -1, aggregate->aggcollid);
  return list_make1(aggregate->aggfilter == nullptr ? values : lappend(list_copy(values), nothing));
}

// The image of a key that reads what per-unit subqueries compute; NIL where it reads none, or has none.
List* image_of_per_unit(const KeyForms& key, const Sources& sources, Node* conditions, List** facts) {
  const bool reads = sources.grouped != nullptr || sources.per_unit != NIL;
  if (reads && IsA(key.runs, Var) && key.tables != NIL) {
    // CASE WHEN max(day) > '2024-06-01' THEN 'recent' ELSE 'old' END, named within the subquery.
    const auto* const column = castNode(Var, key.runs);
    const RangeTblEntry* const entry = entry_numbered(static_cast<int>(column->varno), key.tables);
    const TargetEntry* const shown = entry->rtekind == RTE_SUBQUERY && entry->subquery != nullptr
                                         ? target_numbered(entry->subquery->targetList, column->varattno)
                                         : nullptr;
    List* const choice = shown == nullptr ? NIL : image_of_choice(reinterpret_cast<Node*>(shown->expr));
    if (choice != NIL) return choice;
    if (List* const image =
            shown == nullptr ? NIL : image_of_extreme(reinterpret_cast<Node*>(shown->expr), entry->subquery))
      return image;
  }
  if (!reads || key.tables == NIL || choices_of(key.runs) != NIL) return NIL;
  return image_of_per_unit_key(key.runs, sources, key.tables, all_certain(sources, conditions), facts);
}

// Its values are those that it has in the rows of the subquery, and in a row that finds none of them.
GroupKey* describe_in_rows(const KeyForms& key, int table, const Sources& sources, const ColumnNames& names,
                           Node* conditions) {
  GroupKey* const described =
      new_key(key.written, text_of_call(key.written, names), may_be_missing(sources.tree, table));
  const int column = IsA(key.written, Var) ? castNode(Var, key.written)->varattno : 0;
  described->column = column;
  described->least = 0;
  described->subquery = number_of_public_rows(sources.table(table));
  // Conditions on keys that are columns leave out groups, not values: then the question is part of one without them.
  described->row = list_make2(over_a_row(column > 0 ? key.written : key.runs, table),
                              column > 0 ? NIL : conditions_on_rows(conditions, table, sources));
  return described;
}

}  // namespace

GroupKey* describe_key(const KeyForms& key, const Sources& sources, const ColumnNames& names, Node* conditions,
                       List** facts) {
  const int rows = rows_of(key.written, sources);
  if (rows > 0 && (IsA(key.written, Var) || key.runs != nullptr))
    return describe_in_rows(key, rows, sources, names, conditions);
  const int number = table_of(key.written, sources);
  const Oid table = number > 0 ? sources.table(number)->relid : InvalidOid;
  const budget::Protection* const protection = number > 0 ? sources.protection(number) : nullptr;
  const char* const text =
      number > 0 ? pstrdup(budget::key_text(over_a_row(key.written, number), table)) : text_of_call(key.written, names);
  note_facts(key.written, sources, table, protection, text, facts);
  const bool nullable =
      may_be_null(key.written, sources.tables, sources.tree) ||
      (key.total != nullptr && !IsA(key.written, Var) && may_be_null(key.total, sources.tables, sources.tree));
  GroupKey* const described = new_key(key.written, text, nullable);
  const bool is_column = number > 0 && IsA(key.written, Var);
  described->table = table;
  if (protection != nullptr) described->policy = protection->relation;
  if (is_column) described->column = castNode(Var, key.written)->varattno;
  if (number > 0) described->subject = sources.subject(number);
  if (nullable && is_column && protection == nullptr && !may_be_missing(sources.tree, number))
    described->nulls = GroupKey::Nulls::in_rows;
  List* image = key.preserved != NIL  ? list_make1(key.preserved)
                : key.runs != nullptr ? image_of_per_unit(key, sources, conditions, facts)
                                      : NIL;
  if (image == NIL) described->least = size_of_domain(*described);
  // Of a boolean both values are public; one that reads no row has one of them: GROUP BY 1 = 2.
  if (key.runs != nullptr && (!described->is_public() || !contain_var_clause(key.runs))) {
    List* const certain = all_certain(sources, conditions);
    if (image == NIL) image = image_of_key(key.runs, key.written, sources, certain);
    if (image == NIL) image = image_of_parts(key.runs, sources, certain);
    described->image = image;
    if (image != NIL) described->least = 0;
  }
  require_settled(*described, key.written);
  return described;
}

namespace {

// What the columns of a per-unit subquery stand for, as expressions over its tables.
class Shown : public Replacement {
 public:
  // `as_run`: as it runs; nullptr: as it was written.
  Shown(const PerUnitSubquery& per_unit, const Query* as_run) : per_unit_(per_unit), as_run_(as_run) {}

  Node* in_place_of(const Var* column) override {
    if (as_run_ == nullptr) return per_unit_key(per_unit_, column->varattno);
    return static_cast<Node*>(copyObjectImpl(target_numbered(as_run_->targetList, column->varattno)->expr));
  }

 private:
  const PerUnitSubquery& per_unit_;
  const Query* as_run_;
};

bool reads_keys_of(Node* expression, int table, const PerUnitSubquery& per_unit) {
  ListCell* cell;
  foreach (cell, pull_var_clause(expression, 0)) {
    const auto* const column = lfirst_node(Var, cell);
    if (static_cast<int>(column->varno) != table || column->varlevelsup > 0 ||
        per_unit_key(per_unit, column->varattno) == nullptr)
      return false;
  }
  return true;
}

// Those that are of the subquery's rows alone, over its tables.
Node* conditions_below(Node* conditions, int table, const PerUnitSubquery& per_unit, const Query* as_run) {
  List* found = NIL;
  ListCell* cell;
  foreach (cell, conditions_in(conditions)) {
    auto* const condition = static_cast<Node*>(lfirst(cell));
    if (is_known_only_inside(condition, nullptr) || !reads_keys_of(condition, table, per_unit)) continue;
    Shown shown(per_unit, as_run);
    found = lappend(found, with_replaced(condition, &shown));
  }
  return all_of(found);
}

}  // namespace

int per_unit_read_by(Node* key, const Sources& sources, const PerUnitSubquery* alone) {
  int table;
  if (checkExprHasSubLink(key) || !bms_get_singleton_member(pull_varnos(nullptr, key), &table)) return 0;
  const PerUnitTable* const joined = sources.per_unit_at(table);
  const PerUnitSubquery* const per_unit = joined == nullptr ? alone : joined->rows;
  if (per_unit == nullptr || !reads_keys_of(key, table, *per_unit)) return 0;
  // A row that finds none of the subquery's is NULL where a column is, and may be anything where that is computed with.
  return IsA(key, Var) || !may_be_missing(sources.tree, table) ? table : 0;
}

GroupKey* describe_per_unit_key(const KeyForms& key, const PerUnitSubquery& per_unit, int table, const Query* as_run,
                                bool missing, Node* conditions, List** facts) {
  const InnerQueryTables& tables = per_unit.tables;
  const ColumnNames names(list_copy_head(tables.sources.tables, tables.units.named));
  Shown written(per_unit, nullptr), runs(per_unit, as_run);
  KeyForms below{with_replaced(key.written, &written), nullptr, nullptr, NIL};
  // An image has no NULL for a row that finds no person.
  if (!missing) below.runs = with_replaced(key.runs, &runs);
  if (!IsA(key.written, Var)) below.total = with_replaced(key.total, &runs);
  GroupKey* const described =
      describe_key(below, tables.sources, names, conditions_below(conditions, table, per_unit, as_run), facts);
  if (missing) described->nulls = GroupKey::Nulls::possible;
  return described;
}

// Of no table. `conditions`: over what the key is computed from.
static GroupKey* computed_key(const KeyForms& key, const ColumnNames& names, const KeyQuals& conditions, List* image) {
  GroupKey* const described = new_key(key.written, text_of_call(key.written, names), true);
  described->image = image != NIL ? image : image_of_computed_key(key.runs, conditions);
  described->least = size_of_domain(*described);
  return described;
}

// Notes the columns that subqueries in the key show.
static bool note_shown(Node* node, void* facts) {
  if (node == nullptr) return false;
  if (!IsA(node, SubLink)) return pg::walk(node, note_shown, facts);
  const Var* const column = column_of_one_table(castNode(SubLink, node));
  if (column == nullptr) return false;
  const auto* const table = linitial_node(RangeTblEntry, castNode(Query, castNode(SubLink, node)->subselect)->rtable);
  auto& list = *static_cast<List**>(facts);
  list = with_dependency(list, Dependency::column, table->relid, column->varattno);
  return false;
}

GroupKey* describe_sublink_key(const KeyForms& key, const Sources& sources, const ColumnNames& names, List** facts) {
  note_facts(key.written, sources, InvalidOid, nullptr, nullptr, facts);
  note_shown(key.written, facts);
  GroupKey* const described = computed_key(key, names, {NIL, nullptr, key.written}, NIL);
  described->nulls = nulls_if(may_be_null(key.written, sources.tables, sources.tree));
  return described;
}

GroupKey* describe_computed_key(const KeyForms& key, const Sources& sources, const ColumnNames& names, Node* conditions,
                                List** facts) {
  // A constant is its own image, whatever is read beside it.
  List* const image = reads_row(key.runs) ? image_of_per_unit(key, sources, conditions, facts)
                                          : image_over_computed(key.runs, sources, NIL);
  return computed_key(key, names, {conditions_and_counts(key.written, sources), conditions, key.written}, image);
}

void describe_dependence(List* preserved, const Query* inner_query, const Sources& sources, InnerQuery* what) {
  if (preserved != NIL) what->dependent_keys = keys_of_rows(preserved);
  if (preserved_list(sources.lists) > 0) return;  // whose rows are there whatever protected columns hold
  List* keys = NIL;
  ListCell* cell;
  foreach (cell, inner_query->targetList) keys = lappend(keys, lfirst_node(TargetEntry, cell)->expr);
  if (list_length(keys) > 1)
    what->dependent_keys = dependent_keys(keys, sources, all_certain(sources, inner_query->jointree->quals));
}

}  // namespace dp::guard
