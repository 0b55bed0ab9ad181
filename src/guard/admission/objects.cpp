#include "guard/admission/objects.h"

#include <algorithm>
#include <span>

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

// The order of a type's values, and their hashes.
constexpr Oid kOrder[] = {F_BTINT2CMP,
                          F_BTINT4CMP,
                          F_BTINT8CMP,
                          F_BTINT24CMP,
                          F_BTINT42CMP,
                          F_BTINT28CMP,
                          F_BTINT82CMP,
                          F_BTINT48CMP,
                          F_BTINT84CMP,
                          F_BTFLOAT4CMP,
                          F_BTFLOAT8CMP,
                          F_BTFLOAT48CMP,
                          F_BTFLOAT84CMP,
                          F_BTOIDCMP,
                          F_BTBOOLCMP,
                          F_BTCHARCMP,
                          F_CASH_CMP,
                          F_DATE_CMP,
                          F_TIME_CMP,
                          F_TIMETZ_CMP,
                          F_TIMESTAMP_CMP,
                          F_TIMESTAMPTZ_CMP,
                          F_INTERVAL_CMP,
                          F_UUID_CMP,
                          F_MACADDR_CMP,
                          F_MACADDR8_CMP,
                          F_NETWORK_CMP,
                          F_DATE_CMP_TIMESTAMP,
                          F_DATE_CMP_TIMESTAMPTZ,
                          F_TIMESTAMP_CMP_DATE,
                          F_TIMESTAMPTZ_CMP_DATE,
                          F_TIMESTAMP_CMP_TIMESTAMPTZ,
                          F_TIMESTAMPTZ_CMP_TIMESTAMP,
                          F_NUMERIC_CMP,
                          F_BTTEXTCMP,
                          F_BPCHARCMP,
                          F_BTNAMECMP,
                          F_BTNAMETEXTCMP,
                          F_BTTEXTNAMECMP,
                          F_BYTEACMP,
                          F_BTTEXT_PATTERN_CMP,
                          F_BTBPCHAR_PATTERN_CMP,
                          F_ENUM_CMP,
                          F_JSONB_CMP,
                          F_BTARRAYCMP,
                          F_BITCMP,
                          F_VARBITCMP,
                          F_RANGE_CMP,
                          F_MULTIRANGE_CMP,
                          F_HASH_RANGE,
                          F_HASH_RANGE_EXTENDED,
                          F_HASHINT2,
                          F_HASHINT4,
                          F_HASHINT8,
                          F_HASHOID,
                          F_HASHCHAR,
                          F_HASHENUM,
                          F_HASHFLOAT4,
                          F_HASHFLOAT8,
                          F_HASHNAME,
                          F_HASHTEXT,
                          F_HASHVARLENA,
                          F_HASHBPCHAR,
                          F_HASH_NUMERIC,
                          F_HASH_ARRAY,
                          F_HASHMACADDR,
                          F_HASHMACADDR8,
                          F_HASHINET,
                          F_TIME_HASH,
                          F_TIMETZ_HASH,
                          F_INTERVAL_HASH,
                          F_TIMESTAMP_HASH,
                          F_UUID_HASH,
                          F_JSONB_HASH,
                          F_HASHINT2EXTENDED,
                          F_HASHINT4EXTENDED,
                          F_HASHINT8EXTENDED,
                          F_HASHOIDEXTENDED,
                          F_HASHCHAREXTENDED,
                          F_HASHENUMEXTENDED,
                          F_HASHFLOAT4EXTENDED,
                          F_HASHFLOAT8EXTENDED,
                          F_HASHNAMEEXTENDED,
                          F_HASHTEXTEXTENDED,
                          F_HASHVARLENAEXTENDED,
                          F_HASHINETEXTENDED,
                          F_HASHMACADDREXTENDED,
                          F_HASHMACADDR8EXTENDED,
                          F_HASHBPCHAREXTENDED,
                          F_HASH_NUMERIC_EXTENDED,
                          F_HASH_ARRAY_EXTENDED,
                          F_TIME_HASH_EXTENDED,
                          F_TIMETZ_HASH_EXTENDED,
                          F_INTERVAL_HASH_EXTENDED,
                          F_TIMESTAMP_HASH_EXTENDED,
                          F_UUID_HASH_EXTENDED,
                          F_JSONB_HASH_EXTENDED};

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

bool is_ours(Oid catalog, Oid object) {
  Known& place = place_of(catalog, object);
  if (place.catalog == catalog && place.object == object) return place.ours;
  const Oid extension = get_extension_oid("pg_dp", true);
  const bool ours = OidIsValid(extension) && getExtensionOfObject(catalog, object) == extension;
  place = {catalog, object, ours};
  return ours;
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

bool is_pinned_or_ours(Oid catalog, Oid object) {
  if (!OidIsValid(object)) return false;
  return object < FirstUnpinnedObjectId || is_ours(catalog, object);
}

bool is_admitted_type(Oid type, List* declared) {
  if (type == RECORDOID || type == RECORDARRAYOID) return false;
  if (list_member_oid(types_of(declared), type) || is_pinned_or_ours(TypeRelationId, type)) return true;
  const Oid element = get_element_type(type);
  return OidIsValid(element) && is_admitted_type(element, declared);
}

bool is_admitted_collation(Oid collation, List* declared) {
  return collation < FirstNormalObjectId || list_member_oid(collations_of(declared), collation);
}

bool is_admitted_operator(Oid op) { return is_pinned_or_ours(OperatorRelationId, op); }

bool is_ordering_support(Oid function) { return std::ranges::find(kOrder, function) != std::end(kOrder); }

}  // namespace dp::guard
