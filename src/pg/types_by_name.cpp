#include "pg/types_by_name.h"

#include <cstring>
#include <iterator>

namespace dp::pg {
namespace {

constexpr const char* kExtension = "pg_dp";

struct Known {
  const char* name;  // a literal of the caller
  Oid type;
};
Known known[8];
std::size_t known_count = 0;
std::uint64_t times_forgotten = 0;

void forget(Datum, int, uint32) {
  known_count = 0;
  ++times_forgotten;
}

Oid look_up(const char* name) {
  const Oid extension = get_extension_oid(kExtension, false);
  CatCList* const rows = SearchSysCacheList1(TYPENAMENSP, CStringGetDatum(name));
  Oid found = InvalidOid;
  for (int i = 0; i < rows->n_members && !OidIsValid(found); ++i) {
    const Oid type = reinterpret_cast<Form_pg_type>(GETSTRUCT(&rows->members[i]->tuple))->oid;
    if (getExtensionOfObject(TypeRelationId, type) == extension) found = type;
  }
  ReleaseSysCacheList(rows);
  if (!OidIsValid(found)) elog(ERROR, "type %s of pg_dp is missing", name);
  return found;
}

}  // namespace

Oid own_type(const char* name) {
  static bool registered = false;
  if (!registered) CacheRegisterSyscacheCallback(TYPEOID, forget, 0);
  registered = true;
  for (std::size_t i = 0; i < known_count; ++i) {
    if (std::strcmp(known[i].name, name) == 0) return known[i].type;
  }
  const std::uint64_t before = times_forgotten;
  const Oid type = look_up(name);
  if (before == times_forgotten && known_count < std::size(known)) known[known_count++] = {name, type};
  return type;
}

}  // namespace dp::pg
