// What curators say about the values of grouping expressions: dp.public_values, dp.no_public_values.
#include <algorithm>

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/policy_rows.h"
#include "budget/catalog/public_domain_rows.h"
#include "budget/policy/curator.h"
#include "budget/policy/domains.h"
#include "budget/policy/privacy_unit.h"
#include "budget/policy/unit_path_columns.h"
#include "pg/errors.h"
#include "pg/planner.h"

namespace dp::budget {
namespace {

constexpr const char* kDeclare = "dp.public_values('visits', 'ward', 'a', 'b')";
constexpr const char* kShow = "dp.public_groups('visits', 'ward')";
constexpr const char* kWithdraw = "dp.no_public_values('visits', 'ward')";

[[noreturn]] void refuse_values(const char* problem, const char* hint) {
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("%s", problem), errhint("%s", hint)));
  pg_unreachable();
}

// What dp.public_values was given: values one by one, or an array of them, each with its type.
struct Given {
  Datum* values;
  bool* nulls;
  Oid* types;
  int size;
};

Given elements_of(ArrayType* array) {
  Given given{};
  const Oid element = ARR_ELEMTYPE(array);
  int16 length;
  bool by_value;
  char alignment;
  get_typlenbyvalalign(element, &length, &by_value, &alignment);
  deconstruct_array(array, element, length, by_value, alignment, &given.values, &given.nulls, &given.size);
  given.types = static_cast<Oid*>(palloc(sizeof(Oid) * static_cast<Size>(given.size + 1)));
  std::fill_n(given.types, given.size, element);
  return given;
}

// A single array is a list of values, unless the expression is an array itself.
Given given_values(FunctionCallInfo fcinfo, const GroupingExpression& expression) {
  Given given{};
  given.size = extract_variadic_args(fcinfo, 2, true, &given.values, &given.types, &given.nulls);
  if (given.size < 0) refuse_null("values", kDeclare);
  const bool list =
      given.size == 1 && OidIsValid(get_element_type(given.types[0])) && given.types[0] != expression.type;
  if (list && given.nulls[0]) refuse_null("values", kDeclare);
  return list ? elements_of(DatumGetArrayTypeP(given.values[0])) : given;
}

// The given values converted to the expression's type by way of their text, so that a value that does not fit is an
// error and is not rounded. Literals are read under the session's settings.
Datum* converted(const Given& given, const GroupingExpression& expression) {
  if (given.size == 0)
    refuse_values("no values are given", "For example dp.public_values('visits', 'ward', 'a', 'b').");
  if (given.size > kMostPublicValues) {
    refuse_values("too many values are given, more than 100000", "Group by something coarser.");
  }
  Oid input, parameter;
  getTypeInputInfo(expression.type, &input, &parameter);
  auto* const values = static_cast<Datum*>(palloc(sizeof(Datum) * static_cast<Size>(given.size)));
  for (int i = 0; i < given.size; ++i) {
    if (given.nulls[i]) {
      refuse_values("values must not contain NULL",
                    "Leave it out: NULL belongs to every domain, unless the column is NOT NULL.");
    }
    Oid output;
    bool is_varlena;
    getTypeOutputInfo(given.types[i], &output, &is_varlena);
    const bool written = TypeCategory(given.types[i]) == TYPCATEGORY_STRING;
    const int level = written ? 0 : begin_stable_text();
    values[i] =
        OidInputFunctionCall(input, OidOutputFunctionCall(output, given.values[i]), parameter, expression.modifier);
    if (!written) end_stable_text(level);
  }
  return values;
}

[[noreturn]] void refuse_repetition(const Domain& domain, int given, const char* text) {
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("%d values of %s are given, but only %d different ones", given, text, domain.size),
                  errhint("List each value once.")));
  pg_unreachable();
}

// Of date_trunc('month', x, zone) over a column: values that it does not have, because they begin in another zone,
// would be groups without rows, and the rows would be in none.
void require_truncated(const GroupingExpression& expression, const Domain& domain) {
  if (!is_truncation(expression.node)) return;
  auto* const call = castNode(FuncExpr, copyObjectImpl(expression.node));
  auto* const moment = static_cast<Node*>(lsecond(call->args));
  auto* const value =
      makeConst(exprType(moment), -1, InvalidOid, 8, 0, false, FLOAT8PASSBYVAL);  // two types of moments
  lsecond(call->args) = value;
  if (value->consttype != expression.type || contain_var_clause(reinterpret_cast<Node*>(call))) return;
  EState* const estate = CreateExecutorState();
  ExprContext* const context = GetPerTupleExprContext(estate);
  for (int i = 0; i < domain.size; ++i) {
    value->constvalue = domain.values[i];
    bool is_null;
    const Datum cut =
        ExecEvalExprSwitchContext(ExecPrepareExpr(reinterpret_cast<Expr*>(call), estate), context, &is_null);
    if (!is_null && datumIsEqual(cut, domain.values[i], true, sizeof(Datum))) continue;
    Oid output;
    bool is_varlena;
    getTypeOutputInfo(expression.type, &output, &is_varlena);
    const char* const given = OidOutputFunctionCall(output, domain.values[i]);
    const char* const has = is_null ? "none" : OidOutputFunctionCall(output, cut);
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("%s is not a value of %s", given, expression.text),
                    errdetail("There it is cut to %s: no row would be in its group.", has),
                    errhint("Make the values in the zone of the expression: SET TimeZone = 'Europe/Berlin' before "
                            "generate_series; or declare a range, which gives them in any zone: "
                            "dp.declare_range('visits', 'admitted', '2024-01-01', '2024-12-31').")));
  }
  FreeExecutorState(estate);
}

