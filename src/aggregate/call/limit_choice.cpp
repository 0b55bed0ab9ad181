#include "aggregate/call/limit_choice.h"

#include <cmath>
#include <utility>

#include "aggregate/call/unit_buckets.h"
#include "aggregate/unit/unit_states.h"
#include "core/accumulate/chosen_limit.h"
#include "core/accumulate/vector.h"
#include "core/mechanism/catalogue.h"
#include "core/mechanism/mechanism_text.h"
#include "pg/errors.h"
#include "pg/random_bits.h"

namespace dp::aggregate {
namespace {

constexpr double kPerUnit = static_cast<double>(mechanism::Epsilon::kPerUnit);

LimitScale scale_of(const Call& call) {
  if (tag_of_unit(call) != Tag::sum) return LimitScale::of_rows();
  const bool rounded = call.lattice.kind == mechanism::Lattice::Kind::fine;
  return call.open ? LimitScale::of_open_totals(call.steps, rounded) : LimitScale::of_totals(call.steps, rounded);
}

// In how many groups of how many arms one unit may be, at most.
unsigned places_of(const Call& call, const LimitChoice& choice) {
  const std::uint64_t groups = call.in_one_group ? 1 : std::max<std::uint64_t>(call.units->groups, 1);
  return static_cast<unsigned>(groups * choice.arms);
}

// By one unit under that limit, in all groups of the answer and in all arms together.
mechanism::Changes changes_under(const Call& call, const LimitChoice& choice) {
  const Uint128 limit = choice.scale.limit(choice.limit.number);
  const unsigned places = places_of(call, choice);
  if (choice.tag == Tag::sum) return {places, limit, limit, limit};
  const auto rows = static_cast<std::uint32_t>(limit);
  return call.changes.by_unit({rows, std::min(rows, places), rows}, static_cast<unsigned>(call.coordinates));
}

// Noise and what is cut fall on all groups: with G of them a group has the noise of its own, and of what is cut between
// a G-th and all. In between they are weighed as if there was G^(3/4) times the noise. So they are of arms.
double weighed_places(const Call& call, const LimitChoice& choice) {
  const double noise = call.by_bucket ? static_cast<const HistogramCall&>(call).noise : 1;
  return std::pow(static_cast<double>(places_of(call, choice)), 0.75) * noise;
}

// What pairs say that does not grow with their number.
bool is_mean_of_pairs(const Form& form) {
  return is_of_pairs(form.kind) && form.part != Part::whole && !grows_with_rows(form.part);
}

}  // namespace

void divide_epsilon(Call* call, bool in_one_group) {
  constexpr std::uint64_t kParts = 4;
  if (call->epsilon.nano < kParts) {
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("epsilon %g is too small to choose the limit of a privacy unit with a part of it",
                           static_cast<double>(call->epsilon.nano) / kPerUnit),
                    errhint("Ask at a larger epsilon, or say how many rows count: SET dp.max_rows_per_unit = 5.")));
  }
  call->limit_epsilon.nano = call->epsilon.nano / kParts;
  call->epsilon.nano -= call->limit_epsilon.nano;
  call->in_one_group = in_one_group;
  call->mechanism = mechanism::relaxable(call->mechanism, call->lattice);
  const auto noise = mechanism::calibrate(call->mechanism, call->epsilon, call->changes, call->lattice);
  if (std::holds_alternative<noise::DiscreteLaplace>(noise.law) ||
      std::holds_alternative<noise::GaussianLevel>(noise.law))
    return;
  const char* const text = pstrdup(mechanism::format(call->mechanism).c_str());
  ereport(ERROR,
          (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
           errmsg("the limit of a privacy unit cannot be chosen for mechanism %s", text),
           errdetail("Limits that nobody has declared are chosen for laplace, geometric and gaussian without a delta."),
           call->open ? errhint("SET dp.mechanism = 'laplace'; or give finite bounds: dp_sum(cost, 0, 50000, 0.5).")
                      : errhint("SET dp.mechanism = 'laplace'; or say how many rows count: "
                                "SET dp.max_rows_per_unit = 5.")));
}

