#include "aggregate/call/find_aggregate.h"

#include <algorithm>

#include "aggregate/call/prepare_plan.h"
#include "pg/planner.h"

namespace dp::aggregate {

Oid find_aggregate(const char* name, std::span<const Oid> types) {
  CatCList* const rows = SearchSysCacheList1(PROCNAMEARGSNSP, CStringGetDatum(name));
  Oid found = InvalidOid;
  for (int i = 0; i < rows->n_members && !OidIsValid(found); ++i) {
    const auto* const function = reinterpret_cast<Form_pg_proc>(GETSTRUCT(&rows->members[i]->tuple));
    const std::span<const Oid> own(function->proargtypes.values, static_cast<std::size_t>(function->pronargs));
    const auto fits = [](Oid declared, Oid wanted) { return wanted == InvalidOid || declared == wanted; };
    if (function->prokind != PROKIND_AGGREGATE || !std::ranges::equal(own, types, fits)) continue;
    if (!is_private_aggregate(function->oid)) continue;
    if (getExtensionOfObject(ProcedureRelationId, function->oid) == get_extension_oid("pg_dp", false))
      found = function->oid;
  }
  ReleaseSysCacheList(rows);
  return found;
}

bool is_incomplete(Oid aggregate) { return support_of(aggregate) == &kIncomplete; }

}  // namespace dp::aggregate
