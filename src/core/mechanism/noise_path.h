// How the noise of an answer goes on to other levels of epsilon: by discrete Laplace draws (core/noise/relaxation.h) or
// by Gaussian ones (core/noise/gaussian_path.h).
#pragma once

#include "core/mechanism/epsilon_delta.h"
#include "core/mechanism/law.h"
#include "core/mechanism/sensitivity.h"
#include "core/noise/gaussian_path.h"
#include "core/noise/relaxation.h"

namespace dp::mechanism {

class NoisePath {
 public:
  enum class Kind : std::uint8_t { none, laplace, gaussian };

  // Noise that cannot go on.
  NoisePath() = default;

  // Where the law is that of a level of a path for these changes, in the steps that the law is in.
  static NoisePath of(const Law& law, Epsilon epsilon, const Changes& changes);

  // As it is stored: 0, what a unit changes in Laplace noise (at most 2^126), or that in Gaussian noise (below 2^100)
  // and 2^126.
  static NoisePath stored(noise::Uint128 number) { return NoisePath(number); }
  noise::Uint128 number() const { return number_; }

  Kind kind() const { return number_ == 0 ? Kind::none : number_ > kGaussian ? Kind::gaussian : Kind::laplace; }
  bool exists() const { return number_ != 0; }

  // What a unit changes at most, in steps of the lattice: the sum of absolute changes for Laplace noise, their
  // Euclidean length for Gaussian noise.
  noise::Uint128 change() const { return kind() == Kind::gaussian ? number_ - kGaussian : number_; }

  // Of a level. Of a path that exists.
  Law law(Epsilon level) const;

  friend bool operator==(const NoisePath&, const NoisePath&) = default;

 private:
  static constexpr noise::Uint128 kGaussian = noise::Uint128{1} << 126;

  explicit NoisePath(noise::Uint128 number) : number_(number) {}

  noise::Uint128 number_ = 0;
};

// A move from one level of a path to another one. Throws dp::Error where two Gaussian levels are too close for their
// lattice, which epsilons up to 1000, in steps of 10^-9, never are.
class PathMove {
 public:
  PathMove(const NoisePath& path, Epsilon from, Epsilon to);

  // The noise of a number at the level `to`, given that at the level `from`.
  noise::Int128 draw(noise::BitSource& bits, noise::Int128 noise) const;

 private:
  using Steps = std::variant<noise::RatePair, noise::GaussianStep>;

  static Steps steps_of(const NoisePath& path, Epsilon coarse, Epsilon fine);

  bool relaxes_;
  Steps steps_;
};

}  // namespace dp::mechanism
