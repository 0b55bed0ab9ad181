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

// Longer ones are read each time that they are needed.
constexpr Size kMostKept = 8192;

// A row as this session keeps it.
struct KnownDomain {
  const char* expression;
  DeclaredDomain declaration;
  ArrayType* values;  // nullptr: too long to be kept
};

DeclaredDomain declaration_in(HeapTuple row, const Datum* values) {
  // The bytes of an array's header before the number of elements.
  constexpr int kHead = sizeof(ArrayType) - VARHDRSZ + 2 * sizeof(int);
  auto* const head = reinterpret_cast<ArrayType*>(PG_DETOAST_DATUM_SLICE(values[kValues], 0, kHead));
  const int size = ARR_NDIM(head) == 0 ? 0 : ARR_DIMS(head)[0];
  return {DatumGetObjectId(values[kType]), size, HeapTupleHeaderGetRawXmin(row->t_data)};
}

List* read_domains(Oid relation) {
  List* domains = NIL;
  visit_rows(own_tables().public_domain, {&relation, 1}, AccessShareLock, [&](Relation table, HeapTuple row) {
    Datum values[kColumns];
    bool nulls[kColumns];
    heap_deform_tuple(row, RelationGetDescr(table), values, nulls);
    const bool kept = toast_raw_datum_size(values[kValues]) <= kMostKept;
    domains = lappend(domains, new (palloc(sizeof(KnownDomain)))
                                   KnownDomain{expression_of(table, row), declaration_in(row, values),
                                               kept ? DatumGetArrayTypePCopy(values[kValues]) : nullptr});
    return true;
  });
  return domains;
}

ArrayType* copy_of(const ArrayType* values) {
  return static_cast<ArrayType*>(memcpy(palloc(VARSIZE(values)), values, VARSIZE(values)));
}

List* copied_domains(const List* domains) {
  List* copied = NIL;
  ListCell* cell;
  foreach (cell, domains) {
    const auto& one = *static_cast<const KnownDomain*>(lfirst(cell));
    copied = lappend(
        copied, new (palloc(sizeof(KnownDomain))) KnownDomain{pstrdup(one.expression), one.declaration,
                                                              one.values == nullptr ? nullptr : copy_of(one.values)});
  }
  return copied;
}

// In the order of their expressions: a list of KnownDomain*.
List* domains_of(Oid relation) {
  const Tables* const own = tables();
  if (own == nullptr) return NIL;
  return known_rows({Known::public_domains, own->public_domain, relation}, copied_domains,
                    [relation] { return read_domains(relation); });
}

const KnownDomain* find_domain(Oid relation, const char* expression) {
  ListCell* cell;
  foreach (cell, domains_of(relation)) {
    const auto* const one = static_cast<const KnownDomain*>(lfirst(cell));
    if (strcmp(one->expression, expression) == 0) return one;
  }
  return nullptr;
}

}  // namespace

std::optional<PublicDomain> public_domain(Oid relation, const char* expression) {
  const KnownDomain* const known = find_domain(relation, expression);
  if (known == nullptr) return std::nullopt;
  if (known->values != nullptr) return PublicDomain{known->declaration.type, known->values};
  std::optional<PublicDomain> domain;
  visit_domain(relation, expression, [&](HeapTuple, const Datum* values) {
    domain = {DatumGetObjectId(values[kType]), DatumGetArrayTypePCopy(values[kValues])};
  });
  return domain;
}

List* public_expressions(Oid relation) {
  List* expressions = NIL;
  ListCell* cell;
  foreach (cell, domains_of(relation)) {
    const auto* const one = static_cast<const KnownDomain*>(lfirst(cell));
    expressions = lappend(expressions, makeString(const_cast<char*>(one->expression)));
  }
  return expressions;
}

std::optional<DeclaredDomain> declaration_of(Oid relation, const char* expression) {
  const KnownDomain* const known = find_domain(relation, expression);
  return known == nullptr ? std::nullopt : std::optional(known->declaration);
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

void rename_public_domain(Oid relation, const char* from, const char* to) {
  const auto domain = public_domain(relation, from);
  if (!domain) return;
  remove_public_domain(relation, from);
  store_public_domain(relation, to, *domain);
}

void remove_public_domains(Oid relation) { remove_rows(own_tables().public_domain, {&relation, 1}, all_rows); }

}  // namespace dp::budget
