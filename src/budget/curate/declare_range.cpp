// What curators say about the values of columns: dp.declare_range, dp.withdraw.
#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/policy_rows.h"
#include "budget/catalog/public_domain_rows.h"
#include "budget/catalog/range_rows.h"
#include "budget/policy/curator.h"
#include "budget/policy/grouping_expression.h"
#include "budget/policy/ranges.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

constexpr const char* kDeclare = "dp.declare_range('visits', 'cost', 0, 50000)";
constexpr const char* kWithdraw = "dp.withdraw('visits', 'cost')";

// An end as a value of the column's type, by way of its text: what does not fit is an error, not rounded. Texts that
// somebody wrote mean what the session's settings say.
Datum end_argument(FunctionCallInfo fcinfo, int number, const char* argument, const char* column, Oid type) {
  if (PG_ARGISNULL(number)) refuse_null(argument, kDeclare);
  const Oid given = get_fn_expr_argtype(fcinfo->flinfo, number);
  Oid output, input, parameter;
  bool is_varlena;
  getTypeOutputInfo(given, &output, &is_varlena);
  getTypeInputInfo(type, &input, &parameter);
  const bool written = TypeCategory(given) == TYPCATEGORY_STRING;
  const int level = written ? 0 : begin_stable_text();
  char* const text = OidOutputFunctionCall(output, PG_GETARG_DATUM(number));
  const ErrorData* why = nullptr;
  Datum value = 0;
  try {
    value = pg::call([&] { return OidInputFunctionCall(input, text, parameter, -1); });
  } catch (const pg::PostgresError& error) {
    if (ERRCODE_TO_CATEGORY(error.data->sqlerrcode) != ERRCODE_DATA_EXCEPTION) throw;
    why = error.data;
  }
  if (why != nullptr) {
    ereport(ERROR, (errcode(why->sqlerrcode),
                    errmsg("the %s end of the range of column \"%s\" must be a value of type %s, not %s", argument,
                           column, format_type_be(type), quote_literal_cstr(text)),
                    errdetail("%s.", why->message), errhint("For example %s.", kDeclare)));
  }
  if (!written) end_stable_text(level);
  return value;
}

const char* stable_text(Oid type, Datum value) {
  Oid output;
  bool is_varlena;
  getTypeOutputInfo(type, &output, &is_varlena);
  const int level = begin_stable_text();
  const char* const text = OidOutputFunctionCall(output, value);
  end_stable_text(level);
  return text;
}

// Whether the value is a finite one, and so a bound at all.
bool is_finite(Oid type, Datum value) {
  switch (type) {
    case FLOAT4OID:
      return std::isfinite(DatumGetFloat4(value));
    case FLOAT8OID:
      return std::isfinite(DatumGetFloat8(value));
    case NUMERICOID:
      return !numeric_is_nan(DatumGetNumeric(value)) && !numeric_is_inf(DatumGetNumeric(value));
    case DATEOID:
      return !DATE_NOT_FINITE(DatumGetDateADT(value));
    case TIMESTAMPOID:
    case TIMESTAMPTZOID:
      return !TIMESTAMP_NOT_FINITE(DatumGetTimestamp(value));
    default:
      return true;
  }
}

void require_range(const char* column, Oid type, Datum lower, Datum upper) {
  const TypeCacheEntry* const order = lookup_type_cache(type, TYPECACHE_CMP_PROC_FINFO);
  const bool finite = is_finite(type, lower) && is_finite(type, upper);
  if (finite &&
      DatumGetInt32(FunctionCall2Coll(const_cast<FmgrInfo*>(&order->cmp_proc_finfo), InvalidOid, lower, upper)) < 0)
    return;
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("the range of column \"%s\" from %s to %s is not one from a finite value to a greater one",
                         column, stable_text(type, lower), stable_text(type, upper)),
                  errhint("For example %s.", kDeclare)));
}

}  // namespace

// dp.declare_range(relation regclass, column name, lower anycompatible, upper anycompatible) returns void
DP_SQL_FUNCTION(dp_declare_range) {
  const Oid relation = oid_argument(fcinfo, 0, "relation", kDeclare);
  if (PG_ARGISNULL(1)) refuse_null("column", kDeclare);
  const char* const column = NameStr(*PG_GETARG_NAME(1));
  require_relation(relation);
  begin_curating(relation, "dp.declare_range()");
  require_relation(relation);
  if (!protected_policy(relation)) refuse_unprotected(relation);
  const AttrNumber number = get_attnum(relation, column);
  if (number <= 0) {
    ereport(ERROR, (errcode(ERRCODE_UNDEFINED_COLUMN),
                    errmsg("table %s has no column \"%s\"", relation_name(relation), column),
                    errhint("Name a column of it, for example %s.", kDeclare)));
  }
  const Oid type = getBaseType(get_atttype(relation, number));
  if (!can_have_range(type)) {
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("column \"%s\" has type %s, which has no ranges: numbers, dates and timestamps have", column,
                           format_type_be(type)),
                    errhint("List its values: SELECT dp.declare_values(%s, %s, 'a', 'b');",
                            quote_literal_cstr(relation_name(relation)), quote_literal_cstr(column))));
  }
  const Datum lower = end_argument(fcinfo, 2, "lower", column, type);
  const Datum upper = end_argument(fcinfo, 3, "upper", column, type);
  require_range(column, type, lower, upper);
  store_declared_range(relation, column, {type, stable_text(type, lower), stable_text(type, upper)});
  invalidate_plans(relation);
  PG_RETURN_VOID();
}

// dp.withdraw(relation regclass, expression text) returns void. The text that the tables show is taken as it is: a
// column in it may be gone.
DP_SQL_FUNCTION(dp_withdraw) {
  const Oid relation = oid_argument(fcinfo, 0, "relation", kWithdraw);
  if (PG_ARGISNULL(1)) refuse_null("expression", kWithdraw);
  const char* const given = text_to_cstring(PG_GETARG_TEXT_PP(1));
  begin_curating(relation, "dp.withdraw()");
  bool removed = remove_declared_range(relation, given);
  removed = remove_public_domain(relation, given) || removed;
  if (!removed) {
    require_relation(relation);
    const char* const text = read_grouping_expression(relation, given).text;
    if (!remove_public_domain(relation, text)) {
      ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                      errmsg("nothing is declared for %s of table %s", text, relation_name(relation)),
                      errhint("The tables dp.declared_range and dp.public_domain show what was declared.")));
    }
  }
  invalidate_plans(relation);
  PG_RETURN_VOID();
}

}  // namespace dp::budget
