#include "aggregate/kinds/local_question.h"

#include "aggregate/call/arguments.h"
#include "pg/errors.h"

namespace dp::aggregate {

void check_local_parameter(FunctionCallInfo fcinfo, const LocalFunction& function, int position, const char* name) {
  Node* const call = fcinfo->flinfo->fn_expr;
  // Later calls have the same expressions, though their values may differ.
  if (fcinfo->flinfo->fn_extra == nullptr && call != nullptr && IsA(call, FuncExpr)) {
    List* const arguments = castNode(FuncExpr, call)->args;
    if (position < list_length(arguments) && !same_for_every_row(static_cast<Node*>(list_nth(arguments, position)))) {
      ereport(ERROR,
              (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
               errmsg("%s of %s must be the same for every row", name, function.name),
               errhint("Write a constant or a parameter ($1), not a column, a subquery or a changing function.")));
    }
  }
  if (PG_ARGISNULL(position)) {
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("%s of %s must not be NULL", name, function.name),
                    errhint("Give a value; there is no default that would be safe.")));
  }
}

void check_local_parameters(FunctionCallInfo fcinfo, const LocalFunction& function) {
  check_local_parameter(fcinfo, function, function.fixed, function.fixed_name);
  const bool relaxes = function.levels == 2;
  check_local_parameter(fcinfo, function, function.epsilons, relaxes ? "eps1" : "epsilon");
  if (relaxes) check_local_parameter(fcinfo, function, function.epsilons + 1, "eps2");
}

void refuse_local_signature(const LocalFunction& function) {
  ereport(ERROR, (errcode(ERRCODE_INVALID_FUNCTION_DEFINITION), errmsg("%s takes %s", function.name, function.takes),
                  errhint("Use the function as pg_dp declares it.")));
  pg_unreachable();
}

Levels local_levels(FunctionCallInfo fcinfo, const LocalFunction& function, unsigned parts) {
  using mechanism::Epsilon;
  const auto read = [&](int position, const char* name) {
    return Epsilon::from(PG_GETARG_FLOAT8(position), name, function.example);
  };
  if (function.levels == 1) {
    const noise::Odds odds = mechanism::odds_of(read(function.epsilons, "epsilon"), parts);
    return {odds, odds};
  }
  const Epsilon coarse = read(function.epsilons, "eps1"), fine = read(function.epsilons + 1, "eps2");
  if (fine <= coarse) {
    throw Error(std::string("eps2 of ") + function.name + " must be above eps1, and " +
                    mechanism::decimal(fine.value()) + " is not above " + mechanism::decimal(coarse.value()),
                "eps1 is what the response was drawn at, eps2 what it shall have: a response can only become more "
                "accurate.");
  }
  return {mechanism::odds_of(coarse, parts), mechanism::odds_of(fine, parts)};
}

void refuse_no_response(const LocalFunction& function, const char* what, const char* first) {
  ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("%s of %s must not be NULL", what, function.name),
                  errhint("There is nothing to relax. Draw a first one with %s.", first)));
  pg_unreachable();
}

void check_choice(int categories) {
  if (categories >= 2) return;
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("randomized response needs at least two categories"),
                  errhint("List every answer that can be given, for example ARRAY['yes', 'no'].")));
}

}  // namespace dp::aggregate
