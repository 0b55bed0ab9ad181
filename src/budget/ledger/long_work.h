// Work that may take long, where a DBA looks for it: in the view dp.progress while it goes on, and where it took a
// second or more, by a line in the server's log.
#pragma once

#include <cstdint>

#include "budget/ledger/shared_database.h"

namespace dp::budget {

// Ends with end(). An error ends it with its transaction.
class LongWork {
 public:
  explicit LongWork(Work work);

  // One row more.
  void step() {
    CHECK_FOR_INTERRUPTS();
    ++shown_->done;
  }

  // Returns how many milliseconds it took.
  std::int64_t end();

 private:
  Work work_;
  Progress own_;     // where nothing is shared
  Progress* shown_;  // or this one, for everybody to see
};

}  // namespace dp::budget
