#include "guard/release/stored_sums.h"

#include <algorithm>

#include "aggregate/call/answer_datum.h"
#include "aggregate/call/vector_datum.h"
#include "budget/answers/answer_rows.h"
#include "guard/release/error_columns.h"
#include "guard/release/needed_aggregates.h"
#include "guard/release/release_node.h"
#include "guard/release/stored_rows.h"
#include "guard/reuse/roll_up.h"
#include "pg/errors.h"

namespace dp::guard {
namespace {

using budget::StoredAnswer;

// Of all sums together, 16 bytes each.
constexpr std::int64_t kMostNumbers = 4'000'000;

template <class T>
T* array_of(std::int64_t count) {
  return static_cast<T*>(palloc_extended(sizeof(T) * static_cast<Size>(count + 1), MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO));
}

noise::Int128 saturating_sum(noise::Int128 a, noise::Int128 b) {
  noise::Int128 sum;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a > 0 ? noise::kInt128Max : -noise::kInt128Max;
}

class Sums {
 public:
  Sums(const ReleaseNode& node, const StoredAnswer& answer, const RollUp& way)
      : node_(node),
        way_(way),
        needed_(node, answer),
        keys_(list_length(way.keys)),
        columns_(keys_ + needed_.stored()),
        forms_(array_of<budget::ColumnForm>(columns_)),
        values_(array_of<Datum>(columns_)),
        nulls_(array_of<bool>(columns_)),
        group_(array_of<NullableDatum>(keys_)),
        sums_(array_of<noise::Int128>(node.groups->combinations() * needed_.integers())),
        summed_(array_of<int>(node.groups->combinations())) {
    ListCell* cell;
    foreach (cell, way.keys) {
      budget::ColumnForm& form = forms_[foreach_current_index(cell)];
      get_typlenbyval(exprType(static_cast<Node*>(lfirst(cell))), &form.length, &form.by_value);
    }
    for (int place = 0; place < needed_.stored(); ++place) forms_[keys_ + place] = needed_.at(place).form;
  }

  // Adds the next row of the answer to its group. `row`: of the node, to be written over.
  void add_next(budget::AnswerReader* reader, TupleTableSlot* row) {
    reader->next(forms_, columns_, values_, nulls_);
    for (int key = 0; key < list_length(node_.inner_query.keys); ++key) {
      row->tts_values[key] = values_[way_.places[key]];
      row->tts_isnull[key] = nulls_[way_.places[key]];
    }
    if (way_.groups != nullptr && !is_asked()) return;
    const std::int64_t group = node_.groups->place_of(row);
    if (group < 0) return;
    ++summed_[group];
    noise::Int128* sum = sums_ + group * needed_.integers();
    for (int place = 0; place < needed_.stored(); ++place) {
      if (!needed_.has(place)) continue;
      const int count = needed_.at(place).integers.count;
      const noise::Int128* const noisy = read_noisy(values_[keys_ + place], count);
      for (int number = 0; number < count; ++number, ++sum) *sum = saturating_sum(*sum, noisy[number]);
    }
  }

  int summed(std::int64_t group) const { return std::max(summed_[group], 1); }

  // The answers and errors of that group, into a row.
  void fill(std::int64_t group, const AnsweredAs* answered, const aggregate::VectorErrors* const* vectors,
            const ErrorColumns& errors, TupleTableSlot* row) const {
    const noise::Int128* const sums = sums_ + group * needed_.integers();
    for (int i = 0; i < node_.gate->size(); ++i) {
      const int column = node_.columns[i] - 1;
      row->tts_values[column] =
          answered[i].answer(needed_.integers_of(i).in(sums), vectors[i], node_.gate->call(i).answer_type);
      row->tts_isnull[column] = false;
    }
    errors.fill(row, sums);
  }

  const NeededAggregates& needed() const { return needed_; }

 private:
  // Whether the conditions of the question hold in the group that was read.
  bool is_asked() const {
    for (int key = 0; key < keys_; ++key) group_[key] = {values_[key], nulls_[key]};
    return way_.groups->place_of(group_) >= 0;
  }

