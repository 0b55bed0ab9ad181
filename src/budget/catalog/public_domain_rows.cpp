#include "budget/catalog/public_domain_rows.h"

#include <cstdint>

#include "budget/catalog/extension_catalog.h"
#include "pg/access.h"

namespace dp::budget {
namespace {

enum Column : std::uint8_t { kRelation, kExpression, kType, kValues, kColumns };

// Calls visit(table, tuple, values) on the rows of a relation, or on the one of that expression.
template <class Visit>
void visit_rows(Oid relation, const char* expression, LOCKMODE lock, Visit visit) {
  Relation const table = table_open(own_tables().public_domain, lock);
  ScanKeyData key;
  ScanKeyInit(&key, kRelation + 1, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(relation));
  const Oid index = pg::primary_key_index(table);
  SysScanDesc const scan = systable_beginscan(table, index, OidIsValid(index), nullptr, 1, &key);
  for (HeapTuple row; HeapTupleIsValid(row = systable_getnext(scan));) {
    Datum values[kColumns];
    bool nulls[kColumns];
    heap_deform_tuple(row, RelationGetDescr(table), values, nulls);
    // The index compares in its own collation, under which different texts may be equal; so the bytes are compared too.
    if (expression == nullptr || strcmp(TextDatumGetCString(values[kExpression]), expression) == 0)
      visit(table, row, values);
  }
  systable_endscan(scan);
  table_close(table, lock == AccessShareLock
                         ? lock
                         : NoLock);  // after writes the lock is kept until the end of the transaction
}

bool remove(Oid relation, const char* expression) {
  bool removed = false;
  visit_rows(relation, expression, RowExclusiveLock, [&](Relation table, HeapTuple row, const Datum*) {
    CatalogTupleDelete(table, &row->t_self);
    removed = true;
  });
  CommandCounterIncrement();
  return removed;
}

}  // namespace

std::optional<PublicDomain> public_domain(Oid relation, const char* expression) {
  std::optional<PublicDomain> domain;
  if (tables() == nullptr) return domain;
  visit_rows(relation, expression, AccessShareLock, [&](Relation, HeapTuple, const Datum* values) {
    domain = {DatumGetObjectId(values[kType]), DatumGetArrayTypePCopy(values[kValues])};
  });
  return domain;
}

List* public_expressions(Oid relation) {
  List* expressions = NIL;
  if (tables() == nullptr) return expressions;
  visit_rows(relation, nullptr, AccessShareLock, [&](Relation, HeapTuple, const Datum* values) {
    expressions = lappend(expressions, makeString(TextDatumGetCString(values[kExpression])));
  });
  return expressions;
}

std::optional<DeclaredDomain> declaration_of(Oid relation, const char* expression) {
  std::optional<DeclaredDomain> declaration;
  if (tables() == nullptr) return declaration;
  visit_rows(relation, expression, AccessShareLock, [&](Relation, HeapTuple row, const Datum* values) {
    // The bytes of an array's header before the number of elements.
    constexpr int kHead = sizeof(ArrayType) - VARHDRSZ + 2 * sizeof(int);
    auto* const head = reinterpret_cast<ArrayType*>(PG_DETOAST_DATUM_SLICE(values[kValues], 0, kHead));
    const int size = ARR_NDIM(head) == 0 ? 0 : ARR_DIMS(head)[0];
    declaration = {DatumGetObjectId(values[kType]), size, HeapTupleHeaderGetRawXmin(row->t_data)};
  });
  return declaration;
}

// Callers hold a lock on the protected table, so that no two store the same key at once.
void store_public_domain(Oid relation, const char* expression, const PublicDomain& domain) {
  remove(relation, expression);
  Relation const table = table_open(own_tables().public_domain, RowExclusiveLock);
  Datum values[] = {ObjectIdGetDatum(relation), CStringGetTextDatum(expression), ObjectIdGetDatum(domain.type),
                    PointerGetDatum(domain.values)};
  bool nulls[kColumns] = {};
  CatalogTupleInsert(table, heap_form_tuple(RelationGetDescr(table), values, nulls));
  table_close(table, NoLock);
  CommandCounterIncrement();
}

bool remove_public_domain(Oid relation, const char* expression) { return remove(relation, expression); }

void remove_public_domains(Oid relation) { remove(relation, nullptr); }

}  // namespace dp::budget
