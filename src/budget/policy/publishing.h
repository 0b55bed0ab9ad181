// What is being published now in this session: one period of one publication (budget/publish).
//
// While that is so, private questions are asked for the period. Each is charged once, and what it drew is stored on
// disk before a row of it goes anywhere: whoever asks it for the same period again, after an error, a ROLLBACK or a
// crash, is shown that and pays nothing.
#pragma once

#include <cstdint>

#include "pg/server.h"

namespace dp::budget {

struct Publishing {
  std::int64_t id;                  // of the publication
  TimestampTz start;                // of the period
  TimestampTz end;                  // which is in it no more
  std::int64_t number;              // of the period, from 0 on
  bool running;                     // counts and sums are totals of all periods so far
  TimestampTz last;                 // when the period before it was published: its charges are younger
  const char* statement = nullptr;  // that fills the table
  Oid relation = InvalidOid;        // of totals: the protected table of which each row lies in one period
  const char* asked = "";           // and what each number has in common with those of other periods
  std::int64_t paid = 0;  // the first entry of the ledger that paid for the question being answered; 0: none did
};

// While it lives, that is. Nothing may be before.
class WhilePublishing {
 public:
  explicit WhilePublishing(Publishing* what);
  ~WhilePublishing();
  WhilePublishing(const WhilePublishing&) = delete;
  WhilePublishing& operator=(const WhilePublishing&) = delete;

 private:
  static inline Publishing* current_ = nullptr;

  friend Publishing* publishing();
};

// nullptr: nothing is.
inline Publishing* publishing() { return WhilePublishing::current_; }

// "publication 7, 2026-01-05 00:00:00+00: ", by universal time, which its entries in the ledger begin with.
const char* mark_of(const Publishing& what);

}  // namespace dp::budget
