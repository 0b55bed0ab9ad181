#include "guard/unit_limit/contribution_bounds.h"

#include <algorithm>

#include "budget/policy/privacy_unit.h"
#include "pg/errors.h"
#include "pg/planner.h"

namespace dp::guard {
namespace {

ContributionBounds limits_set;

// Plans hold the limits under which they were made.
void plan_again(int, void*) { ResetPlanCache(); }

void define_limit(const char* name, const char* what, std::int32_t* limit) {
  DefineCustomIntVariable(name, what, "A table's own limit holds where it is lower. Zero is the table's own.", limit, 0,
                          0, budget::kMostOfUnit, PGC_USERSET, 0, nullptr, plan_again, nullptr);
}

// Of two limits, of which 0 is none.
std::int32_t stricter(std::int32_t one, std::int32_t other) {
  if (one == 0 || other == 0) return std::max(one, other);
  return std::min(one, other);
}

}  // namespace

ContributionBounds ContributionBounds::with(const ContributionBounds& other) const {
  ContributionBounds both{stricter(rows, other.rows), stricter(groups, other.groups),
                          stricter(rows_per_group, other.rows_per_group)};
  if (both.groups == 0 && both.rows_per_group == 0) return both;
  if (both.rows > 0) {
    // So many rows are in as many groups at most, and in one of them at most all.
    both.groups = stricter(both.groups, both.rows);
    both.rows_per_group = stricter(both.rows_per_group, both.rows);
    if (both.groups == both.rows && both.rows_per_group == both.rows) return {both.rows, 0, 0};
    if (std::int64_t{both.groups} * both.rows_per_group <= both.rows) both.rows = 0;
  }
  return both;
}

std::int32_t ContributionBounds::rows_of_one_group() const { return stricter(rows, rows_per_group); }

std::int32_t ContributionBounds::rows_of_all_groups() const {
  const std::int64_t of_groups = std::int64_t{groups} * rows_per_group;
  return rows > 0 && (groups == 0 || rows < of_groups) ? rows : static_cast<std::int32_t>(of_groups);
}

ContributionBounds set_limits() { return limits_set; }

void refuse_to_choose(Oid table, const char* asked) {
  const char* const name = get_rel_name(table);
  ereport(
      ERROR,
      (errcode(pg::kNotAdmissible),
       errmsg("no limit is declared for the rows of a privacy unit of table %s, and for %s none is chosen", name,
              asked),
       errdetail("Limits are chosen privately for counts, sums, averages, variances, deviations, correlations and "
                 "histograms, of all rows or by groups that are known."),
       errhint("SET dp.max_rows_per_unit = 5; or ask a curator: SELECT dp.protect(%s, ..., max_rows_per_unit => 5).",
               quote_literal_cstr(name))));
  pg_unreachable();
}

void define_limits() {
  define_limit("dp.max_rows_per_unit", "How many rows of a privacy unit count in an answer at most.", &limits_set.rows);
  define_limit("dp.max_groups_per_unit", "In how many groups of an answer a privacy unit counts at most.",
               &limits_set.groups);
  define_limit("dp.max_rows_per_group", "How many rows of a privacy unit count in one group of an answer at most.",
               &limits_set.rows_per_group);
}

}  // namespace dp::guard