void require_limit(const Call& call) {
  if (!call.open || call.limit_epsilon.nano > 0) return;
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("nothing limits what a row adds to dp_sum: one of its bounds is infinite"),
                  errdetail("Infinite bounds are constants in questions about protected tables, where what a person or "
                            "a row adds up to is limited privately."),
                  errhint("Give finite bounds, for example dp_sum(cost, 0, 50000, 0.5).")));
}

namespace {

LimitChoice* make_limit_choice(const Call& call, std::uint64_t of_node) {
  const std::uint64_t groups = cells_of(*call.units, of_node);
  const LimitScale scale = scale_of(call);
  const auto of_group = static_cast<std::int64_t>(LimitedTotals::bytes(scale, tag_of_unit(call)));
  const std::int64_t most = kMostChosenBytes / of_group / call.units->count;
  if (static_cast<std::int64_t>(groups) > most) {
    ereport(ERROR,
            (errcode(pg::kNotAdmissible),
             errmsg("%lld %s of %d aggregates are too many for a limit of the rows of a privacy unit that is chosen",
                    static_cast<long long>(groups), call.by_bucket ? "buckets" : "groups", call.units->count),
             errdetail("No limit is declared, and under each that may be chosen all %s are kept: %lld may be.",
                       call.by_bucket ? "buckets of all groups" : "groups", static_cast<long long>(most)),
             errhint("Ask for fewer groups or aggregates, or say how many rows count: SET dp.max_rows_per_unit = 5.")));
  }
  return new (palloc(sizeof(LimitChoice))) LimitChoice{.scale = scale,
                                                       .tag = tag_of_unit(call),
                                                       .groups = groups,
                                                       .memory = CurrentMemoryContext,
                                                       .counted = call.limit_epsilon};
}

// Whether limits of both are of the same amounts, so that what a unit has for one adds to what it has for the other.
bool are_alike(const Call& one, const Call& other) {
  return one.support->of_unit == other.support->of_unit && one.steps.low == other.steps.low &&
         one.steps.high == other.steps.high && one.open == other.open && one.lattice == other.lattice &&
         one.lattice.exponent == other.lattice.exponent && one.form.kind == other.form.kind &&
         one.epsilon.nano == other.epsilon.nano && one.limit_epsilon.nano == other.limit_epsilon.nano &&
         one.mechanism.family == other.mechanism.family && one.in_one_group == other.in_one_group &&
         one.changes.l1 == other.changes.l1;
}

// The choice of the first call of its family; nullptr: it is that one.
LimitChoice* choice_of_family(const Call& call, const List* calls) {
  ListCell* cell;
  foreach (cell, calls) {
    const auto& first = *static_cast<const Call*>(lfirst(cell));
    if (&first == &call || call.family == 0) return nullptr;
    if (first.family != call.family) continue;
    if (!are_alike(first, call)) elog(ERROR, "aggregates of a family have limits of different amounts");
    return first.units->shares[first.share].choice;
  }
  return nullptr;
}

// The choice of the first call that is about the same rows as that one, whose choice has been made.
LimitChoice* counts_for(const Call& call, const List* calls) {
  LimitChoice* first = nullptr;
  int alike = 0;
  ListCell* cell;
  foreach (cell, calls) {
    const auto& other = *static_cast<const Call*>(lfirst(cell));
    if (&other != &call && (call.same_rows == 0 || other.same_rows != call.same_rows)) continue;
    if (first == nullptr) first = other.units->shares[other.share].choice;
    first->counted.nano = std::max(first->counted.nano, other.limit_epsilon.nano);
    ++alike;
  }
  const int size = call.units->shares[call.share].choice->scale.size();
  if ((call.same_rows != 0 && alike != call.alike) || first->scale.size() != size)
    elog(ERROR, "aggregates about the same rows are in several nodes, or have limits of other amounts");
  return first;
}

// Once, whoever's limit is chosen from them.
void draw_counts(LimitChoice* counts) {
  if (std::exchange(counts->drawn, true)) return;
  const mechanism::Law law = noise::DiscreteLaplace{counts->counted.per(1)};
  for (int bin = 0; bin <= counts->scale.size(); ++bin)
    counts->noisy[bin] = mechanism::release(law, static_cast<Int128>(counts->units[bin]), pg::random_bits());
}

void choose(const Call& call, LimitChoice* choice) {
  LimitChoice& counts = *choice->counts;
  draw_counts(&counts);
  const noise::Int128View units{counts.noisy, static_cast<std::size_t>(counts.scale.size() + 1)};
  const double counted = static_cast<double>(counts.counted.nano) / kPerUnit;
  const double answered = static_cast<double>(call.epsilon.nano) / kPerUnit / weighed_places(call, *choice);
  const bool means = choice->tag == Tag::mean || choice->tag == Tag::moments || is_mean_of_pairs(call.form);
  choice->limit = choose_limit(choice->scale, units, counted, answered, means);
  choice->chosen = true;
}

}  // namespace

