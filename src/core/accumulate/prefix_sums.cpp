#include "core/accumulate/prefix_sums.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "core/noise/interrupt.h"

namespace dp::aggregate {

using noise::Int128;
using noise::Uint128;

namespace {

constexpr unsigned kSeriesBits = 16;  // of T
constexpr unsigned kColumnBits = 14;  // of D

// The integers of a root.
struct Root {
  std::vector<std::int64_t> series;   // T_k
  std::vector<std::int64_t> columns;  // D_j
  Uint128 l1 = 0;                     // the largest of its columns
  Uint128 l2_squared = 0;
  Uint128 linf = 0;

  explicit Root(int size) : series(static_cast<std::size_t>(size)), columns(series.size()) {
    constexpr unsigned kBits = 60;
    Uint128 coefficient = Uint128{1} << kBits;
    for (std::size_t k = 0; k < series.size(); ++k) {
      if (k > 0) coefficient = coefficient * (2 * k - 1) / (2 * k);
      series[k] =
          static_cast<std::int64_t>((coefficient + (Uint128{1} << (kBits - kSeriesBits - 1))) >> (kBits - kSeriesBits));
    }
    Uint128 sum = 0, squares = 0;
    for (std::size_t k = 0; k < series.size(); ++k) {
      const auto entry = static_cast<Uint128>(series[k]);
      sum += entry;
      squares += entry * entry;
      // Rounded down, so that no column is longer than 2^(both).
      const Uint128 factor = (Uint128{1} << (kSeriesBits + kColumnBits)) / mechanism::root_above(squares);
      columns[series.size() - 1 - k] = static_cast<std::int64_t>(factor);
      l1 = std::max(l1, factor * sum);
      l2_squared = std::max(l2_squared, factor * factor * squares);
      linf = std::max(linf, factor * static_cast<Uint128>(series[0]));
    }
  }
};

// The nodes of a tree of that branching over so many buckets: the numbers of its levels, from the buckets on.
std::vector<int> levels_of(const PrefixSums& sums) {
  std::vector<int> levels{sums.buckets};
  while (sums.branching > PrefixSums::kAlone && levels.back() > sums.branching)
    levels.push_back((levels.back() + sums.branching - 1) / sums.branching);
  return levels;
}

// The nodes right below one: from `first` to before `last`.
struct Children {
  int first;
  int last;

