#include "guard/unit_limit/taken_values.h"

#include "aggregate/call/prepare_plan.h"
#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/unique_indexes.h"
#include "guard/functions/aggregates.h"
#include "guard/unit_limit/private_counts.h"
#include "guard/unit_limit/unit_subquery.h"
#include "pg/nodes.h"

namespace dp::guard {
namespace {

// Counts of one query: each orders its rows by itself, and needs three columns.
constexpr int kMostCounts = 10;

Node* node(void* any) { return static_cast<Node*>(any); }

Expr* expression(void* any) { return static_cast<Expr*>(any); }

Expr* whole(int number) { return expression(pg::int8_constant(number)); }

bool counts_values(const Aggref* aggregate) {
  List* const parameters = aggregate->args == NIL ? NIL : list_copy_tail(aggregate->args, 1);
  return aggregate->aggdistinct != NIL && aggregate->aggorder == NIL && aggregate::is_count(aggregate->aggfnoid) &&
         !contain_var_clause(node(parameters)) && !contain_volatile_functions(node(parameters)) &&
         !checkExprHasSubLink(node(parameters));
}

class Taker {
 public:
  explicit Taker(const LimitedRows& taken) : taken_(taken), unit_(expression(taken.unit)), keys_(taken.keys) {}

  void take() {
    List* const used = pull_var_clause(node(taken_.query->targetList), PVC_RECURSE_AGGREGATES);
    put_filters_into_values();
    next_subquery();
    see_values();
    const bool shares = taken_.limits.rows > 0 && !taken_.one_group;
    if (shares) {
      number_ = expression(last_->number(kRowNumber, list_make1(unit_), list_make1(keyed_hash(with_unit(used)))));
    } else if (!taken_.one_group) {
      Var* const group = last_->number(kDenseRank, list_make1(unit_), random_order(with_unit(keys_), keys_));
      last_->keep_first(group, taken_.limits.groups);
    }
    next_subquery();
    Expr* most = whole(taken_.one_group ? taken_.limits.rows_of_one_group() : taken_.limits.rows_per_group);
    if (shares) {
      most = share_of_group();
      UnitSubquery* const below = last_;
      next_subquery();
      most = expression(below->column(most));
    }
    choose(most);
    ListCell* cell;
    foreach (cell, subqueries_) static_cast<UnitSubquery*>(lfirst(cell))->finish();
  }

 private:
  // count(DISTINCT x) FILTER (WHERE c) is count(DISTINCT CASE WHEN c THEN x END): NULL is no value.
  void put_filters_into_values() {
    ListCell* cell;
    foreach (cell, taken_.query->targetList) {
      auto* const entry = lfirst_node(TargetEntry, cell);
      if (!IsA(entry->expr, Aggref)) continue;
      auto* const aggregate = static_cast<Aggref*>(copyObjectImpl(entry->expr));
      entry->expr = expression(aggregate);
      auto* const counted = linitial_node(TargetEntry, aggregate->args);
      if (aggregate->aggfilter != nullptr)
        counted->expr = expression(pg::case_when(aggregate->aggfilter, counted->expr, pg::null_like(counted->expr)));
      aggregate->aggfilter = nullptr;
      values_ = lappend(values_, copyObjectImpl(counted->expr));
      hashes_ = lappend(hashes_, keyed_hash(list_make1(copyObjectImpl(counted->expr))));
    }
  }

  // The first subquery's columns. A unit that has several forms (1.0 and 1.00) has one hash all the same.
  void see_values() {
    const auto* const unit = taken_.unit;
    Expr* const hash = keyed_hash(list_make1(unit_));
    unit_hash_ = budget::equals_have_same_bytes(unit->vartype, unit->varcollid)
                     ? hash
                     : last_->over(kLeastInt8, INT8OID, hash, list_make1(unit_), NIL);
    last_->column(unit_hash_);
    for (const List* const list : {values_, hashes_}) {
      ListCell* cell;
      foreach (cell, list) last_->column(expression(lfirst(cell)));
    }
    see_aggregates();
  }

