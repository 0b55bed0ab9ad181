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

struct KnownRange {
  NameData column;
  DeclaredRange range;
};

List* read_ranges(Oid relation) {
  List* ranges = NIL;
  visit_rows(own_tables().declared_range, {&relation, 1}, AccessShareLock, [&](Relation table, HeapTuple row) {
    Datum values[kColumns];
    bool nulls[kColumns];
    heap_deform_tuple(row, RelationGetDescr(table), values, nulls);
    ranges = lappend(ranges, new (palloc(sizeof(KnownRange)))
                                 KnownRange{*DatumGetName(values[kColumn]),
                                            {DatumGetObjectId(values[kType]), TextDatumGetCString(values[kLower]),
                                             TextDatumGetCString(values[kUpper])}});
    return true;
  });
  return ranges;
}

List* copied_ranges(const List* ranges) {
  List* copied = NIL;
  ListCell* cell;
  foreach (cell, ranges) {
    auto* const one = new (palloc(sizeof(KnownRange))) KnownRange(*static_cast<const KnownRange*>(lfirst(cell)));
    one->range.lower = pstrdup(one->range.lower);
    one->range.upper = pstrdup(one->range.upper);
    copied = lappend(copied, one);
  }
  return copied;
}

}  // namespace

std::optional<DeclaredRange> declared_range(Oid relation, const char* column) {
  const Tables* const own = tables();
  if (own == nullptr) return std::nullopt;
  ListCell* cell;
  foreach (cell, known_rows({Known::declared_ranges, own->declared_range, relation}, copied_ranges,
                            [relation] { return read_ranges(relation); })) {
    const auto& one = *static_cast<const KnownRange*>(lfirst(cell));
    if (strcmp(NameStr(one.column), column) == 0) return one.range;
  }
  return std::nullopt;
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

void rename_declared_range(Oid relation, const char* from, const char* to) {
  const auto range = declared_range(relation, from);
  if (!range) return;
  remove_declared_range(relation, from);
  store_declared_range(relation, to, *range);
}

void remove_declared_ranges(Oid relation) { remove_rows(own_tables().declared_range, {&relation, 1}, all_rows); }

}  // namespace dp::budget
