#include "core/planning/median.h"

#include <algorithm>
#include <cmath>

#include "core/mechanism/error.h"
#include "core/noise/interrupt.h"
#include "core/number/special_functions.h"
#include "core/planning/quantile.h"

namespace dp::planning {
namespace {

// P(|M| > t) as t grows.
struct MedianTail {
  const std::function<double(double)>& within;
  double m, above;  // m-th smallest; above = k - m + 1

  double operator()(double t) const {
    noise::check_interrupt();
    const double inside = std::clamp(within(t), 0.0, 1.0);
    if (std::isnan(inside)) throw Error("noise is too wide for the error of a median", "Use a larger epsilon.");
    return upper_beta_share(m, above, (1 + inside) / 2) + lower_beta_share(m, above, (1 - inside) / 2);
  }
};

// Adds piece(from, to, sum so far) over panels that double in width until they stop to matter.
template <class Piece>
double add_panels(double first, Piece piece) {
  double total = piece(0, first, 0);
  for (double from = first; from < 1e300; from *= 2) {
    const double part = piece(from, 2 * from, total);
    total += part;
    if (part <= 1e-13 * total) break;
  }
  return total;
}

double whole_integral(const MedianTail& tail, double size) {
  return add_panels(size, [&](double from, double to, double before) {
    double error = 0;
    const double part = integral(tail, from, to, 0, 0.0, &error);
    const double allowed = 1e-9 * (before + part);
    return error <= allowed ? part : integral(tail, from, to, 8, allowed / part);
  });
}

// The sum over from <= n < to, where beyond 2^13 terms the tail between two of them is taken for a straight line.
double sum(const MedianTail& tail, double from, double to) {
  const double step = std::max(1.0, std::floor((to - from) / 0x1p13));
  double total = 0, left = tail(from);
  for (double n = from; n < to;) {
    const double next = std::min(n + step, to), right = tail(next);
    total += (next - n) * left + (next - n - 1) / 2 * (right - left);
    n = next;
    left = right;
  }
  return total;
}

}  // namespace

double median_error(const std::function<double(double)>& within, int k) {
  const double m = std::ceil(k / 2.0);
  const MedianTail tail{within, m, k - m + 1};
  // The median of k lies around the middle 1/sqrt(k) of the mass.
  const double typical = quantile(within, std::min(0.5, 1 / std::sqrt(k)));
  if (within(0) > 0) {
    return add_panels(std::max(1.0, std::ceil(typical)),
                      [&](double from, double to, double) { return sum(tail, from, to); });
  }
  return whole_integral(tail, typical);
}

}  // namespace dp::planning
