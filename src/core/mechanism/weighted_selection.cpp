// The curve of private selection by weights: found in doubles, certified by integers (group_selection.h has the proof).
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "core/mechanism/error.h"
#include "core/mechanism/group_selection.h"
#include "core/noise/primitives.h"
#include "core/number/above.h"

namespace dp::mechanism {
namespace {

using noise::Uint128;
constexpr Uint128 kCertain = WeightedSelection::kCertain;

// The numbers of groups that are certified; others count as the next one, which costs them a twelfth at most.
constexpr std::array<std::int64_t, 19> kCertified{
    1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 25, 32, 40, 50, 64, 80, 100, WeightedSelection::kMostGroups};

// The greatest w with w^5 groups^2 <= kWhole^5.
constexpr std::int64_t weight_of(std::int64_t groups) {
  constexpr int kDigits = 20;  // of kWhole
  std::int64_t weight = 0;
  for (std::int64_t step = WeightedSelection::kWhole; step > 0; step /= 2) {
    const auto w = static_cast<Uint128>(weight + step);
    if (w <= WeightedSelection::kWhole &&
        w * w * w * w * w * static_cast<Uint128>(groups * groups) <= Uint128{1} << 5 * kDigits)
      weight += step;
  }
  return weight;
}

constexpr auto kWeights = [] {
  std::array<std::int64_t, WeightedSelection::kMostGroups + 1> weights{};
  std::size_t groups = 1;
  for (const std::int64_t certified : kCertified) {
    while (groups <= static_cast<std::size_t>(certified)) weights[groups++] = weight_of(certified);
  }
  return weights;
}();

// What is to be certified.
struct Rule {
  std::uint64_t order;  // A
  Real exponent;        // k
  Real alone;           // d
  double delta;
};

Real exponent_of(const Real& epsilon, const Real& delta, std::uint64_t order) {
  const Real a = order;
  return (a - 1) * epsilon + log(delta) + log(a - 1) - a * log1p(-1 / a);
}

// The order at which Gaussian noise would be least, of those in steps of 2 %.
std::uint64_t best_order(double epsilon, double delta) {
  std::uint64_t best = 2;
  double most = -1;
  for (std::uint64_t order = 2; order < std::uint64_t{1} << 50; order = std::max(order + 1, order + order / 50)) {
    const auto a = static_cast<double>(order);
    const double exponent = (a - 1) * epsilon + std::log(delta) + std::log(a - 1) - a * std::log1p(-1 / a);
    if (const double worth = exponent / (a - 1) / a; worth > most) most = worth, best = order;
  }
  return best;
}

// Of a delta that is no more than a thousandth and a twentieth of epsilon: more would not be worth its price.
Rule rule_of(Epsilon epsilon, Delta delta) {
  const Real e = Real(epsilon.nano) / Epsilon::kPerUnit;
  const Real d = std::min({Real(delta.atto) / Delta::kPerUnit, Real("1e-3"), Real(e / 20)});
  const std::uint64_t order = best_order(epsilon.value(), static_cast<double>(d));
  const Real k = exponent_of(e, d, order);
  const Real l = k - (Real(order) - 1) * d / (1 - d);
  if (l <= 0) throw std::logic_error("no order of divergences for private selection");
  return {order, k, d * -expm1(-l) * (1 - Real("1e-30")), static_cast<double>(d)};
}

// One number of groups that is certified.
struct Groups {
  std::int64_t number;
  std::int64_t weight;
  Uint128 alone;       // d/s, of kCertain
  Above most;          // e^(k/s)
  double most_beyond;  // the same less 1
};

std::vector<Groups> groups_of(const Rule& rule, std::int64_t most) {
  std::vector<Groups> all;
  for (const std::int64_t number : kCertified) {
    const auto alone = static_cast<unsigned __int128>(floor(ldexp(rule.alone, 126) / number));
    const Real bound = exp(rule.exponent / number) * (1 - Real("1e-30"));
    all.push_back({number, weight_of(number), alone, Above::not_above(bound), static_cast<double>(bound - 1)});
    if (number >= most) break;
  }
  return all;
}

// ---- in doubles: a curve that should be certified -------------------------------------------------------------------

class Draft {
 public:
  Draft(const Rule& rule, const std::vector<Groups>& groups)
      : order_(rule.order),
        alone_(static_cast<double>(rule.alone) * (1 - 1e-12)),
        first_(alone_ / static_cast<double>(groups.back().number)),
        groups_(groups) {
    const auto order = static_cast<double>(order_);
    const double deviation =
        std::sqrt((order - 1) * order / (2 * static_cast<double>(rule.exponent)));  // of Gaussian noise
    longest_ = std::sqrt(-2 * std::log(rule.delta)) * deviation * WeightedSelection::kWhole / 100;
    for (const Groups& g : groups) {
      if (!may_become({first_, 1 - first_}, {1 - first_, first_}, g)) asked_.push_back(g);
    }
  }

