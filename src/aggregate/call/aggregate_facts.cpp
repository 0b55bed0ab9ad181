// What prepare_plan.h says of aggregates by the functions that they run on.
#include <limits>

#include "aggregate/call/call.h"
#include "aggregate/call/local_supports.h"
#include "aggregate/call/prepare_plan.h"
#include "aggregate/call/unit_aggregates.h"
#include "aggregate/call/unit_buckets.h"
#include "aggregate/call/unit_sample.h"
#include "aggregate/call/vector_datum.h"
#include "core/accumulate/grid.h"

namespace dp::aggregate {
namespace {

// Of a call with a value and two bounds behind it that are constants.
bool has_infinite_bound(const Aggref* call) {
  constexpr int kLower = 1, kUpper = 2;
  if (list_length(call->args) <= kUpper) return false;
  const auto end = [&](int position) {
    const auto* const bound = reinterpret_cast<const Const*>(list_nth_node(TargetEntry, call->args, position)->expr);
    const bool known = IsA(bound, Const) && bound->consttype == FLOAT8OID && !bound->constisnull;
    return known ? DatumGetFloat8(bound->constvalue) : std::numeric_limits<double>::quiet_NaN();
  };
  return is_open({end(kLower), end(kUpper)});
}

}  // namespace

bool answers_by_unit(Oid aggregate) {
  const Support* const support = support_of(aggregate);
  return support != nullptr && support->of_unit.has_value();
}

bool is_open_spread(const Aggref* call) {
  const Support* const support = support_of(call->aggfnoid);
  return support != nullptr && support->open != nullptr && has_infinite_bound(call);
}

bool keeps_rows(const Aggref* call) {
  const Support* const support = support_of(call->aggfnoid);
  return support != nullptr && (support->of_unit == Tag::sample || is_open_spread(call));
}

bool is_scale_free(const Aggref* call) { return is_scale_free(call->aggfnoid) || is_open_spread(call); }

bool is_scale_free(Oid aggregate) {
  const Support* const support = support_of(aggregate);
  return support == &kMedian || support == &kQuantile || support == &kQuantiles || support == &kMode ||
         support == &kMin || support == &kMax;
}

bool counts_buckets(Oid aggregate) {
  const Support* const support = support_of(aggregate);
  return support != nullptr && counts_buckets(*support);
}

int most_kept_in_tables() { return static_cast<int>(kMostInRecord); }

const char* name_of_vector(Oid aggregate) {
  const Support* const support = support_of(aggregate);
  if (support == &kTotals) return vector_name(Form::Kind::totals);
  if (support == &kCumulative) return "cumulative";
  if (support == &kCovariance) return vector_name(Form::Kind::covariance);
  if (support == &kRegression) return vector_name(Form::Kind::regression);
  return support == &kAllMoments ? vector_name(Form::Kind::all_moments) : nullptr;
}

Part part_of_column(Oid aggregate, bool values) {
  constexpr std::pair<const Support*, Part> kParts[] = {
      {&kSum, Part::sum},
      {&kAvg, Part::avg},
      {&kVariance, Part::variance},
      {&kStddev, Part::stddev},
      {&kVarPop, Part::population_variance},
      {&kStddevPop, Part::population_stddev},
      {&kTotals, Part::totals},
      {&kCovariance, Part::covariances},
  };
  const Support* const support = support_of(aggregate);
  if (support == &kCount) return values ? Part::count : Part::rows;
  for (const auto& [of, part] : kParts)
    if (of == support) return part;
  for (int i = 0; i < kPairPartCount; ++i)
    if (support == &kPairParts[i]) return static_cast<Part>(static_cast<int>(Part::pairs) + i);
  return Part::whole;
}

bool answers_about_pairs(Oid aggregate) {
  return support_of(aggregate) == &kRegression || is_of_pairs(part_of_column(aggregate, true));
}

bool is_limited_by_rows(const Aggref* call) {
  const Support* const support = support_of(call->aggfnoid);
  return support != nullptr && support->of_unit && has_limit(*support->of_unit) && *support->of_unit != Tag::sum &&
         !is_open_spread(call);
}

bool is_count(Oid aggregate) { return support_of(aggregate) == &kCount; }

bool is_open_sum(const Aggref* call) { return support_of(call->aggfnoid) == &kSum && has_infinite_bound(call); }

}  // namespace dp::aggregate
