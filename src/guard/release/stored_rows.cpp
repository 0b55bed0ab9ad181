#include "guard/release/stored_rows.h"

#include <algorithm>

#include "aggregate/call/answer_datum.h"
#include "aggregate/call/vector_datum.h"
#include "budget/release/numbers.h"
#include "budget/release/relax.h"
#include "guard/release/error_columns.h"
#include "guard/release/release_node.h"

namespace dp::guard {
namespace {

using budget::StoredAnswer;

template <class T>
T* array_of(int count) {
  return static_cast<T*>(palloc0(sizeof(T) * static_cast<Size>(count + 1)));
}

bool is_error(const ReleaseNode& node, int number) {
  ListCell* cell;
  foreach (cell, node.inner_query.errors) {
    if (intVal(linitial(static_cast<List*>(lfirst(cell)))) == number) return true;
  }
  return false;
}

StoredColumns columns_of(const ReleaseNode& node) {
  const int most = node.shape->natts;
  const int answers = node.gate->size();
  StoredColumns columns{0, 0, array_of<AttrNumber>(most), array_of<budget::ColumnForm>(most), array_of<int>(most)};
  const auto add = [&](int number, int coordinates) {
    const Form_pg_attribute column = TupleDescAttr(node.shape, number - 1);
    columns.numbers[columns.count] = static_cast<AttrNumber>(number);
    columns.coordinates[columns.count] = coordinates;
    columns.forms[columns.count++] =
        coordinates > 0 ? budget::ColumnForm{-1, false} : budget::ColumnForm{column->attlen, column->attbyval};
  };
  for (int number = 1; number <= most; ++number) {
    const bool answer = std::find(node.columns, node.columns + answers, number) != node.columns + answers;
    if (!answer && number != node.inner_query.count_column && !is_error(node, number)) add(number, 0);
  }
  columns.keys = columns.count;
  for (int i = 0; i < answers; ++i) add(node.columns[i], node.gate->call(i).coordinates);
  return columns;
}

// The noisy integers of one answer, as they are stored.
Datum written(const noise::Int128* noisy, int count) {
  const Size size = VARHDRSZ + static_cast<Size>(count) * sizeof(noise::Int128);
  auto* const bytes = static_cast<bytea*>(palloc(size));
  SET_VARSIZE(bytes, size);
  memcpy(VARDATA(bytes), noisy, size - VARHDRSZ);
  return PointerGetDatum(bytes);
}

// How an aggregate of the node was answered before.
struct Answered {
  const Draw* draws;  // of a level in the place of what is stored; nullptr: as it is stored
  int first;          // of its noisy integers, after those of the aggregates before it
  const aggregate::VectorErrors* errors;
};

class Rows {
 public:
  Rows(const ReleaseNode& node, const StoredAnswer& answer, List* shown)
      : columns_(columns_of(node)),
        places_(answer.places),
        stored_count_(columns_.keys + answer.question.size),
        stored_forms_(array_of<budget::ColumnForm>(stored_count_)),
        before_(array_of<Answered>(node.question->size)),
        as_(array_of<AnsweredAs>(node.question->size)),
        values_(array_of<Datum>(stored_count_)),
        nulls_(array_of<bool>(stored_count_)) {
    std::copy(columns_.forms, columns_.forms + columns_.keys, stored_forms_);
    int numbers = 0;
    for (int i = 0; i < node.question->size; ++i) {
      stored_forms_[columns_.keys + places_[i]] = columns_.forms[columns_.keys + i];
      const budget::ShownAggregate* const level = level_of(shown, places_[i]);
      before_[i] = {level == nullptr ? nullptr : budget::read_level(*level->part, level->aggregate, level->level_id),
                    numbers, nullptr};
      const int coordinates = columns_.coordinates[columns_.keys + i];
      if (coordinates > 0) {
        as_[i] = answered_before(node, i, answer, level);
        before_[i].errors = aggregate::errors_of_vector(as_[i].form, as_[i].law);
      }
      numbers += coordinates;
    }
    noisy_ = {array_of<noise::Int128>(numbers), static_cast<std::size_t>(numbers)};
    errors_ = new (palloc(sizeof(ErrorColumns))) ErrorColumns(node, as_);
  }

  // The next row; `number`: which it is.
  void next(budget::AnswerReader* reader, std::int64_t number, TupleTableSlot* row) {
    ExecStoreAllNullTuple(row);
    reader->next(stored_forms_, stored_count_, values_, nulls_);
    for (int i = 0; i < columns_.count; ++i) {
      const int answer = i - columns_.keys;
      const int from = answer < 0 ? i : columns_.keys + places_[answer];
      const int to = columns_.numbers[i] - 1;
      const bool noisy = columns_.coordinates[i] > 0;
      row->tts_values[to] = noisy ? answer_to(answer, values_[from], number) : values_[from];
      row->tts_isnull[to] = !noisy && nulls_[from];
    }
    errors_->fill(row, noisy_.values);
  }

