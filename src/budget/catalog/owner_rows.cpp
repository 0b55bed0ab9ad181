#include "budget/catalog/owner_rows.h"

#include <span>

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/own_rows.h"

namespace dp::budget {
namespace {

// Few ask for these two: they are looked up each time.
Oid table_named(const char* name) {
  const Oid schema = get_rel_namespace(own_tables().account);
  const Oid table = get_relname_relid(name, schema);
  if (!OidIsValid(table) || !is_of_extension(RelationRelationId, table)) refuse_other_version();
  return table;
}

Oid lent_table() { return table_named("lent"); }
Oid other_owner_table() { return table_named("other_owner"); }

bool has_row(Oid table, std::span<const Oid> key) {
  bool found = false;
  visit_rows(table, key, AccessShareLock, [&](Relation, HeapTuple) {
    found = true;
    return false;
  });
  return found;
}

void set_row(Oid table, std::span<const Oid> key, bool there) {
  if (has_row(table, key) == there) return;
  if (!there) {
    remove_rows(table, key, all_rows);
    return;
  }
  Datum values[2] = {};
  bool nulls[2] = {};
  for (std::size_t i = 0; i < key.size(); ++i) values[i] = ObjectIdGetDatum(key[i]);
  insert_row(table, values, nulls);
}

}  // namespace

bool is_lent(Oid relation, Oid role) {
  const Oid key[] = {relation, role};
  return has_row(lent_table(), key);
}

void set_lent(Oid relation, Oid role, bool lent) {
  const Oid key[] = {relation, role};
  set_row(lent_table(), key, lent);
}

void end_lending(Oid relation) { remove_rows(lent_table(), {&relation, 1}, all_rows); }

bool has_other_owner(Oid relation) { return has_row(other_owner_table(), {&relation, 1}); }

void set_other_owner(Oid relation, bool other) { set_row(other_owner_table(), {&relation, 1}, other); }

}  // namespace dp::budget
