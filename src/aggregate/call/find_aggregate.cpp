#include "aggregate/call/find_aggregate.h"

#include <algorithm>

#include "aggregate/call/prepare_plan.h"
#include "pg/functions_by_name.h"
#include "pg/planner.h"

namespace dp::aggregate {

namespace {

constexpr std::size_t kMost = 32;
constexpr std::size_t kMostTypes = 8;

// What was found, until a function or aggregate is made, changed or dropped.
struct Found {
  char name[NAMEDATALEN];
  Oid types[kMostTypes];
  std::size_t count;
  Oid aggregate;
};

Found known[kMost];
std::size_t known_count = 0;

std::uint64_t times_forgotten = 0;

void forget(Datum, int, uint32) {
  known_count = 0;
  ++times_forgotten;
}

Oid look_up(const char* name, std::span<const Oid> types) {
  return pg::function_named(name, [&](const FormData_pg_proc& function, std::span<const Oid> own) {
    const auto of_type = [](Oid declared, Oid wanted) { return wanted == InvalidOid || declared == wanted; };
    return function.prokind == PROKIND_AGGREGATE && std::ranges::equal(own, types, of_type) &&
           is_private_aggregate(function.oid) &&
           getExtensionOfObject(ProcedureRelationId, function.oid) == get_extension_oid("pg_dp", false);
  });
}

}  // namespace

Oid find_aggregate(const char* name, std::span<const Oid> types) {
  static bool registered = false;
  if (!registered) CacheRegisterSyscacheCallback(PROCOID, forget, 0);
  registered = true;
  AcceptInvalidationMessages();
  Found* const end = known + known_count;
  const Found* const found = std::find_if(known, end, [&](const Found& one) {
    return std::ranges::equal(std::span(one.types, one.count), types) && strcmp(one.name, name) == 0;
  });
  if (found != end) return found->aggregate;
  const std::uint64_t before = times_forgotten;
  const Oid aggregate = look_up(name, types);
  if (!OidIsValid(aggregate) || before != times_forgotten || known_count == kMost || types.size() > kMostTypes ||
      strlen(name) >= NAMEDATALEN)
    return aggregate;
  Found& fresh = known[known_count++];
  strcpy(fresh.name, name);
  std::ranges::copy(types, fresh.types);
  fresh.count = types.size();
  fresh.aggregate = aggregate;
  return aggregate;
}

bool is_incomplete(Oid aggregate) { return support_of(aggregate) == &kIncomplete; }

}  // namespace dp::aggregate
