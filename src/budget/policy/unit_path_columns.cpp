#include "budget/policy/unit_path_columns.h"

#include "budget/catalog/extension_catalog.h"
#include "budget/policy/privacy_unit.h"
#include "budget/policy/unit_path.h"
#include "budget/policy/unit_path_text.h"

namespace dp::budget {
namespace {

// Whether the path, which cannot be followed now, ended in that column. It may be followed again.
bool was_end(const UnitPolicy& unit, Oid relation, const char* column) {
  const char* const table =
      quote_qualified_identifier(get_namespace_name(get_rel_namespace(relation)), get_rel_name(relation));
  return strcmp(static_cast<const char*>(llast(path_parts(unit.path))), column) == 0 &&
         strstr(strVal(llast(unit.steps)), psprintf(" REFERENCES %s (", table)) != nullptr;
}

}  // namespace

Oid table_of_unit_column(Oid relation, AttrNumber column) {
  const char* const name = tables() == nullptr ? nullptr : get_attname(relation, column, true);
  if (name == nullptr) return InvalidOid;
  ListCell *cell, *step;
  foreach (cell, all_protected()) {
    const Policy& policy = *static_cast<const Policy*>(lfirst(cell));
    if (!policy.unit.declared() || !relation_exists(policy.relation)) continue;
    if (policy.unit.steps == NIL) {
      if (policy.relation == relation && strcmp(name, policy.unit.path) == 0) return relation;
      continue;
    }
    PathObstacle obstacle{};
    const auto path = find_unit_path(policy.relation, policy.relation, policy.unit.path, &obstacle);
    if (!path) {
      if (was_end(policy.unit, relation, name)) return policy.relation;
      continue;
    }
    if (path->table == relation && path->column == column) return policy.relation;
    foreach (step, path->steps) {
      const auto& at = *static_cast<const UnitStep*>(lfirst(step));
      for (int i = 0; i < at.columns; ++i) {
        if ((at.from == relation && at.own[i] == column) || (at.to == relation && at.referred[i] == column))
          return policy.relation;
      }
    }
  }
  return InvalidOid;
}

const char* path_with_end_named(const Policy& policy, Oid relation, AttrNumber column, const char* name) {
  if (!policy.unit.declared() || !relation_exists(policy.relation)) return nullptr;
  const char* const before = get_attname(relation, column, false);
  if (policy.unit.steps == NIL)
    return policy.relation == relation && strcmp(policy.unit.path, before) == 0 ? name : nullptr;
  PathObstacle obstacle{};
  const auto path = find_unit_path(policy.relation, policy.relation, policy.unit.path, &obstacle);
  const bool ends = path ? path->table == relation && path->column == column : was_end(policy.unit, relation, before);
  if (!ends) return nullptr;
  List* const parts = path_parts(policy.unit.path);
  lfirst(list_tail(parts)) = const_cast<char*>(name);
  return path_text(parts);
}

bool says_whose(const Protection& protection, Oid table, AttrNumber column) {
  if (!protection.unit.declared()) return false;
  if (protection.unit.steps == NIL) return unit_column(protection.unit, table) == column;
  const auto path = unit_path(protection, table);
  const auto& first = *static_cast<const UnitStep*>(linitial(path->steps));
  for (int i = 0; i < first.columns; ++i) {
    if (first.own[i] == column) return true;
  }
  return false;
}

}  // namespace dp::budget
