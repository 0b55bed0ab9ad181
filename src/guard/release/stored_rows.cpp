#include "guard/release/stored_rows.h"

#include <algorithm>

#include "aggregate/call/answer_datum.h"
#include "aggregate/call/vector_datum.h"
#include "budget/release/numbers.h"
#include "budget/release/relax.h"
#include "guard/release/error_columns.h"
#include "guard/release/needed_aggregates.h"
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

class ColumnsToStore {
 public:
  explicit ColumnsToStore(const ReleaseNode& node) : node_(node) {
    const int most = node.shape->natts;
    const int answers = node.gate->size();
    columns_ = {0, 0, array_of<AttrNumber>(most), array_of<budget::ColumnForm>(most), array_of<int>(most)};
    for (int number = 1; number <= most; ++number) {
      const bool answer = std::find(node.columns, node.columns + answers, number) != node.columns + answers;
      if (!answer && number != node.inner_query.count_column && !is_error(node, number)) add(number, 0);
    }
    columns_.keys = columns_.count;
  }

  void add(int number, int coordinates) {
    const Form_pg_attribute column = TupleDescAttr(node_.shape, number - 1);
    columns_.numbers[columns_.count] = static_cast<AttrNumber>(number);
    columns_.coordinates[columns_.count] = coordinates;
    columns_.forms[columns_.count++] =
        coordinates > 0 ? budget::ColumnForm{-1, false} : budget::ColumnForm{column->attlen, column->attbyval};
  }

  const StoredColumns& columns() const { return columns_; }

 private:
  const ReleaseNode& node_;
  StoredColumns columns_;
};

StoredColumns columns_of(const ReleaseNode& node) {
  ColumnsToStore columns(node);
  for (int i = 0; i < node.gate->size(); ++i) columns.add(node.columns[i], node.gate->call(i).coordinates);
  return columns.columns();
}

