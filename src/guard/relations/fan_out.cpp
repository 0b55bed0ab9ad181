#include "guard/relations/fan_out.h"

#include "budget/policy/privacy_unit.h"
#include "guard/admission/refusal.h"

namespace dp::guard {
namespace {

// "x, of the first 100"
const char* rows_of_fan_out(const JoinKeys& keys) {
  const char* const name = keys.fan_out->eref->aliasname;
  return keys.first > 0 ? psprintf("%s, of the first %d", name, keys.first) : name;
}

[[noreturn]] void refuse_several(const InnerQueryTables& inner_query, const char* why, const char* hint, int location) {
  DP_REFUSE(location,
            errmsg("a row of table %s may find several rows of %s, %s", name_of_table(inner_query.sources.table(1)),
                   inner_query.keys.fan_out->eref->aliasname, why),
            errdetail("Each of them would count."), errhint("%s", hint));
  pg_unreachable();
}

// Whether what becomes of a row of the first table is in one group.
bool groups_by_row(const Query* query) {
  ListCell* cell;
  foreach (cell, query->groupClause) {
    Node* const key = get_sortgroupclause_expr(lfirst_node(SortGroupClause, cell), query->targetList);
    if (!bms_is_subset(pull_varnos(nullptr, key), bms_make_singleton(1))) return false;
  }
  return true;
}

// Of a unit that has one row so many count as the session says, or as there are about.
void limit_open(InnerQueryTables* inner_query) {
  JoinKeys& keys = inner_query->keys;
  const bool known = set_limits().rows > 0 || keys.about > 1;
  if (keys.open == NIL || !known || inner_query->units.column_of(1) == nullptr) return;
  keys.several = list_concat(keys.several, keys.open);
  if (keys.fan_out == nullptr) keys.fan_out = keys.fan_out_open;
  keys.rows = 0;
}

}  // namespace

void count_fan_out(InnerQueryTables* inner_query, int location) {
  JoinKeys& keys = inner_query->keys;
  const bool keeps_rows = inner_query->sources.full != nullptr;
  if (!inner_query->one_row && !keeps_rows) keys.several = list_concat(keys.several, keys.open);
  if (inner_query->one_row && !keeps_rows) limit_open(inner_query);
  if (keys.fan_out == nullptr) return;
  const char* const name = quote_literal_cstr(name_of_table(inner_query->sources.table(1)));
  if (keeps_rows) {
    refuse_several(*inner_query, "beside an outer join that keeps rows of other tables",
                   "Use an inner join, or let the outer join be all that FROM has.", location);
  }
  if (keys.rows > budget::kMostOfUnit) {
    refuse_several(*inner_query, psprintf("which with those of other lists are more than %d", budget::kMostOfUnit),
                   "Write shorter lists.", location);
  }
  if (inner_query->unit != nullptr)
    inner_query->unit = psprintf("%s (a row counts for each of %s)", inner_query->unit, rows_of_fan_out(keys));
  if (!inner_query->one_row) return;
  const char* const limited = psprintf(
      "Ask a curator for a limit: SELECT dp.protect(%s, ..., privacy_unit => 'person_id', max_rows_per_unit "
      "=> 5). Of a list that is written in the query, (VALUES (1), (2)), as many rows count as it has.",
      name);
  if (inner_query->units.column_of(1) == nullptr) {
    if (keys.rows == 0)
      refuse_several(*inner_query, "and each row is a privacy unit, without a limit", limited, location);
    inner_query->rows_of_one = static_cast<int>(keys.rows);
    return;
  }
  // These are kept to: a number that is about right will do.
  const int most = keys.rows > 0           ? static_cast<int>(keys.rows)
                   : set_limits().rows > 0 ? set_limits().rows
                                           : static_cast<int>(keys.about);
  if (most == 0) {
    refuse_several(*inner_query, "and a privacy unit has one row, so that there is no limit",
                   psprintf("Say how many are to count: SET dp.max_rows_per_unit = 5. %s", limited), location);
  }
  inner_query->one_row = false;
  inner_query->limits = {most, 0, 0};
}

void count_rows_of_one(const InnerQueryTables& tables, const Query* query, InnerQuery* what) {
  if (what->count_column > 0) {
    DP_REFUSE(-1, errmsg("groups cannot be chosen privately where several rows become of one, each of them a unit"),
              errhint("Group by keys whose values are public, or ask a curator for a privacy unit: SELECT "
                      "dp.protect(..., privacy_unit => 'person_id', max_rows_per_unit => 5)."));
  }
  const auto rows = static_cast<std::uint32_t>(tables.rows_of_one);
  what->unit = {rows, groups_by_row(query) ? 1 : rows, rows};
  what->limits = list_make3_int(tables.rows_of_one, 0, 0);
  what->unit_text = psprintf("each row: %d rows, beside %s", tables.rows_of_one, rows_of_fan_out(tables.keys));
}

}  // namespace dp::guard
