// Publications: tables that are filled by a private query, period by period, for whoever may read them.
//
// The query runs as the owner of the publication, with that role's budget, in a security-restricted operation as the
// query of a materialised view does; its answers are charged once for each period (drawn.h). Rows, and that the next
// period's turn has come, are one transaction.
#pragma once

#include <cstdint>

#include "budget/catalog/policy_rows.h"

namespace dp::budget {

struct Publication {
  std::int64_t id;
  Oid relation;  // the table that is filled
  Oid owner;
  const char* query;
  Period every;
  Interval delay;  // for so long after its end a period is not published
  bool running;
  List* settings;     // String: names and values
  TimestampTz start;  // of the period that comes next
  TimestampTz end;
  std::int64_t periods;  // that were published
  TimestampTz last;      // when the last of them was
};

// That publication as it is now, locked until the transaction ends; nullptr where there is none. Palloc'd. By its
// number, or by its table.
Publication* lock_publication(std::int64_t id, Oid relation);

// Publishes the period that comes next, where it is due by the server's clock. Raises what the query raises. False:
// none is due.
bool publish_next(const Publication& publication);

// What was drawn of publications that are no longer there, as the transaction was rolled back that had made them, goes
// with it. Nothing, for now, while others are being made.
void forget_rolled_back();

// Removes it; the table stays.
void remove_publication(const Publication& publication);

// The settings under which a query is written that hold when it runs.
List* settings_now();

}  // namespace dp::budget
