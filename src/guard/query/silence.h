// What else a role without SELECT may not see of a private query: messages, measures, locks.
#pragma once

#include "pg/planner.h"
#include "pg/uncounted.h"

namespace dp::guard {

// Raises DP002 where the execution would show a role without SELECT more than answers: measures that it asked for
// itself (EXPLAIN ANALYZE, BUFFERS), or which rows it read (SERIALIZABLE). What a hook of another library wants
// measured is not refused: of the inner query nothing is. From here to the end of the session what is logged is kept
// from the client.
void begin_watched(const EState* estate, int flags);

// While an EXPLAIN runs that measures, if `measures`: otherwise it is a hook that has set the instruments of a
// statement, as auto_explain does with log_analyze.
class ExplainsMeasures {
 public:
  explicit ExplainsMeasures(bool measures);
  ~ExplainsMeasures();
  ExplainsMeasures(const ExplainsMeasures&) = delete;
  ExplainsMeasures& operator=(const ExplainsMeasures&) = delete;

 private:
  bool outer_;
};

// While an inner query of a role without SELECT is planned or runs, no message below ERROR goes to the client: it would
// tell of plans and rows. Nor is counted what it reads.
class Silence {
 public:
  explicit Silence(bool silent) : messages_(client_min_messages), uncounted_(silent) {
    if (silent) client_min_messages = ERROR;
  }
  ~Silence() { client_min_messages = messages_; }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  int messages_;
  pg::Uncounted uncounted_;
};

// An error ends the silence. What PostgreSQL logs after it of a statement of a role without SELECT (sizes of temporary
// files) is kept from the client, and so is what it logs of later statements. Called once, from
// shared_preload_libraries.
void install_silence();

}  // namespace dp::guard
