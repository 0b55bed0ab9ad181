#include "budget/policy/checked_values.h"

#include "budget/policy/checks.h"
#include "pg/nodes.h"

namespace dp::budget {
namespace {

// What a condition lists; nothing where it is no list. A condition that is NULL refuses no value.
using Listed = std::optional<List*>;  // of Const, not NULL

struct Column {
  AttrNumber number;
  Oid type;  // its base type
  int32 modifier;
  Oid collation;
};

// Whether the operator is that by which rows of the column are grouped.
bool is_equality(Oid op, Oid collation, const Column& column) {
  const TypeCacheEntry* const type = lookup_type_cache(column.type, TYPECACHE_BTREE_OPFAMILY);
  return collation == column.collation && OidIsValid(type->btree_opf) &&
         get_op_opfamily_strategy(op, type->btree_opf) == BTEqualStrategyNumber;
}

Listed listed_in_array(const ScalarArrayOpExpr* any, const Column& column) {
  auto* const array = static_cast<Node*>(lsecond(any->args));
  if (!any->useOr || !is_equality(any->opno, any->inputcollid, column) ||
      !is_checked_value(static_cast<Node*>(linitial(any->args)), column.number) || !IsA(array, Const) ||
      castNode(Const, array)->constisnull)
    return std::nullopt;
  List* const elements = pg::elements_of(castNode(Const, array));
  ListCell* cell;
  foreach (cell, elements) {
    if (lfirst_node(Const, cell)->constisnull) return std::nullopt;
  }
  return elements;
}

Listed listed_in_comparison(const OpExpr* op, const Column& column) {
  if (list_length(op->args) != 2 || !is_equality(op->opno, op->inputcollid, column)) return std::nullopt;
  auto* left = static_cast<Node*>(linitial(op->args));
  auto* right = static_cast<Node*>(lsecond(op->args));
  if (IsA(left, Const)) std::swap(left, right);
  if (!is_checked_value(left, column.number) || !IsA(right, Const) || castNode(Const, right)->constisnull)
    return std::nullopt;
  return list_make1(right);
}

Listed listed(Node* condition, const Column& column) {
  check_stack_depth();
  ListCell* cell;
  if (IsA(condition, ScalarArrayOpExpr)) return listed_in_array(castNode(ScalarArrayOpExpr, condition), column);
  if (IsA(condition, OpExpr)) return listed_in_comparison(castNode(OpExpr, condition), column);
  if (is_andclause(condition)) {
    foreach (cell, castNode(BoolExpr, condition)->args) {
      if (const Listed values = listed(static_cast<Node*>(lfirst(cell)), column)) return values;
    }
  }
  if (!is_orclause(condition)) return std::nullopt;
  List* all = NIL;
  foreach (cell, castNode(BoolExpr, condition)->args) {
    const Listed values = listed(static_cast<Node*>(lfirst(cell)), column);
    if (!values) return std::nullopt;
    all = list_concat(all, *values);
  }
  return all;
}

// As the column shows it; nothing where it cannot hold the constant's type or value.
std::optional<Datum> shown(const Const* constant, const Column& column) {
  if (constant->consttype == INT4OID && column.type == INT8OID)
    return Int64GetDatum(DatumGetInt32(constant->constvalue));
  if (constant->consttype == INT4OID && column.type == INT2OID) {
    const int32 whole = DatumGetInt32(constant->constvalue);
    return whole == static_cast<int16>(whole) ? std::optional(Int16GetDatum(static_cast<int16>(whole))) : std::nullopt;
  }
  if (!IsBinaryCoercible(constant->consttype, column.type)) return std::nullopt;
  if (column.type != BPCHAROID) return constant->constvalue;
  return DirectFunctionCall3(bpchar, constant->constvalue, Int32GetDatum(column.modifier), BoolGetDatum(true));
}

}  // namespace

std::optional<Domain> checked_values(Oid table, AttrNumber column) {
  Oid named, collation;
  int32 modifier;
  get_atttypetypmodcoll(table, column, &named, &modifier, &collation);
  const Oid type = getBaseTypeAndTypmod(named, &modifier);
  ListCell* cell;
  foreach (cell, checks_of_column(table, column)) {
    const Column checked = {column, type, modifier, collation};
    const Listed constants = listed(static_cast<Node*>(lfirst(cell)), checked);
    if (!constants) continue;
    auto* const values = static_cast<Datum*>(palloc(list_length(*constants) * sizeof(Datum) + 1));
    int size = 0;
    ListCell* constant;
    foreach (constant, *constants) {
      const auto value = shown(lfirst_node(Const, constant), checked);
      if (!value) break;
      values[size++] = *value;
    }
    if (size == list_length(*constants)) return make_domain(named, collation, values, size);
  }
  return std::nullopt;
}

}  // namespace dp::budget
