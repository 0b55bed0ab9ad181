#include "budget/policy/privacy_unit.h"

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/policy_rows.h"
#include "budget/catalog/unique_indexes.h"
#include "budget/policy/curator.h"
#include "budget/policy/unit_path.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

constexpr const char* kExample =
    "dp.protect('visits', 10, privacy_unit => 'patient_id', max_groups_per_unit => 3, max_rows_per_group => 2)";

// -1 takes the limit away.
std::int32_t limit_argument(FunctionCallInfo fcinfo, int number, const char* name) {
  const std::int32_t limit = PG_GETARG_INT32(number);
  if (limit == -1) return 0;
  if (limit >= 1 && limit <= kMostOfUnit) return limit;
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("%s must be from 1 to %d, not %d", name, kMostOfUnit, limit),
                  errhint("For example %s. -1 takes the limit away.", kExample)));
  pg_unreachable();
}

// What several partitions promise together.
constexpr const char* kBlocksExample =
    "dp.protect('visits', 0.5, privacy_unit => 'patient_id', blocks => true, max_blocks_per_unit => 12)";

// Adds the arguments max_rows_per_unit, max_groups_per_unit and max_rows_per_group, from that one on. A limit of one
// kind takes the place of those of the other kind.
void add_limit_arguments(FunctionCallInfo fcinfo, int first, UnitPolicy* unit) {
  const bool rows = !PG_ARGISNULL(first), groups = !PG_ARGISNULL(first + 1), rows_per_group = !PG_ARGISNULL(first + 2);
  if (rows) unit->rows = limit_argument(fcinfo, first, "max_rows_per_unit");
  if (groups) unit->groups = limit_argument(fcinfo, first + 1, "max_groups_per_unit");
  if (rows_per_group) unit->rows_per_group = limit_argument(fcinfo, first + 2, "max_rows_per_group");
  if (rows && unit->rows > 0) {
    if (!groups) unit->groups = 0;
    if (!rows_per_group) unit->rows_per_group = 0;
  }
  if (groups && unit->groups > 0 && !rows) unit->rows = 0;
  if (groups && unit->groups == 0 && !rows_per_group) unit->rows_per_group = 0;
}

[[noreturn]] void refuse(const char* message, const char* hint) {
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("%s", message), errhint("%s", hint)));
  pg_unreachable();
}

void take_limits_away(const char* limits, UnitPolicy* unit) {
  if (strcmp(limits, "auto") != 0) {
    refuse(psprintf("limits must be 'auto', not '%s'", limits),
           psprintf("'auto' takes away what was declared; for a limit of your own say for example %s.", kExample));
  }
  unit->rows = unit->groups = unit->rows_per_group = 0;
}

void require_order(Oid table, AttrNumber column) {
  const Oid type = get_atttype(table, column);
  if (tells_units_apart(type)) return;
  ereport(
      ERROR,
      (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
       errmsg("privacy_unit must not be of type %s, which has no built-in order", format_type_be(type)),
       errhint("For example %s. Of a type that an extension brings, add a column: ALTER TABLE ... ADD COLUMN unit text "
               "GENERATED ALWAYS AS (lower(email::text)) STORED.",
               kExample)));
}

void require_column(Oid relation, const char* column) {
  const AttrNumber number = get_attnum(relation, column);
  if (number > 0) return require_order(relation, number);
  ereport(ERROR,
          (errcode(ERRCODE_UNDEFINED_COLUMN),
           errmsg("privacy_unit names column \"%s\", which table %s does not have", column, relation_name(relation)),
           errhint("Give a column's name as it is stored, for example %s.", kExample)));
}

// The steps of a path that is declared now; NIL where it is the name of a column.
List* declared_steps(Oid relation, const char* text) {
  if (get_attnum(relation, text) > 0 || strchr(text, '.') == nullptr) {
    require_column(relation, text);
    return NIL;
  }
  PathObstacle obstacle{};
  const auto path = find_unit_path(relation, relation, text, &obstacle);
  if (!path) {
    ereport(ERROR, (errcode(obstacle.code),
                    errmsg("privacy_unit %s of table %s cannot be followed: %s", text, relation_name(relation),
                           obstacle.message),
                    errhint("%s", obstacle.hint)));
  }
  return step_texts(*path);
}

}  // namespace

UnitPolicy unit_arguments(FunctionCallInfo fcinfo, int first, int limits, Oid relation, const UnitPolicy& before) {
  const char* const hint = psprintf("For example %s.", kExample);
  const bool named = !PG_ARGISNULL(first);
  UnitPolicy unit = before;
  unit.kept_by = nullptr;
  unit.latest = false;
  if (named) {
    const char* const path = text_to_cstring(PG_GETARG_TEXT_PP(first));
    if (!before.declared() || strcmp(path, before.path) != 0) unit = {};  // limits are of a unit
    unit.path = *path == '\0' ? nullptr : path;
  }
  if (!PG_ARGISNULL(limits)) take_limits_away(text_to_cstring(PG_GETARG_TEXT_PP(limits)), &unit);
  add_limit_arguments(fcinfo, first + 1, &unit);
  if (!PG_ARGISNULL(limits) && unit.limited()) refuse("limits => 'auto' must not be given together with a limit", hint);
  if (!PG_ARGISNULL(limits) && !unit.declared()) refuse("there is no privacy_unit whose limits could be chosen", hint);
  if (!unit.declared()) {
    if (unit.limited() || unit.rows_per_group > 0)
      refuse("there is no privacy_unit that the limits could hold for", hint);
    return unit;
  }
  if (named) unit.steps = declared_steps(relation, unit.path);
  if (!named && unit.steps == NIL) require_column(relation, unit.path);
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
  return unit;
}

