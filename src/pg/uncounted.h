// Hides what a private query does from the process's counters of pages and of write-ahead log.
//
// EXPLAIN (ANALYZE, BUFFERS, WAL) reads these counters before and after a statement, and so counts private queries that
// a function in the statement asks. They would tell how many pages private rows took, or how well stored noise is
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
