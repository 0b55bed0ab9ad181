#include "guard/rewrite/declared_bounds.h"

#include "budget/policy/accounts.h"
#include "budget/policy/grouping_expression.h"
#include "budget/policy/ranges.h"
#include "guard/admission/total_functions.h"
#include "guard/facts/number_values.h"
#include "guard/forms/total_forms.h"
#include "guard/functions/calls.h"
#include "guard/functions/constants.h"
#include "guard/groups/equal_values.h"
#include "guard/tree/columns.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

using bounds::Bounds;

// More values of a column are not looked at one by one.
constexpr int kMostListed = 1000;

// Whether the expression has a value for each row, as far as its functions say; and the same one at all times.
bool may_fail(Node* node, void*) {
  if (node == nullptr) return false;
  if (IsA(node, CoerceViaIO) || IsA(node, Param) || IsA(node, SQLValueFunction)) return true;
  if (const auto [function, arguments] = called_by(node); OidIsValid(function)) {
    if (judge_call(function, arguments, exprInputCollation(node)).obstacle != nullptr) return true;
    if (func_volatile(function) != PROVOLATILE_IMMUTABLE) return true;
  }
  return pg::walk(node, may_fail, nullptr);
}

// The columns in an expression; true where it holds something else than functions of them.
bool add_columns(Node* node, void* columns) {
  if (node == nullptr) return false;
  if (IsA(node, SubLink) || IsA(node, Aggref) || IsA(node, GroupingFunc) || IsA(node, WindowFunc) || IsA(node, Param))
    return true;
  if (IsA(node, Var)) *static_cast<List**>(columns) = lappend(*static_cast<List**>(columns), node);
  return pg::walk(node, add_columns, columns);
}

struct Replacement {
  const Var* column;
  Const* value;
};

Node* put_value(Node* node, void* replacement) {
  if (node == nullptr) return nullptr;
  const auto* const by = static_cast<const Replacement*>(replacement);
  return equal(node, by->column) ? reinterpret_cast<Node*>(by->value) : pg::mutate(node, put_value, replacement);
}

std::optional<budget::Domain> declared_values(Node* node, int number, const Sources& sources) {
  const RangeTblEntry* const table = sources.table(number);
  const budget::Protection* const protection = table->rtekind == RTE_RELATION ? sources.protection(number) : nullptr;
  if (protection == nullptr) return std::nullopt;
  auto* const alone = static_cast<Node*>(copyObjectImpl(node));
  renumber(alone, number, 1);
  return budget::declared_domain(protection->relation, budget::key_text(alone, table->relid), exprType(node),
                                 exprCollation(node));
}

Bounds of_each_value(Node* node, const Var* column, const Sources& sources) {
  const auto values = public_values(column, sources);
  if (!values || values->size > kMostListed) return std::nullopt;
  List* tried = NIL;
  Node* const total = with_total_forms(static_cast<Node*>(copyObjectImpl(node)), &tried);
  if (may_fail(total, nullptr) || !respects_equality(total, sources)) return std::nullopt;
  int16 length;
  bool by_value;
  get_typlenbyval(values->type, &length, &by_value);
  Bounds all;
  for (int i = 0; i < values->size; ++i) {
    Replacement replacement{column, makeConst(column->vartype, column->vartypmod, column->varcollid, length,
                                              values->values[i], false, by_value)};
    Node* const value = folded(put_value(total, &replacement));
    if (!IsA(value, Const)) return std::nullopt;
    if (castNode(Const, value)->constisnull) continue;
    const auto number = as_number(exprType(value), castNode(Const, value)->constvalue);
    const Bounds one = number ? bounds::make(*number, *number) : std::nullopt;
    if (!one) return std::nullopt;
    all = all ? bounds::either(all, one) : one;
  }
  return all;
}

}  // namespace

std::optional<budget::Domain> public_values(const Var* column, const Sources& sources) {
  const RangeTblEntry* const table = sources.table(column->varno);
  if (table->rtekind != RTE_RELATION || column->varattno <= 0) return std::nullopt;
  const budget::Protection* const protection = sources.protection(column->varno);
  if (protection == nullptr) return std::nullopt;
  const char* const name = quote_identifier(get_attname(table->relid, column->varattno, false));
  if (auto declared = budget::declared_domain(protection->relation, name, column->vartype, column->varcollid))
    return declared;
  return budget::type_domain(column->vartype);
}

Bounds bounds_of_declared(Node* node, const Sources& sources) {
  List* columns = NIL;
  if (add_columns(node, &columns) || columns == NIL || castNode(Var, linitial(columns))->varlevelsup > 0)
    return std::nullopt;
  ListCell* cell;
  foreach (cell, columns) {
    if (castNode(Var, lfirst(cell))->varno != castNode(Var, linitial(columns))->varno) return std::nullopt;
  }
  const auto values = declared_values(node, castNode(Var, linitial(columns))->varno, sources);
  if (values && values->size > 0) {
    const auto lower = as_number(values->type, values->values[0]);
    const auto upper = as_number(values->type, values->values[values->size - 1]);
    return lower && upper ? bounds::make(*lower, *upper) : std::nullopt;
  }
  foreach (cell, columns) {
    if (!equal(lfirst(cell), linitial(columns))) return std::nullopt;
  }
  return of_each_value(node, castNode(Var, linitial(columns)), sources);
}

Const* as_array(const budget::Domain& domain, Oid type, Oid collation) {
  int16 length;
  bool by_value;
  char alignment;
  get_typlenbyvalalign(type, &length, &by_value, &alignment);
  ArrayType* const values = construct_array(domain.values, domain.size, type, length, by_value, alignment);
  return makeConst(get_array_type(type), -1, collation, -1, PointerGetDatum(values), false, false);
}

Const* listed_values(Node* column, const Sources& sources) {
  const auto domain = IsA(column, Var) ? public_values(castNode(Var, column), sources) : std::nullopt;
  return domain ? as_array(*domain, exprType(column), exprCollation(column)) : nullptr;
}

Node* end_of_column(const Var* column, int extreme, const Sources& sources) {
  const RangeTblEntry* const table = sources.table(column->varno);
  if (table->rtekind != RTE_RELATION) return nullptr;
  const auto range = budget::range_of_column(table->relid, column->varattno);
  if (!range) return nullptr;
  int16 length;
  bool by_value;
  get_typlenbyval(range->type, &length, &by_value);
  return reinterpret_cast<Node*>(makeConst(range->type, -1, get_typcollation(range->type), length,
                                           extreme < 0 ? range->lower : range->upper, false, by_value));
}

}  // namespace dp::guard
