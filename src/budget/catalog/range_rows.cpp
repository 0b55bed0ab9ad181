#include "budget/catalog/range_rows.h"

#include <cstdint>

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/own_rows.h"

namespace dp::budget {
namespace {

enum Column : std::uint8_t { kRelation, kColumn, kType, kLower, kUpper, kColumns };

bool is_of_column(Relation table, HeapTuple row, const char* column) {
  bool null;
  const Datum name = heap_getattr(row, kColumn + 1, RelationGetDescr(table), &null);
  return strcmp(NameStr(*DatumGetName(name)), column) == 0;
}

}  // namespace

std::optional<DeclaredRange> declared_range(Oid relation, const char* column) {
  std::optional<DeclaredRange> range;
  if (tables() == nullptr) return range;
  visit_rows(own_tables().declared_range, {&relation, 1}, AccessShareLock, [&](Relation table, HeapTuple row) {
    if (!is_of_column(table, row, column)) return true;
    Datum values[kColumns];
    bool nulls[kColumns];
    heap_deform_tuple(row, RelationGetDescr(table), values, nulls);
    range = {DatumGetObjectId(values[kType]), TextDatumGetCString(values[kLower]), TextDatumGetCString(values[kUpper])};
    return false;
  });
  return range;
}

void store_declared_range(Oid relation, const char* column, const DeclaredRange& range) {
  remove_declared_range(relation, column);
  NameData name;
  namestrcpy(&name, column);
  Datum values[] = {ObjectIdGetDatum(relation), NameGetDatum(&name), ObjectIdGetDatum(range.type),
                    CStringGetTextDatum(range.lower), CStringGetTextDatum(range.upper)};
  bool nulls[kColumns] = {};
  insert_row(own_tables().declared_range, values, nulls);
}

bool remove_declared_range(Oid relation, const char* column) {
  return remove_rows(own_tables().declared_range, {&relation, 1},
                     [&](Relation table, HeapTuple row) { return is_of_column(table, row, column); });
}

void remove_declared_ranges(Oid relation) { remove_rows(own_tables().declared_range, {&relation, 1}, all_rows); }

}  // namespace dp::budget
