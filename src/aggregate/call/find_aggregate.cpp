#include "aggregate/call/find_aggregate.h"

#include <algorithm>

#include "aggregate/call/prepare_plan.h"
#include "pg/functions_by_name.h"
#include "pg/planner.h"

namespace dp::aggregate {

Oid find_aggregate(const char* name, std::span<const Oid> types) {
  return pg::function_named(name, [&](const FormData_pg_proc& function, std::span<const Oid> own) {
    const auto of_type = [](Oid declared, Oid wanted) { return wanted == InvalidOid || declared == wanted; };
    return function.prokind == PROKIND_AGGREGATE && std::ranges::equal(own, types, of_type) &&
           is_private_aggregate(function.oid) &&
           getExtensionOfObject(ProcedureRelationId, function.oid) == get_extension_oid("pg_dp", false);
  });
}

bool is_incomplete(Oid aggregate) { return support_of(aggregate) == &kIncomplete; }

}  // namespace dp::aggregate
