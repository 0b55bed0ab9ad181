// The numbers of a release as they are stored: the keys of its groups, and for each aggregate and level the noisy
// integers with their noise, group by group in chunks.
#pragma once

#include "budget/release/group_key.h"
#include "budget/release/parts.h"
#include "core/accounting/draw.h"

namespace dp::budget {

// Writes the groups of one part, in their order. In the current memory context.
class GroupWriter {
 public:
  // Of a part that is not written yet; its number of groups is counted here.
  GroupWriter(ReleasePart* part, const GroupKeyWriter& keys);

  // The next group: a row with its key, and the draws of all aggregates, of which those are kept that are relaxable.
  void add(TupleTableSlot* row, const Draw* draws);

  // Leaves all of a small part in part->small.
  void finish();

 private:
  void begin_group();
  void write_chunk();

  ReleasePart* part_;
  const GroupKeyWriter& key_writer_;
  std::int64_t first_group_ = 0;
  StringInfoData keys_;
  StringInfo noisy_;  // one for each aggregate
  StringInfo noise_;
};

// The keys of a part's groups, one after the other.
class KeyReader {
 public:
  explicit KeyReader(const ReleasePart& part);

  // The next group's key, as jsonb; no more often than there are groups. Good until the next call.
  Datum next();

 private:
  struct Chunk {
    std::int64_t first_group;
    text* json;  // an array
  };
  static int by_first_group(const ListCell* a, const ListCell* b);
  void next_chunk();

  const ReleasePart& part_;
  List* chunks_ = NIL;      // those to come
  std::int64_t group_ = 0;  // the next one
  MemoryContext memory_;    // of the current chunk
  JsonbIterator* iterator_ = nullptr;
};

// One level of an aggregate: all draws, group by group.
Draw* read_level(const ReleasePart& part, int aggregate, std::int64_t level_id);
void write_level(const ReleasePart& part, int aggregate, std::int64_t level_id, const Draw* draws);

}  // namespace dp::budget