  // `part`: of the steepest that seems to do.
  WeightedSelection curve(double part) {
    WeightedSelection curve;
    for (double parts = 320; parts > 1; parts *= 0.7) {
      if (draw(&curve, part, parts)) return curve;
    }
    throw std::logic_error("a curve for private selection has too many points");
  }

 private:
  // In steps that are about such a part of the way from the first chance to a half. False where those are too many.
  bool draw(WeightedSelection* curve, double part, double parts) {
    double x = static_cast<double>(groups_.back().weight), p = first_;
    const double step = std::log(0.5 / p) / parts;
    curve->points = 0;
    add(curve, x, p);
    while (p < 0.5) {
      if (curve->points == WeightedSelection::kMostPoints) return false;
      double weight = 0, cap = 0.5;  // the next weight of a unit, and what its groups may have where it is alone
      for (const Groups& g : groups_) {
        if (static_cast<double>(g.weight) <= x) break;
        weight = static_cast<double>(g.weight);
        cap = alone_ / static_cast<double>(g.number);
      }
      double next = weight, wanted = cap;
      if (p < cap) {
        const double speed = fastest(p, std::min(p * std::exp(step), 0.5));
        next = x + std::max(1.0, std::floor(std::min(step / speed, 320 / parts * longest_)));
        if (weight > x) next = std::min(next, weight);
        wanted = p * std::exp(part * speed * (next - x));
        if (weight == 0 && wanted > cap) next = x + std::max(1.0, std::floor((next - x) * (cap - p) / (wanted - p)));
      }
      x = next;
      p = std::min(wanted, cap);
      add(curve, x, p);
    }
    return true;
  }

  static void add(WeightedSelection* curve, double x, double p) {
    const auto chance = p >= 0.5 ? kCertain / 2 : static_cast<unsigned __int128>(std::floor(std::ldexp(p, 126)));
    curve->point[static_cast<std::size_t>(curve->points++)] = {static_cast<std::int64_t>(x), chance};
  }

  static double to_the(double base, std::uint64_t power) {
    double result = 1;
    for (; power > 0; power >>= 1, base *= base) {
      if (power & 1) result *= base;
    }
    return result;
  }

  struct Chance {
    double kept, not_kept;
  };

  double beyond(Chance q, Chance p) const {  // E - 1
    return to_the(q.kept / p.kept, order_ - 1) * q.kept + to_the(q.not_kept / p.not_kept, order_ - 1) * q.not_kept - 1;
  }

  bool may_become(Chance p, Chance q, const Groups& g) const {
    return beyond(q, p) <= g.most_beyond && beyond(p, q) <= g.most_beyond;
  }

  // Whether p may grow to p e^growth where the unit is in such groups.
  bool may_grow(double p, double growth, const Groups& g) const {
    const double q = p * std::exp(growth);
    return q < 1 - 1e-9 && may_become({p, 1 - p}, {q, 1 - q}, g);
  }

