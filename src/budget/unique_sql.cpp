#include "budget/unique_sql.h"

namespace dp::budget {

bool is_younger_than_snapshot(HeapTuple row) {
  const TransactionId made = HeapTupleHeaderGetXmin(row->t_data);
  return ActiveSnapshotSet() && TransactionIdIsNormal(made) && !TransactionIdIsCurrentTransactionId(made) &&
         XidInMVCCSnapshot(made, GetActiveSnapshot());
}

bool is_reliably_unique(Relation index) {
  const FormData_pg_index& what = *index->rd_index;
  return what.indisunique && what.indisvalid && what.indisready && what.indislive && what.indimmediate &&
         heap_attisnull(index->rd_indextuple, Anum_pg_index_indpred, nullptr) &&
         heap_attisnull(index->rd_indextuple, Anum_pg_index_indexprs, nullptr) && !is_younger_than_snapshot(index->rd_indextuple);
}

bool agree_on_equality(Oid collation, Oid other) {
  if (collation == other) return true;
  return OidIsValid(collation) && OidIsValid(other) && get_collation_isdeterministic(collation) &&
         get_collation_isdeterministic(other);
}

// B-trees ask the same before they keep equal keys once.
bool has_one_form(Oid type, Oid collation) {
  const TypeCacheEntry* const known = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY);
  if (!OidIsValid(known->btree_opf)) return false;
  const Oid same_image = get_opfamily_proc(known->btree_opf, known->btree_opintype, known->btree_opintype, BTEQUALIMAGE_PROC);
  return OidIsValid(same_image) &&
         DatumGetBool(OidFunctionCall1Coll(same_image, collation, ObjectIdGetDatum(known->btree_opintype)));
}

bool are_reliably_unique(List* indexes) {
  ListCell* cell;
  foreach (cell, indexes) {
    Relation const index = try_relation_open(lfirst_oid(cell), AccessShareLock);
    if (index == nullptr) return false;
    const bool unique = is_reliably_unique(index);
    relation_close(index, AccessShareLock);
    if (!unique) return false;
  }
  return true;
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
