#include "core/mechanism/noise_path.h"

#include <algorithm>

#include "core/mechanism/error.h"

namespace dp::mechanism {

NoisePath NoisePath::of(const Law& law, Epsilon epsilon, const Changes& changes) {
  if (const auto* const laplace = std::get_if<noise::DiscreteLaplace>(&law)) {
    // A discrete Laplace of another rate than that of its epsilon is none of a level.
    const noise::Ratio rate = epsilon.per(changes.l1);
    const bool of_level = laplace->rate.num == rate.num && laplace->rate.den == rate.den;
    return of_level && changes.l1 <= kGaussian ? NoisePath(changes.l1) : NoisePath();
  }
  const auto* const gaussian = std::get_if<noise::GaussianLevel>(&law);
  return gaussian == nullptr ? NoisePath() : NoisePath(kGaussian + gaussian->change);
}

Law NoisePath::law(Epsilon level) const {
  if (kind() == Kind::gaussian) return noise::GaussianLevel::with(change(), level.nano);
  return noise::DiscreteLaplace{level.per(change())};
}

PathMove::Steps PathMove::steps_of(const NoisePath& path, Epsilon coarse, Epsilon fine) {
  if (path.kind() == NoisePath::Kind::gaussian) {
    if (!noise::GaussianStep::is_possible(path.change(), coarse.nano, fine.nano)) {
      throw Error("levels of epsilon " + decimal(coarse.value()) + " and " + decimal(fine.value()) +
                      " are too close for Gaussian noise",
                  "Ask for twice the epsilon, or read what was paid for: SELECT * FROM dp_answer(1);");
    }
    return noise::GaussianStep(path.change(), coarse.nano, fine.nano);
  }
  return noise::RatePair{coarse.nano, fine.nano, noise::checked_mul(Epsilon::kPerUnit, path.change())};
}

PathMove::PathMove(const NoisePath& path, Epsilon from, Epsilon to)
    : relaxes_(from < to), steps_(steps_of(path, std::min(from, to), std::max(from, to))) {}

noise::Int128 PathMove::draw(noise::BitSource& bits, noise::Int128 noise) const {
  if (const auto* const rates = std::get_if<noise::RatePair>(&steps_))
    return relaxes_ ? noise::relax(bits, *rates, noise) : noise::tighten(bits, *rates, noise);
  const auto& step = std::get<noise::GaussianStep>(steps_);
  return relaxes_ ? step.relax(bits, noise) : step.tighten(bits, noise);
}

}  // namespace dp::mechanism
