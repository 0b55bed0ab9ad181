// dp_cumulative: how many rows lie below each edge of many buckets, from one release (prefix_sums.h).
//
// A row lies in one bucket. By Gaussian noise the answer is made of the numbers of a root, by Laplace noise of those
// of a tree; which one it is has to be known before what a privacy unit changes is.
#include "core/accumulate/prefix_sums.h"

#include <cmath>
#include <string>

#include "aggregate/kinds/histogram.h"
#include "core/mechanism/catalogue.h"
#include "core/mechanism/error.h"
#include "core/mechanism/mechanism_text.h"
#include "pg/errors.h"

namespace dp::aggregate {
namespace {

struct CumulativeCall : HistogramCall {
  Buckets buckets;
  PrefixSums sums;
};

void use(CumulativeCall* call, const PrefixSums& sums) {
  call->sums = sums;
  call->changes = sums.changes();
  call->noise = sums.levels() * std::sqrt(PrefixVariances(sums).mean());
  set_form(call, cumulative_form(call->buckets, sums), sums.integers());
}

// What is off in the same way wherever a value lies, and adds up.
bool is_tree_law(const mechanism::Mechanism& m) {
  return m.family == &mechanism::kAuto || m.family == &mechanism::kGeometric || m.family == &mechanism::kLaplace;
}

// (value, lower, upper, buckets, epsilon [, mechanism])
Call* prepare_cumulative(const Arguments& arguments) {
  if (arguments.type(0) != FLOAT8OID) arguments.refuse_signature();
  auto* const call = make_call<CumulativeCall>();
  call->buckets = buckets_argument(arguments);
  call->size = call->buckets.count;
  if (call->size < 1 || call->size > kMostCumulated) {
    throw Error(
        "number of buckets must be from 1 to " + std::to_string(kMostCumulated) + ", not " + std::to_string(call->size),
        "For example dp_cumulative(age, 0, 110, 110, 0.5).");
  }
  fill_counting(call, arguments, 4);
  const bool gaussian = call->mechanism.family == &mechanism::kGaussian;
  if (!gaussian && !is_tree_law(call->mechanism)) {
    throw Error("dp_cumulative adds Laplace or Gaussian noise, not that of " + mechanism::format(call->mechanism),
                "Write geometric, laplace or gaussian(delta=1e-6), or leave the mechanism out.");
  }
  use(call, gaussian ? PrefixSums::by_root(call->size) : PrefixSums::by_tree(call->size));
  return call;
}

// Where the root is off by less than half of what the tree is: else what is lost of epsilon for good is not worth it.
// Of Laplace noise the deviation is sqrt(2) times as large at the same epsilon and change.
void with_gaussian(Call* made) {
  auto* const call = static_cast<CumulativeCall*>(made);
  if (call->mechanism.family != &mechanism::kAuto) return;
  const PrefixSums root = PrefixSums::by_root(call->size);
  const double levels = call->sums.levels();
  if (4 * PrefixVariances(root).mean() > 2 * levels * levels * PrefixVariances(call->sums).mean()) return;
  call->mechanism = mechanism::parse("gaussian");
  use(call, root);
}

}  // namespace

DP_SQL_FUNCTION(dp_cumulative_add) {
  const auto& call = call_of<CumulativeCall>(fcinfo);
  return add_to_bucket(fcinfo, call,
                       [&](Datum value) { return std::optional<int>(call.buckets.nearest(DatumGetFloat8(value))); });
}

DP_SQL_FUNCTION(dp_cumulative_answer) {
  const auto& call = answering_call<CumulativeCall>(fcinfo);
  const auto size = static_cast<std::size_t>(call.coordinates);
  auto* const integers = static_cast<Int128*>(palloc(size * sizeof(Int128)));
  call.sums.put_integers(final_counts(fcinfo, call), integers);
  return answer(call, {integers, size});
}

const Support kCumulative{dp_cumulative_add, dp_cumulative_answer, prepare_cumulative,
                          Release::noise,    Tag::sample,          with_gaussian};

}  // namespace dp::aggregate
