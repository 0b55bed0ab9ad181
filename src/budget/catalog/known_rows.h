// What this session has read of the tables that curators write to, kept until somebody writes there: a question looks
// up the same few rows at each of its steps.
//
// Nothing is kept that could be missed to have changed. C++ that writes to such a table says rows_changed(). What
// statements write, be they a superuser's, a restore's or a subscription's, the table's trigger policy_written says,
// and where that does not always fire, nothing is kept. Before each look this session hears of what others have
// committed, as it would when it opened the table.
#pragma once

#include <cstdint>

#include "pg/server.h"

namespace dp::budget {

enum class Known : std::uint32_t {
  protected_table,
  account,
  accounts_of_table,
  answer_policy,
  public_domains,
  declared_ranges,
  parents,
  foreign_keys
};

// What is looked up: by which kind, in which table of the extension (InvalidOid: in PostgreSQL's own catalogs of
// parents and children, and of foreign keys, which change together with a table), under which numbers.
struct KnownKey {
  Known kind;
  Oid table;
  Oid relation;
  Oid role = InvalidOid;

  bool operator==(const KnownKey&) const = default;
};

using CopyRows = List* (*)(const List*);

// The rows, or nullptr where they are not known. Good until the next look at a table.
List* const* find_known(const KnownKey& key);

// How often this session has heard that a table was changed, ours or another one, since it asked for the first time.
std::uint64_t known_changes();

// What this session has heard of up to now.
struct CatalogVersion {
  std::uint64_t changes;  // of tables, and of functions, types, operators, collations, schemas, roles and memberships
  std::uint64_t unkept;   // how often something was looked up that may change without a word, or by a snapshot

  bool operator==(const CatalogVersion&) const = default;
};

// What is heard is counted here, from the first time that somebody asks.
struct Hearing {
  bool listens = false;
  CatalogVersion version{};
};
inline Hearing hearing;
void listen();

inline CatalogVersion catalog_version() {
  if (!hearing.listens) listen();
  return hearing.version;
}

// What is looked up now holds for the active snapshot alone.
void read_by_snapshot();

// Keeps copy(rows), unless a table was changed since that count.
void keep_known(const KnownKey& key, std::uint64_t changes, const List* rows, CopyRows copy);

// In the current memory: what is known, or what read() returns, which is known from now on.
template <class Read>
List* known_rows(const KnownKey& key, CopyRows copy, Read read) {
  if (List* const* const found = find_known(key)) return copy(*found);
  const std::uint64_t changes = known_changes();
  List* const rows = read();
  keep_known(key, changes, rows, copy);
  return rows;
}

// A row of the table was written: this session knows it from its next command on, others once the transaction commits.
inline void rows_changed(Relation table) { CacheInvalidateRelcache(table); }

}  // namespace dp::budget