  Children(int branching, int node, int there) : first(node * branching), last(std::min(first + branching, there)) {}
};

double sum_of(const std::vector<double>& numbers, const Children& children) {
  return std::accumulate(numbers.begin() + children.first, numbers.begin() + children.last, 0.0);
}

// The variance of the best estimate of each node from itself and what lies below it, by level.
std::vector<std::vector<double>> combined_variances(const PrefixSums& sums, const std::vector<int>& levels) {
  std::vector<std::vector<double>> variances;
  for (std::size_t level = 0; level < levels.size(); ++level) {
    std::vector<double> here(static_cast<std::size_t>(levels[level]), 1.0);
    for (int node = 0; level > 0 && node < levels[level]; ++node) {
      const double below = sum_of(variances.back(), Children(sums.branching, node, levels[level - 1]));
      here[static_cast<std::size_t>(node)] = below / (below + 1);
    }
    variances.push_back(std::move(here));
  }
  return variances;
}

// Least squares on each tree: the best estimates upwards, then what they are out by is shared downwards.
std::vector<long double> buckets_of_tree(const PrefixSums& sums, noise::Int128View noisy, unsigned refinement) {
  const std::vector<int> levels = levels_of(sums);
  const auto variances = combined_variances(sums, levels);
  std::vector<std::vector<long double>> estimates, below(levels.size());
  std::size_t next = 0;
  for (std::size_t level = 0; level < levels.size(); ++level) {
    std::vector<long double> here;
    for (int node = 0; node < levels[level]; ++node) {
      const long double own = std::ldexp(static_cast<long double>(noisy[next++]), -static_cast<int>(refinement));
      if (level == 0) {
        here.push_back(own);
        continue;
      }
      const Children children(sums.branching, node, levels[level - 1]);
      const std::vector<long double>& parts = estimates.back();
      const long double sum = std::accumulate(parts.begin() + children.first, parts.begin() + children.last, 0.0L);
      const double variance = sum_of(variances[level - 1], children);
      below[level].push_back(sum);
      here.push_back((own * variance + sum) / (variance + 1));
    }
    estimates.push_back(std::move(here));
  }
  for (std::size_t level = levels.size() - 1; level > 0; --level) {
    for (int node = 0; node < levels[level]; ++node) {
      const Children children(sums.branching, node, levels[level - 1]);
      const auto at = static_cast<std::size_t>(node);
      const long double missing = estimates[level][at] - below[level][at];
      const double variance = sum_of(variances[level - 1], children);
      for (auto child = static_cast<std::size_t>(children.first); child < static_cast<std::size_t>(children.last);
           ++child)
        estimates[level - 1][child] += missing * variances[level - 1][child] / variance;
    }
  }
  return estimates.front();
}

// The integers of a factorisation, from one number for each bucket.
template <class Number>
void weigh(const PrefixSums& sums, const Number* numbers, Int128* integers) {
  const auto size = static_cast<std::size_t>(sums.buckets);
  if (sums.is_root()) {
    const Root root(sums.buckets);
    for (std::size_t i = 0; i < size; ++i) {
      if (i % 256 == 0) noise::check_interrupt();
      integers[i] = 0;
      for (std::size_t j = 0; j <= i; ++j)
        integers[i] += Int128{root.series[i - j] * root.columns[j]} * static_cast<Int128>(numbers[j]);
    }
    return;
  }
  std::copy_n(numbers, size, integers);
  const std::vector<int> levels = levels_of(sums);
  Int128* next = integers + size;
  for (std::size_t level = 1; level < levels.size(); ++level) {
    const Int128* const lower = next - levels[level - 1];
    for (int node = 0; node < levels[level]; ++node) {
      const Children children(sums.branching, node, levels[level - 1]);
      next[node] = std::accumulate(lower + children.first, lower + children.last, Int128{0});
    }
    next += levels[level];
  }
}

// Forward substitution.
std::vector<long double> buckets_of_root(int size, noise::Int128View noisy, unsigned refinement) {
  const Root root(size);
  std::vector<long double> found(noisy.size);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (i % 256 == 0) noise::check_interrupt();
    long double rest = std::ldexp(static_cast<long double>(noisy[i]), -static_cast<int>(refinement));
    for (std::size_t k = 1; k <= i; ++k) rest -= static_cast<long double>(root.series[k]) * found[i - k];
    found[i] = rest / static_cast<long double>(root.series[0]);
  }
  for (std::size_t j = 0; j < found.size(); ++j) found[j] /= static_cast<long double>(root.columns[j]);
  return found;
}

}  // namespace

PrefixSums PrefixSums::by_tree(int buckets) {
  PrefixSums best{buckets, kAlone};
  double least = PrefixVariances(best).mean();
  for (const int branching : {8, 16}) {
    const PrefixSums tree{buckets, branching};
    const double levels = tree.levels(), variance = levels * levels * PrefixVariances(tree).mean();
    if (variance >= least) continue;
    best = tree;
    least = variance;
  }
  return best;
}

bool PrefixSums::is_valid() const {
  return buckets >= 1 && buckets <= kMostCumulated &&
         (branching == kRoot || branching == kAlone || branching == 8 || branching == 16);
}

int PrefixSums::levels() const { return is_root() ? 1 : static_cast<int>(levels_of(*this).size()); }

int PrefixSums::integers() const {
  if (is_root()) return buckets;
  const std::vector<int> levels = levels_of(*this);
  return std::accumulate(levels.begin(), levels.end(), 0);
}

mechanism::Changes PrefixSums::changes() const {
  if (is_root()) {
    const Root root(buckets);
    return {static_cast<unsigned>(buckets), root.l1, mechanism::root_above(root.l2_squared), root.linf,
            root.l2_squared};
  }
  const auto changed = static_cast<unsigned>(levels());
  return {changed, changed, mechanism::root_above(changed), 1, changed};
}

void PrefixSums::put_integers(std::span<const std::uint64_t> counts, Int128* integers) const {
  weigh(*this, counts.data(), integers);
}

void PrefixSums::put_integers(noise::Int128View numbers, Int128* integers) const {
  weigh(*this, numbers.values, integers);
}

std::vector<long double> PrefixSums::long_sums_of(noise::Int128View noisy, unsigned refinement) const {
  std::vector<long double> sums =
      is_root() ? buckets_of_root(buckets, noisy, refinement) : buckets_of_tree(*this, noisy, refinement);
  std::partial_sum(sums.begin(), sums.end(), sums.begin());
  return sums;
}

std::vector<double> PrefixSums::sums_of(noise::Int128View noisy, unsigned refinement) const {
  const std::vector<long double> sums = long_sums_of(noisy, refinement);
  return {sums.begin(), sums.end()};
}

