#include "guard/release/stored_rows.h"

#include <algorithm>

#include "aggregate/call/answer_datum.h"
#include "budget/release/numbers.h"
#include "budget/release/relax.h"
#include "guard/release/release_node.h"

namespace dp::guard {
namespace {

using budget::StoredAnswer;

template <class T>
T* array_of(int count) {
  return static_cast<T*>(palloc0(sizeof(T) * static_cast<Size>(count + 1)));
}

StoredColumns columns_of(const ReleaseNode& node) {
  const int most = node.shape->natts;
  const int answers = node.gate->size();
  StoredColumns columns{0, 0, array_of<AttrNumber>(most), array_of<budget::ColumnForm>(most)};
  const auto add = [&](int number) {
    const Form_pg_attribute column = TupleDescAttr(node.shape, number - 1);
    columns.numbers[columns.count] = static_cast<AttrNumber>(number);
    columns.forms[columns.count++] = {column->attlen, column->attbyval};
  };
  for (int number = 1; number <= most; ++number) {
    const bool answer = std::find(node.columns, node.columns + answers, number) != node.columns + answers;
    if (!answer && number != node.inner_query.count_column) add(number);
  }
  columns.keys = columns.count;
  for (int i = 0; i < answers; ++i) add(node.columns[i]);
  return columns;
}

// An aggregate of the node at another level than the stored one.
struct Level {
  const aggregate::Form* form;
  const Draw* draws;  // nullptr: as it is stored
  std::size_t coordinates;

  Datum answer(std::int64_t row) const {
    auto* const noisy = array_of<noise::Int128>(static_cast<int>(coordinates));
    for (std::size_t i = 0; i < coordinates; ++i)
      noisy[i] = draws[static_cast<std::size_t>(row) * coordinates + i].noisy;
    return aggregate::answer_of(*form, {noisy, coordinates});
  }
};

class Rows {
 public:
  Rows(const ReleaseNode& node, const StoredAnswer& answer, List* shown)
      : columns_(columns_of(node)),
        places_(answer.places),
        stored_count_(columns_.keys + answer.question.size),
        stored_forms_(array_of<budget::ColumnForm>(stored_count_)),
        levels_(array_of<Level>(node.question->size)),
        values_(array_of<Datum>(stored_count_)),
        nulls_(array_of<bool>(stored_count_)) {
    std::copy(columns_.forms, columns_.forms + columns_.keys, stored_forms_);
    for (int i = 0; i < node.question->size; ++i) {
      stored_forms_[columns_.keys + places_[i]] = columns_.forms[columns_.keys + i];
      ListCell* cell;
      foreach (cell, shown) {
        const auto& one = *static_cast<budget::ShownAggregate*>(lfirst(cell));
        if (one.aggregate == places_[i]) levels_[i] = level_of(one);
      }
    }
  }

  // The next row; `number`: which it is.
  void next(budget::AnswerReader* reader, std::int64_t number, TupleTableSlot* row) {
    ExecStoreAllNullTuple(row);
    reader->next(stored_forms_, stored_count_, values_, nulls_);
    for (int i = 0; i < columns_.count; ++i) {
      const int answer = i - columns_.keys;
      const int from = answer < 0 ? i : columns_.keys + places_[answer];
      const int to = columns_.numbers[i] - 1;
      const bool drawn = answer >= 0 && levels_[answer].draws != nullptr;
      row->tts_values[to] = drawn ? levels_[answer].answer(number) : values_[from];
      row->tts_isnull[to] = !drawn && nulls_[from];
    }
  }

 private:
  static Level level_of(const budget::ShownAggregate& one) {
    return {budget::form_of(one), budget::read_level(*one.part, one.aggregate, one.level_id),
            static_cast<std::size_t>(one.part->aggregates[one.aggregate].coordinates)};
  }

  StoredColumns columns_;
  const int* places_;
  int stored_count_;
  budget::ColumnForm* stored_forms_;  // those of aggregates that are not asked have no length and are passed over
  Level* levels_;
  Datum* values_;
  bool* nulls_;
};

}  // namespace

RowsToStore::RowsToStore(const ReleaseNode& node, std::int64_t answer)
    : columns_(columns_of(node)),
      writer_(answer, columns_.forms, columns_.count),
      values_(array_of<Datum>(columns_.count)),
      nulls_(array_of<bool>(columns_.count)) {}

void RowsToStore::put(const TupleTableSlot* row) {
  for (int i = 0; i < columns_.count; ++i) {
    values_[i] = row->tts_values[columns_.numbers[i] - 1];
    nulls_[i] = row->tts_isnull[columns_.numbers[i] - 1];
  }
  writer_.put(values_, nulls_);
}

void RowsToStore::finish(const StoredAnswer& answer, const budget::AnswerPolicy& policy) {
  const std::int64_t bytes = writer_.finish();
  StoredAnswer whole = answer;
  whole.rows = writer_.rows();
  budget::store_answer(whole, bytes, policy);
}

bool show_stored_rows(ReleaseNode* node, const StoredAnswer& answer, List* shown, RowsToStore* copy, bool filtered) {
  budget::AnswerReader reader(answer.id, answer.rows);
  if (!reader.complete()) return false;
  Rows rows(*node, answer, shown);
  MemoryContext const outer = MemoryContextSwitchTo(node->css.ss.ps.state->es_query_cxt);
  auto* const answers = new (palloc(sizeof(Answers))) Answers(node->shape, order_of(node, node->shape));
  TupleTableSlot* const row = MakeSingleTupleTableSlot(node->shape, &TTSOpsVirtual);
  MemoryContext const memory = AllocSetContextCreate(CurrentMemoryContext, "stored row", ALLOCSET_DEFAULT_SIZES);
  for (std::int64_t i = 0; i < answer.rows; ++i) {
    CHECK_FOR_INTERRUPTS();
    MemoryContext const before = MemoryContextSwitchTo(memory);
    rows.next(&reader, i, row);
    if (copy != nullptr) copy->put(row);
    const bool asked = !filtered || node->groups->lets_pass(row);
    MemoryContextSwitchTo(before);
    if (asked) answers->put(row, i);
    MemoryContextReset(memory);
  }
  MemoryContextDelete(memory);
  const auto missing = [] { elog(ERROR, "a stored answer lacks a group that is asked"); };
  if (filtered) node->groups->visit_missing(row, missing);
  ExecDropSingleTupleTableSlot(row);
  answers->finish();
  node->answers = answers;
  MemoryContextSwitchTo(outer);
  return true;
}

}  // namespace dp::guard