  // Of the row that was read last.
  noise::Int128View noisy() const { return noisy_; }

 private:
  static const budget::ShownAggregate* level_of(List* shown, int place) {
    ListCell* cell;
    foreach (cell, shown) {
      const auto* const one = static_cast<budget::ShownAggregate*>(lfirst(cell));
      if (one->aggregate == place) return one;
    }
    return nullptr;
  }

  // The answer that the aggregate's noisy integers give, in that row; `stored`: the bytes of those that are stored.
  Datum answer_to(int answer, Datum stored, std::int64_t row) {
    const auto coordinates = static_cast<std::size_t>(columns_.coordinates[columns_.keys + answer]);
    noise::Int128* const noisy = noisy_.values + before_[answer].first;
    if (const Draw* const draws = before_[answer].draws; draws != nullptr) {
      for (std::size_t i = 0; i < coordinates; ++i)
        noisy[i] = draws[static_cast<std::size_t>(row) * coordinates + i].noisy;
    } else {
      std::copy_n(read_noisy(stored, static_cast<int>(coordinates)), coordinates, noisy);
    }
    return aggregate::answer_of(as_[answer].form, {noisy, coordinates}, before_[answer].errors);
  }

  struct Noisy {
    noise::Int128* values;
    std::size_t size;
    operator noise::Int128View() const { return {values, size}; }
  };

  StoredColumns columns_;
  const int* places_;
  int stored_count_;
  budget::ColumnForm* stored_forms_;  // those of aggregates that are not asked have no length and are passed over
  Answered* before_;
  AnsweredAs* as_;
  Noisy noisy_;
  ErrorColumns* errors_;
  Datum* values_;
  bool* nulls_;
};

}  // namespace

const noise::Int128* read_noisy(Datum stored, int count) {
  const auto* const bytes = reinterpret_cast<const bytea*>(DatumGetPointer(stored));
  if (bytes == nullptr || VARSIZE_ANY_EXHDR(bytes) != static_cast<Size>(count) * sizeof(noise::Int128))
    budget::refuse_damaged_answer();
  auto* const noisy = array_of<noise::Int128>(count);
  memcpy(static_cast<void*>(noisy), VARDATA_ANY(bytes), static_cast<Size>(count) * sizeof(noise::Int128));
  return noisy;
}

RowsToStore::RowsToStore(const ReleaseNode& node, std::int64_t answer)
    : columns_(columns_of(node)),
      writer_(answer, columns_.forms, columns_.count),
      values_(array_of<Datum>(columns_.count)),
      nulls_(array_of<bool>(columns_.count)) {}

void RowsToStore::put(const TupleTableSlot* row, noise::Int128View noisy) {
  const noise::Int128* next = noisy.values;
  for (int i = 0; i < columns_.count; ++i) {
    const int coordinates = columns_.coordinates[i];
    values_[i] = coordinates > 0 ? written(next, coordinates) : row->tts_values[columns_.numbers[i] - 1];
    nulls_[i] = coordinates == 0 && row->tts_isnull[columns_.numbers[i] - 1];
    next += coordinates;
  }
  writer_.put(values_, nulls_);
  for (int i = 0; i < columns_.count; ++i) {
    if (columns_.coordinates[i] > 0) pfree(DatumGetPointer(values_[i]));
  }
}

void RowsToStore::finish(const StoredAnswer& answer, const budget::QuestionKeys& keys) {
  const std::int64_t bytes = writer_.finish();
  StoredAnswer whole = answer;
  whole.rows = writer_.rows();
  budget::store_answer(whole, keys, bytes);
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
    if (copy != nullptr) copy->put(row, rows.noisy());
    const bool asked = !filtered || node->groups->lets_pass(row);
    MemoryContextSwitchTo(before);
    if (asked) answers->put(row, i, {nullptr, 0});
    MemoryContextReset(memory);
  }
  MemoryContextDelete(memory);
  const auto missing = [](std::int64_t) { elog(ERROR, "a stored answer lacks a group that is asked"); };
  if (filtered) node->groups->visit_missing(row, missing);
  ExecDropSingleTupleTableSlot(row);
  answers->finish();
  node->answers = answers;
  MemoryContextSwitchTo(outer);
  return true;
}

}  // namespace dp::guard
