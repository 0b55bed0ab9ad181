#include "budget/policy/colocated.h"

#include "budget/catalog/colocated_rows.h"
#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/owner_rows.h"
#include "budget/policy/copies.h"
#include "budget/policy/other_owners.h"
#include "budget/policy/unit_path.h"
#include "pg/foreign.h"
#include "pg/relation_owner.h"

namespace dp::budget {
namespace {

constexpr const char* kDistribute =
    "On Citus: SELECT create_distributed_table('visits', 'person', colocate_with => 'people'); or take back what was "
    "said: SELECT dp.declare_colocated('visits', VARIADIC '{}'); rows are fetched then.";

// For each table in their order how Citus spreads it: 'reference', or the column that it does it by and a number which
// tables that it spreads alike share; or neither.
const char* question_about_places(const List* tables) {
  StringInfoData names;
  initStringInfo(&names);
  const ListCell* cell;
  foreach (cell, tables) {
    const int place = foreach_current_index(cell);
    appendStringInfo(&names, "%s(%d, to_regclass(%s))", place == 0 ? "" : ", ", place,
                     quote_literal_cstr(name_there(lfirst_oid(cell))));
  }
  return psprintf(
      "SELECT CASE WHEN d.partmethod = 'n' AND d.repmodel = 't' THEN 'reference' END, "
      "CASE WHEN d.partmethod = 'h' THEN column_to_column_name(d.logicalrelid, d.partkey) END, d.colocationid::text "
      "FROM (VALUES %s) asked (place, relation) LEFT JOIN pg_dist_partition d ON d.logicalrelid = asked.relation "
      "ORDER BY asked.place",
      names.data);
}

}  // namespace

bool has_citus(Oid table, Oid reader) {
  return pg::remote_rows(table, reader, "SELECT 'there'::text FROM pg_extension WHERE extname = 'citus'", 1) != NIL;
}

AttrNumber colocated_by(Oid table) {
  const auto protection = protection_of(table);
  if (!protection || !protection->unit.declared()) return InvalidAttrNumber;
  const auto path = unit_path(*protection, table);
  return path && path->steps == NIL ? path->column : InvalidAttrNumber;
}

bool are_colocated(Oid one, Oid other) {
  return are_declared_colocated(one, other) && GetForeignTable(one)->serverid == GetForeignTable(other)->serverid &&
         pg::owner_of(one) == pg::owner_of(other) && !has_other_owner(one) && !has_other_owner(other);
}

ForeignObstacle difference_of_places(const List* tables, Oid reader) {
  const Oid asked = linitial_oid(tables);
  if (!has_citus(asked, reader)) return {};
  List* const told = pg::remote_rows(asked, reader, question_about_places(tables), 3);
  const char* places = nullptr;  // of all that are spread
  const ListCell *cell, *row;
  forboth(cell, tables, row, told) {
    const Oid table = lfirst_oid(cell);
    auto* const said = static_cast<List*>(lfirst(row));
    if (linitial(said) != nullptr) continue;
    const auto* const column = static_cast<const char*>(lsecond(said));
    const AttrNumber unit = colocated_by(table);
    if (unit == InvalidAttrNumber || column == nullptr)
      return {
          psprintf("Citus does not spread table %s there by the unit of its rows, nor copies it to all its servers.",
                   get_rel_name(table)),
          kDistribute};
    if (strcmp(column, name_on_server(table, unit)) != 0)
      return {psprintf("Citus spreads table %s there by column \"%s\", and the unit is in column \"%s\".",
                       get_rel_name(table), column, name_on_server(table, unit)),
              kDistribute};
    const auto* const place = static_cast<const char*>(lthird(said));
    if (places != nullptr && strcmp(places, place) != 0)
      return {psprintf("Citus does not spread table %s there as table %s.", get_rel_name(table), get_rel_name(asked)),
              kDistribute};
    places = place;
  }
  return {};
}

}  // namespace dp::budget
