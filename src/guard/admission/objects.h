// Which objects of the catalogs may stand below the noise: those that nobody who asks can create, change or drop.
//
// That is what initdb pinned, what the extension owns, and the declared types and collations of the tables that are
// read. A function, operator, type or collation of the asker's could be put in the place of another by the planner (a
// lying negator), raise an error at the first row that gets there (a type dropped after planning), or run code of his
// on rows. Functions that are called as values are on a list of their own (total_functions.h): being pinned is not
// enough for them.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// What the columns of those tables (oid) are declared as, for the functions below; not to be looked into. Types come
// with those that they are made of: element, base and range types.
List* declared_objects(List* relations);

// Of types and collations that initdb did not make.
bool is_declared_type(Oid type, List* declared);
bool is_declared_collation(Oid collation, List* declared);

// The type of a value below the noise. An array of an admitted type is one. Not record: its columns are known to one
// process.
inline bool is_admitted_type(Oid type, List* declared) {
  if (type == RECORDOID || type == RECORDARRAYOID) return false;
  return (OidIsValid(type) && type < FirstUnpinnedObjectId) || is_declared_type(type, declared);
}

// InvalidOid, for what has no collation, is admitted. So are all collations that initdb made: they belong to its
// superuser.
inline bool is_admitted_collation(Oid collation, List* declared) {
  return collation < FirstNormalObjectId || is_declared_collation(collation, declared);
}

// Whether the extension owns it.
bool is_ours(Oid catalog, Oid object);

// Whether it is pinned by initdb, or the extension's. False for InvalidOid.
inline bool is_pinned_or_ours(Oid catalog, Oid object) {
  return OidIsValid(object) && (object < FirstUnpinnedObjectId || is_ours(catalog, object));
}

// An operator by its own number: that its function is known says nothing about its negator.
inline bool is_admitted_operator(Oid op) { return is_pinned_or_ours(OperatorRelationId, op); }

// Whether the function is made for ordering, hashing or comparing in PostgreSQL's indexes and sorts. Admitted in that
// place, and as a value never: memcmp's raw result depends on where a row lies in memory.
bool is_ordering_support(Oid function);

}  // namespace dp::guard
