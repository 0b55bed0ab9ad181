#include "core/consistency/top_down.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/noise/interrupt.h"

namespace dp::consistency {
namespace {

std::size_t place(int number) { return static_cast<std::size_t>(number); }

// The parts of one sum.
class Parts {
 public:
  Parts(std::vector<int> nodes, const Fit& fit) : nodes_(std::move(nodes)) {
    for (const int node : nodes_) {
      values_.push_back(fit.value[place(node)]);
      const Real variance = fit.variance[place(node)];
      variances_.push_back(std::isinf(variance) ? 1e12L : variance);
    }
  }

  void share(Real sum, Shape shape, Fit* fit) {
    if (shape.nonnegative) values_ = onto_simplex(values_, variances_, sum);
    if (shape.whole) values_ = largest_remainder(values_, variances_, sum);
    for (std::size_t i = 0; i < nodes_.size(); ++i) fit->value[place(nodes_[i])] = values_[i];
  }

 private:
  std::vector<int> nodes_;
  std::vector<Real> values_, variances_;
};

Real alone(Real value, Shape shape) {
  if (shape.nonnegative) value = std::max(value, Real{0});
  return shape.whole ? std::nearbyint(value) : value;
}

}  // namespace

void fit_top_down(const Levels& levels, Shape shape, Fit* fit) {
  if (!shape.whole && !shape.nonnegative) return;
  const auto& nodes = levels.nodes();
  std::vector<std::vector<int>> children(nodes.size()), by_level(levels.sets().size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    by_level[place(nodes[i].level)].push_back(static_cast<int>(i));
    if (nodes[i].parent >= 0) children[place(nodes[i].parent)].push_back(static_cast<int>(i));
  }
  for (const int level : levels.chain()) {
    for (const int number : by_level[place(level)]) {
      noise::check_interrupt();
      const std::size_t i = place(number);
      if (nodes[i].parent < 0 && nodes[i].variance != 0) fit->value[i] = alone(fit->value[i], shape);
      if (!children[i].empty()) Parts(std::move(children[i]), *fit).share(fit->value[i], shape, fit);
    }
  }
  if (levels.nested()) return;
  std::vector<Real> sums(nodes.size(), 0);
  std::vector<bool> covered(nodes.size(), false);
  for (std::size_t cell = 0; cell < levels.cells().size(); ++cell) {
    for (std::size_t level = 0; level < levels.sets().size(); ++level) {
      const int node = levels.cover(cell, level);
      if (node < 0) continue;
      covered[place(node)] = true;
      sums[place(node)] += fit->value[place(levels.cells()[cell])];
    }
  }
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].variance != 0) fit->value[i] = covered[i] ? sums[i] : alone(fit->value[i], shape);
}

std::vector<Real> onto_simplex(std::span<const Real> values, std::span<const Real> variances, Real sum) {
  std::vector<Real> fitted(values.size());
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < values.size(); ++i) {
    fitted[i] = std::max(values[i], Real{0});
    if (variances[i] > 0) {
      order.push_back(i);
    } else {
      sum -= fitted[i];
    }
  }
  // In the order in which they come to be zero, the last one first.
  std::sort(order.begin(), order.end(), [&](std::size_t one, std::size_t other) {
    return values[one] * variances[other] > values[other] * variances[one];
  });
  Real above = 0, weight = 0, threshold = 0;
  for (const std::size_t i : order) {
    above += values[i];
    weight += variances[i];
    const Real here = (above - sum) / weight;
    if (values[i] <= here * variances[i]) break;
    threshold = here;
  }
  const bool any = sum > 0;
  for (const std::size_t i : order) fitted[i] = any ? std::max(values[i] - threshold * variances[i], Real{0}) : 0;
  return fitted;
}

std::vector<Real> largest_remainder(std::span<const Real> values, std::span<const Real> variances, Real sum) {
  std::vector<Real> fitted(values.begin(), values.end());
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum -= variances[i] > 0 ? 0 : values[i];
    if (variances[i] > 0) order.push_back(i);
  }
  if (order.empty()) return fitted;
  // Where their sum is another one by rounding, all are off by the same; numbers that have become zero stay so.
  const auto is_zero = [&](std::size_t i) { return values[i] == 0; };
  const auto loose =
      static_cast<Real>(order.size() - static_cast<std::size_t>(std::count_if(order.begin(), order.end(), is_zero)));
  Real off = sum;
  for (const std::size_t i : order) off -= values[i];
  Real left = sum;
  std::vector<Real> fraction(values.size(), 0);
  for (const std::size_t i : order) {
    // What lies within rounding of a whole number is one.
    const Real moved = values[i] + (is_zero(i) && loose > 0 ? 0 : off / std::max(loose, Real{1}));
    const Real nearest = std::nearbyint(moved);
    fitted[i] = std::fabs(moved - nearest) < 1e-6L ? nearest : std::floor(moved);
    fraction[i] = moved - fitted[i];
    left -= fitted[i];
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t one, std::size_t other) { return fraction[one] > fraction[other]; });
  // At most one for each, but where what is left is more than that: then the same for all, and one more for some.
  const auto count = static_cast<Real>(order.size());
  const Real each = std::floor(left / count);
  Real more = left - each * count;
  for (const std::size_t i : order) {
    fitted[i] += each + (more > 0 ? 1 : 0);
    more -= 1;
  }
  return fitted;
}

std::vector<Real> monotone(std::span<const Real> values, std::span<const Real> variances) {
  Real least = INFINITY, most = 0;
  for (const Real variance : variances) {
    if (variance == 0 || std::isinf(variance)) continue;
    least = std::min(least, variance);
    most = std::max(most, variance);
  }
  if (most == 0) least = most = 1;
  struct Pool {
    Real mean, weight;
    std::size_t count;
  };
  std::vector<Pool> pools;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Real variance = variances[i];
    const Real weight = variance == 0 ? 1e9L / least : std::isinf(variance) ? 1e-12L / most : 1 / variance;
    pools.push_back({values[i], weight, 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean > pools.back().mean) {
      const Pool last = pools.back();
      pools.pop_back();
      Pool& pool = pools.back();
      pool.mean = (pool.mean * pool.weight + last.mean * last.weight) / (pool.weight + last.weight);
      pool.weight += last.weight;
      pool.count += last.count;
    }
  }
  std::vector<Real> fitted;
  for (const Pool& pool : pools) fitted.insert(fitted.end(), pool.count, pool.mean);
  return fitted;
}

}  // namespace dp::consistency
