// How far noisy numbers are off. Arithmetic on public parameters only; nothing here decides a draw or a charge.
#pragma once

#include "core/mechanism/law.h"
#include "core/noise/integers.h"

namespace dp::aggregate {

using noise::Int128;

// The smallest n with P(|noise| <= n) >= confidence for each of `coordinates` numbers together, by the union bound; in
// refined steps, at most 2^126. Throws dp::Error unless 0 < confidence < 1, std::logic_error for a law that depends on
// the exact answer.
Int128 half_width(const mechanism::Law& law, int coordinates, double confidence);

// Throws dp::Error unless 0 < confidence < 1.
void require_confidence(double confidence);

// The same of the sums of so many numbers, each with noise of that law; a little larger than it need be. Throws
// std::logic_error for several numbers of another law.
Int128 half_width_of_sums(const mechanism::Law& law, int summed, int coordinates, double confidence);

// Whether half_width() knows one: the noise does not depend on the exact answer.
bool has_half_width(const mechanism::Law& law);

// t with P(|sum of w N| > t) <= miss, where each N is the sum of so many draws of a discrete Laplace law, for the
// weights 1, `second` and `third`, at most 1; a little larger than it need be. Throws std::logic_error for another law.
double width_of_weighted_sums(const mechanism::Law& law, int summed, double second, double third, double miss);

}  // namespace dp::aggregate
