#include "guard/unit_limit/unit_subquery.h"

#include "guard/functions/aggregates.h"
#include "guard/tree/columns.h"
#include "guard/tree/entries.h"

#include "budget/catalog/extension_catalog.h"
#include "pg/nodes.h"
#include "pg/permissions.h"
#include "pg/walk.h"

namespace dp::guard {
UnitSubquery::UnitSubquery(Query* inner_query)
    : inner_query_(inner_query), inner_(pg::empty_select()), entry_(entry_of_subquery(inner_, "units")) {
  inner_->querySource = inner_query->querySource;
  inner_->rtable = inner_query->rtable;
  pg::move_permissions(inner_query, inner_);
  inner_->jointree = inner_query->jointree;
  inner_->hasSubLinks = inner_query->hasSubLinks;
  inner_query->rtable = list_make1(entry_);
  inner_query->jointree = makeFromExpr(list_make1(item_of(1)), nullptr);
}

TargetEntry* UnitSubquery::entry_of(Expr* expression) {
  ListCell* cell;
  foreach (cell, inner_->targetList) {
    auto* const known = lfirst_node(TargetEntry, cell);
    if (equal(known->expr, expression)) return known;
  }
  const int number = list_length(inner_->targetList) + 1;
  TargetEntry* const entry =
      makeTargetEntry(expression, static_cast<AttrNumber>(number), psprintf("column%d", number), false);
  inner_->targetList = lappend(inner_->targetList, entry);
  inner_->hasAggs = inner_->hasAggs || contain_aggs_of_level(reinterpret_cast<Node*>(expression), 0);
  inner_->hasSubLinks = inner_->hasSubLinks || checkExprHasSubLink(reinterpret_cast<Node*>(expression));
  return entry;
}

Var* UnitSubquery::column(Expr* over_table) {
  const TargetEntry* const entry = entry_of(over_table);
  auto* const shown = reinterpret_cast<Node*>(entry->expr);
  return column_showing(1, entry->resno, shown);
}

Node* UnitSubquery::seen(Node* over_table) {
  const auto mutate = [](Node* node, void* self) -> Node* {
    return node == nullptr ? nullptr : static_cast<UnitSubquery*>(self)->seen(node);
  };
  if (!IsA(over_table, List) && !IsA(over_table, TargetEntry) && !IsA(over_table, SortGroupClause)) {
    ListCell* cell;
    foreach (cell, inner_->targetList) {
      auto* const known = lfirst_node(TargetEntry, cell)->expr;
      if (equal(known, over_table)) return reinterpret_cast<Node*>(column(known));
    }
    if (IsA(over_table, Var)) return reinterpret_cast<Node*>(column(reinterpret_cast<Expr*>(over_table)));
  }
  Node* (*const each)(Node*, void*) = mutate;
  return pg::mutate(over_table, each, this);
}

void UnitSubquery::see_keys(int count) {
  ListCell* cell;
  foreach (cell, inner_query_->targetList) {
    auto* const entry = lfirst_node(TargetEntry, cell);
    if (foreach_current_index(cell) < count) {
      entry->expr = reinterpret_cast<Expr*>(column(entry->expr));
    } else if (IsA(entry->expr, GroupingFunc)) {
      entry->expr = reinterpret_cast<Expr*>(seen(reinterpret_cast<Node*>(entry->expr)));
    }
  }
}

List* UnitSubquery::clauses(List* expressions, List* from_last) {
  List* clauses = NIL;
  ListCell* cell;
  foreach (cell, expressions) {
    TargetEntry* const entry = entry_of(static_cast<Expr*>(lfirst(cell)));
    if (entry->ressortgroupref == 0) entry->ressortgroupref = ++last_reference_;
    const TypeCacheEntry* const type =
        lookup_type_cache(exprType(reinterpret_cast<Node*>(entry->expr)),
                          TYPECACHE_LT_OPR | TYPECACHE_GT_OPR | TYPECACHE_EQ_OPR | TYPECACHE_HASH_PROC);
    auto* const clause = makeNode(SortGroupClause);
    clause->tleSortGroupRef = entry->ressortgroupref;
    const int number = foreach_current_index(cell);
    const bool last = number < list_length(from_last) && list_nth_int(from_last, number) != 0;
    pg::order_by(clause, type, last);
    clause->hashable = OidIsValid(type->hash_proc);
    clauses = lappend(clauses, clause);
  }
  return clauses;
}

void UnitSubquery::group_by(List* expressions) { inner_->groupClause = clauses(expressions); }

// A window of that partition and order, which calls share; where it has an order, over the rows up to the current one.
const WindowClause* UnitSubquery::window_of(List* partition, List* order) {
  ListCell* cell;
  foreach (cell, inner_->windowClause) {
    const auto* const known = lfirst_node(WindowClause, cell);
    if (equal(known->partitionClause, partition) && equal(known->orderClause, order)) return known;
  }
  auto* const window = makeNode(WindowClause);
  window->partitionClause = partition;
  window->orderClause = order;
  window->frameOptions = FRAMEOPTION_DEFAULTS;
  window->winref = static_cast<Index>(list_length(inner_->windowClause) + 1);
  inner_->windowClause = lappend(inner_->windowClause, window);
  return window;
}

WindowFunc* UnitSubquery::window(Oid function, Oid type, List* partition, List* order, List* from_last) {
  const WindowClause* const window = window_of(clauses(partition), clauses(order, from_last));
  inner_->hasWindowFuncs = true;
  auto* const called = makeNode(WindowFunc);
  called->winfnoid = function;
  called->wintype = type;
  called->winref = window->winref;
  called->location = -1;
  return called;
}

Var* UnitSubquery::number(Oid function, List* partition, List* order, List* from_last) {
  return column(reinterpret_cast<Expr*>(window(function, INT8OID, partition, order, from_last)));
}

Expr* UnitSubquery::first(Expr* value, List* partition, List* order, List* from_last) {
  auto* const shown = reinterpret_cast<Node*>(value);
  WindowFunc* const called = window(kFirstValue, exprType(shown), partition, order, from_last);
  called->args = list_make1(copyObjectImpl(value));
  called->wincollid = called->inputcollid = exprCollation(shown);
  return reinterpret_cast<Expr*>(called);
}

Expr* UnitSubquery::over(Oid aggregate, Oid type, Expr* argument, List* partition, List* order) {
  WindowFunc* const called = window(aggregate, type, partition, order);
  called->args = list_make1(copyObjectImpl(argument));
  called->winagg = true;
  return reinterpret_cast<Expr*>(called);
}

Var* UnitSubquery::called_over(Oid function, Oid type, List* arguments, List* partition, List* order) {
  WindowFunc* const called = window(function, type, partition, order);
  called->inputcollid = exprCollation(static_cast<Node*>(linitial(arguments)));
  called->args = static_cast<List*>(copyObjectImpl(arguments));
  return column(reinterpret_cast<Expr*>(called));
}

void UnitSubquery::keep(Var* number, StrategyNumber comparison, int limit) {
  auto* const bound = reinterpret_cast<Expr*>(pg::int8_constant(limit));
  const TypeCacheEntry* const type = lookup_type_cache(INT8OID, TYPECACHE_BTREE_OPFAMILY);
  const Oid compares = get_opfamily_member(type->btree_opf, INT8OID, INT8OID, static_cast<int16>(comparison));
  Expr* const condition =
      make_opclause(compares, BOOLOID, false, reinterpret_cast<Expr*>(number), bound, InvalidOid, InvalidOid);
  set_opfuncid(castNode(OpExpr, condition));
  inner_query_->jointree->quals = make_and_qual(inner_query_->jointree->quals, reinterpret_cast<Node*>(condition));
}

void UnitSubquery::finish() { name_added_columns(entry_); }

Node* number_of_row() {
  return reinterpret_cast<Node*>(makeFuncExpr(budget::internal_function("unit_of_row", {}), INT8OID, NIL, InvalidOid,
                                              InvalidOid, COERCE_EXPLICIT_CALL));
}

Node* fresh_key() {
  Query* const query = pg::empty_select();
  auto* const key = reinterpret_cast<Expr*>(makeFuncExpr(budget::internal_function("unit_key", {}), INT8OID, NIL,
                                                         InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL));
  query->targetList = list_make1(makeTargetEntry(key, 1, pstrdup("key"), false));
  auto* const sublink = makeNode(SubLink);
  sublink->subLinkType = EXPR_SUBLINK;
  sublink->subselect = reinterpret_cast<Node*>(query);
  sublink->location = -1;
  return reinterpret_cast<Node*>(sublink);
}

namespace {

Expr* hash_of_few(List* values) {
  return reinterpret_cast<Expr*>(makeFuncExpr(budget::internal_function("unit_hash", {INT8OID, ANYOID}), INT8OID,
                                              lcons(fresh_key(), values), InvalidOid, InvalidOid,
                                              COERCE_EXPLICIT_CALL));
}

}  // namespace

// A call has so many arguments at most: of more the first ones give a hash, which stands in their place.
Expr* keyed_hash(List* values) {
  constexpr int kMost = FUNC_MAX_ARGS - 1;
  List* left = list_copy(values);
  while (list_length(left) > kMost) left = lcons(hash_of_few(list_copy_head(left, kMost)), list_copy_tail(left, kMost));
  return hash_of_few(left);
}

List* random_order(List* unit_and_keys, List* keys) { return lcons(keyed_hash(unit_and_keys), list_copy(keys)); }

}  // namespace dp::guard
