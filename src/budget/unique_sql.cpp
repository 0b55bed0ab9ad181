#include "budget/unique_sql.h"

namespace dp::budget {
namespace {

// Made by a transaction that the snapshot does not see yet: older rows may have been duplicates.
bool is_younger_than_snapshot(HeapTuple index) {
  const TransactionId made = HeapTupleHeaderGetXmin(index->t_data);
  return ActiveSnapshotSet() && TransactionIdIsNormal(made) && !TransactionIdIsCurrentTransactionId(made) &&
         XidInMVCCSnapshot(made, GetActiveSnapshot());
}

}  // namespace

bool is_reliably_unique(Relation index) {
  const FormData_pg_index& what = *index->rd_index;
  return what.indisunique && what.indisvalid && what.indisready && what.indislive && what.indimmediate &&
         heap_attisnull(index->rd_indextuple, Anum_pg_index_indpred, nullptr) &&
         heap_attisnull(index->rd_indextuple, Anum_pg_index_indexprs, nullptr) && !is_younger_than_snapshot(index->rd_indextuple);
}

bool is_unique(Oid table, AttrNumber column, bool with_tables_below) {
  const Oid equal = lookup_type_cache(get_atttype(table, column), TYPECACHE_EQ_OPR)->eq_opr;
  return visit_unique_indexes(table, with_tables_below, [&](Relation index) {
    return index->rd_index->indnkeyatts == 1 && index->rd_index->indkey.values[0] == column &&
           get_op_opfamily_strategy(equal, index->rd_opfamily[0]) == BTEqualStrategyNumber;
  });
}

}  // namespace dp::budget
