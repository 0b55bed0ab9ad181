#include "budget/catalog/foreign_keys.h"

#include "budget/catalog/known_rows.h"
#include "pg/catalog.h"

namespace dp::budget {
namespace {

// Whether the constraint is only a part of another foreign key of the same table.
bool is_part_of_another(const FormData_pg_constraint& constraint) {
  if (!OidIsValid(constraint.conparentid)) return false;
  HeapTuple const parent = SearchSysCache1(CONSTROID, ObjectIdGetDatum(constraint.conparentid));
  if (!HeapTupleIsValid(parent)) return false;
  const bool same = reinterpret_cast<Form_pg_constraint>(GETSTRUCT(parent))->conrelid == constraint.conrelid;
  ReleaseSysCache(parent);
  return same;
}

// Vacuum, which a table gets long before the numbers of transactions begin again, makes sessions read anew.
List* read_keys(Oid table) {
  List* keys = NIL;
  pg::visit_catalog<FormData_pg_constraint>(
      ConstraintRelationId, ConstraintRelidTypidNameIndexId, {{Anum_pg_constraint_conrelid, table}},
      [&](const auto& constraint, HeapTuple row) {
        if (constraint.contype != CONSTRAINT_FOREIGN || is_part_of_another(constraint)) return;
        auto* const key = static_cast<ForeignKey*>(palloc0(sizeof(ForeignKey)));
        key->constraint = constraint.oid;
        key->name = constraint.conname;
        key->referred_table = constraint.confrelid;
        key->index = constraint.conindid;
        key->validated = constraint.convalidated;
        key->made = HeapTupleHeaderGetXmin(row->t_data);
        DeconstructFkConstraintRow(row, &key->columns, key->own, key->referred, key->operators, nullptr, nullptr,
                                   nullptr, nullptr);
        keys = lappend(keys, key);
      });
  return keys;
}

List* copied_keys(const List* keys) {
  List* copied = NIL;
  ListCell* cell;
  foreach (cell, keys) {
    copied =
        lappend(copied, new (palloc(sizeof(ForeignKey))) ForeignKey(*static_cast<const ForeignKey*>(lfirst(cell))));
  }
  return copied;
}

}  // namespace

List* foreign_keys_of(Oid table) {
  return known_rows({Known::foreign_keys, InvalidOid, table}, copied_keys, [table] { return read_keys(table); });
}

}  // namespace dp::budget
