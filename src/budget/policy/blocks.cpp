#include "budget/policy/blocks.h"

#include "budget/catalog/extension_catalog.h"
#include "budget/policy/shards.h"
#include "pg/errors.h"
#include "pg/partitions.h"

namespace dp::budget {
namespace {

// Triggers fire in the order of their names: behind those that give a row other values.
constexpr const char* kTrigger = "~dp_keeps_its_block";

[[noreturn]] void refuse(Oid relation, const char* what, const char* hint) {
  ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                  errmsg("partitions of table %s cannot have a budget each: %s", relation_name(relation), what),
                  errhint("%s", hint)));
  pg_unreachable();
}

bool is_not_null(Oid table, AttrNumber column) {
  HeapTuple const row = SearchSysCache2(ATTNUM, ObjectIdGetDatum(table), Int16GetDatum(column));
  if (!HeapTupleIsValid(row)) return false;
  const bool not_null = reinterpret_cast<Form_pg_attribute>(GETSTRUCT(row))->attnotnull;
  ReleaseSysCache(row);
  return not_null;
}

void require_key(Oid relation, Oid table, const UnitPolicy& unit) {
  ListCell* cell;
  foreach (cell, pg::partition_columns(table)) {
    const auto column = static_cast<AttrNumber>(lfirst_int(cell));
    if (column == 0)
      refuse(relation, "its partition key has an expression", "Partition it by columns: PARTITION BY RANGE (day).");
    const char* const name = get_attname(table, column, false);
    if (!is_not_null(table, column)) {
      refuse(relation, psprintf("column %s of its partition key may be NULL", name),
             psprintf("ALTER TABLE %s ALTER %s SET NOT NULL;", relation_name(relation), quote_identifier(name)));
    }
    if (unit.declared() && unit.blocks == 0 && (unit.steps != NIL || strcmp(unit.path, name) != 0)) {
      refuse(relation, psprintf("one privacy unit by %s may lie in several of them", unit.path),
             "Say in how many, max_blocks_per_unit => 12: a unit is then promised so many times the budget. Or "
             "partition it "
             "by the privacy unit.");
    }
  }
}

// Whose function the trigger calls.
void run_as_extension(const char* statement) {
  as_owner_of_tables([statement] {
    if (SPI_execute(statement, false, 0) < 0) elog(ERROR, "could not run %s", statement);
  });
}

const char* qualified(Oid relation) {
  return quote_qualified_identifier(get_namespace_name(get_rel_namespace(relation)), get_rel_name(relation));
}

// String: the columns by which the table, or one below it, is partitioned.
List* key_names(Oid relation) {
  List* names = NIL;
  ListCell *table, *column;
  foreach (table, find_all_inheritors(relation, NoLock, nullptr)) {
    if (get_rel_relkind(lfirst_oid(table)) != RELKIND_PARTITIONED_TABLE) continue;
    foreach (column, pg::partition_columns(lfirst_oid(table))) {
      String* const name =
          makeString(get_attname(lfirst_oid(table), static_cast<AttrNumber>(lfirst_int(column)), false));
      if (!list_member(names, name)) names = lappend(names, name);
    }
  }
  return names;
}

bool may_change_rows_behind(const Trigger& trigger) {
  return TRIGGER_TYPE_MATCHES(trigger.tgtype, TRIGGER_TYPE_ROW, TRIGGER_TYPE_BEFORE, TRIGGER_TYPE_UPDATE) &&
         strcmp(trigger.tgname, kTrigger) > 0;
}

// Whether the trigger of that table or partition is there, always fires, looks at these columns, which its arguments
// name, and after all that may change them.
bool is_kept(Oid table, const List* names) {
  Relation const opened = table_open(table, AccessShareLock);
  const TriggerDesc* const triggers = opened->trigdesc;
  bool kept = false, changed = false;
  for (int i = 0; triggers != nullptr && i < triggers->numtriggers; ++i) {
    const Trigger& trigger = triggers->triggers[i];
    changed = changed || may_change_rows_behind(trigger);
    if (strcmp(trigger.tgname, kTrigger) != 0 || trigger.tgenabled != TRIGGER_FIRES_ALWAYS) continue;
    List* looked_at = NIL;
    for (int n = 0; n < trigger.tgnargs; ++n) looked_at = lappend(looked_at, makeString(trigger.tgargs[n]));
    kept = list_difference(names, looked_at) == NIL;
  }
  table_close(opened, AccessShareLock);
  return kept && !changed;
}