void add_kept_arguments(FunctionCallInfo fcinfo, int first, Oid relation, const UnitPolicy& before, UnitPolicy* unit) {
  constexpr const char* kHint =
      "For example dp.protect('visits', 10, privacy_unit => 'patient_id', max_rows_per_unit => 1, rows_kept => "
      "'first', "
      "rows_kept_by => 'admitted_at').";
  const char* which = PG_ARGISNULL(first) ? nullptr : text_to_cstring(PG_GETARG_TEXT_PP(first));
  const char* by = PG_ARGISNULL(first + 1) ? nullptr : text_to_cstring(PG_GETARG_TEXT_PP(first + 1));
  if (which == nullptr && by == nullptr) {
    if (!unit->declared() || !unit->limited()) return;
    unit->kept_by = before.kept_by;
    unit->latest = before.latest;
    return;
  }
  if (before.kept_by != nullptr) {
    if (which == nullptr) which = before.latest ? "latest" : "first";
    if (by == nullptr && strcmp(which, "random") != 0) by = before.kept_by;
  }
  if (!unit->declared()) refuse("there is no privacy_unit whose rows could be kept", kHint);
  if (which == nullptr)
    refuse("rows_kept_by needs rows_kept, which says whether the first or the latest rows count", kHint);
  if (strcmp(which, "random") == 0) {
    if (by != nullptr) refuse("rows_kept is random: there is nothing that rows_kept_by could say", kHint);
    unit->kept_by = nullptr;
    return;
  }
  if (strcmp(which, "first") != 0 && strcmp(which, "latest") != 0) {
    refuse(psprintf("rows_kept must be 'random', 'first' or 'latest', not '%s'", which), kHint);
  }
  if (by == nullptr)
    refuse("rows_kept needs rows_kept_by, the column whose values say which rows are the first", kHint);
  const bool unique = unit->steps == NIL && OidIsValid(unique_index(relation, get_attnum(relation, unit->path), true));
  if (!unit->limited() && !unique) refuse("rows_kept needs a limit, beyond which it says which rows count", kHint);
  const AttrNumber column = get_attnum(relation, by);
  if (column <= 0) {
    ereport(ERROR,
            (errcode(ERRCODE_UNDEFINED_COLUMN),
             errmsg("rows_kept_by names column \"%s\", which table %s does not have", by, relation_name(relation)),
             errhint("Give a column's name as it is stored. %s", kHint)));
  }
  if (!tells_units_apart(get_atttype(relation, column))) {
    refuse(psprintf("rows_kept_by must not be of type %s, which has no built-in order",
                    format_type_be(get_atttype(relation, column))),
           kHint);
  }
  unit->kept_by = by;
  unit->latest = strcmp(which, "latest") == 0;
}

void add_blocks_argument(FunctionCallInfo fcinfo, int number, bool blocks, Accountant accountant, UnitPolicy* unit) {
  if (!PG_ARGISNULL(number)) unit->blocks = limit_argument(fcinfo, number, "max_blocks_per_unit");
  if (unit->blocks == 0) return;
  const char* const hint = psprintf("For example %s.", kBlocksExample);
  if (!unit->declared()) refuse("there is no privacy_unit that max_blocks_per_unit could be about", hint);
  if (!blocks) refuse("max_blocks_per_unit needs blocks, by which each partition has a budget", hint);
  if (accountant == Accountant::pure) return;
  ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                  errmsg("Rényi divergences of several partitions do not add up to a promise about one privacy unit"),
                  errdetail("Each partition has its own order at which they are within its budget."),
                  errhint("Let epsilon add up (accountant => 'pure'), or partition the table by the privacy unit.")));
}

AttrNumber kept_column(const UnitPolicy& unit, Oid table) {
  if (unit.kept_by == nullptr) return InvalidAttrNumber;
  const AttrNumber kept = get_attnum(table, unit.kept_by);
  if (kept > 0 && tells_units_apart(get_atttype(table, kept))) return kept;
  const char* const name = relation_name(table);
  // A dropped column has a name that nobody has given it (followed_columns.h).
  const bool dropped = strncmp(unit.kept_by, "........", 8) == 0;
  const char* const column = dropped ? "the column" : psprintf("column \"%s\"", unit.kept_by);
  ereport(ERROR,
          (errcode(pg::kNotAdmissible),
           errmsg("%s of table %s, by which rows of a privacy unit are kept, is gone or has no built-in order", column,
                  name),
           errhint("Ask a curator to name it anew: SELECT dp.protect(%s, ..., rows_kept => 'first', rows_kept_by => "
                   "'admitted_at').\nOr rows_kept => 'random'.",
                   quote_literal_cstr(name))));
  pg_unreachable();
}

