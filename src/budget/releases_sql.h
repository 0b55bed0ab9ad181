// Releases as they are stored: parts (query levels), their aggregates, keys, levels and who holds which.
//
// Rows are inserted frozen, like the ledger's: they survive a ROLLBACK of the transaction that wrote them and are seen by every
// session at once. Reading takes no privilege of the asking role; those who call these functions have checked it.
#pragma once

#include "aggregate/form.h"
#include "budget/draw.h"
#include "noise/integers.h"

#include "pg/server.h"

namespace dp::budget {

struct ReleasedAggregate {
  const char* name;
  const char* mechanism;
  std::int64_t epsilon;         // nano-epsilon of the first answer
  noise::Uint128 sensitivity;   // joint l1, in refined steps; 0: not relaxable, nothing is kept of its answers
  int coordinates;              // integers of one answer
  aggregate::Form form;

  bool relaxable() const { return sensitivity != 0; }
};

struct ReleasePart {
  std::int64_t release;
  int number;
  TimestampTz made_at;
  Oid role;
  Oid relation;
  int sets;
  std::int64_t groups;
  const char* query;
  int size;  // of aggregates
  ReleasedAggregate* aggregates;
};

// Writes one part: groups first, in their order, then finish(). In the current memory context.
class PartWriter {
 public:
  explicit PartWriter(const ReleasePart& part);

  // The next group's key; then, for each aggregate that is relaxable, its draws.
  StringInfo key();
  void add(int aggregate, const Draw* draws);

  // After the last group. Without it the part does not exist.
  void finish();

 private:
  void flush();

  ReleasePart part_;
  std::int64_t first_group_ = 0;
  StringInfoData keys_;
  StringInfo noisy_;  // one for each aggregate
  StringInfo noise_;
};

// The parts of a release, in order: ReleasePart*; NIL where there is no such release.
List* read_parts(std::int64_t release);

// The numbers of all releases that there are, ascending: std::int64_t*.
List* read_release_numbers();

// The keys of a part's groups, in order, as jsonb.
Datum* read_keys(const ReleasePart& part);

// One level of an aggregate: all draws, group by group.
Draw* read_level(const ReleasePart& part, int aggregate, std::int64_t level_id);
void write_level(const ReleasePart& part, int aggregate, std::int64_t level_id, const Draw* draws);

// A role was shown a level.
struct Holding {
  int part;
  int aggregate;
  Oid role;
  std::int64_t epsilon;  // nano
  std::int64_t level_id;
};

// All holdings of a release; the first answers' are not among them.
List* read_holdings(std::int64_t release);
void write_holding(std::int64_t release, const Holding& holding);

}  // namespace dp::budget