// Rows are updated where they lie, by the triggers of their partition.
bool are_kept(Oid relation) {
  const List* const names = key_names(relation);
  ListCell* cell;
  foreach (cell, find_all_inheritors(relation, NoLock, nullptr))
    if (!is_kept(lfirst_oid(cell), names)) return false;
  return true;
}

}  // namespace

List* blocks_of(Oid table) {
  List* blocks = NIL;
  ListCell* cell;
  foreach (cell, find_all_inheritors(table, NoLock, nullptr)) {
    if (get_rel_relkind(lfirst_oid(cell)) != RELKIND_PARTITIONED_TABLE) blocks = lappend_oid(blocks, lfirst_oid(cell));
  }
  return blocks;
}

void require_blocks(Oid relation, const UnitPolicy& unit) {
  if (get_rel_relkind(relation) != RELKIND_PARTITIONED_TABLE) {
    refuse(
        relation, "it has none",
        "Let a partitioned table take its place: CREATE TABLE ... PARTITION BY RANGE (day); and a partition for each "
        "month.");
  }
  if (const List* const foreign = foreign_tables_of(relation); foreign != NIL) {
    refuse(
        relation,
        psprintf("rows of %s are on another server, where they can move unseen", relation_name(linitial_oid(foreign))),
        "Let the whole table have one budget: blocks => false.");
  }
  ListCell* cell;
  foreach (cell, find_all_inheritors(relation, NoLock, nullptr)) {
    if (get_rel_relkind(lfirst_oid(cell)) == RELKIND_PARTITIONED_TABLE) require_key(relation, lfirst_oid(cell), unit);
  }
}

void require_kept_blocks(Oid relation, const UnitPolicy& unit) {
  require_blocks(relation, unit);
  if (are_kept(relation)) return;
  const char* const table = relation_name(relation);
  ereport(
      ERROR,
      (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
       errmsg("rows of table %s could be moved to other partitions, which have a budget each", table),
       errdetail(
           "Trigger %s of it or of a partition is not there any more, is disabled, looks at other columns, or comes "
           "before another one (BEFORE UPDATE ... FOR EACH ROW).",
           kTrigger),
       errhint("A curator makes it anew, SELECT dp.protect(%s, blocks => true), or renames what comes behind it.",
               quote_literal_cstr(table))));
}

void keep_rows_in_blocks(Oid relation, bool kept) {
  const char* const table = qualified(relation);
  if (OidIsValid(get_trigger_oid(relation, kTrigger, true)))
    run_as_extension(psprintf("DROP TRIGGER \"%s\" ON %s", kTrigger, table));
  if (!kept) return;
  StringInfoData changes, names;
  initStringInfo(&changes);
  initStringInfo(&names);
  ListCell* cell;
  foreach (cell, key_names(relation)) {
    const char* const name = strVal(lfirst(cell));
    const char* const column = quote_identifier(name);
    appendStringInfo(&changes, "%sold.%s IS DISTINCT FROM new.%s", changes.len > 0 ? " OR " : "", column, column);
    appendStringInfo(&names, "%s%s", names.len > 0 ? ", " : "", quote_literal_cstr(name));
  }
  run_as_extension(
      psprintf("CREATE TRIGGER \"%s\" BEFORE UPDATE ON %s FOR EACH ROW WHEN (%s) EXECUTE FUNCTION "
               "dp_internal.keeps_its_block(%s)",
               kTrigger, table, changes.data, names.data));
  run_as_extension(psprintf("ALTER TABLE %s ENABLE ALWAYS TRIGGER \"%s\"", table, kTrigger));
}

const char* bounds_of(Oid block) {
  HeapTuple const row = SearchSysCache1(RELOID, ObjectIdGetDatum(block));
  if (!HeapTupleIsValid(row)) return "";
  bool none;
  const Datum bounds = SysCacheGetAttr(RELOID, row, Anum_pg_class_relpartbound, &none);
  const char* shown = "";
  if (!none) {
    shown = psprintf(" (%s)", TextDatumGetCString(DirectFunctionCall2(pg_get_expr, bounds, ObjectIdGetDatum(block))));
  }
  ReleaseSysCache(row);
  return shown;
}

}  // namespace dp::budget
