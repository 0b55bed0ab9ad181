#include "budget/policy/privacy_unit.h"

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/policy_rows.h"
#include "budget/catalog/unique_indexes.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

constexpr const char* kExample =
    "dp.protect('visits', 10, privacy_unit => 'patient_id', max_groups_per_unit => 3, max_rows_per_group => 2)";

std::int32_t limit_argument(FunctionCallInfo fcinfo, int number, const char* name) {
  if (PG_ARGISNULL(number)) return 0;
  const std::int32_t limit = PG_GETARG_INT32(number);
  if (limit >= 1 && limit <= kMostOfUnit) return limit;
  ereport(ERROR,
          (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
           errmsg("%s must be from 1 to %d, not %d", name, kMostOfUnit, limit), errhint("For example %s.", kExample)));
  pg_unreachable();
}

[[noreturn]] void refuse(const char* message, const char* hint) {
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("%s", message), errhint("%s", hint)));
  pg_unreachable();
}

// Units are told apart by sorting or hashing them, with PostgreSQL's own operators only: those of an extension may
// fail.
bool has_order(Oid type) {
  const TypeCacheEntry* const known = lookup_type_cache(type, TYPECACHE_LT_OPR | TYPECACHE_EQ_OPR);
  const auto is_built_in = [](Oid op) { return OidIsValid(op) && op < FirstUnpinnedObjectId; };
  return is_built_in(known->lt_opr) && is_built_in(known->eq_opr);
}

void require_order(Oid table, AttrNumber column) {
  const Oid type = get_atttype(table, column);
  if (has_order(type)) return;
  ereport(
      ERROR,
      (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
       errmsg("privacy_unit must not be of type %s, which has no built-in order", format_type_be(type)),
       errhint("For example %s. Of a type that an extension brings, add a column: ALTER TABLE ... ADD COLUMN unit text "
               "GENERATED ALWAYS AS (lower(email::text)) STORED.",
               kExample)));
}

void require_column(Oid relation, const NameData& column) {
  const AttrNumber number = get_attnum(relation, NameStr(column));
  if (number > 0) return require_order(relation, number);
  ereport(ERROR, (errcode(ERRCODE_UNDEFINED_COLUMN),
                  errmsg("privacy_unit names column \"%s\", which table %s does not have", NameStr(column),
                         relation_name(relation)),
                  errhint("Give a column's name as it is stored, for example %s.", kExample)));
}

}  // namespace

UnitPolicy unit_arguments(FunctionCallInfo fcinfo, int first, Oid relation, const UnitPolicy& before) {
  const char* const hint = psprintf("For example %s.", kExample);
  UnitPolicy unit;
  unit.column = PG_ARGISNULL(first) ? before.column : *PG_GETARG_NAME(first);
  unit.rows = limit_argument(fcinfo, first + 1, "max_rows_per_unit");
  unit.groups = limit_argument(fcinfo, first + 2, "max_groups_per_unit");
  unit.rows_per_group = limit_argument(fcinfo, first + 3, "max_rows_per_group");
  if (!unit.declared()) {
    if (unit.limited() || unit.rows_per_group > 0)
      refuse("there is no privacy_unit that the limits could hold for", hint);
    return unit;
  }
  require_column(relation, unit.column);
  if (unit.rows > 0 && unit.groups > 0) {
    refuse("max_rows_per_unit and max_groups_per_unit must not be given together",
           "Give max_rows_per_unit, or max_groups_per_unit with max_rows_per_group.");
  }
  if (unit.rows_per_group > 0 && unit.groups == 0) {
    refuse("max_rows_per_group needs max_groups_per_unit", hint);
  }
  if (unit.groups > 0 && unit.rows_per_group == 0) {
    unit.rows_per_group = 1;
    ereport(NOTICE, (errmsg("one row of a unit will count in each of its groups"),
                     errhint("For more say max_rows_per_group, for example %s.", kExample)));
  }
  if (std::int64_t{unit.groups} * unit.rows_per_group > kMostOfUnit) {
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("max_groups_per_unit times max_rows_per_group must be at most %d, not %lld", kMostOfUnit,
                           static_cast<long long>(std::int64_t{unit.groups} * unit.rows_per_group)),
                    errhint("For example %s.", kExample)));
  }
  if (unit.limited()) return unit;
  if (PG_ARGISNULL(first)) return before;
  if (!OidIsValid(unique_index(relation, get_attnum(relation, NameStr(unit.column)), true))) {
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("a unit can have any number of rows: column \"%s\" is not unique, and no limit is given",
                           NameStr(unit.column)),
                    errhint("Say how much of one unit may count: max_rows_per_unit => 5, or max_groups_per_unit => 3, "
                            "max_rows_per_group => 2.")));
  }
  return unit;
}

AttrNumber unit_column(const UnitPolicy& unit, Oid table) {
  if (!unit.declared()) return InvalidAttrNumber;
  const AttrNumber column = get_attnum(table, NameStr(unit.column));
  if (column > 0 && has_order(get_atttype(table, column))) return column;
  const char* const name = relation_name(table);
  if (column > 0) {
    ereport(
        ERROR,
        (errcode(pg::kNotAdmissible),
         errmsg(
             "column \"%s\" of table %s, which names its privacy unit, is now of type %s, which has no built-in order",
             NameStr(unit.column), name, format_type_be(get_atttype(table, column))),
         errhint("Ask its owner for another type: ALTER TABLE %s ALTER %s TYPE ...", quote_identifier(name),
                 quote_identifier(NameStr(unit.column)))));
  }
  ereport(ERROR, (errcode(pg::kNotAdmissible),
                  errmsg("table %s does not have the column \"%s\" any more that names its privacy unit", name,
                         NameStr(unit.column)),
                  errhint("Ask a curator to name it anew: SELECT dp.protect(%s, ..., privacy_unit => 'patient_id', "
                          "max_rows_per_unit => 5);",
                          quote_literal_cstr(name))));
  pg_unreachable();
}

// dp_internal.read_units() returns the columns of dp.units
DP_SQL_FUNCTION(dp_read_units) {
  InitMaterializedSRF(fcinfo, 0);
  const auto* const result = reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
  ListCell* cell;
  foreach (cell, all_protected()) {
    const Policy& policy = *static_cast<const Policy*>(lfirst(cell));
    const Protection protection{policy.relation, policy.limit, policy.selection, policy.unit};
    if (!relation_exists(policy.relation)) continue;
    if (!is_curator(policy.relation, GetUserId()) && !has_account(protection, GetUserId())) continue;
    const AttrNumber column = get_attnum(policy.relation, NameStr(policy.unit.column));
    Datum values[] = {ObjectIdGetDatum(policy.relation),
                      NameGetDatum(&policy.unit.column),
                      BoolGetDatum(column > 0 && OidIsValid(unique_index(policy.relation, column, true))),
                      Int32GetDatum(policy.unit.rows),
                      Int32GetDatum(policy.unit.groups),
                      Int32GetDatum(policy.unit.rows_per_group)};
    bool nulls[] = {false,
                    !policy.unit.declared(),
                    column <= 0,
                    policy.unit.rows == 0,
                    policy.unit.groups == 0,
                    policy.unit.groups == 0};
    tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
  }
  PG_RETURN_NULL();
}

}  // namespace dp::budget
