// dp_bounds: between which powers of two the values lie, from a private histogram on a logarithmic scale.
//
// The bins are fixed and public. A row lies in one bin, so it changes one count by one, and each count gets the noise
// of a single count at the whole epsilon. The answer reaches from the lower edge of the first bin to the upper edge of
// the last one among those whose noisy count is at least the threshold: it looks at noisy counts alone, so it costs
// nothing more.
//
// The threshold t is the smallest whole number with
//   bins * P(|noise| >= t) <= kFalseAlarm,
// so that, by the union bound, any empty bin at all passes in one answer of 1/kFalseAlarm at most. For geometric noise
// and a small epsilon it is ln(bins / kFalseAlarm) / epsilon. A bin that holds 2t rows is missed as rarely; values in
// bins of fewer rows than t are mostly left out, which is what keeps outliers from stretching the bounds. The tail is
// computed in doubles, to about one part in 10,000: it decides how useful an answer is, and nothing about its privacy.
// Source: Wilson, Zhang, Lam, Desfontaines, Simmons-Marengo, Gipson, "Differentially Private SQL with Bounded User
// Contribution" (2020), on approximate bounds; there the noise is Laplace's and the bins count as independent.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>

#include "core/accumulate/answer_shape.h"
#include "core/accumulate/grid.h"
#include "core/mechanism/mechanism.h"

namespace dp::aggregate {

// The line cut at 0 and at plus and minus 2^lowest, 2^(lowest + 1), ... Bins are numbered from the most negative one.
// On either side the innermost bin reaches to zero, which belongs to the positive one, and the outermost holds all that
// lies beyond.
struct PowerBins {
  int lowest;    // the innermost bins end at 2^lowest
  int per_side;  // bins with values of one sign

  // Of integers of so many bits: every value lies between the edges of its bin.
  static constexpr PowerBins of_integers(int bits) { return {0, bits}; }

  // Of real numbers: the magnitudes of 64-bit integers and of their inverses.
  static constexpr PowerBins of_reals() { return {-63, 128}; }

  int count() const { return 2 * per_side; }

  // The bin of a number of that sign, its magnitude in (2^(lowest + power - 1), 2^(lowest + power)].
  int bin(bool negative, int power) const { return negative ? per_side - 1 - power : per_side + power; }

  int bin_of(std::int64_t value) const {
    const bool negative = value < 0;
    const auto magnitude = negative ? -static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    return bin(negative, magnitude <= 1 ? 0 : static_cast<int>(std::bit_width(magnitude - 1)));
  }

  // NaN lies nowhere.
  std::optional<int> bin_of(double value) const {
    if (std::isnan(value)) return std::nullopt;
    return bin(value < 0, power_of(std::fabs(value)));
  }

  double lower_edge(int bin) const {
    return bin < per_side ? 0 - outer_edge(per_side - 1 - bin) : inner_edge(bin - per_side);
  }
  double upper_edge(int bin) const {
    return bin < per_side ? 0 - inner_edge(per_side - 1 - bin) : outer_edge(bin - per_side);
  }

 private:
  int power_of(double magnitude) const {
    if (magnitude <= outer_edge(0)) return 0;
    if (magnitude > inner_edge(per_side - 1)) return per_side - 1;
    int exponent;
    const bool at_edge = std::frexp(magnitude, &exponent) == 0.5;  // 2^(exponent - 1) <= magnitude < 2^exponent
    return (at_edge ? exponent - 1 : exponent) - lowest;
  }

  double outer_edge(int power) const { return std::ldexp(1.0, lowest + power); }
  double inner_edge(int power) const { return power == 0 ? 0 : outer_edge(power - 1); }
};

// The probability that any of the bins that are empty passes.
inline constexpr double kFalseAlarm = 1e-9;

// The least noisy count at which a bin passes, where so many bins have that noise each. Throws dp::Error for a law that
// is no addend: what it makes of an empty bin is not what it makes of others.
std::int64_t bounds_threshold(const mechanism::Calibration& noise, int bins);

// The form of an answer from counts in those bins.
Form bounds_form(const PowerBins& bins, std::int64_t threshold);

// What the form says of the noise that its numbers will have: the refinement and, in a form of bounds_form, the
// threshold.
Form with_noise(const Form& form, int coordinates, const mechanism::Calibration& noise);

// The form of an answer at another level of its noise path, for a mechanism that has one: less noise has a lower
// threshold. Any other form is the same at all levels. `rows`: how many rows change at once.
Form at_level(const Form& form, int coordinates, const mechanism::Mechanism& mechanism, mechanism::Epsilon level,
              noise::Uint128 rows = 1);

// The bounds that noisy counts give in a form of bounds_form; none where no bin passes.
std::optional<Bounds> found_bounds(const Form& form, noise::Int128View noisy);

}  // namespace dp::aggregate
