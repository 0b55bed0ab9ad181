#include "budget/catalog/answer_policy_rows.h"

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/known_rows.h"
#include "pg/access.h"

namespace dp::budget {
namespace {

enum Column : std::uint8_t { kRelation, kReuse, kKeep, kBytes, kShared, kColumns };

constexpr std::int64_t kSecond = 1'000'000;

// Calls visit(table, tuple, values) on the row of a relation.
template <class Visit>
void visit_row(Oid relation, LOCKMODE lock, Visit visit) {
  Relation const table = table_open(own_tables().answer_policy, lock);
  ScanKeyData key;
  ScanKeyInit(&key, kRelation + 1, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(relation));
  const Oid index = pg::primary_key_index(table);
  SysScanDesc const scan = systable_beginscan(table, index, OidIsValid(index), nullptr, 1, &key);
  for (HeapTuple row; HeapTupleIsValid(row = systable_getnext(scan));) {
    Datum values[kColumns];
    bool nulls[kColumns];
    heap_deform_tuple(row, RelationGetDescr(table), values, nulls);
    visit(table, row, values);
  }
  systable_endscan(scan);
  table_close(table, lock == AccessShareLock
                         ? lock
                         : NoLock);  // what was written stays locked until the end of the transaction
}

// The row of a relation, if there is one: AnswerPolicy*.
List* read_row(Oid relation) {
  List* rows = NIL;
  visit_row(relation, AccessShareLock, [&](Relation, HeapTuple, const Datum* values) {
    const AnswerPolicy policy = {DatumGetInt64(values[kReuse]) * kSecond, DatumGetInt64(values[kKeep]) * kSecond,
                                 DatumGetInt64(values[kBytes]), DatumGetBool(values[kShared])};
    rows = lappend(rows, new (palloc(sizeof(AnswerPolicy))) AnswerPolicy(policy));
  });
  return rows;
}

List* copied_row(const List* rows) {
  if (rows == NIL) return NIL;
  auto* const policy = new (palloc(sizeof(AnswerPolicy))) AnswerPolicy(*static_cast<AnswerPolicy*>(linitial(rows)));
  return lappend(NIL, policy);
}

}  // namespace

std::optional<AnswerPolicy> answer_policy(Oid relation) {
  const Tables* const own = tables();
  if (own == nullptr) return std::nullopt;
  List* const rows = known_rows({Known::answer_policy, own->answer_policy, relation}, copied_row,
                                [relation] { return read_row(relation); });
  return rows == NIL ? std::nullopt : std::optional(*static_cast<AnswerPolicy*>(linitial(rows)));
}

// Callers hold a lock on the protected table, so that no two store the same key at once.
void store_answer_policy(Oid relation, const std::optional<AnswerPolicy>& policy) {
  visit_row(relation, RowExclusiveLock, [](Relation table, HeapTuple row, const Datum*) {
    CatalogTupleDelete(table, &row->t_self);
    rows_changed(table);
  });
  if (policy) {
    Relation const table = table_open(own_tables().answer_policy, RowExclusiveLock);
    Datum values[] = {ObjectIdGetDatum(relation), Int64GetDatum(policy->reuse / kSecond),
                      Int64GetDatum(policy->keep / kSecond), Int64GetDatum(policy->bytes),
                      BoolGetDatum(policy->shared)};
    bool nulls[kColumns] = {};
    CatalogTupleInsert(table, heap_form_tuple(RelationGetDescr(table), values, nulls));
    rows_changed(table);
    table_close(table, NoLock);
  }
  CommandCounterIncrement();
}

}  // namespace dp::budget
