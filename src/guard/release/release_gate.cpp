#include "guard/release/release_gate.h"

#include "core/mechanism/catalogue.h"
#include "pg/errors.h"

namespace dp::guard {
void ReleaseGate::adopt(aggregate::Call* call, aggregate::Release release) {
  if (release == aggregate::Release::none) {
    ereport(
        ERROR,
        (errcode(pg::kNotAdmissible),
         errmsg("dp_rr_histogram adds no noise, so it cannot answer over a protected table"),
         errhint("Its values must be randomised already: keep the responses of dp_randomized_response in a table of "
                 "their own. For raw values ask dp_histogram(value, categories, 0.5).")));
  }
  call->gate = this;
  call->number = size();
  if (release != aggregate::Release::noise) call->coordinates = 0;
  const mechanism::Contribution unit = inner_query_->contribution(call->number);
  call->changes = call->changes.by_unit(unit, static_cast<unsigned>(Max(call->coordinates, 1)));
  call->unit_rows = unit.rows_per_group;
  if (keeps() && call->coordinates > 0) call->mechanism = mechanism::relaxable(call->mechanism, call->lattice);
  calls_ = lappend(calls_, call);
  draws_per_row_ += call->coordinates;
}

void ReleaseGate::open() {
  open_ = true;
  noisy_ = static_cast<noise::Int128*>(palloc0(sizeof(noise::Int128) * static_cast<Size>(draws_per_row_ + 1)));
}

void ReleaseGate::answering(const aggregate::Call& call) {
  if (!open_) elog(ERROR, "aggregate %d of a private query answers outside its release", call.number + 1);
  ++answered_;
}

void ReleaseGate::drew(const aggregate::Call&, noise::Int128 noisy, noise::Int128 noise) {
  if (drawn_ == draws_per_row_) elog(ERROR, "a group of a private query was drawn more often than it has numbers");
  noisy_[drawn_++] = noisy;
  if (keeps()) draws_.put({noisy, noise});
}

budget::Amount ReleaseGate::cost() const {
  budget::Amount sum;
  for (int i = 0; i < size(); ++i) sum += budget::Amount::of(call(i).epsilon, mechanism::delta_of(call(i).mechanism));
  return sum;
}

void ReleaseGate::end_row() {
  if (answered_ != size()) {
    elog(ERROR, "%d aggregates of a private query answered %d times for a group", size(), answered_);
  }
  answered_ = drawn_ = 0;
  ++rows_;
}

void ReleaseGate::keep_row() {
  if (!keeps() || draws_.size() <= keep_) return;
  keep_ = 0;
  draws_.end();
}

void ReleaseGate::drop_row() {
  --rows_;
  if (keeps()) draws_.drop_last(draws_per_row_);
}

}  // namespace dp::guard
