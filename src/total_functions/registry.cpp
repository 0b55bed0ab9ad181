#include "total_functions/registry.h"

#include <algorithm>

#include "pg/functions_by_name.h"

namespace dp::total {
namespace {

constinit const Registered* all = nullptr;

}  // namespace

Registered::Registered(PGFunction function) : function(function), next(all) { all = this; }

bool is_total(Oid function) {
  const HeapTuple row = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
  if (!HeapTupleIsValid(row)) return false;
  const Oid language = reinterpret_cast<Form_pg_proc>(GETSTRUCT(row))->prolang;
  ReleaseSysCache(row);
  if (language != ClanguageId) return false;
  // With settings of its own, or as its owner, a function is called through another address: not one of these.
  FmgrInfo info;
  fmgr_info(function, &info);
  for (const Registered* one = all; one != nullptr; one = one->next) {
    if (one->function == info.fn_addr) return true;
  }
  return false;
}

Oid find(const char* name, std::span<const Oid> types) {
  return pg::function_named(name, [&](const FormData_pg_proc& function, std::span<const Oid> own) {
    return std::ranges::equal(own, types) && is_total(function.oid);
  });
}

}  // namespace dp::total
