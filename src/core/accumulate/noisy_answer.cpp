#include "core/accumulate/noisy_answer.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dp::aggregate {
namespace {

constexpr Int128 kMax = noise::kInt128Max;

Int128 saturating_add(Int128 a, Int128 b) {
  Int128 sum;
  if (__builtin_add_overflow(a, b, &sum)) return a > 0 ? kMax : -kMax;
  return sum;
}

}  // namespace

Int128 refined(Int128 exact, const mechanism::Calibration& calibration) {
  Int128 product;
  if (__builtin_mul_overflow(exact, Int128{1} << calibration.refinement, &product)) return exact > 0 ? kMax : -kMax;
  return product;
}

Int128 noised(Int128 exact, const mechanism::Calibration& calibration, noise::BitSource& bits) {
  return mechanism::release(calibration.law, refined(exact, calibration), bits);
}

void noised(noise::Int128View exact, const mechanism::Calibration& calibration, noise::BitSource& bits, Int128* noisy,
            Int128* drawn) {
  for (std::size_t i = 0; i < exact.size; ++i) noisy[i] = refined(exact[i], calibration);
  if (drawn != nullptr) std::copy_n(noisy, exact.size, drawn);
  mechanism::release_all(calibration.law, {noisy, exact.size}, bits, noisy);
  for (std::size_t i = 0; drawn != nullptr && i < exact.size; ++i) drawn[i] = noisy[i] - drawn[i];
}

Int128 to_whole(Int128 steps, unsigned refinement) {
  if (refinement == 0) return steps;
  const Int128 half = Int128{1} << (refinement - 1);
  return saturating_add(steps, steps >= 0 ? half : -half) / (Int128{1} << refinement);
}

std::int64_t to_int64(Int128 steps, unsigned refinement) {
  using Limits = std::numeric_limits<std::int64_t>;
  return static_cast<std::int64_t>(std::clamp<Int128>(to_whole(steps, refinement), Limits::min(), Limits::max()));
}

double to_double(Int128 steps, int exponent) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  return std::clamp(std::ldexp(static_cast<double>(steps), exponent), -kLargest, kLargest);
}

MeanPair mean_pair(const MeanState& state, std::int64_t range) {
  const Uint128 all = static_cast<Uint128>(state.rows) * static_cast<Uint128>(range);
  return {static_cast<Int128>(state.total), static_cast<Int128>(all - state.total)};
}

double mean_position(const MeanPair& noisy) {
  const double above = static_cast<double>(noisy.above);
  const double all = above + static_cast<double>(noisy.below);
  if (!(all > 0)) return 0.5;
  return std::clamp(above / all, 0.0, 1.0);
}

MomentTriple moment_triple(const MomentsState& state, std::int64_t range) {
  const auto r = static_cast<Uint128>(range);
  const Uint128 above = state.total_squares;
  const Uint128 mixed = 2 * (r * state.total - above);
  const Uint128 below = state.rows * r * r - above - mixed;
  return {static_cast<Int128>(above), static_cast<Int128>(mixed), static_cast<Int128>(below)};
}

namespace {

long double together(const MomentTriple& noisy) {
  return static_cast<long double>(noisy.above) + static_cast<long double>(noisy.mixed) +
         static_cast<long double>(noisy.below);
}

long double population_share(const MomentTriple& noisy) {
  // E X^2 - (E X)^2 with X + Y = 1 is E X^2 E Y^2 - (E XY)^2, which cancels less where values lie close together.
  const auto above = static_cast<long double>(noisy.above);
  const auto mixed = static_cast<long double>(noisy.mixed) / 2;
  const auto below = static_cast<long double>(noisy.below);
  const long double all = together(noisy);
  if (!(all > 0)) return 0;
  return std::clamp((above * below - mixed * mixed) / (all * all), 0.0L, 0.25L);
}

}  // namespace

double population_position(const MomentTriple& noisy) { return static_cast<double>(population_share(noisy)); }

double variance_position(const MomentTriple& noisy, double range_squared) {
  const long double population = population_share(noisy);
  const long double rows = together(noisy) / range_squared;
  return static_cast<double>(std::min(rows > 1.5L ? population * rows / (rows - 1) : population, 0.5L));
}

}  // namespace dp::aggregate
