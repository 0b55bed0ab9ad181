#include "budget/curate/continuing.h"

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/frozen_rows.h"
#include "budget/catalog/joined_tables.h"
#include "budget/catalog/public_domain_rows.h"
#include "budget/catalog/range_rows.h"
#include "budget/ledger/begun_books.h"
#include "budget/policy/accounts.h"
#include "budget/policy/curator.h"
#include "budget/policy/grant_checks.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

constexpr const char* kExample = "dp.protect('visits', 10, continues => 'visits_old')";

[[noreturn]] void refuse_kin(Oid relation, Oid old) {
  ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                  errmsg("table %s cannot continue table %s: one is the other, or a part of it",
                         relation_name(relation), relation_name(old)),
                  errhint("Give the table that it replaces, for example %s.", kExample)));
  pg_unreachable();
}

// What is stored of a table under another number.
constexpr const char* kMoves[] = {
    "INSERT INTO dp.public_domain SELECT $2, expression, type, domain_values FROM dp.public_domain WHERE relation = $1 "
    "ON CONFLICT DO NOTHING",
    "INSERT INTO dp.declared_range SELECT $2, column_name, type, lower, upper FROM dp.declared_range WHERE relation = "
    "$1 "
    "ON CONFLICT DO NOTHING"};

void move_rows(Oid relation, Oid old) {
  Datum values[] = {ObjectIdGetDatum(old), ObjectIdGetDatum(relation)};
  Oid types[] = {REGCLASSOID, REGCLASSOID};
  as_owner_of_tables([&] {
    for (const char* const move : kMoves) {
      if (SPI_execute_with_args(move, 2, types, values, nullptr, false, 0) < 0) elog(ERROR, "could not run %s", move);
    }
  });
}

// Not by a statement: one that is published, as all tables may be, could not update a table without a key.
void move_releases(Oid relation, Oid old) {
  constexpr int kRelation = 5, kPartners = 12;  // the columns of dp.release_part
  Relation const parts = table_open(own_tables().release_part, RowExclusiveLock);
  for (NumberedRows row(own_tables().release_part); row.next();) {
    CHECK_FOR_INTERRUPTS();
    List* const before = joined_tables(row, kRelation, kPartners);
    if (!list_member_oid(before, old)) continue;
    List* tables = NIL;  // two of them may become one
    ListCell* cell;
    foreach (cell, before)
      tables = list_append_unique_oid(tables, lfirst_oid(cell) == old ? relation : lfirst_oid(cell));
    const NumberedRows::Change changes[] = {{kRelation, ObjectIdGetDatum(linitial_oid(tables))},
                                            {kPartners, partners_datum(list_copy_tail(tables, 1))}};
    row.replace({changes, row.is_null(kPartners) ? std::size_t{1} : std::size_t{2}});
  }
  table_close(parts, NoLock);
}

// Who has a budget on the new table already keeps that.
void move_accounts(Oid relation, Oid old) {
  ListCell* cell;
  foreach (cell, accounts_on(old)) {
    Policy account = *static_cast<const Policy*>(lfirst(cell));
    if (!role_exists(account.role) || account_policy(relation, account.role)) continue;
    require_fence(relation, account.role, account.allow_leaks);
    account.relation = relation;
    store(account);
  }
}

}  // namespace

std::optional<Policy> begin_continuing(Oid relation, Oid old) {
  begin_curating(old, "dp.protect()");
  // A question about a part of it is charged to it, too. Whoever is answering holds a lock until its transaction ends.
  LockRelationOid(old, AccessExclusiveLock);
  List* const parts = find_all_inheritors(old, AccessExclusiveLock, nullptr);
  if (list_member_oid(parts, relation) || list_member_oid(find_all_inheritors(relation, NoLock, nullptr), old))
    refuse_kin(relation, old);
  return protected_policy(old);
}

void take_over(Oid relation, Oid old) {
  const bool was_protected = protected_policy(old).has_value();
  move_accounts(relation, old);
  move_rows(relation, old);
  move_releases(relation, old);
  remove_accounts(old);
  remove_public_domains(old);
  remove_declared_ranges(old);
  remove_protected(old);
  invalidate_plans(old);
  // Last, because it stays, whatever becomes of the transaction.
  if (!take_over_spent(old, relation) && !was_protected) {
    ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                    errmsg("table %s has no budget, and nothing was spent on it: there is nothing to continue",
                           relation_name(old)),
                    errhint("Leave it out: SELECT dp.protect(%s, 10);", quote_literal_cstr(relation_name(relation)))));
  }
}

}  // namespace dp::budget
