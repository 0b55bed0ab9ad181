#include "guard/total_functions.h"

#include <algorithm>

#include "guard/total_list.h"
#include "total/registry_sql.h"

namespace dp::guard {
namespace {

constexpr Verdict kTotal{nullptr, nullptr};

const TotalGroup* group_of(Oid function, std::span<const TotalGroup> groups) {
  const auto group = std::ranges::find_if(groups, [function](const TotalGroup& one) {
    return std::ranges::find(one.functions, function) != one.functions.end();
  });
  return group == groups.end() ? nullptr : &*group;
}

// What is on no list.
Verdict obstacle_of(Oid function) {
  if (function >= FirstGenbkiObjectId) {
    return {"only functions of PostgreSQL and of pg_dp are admitted",
            "A curator can store its result: ALTER TABLE ... ADD COLUMN y ... GENERATED ALWAYS AS (...) STORED."};
  }
  if (get_func_retset(function)) return {"it returns a set", "Use functions that return one value."};
  if (func_volatile(function) == PROVOLATILE_VOLATILE) {
    return {"it is volatile",
            "Use functions whose result depends on the row alone."};
  }
  return known_failure(function);
}

}  // namespace

Verdict judge_call(Oid function, List* arguments) {
  if (is_always_total(function) || total::is_total(function)) return kTotal;
  const TotalGroup* const group = group_of(function, total_under_condition());
  return group != nullptr ? group->condition(function, arguments) : obstacle_of(function);
}

}  // namespace dp::guard