Form cumulative_form(const Buckets& buckets, const PrefixSums& sums) {
  return {.kind = Form::Kind::cumulative,
          .exponent = sums.buckets << 8 | sums.branching,
          .lower = buckets.bounds.lower,
          .range = std::bit_cast<std::int64_t>(buckets.bounds.upper)};
}

PrefixSums sums_of_form(const Form& form) { return {form.exponent >> 8, form.exponent & 0xff}; }

Buckets buckets_of_form(const Form& form) {
  return {{form.lower, std::bit_cast<double>(form.range)}, sums_of_form(form).buckets};
}

PrefixVariances::PrefixVariances(const PrefixSums& sums) : sums_(sums) {
  if (!sums.is_root()) {
    combined_ = combined_variances(sums, levels_of(sums));
    return;
  }
  const Root root(sums.buckets);
  const double unit = std::ldexp(1.0, kSeriesBits);
  inverse_.resize(root.series.size());
  for (std::size_t i = 0; i < inverse_.size(); ++i) {
    double rest = i == 0 ? 1 : 0;
    for (std::size_t k = 1; k <= i; ++k) rest -= static_cast<double>(root.series[k]) / unit * inverse_[i - k];
    inverse_[i] = rest * unit / static_cast<double>(root.series[0]);
  }
  for (const std::int64_t column : root.columns)
    columns_.push_back(std::ldexp(static_cast<double>(column), -static_cast<int>(kColumnBits)));
}

bool PrefixVariances::Weights::change_within(int from, int to) const {
  return (one > from && one < to) || (other > from && other < to);
}

PrefixVariances::Reading PrefixVariances::below(int level, int node, const Weights& weights) const {
  int size = 1;
  for (int i = 0; i < level; ++i) size *= sums_.branching;
  if (!weights.change_within(node * size, std::min((node + 1) * size, sums_.buckets)))
    return {weights.at(node * size), 0};
  const std::vector<double>& variances = combined_[static_cast<std::size_t>(level - 1)];
  const Children children(sums_.branching, node, static_cast<int>(variances.size()));
  double weighted = 0, total = 0;
  std::vector<Reading> readings;
  for (int child = children.first; child < children.last; ++child) {
    const double variance = variances[static_cast<std::size_t>(child)];
    readings.push_back(below(level - 1, child, weights));
    weighted += readings.back().factor * variance;
    total += variance;
  }
  Reading whole{weighted / total, 0};
  for (std::size_t i = 0; i < readings.size(); ++i) {
    const double off = readings[i].factor - whole.factor;
    whole.variance += readings[i].variance + off * off * variances[static_cast<std::size_t>(children.first) + i];
  }
  return whole;
}

double PrefixVariances::of(const Weights& weights) const {
  double sum = 0;
  if (!sums_.is_root()) {
    const std::vector<double>& top = combined_.back();
    for (std::size_t node = 0; node < top.size(); ++node) {
      const Reading reading = below(static_cast<int>(combined_.size()) - 1, static_cast<int>(node), weights);
      sum += reading.factor * reading.factor * top[node] + reading.variance;
    }
    return sum;
  }
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    double of_integer = 0;
    for (std::size_t j = k; j < columns_.size(); ++j)
      of_integer += weights.at(static_cast<int>(j)) / columns_[j] * inverse_[j - k];
    sum += of_integer * of_integer;
  }
  return sum;
}

double PrefixVariances::of_range(int first, int last) const { return of({first, last, 0, 1, 0}); }

// By integer: what it adds to each prefix sum, of which the last is that of all rows.
std::vector<double> PrefixVariances::of_root(double part) const {
  std::vector<double> variances(columns_.size()), added(columns_.size());
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    double sum = 0;
    for (std::size_t j = k; j < columns_.size(); ++j) added[j] = sum += inverse_[j - k] / columns_[j];
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      const double off = (j < k ? 0 : added[j]) - part * sum;
      variances[j] += off * off;
    }
  }
  return variances;
}

std::vector<double> PrefixVariances::of_prefixes(double part) const {
  if (sums_.is_root()) return of_root(part);
  std::vector<double> variances;
  for (int last = 1; last <= sums_.buckets; ++last) {
    variances.push_back(sums_.branching == PrefixSums::kAlone
                            ? last * (1 - part) * (1 - part) + (sums_.buckets - last) * part * part
                            : of({last, sums_.buckets, 1 - part, -part, 0}));
  }
  return variances;
}

double PrefixVariances::mean() const {
  const std::vector<double> all = of_prefixes();
  return std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
}

double PrefixVariances::largest() const {
  const std::vector<double> all = of_prefixes();
  return *std::max_element(all.begin(), all.end());
}

}  // namespace dp::aggregate