StoredColumns columns_of(const ReleaseNode& node, const NeededAggregates& needed) {
  ColumnsToStore columns(node);
  for (int place = 0; place < needed.stored(); ++place)
    if (needed.has(place)) columns.add(needed.at(place).column, needed.at(place).integers.count);
  return columns.columns();
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
struct Before {
  AnsweredAs as;
  const aggregate::VectorErrors* errors;
  Oid type;
  int place;
};

class Rows {
 public:
  Rows(const ReleaseNode& node, const StoredAnswer& answer, List* shown)
      : columns_(columns_of(node)),
        needed_(node, answer),
        stored_count_(columns_.keys + needed_.stored()),
        stored_forms_(array_of<budget::ColumnForm>(stored_count_)),
        draws_(array_of<const Draw*>(needed_.stored())),
        before_(array_of<Before>(node.question->size)),
        noisy_(array_of<noise::Int128>(needed_.integers())),
        values_(array_of<Datum>(stored_count_)),
        nulls_(array_of<bool>(stored_count_)) {
    std::copy(columns_.forms, columns_.forms + columns_.keys, stored_forms_);
    for (int place = 0; place < needed_.stored(); ++place) {
      stored_forms_[columns_.keys + place] = needed_.at(place).form;
      const budget::ShownAggregate* const level = level_of(shown, place);
      if (level != nullptr) draws_[place] = budget::read_level(*level->part, level->aggregate, level->level_id);
    }
    auto* const as = array_of<AnsweredAs>(node.question->size);
    auto* const integers = array_of<IntegersOf>(node.question->size);
    for (int i = 0; i < node.question->size; ++i) {
      before_[i].place = answer.places[i].aggregate;
      before_[i].type = node.gate->call(i).answer_type;
      integers[i] = needed_.integers_of(i);
      if (integers[i].count == 0) continue;
      before_[i].as = as[i] = answered_before(node, i, answer, level_of(shown, before_[i].place));
      before_[i].errors = before_[i].as.errors();
    }
    errors_ = new (palloc(sizeof(ErrorColumns))) ErrorColumns(node, as, integers);
  }

  const NeededAggregates& needed() const { return needed_; }

  // The next row; `number`: which it is.
  void next(budget::AnswerReader* reader, std::int64_t number, TupleTableSlot* row) {
    ExecStoreAllNullTuple(row);
    reader->next(stored_forms_, stored_count_, values_, nulls_);
    for (int place = 0; place < needed_.stored(); ++place) read_integers(place, number);
    for (int i = 0; i < columns_.count; ++i) {
      const int answer = i - columns_.keys;
      const int from = answer < 0 ? i : columns_.keys + before_[answer].place;
      const int to = columns_.numbers[i] - 1;
      const bool noisy = answer >= 0 && needed_.integers_of(answer).count > 0;
      row->tts_values[to] = noisy ? answer_to(answer) : values_[from];
      row->tts_isnull[to] = !noisy && nulls_[from];
    }
    errors_->fill(row, noisy_);
  }

  // Of the row that was read last, those of the needed aggregates.
  noise::Int128View noisy() const { return {noisy_, static_cast<std::size_t>(needed_.integers())}; }

 private:
  static const budget::ShownAggregate* level_of(List* shown, int place) {
    ListCell* cell;
    foreach (cell, shown) {
      const auto* const one = static_cast<budget::ShownAggregate*>(lfirst(cell));
      if (one->aggregate == place) return one;
    }
    return nullptr;
  }

  // Those of a level in the place of what is stored, where there is one.
  void read_integers(int place, std::int64_t row) {
    const auto [first, count] = needed_.at(place).integers;
    if (count == 0) return;
    if (const Draw* const draws = draws_[place]; draws != nullptr) {
      for (int i = 0; i < count; ++i) noisy_[first + i] = draws[row * count + i].noisy;
    } else {
      std::copy_n(read_noisy(values_[columns_.keys + place], count), count, noisy_ + first);
    }
  }

  Datum answer_to(int answer) const {
    const Before& before = before_[answer];
    return before.as.answer(needed_.integers_of(answer).in(noisy_), before.errors, before.type);
  }

  StoredColumns columns_;
  NeededAggregates needed_;
  int stored_count_;
  budget::ColumnForm* stored_forms_;
  const Draw** draws_;  // by place
  Before* before_;      // by aggregate of the node
  noise::Int128* noisy_;
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

RowsToStore::RowsToStore(const StoredColumns& columns, std::int64_t answer)
    : columns_(columns),
      writer_(answer, columns_.forms, columns_.count),
      values_(array_of<Datum>(columns_.count)),
      nulls_(array_of<bool>(columns_.count)) {}

RowsToStore::RowsToStore(const ReleaseNode& node, std::int64_t answer) : RowsToStore(columns_of(node), answer) {}

RowsToStore::RowsToStore(const ReleaseNode& node, std::int64_t answer, const NeededAggregates& needed)
    : RowsToStore(columns_of(node, needed), answer) {}

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

void show_stored_rows(ReleaseNode* node, const StoredAnswer& answer, budget::AnswerReader* reader, List* shown,
                      RowsToStore* copy, bool filtered) {
  Rows rows(*node, answer, shown);
  MemoryContext const outer = MemoryContextSwitchTo(node->css.ss.ps.state->es_query_cxt);
  auto* const answers = new (palloc(sizeof(Answers))) Answers(node->shape, order_of(node, node->shape));
  TupleTableSlot* const row = MakeSingleTupleTableSlot(node->shape, &TTSOpsVirtual);
  MemoryContext const memory = AllocSetContextCreate(CurrentMemoryContext, "stored row", ALLOCSET_DEFAULT_SIZES);
  for (std::int64_t i = 0; i < answer.rows; ++i) {
    CHECK_FOR_INTERRUPTS();
    MemoryContext const before = MemoryContextSwitchTo(memory);
    rows.next(reader, i, row);
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
}

}  // namespace dp::guard
