#include "guard/release/not_counted.h"

#include <algorithm>
#include <iterator>

#include "pg/errors.h"

namespace dp::guard {
namespace {

// Whether a protected table is read twice: of a row become as many as it finds.
bool joins_itself(const InnerQuery& inner_query) {
  for (int i = 0; i < inner_query.protected_tables(); ++i) {
    for (int j = 0; j < i; ++j) {
      if (inner_query.protected_table(i).relation == inner_query.protected_table(j).relation) return true;
    }
  }
  return false;
}

}  // namespace

const char* not_counted(const InnerQuery& inner_query) {
  if (inner_query.unit_text == nullptr || inner_query.limits == NIL) return nullptr;
  if (inner_query.weighed && inner_query.aggregates == NIL) return nullptr;  // all groups of a unit have weights
  // The question leaves no more rows than are counted.
  constexpr const char* kAll = ": all its rows, ";
  const char* const all = strstr(inner_query.unit_text, kAll);
  if (all != nullptr && isdigit(static_cast<unsigned char>(all[strlen(kAll)])) != 0) return nullptr;
  const char* const colon = strstr(inner_query.unit_text, ": ");
  if (colon == nullptr || strcmp(colon, ": once") == 0 || strncmp(inner_query.unit_text, "each row: ", 10) == 0)
    return nullptr;
  const char* const unit = pnstrdup(inner_query.unit_text, static_cast<Size>(colon - inner_query.unit_text));
  const char* const joined = joins_itself(inner_query) ? ", each for every row that it is joined to," : "";
  // To all of the aggregates each unit contributes one row, whatever it has.
  if (lsecond_int(inner_query.limits) == 0 && list_length(inner_query.once) > 0 &&
      list_length(inner_query.once) == list_length(inner_query.aggregates))
    return nullptr;
  if (inner_query.chooses_limits())
    return psprintf(
        "rows of one %s%s beyond the limit that is chosen are not counted; the interval does not include "
        "them",
        unit, joined);
  const int rows = linitial_int(inner_query.limits), groups = lsecond_int(inner_query.limits);
  const char* const in_groups =
      groups == 0 ? "" : psprintf("%d in a group, and beyond %d groups,", lthird_int(inner_query.limits), groups);
  const char* const in_all = rows == 0 ? "" : psprintf("%d%s", rows, groups == 0 ? "" : " in all, beyond ");
  return psprintf("rows of one %s%s beyond %s%s are not counted; the interval does not include them", unit, joined,
                  in_all, in_groups);
}

void tell_of_limits(const InnerQuery& inner_query) {
  static std::uint32_t told[256];  // who asks about more of them knows what it means
  static int count = 0;
  const char* const text = not_counted(inner_query);
  if (text == nullptr || count == static_cast<int>(std::size(told))) return;
  const auto hash =
      hash_combine(hash_bytes(reinterpret_cast<const unsigned char*>(text), static_cast<int>(strlen(text))),
                   inner_query.first.relation);
  if (std::find(told, told + count, hash) != told + count) return;
  told[count++] = hash;
  const char* const table = get_rel_name(inner_query.first.relation);
  ereport(NOTICE, (errmsg("in answers about table %s %s", table, text),
                   errhint("SELECT * FROM dp.describe_table(%s); shows the limits, EXPLAIN says this of each question.",
                           quote_literal_cstr(table))));
}

void tell_lack_of_limit(const InnerQuery& inner_query) {
  ereport(WARNING,
          (errmsg("the answer about table %s may be far off: too few people, at this epsilon, to find how much of each "
                  "may count",
                  get_rel_name(inner_query.first.relation)),
           errdetail("The limit that nobody has declared is chosen from noisy counts, and none of them stands out."),
           errhint("Ask at a larger epsilon, for fewer aggregates, or without conditions that few fulfil; or say how "
                   "many rows count: SET dp.max_rows_per_unit = 5.")));
}

void tell_lack_of_range(const InnerQuery& inner_query) {
  const char* const table = get_rel_name(inner_query.first.relation);
  ereport(
      WARNING,
      (errmsg("an answer about table %s is NaN: too few rows, at this epsilon, to find between which values they lie",
              table),
       errdetail("The range that nobody has declared is looked for with a quarter of epsilon, and noise hides the rows "
                 "in it."),
       errhint("Ask at a larger epsilon, for fewer groups, or without conditions that few fulfil; or ask a curator: "
               "SELECT dp.declare_range(%s, 'cost', 0, 50000);",
               quote_literal_cstr(table))));
}

}  // namespace dp::guard
