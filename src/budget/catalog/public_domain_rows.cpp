#include "budget/catalog/public_domain_rows.h"

#include <cstdint>

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/own_rows.h"

namespace dp::budget {
namespace {

enum Column : std::uint8_t { kRelation, kExpression, kType, kValues, kColumns };

char* expression_of(Relation table, HeapTuple row) {
  bool null;
  return TextDatumGetCString(heap_getattr(row, kExpression + 1, RelationGetDescr(table), &null));
}

// By their bytes: the index compares in its own collation, under which different texts may be equal.
bool is_of_expression(Relation table, HeapTuple row, const char* expression) {
  return strcmp(expression_of(table, row), expression) == 0;
}

// Calls visit(row, values) on the row of that expression, if there is one.
template <class Visit>
void visit_domain(Oid relation, const char* expression, Visit visit) {
  visit_rows(own_tables().public_domain, {&relation, 1}, AccessShareLock, [&](Relation table, HeapTuple row) {
    if (!is_of_expression(table, row, expression)) return true;
    Datum values[kColumns];
    bool nulls[kColumns];
    heap_deform_tuple(row, RelationGetDescr(table), values, nulls);
    visit(row, values);
    return false;
  });
}

}  // namespace

std::optional<PublicDomain> public_domain(Oid relation, const char* expression) {
  std::optional<PublicDomain> domain;
  if (tables() == nullptr) return domain;
  visit_domain(relation, expression, [&](HeapTuple, const Datum* values) {
    domain = {DatumGetObjectId(values[kType]), DatumGetArrayTypePCopy(values[kValues])};
  });
  return domain;
}

List* public_expressions(Oid relation) {
  List* expressions = NIL;
  if (tables() == nullptr) return expressions;
  visit_rows(own_tables().public_domain, {&relation, 1}, AccessShareLock, [&](Relation table, HeapTuple row) {
    expressions = lappend(expressions, makeString(expression_of(table, row)));
    return true;
  });
  return expressions;
}

std::optional<DeclaredDomain> declaration_of(Oid relation, const char* expression) {
  std::optional<DeclaredDomain> declaration;
  if (tables() == nullptr) return declaration;
  visit_domain(relation, expression, [&](HeapTuple row, const Datum* values) {
    // The bytes of an array's header before the number of elements.
    constexpr int kHead = sizeof(ArrayType) - VARHDRSZ + 2 * sizeof(int);
    auto* const head = reinterpret_cast<ArrayType*>(PG_DETOAST_DATUM_SLICE(values[kValues], 0, kHead));
    const int size = ARR_NDIM(head) == 0 ? 0 : ARR_DIMS(head)[0];
    declaration = {DatumGetObjectId(values[kType]), size, HeapTupleHeaderGetRawXmin(row->t_data)};
  });
  return declaration;
}

void store_public_domain(Oid relation, const char* expression, const PublicDomain& domain) {
  remove_public_domain(relation, expression);
  Datum values[] = {ObjectIdGetDatum(relation), CStringGetTextDatum(expression), ObjectIdGetDatum(domain.type),
                    PointerGetDatum(domain.values)};
  bool nulls[kColumns] = {};
  insert_row(own_tables().public_domain, values, nulls);
}

bool remove_public_domain(Oid relation, const char* expression) {
  return remove_rows(own_tables().public_domain, {&relation, 1},
                     [&](Relation table, HeapTuple row) { return is_of_expression(table, row, expression); });
}

void remove_public_domains(Oid relation) { remove_rows(own_tables().public_domain, {&relation, 1}, all_rows); }

}  // namespace dp::budget
