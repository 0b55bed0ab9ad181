// What runs leaves no trace in the process's counters of pages and of what was written to the log.
//
// EXPLAIN (ANALYZE, BUFFERS, WAL) reads them before and after whatever it runs, also of a statement that knows nothing
// of what a function within it asks. They would tell how many pages private rows took, or how well stored noise is
// compressed.
#pragma once

#include "pg/server.h"

namespace dp::pg {

// While it lives, if `hidden`, what is counted is forgotten again. Errors of PostgreSQL must not jump over it.
class Uncounted {
 public:
  explicit Uncounted(bool hidden) : hidden_(hidden), pages_(pgBufferUsage), logged_(pgWalUsage) {}
  ~Uncounted() {
    if (!hidden_) return;
    pgBufferUsage = pages_;
    pgWalUsage = logged_;
  }
  Uncounted(const Uncounted&) = delete;
  Uncounted& operator=(const Uncounted&) = delete;

 private:
  bool hidden_;
  BufferUsage pages_;
  WalUsage logged_;
};

}  // namespace dp::pg