void make_limit_choices(List* calls, std::uint64_t groups) {
  int before = 0;
  ListCell* cell;
  foreach (cell, calls) {
    const auto& call = *static_cast<const Call*>(lfirst(cell));
    if (call.limit_epsilon.nano == 0) continue;
    UnitShare& share = call.units->shares[call.share];
    share.choice = choice_of_family(call, calls);
    if (share.choice == nullptr) {
      share.choice = make_limit_choice(call, groups);
      share.choice->counts = counts_for(call, calls);
    }
    share.arm = share.choice->arms++;
    ++share.choice->unanswered;
  }
  foreach (cell, calls) {
    const auto& call = *static_cast<const Call*>(lfirst(cell));
    const UnitShare& share = call.units->shares[call.share];
    if (share.choice == nullptr || share.arm > 0) continue;
    if (call.family != 0 && call.arms > 0 && share.choice->arms != call.arms)
      elog(ERROR, "aggregates of a family are in several nodes");
    share.choice->before = before;
    before += static_cast<int>(share.choice->arms);
  }
}

void choose_limit_of(const Call& call) {
  UnitShare& share = call.units->shares[call.share];
  LimitChoice* const choice = share.choice;
  if (choice == nullptr || share.limited) return;
  if (!choice->chosen) choose(call, choice);
  share.limited = true;
  auto& chosen = const_cast<Call&>(call);
  chosen.changes = changes_under(call, *choice);
  MemoryContext const outer = MemoryContextSwitchTo(choice->memory);  // the errors stay with the call
  chosen.calibrate();
  MemoryContextSwitchTo(outer);
  AnyState* const totals = share.by_group != nullptr ? share.by_group : &share.total;
  totals[0].state.tag = choice->tag;
  for (std::uint64_t group = 0; choice->totals != nullptr && group < choice->groups; ++group)
    totals[group] = choice->totals_of(share.arm, group).total(choice->limit.number);
  if (--choice->unanswered > 0 || choice->totals == nullptr) return;
  pfree(choice->totals);
  choice->totals = nullptr;
}

std::optional<double> cut_by_limit(const Call& call) {
  if (call.limit_epsilon.nano == 0 || call.units == nullptr) return std::nullopt;
  const LimitChoice* const choice = call.units->shares[call.share].choice;
  const bool both_signs = choice != nullptr && choice->tag == Tag::sum && call.steps.low < 0 && call.steps.high > 0;
  if (choice == nullptr || !choice->chosen || !choice->limit.found || both_signs) return std::nullopt;
  return choice->limit.cut;
}

bool lacks_limit(const Call& call) {
  if (call.limit_epsilon.nano == 0 || call.units == nullptr) return false;
  const LimitChoice* const choice = call.units->shares[call.share].choice;
  return choice != nullptr && choice->chosen && !choice->limit.found;
}

}  // namespace dp::aggregate
