#include "budget/policy/fixed_columns.h"

#include "budget/catalog/extension_catalog.h"
#include "budget/policy/curator.h"
#include "budget/policy/shards.h"
#include "pg/errors.h"
#include "pg/partitions.h"

namespace dp::budget {
namespace {

constexpr const char* kFunction = "keeps_its_column";

// Triggers fire in the order of their names: behind those that give a row other values.
const char* trigger_of(const char* column) { return psprintf("~dp_keeps_%.40s", column); }

bool is_ours(const Trigger& trigger) { return trigger.tgfoid == internal_function(kFunction, {}); }

// Of rows on another server no trigger here sees an UPDATE there.
bool is_fixed_here(Oid table, const char* column) {
  if (get_rel_relkind(table) == RELKIND_FOREIGN_TABLE) return false;
  Relation const opened = table_open(table, AccessShareLock);
  const TriggerDesc* const triggers = opened->trigdesc;
  const char* ours = nullptr;
  for (int i = 0; triggers != nullptr && i < triggers->numtriggers; ++i) {
    const Trigger& trigger = triggers->triggers[i];
    if (is_ours(trigger) && trigger.tgnargs == 1 && strcmp(trigger.tgargs[0], column) == 0 &&
        trigger.tgenabled == TRIGGER_FIRES_ALWAYS)
      ours = trigger.tgname;
  }
  bool fixed = ours != nullptr;
  for (int i = 0; fixed && i < triggers->numtriggers; ++i) {
    const Trigger& trigger = triggers->triggers[i];
    fixed = is_ours(trigger) ||
            !TRIGGER_TYPE_MATCHES(trigger.tgtype, TRIGGER_TYPE_ROW, TRIGGER_TYPE_BEFORE, TRIGGER_TYPE_UPDATE) ||
            strcmp(trigger.tgname, ours) < 0;
  }
  table_close(opened, AccessShareLock);
  return fixed;
}

}  // namespace

void fix_column(Oid relation, const char* column) {
  const char* const table =
      quote_qualified_identifier(get_namespace_name(get_rel_namespace(relation)), get_rel_name(relation));
  const char* const name = quote_identifier(column);
  const char* const trigger = quote_identifier(trigger_of(column));
  const char* const statements[] = {
      psprintf("CREATE OR REPLACE TRIGGER %s BEFORE UPDATE ON %s FOR EACH ROW WHEN (old.%s IS DISTINCT FROM new.%s) "
               "EXECUTE FUNCTION dp_internal.%s(%s)",
               trigger, table, name, name, kFunction, quote_literal_cstr(column)),
      psprintf("ALTER TABLE %s ENABLE ALWAYS TRIGGER %s", table, trigger)};
  // Whose function the trigger calls.
  as_owner_of_tables([&] {
    for (const char* const statement : statements)
      if (SPI_execute(statement, false, 0) < 0) elog(ERROR, "could not run %s", statement);
  });
}

bool is_fixed(Oid relation, const char* column) {
  ListCell* cell;
  foreach (cell, find_all_inheritors(relation, NoLock, nullptr))
    if (!is_fixed_here(lfirst_oid(cell), column)) return false;
  return true;
}

// dp.fix_column(relation regclass, column_name name) returns void.
DP_SQL_FUNCTION(dp_fix_column) {
  constexpr const char* kFix = "dp.fix_column('visits', 'admitted')";
  const Oid relation = oid_argument(fcinfo, 0, "relation", kFix);
  if (PG_ARGISNULL(1)) refuse_null("column_name", kFix);
  const char* const column = NameStr(*PG_GETARG_NAME(1));
  require_relation(relation);
  begin_curating(relation, "dp.fix_column()");
  if (get_attnum(relation, column) <= 0) {
    ereport(ERROR, (errcode(ERRCODE_UNDEFINED_COLUMN),
                    errmsg("table %s has no column \"%s\"", relation_name(relation), column),
                    errhint("For example %s.", kFix)));
  }
  if (foreign_tables_of(relation) != NIL) {
    ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                    errmsg("table %s has rows on other servers, where no UPDATE is refused from here",
                           relation_name(relation)),
                    errhint("Publish running totals of a table whose rows are all here.")));
  }
  fix_column(relation, column);
  PG_RETURN_VOID();
}

}  // namespace dp::budget
