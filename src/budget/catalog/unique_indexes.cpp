#include "budget/catalog/unique_indexes.h"

#include "budget/catalog/known_rows.h"
#include "pg/catalog.h"

namespace dp::budget {

bool is_younger_than_snapshot(HeapTuple row) { return is_younger_than_snapshot(HeapTupleHeaderGetXmin(row->t_data)); }

// What every snapshot of this server sees, and every one to come, need not be asked of the next one.
static bool is_seen_by_all(TransactionId made) {
  return !TransactionIdIsNormal(made) || (ActiveSnapshotSet() && GlobalVisCheckRemovableXid(nullptr, made));
}

bool is_younger_than_snapshot(TransactionId made) {
  if (is_seen_by_all(made)) return false;
  read_by_snapshot();
  return ActiveSnapshotSet() && !TransactionIdIsCurrentTransactionId(made) &&
         XidInMVCCSnapshot(made, GetActiveSnapshot());
}

bool is_reliably_unique(Oid index) {
  HeapTuple const row = SearchSysCache1(INDEXRELID, ObjectIdGetDatum(index));
  if (!HeapTupleIsValid(row)) return false;
  const auto& what = *reinterpret_cast<Form_pg_index>(GETSTRUCT(row));
  const bool unique = what.indisunique && what.indisvalid && what.indisready && what.indislive && what.indimmediate &&
                      heap_attisnull(row, Anum_pg_index_indpred, nullptr) &&
                      heap_attisnull(row, Anum_pg_index_indexprs, nullptr) && !is_younger_than_snapshot(row);
  ReleaseSysCache(row);
  return unique;
}

bool are_reliably_unique(Oid index) {
  ListCell* cell;
  foreach (cell, find_all_inheritors(index, NoLock, nullptr)) {
    if (!is_reliably_unique(lfirst_oid(cell))) return false;
  }
  return true;
}

bool has_older_links(Oid table) {
  bool older = true;
  ListCell* cell;
  foreach (cell, find_all_inheritors(table, NoLock, nullptr)) {
    if (!has_subclass(lfirst_oid(cell))) continue;
    pg::visit_catalog<FormData_pg_inherits>(
        InheritsRelationId, InheritsParentIndexId, {{Anum_pg_inherits_inhparent, lfirst_oid(cell)}},
        [&](const auto&, HeapTuple link) { older = older && !is_younger_than_snapshot(link); });
  }
  return older;
}

bool agree_on_equality(Oid collation, Oid other) {
  if (collation == other) return true;
  return OidIsValid(collation) && OidIsValid(other) && get_collation_isdeterministic(collation) &&
         get_collation_isdeterministic(other);
}

// B-tree indexes ask the same function before they deduplicate equal keys.
bool equals_have_same_bytes(Oid type, Oid collation) {
  // Blanks at the end of char(n) do not count, and yet some minor releases say that equal values have the same bytes.
  if (getBaseType(type) == BPCHAROID) return false;
  const TypeCacheEntry* const known = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY);
  if (!OidIsValid(known->btree_opf)) return false;
  const Oid same_image =
      get_opfamily_proc(known->btree_opf, known->btree_opintype, known->btree_opintype, BTEQUALIMAGE_PROC);
  return OidIsValid(same_image) &&
         DatumGetBool(OidFunctionCall1Coll(same_image, collation, ObjectIdGetDatum(known->btree_opintype)));
}

Oid unique_index(Oid table, AttrNumber column, bool with_tables_below) {
  Oid type, collation;
  int32 modifier;
  get_atttypetypmodcoll(table, column, &type, &modifier, &collation);
  const Oid equal = lookup_type_cache(type, TYPECACHE_EQ_OPR)->eq_opr;
  Oid found = InvalidOid;
  visit_unique_indexes(table, with_tables_below, [&](Relation index) {
    if (index->rd_index->indnkeyatts != 1 || index->rd_index->indkey.values[0] != column ||
        get_op_opfamily_strategy(equal, index->rd_opfamily[0]) != BTEqualStrategyNumber ||
        !agree_on_equality(index->rd_indcollation[0], collation)) {
      return false;
    }
    found = RelationGetRelid(index);
    return true;
  });
  return found;
}

}  // namespace dp::budget
