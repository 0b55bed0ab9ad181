#include "guard/release/release_gate.h"

#include "aggregate/call/histogram_call.h"
#include "aggregate/call/limit_choice.h"
#include "aggregate/call/local_supports.h"
#include "aggregate/kinds/quantile.h"
#include "budget/policy/publishing.h"
#include "core/accumulate/quantiles_together.h"
#include "core/accumulate/sample.h"
#include "core/accumulate/stream_sums.h"
#include "core/mechanism/candidate_selection.h"
#include "core/mechanism/catalogue.h"
#include "core/mechanism/error.h"
#include "core/mechanism/mechanism_text.h"
#include "guard/admission/row_limits.h"
#include "pg/errors.h"

namespace dp::guard {
namespace {

// In one row, at most: the state of its rows, or of those that a unit may have in it, on its way from a worker or to
// what adds up units; later the answer, and the noisy integers that are stored with it.
std::int64_t bytes_in_row(const aggregate::Call& call, const mechanism::Contribution& unit) {
  constexpr auto kNumber = static_cast<std::int64_t>(sizeof(noise::Int128) + sizeof(Datum));
  if (call.support->of_unit != aggregate::Tag::sample) return Max(call.coordinates, 1) * kNumber;
  const auto kept = static_cast<std::int64_t>(sizeof(aggregate::KeptRow)) * unit.rows_per_group;
  return Max(static_cast<const aggregate::HistogramCall&>(call).size, call.coordinates) * kNumber + kept;
}

// Of those that answer without noise.
const char* name_of(const aggregate::Support& support) {
  if (&support == &aggregate::kUnaryReports) return "dp_unary_histogram";
  return &support == &aggregate::kBloomReports ? "dp_bloom_histogram" : "dp_rr_histogram";
}

void require_short_row(int aggregates, std::int64_t bytes) {
  if (bytes <= kMostRowBytes) return;
  ereport(ERROR,
          (errcode(pg::kNotAdmissible),
           errmsg("the first %d aggregates of a private query could have %lld MB in one row, and may have %lld",
                  aggregates, static_cast<long long>((bytes >> 20) + 1), static_cast<long long>(kMostRowBytes >> 20)),
           errdetail("A bucket of a histogram takes 24 bytes; a row that may count of a privacy unit 8 bytes in "
                     "each histogram and quantile."),
           errhint("Ask for fewer histograms in one query, or with fewer buckets.")));
}

bool is_running() { return budget::publishing() != nullptr && budget::publishing()->running; }

[[noreturn]] void refuse_total(const char* what, const char* hint) {
  ereport(ERROR, (errcode(pg::kNotAdmissible),
                  errmsg("running totals are published of counts and sums, not of %s", what), errhint("%s", hint)));
  pg_unreachable();
}

// What a row changes is what it changes of the numbers of all periods together.
void make_stream(aggregate::Call* call, aggregate::Release release) {
  using Kind = aggregate::Form::Kind;
  const Kind kind = call->form.kind;
  if (release != aggregate::Release::noise || call->coordinates != 1 ||
      (kind != Kind::bigint && kind != Kind::numeric && kind != Kind::float8))
    refuse_total("other aggregates", "Publish the others by themselves, without running => true.");
  if (call->mechanism.family == &mechanism::kAuto) call->mechanism = mechanism::parse("gaussian");
  if (call->mechanism.family != &mechanism::kGaussian) {
    throw Error("running totals have Gaussian noise, not that of " + mechanism::format(call->mechanism),
                "Write gaussian(delta=1e-6), or leave the mechanism out where accounts count Rényi divergences.");
  }
  call->changes = aggregate::stream_changes(call->changes);
}

}  // namespace

void ReleaseGate::adopt(aggregate::Call* call, aggregate::Release release) {
  if (release == aggregate::Release::none) {
    ereport(
        ERROR,
        (errcode(pg::kNotAdmissible),
         errmsg("%s adds no noise, so it cannot answer over a protected table", name_of(*call->support)),
         errhint("Its values must be randomised already: keep the responses of dp_randomized_response, or the reports, "
                 "in a table of their own. For raw values ask dp_histogram(value, categories, 0.5).")));
  }
  call->gate = this;
  call->number = size();
  if (call->mechanism.family == &mechanism::kAuto) automatic_ = lappend_int(automatic_, call->number);
  if (call->support->with_gaussian != nullptr && counting_->by_divergences() &&
      counting_->suits_gaussian(call->epsilon))
    call->support->with_gaussian(call);
  const mechanism::Contribution unit = inner_query_->contribution(call->number);
  bytes_per_row_ += bytes_in_row(*call, unit);
  require_short_row(call->number + 1, bytes_per_row_);
  if (release != aggregate::Release::noise) call->coordinates = 0;
  call->unit_rows = unit.rows_per_group;
  if (inner_query_->chooses_limit(call->number)) {
    if (call->coordinates == 0) elog(ERROR, "aggregate %d of a private query cannot choose a limit", call->number + 1);
    if (call->open) call->unit_rows = 0;  // as workers have it, to whom only what runs is sent
    aggregate::divide_epsilon(call, unit.groups == 1);
    if (inner_query_->chooses_limits()) {
      call->family = family_of(call->number);
      call->arms = arms_beside(call->number);
      call->same_rows = same_rows_of(call->number);
      call->alike = alike(call->same_rows);
    }
  } else {
    const auto numbers = static_cast<unsigned>(Max(call->coordinates, 1));
    call->changes = call->changes.by_unit(unit, numbers * arms_beside(call->number));
  }
  if (is_running()) make_stream(call, release);
  if (call->coordinates > 0) choose_noise(call);
  if (counting_->by_divergences() && release == aggregate::Release::choice)
    call->mechanism = mechanism::choice_of_divergences(call->mechanism);
  if (keeps() && call->coordinates > 0) call->mechanism = mechanism::relaxable(call->mechanism, call->lattice);
  calls_ = lappend(calls_, call);
  draws_per_row_ += call->coordinates;
}

// A limit that is chosen has chosen its noise.
void ReleaseGate::choose_noise(aggregate::Call* call) const {
  if (!counting_->by_divergences()) return;
  const mechanism::Mechanism best = mechanism::of_divergences(call->mechanism, call->changes);
  if (best.family != call->mechanism.family && counting_->suits_gaussian(call->epsilon)) call->mechanism = best;
}

void ReleaseGate::count_in_stream() {
  if (!is_running()) return;
  ListCell* cell;
  foreach (cell, calls_) {
    auto* const call = static_cast<aggregate::Call*>(lfirst(cell));
    call->calibration.refinement += aggregate::kStreamBits;
    call->form.refinement = static_cast<std::uint8_t>(call->calibration.refinement);
  }
}

bool ReleaseGate::may_be_gaussian(int number) const {
  return counting_->by_divergences() && list_member_int(automatic_, number) &&
         counting_->suits_gaussian(call(number).epsilon);
}

void ReleaseGate::make_gaussian(int number) {
  auto* const call = static_cast<aggregate::Call*>(list_nth(calls_, number));
  call->mechanism = mechanism::parse("gaussian");
  call->calibrate();
}

bool ReleaseGate::lacks_limit() const {
  for (int i = 0; i < size(); ++i) {
    if (aggregate::lacks_limit(call(i))) return true;
  }
  return false;
}

bool ReleaseGate::lacks_range() const {
  ListCell* cell;
  foreach (cell, calls_) {
    if (static_cast<const aggregate::Call*>(lfirst(cell))->lacks_range) return true;
  }
  return false;
}

void ReleaseGate::open() {
  open_ = true;
  const Size size = sizeof(noise::Int128) * static_cast<Size>(draws_per_row_ + 1);
  noisy_ = static_cast<noise::Int128*>(palloc0(size));
  noise_ = static_cast<noise::Int128*>(palloc0(size));
}

void ReleaseGate::answering(const aggregate::Call& call) {
  if (!open_) elog(ERROR, "aggregate %d of a private query answers outside its release", call.number + 1);
  ++answered_;
}

void ReleaseGate::drew(const aggregate::Call&, noise::Int128 noisy, noise::Int128 noise) {
  if (drawn_ == draws_per_row_) elog(ERROR, "a group of a private query was drawn more often than it has numbers");
  noise_[drawn_] = noise;
  noisy_[drawn_++] = noisy;
  if (keeps()) draws_.put({noisy, noise});
}

// No row counts in two arms of a family, and where a unit has several they are divided among the arms: together these
// cost what the dearest does, of epsilon and of delta. `cost_of`: of an aggregate, by its number.
template <class CostOf>
budget::Cost ReleaseGate::together(CostOf cost_of) const {
  budget::Cost sum;
  int families = 0;
  for (int i = 0; i < size(); ++i) {
    families = Max(families, family_of(i));
    if (family_of(i) == 0) sum += cost_of(i);
  }
  const auto cost_of_arm = [&](int family, int arm) {
    budget::Cost of_arm;
    for (int i = 0; i < size(); ++i)
      if (family_of(i) == family && list_nth_int(inner_query_->arms, i) == arm) of_arm += cost_of(i);
    return of_arm;
  };
  for (int family = 1; family <= families; ++family) {
    budget::Cost dearest;
    for (int i = 0; i < size(); ++i) {
      if (family_of(i) != family) continue;
      dearest = budget::dearest(dearest, cost_of_arm(family, list_nth_int(inner_query_->arms, i)));
    }
    sum += dearest;
  }
  return sum;
}

budget::Cost ReleaseGate::cost() const {
  return together([this](int number) { return cost_of(number); });
}

budget::Cost ReleaseGate::cost_of_limits() const {
  if (!inner_query_->chooses_limits() && inner_query_->open == NIL) return {};
  const auto cost_of_choice = [this](int number) {
    const mechanism::Epsilon choice = call(number).limit_epsilon;
    return choice.nano > 0 ? budget::Cost::pure(budget::Amount::of(choice, {0})) : budget::Cost();
  };
  budget::Cost sum =
      together([&](int number) { return call(number).same_rows > 0 ? budget::Cost() : cost_of_choice(number); });
  for (int first = 0; first < size(); ++first) {
    if (call(first).same_rows != first + 1) continue;
    budget::Cost dearest;
    for (int i = first; i < size(); ++i)
      if (call(i).same_rows == first + 1) dearest = budget::dearest(dearest, cost_of_choice(i));
    sum += dearest;
  }
  return sum;
}

int ReleaseGate::same_rows_of(int number) const {
  return inner_query_->same_rows == NIL ? 0 : list_nth_int(inner_query_->same_rows, number);
}

int ReleaseGate::alike(int same_rows) const {
  int number = 0;
  ListCell* cell;
  foreach (cell, inner_query_->same_rows) number += lfirst_int(cell) == same_rows;
  return number;
}

int ReleaseGate::family_of(int number) const {
  return inner_query_->families == NIL ? 0 : list_nth_int(inner_query_->families, number);
}

// A unit with several rows may have them in several arms of a family, which change together.
unsigned ReleaseGate::arms_beside(int number) const {
  const int family = family_of(number);
  if (family == 0) return 1;
  unsigned arms = 0;
  ListCell* cell;
  foreach (cell, inner_query_->families) arms += lfirst_int(cell) == family;
  return arms;
}

budget::Cost ReleaseGate::cost_of(int number) const {
  const aggregate::Call& priced = call(number);
  if (priced.choices == aggregate::kTogether && priced.mechanism.family == &mechanism::kExponential) {
    const auto parts = aggregate::TogetherEpsilon::of(priced.epsilon);
    return budget::Cost::pure(budget::Amount::of(parts.rows, {0})) + budget::Cost::of(priced.mechanism, parts.choice);
  }
  return budget::Cost::of(priced.mechanism, priced.epsilon, priced.choices);
}

mechanism::NoisePath ReleaseGate::path_of(int number) const {
  const aggregate::Call& of = call(number);
  if (of.coordinates == 0) return {};
  const mechanism::Changes refined = of.changes.times(noise::Uint128{1} << of.calibration.refinement);
  return mechanism::NoisePath::of(of.calibration.law, of.epsilon, refined);
}

void ReleaseGate::end_row() {
  if (answered_ != size()) {
    elog(ERROR, "%d aggregates of a private query answered %d times for a group", size(), answered_);
  }
  answered_ = drawn_ = 0;
  ++rows_;
}

void ReleaseGate::keep_row() {
  if (keep_ <= 0 || draws_.size() <= keep_) return;
  keep_ = 0;
  draws_.end();
}

void ReleaseGate::drop_row() {
  --rows_;
  if (keeps()) draws_.drop_last(draws_per_row_);
}

}  // namespace dp::guard