// Each value of the unit is a person.
void warn_about_unit(Oid relation, AttrNumber column) {
  const std::optional<Protection> protection = protection_of(relation);
  if (!protection || column <= 0 || !says_whose(*protection, relation, column)) return;
  const char* const name = get_attname(relation, column, false);
  ereport(WARNING, (errmsg("column \"%s\" is the privacy unit of table %s: each of its groups is one person", name,
                           relation_name(relation)),
                    errdetail("Answers stay private, but are all noise; and who is on the list becomes public."),
                    errhint("Declare a column that many persons share; or take it back: SELECT dp.no_public_values(%s, "
                            "%s);",
                            quote_literal_cstr(relation_name(relation)), quote_literal_cstr(quote_identifier(name)))));
}

ArrayType* as_texts(const Domain& domain) {
  Oid output;
  bool is_varlena;
  getTypeOutputInfo(domain.type, &output, &is_varlena);
  auto* const texts = static_cast<Datum*>(palloc(domain.size * sizeof(Datum)));
  const int level = begin_stable_text();
  for (int i = 0; i < domain.size; ++i) texts[i] = CStringGetTextDatum(OidOutputFunctionCall(output, domain.values[i]));
  end_stable_text(level);
  return construct_array(texts, domain.size, TEXTOID, -1, false, TYPALIGN_INT);
}

const char* text_argument(FunctionCallInfo fcinfo, const char* example) {
  if (PG_ARGISNULL(1)) refuse_null("expression", example);
  return text_to_cstring(PG_GETARG_TEXT_PP(1));
}

}  // namespace

// dp.public_values(relation regclass, expression text, VARIADIC "values" "any") returns integer: how many values it has
// now.
DP_SQL_FUNCTION(dp_public_values) {
  const Oid relation = oid_argument(fcinfo, 0, "relation", kDeclare);
  const char* const given = text_argument(fcinfo, kDeclare);
  require_relation(relation);
  begin_curating(relation, "dp.public_values()");
  require_relation(relation);
  if (!protected_policy(relation)) refuse_unprotected(relation);
  const GroupingExpression expression = read_grouping_expression(relation, given);

  if (!expression.settled) {
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("which values %s has depends on settings of the session, such as TimeZone", expression.text),
                    errdetail("In a session with other settings the values given here would match no row."),
                    errhint("Declare another form, and group by it: %s.", kSettledForms)));
  }

  const Given values = given_values(fcinfo, expression);
  const std::optional<Domain> domain =
      make_domain(expression.type, expression.collation, converted(values, expression), values.size);
  if (!domain) {
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
             errmsg("a private query cannot group by type %s, which has no order", format_type_be(expression.type)),
             errhint("Group by its text, for example dp.public_values('visits', 'x::text', 'a', 'b').")));
  }
  if (domain->size < values.size) refuse_repetition(*domain, values.size, expression.text);
  require_truncated(expression, *domain);
  warn_about_unit(relation, expression.column);
  store_public_domain(relation, expression.text, {expression.type, as_texts(*domain)});
  invalidate_plans(relation);
  PG_RETURN_INT32(domain->size);
}

// dp.public_groups(relation regclass, expression text) returns setof text
DP_SQL_FUNCTION(dp_public_groups) {
  const Oid relation = oid_argument(fcinfo, 0, "relation", kShow);
  const char* const given = text_argument(fcinfo, kShow);
  require_relation(relation);
  require_curator(relation);
  if (!protected_policy(relation)) refuse_unprotected(relation);
  const GroupingExpression expression = read_grouping_expression(relation, given);
  std::optional<Domain> domain = declared_domain(relation, expression.text, expression.type, expression.collation);
  if (!domain) domain = natural_domain(relation, expression.column, GetUserId());
  InitMaterializedSRF(fcinfo, MAT_SRF_USE_EXPECTED_DESC);
  if (!domain) PG_RETURN_NULL();
  const auto* const result = reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
  Oid output;
  bool is_varlena;
  getTypeOutputInfo(domain->type, &output, &is_varlena);
  Datum value;
  bool null = false;
  for (int i = 0; i < domain->size; ++i) {
    value = CStringGetTextDatum(OidOutputFunctionCall(output, domain->values[i]));
    tuplestore_putvalues(result->setResult, result->setDesc, &value, &null);
  }
  null = expression.column == InvalidAttrNumber || may_be_null(relation, expression.column);
  if (null) tuplestore_putvalues(result->setResult, result->setDesc, &value, &null);
  PG_RETURN_NULL();
}

// dp.no_public_values(relation regclass, expression text) returns void. The expression may be given as the table
// dp.public_domain shows it: a column in it may have been dropped.
DP_SQL_FUNCTION(dp_no_public_values) {
  const Oid relation = oid_argument(fcinfo, 0, "relation", kWithdraw);
  const char* const given = text_argument(fcinfo, kWithdraw);
  begin_curating(relation, "dp.no_public_values()");
  if (!remove_public_domain(relation, given)) {
    require_relation(relation);
    const char* const text = read_grouping_expression(relation, given).text;
    if (!remove_public_domain(relation, text)) {
      ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                      errmsg("table %s has no public values of %s", relation_name(relation), text),
                      errhint("The table dp.public_domain shows what was declared.")));
    }
  }
  invalidate_plans(relation);
  PG_RETURN_VOID();
}

}  // namespace dp::budget