  double most_growth(double p, const Groups& g) const {
    double low = 0, high = 1e-9;
    while (may_grow(p, high, g)) low = high, high *= 4;
    for (int i = 0; i < 16; ++i) {
      const double middle = (low + high) / 2;
      (may_grow(p, middle, g) ? low : high) = middle;
    }
    return low;
  }

  // By how much the logarithm of the chance may grow for each weight, while it grows from p to `end`. Nothing is asked
  // of units in so few groups that they may be alone in what it grows to; if of none, they are asked all the same.
  double fastest(double p, double end) {
    if (asked_.empty()) return 1e30;
    double speed = 0;
    const std::size_t first = slowest_;
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      const std::size_t at = (first + i) % asked_.size();
      const Groups& g = asked_[at];
      const auto weight = static_cast<double>(g.weight);
      if (speed > 0 && may_grow(p, speed * weight, g)) continue;
      const double growth = most_growth(p, g);
      const bool alone = end * std::exp(growth) < alone_ / static_cast<double>(g.number);
      if (alone && (speed > 0 || i + 1 < asked_.size())) continue;
      speed = growth / weight;
      slowest_ = at;
    }
    return speed;
  }

  std::uint64_t order_;
  double alone_, longest_, first_;
  const std::vector<Groups>& groups_;
  std::vector<Groups>
      asked_;  // those whose chances may not go from the least to the greatest at once, as at a great epsilon
  std::size_t slowest_ = 0;
};

// ---- in integers: whether it is ------------------------------------------------------------------------------------

struct Bounds {
  Uint128 low, high;
};

class Certificate {
 public:
  Certificate(const WeightedSelection& curve, std::uint64_t order) : curve_(curve), order_(order) {
    for (int i = 0; i < curve.points; ++i) knots_.push_back(at(i).weights);
    for (int i = curve.points - 1; i-- > 0;) knots_.push_back(2 * curve.middle() - at(i).weights);
  }

  bool holds(const std::vector<Groups>& groups) {
    for (int i = 1; i < curve_.points; ++i) {
      if (at(i).weights <= at(i - 1).weights || at(i).chance < at(i - 1).chance) return false;
    }
    return at(curve_.points - 1).chance == kCertain / 2 &&
           std::all_of(groups.begin(), groups.end(), [this](const Groups& g) { return holds(g); });
  }

 private:
  const WeightedSelection::Point& at(int i) const { return curve_.point[static_cast<std::size_t>(i)]; }

  // Those pairs suffice whose middle is not above that of the curve: turned round they are the others.
  bool holds(const Groups& g) {
    if (chance(g.weight).high > g.alone) return false;
    const std::int64_t last = curve_.middle() - g.weight / 2;
    std::size_t own = 0, other = 0;
    std::int64_t from = at(0).weights;
    bool checked = false;  // the end before
    while (from < last) {
      while (own < knots_.size() && knots_[own] <= from) ++own;
      while (other < knots_.size() && knots_[other] - g.weight <= from) ++other;
      std::int64_t to = last;
      if (own < knots_.size()) to = std::min(to, knots_[own]);
      if (other < knots_.size()) to = std::min(to, knots_[other] - g.weight);
      if (chance(to + g.weight).high > g.alone) {
        if (!checked && !is_within(crossing(from, to, g), g)) return false;
        if (!is_within(to, g)) return false;
        checked = true;
      }
      from = to;
    }
    return true;
  }

  // About where the chance with the unit passes that of being alone, not behind it; `from` where it has before.
  std::int64_t crossing(std::int64_t from, std::int64_t to, const Groups& g) {
    const auto low = static_cast<double>(chance(from + g.weight).high),
               high = static_cast<double>(chance(to + g.weight).high);
    const double part = (static_cast<double>(g.alone) - low) / (high - low);
    if (!(part > 0)) return from;
    const auto found = std::min(from + static_cast<std::int64_t>(part * static_cast<double>(to - from)), to);
    return chance(found + g.weight).high <= g.alone ? found : from;
  }

