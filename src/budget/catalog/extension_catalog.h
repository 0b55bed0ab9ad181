// The extension's own tables and roles, found without a search path.
#pragma once

#include <array>
#include <initializer_list>

#include "pg/server.h"

namespace dp::budget {

struct Tables {
  Oid protected_table;
  Oid account;
  Oid public_domain;
  Oid declared_range;
  Oid public_copy;
  Oid colocated;
  Oid answer_policy;
  Oid stored_answer;
  Oid stored_answer_rows;
  Oid stored_answer_shown;
  Oid stored_answer_keys;
  Oid stored_answer_aggregate;
  Oid stored_answer_place;
  Oid ledger_entry;
  Oid ledger_total;
  Oid ledger_place;
  Oid dropped_object;
  Oid continued;
  Oid ledger_compaction;
  Oid measured_server;
  Oid release_part;
  Oid release_aggregate;
  Oid release_keys;
  Oid release_level;
  Oid release_path;
  Oid release_holding;
  Oid release_forgotten;

  // Those in whose first column the number of a release stands, as long as there is the release.
  std::array<Oid, 6> of_releases() const {
    return {release_part, release_aggregate, release_keys, release_level, release_path, release_holding};
  }
};

// The tables of this database's pg_dp, in schema dp; nullptr where the extension is not created here. A schema or table
// of that name that is not the extension's does not count.
const Tables* tables();

// The same, where they must be there: otherwise an error.
const Tables& own_tables();

// Runs statements by SPI as the owner of these tables, and of the extension. An error leaves that to the abort of the
// transaction.
template <class Run>
void as_owner_of_tables(Run run) {
  Relation const own = table_open(own_tables().protected_table, AccessShareLock);
  const Oid owner = own->rd_rel->relowner;
  table_close(own, AccessShareLock);
  Oid user;
  int context;
  GetUserIdAndSecContext(&user, &context);
  SetUserIdAndSecContext(owner, context | SECURITY_LOCAL_USERID_CHANGE);
  SPI_connect();
  run();
  SPI_finish();
  SetUserIdAndSecContext(user, context);
}

// Whether the extension is not created in this database, for sure and at next to no cost: there is no schema dp.
bool is_absent();

// Whether the extension is created here, be its tables those of this library or not.
bool is_created();

// The version of the extension in this database; palloc'd.
const char* extension_version();

// Whether the object belongs to the extension.
bool is_of_extension(Oid catalog, Oid object);

// Raises 55000: what the extension has in this database was made for another version of the library.
[[noreturn]] void refuse_other_version();

// Whether that is dp.ledger_entry; also while the extension is being dropped and some of its tables are gone.
bool is_ledger(Oid relation);

// Whether it is one of these tables.
bool is_own_table(Oid relation);

// Whether the relation lies in schema dp: those tables are not to be protected.
bool in_own_schema(Oid relation);

// The function or aggregate of that name in schema dp_internal, with arguments of these types. 42883 where there is
// none.
Oid internal_function(const char* name, std::initializer_list<Oid> types);

// The role dp_curator; InvalidOid where somebody dropped it.
Oid curator_role();

// Whether there is such a relation, such a role: the extension's tables may name ones that were dropped.
bool relation_exists(Oid relation);
bool role_exists(Oid role);

// The name of a relation in messages (schema-qualified where the search path does not find it; a bare number once it is
// dropped) and a role; both palloc'd.
const char* relation_name(Oid relation);
const char* role_name(Oid role);

}  // namespace dp::budget
