// Functions of whatever schema that have one name.
#pragma once

#include <span>

#include "pg/catalog.h"

namespace dp::pg {

// The one of that name for which fits(function, types of its arguments), or the first of several. InvalidOid: none.
template <class Fits>
Oid function_named(const char* name, Fits fits) {
  CatCList* const rows = SearchSysCacheList1(PROCNAMEARGSNSP, CStringGetDatum(name));
  Oid found = InvalidOid;
  for (int i = 0; i < rows->n_members && !OidIsValid(found); ++i) {
    const auto* const function = reinterpret_cast<Form_pg_proc>(GETSTRUCT(&rows->members[i]->tuple));
    const std::span<const Oid> types(function->proargtypes.values, static_cast<std::size_t>(function->pronargs));
    if (fits(*function, types)) found = function->oid;
  }
  ReleaseSysCacheList(rows);
  return found;
}

}  // namespace dp::pg
