#include "guard/rewrite/rounded_answers.h"

#include "aggregate/call/prepare_plan.h"
#include "budget/catalog/extension_catalog.h"
#include "guard/functions/aggregates.h"
#include "guard/rewrite/error_calls.h"
#include "guard/rewrite/known_aggregates.h"
#include "pg/functions_by_name.h"
#include "pg/nodes.h"

namespace dp::guard {
namespace {

// The extension's own function of that name whose first argument is of that type.
Oid function_for(const char* name, Oid type) {
  return pg::function_named(name, [type](const FormData_pg_proc& function, std::span<const Oid> types) {
    return types.size() == 2 && types[0] == type && budget::is_of_extension(ProcedureRelationId, function.oid);
  });
}

Expr* called(Oid function, Oid type, Expr* first, Expr* second) {
  return reinterpret_cast<Expr*>(
      makeFuncExpr(function, type, list_make2(first, second), InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL));
}

bool is_any_count(Oid function) { return is_plain_count(function) || aggregate::is_count(function); }

// Whether it is a number that tells its error, of an aggregate that is private or will be.
bool tells_error(const Expr* shown) {
  if (!IsA(shown, Aggref)) return false;
  const auto* const aggregate = reinterpret_cast<const Aggref*>(shown);
  const Oid function = aggregate->aggfnoid;
  if (aggregate->agglevelsup > 0 || aggregate->aggdirectargs != NIL) return false;  // the latter are quantiles
  if (aggregate::is_private_aggregate(function)) return !aggregate::is_scale_free(function);
  return is_any_count(function) || bounded_form(function) != nullptr;
}

Expr* error_of(const Expr* answer) {
  auto* const confidence = reinterpret_cast<Expr*>(pg::float8_constant(0.95));
  return called(function_for("dp_error", ANYELEMENTOID), FLOAT8OID, static_cast<Expr*>(copyObjectImpl(answer)),
                confidence);
}

// As a float8, which all types that are rounded can become.
Expr* as_float(const Expr* answer) {
  auto* const copy = static_cast<Node*>(copyObjectImpl(answer));
  return reinterpret_cast<Expr*>(
      coerce_to_target_type(nullptr, copy, exprType(copy), FLOAT8OID, -1, COERCION_IMPLICIT, COERCE_IMPLICIT_CAST, -1));
}

}  // namespace

void round_answers(Query* level) {
  const bool grouped = level->groupClause != NIL || level->groupingSets != NIL;
  const Oid outstanding = budget::internal_function("stands_out", {FLOAT8OID, FLOAT8OID});
  List* counted = NIL;
  ListCell* cell;
  foreach (cell, level->targetList) {
    auto* const entry = lfirst_node(TargetEntry, cell);
    if (!tells_error(entry->expr)) continue;
    auto* const answer = castNode(Aggref, entry->expr);
    const Oid rounded = function_for("dp_rounded", answer->aggtype);
    if (!OidIsValid(rounded)) continue;
    if (grouped && is_any_count(answer->aggfnoid))
      counted = lappend(counted, called(outstanding, BOOLOID, as_float(entry->expr), error_of(entry->expr)));
    entry->expr = called(rounded, answer->aggtype, entry->expr, error_of(entry->expr));
  }
  if (counted == NIL) return;
  auto* const any = list_length(counted) == 1 ? static_cast<Expr*>(linitial(counted)) : make_orclause(counted);
  level->havingQual = make_and_qual(level->havingQual, reinterpret_cast<Node*>(any));
}

}  // namespace dp::guard
