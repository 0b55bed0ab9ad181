#include "guard/release/group_curves.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "aggregate/call/answer_datum.h"
#include "budget/policy/publishing.h"
#include "core/accumulate/ordered_groups.h"
#include "core/consistency/top_down.h"
#include "core/mechanism/catalogue.h"
#include "core/mechanism/mechanism_text.h"
#include "guard/release/answered_as.h"
#include "guard/rewrite/window_curves.h"
#include "pg/errors.h"
#include "pg/random_bits.h"

namespace dp::guard {
namespace {

using aggregate::PrefixSums;
using aggregate::PrefixVariances;
using Kind = aggregate::Form::Kind;

// Totals are answered together where their mean square error is at most two thirds of that of added up groups, whose
// answers serve other questions, too.
constexpr double kWorthIt = 2.0 / 3;

// Gaussian noise that nobody asked for is not pure, and has to be off by less than half of Laplace's.
constexpr double kWorthGaussian = 1.0 / 4;

// A sum of so large steps may leave the integers that it is drawn in.
constexpr int kMostBitsOfChange = 40;

bool is_total(const aggregate::Call& call) {
  const Kind kind = call.form.kind;
  return call.coordinates == 1 && (kind == Kind::bigint || kind == Kind::numeric || kind == Kind::float8) &&
         call.limit_epsilon.nano == 0 && call.changes.l1 >> kMostBitsOfChange == 0;
}

bool is_of_trees(const mechanism::Mechanism& m) {
  return m.family == &mechanism::kAuto || m.family == &mechanism::kGeometric || m.family == &mechanism::kLaplace;
}

struct Way {
  mechanism::Mechanism mechanism;
  PrefixSums longest;
  mechanism::Calibration calibration;
  double error;  // the mean square error of totals
};

Way way_of(const aggregate::Call& call, const mechanism::Mechanism& mechanism, const PrefixSums& longest) {
  const mechanism::Changes changes = aggregate::changes_of_ordered(longest, call.changes);
  const auto calibration = mechanism::calibrate(mechanism, call.epsilon, changes, call.lattice);
  const double error = aggregate::variance_of_integer(longest, calibration) * PrefixVariances(longest).mean();
  return {mechanism, longest, calibration, error};
}

double error_one_by_one(const aggregate::Call& call, int groups) {
  return aggregate::variance_of_integer({groups, PrefixSums::kAlone}, call.calibration) * (groups + 1) / 2.0;
}

int column_of_aggregate(const ReleaseNode& node, int column) {
  for (int i = 0; i < node.gate->size(); ++i)
    if (node.columns[i] == column) return i;
  return -1;
}

// The whole steps of numbers in steps of 2^-refinement; of float8 as fine as these.
noise::Int128 whole(long double steps, const aggregate::Form& form) {
  constexpr long double kLargest = 0x1p120L;
  const int finer = form.kind == Kind::float8 ? form.refinement : 0;
  const auto rounded =
      static_cast<noise::Int128>(std::clamp(std::round(std::ldexp(steps, finer)), -kLargest, kLargest));
  return rounded << (form.refinement - finer);
}

}  // namespace

GroupCurves* GroupCurves::of(ReleaseNode* node) {
  const InnerQuery& inner_query = node->inner_query;
  if (budget::publishing() != nullptr || node->waits() || !node->groups->are_public()) return nullptr;
  auto* const curves = new (palloc(sizeof(GroupCurves))) GroupCurves(node);
  const CurveOrder order = order_of_curves(inner_query);
  curves->parts_ = order.parts;
  curves->falls_ = order.falls;
  curves->keys_ = order.keys;
  const std::int64_t longest = curves->longest_order();
  if (longest < 2 || longest > aggregate::kMostCumulated) return nullptr;
  const IntegersOf* const integers = integers_anew(*node);
  const int known = count_of_curves(inner_query);
  curves->curves_ = static_cast<Curve*>(palloc0(sizeof(Curve) * static_cast<Size>(known)));
  for (int i = 0; i < known; ++i) {
    const WindowCurve window = curve_at(inner_query, i);
    Curve& curve = curves->curves_[curves->count_];
    curve.aggregate = column_of_aggregate(*node, window.column);
    if (curve.aggregate < 0) continue;
    curve.place = integers[curve.aggregate].first;
    curve.rises = window.rises;
    if (curves->choose(&curve, static_cast<int>(longest))) ++curves->count_;
  }
  if (curves->count_ == 0) return nullptr;
  for (int i = 0; i < node->gate->size(); ++i) curves->integers_ += integers[i].count;
  node->gate->keep_nothing();
  return curves;
}

// How many groups have one order, at most.
std::int64_t GroupCurves::longest_order() const {
  const Groups& groups = *node_->groups;
  std::int64_t shown = 0, values = 1;
  for (std::int64_t group = 0; group < groups.combinations(); ++group) shown += groups.is_shown(group) ? 1 : 0;
  for (int i = parts_; i < list_length(keys_) && values <= shown; ++i)
    values *= groups.values_of(list_nth_int(keys_, i));
  return std::min(shown, values);
}

bool GroupCurves::choose(Curve* curve, int groups) {
  const aggregate::Call& call = node_->gate->call(curve->aggregate);
  if (!is_total(call)) return false;
  const double alone = error_one_by_one(call, groups);
  std::optional<Way> best;
  if (is_of_trees(call.mechanism)) best = way_of(call, call.mechanism, PrefixSums::by_tree(groups));
  if (call.mechanism.family == &mechanism::kGaussian) best = way_of(call, call.mechanism, PrefixSums::by_root(groups));
  if (!best) return false;
  if (node_->gate->may_be_gaussian(curve->aggregate)) {
    const Way root = way_of(call, mechanism::parse("gaussian"), PrefixSums::by_root(groups));
    if (root.error <= kWorthGaussian * std::min(alone, best->error)) best = root;
  }
  if (best->error > kWorthIt * alone) return false;
  if (best->mechanism.family != call.mechanism.family) node_->gate->make_gaussian(curve->aggregate);
  curve->longest = best->longest;
  curve->calibration = best->calibration;
  curve->totals = best->error;
  curve->alone = alone;
  return true;
}

const char* GroupCurves::mark() const {
  StringInfoData text;
  initStringInfo(&text);
  appendStringInfo(&text, "running totals%s by %d", falls_ ? " that fall" : "", parts_);
  ListCell* cell;
  foreach (cell, keys_) appendStringInfo(&text, ",%d", lfirst_int(cell));
  for (int i = 0; i < count_; ++i) {
    const Curve& curve = curves_[i];
    appendStringInfo(&text, " of %d%s by %d", curve.aggregate, curve.rises ? " rising" : "", curve.longest.branching);
  }
  return text.data;
}

const char* GroupCurves::text_of(int aggregate) const {
  const Curve* const curve =
      std::find_if(curves_, curves_ + count_, [aggregate](const Curve& one) { return one.aggregate == aggregate; });
  if (curve == curves_ + count_) return nullptr;
  const aggregate::Call& call = node_->gate->call(aggregate);
  const double of_mean = std::ldexp(std::sqrt(2 / std::numbers::pi), call.form.exponent);
  const char* const way = curve->longest.is_root()      ? "square roots"
                          : curve->longest.levels() > 1 ? psprintf("trees of %d", curve->longest.branching)
                                                        : "themselves";
  return psprintf("%s: %d groups by %s; a total is off by %.3g, where added up groups are off by %.3g",
                  strVal(list_nth(node_->inner_query.aggregates, aggregate)), curve->longest.buckets, way,
                  std::sqrt(curve->totals) * of_mean, std::sqrt(curve->alone) * of_mean);
}

// Ascending, as the window adds up, or from the last to the first where it falls (draw()).
GroupOrder GroupCurves::order() const {
  const GroupOrder all = order_of(node_, node_->shape);
  GroupOrder order{list_length(keys_), nullptr, nullptr, nullptr};
  order.numbers = static_cast<AttrNumber*>(palloc(sizeof(AttrNumber) * static_cast<Size>(order.columns)));
  order.operators = static_cast<Oid*>(palloc(sizeof(Oid) * static_cast<Size>(order.columns)));
  order.collations = static_cast<Oid*>(palloc(sizeof(Oid) * static_cast<Size>(order.columns)));
  for (int i = 0; i < order.columns; ++i) {
    const int key = list_nth_int(keys_, i);
    order.numbers[i] = all.numbers[key];
    order.operators[i] = all.operators[key];
    order.collations[i] = all.collations[key];
  }
  return order;
}

void GroupCurves::put(const TupleTableSlot* row) {
  ReleaseGate& gate = *node_->gate;
  if (rows_ == nullptr) {
    MemoryContext const outer = MemoryContextSwitchTo(node_->css.ss.ps.state->es_query_cxt);
    rows_ = new (palloc(sizeof(Answers))) Answers(node_->shape, order());
    MemoryContextSwitchTo(outer);
  }
  for (int i = 0; i < count_; ++i) {
    const Curve& curve = curves_[i];
    const unsigned refinement = gate.call(curve.aggregate).calibration.refinement;
    gate.show(curve.place, gate.exact(curve.place) >> refinement);
  }
  rows_->put(const_cast<TupleTableSlot*>(row), size_++, gate.noisy());
}

// Whether another order begins with the row, whose keys are kept.
bool GroupCurves::is_new_order(const TupleTableSlot* row, Datum* keys, bool* nulls) const {
  bool is_new = false;
  for (int i = 0; i < parts_; ++i) {
    const int key = list_nth_int(keys_, i);
    const Form_pg_attribute column = TupleDescAttr(node_->shape, key);
    const TypeCacheEntry* const type = lookup_type_cache(column->atttypid, TYPECACHE_CMP_PROC_FINFO);
    const bool null = row->tts_isnull[key];
    const bool same =
        orders_ != NIL && null == nulls[i] &&
        (null || DatumGetInt32(FunctionCall2Coll(const_cast<FmgrInfo*>(&type->cmp_proc_finfo), column->attcollation,
                                                 keys[i], row->tts_values[key])) == 0);
    if (same) continue;
    is_new = true;
    nulls[i] = null;
    keys[i] = null ? 0 : datumCopy(row->tts_values[key], column->attbyval, column->attlen);
  }
  return is_new || orders_ == NIL;
}

// The exact numbers, and where each order begins.
void GroupCurves::read() {
  const Size count = static_cast<Size>(count_) * static_cast<Size>(size_);
  numbers_ = static_cast<noise::Int128*>(MemoryContextAllocHuge(CurrentMemoryContext, count * sizeof(noise::Int128)));
  auto* const integers = static_cast<noise::Int128*>(palloc(sizeof(noise::Int128) * static_cast<Size>(integers_ + 1)));
  auto* const keys = static_cast<Datum*>(palloc(sizeof(Datum) * static_cast<Size>(parts_ + 1)));
  auto* const nulls = static_cast<bool*>(palloc(static_cast<Size>(parts_ + 1)));
  for (std::int64_t at = 0; at < size_; ++at) {
    CHECK_FOR_INTERRUPTS();
    TupleTableSlot* const row = rows_->next(true);
    slot_getallattrs(row);
    rows_->noisy_of(row, integers);
    for (int i = 0; i < count_; ++i) numbers_[i * size_ + at] = integers[curves_[i].place];
    if (is_new_order(row, keys, nulls)) orders_ = lappend_int(orders_, 0);
    ++llast_int(orders_);
  }
}

// Of one order: from exact numbers in steps to those that are shown, in refined steps.
void GroupCurves::draw(const Curve& curve, noise::Int128* numbers, int groups) const {
  if (groups > curve.longest.buckets) throw std::logic_error("an order of groups is longer than was known");
  const PrefixSums sums{groups, curve.longest.branching};
  if (falls_) std::reverse(numbers, numbers + groups);
  const aggregate::Form& form = node_->gate->call(curve.aggregate).form;
  std::vector<long double> totals =
      aggregate::noisy_totals(sums, {numbers, static_cast<std::size_t>(groups)}, curve.calibration, pg::random_bits());
  if (curve.rises) {
    const auto variances = PrefixVariances(sums).of_prefixes();
    totals = consistency::monotone(totals, std::vector<long double>(variances.begin(), variances.end()));
    for (long double& total : totals) total = std::max(total, 0.0L);
  }
  noise::Int128 before = 0;
  for (int i = 0; i < groups; ++i) {
    const noise::Int128 total = whole(totals[static_cast<std::size_t>(i)], form);
    numbers[i] = total - std::exchange(before, total);
  }
  if (falls_) std::reverse(numbers, numbers + groups);
}

void GroupCurves::release(Answers* answers, bool noisy) {
  if (rows_ == nullptr) return;
  rows_->finish();
  read();
  pg::entry([this] {
    for (int i = 0; i < count_; ++i) {
      std::int64_t first = i * size_;
      ListCell* cell;
      foreach (cell, orders_) {
        draw(curves_[i], numbers_ + first, lfirst_int(cell));
        first += lfirst_int(cell);
      }
    }
  });
  rows_->rewind();
  auto* const integers = static_cast<noise::Int128*>(palloc(sizeof(noise::Int128) * static_cast<Size>(integers_ + 1)));
  TupleTableSlot* const shown = MakeSingleTupleTableSlot(node_->shape, &TTSOpsVirtual);
  ExprContext* const context = node_->css.ss.ps.ps_ExprContext;
  const int columns = node_->shape->natts;
  for (std::int64_t at = 0; at < size_; ++at) {
    CHECK_FOR_INTERRUPTS();
    ResetExprContext(context);
    MemoryContext const outer = MemoryContextSwitchTo(context->ecxt_per_tuple_memory);
    TupleTableSlot* const row = rows_->next(true);
    slot_getallattrs(row);
    rows_->noisy_of(row, integers);
    ExecClearTuple(shown);
    memcpy(shown->tts_values, row->tts_values, static_cast<Size>(columns) * sizeof(Datum));
    memcpy(shown->tts_isnull, row->tts_isnull, static_cast<Size>(columns) * sizeof(bool));
    for (int i = 0; i < count_; ++i) {
      const Curve& curve = curves_[i];
      const noise::Int128 number = integers[curve.place] = numbers_[i * size_ + at];
      shown->tts_values[node_->columns[curve.aggregate] - 1] = pg::entry([&] {
        return aggregate::answer_of(node_->gate->call(curve.aggregate).form, {&number, 1}, nullptr);
      });
    }
    ExecStoreVirtualTuple(shown);
    MemoryContextSwitchTo(outer);
    answers->put(shown, at, {integers, noisy ? static_cast<std::size_t>(integers_) : 0});
  }
  ExecDropSingleTupleTableSlot(shown);
  rows_->end();
}

}  // namespace dp::guard
