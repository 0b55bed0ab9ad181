#include "core/planning/privacy_loss.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "core/mechanism/catalogue.h"
#include "core/mechanism/error.h"
#include "core/noise/interrupt.h"
#include "core/planning/pmf.h"

namespace dp::planning {
namespace {

using mechanism::Changes;
using mechanism::decimal;
using mechanism::Epsilon;
using mechanism::Law;

constexpr double kShifts = 64;     // up to this sensitivity every shift is tried,
constexpr double kAnswers = 1024;  // and every answer within three times the sensitivity
constexpr double kLongest = 1e6;   // terms of one enumeration

// Whole numbers from `first` to `last`: all of them up to about `most`, else both ends and evenly spaced ones between.
std::vector<Probability> spread(Probability first, Probability last, double most) {
  std::vector<Probability> points;
  const Probability stride = std::max<Probability>(1, std::floor((last - first) / most));
  for (Probability x = first; x < last; x += stride) points.push_back(x);
  points.push_back(last);
  return points;
}

// Where the probabilities of a law bend: the ratio of two shifted copies is largest at a corner of one of them, or in a
// tail.
std::vector<Probability> corners(const noise::Staircase& law) {
  std::vector<Probability> found;
  for (int stair = 0; stair < 4; ++stair) {
    const Probability start = stair * static_cast<Probability>(law.width);
    const Probability edge = start + static_cast<Probability>(law.step);
    found.insert(found.end(), {start, edge, -start, -edge});
  }
  return found;
}

std::vector<Probability> corners(const noise::StaircaseVector& law) {
  std::vector<Probability> found;
  for (int stair = 0; stair < 4; ++stair)
    found.push_back(static_cast<Probability>(law.step) + stair * static_cast<Probability>(law.width));
  return found;
}

template <class L>
std::vector<Probability> corners(const L&) {
  return {0};
}

// The largest log ratio of the law and a copy shifted by up to `most` steps.
template <class L>
Probability shifted_loss(const L& law, Probability most) {
  const std::vector<Probability> law_corners = corners(law);
  Probability worst = 0;
  for (const Probability shift : spread(1, most, kShifts)) {
    noise::check_interrupt();
    const auto ratio_at = [&](Probability x) {
      // Of vectors these are sums of magnitudes, which are not negative.
      if (mechanism::IsOfVectors<L> && x < shift) return;
      worst = std::max(worst, std::fabs(log_pmf(law, x) - log_pmf(law, x - shift)));
    };
    for (const Probability x : spread(-3 * most - 3, 3 * most + 3, kAnswers)) ratio_at(x);
    for (const Probability corner : law_corners) {
      for (int near = -1; near <= 1; ++near) {
        ratio_at(corner + near);
        ratio_at(corner + near + shift);
      }
    }
  }
  return worst;
}

// The same for a law that depends on the exact answer: over pairs of exact answers inside its range, and all answers.
template <class L>
Probability range_loss(const L& law, Probability most) {
  const auto low = static_cast<Probability>(law.low), high = static_cast<Probability>(law.high);
  if (high - low > kAnswers) {
    throw Error("range of " + decimal(static_cast<double>(high - low)) + " steps is too wide to enumerate",
                "Describe a narrower one: at most 1024 between lower and upper.");
  }
  const Probability reach = std::min(most, high - low);
  Probability worst = 0;
  for (const Probability exact : {low, low + 1, std::floor((low + high) / 2), high - reach, high - 1}) {
    for (const Probability shift : {Probability{1}, std::floor((reach + 1) / 2), reach}) {
      if (exact < low || exact + shift > high) continue;
      for (const Probability answer : spread(low, high, kAnswers)) {
        noise::check_interrupt();
        worst = std::max(worst, std::fabs(log_pmf(law, exact, answer) - log_pmf(law, exact + shift, answer)));
      }
    }
  }
  return worst;
}

// The same for the rounded law: exact answers over two steps, answers over the multiples in reach.
Probability range_loss(const noise::RoundedGeometric& law, Probability most) {
  const auto step = static_cast<Probability>(law.step);
  Probability worst = 0;
  for (const Probability exact : spread(-step, step, kShifts)) {
    for (const Probability shift : spread(1, most, kShifts)) {
      noise::check_interrupt();
      for (Probability multiple = -3; multiple <= 3; ++multiple) {
        for (const Probability answer : {multiple * step, multiple * step + std::floor(most / step) * step}) {
          worst = std::max(worst, std::fabs(log_pmf(law, exact, answer) - log_pmf(law, exact + shift, answer)));
        }
      }
    }
  }
  return worst;
}

Probability pure_loss(const Law& law, Probability most) {
  return std::visit(
      [&](const auto& sampler) {
        if constexpr (mechanism::DependsOnAnswer<std::remove_cvref_t<decltype(sampler)>>) {
          return range_loss(sampler, most);
        } else {
          return shifted_loss(sampler, most);
        }
      },
      law);
}

// One answer: how much it tells (log ratio) and how likely it is.
struct Outcome {
  Probability loss;
  Probability mass;
};

// The outcomes of one coordinate whose exact value is shifted.
std::vector<Outcome> outcomes(const Law& law, Probability shift) {
  return std::visit(
      [&](const auto& sampler) -> std::vector<Outcome> {
        if constexpr (mechanism::DependsOnAnswer<std::remove_cvref_t<decltype(sampler)>>) {
          throw Error("mechanism with a range has no delta", "Use a pure mechanism.");
        } else if constexpr (mechanism::IsOfVectors<std::remove_cvref_t<decltype(sampler)>>) {
          throw Error("mechanism of vectors has no delta", "Use a pure mechanism.");
        } else {
          const Probability reach = std::ceil(60 * mechanism::loss(sampler).expected_abs) + shift + 60;
          if (reach > kLongest) {
            throw Error("noise is too wide to enumerate", "Describe a smaller change or a larger epsilon.");
          }
          std::vector<Outcome> found;
          Probability total = 0;
          for (Probability x = -reach; x <= reach; ++x) {
            noise::check_interrupt();
            const Probability here = log_pmf(sampler, x);
            total += std::exp(here);
            found.push_back({here - log_pmf(sampler, x - shift), std::exp(here)});
          }
          for (Outcome& outcome : found) outcome.mass /= total;
          std::erase_if(found, [](const Outcome& outcome) { return outcome.mass < 1e-26L; });
          return found;
        }
      },
      law);
}

std::vector<Outcome> joined(const std::vector<Outcome>& a, const std::vector<Outcome>& b) {
  if (static_cast<double>(a.size()) * static_cast<double>(b.size()) > kLongest) {
    throw Error("noise is too wide to enumerate on several coordinates", "Describe fewer or smaller changes.");
  }
  std::vector<Outcome> both;
  for (const Outcome& x : a) {
    noise::check_interrupt();
    for (const Outcome& y : b) both.push_back({x.loss + y.loss, x.mass * y.mass});
  }
  return both;
}

// The smallest epsilon' with sum max(0, P - e^epsilon' Q) <= delta.
Probability epsilon_at(const std::vector<Outcome>& all, Probability delta) {
  const auto delta_at = [&](Probability epsilon) {
    noise::check_interrupt();
    Probability sum = 0;
    for (const Outcome& outcome : all) {
      if (outcome.loss > epsilon) sum -= outcome.mass * std::expm1(epsilon - outcome.loss);
    }
    return sum;
  };
  Probability low = 0, high = 1e-9L;
  while (delta_at(high) > delta) high *= 2;
  for (int i = 0; i < 80; ++i) {
    const Probability middle = (low + high) / 2;
    (delta_at(middle) > delta ? low : high) = middle;
  }
  return high;
}

Changes joint(std::span<const double> changes) {
  constexpr std::size_t kMostCoordinates = 64;
  if (changes.size() > kMostCoordinates) {
    throw Error("changes of " + std::to_string(changes.size()) + " numbers are too many to enumerate",
                "Give at most 64.");
  }
  double l1 = 0, squares = 0, linf = 0;
  unsigned moving = 0;
  for (const double change : changes) {
    if (!(change >= 0) || change > 0x1p32 || change != std::floor(change)) {
      throw Error("change must be a whole number from 0 to 2^32, not " + decimal(change),
                  "Give by how much one row can change each number, for example ARRAY[1, 1].");
    }
    moving += change > 0;
    l1 += change;
    squares += change * change;
    linf = std::max(linf, change);
  }
  if (moving == 0)
    throw Error("no change above zero", "Give by how much one row can change the answer: 1 for a count.");
  const auto whole = [](double x) { return static_cast<noise::Uint128>(std::ceil(x)); };
  return {moving, whole(l1), whole(std::sqrt(squares)), whole(linf), 0, moving};
}

}  // namespace

double privacy_loss(const mechanism::Mechanism& m, Epsilon epsilon, std::span<const double> changes,
                    mechanism::Lattice lattice) {
  const auto calibration = mechanism::calibrate(m, epsilon, joint(changes), lattice);
  if (mechanism::is_without_delta(m)) return INFINITY;
  const Probability delta = static_cast<Probability>(mechanism::delta_of(m).atto) * 1e-18L;
  // The loss of a law of vectors is by the sum of all changes; a smaller one is never worse.
  if (std::holds_alternative<noise::StaircaseVector>(calibration.law))
    return static_cast<double>(pure_loss(calibration.law, std::accumulate(changes.begin(), changes.end(), 0.0)));
  Probability sum = 0;
  std::vector<Outcome> all{{0, 1}};
  for (const double change : changes) {
    if (change == 0) continue;
    const Probability shift = std::ldexp(static_cast<Probability>(change), static_cast<int>(calibration.refinement));
    if (delta > 0) {
      all = joined(all, outcomes(calibration.law, shift));
    } else {
      sum += pure_loss(calibration.law, shift);
    }
  }
  return static_cast<double>(delta > 0 ? epsilon_at(all, delta) : sum);
}

}  // namespace dp::planning
