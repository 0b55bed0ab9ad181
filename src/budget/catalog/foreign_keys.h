// Foreign keys of a table, as they are at this moment.
#pragma once

#include "pg/server.h"

namespace dp::budget {

struct ForeignKey {
  Oid constraint;
  NameData name;
  Oid referred_table;
  Oid index;  // the unique index that it refers to
  bool validated;
  TransactionId made;  // by whom; younger than the active snapshot, it need not hold for the rows that this one sees
  int columns;
  AttrNumber own[INDEX_MAX_KEYS], referred[INDEX_MAX_KEYS];
  Oid operators[INDEX_MAX_KEYS];  // referred = own
};

// Palloc'd list of ForeignKey*, in the order of their names. Without those that PostgreSQL makes for each partition of
// a referred table: they are parts of one that is listed.
List* foreign_keys_of(Oid table);

}  // namespace dp::budget