  // A subquery around what the query reads; what was an expression is a column in it.
  void next_subquery() {
    UnitSubquery* const below = last_;
    last_ = new (palloc(sizeof(UnitSubquery))) UnitSubquery(taken_.query);
    subqueries_ = lappend(subqueries_, last_);
    if (below != nullptr) {
      unit_ = expression(below->column(unit_));
      unit_hash_ = expression(below->column(unit_hash_));
      for (List** const list : {&keys_, &values_, &hashes_}) *list = columns(below, *list);
    }
    last_->see_keys(list_length(keys_));
    if (below != nullptr) see_aggregates();
  }

  void see_aggregates() {
    ListCell* cell;
    foreach (cell, taken_.query->targetList) {
      auto* const entry = lfirst_node(TargetEntry, cell);
      if (IsA(entry->expr, Aggref)) entry->expr = expression(last_->seen(node(entry->expr)));
    }
  }

  // How many of the rows that are chosen at random a unit has in a group.
  Expr* share_of_group() {
    const TypeCacheEntry* const type = lookup_type_cache(INT8OID, TYPECACHE_BTREE_OPFAMILY);
    const Oid compares = get_opfamily_member(type->btree_opf, INT8OID, INT8OID, BTLessEqualStrategyNumber);
    Expr* const chosen =
        make_opclause(compares, BOOLOID, false, number_, whole(taken_.limits.rows), InvalidOid, InvalidOid);
    set_opfuncid(castNode(OpExpr, chosen));
    const Oid sum = budget::internal_function("unit_sum", {INT8OID});
    return last_->over(sum, INT8OID, expression(pg::case_when(chosen, whole(1), whole(0))), with_unit(keys_), NIL);
  }

  // Which value of a row its unit takes, for each count, and rows of which no value is taken left out.
  void choose(Expr* most) {
    const Oid takes = budget::internal_function("unit_takes", {ANYOID, ANYOID, INT8OID, INT8OID});
    List* any = NIL;
    ListCell *value = list_head(values_), *hash = list_head(hashes_);
    visit_private(taken_.query, taken_.count_column, [&](Aggref* aggregate, int) {
      Var* const taken = last_->called_over(takes, BOOLOID, list_make4(unit_, lfirst(value), lfirst(hash), most), keys_,
                                            list_make3(unit_hash_, unit_, lfirst(hash)));
      aggregate->aggfilter = expression(taken);
      any = lappend(any, copyObjectImpl(taken));
      value = lnext(values_, value);
      hash = lnext(hashes_, hash);
    });
    Node*& conditions = taken_.query->jointree->quals;
    conditions = make_and_qual(conditions, node(list_length(any) == 1 ? linitial(any) : make_orclause(any)));
  }

  static List* columns(UnitSubquery* subquery, List* expressions) {
    List* seen = NIL;
    ListCell* cell;
    foreach (cell, expressions) seen = lappend(seen, subquery->column(expression(lfirst(cell))));
    return seen;
  }

  List* with_unit(List* others) const { return list_concat_unique(list_make1(unit_), others); }

  const LimitedRows& taken_;
  UnitSubquery* last_ = nullptr;
  List* subqueries_ = NIL;
  // As expressions over what the last subquery reads:
  Expr* unit_;
  Expr* unit_hash_ = nullptr;
  Expr* number_ = nullptr;  // of a row among those of its unit
  List* keys_;
  List* values_ = NIL;  // of each aggregate: what it counts, and its hash
  List* hashes_ = NIL;
};

}  // namespace

bool can_take_values(const LimitedRows& taken) {
  if (taken.count_column != 0 || (taken.limits.both_kinds() && !taken.one_group)) return false;
  bool all = true;
  int counts = 0;
  visit_private(taken.query, taken.count_column, [&](const Aggref* aggregate, int) {
    ++counts;
    all = all && counts_values(aggregate);
  });
  return all && counts > 0 && counts <= kMostCounts;
}

void take_values(const LimitedRows& taken) { Taker(taken).take(); }

}  // namespace dp::guard
