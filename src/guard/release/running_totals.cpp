#include "guard/release/running_totals.h"

#include <algorithm>
#include <cmath>

#include "aggregate/call/answer_datum.h"
#include "budget/catalog/frozen_rows.h"
#include "budget/policy/publishing.h"
#include "budget/publish/drawn.h"
#include "core/mechanism/loss.h"
#include "pg/errors.h"

namespace dp::guard {
namespace {

namespace column {
enum { publication = 1, answer, period, aggregate, group_key, exact, said };
}

Oid numbers() { return budget::table_of_publications("publication_number"); }

Datum bytes_of(noise::Int128 number) {
  auto* const bytes = static_cast<bytea*>(palloc(VARHDRSZ + sizeof number));
  SET_VARSIZE(bytes, VARHDRSZ + sizeof number);
  memcpy(VARDATA(bytes), &number, sizeof number);
  return PointerGetDatum(bytes);
}

noise::Int128 number_of(Datum stored) {
  noise::Int128 number;
  const bytea* const bytes = DatumGetByteaPP(stored);
  if (VARSIZE_ANY_EXHDR(bytes) != sizeof number) elog(ERROR, "a number of a publication is damaged");
  memcpy(&number, VARDATA_ANY(bytes), sizeof number);
  return number;
}

// What a place in the answer's own steps has in those that totals are shown in.
noise::Int128 refined(double steps, unsigned refinement) {
  constexpr double kLargest = 0x1p126;
  return static_cast<noise::Int128>(std::clamp(std::ldexp(steps, static_cast<int>(refinement)), -kLargest, kLargest));
}

}  // namespace

RunningTotals* RunningTotals::of(ReleaseNode* node) {
  if (!budget::publishing()->running) return nullptr;
  MemoryContext const memory = node->css.ss.ps.state->es_query_cxt;
  auto* const at_end =
      static_cast<MemoryContextCallback*>(MemoryContextAllocZero(memory, sizeof(MemoryContextCallback)));
  MemoryContext const outer = MemoryContextSwitchTo(memory);
  RunningTotals* const totals = pg::entry([=] { return new RunningTotals(node); });
  MemoryContextSwitchTo(outer);
  at_end->func = [](void* gone) { delete static_cast<RunningTotals*>(gone); };
  at_end->arg = totals;
  MemoryContextRegisterResetCallback(memory, at_end);
  return totals;
}

RunningTotals::RunningTotals(ReleaseNode* node)
    : node_(node),
      periods_(static_cast<std::size_t>(budget::publishing()->number)),
      weights_(static_cast<int>(periods_) + 1),
      keys_(node->shape, node->inner_query.key_names(), node->inner_query.set_column) {
  struct Row {
    std::int64_t answer, period;
    int aggregate;
    char* group;
    noise::Int128 exact;
    double said;
  };
  List* const rows = pg::call([] {
    List* found = NIL;
    MemoryContext const memory = CurrentMemoryContext;
    for (budget::NumberedRows row(numbers(), budget::publishing()->id); row.next();) {
      MemoryContext const outer = MemoryContextSwitchTo(memory);
      auto* const one = static_cast<Row*>(palloc(sizeof(Row)));
      one->answer = row.whole(column::answer);
      one->period = row.whole(column::period);
      one->aggregate = row.small(column::aggregate);
      one->group = TextDatumGetCString(row.value(column::group_key));
      one->exact = number_of(row.value(column::exact));
      one->said = DatumGetFloat8(row.value(column::said));
      found = lappend(found, one);
      MemoryContextSwitchTo(outer);
    }
    return found;
  });
  const auto drawn = pg::call([] { return budget::drawn_answers(); });
  std::vector<std::int64_t> answers(drawn.begin(), drawn.end());
  std::sort(answers.begin(), answers.end());
  ListCell* cell;
  foreach (cell, rows) {
    const Row& row = *static_cast<Row*>(lfirst(cell));
    if (row.period < 0 || static_cast<std::size_t>(row.period) >= periods_ ||
        !std::binary_search(answers.begin(), answers.end(), row.answer))
      continue;
    Series& series = series_of(row.aggregate, row.group);
    series.exact[static_cast<std::size_t>(row.period)] = {row.exact};
    series.said[static_cast<std::size_t>(row.period)] = row.said;
  }
}

RunningTotals::Series& RunningTotals::series_of(int aggregate, const std::string& group) {
  const auto [at, is_new] = series_.try_emplace({aggregate, group});
  if (is_new) {
    at->second.exact.resize(periods_);
    at->second.said.resize(periods_);
  }
  return at->second;
}

void RunningTotals::show(TupleTableSlot* row) {
  StringInfoData key;
  initStringInfo(&key);
  pg::entry([&] {
    pg::call([&] { keys_.append(&key, row); });
    ReleaseGate& gate = *node_->gate;
    for (int i = 0; i < gate.size(); ++i) {
      const aggregate::Call& call = gate.call(i);
      const unsigned finer = call.calibration.refinement - aggregate::kStreamBits;
      const noise::Int128 weighed = gate.exact(i);  // a step is 2^refinement
      Series& series = series_of(i, key.data);
      if (series.exact.size() != periods_) throw std::logic_error("a group of running totals was answered twice");
      const noise::Int128 past = weights_.past({periods_ == 0 ? nullptr : &series.exact.data()->steps, periods_});
      const noise::Int128 noisy = gate.noisy()[static_cast<std::size_t>(i)] + (past << finer);
      const double said = weights_.count_of(noisy, series.said, finer);
      series.exact.push_back({weighed >> call.calibration.refinement});
      series.said.push_back(said);
      shown_.push_back(series_.find({i, key.data}));
      const noise::Int128 total = refined(aggregate::total_of(series.said), call.calibration.refinement);
      gate.show(i, total);
      row->tts_values[node_->columns[i] - 1] = pg::call([&] {
        return aggregate::answer_of(call.form, {&total, 1}, nullptr);
      });
    }
  });
  pfree(key.data);
}

void RunningTotals::store(std::int64_t answer) const {
  for (const auto& one : shown_) {
    const auto& [name, series] = *one;
    budget::append_frozen(numbers(), {Int64GetDatum(budget::publishing()->id), Int64GetDatum(answer),
                                      Int64GetDatum(static_cast<std::int64_t>(periods_)), Int32GetDatum(name.first),
                                      CStringGetTextDatum(name.second.c_str()), bytes_of(series.exact.back().steps),
                                      Float8GetDatum(series.said.back())});
  }
}

Datum RunningTotals::errors() const {
  constexpr double kOf95 = 1.959963984540054;
  const double factor = weights_.variance_of_total();
  const int size = node_->gate->size();
  auto* const errors = static_cast<Datum*>(palloc(sizeof(Datum) * static_cast<Size>(size)));
  for (int i = 0; i < size; ++i) {
    const aggregate::Call& call = node_->gate->call(i);
    const double variance = mechanism::loss(call.calibration.law).expected_sq * factor;
    const int steps = call.form.exponent - static_cast<int>(call.calibration.refinement - aggregate::kStreamBits);
    errors[i] = Float8GetDatum(std::ldexp(kOf95 * std::sqrt(variance), steps));
  }
  return PointerGetDatum(construct_array(errors, size, FLOAT8OID, sizeof(float8), true, TYPALIGN_DOUBLE));
}

}  // namespace dp::guard
