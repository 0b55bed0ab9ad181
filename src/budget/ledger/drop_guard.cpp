#include "budget/ledger/drop_guard.h"

#include "budget/catalog/changed_objects.h"
#include "budget/catalog/colocated_rows.h"
#include "budget/catalog/copy_rows.h"
#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/policy_rows.h"
#include "budget/catalog/public_domain_rows.h"
#include "budget/catalog/range_rows.h"
#include "budget/ledger/begun_books.h"
#include "budget/ledger/ledger.h"
#include "budget/ledger/own_shape.h"
#include "budget/ledger/told_parts.h"
#include "budget/policy/followed_columns.h"
#include "budget/policy/unit_path_columns.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

bool allow_drop = false;

bool has_entries(Oid ledger_entry) {
  Relation const ledger = table_open(ledger_entry, AccessShareLock);
  TableScanDesc const scan = table_beginscan_strat(ledger, SnapshotSelf, 0, nullptr, true, false);
  const bool found = HeapTupleIsValid(heap_getnext(scan, ForwardScanDirection));
  table_endscan(scan);
  table_close(ledger, AccessShareLock);
  return found;
}

// Refuses to drop a table that was charged: its OID would be gone, and with it the meaning of its ledger entries. A new
// table of that name would begin with nothing spent, and unprotected.
void refuse_charged(Oid relation) {
  if (!protected_policy(relation) || spent(relation, InvalidOid).zero()) return;
  const char* const name = relation_name(relation);
  ereport(
      ERROR,
      (errcode(ERRCODE_DEPENDENT_OBJECTS_STILL_EXIST),
       errmsg("cannot drop table %s: it is protected, and was charged", name),
       errdetail("What was spent on it would be forgotten, and a copy under its name would not be protected."),
       errhint("Let the table that replaces it take over: SELECT dp.protect('new', continues => %s); Who means to drop "
               "it writes SELECT dp.unprotect(%s); first, or as a superuser SET dp.allow_drop = on;",
               quote_literal_cstr(name), quote_literal_cstr(name))));
}

// Whose the rows are is said by names of columns: under such a name there must not come to be another one.
bool names_unit(Oid relation, int column) {
  return OidIsValid(table_of_unit_column(relation, static_cast<AttrNumber>(column)));
}

void refuse_unit_column(Oid relation, int column) {
  const Oid protected_by_it = table_of_unit_column(relation, static_cast<AttrNumber>(column));
  const char* const table = relation_name(relation);
  const char* const name = get_attname(relation, static_cast<AttrNumber>(column), false);
  ereport(ERROR,
          (errcode(ERRCODE_DEPENDENT_OBJECTS_STILL_EXIST),
           errmsg("column %s of table %s says whose the rows are: it can be neither dropped nor renamed", name, table),
           errdetail("Another column under its name would be taken for the privacy unit."),
           errhint("Who means it writes SELECT dp.unprotect(%s); first, or as a superuser SET dp.allow_drop = on;",
                   quote_literal_cstr(relation_name(protected_by_it)))));
}

// The name of the privacy unit goes with its column, so that both always say the same: in every path that ends there.
// The other columns of a path are compared with what they were when it was declared.
void rename_units(Oid relation, int column, const char* name) {
  List* renamed = NIL;
  ListCell* cell;
  foreach (cell, all_protected()) {
    auto* const policy = static_cast<Policy*>(lfirst(cell));
    const char* const path = path_with_end_named(*policy, relation, static_cast<AttrNumber>(column), name);
    if (path == nullptr) continue;
    policy->unit.path = path;
    renamed = lappend(renamed, policy);
  }
  // Not before: what is stored lets the caches show the new name.
  foreach (cell, renamed) store(*static_cast<const Policy*>(lfirst(cell)));
}

void unit_column_altered(Oid relation, int column) {
  const char* const name = name_now(relation, column);
  if (strcmp(name, get_attname(relation, static_cast<AttrNumber>(column), false)) == 0) return;
  if (!allow_drop) refuse_unit_column(relation, column);
  rename_units(relation, column, name);
}

// What PostgreSQL calls a dropped column no other one is called.
const char* dropped_name(int column) { return psprintf("........pg.dropped.%d........", column); }

void unit_column_dropped(Oid relation, int column) {
  if (!allow_drop) refuse_unit_column(relation, column);
  rename_units(relation, column, dropped_name(column));
}

