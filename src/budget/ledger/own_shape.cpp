#include "budget/ledger/own_shape.h"

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/ledger_rows.h"

namespace dp::budget {
namespace {

// Calls use(row) with what this command has left in the catalog; the caches show it only later.
template <typename Use>
void read_now(Oid catalog_id, Oid index, const ScanKeyData* keys, int count, Use use) {
  Relation const catalog = table_open(catalog_id, AccessShareLock);
  SysScanDesc const scan =
      systable_beginscan(catalog, index, true, SnapshotSelf, count, const_cast<ScanKeyData*>(keys));
  HeapTuple const row = systable_getnext(scan);
  if (!HeapTupleIsValid(row)) elog(ERROR, "cache lookup failed for relation %u", DatumGetObjectId(keys->sk_argument));
  use(GETSTRUCT(row));
  systable_endscan(scan);
  table_close(catalog, AccessShareLock);
}

FormData_pg_class class_now(Oid relation) {
  FormData_pg_class row;
  ScanKeyData key;
  ScanKeyInit(&key, Anum_pg_class_oid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(relation));
  read_now(RelationRelationId, ClassOidIndexId, &key, 1,
           [&](const void* found) { row = *static_cast<const FormData_pg_class*>(found); });
  return row;
}

FormData_pg_attribute column_now(Oid relation, int column) {
  FormData_pg_attribute row;
  ScanKeyData keys[2];
  ScanKeyInit(&keys[0], Anum_pg_attribute_attrelid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(relation));
  ScanKeyInit(&keys[1], Anum_pg_attribute_attnum, BTEqualStrategyNumber, F_INT2EQ, Int16GetDatum(column));
  read_now(AttributeRelationId, AttributeRelidNumIndexId, keys, 2,
           [&](const void* found) { row = *static_cast<const FormData_pg_attribute*>(found); });
  return row;
}

// Scripts of the extension change what they have made.
bool is_kept(Oid relation) { return !creating_extension && is_own_table(relation); }

[[noreturn]] void refuse_other_shape(Oid relation) {
  ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                  errmsg("table %s of pg_dp keeps its name and its columns", relation_name(relation)),
                  errdetail("The library reads it as the extension has made it: no question would be answered."),
                  errhint("Leave it as it is. What is to be noted beside it goes into a table of your own.")));
}

}  // namespace

const char* name_now(Oid relation, int column) {
  const FormData_pg_attribute row = column_now(relation, column);
  return pstrdup(NameStr(row.attname));
}

void refuse_unlogged(Oid relation) {
  if (!in_own_schema(relation) || class_now(relation).relpersistence == RELPERSISTENCE_PERMANENT) return;
  ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                  errmsg("table %s of pg_dp cannot be unlogged", relation_name(relation)),
                  errdetail("A crash would empty it, and no standby would have it."),
                  errhint("Leave it logged, as ALTER TABLE %s SET LOGGED; makes it.", relation_name(relation))));
}

void refuse_column_added(Oid relation) {
  if (is_kept(relation) && !is_ledger(relation)) refuse_other_shape(relation);
}

void refuse_table_renamed(Oid relation) {
  if (!is_kept(relation)) return;
  const FormData_pg_class now = class_now(relation);
  if (now.relnamespace != get_rel_namespace(relation) || strcmp(NameStr(now.relname), get_rel_name(relation)) != 0)
    refuse_other_shape(relation);
}

void refuse_column_altered(Oid relation, int column) {
  if (!is_kept(relation) || (is_ledger(relation) && !is_ledger_column(column))) return;
  const FormData_pg_attribute now = column_now(relation, column);
  if (now.atttypid != get_atttype(relation, static_cast<AttrNumber>(column)) ||
      strcmp(NameStr(now.attname), get_attname(relation, static_cast<AttrNumber>(column), false)) != 0)
    refuse_other_shape(relation);
}

void refuse_column_dropped(Oid relation, int column) {
  if (!is_kept(relation)) return;
  if (!is_ledger(relation)) refuse_other_shape(relation);
  if (!is_ledger_column(column)) return;
  ereport(ERROR, (errcode(ERRCODE_DEPENDENT_OBJECTS_STILL_EXIST),
                  errmsg("cannot drop column %s of the ledger of pg_dp",
                         get_attname(relation, static_cast<AttrNumber>(column), false)),
                  errhint("Columns that were added to it may be dropped.")));
}

}  // namespace dp::budget
