#include "core/mechanism/r2dp/mixture_certificate.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace dp::mechanism {
namespace {

using noise::LaplaceMixture;
using noise::Ratio;
using noise::Uint128;

constexpr int kRateBits = 30;
constexpr int kWeightBits = 120;
constexpr Uint128 kTotal = Uint128{1} << kWeightBits;

// Far more than 50-digit arithmetic can lose in a few dozen operations, far less than what matters.
const Real& slack() {
  static const Real value("1e-42");
  return value;
}

Real exact(const Ratio& ratio) { return Real(ratio.num) / Real(ratio.den); }

// P(0) of a discrete Laplace.
Real peak(const Real& rate) { return -expm1(-rate) / (1 + exp(-rate)); }

Ratio rounded_rate(double rate, Uint128 sensitivity) {
  const double most = std::ldexp(1.0, 125);  // the samplers' limit
  const double steps = std::clamp(std::round(std::ldexp(rate, kRateBits)), 1.0, most);
  return noise::ratio(static_cast<Uint128>(steps), noise::checked_mul(sensitivity, Uint128{1} << kRateBits));
}

LaplaceMixture rounded(const Mixture& mixture, Uint128 sensitivity) {
  LaplaceMixture law{kTotal, 0, {}};
  Uint128 left = kTotal;
  std::size_t heaviest = 0;
  for (const auto& [weight, rate] : mixture) {
    const auto share = static_cast<Uint128>(
        std::clamp(std::floor(std::ldexp(weight, kWeightBits)), 1.0, std::ldexp(1.0, kWeightBits)));
    if (share > law.atoms[heaviest].weight) heaviest = law.count;
    law.atoms[law.count++] = {share, rounded_rate(rate, sensitivity)};
    left -= share;  // may wrap around, and back on the next line
  }
  law.atoms[heaviest].weight += left;
  return law;
}

// Weight, as a part of the total, rounded down or up to a whole number of shares.
Uint128 shares(const Real& part, bool up) {
  const Real whole = ldexp(part, kWeightBits);
  return static_cast<Uint128>(up ? ceil(whole) : floor(whole));
}

// Makes E h >= 0 by moving weight, h as in MixtureProblem but for a constant factor. False where no weight suffices.
bool balance(LaplaceMixture& law, const Real& epsilon, Uint128 sensitivity) {
  const Real d = Real(sensitivity);
  std::array<Real, LaplaceMixture::kMaxAtoms> h;
  Real sum = 0, scale = 0;
  std::size_t giver = 0, taker = 0;  // the heaviest atom with h < 0, that with h > 0
  const auto heavier = [&](std::size_t i, std::size_t than, bool safe) {
    return (h[than] > 0) != safe || law.atoms[i].weight > law.atoms[than].weight;
  };
  for (std::size_t i = 0; i < law.count; ++i) {
    const Real rate = exact(law.atoms[i].rate);
    h[i] = peak(rate) * expm1(epsilon - rate * d);
    const Real part = ldexp(Real(law.atoms[i].weight), -kWeightBits) * h[i];
    sum += part;
    scale += abs(part);
    if (h[i] > 0 && heavier(i, taker, true)) taker = i;
    if (h[i] <= 0 && heavier(i, giver, false)) giver = i;
  }
  if (!(h[taker] > 0) || h[giver] > 0) return false;
  sum -= scale * slack();
  const Real gain = h[taker] - h[giver];
  if (sum < 0) {
    const Uint128 moved = shares(-sum / gain, true);
    if (moved >= law.atoms[giver].weight) return false;
    law.atoms[giver].weight -= moved;
    law.atoms[taker].weight += moved;
  } else {
    const Uint128 moved = std::min<Uint128>(shares(sum / gain, false), law.atoms[taker].weight - 1);
    law.atoms[taker].weight -= moved;
    law.atoms[giver].weight += moved;
  }
  return true;
}

}  // namespace

Real mixture_loss(const LaplaceMixture& law, Uint128 sensitivity) {
  const Real d = Real(sensitivity);
  Real here = 0, there = 0;
  for (std::size_t i = 0; i < law.count; ++i) {
    const Real rate = exact(law.atoms[i].rate);
    const Real part = Real(law.atoms[i].weight) * peak(rate);
    here += part;
    there += part * exp(-rate * d);
  }
  return log(here / there);
}

std::optional<LaplaceMixture> certified_mixture(const Mixture& mixture, Ratio epsilon, Uint128 sensitivity) {
  const Real most = exact(epsilon);
  LaplaceMixture law = rounded(mixture, sensitivity);
  if (!balance(law, most, sensitivity)) return std::nullopt;
  // The proof does not rest on the balancing, but on the law that came out of it.
  if (mixture_loss(law, sensitivity) * (1 + slack()) > most) return std::nullopt;
  return law;
}

}  // namespace dp::mechanism
