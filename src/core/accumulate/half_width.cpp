#include "core/accumulate/half_width.h"

#include <algorithm>
#include <cmath>

#include "core/mechanism/error.h"
#include "core/mechanism/loss.h"
#include "core/mechanism/mechanism_text.h"

namespace dp::aggregate {
namespace {

// Chernoff: P(|sum| >= t) <= 2 M(s) exp(-s t) for each 0 < s < rate, where M is the product over all draws of
// E exp(s w noise) = (1 - p)^2 / ((1 - p e^(s w)) (1 - p e^(-s w))) with p = exp(-rate). The least t for which that is
// at most `miss`: what is searched has one minimum in s.
double chernoff_width(double rate, int summed, double second, double third, double miss) {
  const auto moment = [=](double share) {
    return 2 * std::log(-std::expm1(-rate)) - std::log(-std::expm1(-rate * (1 - share))) -
           std::log(-std::expm1(-rate * (1 + share)));
  };
  const auto width = [=](double share) {
    const double moments = moment(share) + moment(share * second) + moment(share * third);
    return (std::log(2 / miss) + summed * moments) / (rate * share);
  };
  double low = 1e-6, high = 1 - 1e-9;
  for (int i = 0; i < 200; ++i) {
    const double left = low + (high - low) / 3, right = high - (high - low) / 3;
    (width(left) < width(right) ? high : low) = width(left) < width(right) ? right : left;
  }
  return width(low);
}

// Discrete Gaussian noise is sub-Gaussian by its variance (Canonne, Kamath, Steinke 2020, corollary 17), and so are
// weighted sums of it.
double sub_gaussian_width(double sigma, int summed, double second, double third, double miss) {
  return sigma * std::sqrt(2 * summed * (1 + second * second + third * third) * std::log(2 / miss));
}

double laplace_rate(const mechanism::Law& law) {
  const auto* const laplace = std::get_if<noise::DiscreteLaplace>(&law);
  if (laplace == nullptr) throw std::logic_error("numbers with noise of another law are not summed");
  return static_cast<double>(laplace->rate.num) / static_cast<double>(laplace->rate.den);
}

}  // namespace

double width_of_weighted_sums(const mechanism::Law& law, int summed, double second, double third, double miss) {
  if (const auto* const gaussian = std::get_if<noise::GaussianLevel>(&law))
    return sub_gaussian_width(gaussian->sigma(), summed, second, third, miss);
  return chernoff_width(laplace_rate(law), summed, second, third, miss);
}

void require_confidence(double confidence) {
  if (confidence > 0 && confidence < 1) return;
  throw Error("confidence must be a number between 0 and 1, not " + mechanism::decimal(confidence),
              "Give 0.95 for 95 percent.");
}

Int128 half_width(const mechanism::Law& law, int coordinates, double confidence) {
  require_confidence(confidence);
  const mechanism::Within within = mechanism::within(law);
  const double half =
      mechanism::integer_half_width([&within](double n) { return 1 - within(n); }, (1 - confidence) / coordinates);
  return static_cast<Int128>(std::min(half, 0x1p126));
}

Int128 half_width_of_sums(const mechanism::Law& law, int summed, int coordinates, double confidence) {
  const Int128 of_one = half_width(law, coordinates, confidence);
  if (summed == 1) return of_one;
  const double half = std::ceil(width_of_weighted_sums(law, summed, 0, 0, (1 - confidence) / coordinates));
  return static_cast<Int128>(std::min(half, 0x1p126));
}

bool has_half_width(const mechanism::Law& law) {
  return std::visit([](const auto& one) { return !mechanism::DependsOnAnswer<std::remove_cvref_t<decltype(one)>>; },
                    law);
}

}  // namespace dp::aggregate
