#include "guard/rewrite/distinct_values.h"

#include <algorithm>

#include "budget/policy/checked_values.h"
#include "guard/rewrite/declared_bounds.h"
#include "guard/unit_limit/listed_values.h"

namespace dp::guard {
namespace {

// Values that a filter names one by one.
constexpr int kMostNamed = 1000;

std::optional<budget::Domain> values_of(const Aggref* aggregate, const Sources& sources) {
  if (aggregate->aggdistinct == NIL) return std::nullopt;
  auto* const column = reinterpret_cast<const Var*>(linitial_node(TargetEntry, aggregate->args)->expr);
  if (!IsA(column, Var) || column->varlevelsup > 0 || column->vartype == BOOLOID) return std::nullopt;
  auto values = public_values(column, sources);
  const RangeTblEntry* const table = sources.table(static_cast<int>(column->varno));
  if (!values && table->rtekind == RTE_RELATION && column->varattno > 0)
    values = budget::checked_values(table->relid, column->varattno);
  return values && values->size > 0 && values->size <= kMostNamed ? values : std::nullopt;
}

// value = ANY ('{...}')
Expr* is_one_of(Expr* value, const budget::Domain& values, Oid collation) {
  const Oid type = exprType(reinterpret_cast<Node*>(value));
  const TypeCacheEntry* const known = lookup_type_cache(type, TYPECACHE_EQ_OPR);
  const Oid array_type = get_array_type(type);
  if (!OidIsValid(known->eq_opr) || !OidIsValid(array_type)) return nullptr;
  int16 length;
  bool by_value;
  char alignment;
  get_typlenbyvalalign(type, &length, &by_value, &alignment);
  ArrayType* const listed = construct_array(values.values, values.size, type, length, by_value, alignment);
  auto* const array =
      makeConst(array_type, -1, get_typcollation(array_type), -1, PointerGetDatum(listed), false, false);
  auto* const any = makeNode(ScalarArrayOpExpr);
  any->opno = known->eq_opr;
  any->opfuncid = get_opcode(known->eq_opr);
  any->useOr = true;
  any->inputcollid = collation;
  any->args = list_make2(copyObjectImpl(value), array);
  any->location = -1;
  return reinterpret_cast<Expr*>(any);
}

}  // namespace

Aggref* of_public_values(Aggref* aggregate, const Sources& sources) {
  const auto values = values_of(aggregate, sources);
  if (!values) return aggregate;
  Expr* const named = is_one_of(linitial_node(TargetEntry, aggregate->args)->expr, *values, aggregate->inputcollid);
  if (named == nullptr) return aggregate;
  auto* const made = static_cast<Aggref*>(copyObjectImpl(aggregate));
  made->aggfilter =
      reinterpret_cast<Expr*>(make_and_qual(reinterpret_cast<Node*>(made->aggfilter), reinterpret_cast<Node*>(named)));
  return made;
}

int most_counted(const Aggref* aggregate, const Sources& sources) {
  const auto values = values_of(aggregate, sources);
  const int listed = most_distinct(aggregate, reinterpret_cast<Node*>(sources.conditions));
  if (values && listed > 0) return std::min(values->size, listed);
  return values ? values->size : listed;
}

}  // namespace dp::guard
