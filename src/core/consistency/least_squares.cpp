#include "core/consistency/least_squares.h"

#include <algorithm>
#include <cmath>

#include "core/noise/interrupt.h"

namespace dp::consistency {
namespace {

// What is kept counts so much more than other answers, and what is not known so much less.
constexpr Real kKept = 1e9L, kUnknown = 1e12L;

// Beyond so many operations variances are left as they are.
constexpr double kMostWork = 2e7;

std::size_t place(int number) { return static_cast<std::size_t>(number); }

struct Variances {
  Real least = INFINITY, most = 0;  // of answers that are not kept
};

Variances range_of(const Levels& levels) {
  Variances found;
  for (const Levels::Node& node : levels.nodes()) {
    if (node.variance == 0 || std::isinf(node.variance)) continue;
    found.least = std::min(found.least, node.variance);
    found.most = std::max(found.most, node.variance);
  }
  return found;
}

// What nothing is said of is told apart again.
void forget_unknown(Fit* fit, Real most) {
  for (Real& variance : fit->variance)
    if (variance > most * kUnknown / 1e4L) variance = INFINITY;
}

Fit of_tree(const Levels& levels, const Variances& range) {
  const auto& nodes = levels.nodes();
  const std::size_t n = nodes.size();
  std::vector<std::vector<int>> by_level(levels.sets().size());
  for (std::size_t i = 0; i < n; ++i) by_level[place(nodes[i].level)].push_back(static_cast<int>(i));
  std::vector<Real> sum(n, 0), sum_variance(n, 0);
  std::vector<bool> parted(n, false);
  Fit fit{std::vector<Real>(n), std::vector<Real>(n)};
  // Up: what a node and all below it say of it.
  for (auto level = by_level.rbegin(); level != by_level.rend(); ++level) {
    for (const int number : *level) {
      const std::size_t i = place(number);
      const Levels::Node& node = nodes[i];
      const bool unknown = std::isinf(node.variance);
      const Real own = unknown ? range.most * kUnknown : node.variance;
      const Real below = sum_variance[i], both = own + below;
      if (parted[i] && unknown) {
        fit.value[i] = sum[i];
        fit.variance[i] = below;
      } else if (parted[i] && both > 0) {
        fit.value[i] = (node.answer * below + sum[i] * own) / both;
        fit.variance[i] = own * below / both;
      } else {
        fit.value[i] = node.answer;
        fit.variance[i] = own;
      }
      if (node.parent < 0) continue;
      sum[place(node.parent)] += fit.value[i];
      sum_variance[place(node.parent)] += fit.variance[i];
      parted[place(node.parent)] = true;
    }
  }
  // Down: what the others above and beside it say.
  const std::vector<Real> up = fit.variance;
  for (const auto& level : by_level) {
    for (const int number : level) {
      const std::size_t i = place(number);
      const int parent = nodes[i].parent;
      if (parent < 0 || sum_variance[place(parent)] == 0) continue;
      const std::size_t p = place(parent);
      const Real share = up[i] / sum_variance[p];
      fit.value[i] += (fit.value[p] - sum[p]) * share;
      fit.variance[i] = up[i] * (1 - share) + share * share * fit.variance[p];
    }
  }
  return fit;
}

// Of the cells, whose sums the answers are.
class NormalEquations {
 public:
  NormalEquations(const Levels& levels, const Variances& range)
      : levels_(levels), weight_(levels.nodes().size()), sums_(levels.nodes().size()) {
    for (std::size_t i = 0; i < weight_.size(); ++i) {
      const Real variance = levels.nodes()[i].variance;
      weight_[i] = variance == 0          ? kKept / range.least
                   : std::isinf(variance) ? 1 / (range.most * kUnknown)
                                          : 1 / variance;
    }
    diagonal_ = spread(weight_);
  }

  // Of each cell the sum over the nodes that it belongs to.
  std::vector<Real> spread(const std::vector<Real>& of_nodes) const {
    std::vector<Real> cells(levels_.cells().size(), 0);
    each([&](std::size_t cell, int node) { cells[cell] += of_nodes[place(node)]; });
    return cells;
  }

  // Of each node the sum over its cells.
  void add_up(const std::vector<Real>& cells, std::vector<Real>* nodes) const {
    std::fill(nodes->begin(), nodes->end(), Real{0});
    each([&](std::size_t cell, int node) { (*nodes)[place(node)] += cells[cell]; });
  }

  const std::vector<Real>& weight() const { return weight_; }

  // Once more for what the first time left, which is little beside what is kept.
  std::vector<Real> solve(const std::vector<Real>& right) {
    std::vector<Real> x = step_down(right);
    std::vector<Real> rest = times(x);
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i] = right[i] - rest[i];
    const std::vector<Real> more = step_down(rest);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += more[i];
    return x;
  }