  const ReleaseNode& node_;
  const RollUp& way_;
  NeededAggregates needed_;
  int keys_;
  int columns_;
  budget::ColumnForm* forms_;  // those of aggregates that are not asked have no length and are passed over
  Datum* values_;
  bool* nulls_;
  NullableDatum* group_;  // the keys of the row that was read
  noise::Int128* sums_;
  int* summed_;
};

// The errors of sums of so many groups. Most are of as many.
class ErrorsOfSums {
 public:
  ErrorsOfSums(const ReleaseNode& node, const StoredAnswer& answer, const NeededAggregates& needed)
      : node_(node),
        integers_(static_cast<IntegersOf*>(palloc(sizeof(IntegersOf) * static_cast<Size>(node.gate->size() + 1)))),
        answered_(static_cast<AnsweredAs*>(palloc(sizeof(AnsweredAs) * static_cast<Size>(node.gate->size() + 1)))),
        vectors_(array_of<const aggregate::VectorErrors*>(node.gate->size())) {
    for (int i = 0; i < node.gate->size(); ++i) {
      integers_[i] = needed.integers_of(i);
      new (&answered_[i]) AnsweredAs(answered_before(node, i, answer, nullptr));
    }
  }

  const AnsweredAs* answered() const { return answered_; }
  const aggregate::VectorErrors* const* vectors() const { return vectors_; }

  const ErrorColumns& of(int summed) {
    if (last_ == nullptr || summed != summed_) {
      for (int i = 0; i < node_.gate->size(); ++i) {
        answered_[i].summed = summed;
        vectors_[i] = answered_[i].errors();
      }
      last_ = new (palloc(sizeof(ErrorColumns))) ErrorColumns(node_, answered_, integers_);
      summed_ = summed;
    }
    return *last_;
  }

 private:
  const ReleaseNode& node_;
  IntegersOf* integers_;
  AnsweredAs* answered_;
  const aggregate::VectorErrors** vectors_;
  const ErrorColumns* last_ = nullptr;
  int summed_ = 0;
};

}  // namespace

bool can_be_summed(const ReleaseNode& node, const StoredAnswer& answer) {
  for (int i = 0; i < node.question->size; ++i) {
    const budget::QuestionAggregate& stored = answer.question.aggregates[answer.places[i].aggregate];
    if (!stored.path.exists() || stored.form.kind == aggregate::Form::Kind::bounds) return false;
  }
  const int integers = NeededAggregates(node, answer).integers();
  return node.gate->size() > 0 && node.groups->combinations() * (integers + 1) <= kMostNumbers;
}

bool show_sums(ReleaseNode* node, const StoredAnswer& answer, const RollUp& way) {
  budget::AnswerReader reader(answer.id, answer.rows);
  if (!reader.complete()) return false;
  Sums sums(*node, answer, way);
  ErrorsOfSums errors(*node, answer, sums.needed());
  TupleTableSlot* const row = MakeSingleTupleTableSlot(node->shape, &TTSOpsVirtual);
  MemoryContext const memory = AllocSetContextCreate(CurrentMemoryContext, "stored row", ALLOCSET_DEFAULT_SIZES);
  for (std::int64_t i = 0; i < answer.rows; ++i) {
    CHECK_FOR_INTERRUPTS();
    MemoryContext const before = MemoryContextSwitchTo(memory);
    ExecStoreAllNullTuple(row);
    sums.add_next(&reader, row);
    MemoryContextSwitchTo(before);
    MemoryContextReset(memory);
  }
  MemoryContext const outer = MemoryContextSwitchTo(node->css.ss.ps.state->es_query_cxt);
  auto* const answers = new (palloc(sizeof(Answers))) Answers(node->shape, order_of(node, node->shape));
  MemoryContextSwitchTo(outer);
  for (std::int64_t group = 0; group < node->groups->combinations(); ++group) {
    CHECK_FOR_INTERRUPTS();
    if (!node->groups->is_shown(group)) continue;
    const ErrorColumns& columns = errors.of(sums.summed(group));
    MemoryContext const before = MemoryContextSwitchTo(memory);
    ExecStoreAllNullTuple(row);
    node->groups->fill(row, group);
    sums.fill(group, errors.answered(), errors.vectors(), columns, row);
    answers->put(row, group, {nullptr, 0});
    MemoryContextSwitchTo(before);
    MemoryContextReset(memory);
  }
  MemoryContextDelete(memory);
  ExecDropSingleTupleTableSlot(row);
  answers->finish();
  node->answers = answers;
  return true;
}

}  // namespace dp::guard