  bool is_within(std::int64_t weights, const Groups& g) {
    const Bounds without = chance(weights), with = chance(weights + g.weight);
    return divergence(with, without) <= g.most && divergence(without, with) <= g.most;
  }

  // E(q, p)
  Above divergence(const Bounds& q, const Bounds& p) const {
    return Above::quotient(q.high, p.low).to_the(order_ - 1) * Above::quotient(q.high, kCertain) +
           Above::quotient(kCertain - q.low, kCertain - p.high).to_the(order_ - 1) *
               Above::quotient(kCertain - q.low, kCertain);
  }

  Bounds chance(std::int64_t weights) {
    if (weights > curve_.middle()) {
      const auto [low, high] = chance(2 * curve_.middle() - weights);
      return {kCertain - high, kCertain - low};
    }
    if (weights <= at(0).weights) return {at(0).chance, at(0).chance};
    while (at(near_).weights > weights) --near_;
    while (near_ + 2 < curve_.points && at(near_ + 1).weights <= weights) ++near_;
    const auto span = static_cast<Uint128>(at(near_ + 1).weights - at(near_).weights);
    const auto part = static_cast<Uint128>(weights - at(near_).weights);
    const Uint128 rise = at(near_ + 1).chance - at(near_).chance;
    const Uint128 rest = rise % span * part;
    const Uint128 low = at(near_).chance + rise / span * part + rest / span;
    return {low, low + (rest % span != 0)};
  }

  const WeightedSelection& curve_;
  std::uint64_t order_;
  std::vector<std::int64_t> knots_;
  int near_ = 0;
};

WeightedSelection certified(Epsilon epsilon, Delta delta, std::int64_t most) {
  const Rule rule = rule_of(epsilon, delta);
  const std::vector<Groups> groups = groups_of(rule, most);
  Draft draft(rule, groups);
  for (double part = 1; part > 0.5; part *= 0.985) {
    const WeightedSelection curve = draft.curve(part);
    if (Certificate(curve, rule.order).holds(groups)) return curve;
  }
  throw std::logic_error("no curve for private selection is certified");
}

}  // namespace

std::int64_t WeightedSelection::weight(std::int64_t groups) { return kWeights[static_cast<std::size_t>(groups)]; }

bool WeightedSelection::keeps(noise::BitSource& bits, noise::Int128 weights) const {
  if (weights <= 0) return false;
  if (weights >= first_certain()) return true;
  const bool turned = weights > middle();
  const auto place = static_cast<std::int64_t>(turned ? 2 * middle() - weights : weights);
  const Point* const end = point.data() + points;
  const Point* at =
      std::lower_bound(point.data(), end, place, [](const Point& p, std::int64_t w) { return p.weights < w; });
  if (at > point.data()) {  // the point before, or this one, so that it is as likely as on the line between them
    const auto span = static_cast<Uint128>(at->weights - at[-1].weights);
    if (noise::below(bits, span) >= static_cast<Uint128>(place - at[-1].weights)) --at;
  }
  return (noise::below(bits, kCertain) < at->chance) != turned;
}

WeightedSelection weighted_selection(Epsilon epsilon, Delta delta, std::int64_t most) {
  if (delta.atto == 0) {
    throw Error("private selection of groups needs a delta above 0",
                "Choose one far below 1 / number of units, for example 1e-9.");
  }
  struct Known {
    Epsilon epsilon{0};
    Delta delta{0};
    std::int64_t most = 0;
    WeightedSelection selection;
  };
  thread_local std::array<Known, 4> known;
  thread_local std::size_t oldest = 0;
  for (const Known& one : known) {
    if (one.epsilon == epsilon && one.delta == delta && one.most == most) return one.selection;
  }
  Known& one = known[oldest];
  one = {epsilon, delta, most, certified(epsilon, delta, most)};
  oldest = (oldest + 1) % known.size();
  return one.selection;
}

}  // namespace dp::mechanism