AttrNumber unit_column(const UnitPolicy& unit, Oid table) {
  const AttrNumber column = get_attnum(table, unit.path);
  if (column > 0 && tells_units_apart(get_atttype(table, column))) return column;
  const char* const name = relation_name(table);
  if (column > 0) {
    ereport(
        ERROR,
        (errcode(pg::kNotAdmissible),
         errmsg(
             "column \"%s\" of table %s, which names its privacy unit, is now of type %s, which has no built-in order",
             unit.path, name, format_type_be(get_atttype(table, column))),
         errhint("Ask its owner for another type: ALTER TABLE %s ALTER %s TYPE ...", quote_identifier(name),
                 quote_identifier(unit.path))));
  }
  ereport(ERROR,
          (errcode(pg::kNotAdmissible),
           errmsg("table %s does not have the column \"%s\" any more that names its privacy unit", name, unit.path),
           errhint("Ask a curator to name it anew: SELECT dp.protect(%s, ..., privacy_unit => 'patient_id', "
                   "max_rows_per_unit => 5);",
                   quote_literal_cstr(name))));
  pg_unreachable();
}

namespace {

// "schema.lines AS t0 LEFT JOIN schema.orders AS t1 ON t1.id OPERATOR(pg_catalog.=) t0.of_order"
const char* joins_text(Oid relation, const UnitPath& path) {
  StringInfoData text;
  initStringInfo(&text);
  const auto name = [](Oid table) {
    return quote_qualified_identifier(get_namespace_name(get_rel_namespace(table)), get_rel_name(table));
  };
  appendStringInfo(&text, "%s AS t0", name(relation));
  ListCell* cell;
  foreach (cell, path.steps) {
    const auto& step = *static_cast<const UnitStep*>(lfirst(cell));
    const int number = foreach_current_index(cell) + 1;
    const bool alone = get_rel_relkind(step.to) != RELKIND_PARTITIONED_TABLE;
    appendStringInfo(&text, " LEFT JOIN %s%s AS t%d ON ", alone ? "ONLY " : "", name(step.to), number);
    for (int i = 0; i < step.columns; ++i) {
      appendStringInfo(&text, "%st%d.%s OPERATOR(pg_catalog.=) t%d.%s", i == 0 ? "" : " AND ", number,
                       quote_identifier(get_attname(step.to, step.referred[i], false)), number - 1,
                       quote_identifier(get_attname(step.from, step.own[i], false)));
    }
  }
  return text.data;
}

}  // namespace

// dp.unit_query(relation regclass, privacy_unit text) returns text
DP_SQL_FUNCTION(dp_unit_query) {
  const Oid relation = oid_argument(fcinfo, 0, "relation", "dp.unit_query('visits')");
  if (!relation_exists(relation)) PG_RETURN_NULL();
  require_curator(relation);
  const auto policy = protected_policy(relation);
  if (PG_ARGISNULL(1) && !(policy && policy->unit.declared())) PG_RETURN_NULL();
  const char* const unit = PG_ARGISNULL(1) ? policy->unit.path : text_to_cstring(PG_GETARG_TEXT_PP(1));
  UnitPath path{NIL, relation, get_attnum(relation, unit)};
  if (path.column <= 0 && declared_steps(relation, unit) != NIL) {
    PathObstacle obstacle{};
    path = *find_unit_path(relation, relation, unit, &obstacle);
  }
  PG_RETURN_TEXT_P(cstring_to_text(psprintf("SELECT t%d.%s AS unit FROM %s", list_length(path.steps),
                                            quote_identifier(get_attname(path.table, path.column, false)),
                                            joins_text(relation, path))));
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
    const bool by_path = policy.unit.steps != NIL;
    const AttrNumber column =
        by_path || !policy.unit.declared() ? InvalidAttrNumber : get_attnum(policy.relation, policy.unit.path);
    Datum values[] = {ObjectIdGetDatum(policy.relation),
                      policy.unit.declared() ? CStringGetTextDatum(policy.unit.path) : Datum{0},
                      BoolGetDatum(column > 0 && OidIsValid(unique_index(policy.relation, column, true))),
                      Int32GetDatum(policy.unit.rows),
                      Int32GetDatum(policy.unit.groups),
                      Int32GetDatum(policy.unit.rows_per_group),
                      CStringGetTextDatum(policy.unit.latest ? "latest" : "first"),
                      policy.unit.kept_by != nullptr ? CStringGetTextDatum(policy.unit.kept_by) : Datum{0}};
    bool nulls[] = {false,
                    !policy.unit.declared(),
                    column <= 0 && !by_path,
                    policy.unit.rows == 0,
                    policy.unit.groups == 0,
                    policy.unit.groups == 0,
                    policy.unit.kept_by == nullptr,
                    policy.unit.kept_by == nullptr};
    tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
  }
  PG_RETURN_NULL();
}

}  // namespace dp::budget
