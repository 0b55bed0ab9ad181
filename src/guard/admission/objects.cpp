#include "guard/admission/objects.h"

#include <algorithm>
#include <span>

#include "guard/functions/function_facts.h"
#include "pg/catalog.h"

namespace dp::guard {
namespace {

// The two lists of declared objects: numbers are unique within a catalog only.
List* types_of(List* declared) { return declared == NIL ? NIL : static_cast<List*>(linitial(declared)); }
List* collations_of(List* declared) { return declared == NIL ? NIL : static_cast<List*>(lsecond(declared)); }

void add_type(Oid type, List** types) {
  if (!OidIsValid(type) || type < FirstUnpinnedObjectId || list_member_oid(*types, type)) return;
  *types = lappend_oid(*types, type);
  add_type(get_element_type(type), types);
  add_type(get_range_subtype(type), types);
  add_type(get_multirange_range(type), types);
  add_type(getBaseType(type), types);
}

// A cache of what was found about objects that initdb did not pin. Emptied after any change of a function, operator or
// type.
struct Known {
  Oid catalog;
  Oid object;
  bool ours;
};
Known known[256];

void invalidate_known(Datum, pg::CacheId, uint32) { memset(known, 0, sizeof known); }

Known& place_of(Oid catalog, Oid object) {
  static bool watching = false;
  if (!watching) {
    for (const pg::CacheId cache : {PROCOID, OPEROID, TYPEOID})
      CacheRegisterSyscacheCallback(cache, invalidate_known, Datum{0});
    watching = true;
  }
  return known[hash_combine(catalog, object) % std::size(known)];
}

}  // namespace

List* declared_objects(List* relations) {
  List* types = NIL;
  List* collations = NIL;
  ListCell* cell;
  foreach (cell, relations) {
    Relation const relation = table_open(lfirst_oid(cell), AccessShareLock);
    const TupleDesc columns = RelationGetDescr(relation);
    for (int i = 0; i < columns->natts; ++i) {
      const Form_pg_attribute column = TupleDescAttr(columns, i);
      if (column->attisdropped) continue;
      add_type(column->atttypid, &types);
      if (column->attcollation >= FirstNormalObjectId)
        collations = list_append_unique_oid(collations, column->attcollation);
    }
    table_close(relation, NoLock);
  }
  return list_make2(types, collations);
}

bool is_ours(Oid catalog, Oid object) {
  Known& place = place_of(catalog, object);
  if (place.catalog == catalog && place.object == object) return place.ours;
  const Oid extension = get_extension_oid("pg_dp", true);
  const bool ours = OidIsValid(extension) && getExtensionOfObject(catalog, object) == extension;
  place = {catalog, object, ours};
  return ours;
}

bool is_declared_type(Oid type, List* declared) {
  if (list_member_oid(types_of(declared), type) || is_pinned_or_ours(TypeRelationId, type)) return true;
  const Oid element = get_element_type(type);
  return OidIsValid(element) && is_admitted_type(element, declared);
}

bool is_declared_collation(Oid collation, List* declared) {
  return list_member_oid(collations_of(declared), collation);
}

bool is_ordering_support(Oid function) {
  const FunctionFacts* const facts = facts_of(function);
  return facts != nullptr && facts->sorts;
}

}  // namespace dp::guard
