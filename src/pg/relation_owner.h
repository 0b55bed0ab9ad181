// Who owns a relation.
#pragma once

#include "pg/server.h"

namespace dp::pg {

// Raises an error where there is no such relation.
inline Oid owner_of(Oid relation) {
  HeapTuple const row = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
  if (!HeapTupleIsValid(row)) elog(ERROR, "cache lookup failed for relation %u", relation);
  const Oid owner = reinterpret_cast<Form_pg_class>(GETSTRUCT(row))->relowner;
  ReleaseSysCache(row);
  return owner;
}

}  // namespace dp::pg
