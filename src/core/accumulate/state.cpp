#include "core/accumulate/state.h"

#include "core/accumulate/points.h"
#include "core/accumulate/sample.h"

namespace dp::aggregate {
namespace {

static_assert(alignof(AllMomentsState) <= 8 && alignof(RegressionState) <= 8, "palloc aligns to 8 bytes");
static_assert(sizeof(CountState) == 16 && sizeof(SumState) == 24 && sizeof(MeanState) == 32 &&
                  sizeof(MomentsState) == 48 && sizeof(TotalsState) == 48 && sizeof(AllMomentsState) == 64 &&
                  sizeof(CovarianceState) == 96 && sizeof(RegressionState) == 176,
              "SSPACE in sql/install/20-aggregates.sql and 25-pairs.sql tells the planner these sizes");

template <class S>
void merge_as(State& into, const State& from) {
  static_cast<S&>(into).merge(static_cast<const S&>(from));
}

void merge_histograms(State& into, const State& from) {
  auto& sum = static_cast<HistogramState&>(into);
  const auto& other = static_cast<const HistogramState&>(from);
  for (std::uint64_t i = 0; i < sum.size; ++i) sum.counts()[i] += other.counts()[i];
}

}  // namespace

std::size_t state_bytes(const State& state) {
  switch (state.tag) {
    case Tag::count:
      return sizeof(CountState);
    case Tag::sum:
      return sizeof(SumState);
    case Tag::mean:
      return sizeof(MeanState);
    case Tag::moments:
      return sizeof(MomentsState);
    case Tag::totals:
      return sizeof(TotalsState);
    case Tag::all_moments:
      return sizeof(AllMomentsState);
    case Tag::covariance:
      return sizeof(CovarianceState);
    case Tag::regression:
      return sizeof(RegressionState);
    case Tag::histogram: {
      const std::uint64_t size = static_cast<const HistogramState&>(state).size;
      return size >= 1 && size <= kMaxBuckets ? HistogramState::bytes(size) : 0;
    }
    case Tag::sample: {
      const auto& sample = static_cast<const SampleState&>(state);
      return sample.is_valid() ? SampleState::bytes(sample.used) : 0;
    }
    case Tag::points: {
      const auto& points = static_cast<const PointsState&>(state);
      return points.is_valid() ? PointsState::bytes(points.used) : 0;
    }
  }
  return 0;
}

bool is_state(const void* data, std::size_t bytes) {
  if (bytes < sizeof(CountState)) return false;
  if (static_cast<const State*>(data)->tag == Tag::sample && bytes < sizeof(SampleState)) return false;
  if (static_cast<const State*>(data)->tag == Tag::points &&
      (bytes < sizeof(PointsState) || static_cast<const PointsState*>(data)->file != nullptr))
    return false;
  return state_bytes(*static_cast<const State*>(data)) == bytes;
}

bool merge_states(State& into, const State& from) {
  const std::size_t bytes = state_bytes(into);
  if (bytes == 0 || from.tag != into.tag || state_bytes(from) != bytes) return false;
  switch (into.tag) {
    case Tag::count:
      merge_as<CountState>(into, from);
      break;
    case Tag::sum:
      merge_as<SumState>(into, from);
      break;
    case Tag::mean:
      merge_as<MeanState>(into, from);
      break;
    case Tag::moments:
      merge_as<MomentsState>(into, from);
      break;
    case Tag::totals:
      merge_as<TotalsState>(into, from);
      break;
    case Tag::all_moments:
      merge_as<AllMomentsState>(into, from);
      break;
    case Tag::covariance:
      merge_as<CovarianceState>(into, from);
      break;
    case Tag::regression:
      merge_as<RegressionState>(into, from);
      break;
    case Tag::histogram:
      merge_histograms(into, from);
      break;
    case Tag::sample:
    case Tag::points:
      return false;
  }
  return true;
}

}  // namespace dp::aggregate