 private:
  // Conjugate gradients, each cell scaled by how much is known of it.
  std::vector<Real> step_down(const std::vector<Real>& right) {
    const std::size_t n = right.size();
    std::vector<Real> x(n, 0), rest = right, scaled(n), direction(n);
    for (std::size_t i = 0; i < n; ++i) direction[i] = scaled[i] = rest[i] / diagonal_[i];
    Real size = dot(rest, scaled);
    const Real first = size;
    const std::size_t most = 100 + 20 * levels_.sets().size() + std::min<std::size_t>(n, 2000);
    for (std::size_t step = 0; step < most && size > first * 1e-30L; ++step) {
      noise::check_interrupt();
      const std::vector<Real> image = times(direction);
      const Real length = size / dot(direction, image);
      for (std::size_t i = 0; i < n; ++i) {
        x[i] += length * direction[i];
        rest[i] -= length * image[i];
        scaled[i] = rest[i] / diagonal_[i];
      }
      const Real before = size;
      size = dot(rest, scaled);
      for (std::size_t i = 0; i < n; ++i) direction[i] = scaled[i] + direction[i] * (size / before);
    }
    return x;
  }

  template <class F>
  void each(F f) const {
    const std::size_t count = levels_.sets().size();
    for (std::size_t cell = 0; cell < levels_.cells().size(); ++cell) {
      for (std::size_t level = 0; level < count; ++level) {
        if (const int node = levels_.cover(cell, level); node >= 0) f(cell, node);
      }
    }
  }

  std::vector<Real> times(const std::vector<Real>& cells) {
    add_up(cells, &sums_);
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] *= weight_[i];
    return spread(sums_);
  }

  static Real dot(const std::vector<Real>& one, const std::vector<Real>& other) {
    Real sum = 0;
    for (std::size_t i = 0; i < one.size(); ++i) sum += one[i] * other[i];
    return sum;
  }

  const Levels& levels_;
  std::vector<Real> weight_, diagonal_, sums_;
};

// Of the sum that a node is.
Real variance_of(std::size_t node, const Levels& levels, NormalEquations* equations) {
  std::vector<Real> one(levels.nodes().size(), 0);
  one[node] = 1;
  const std::vector<Real> right = equations->spread(one);
  const std::vector<Real> solved = equations->solve(right);
  Real sum = 0;
  for (std::size_t i = 0; i < right.size(); ++i) sum += right[i] * solved[i];
  return sum;
}

Fit of_grid(const Levels& levels, const Variances& range) {
  const auto& nodes = levels.nodes();
  NormalEquations equations(levels, range);
  std::vector<Real> weighted(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) weighted[i] = equations.weight()[i] * nodes[i].answer;
  Fit fit{std::vector<Real>(nodes.size()), std::vector<Real>(nodes.size())};
  equations.add_up(equations.solve(equations.spread(weighted)), &fit.value);

  std::vector<bool> covered(nodes.size(), false);
  for (std::size_t cell = 0; cell < levels.cells().size(); ++cell)
    for (std::size_t level = 0; level < levels.sets().size(); ++level)
      if (levels.cover(cell, level) >= 0) covered[place(levels.cover(cell, level))] = true;
  const bool symmetric = levels.symmetric();
  const double work = static_cast<double>(levels.cells().size()) * static_cast<double>(levels.sets().size());
  const bool each = work * static_cast<double>(nodes.size()) < kMostWork;
  std::vector<Real> of_level(levels.sets().size(), -1);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    Real& known = of_level[place(nodes[i].level)];
    if (!covered[i] || nodes[i].variance == 0) {
      fit.value[i] = nodes[i].answer;
      fit.variance[i] = nodes[i].variance;
    } else if (symmetric) {
      if (known < 0) known = variance_of(i, levels, &equations);
      fit.variance[i] = known;
    } else {
      fit.variance[i] = each ? variance_of(i, levels, &equations) : nodes[i].variance;
    }
  }
  return fit;
}

}  // namespace

Fit least_squares(const Levels& levels) {
  const Variances range = range_of(levels);
  Fit fit{{}, {}};
  if (range.most == 0) {  // all are kept, or nothing is known of them
    for (const Levels::Node& node : levels.nodes()) {
      fit.value.push_back(node.answer);
      fit.variance.push_back(node.variance);
    }
    return fit;
  }
  fit = levels.nested() ? of_tree(levels, range) : of_grid(levels, range);
  forget_unknown(&fit, range.most);
  return fit;
}

bool contradicts(const Levels& levels, const Fit& fit, Real width) {
  const auto& nodes = levels.nodes();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Real variance = nodes[i].variance;
    if (std::isinf(variance)) continue;
    const Real between = variance - fit.variance[i];
    if (between <= variance * 1e-9L) continue;
    if (std::fabs(nodes[i].answer - fit.value[i]) > width * std::sqrt(between)) return true;
  }
  return false;
}

}  // namespace dp::consistency
