// The rows of a release node on their way into a stored answer and back.
#pragma once

#include "budget/answers/answer_rows.h"
#include "budget/answers/stored_answers.h"
#include "core/noise/integers.h"
#include "pg/planner.h"

namespace dp::guard {

class NeededAggregates;
struct ReleaseNode;

// The columns of a node's rows that are stored, in their order: the keys and what tells grouping sets apart, then the
// answers: of those with noise the noisy integers. The number of rows of a group is not among them, nor are errors.
struct StoredColumns {
  int count;
  int keys;
  AttrNumber* numbers;
  budget::ColumnForm* forms;
  int* coordinates;  // of an answer with noise, how many integers it has; else 0
};

// The noisy integers of one answer, of which there are so many, out of the form in which they are stored: a bytea.
// Palloc'd; XX001 where it is no such thing.
const noise::Int128* read_noisy(Datum stored, int count);

class RowsToStore {
 public:
  // Of an answer with that number: all aggregates of the node; or those that it needs of a stored answer. In the
  // current memory context.
  RowsToStore(const ReleaseNode& node, std::int64_t answer);
  RowsToStore(const ReleaseNode& node, std::int64_t answer, const NeededAggregates& needed);

  // `noisy`: the integers of its answers, one after the other.
  void put(const TupleTableSlot* row, noise::Int128View noisy);

  // Says that the answer is there, once all rows are. `keys`: those that it can be rolled up by, or none.
  void finish(const budget::StoredAnswer& answer, const budget::QuestionKeys& keys);

 private:
  RowsToStore(const StoredColumns& columns, std::int64_t answer);

  StoredColumns columns_;
  budget::AnswerWriter writer_;
  Datum* values_;
  bool* nulls_;
};

// Fills in the node's answers from a stored answer, all of whose rows are in the reader; levels that were reached
// since then (`shown`, a list of budget::ShownAggregate*) stand in the place of what is stored. `copy`: gets the same
// rows, in the order in which they are stored; or nullptr. `filtered`: the node's groups alone are shown.
void show_stored_rows(ReleaseNode* node, const budget::StoredAnswer& answer, budget::AnswerReader* reader, List* shown,
                      RowsToStore* copy, bool filtered);

}  // namespace dp::guard
