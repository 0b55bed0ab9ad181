#include "budget/policy_rows_sql.h"

#include <span>

#include "budget/catalog_sql.h"

namespace dp::budget {
namespace {

// Both tables: the columns of the primary key (relation; relation and role), then the three of a limit.
constexpr int kMostColumns = 5;

struct Table {
  Oid oid;
  int keys;
};

Table protected_tables(const Tables& own) { return {own.protected_table, 1}; }
Table accounts(const Tables& own) { return {own.account, 2}; }

Policy policy_of(const Table& table, Relation relation, HeapTuple row) {
  Datum values[kMostColumns];
  bool nulls[kMostColumns];
  if (RelationGetDescr(relation)->natts != table.keys + 3) elog(ERROR, "table dp.%s has other columns", RelationGetRelationName(relation));
  heap_deform_tuple(row, RelationGetDescr(relation), values, nulls);
  const Datum* const limit = values + table.keys;
  return {DatumGetObjectId(values[0]), table.keys == 2 ? DatumGetObjectId(values[1]) : InvalidOid,
          {{DatumGetInt64(limit[0]), DatumGetInt64(limit[1])}, nulls[table.keys + 2] ? 0 : DatumGetInt64(limit[2])}};
}

// Calls visit(relation, tuple) on the rows whose key begins with these numbers, until it returns false.
template <class Visit>
void visit_rows(const Table& table, std::span<const Oid> key, LOCKMODE lock, Visit visit) {
  ScanKeyData scan_key[2];
  for (std::size_t i = 0; i < key.size(); ++i) {
    ScanKeyInit(&scan_key[i], static_cast<AttrNumber>(i + 1), BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(key[i]));
  }
  Relation const relation = table_open(table.oid, lock);
  const Oid index = RelationGetPrimaryKeyIndex(relation);
  SysScanDesc const scan =
      systable_beginscan(relation, index, OidIsValid(index) && !key.empty(), nullptr, static_cast<int>(key.size()), scan_key);
  for (HeapTuple row = systable_getnext(scan); HeapTupleIsValid(row) && visit(relation, row);) row = systable_getnext(scan);
  systable_endscan(scan);
  table_close(relation, lock == AccessShareLock ? lock : NoLock);  // what was written stays locked until the end of the transaction
}

std::optional<Limit> find(const Table& table, std::span<const Oid> key) {
  std::optional<Limit> limit;
  visit_rows(table, key, AccessShareLock, [&](Relation relation, HeapTuple row) {
    limit = policy_of(table, relation, row).limit;
    return false;
  });
  return limit;
}

List* list(const Table& table, std::span<const Oid> key) {
  List* rows = NIL;
  visit_rows(table, key, AccessShareLock, [&](Relation relation, HeapTuple row) {
    rows = lappend(rows, new (palloc(sizeof(Policy))) Policy(policy_of(table, relation, row)));
    return true;
  });
  return rows;
}

// Callers hold a lock on the protected table, so that no two store the same key at once.
void store(const Table& table, std::span<const Oid> key, const Limit& limit) {
  Datum values[kMostColumns];
  bool nulls[kMostColumns] = {};
  for (std::size_t i = 0; i < key.size(); ++i) values[i] = ObjectIdGetDatum(key[i]);
  values[table.keys] = Int64GetDatum(limit.total.epsilon);
  values[table.keys + 1] = Int64GetDatum(limit.total.delta);
  values[table.keys + 2] = Int64GetDatum(limit.query_epsilon);
  nulls[table.keys + 2] = limit.query_epsilon == 0;

  bool stored = false;
  visit_rows(table, key, RowExclusiveLock, [&](Relation relation, HeapTuple row) {
    HeapTuple const changed = heap_form_tuple(RelationGetDescr(relation), values, nulls);
    CatalogTupleUpdate(relation, &row->t_self, changed);
    stored = true;
    return false;
  });
  if (!stored) {
    Relation const relation = table_open(table.oid, RowExclusiveLock);
    CatalogTupleInsert(relation, heap_form_tuple(RelationGetDescr(relation), values, nulls));
    table_close(relation, NoLock);
  }
  CommandCounterIncrement();
}

bool remove(const Table& table, std::span<const Oid> key) {
  bool removed = false;
  visit_rows(table, key, RowExclusiveLock, [&](Relation relation, HeapTuple row) {
    CatalogTupleDelete(relation, &row->t_self);
    return removed = true;
  });
  CommandCounterIncrement();
  return removed;
}

}  // namespace

std::optional<Limit> protected_limit(Oid relation) {
  const Tables* const own = tables();
  return own != nullptr ? find(protected_tables(*own), {&relation, 1}) : std::nullopt;
}

std::optional<Limit> account_limit(Oid relation, Oid account) {
  const Tables* const own = tables();
  const Oid key[] = {relation, account};
  return own != nullptr ? find(accounts(*own), key) : std::nullopt;
}

void store_protected(Oid relation, const Limit& limit) { store(protected_tables(own_tables()), {&relation, 1}, limit); }

bool remove_protected(Oid relation) { return remove(protected_tables(own_tables()), {&relation, 1}); }

void store_account(Oid relation, Oid role, const Limit& limit) {
  const Oid key[] = {relation, role};
  store(accounts(own_tables()), key, limit);
}

bool remove_account(Oid relation, Oid role) {
  const Oid key[] = {relation, role};
  return remove(accounts(own_tables()), key);
}

void remove_accounts(Oid relation) { remove(accounts(own_tables()), {&relation, 1}); }

List* all_protected() { return list(protected_tables(own_tables()), {}); }

List* accounts_on(Oid relation) { return list(accounts(own_tables()), {&relation, 1}); }

}  // namespace dp::budget
