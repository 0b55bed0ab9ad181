#include "guard/unit_limit/shard_bounds.h"

#include "budget/catalog/extension_catalog.h"
#include "guard/tree/entries.h"
#include "pg/partitions.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

bool is_level_by(Oid table, const char* column) {
  Relation const opened = table_open(table, AccessShareLock);
  PartitionKey const key = RelationGetPartitionKey(opened);
  bool found = key->partnatts == 1 && key->partattrs[0] > 0;
  if (found) {
    const FormData_pg_attribute& by = *TupleDescAttr(RelationGetDescr(opened), key->partattrs[0] - 1);
    const TypeCacheEntry* const type =
        lookup_type_cache(by.atttypid, TYPECACHE_BTREE_OPFAMILY | TYPECACHE_HASH_OPFAMILY);
    const Oid family = key->strategy == PARTITION_STRATEGY_HASH ? type->hash_opf : type->btree_opf;
    found = strcmp(NameStr(by.attname), column) == 0 && key->partopfamily[0] == family &&
            key->partcollation[0] == by.attcollation;
  }
  table_close(opened, NoLock);
  return found;
}

Node* known_elsewhere(Node* node, void* context) {
  if (node == nullptr) return nullptr;
  if (!IsA(node, FuncExpr) || castNode(FuncExpr, node)->funcid != F_SATISFIES_HASH_PARTITION)
    return pg::mutate(node, known_elsewhere, context);
  List* const arguments = list_copy_tail(castNode(FuncExpr, node)->args, 1);  // but the table
  const Oid function = budget::internal_function("in_hash_part", {INT4OID, INT4OID, ANYELEMENTOID});
  return reinterpret_cast<Node*>(makeFuncExpr(function, BOOLOID, arguments, InvalidOid,
                                              exprCollation(static_cast<Node*>(llast(arguments))),
                                              COERCE_EXPLICIT_CALL));
}

}  // namespace

bool is_partitioned_by(Oid table, AttrNumber column) {
  const char* const name = get_attname(table, column, false);
  ListCell* cell;
  foreach (cell, find_all_inheritors(table, AccessShareLock, nullptr)) {
    if (get_rel_relkind(lfirst_oid(cell)) == RELKIND_PARTITIONED_TABLE && !is_level_by(lfirst_oid(cell), name))
      return false;
  }
  return true;
}

Node* bounds_of(Oid part) {
  Relation const opened = table_open(part, NoLock);
  auto* const bounds = static_cast<List*>(copyObjectImpl(RelationGetPartitionQual(opened)));
  table_close(opened, NoLock);
  return known_elsewhere(all_of(bounds), nullptr);
}

}  // namespace dp::guard