// What was said of a column goes with it. In the extension's own tables none has a range.
void column_altered(Oid relation, int column) {
  const char* const before = get_attname(relation, static_cast<AttrNumber>(column), true);
  const char* const name = name_now(relation, column);
  if (before != nullptr && strcmp(name, before) != 0) rename_declarations(relation, before, name);
}

void column_dropped(Oid relation, int column) {
  const char* const name = get_attname(relation, static_cast<AttrNumber>(column), true);
  if (name != nullptr) drop_declarations(relation, name, dropped_name(column));
}

// DROP EXTENSION drops the ledger's table before the extension, so the drop of the table is watched.
void refuse_drop(Oid relation) {
  if (!is_ledger(relation)) return refuse_charged(relation);
  if (!has_entries(relation)) return;
  ereport(ERROR,
          (errcode(ERRCODE_DEPENDENT_OBJECTS_STILL_EXIST), errmsg("cannot drop the ledger of pg_dp: it has entries"),
           errdetail("What was spent on protected tables would be forgotten."),
           errhint("A superuser who means it writes SET dp.allow_drop = on; first.")));
}

bool is_table(Oid relation) {
  const char kind = get_rel_relkind(relation);
  return (kind == RELKIND_RELATION || kind == RELKIND_PARTITIONED_TABLE) &&
         get_rel_persistence(relation) == RELPERSISTENCE_PERMANENT;
}

// What gets the number of a dropped table or role later is another one: nothing that was said of the old one holds for
// it. The ledger keeps its entries. Roles have accounts in other databases, too, and these stay there.
void remove_rows_of_relation(Oid relation) {
  if (is_table(relation)) note_dropped_books(DroppedKind::table, relation);
  forget_copies_of_dropped(relation);
  forget_colocation_of_dropped(relation);
  if (!protected_policy(relation)) return;
  remove_accounts(relation);
  remove_public_domains(relation);
  remove_declared_ranges(relation);
  remove_protected(relation);
}

void remove_accounts_of_role(Oid role) {
  note_dropped_books(DroppedKind::role, role);
  ListCell* cell;
  foreach (cell, accounts_of(role)) {
    const Oid relation = static_cast<const Policy*>(lfirst(cell))->relation;
    ereport(NOTICE,
            (errmsg("the budget of role \"%s\" on table %s goes with it", role_name(role), relation_name(relation)),
             errdetail("What was spent stays in the ledger, and counts for the table.")));
    remove_account(relation, role);
  }
}

// The table on the other side of a link between two.
Oid other_of(const void* arguments) {
  return arguments != nullptr ? static_cast<const ObjectAccessPostAlter*>(arguments)->auxiliary_id : InvalidOid;
}

void look_at_change(ObjectAccessType access, Oid class_id, Oid object, int column, void* arguments) {
  if (is_absent()) return;
  if (class_id == AuthIdRelationId && access == OAT_DROP) return remove_accounts_of_role(object);
  if (class_id == InheritsRelationId && access == OAT_POST_ALTER) return tell_of_part(object, other_of(arguments));
  if (class_id != RelationRelationId) return;
  if (access == OAT_POST_CREATE && column > 0) {
    if (!allow_drop) refuse_column_added(object);
    return drop_declarations(object, name_now(object, column), nullptr);
  }
  if (access == OAT_POST_ALTER && column == 0) {
    refuse_unlogged(object);
    if (!allow_drop) refuse_table_renamed(object);
    return;
  }
  if (access == OAT_POST_ALTER && column > 0) {
    if (!allow_drop) refuse_column_altered(object, column);
    if (names_unit(object, column)) unit_column_altered(object, column);
    return column_altered(object, column);
  }
  if (access != OAT_DROP) return;
  if (column != 0) {
    if (!allow_drop) refuse_column_dropped(object, column);
    if (names_unit(object, column)) unit_column_dropped(object, column);
    return column_dropped(object, column);
  }
  if (!allow_drop) refuse_drop(object);
  remove_rows_of_relation(object);
}

}  // namespace

// dp_internal.guard_drops() returns event_trigger: before each DROP. That it is called loads the library, where the
// server has not done so, and with it the guard.
DP_SQL_FUNCTION(dp_guard_drops) { PG_RETURN_NULL(); }

void install_drop_guard() {
  DefineCustomBoolVariable("dp.allow_drop",
                           "Allows DROP of charged tables, and of extension pg_dp where its ledger has entries.",
                           "What was spent on protected tables is forgotten then.", &allow_drop, false, PGC_SUSET, 0,
                           nullptr, nullptr, nullptr);
  on_change(look_at_change);
}

}  // namespace dp::budget
