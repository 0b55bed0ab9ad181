#include "core/mechanism/r2dp/gauss_rule.h"

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <numeric>

namespace dp::mechanism {
namespace {

// How many eigenvalues of the Jacobi matrix lie below x: the negative pivots of its LDL' factors.
std::size_t eigenvalues_below(const Recurrence& r, double x) {
  std::size_t negative = 0;
  double pivot = 1;
  for (std::size_t j = 0; j < r.centre.size(); ++j) {
    pivot = r.centre[j] - x - (j == 0 ? 0 : r.spread[j] / pivot);
    if (pivot == 0) pivot = -1e-300;
    if (pivot < 0) ++negative;
  }
  return negative;
}

double nonzero(double pivot) { return pivot == 0 ? 1e-300 : pivot; }

// The squared first entry of the normed eigenvector at the eigenvalue x, by a twisted factorisation: the pivots from
// above and from below are joined where their sum is least, so that neither recurrence runs the way in which errors
// grow. Source: Dhillon, Parlett, "Orthogonal Eigenvectors and Relative Gaps" (2004).
double weight_at(const Recurrence& r, double x) {
  const std::size_t n = r.centre.size();
  std::vector<double> above(n), below(n), entry(n);
  for (std::size_t j = 0; j < n; ++j) {
    above[j] = nonzero(r.centre[j] - x - (j == 0 ? 0 : r.spread[j] / above[j - 1]));
  }
  for (std::size_t j = n; j-- > 0;) {
    below[j] = nonzero(r.centre[j] - x - (j + 1 == n ? 0 : r.spread[j + 1] / below[j + 1]));
  }
  std::size_t twist = 0;
  const auto joined = [&](std::size_t j) { return std::abs(above[j] + below[j] - (r.centre[j] - x)); };
  for (std::size_t j = 1; j < n; ++j) {
    if (joined(j) < joined(twist)) twist = j;
  }
  entry[twist] = 1;
  for (std::size_t j = twist; j-- > 0;) entry[j] = -std::sqrt(r.spread[j + 1]) * entry[j + 1] / above[j];
  for (std::size_t j = twist + 1; j < n; ++j) entry[j] = -std::sqrt(r.spread[j]) * entry[j - 1] / below[j];
  return entry[0] * entry[0] / std::inner_product(entry.begin(), entry.end(), entry.begin(), 0.0);
}

}  // namespace

Recurrence recurrence_of(const Mixture& points, std::size_t count) {
  const auto dot = [](const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  };
  std::vector<double> next;
  for (const MixtureAtom& point : points) next.push_back(std::sqrt(point.weight));
  std::vector<std::vector<double>> basis;
  Recurrence r;
  for (std::size_t j = 0; j < count; ++j) {
    const double norm = std::sqrt(dot(next, next));
    if (j > 0 && !(norm > 1e-11 * std::abs(r.centre.front()))) break;
    for (double& x : next) x /= norm;
    basis.push_back(next);
    r.spread.push_back(j == 0 ? 0 : norm * norm);
    for (std::size_t i = 0; i < points.size(); ++i) next[i] *= points[i].rate;
    r.centre.push_back(dot(next, basis.back()));
    for (auto q = basis.rbegin(); q != basis.rend(); ++q) {
      const double along = dot(next, *q);
      for (std::size_t i = 0; i < next.size(); ++i) next[i] -= along * (*q)[i];
    }
  }
  return r;
}

Mixture gauss_rule(const Recurrence& r) {
  // Gershgorin's bounds.
  double low = r.centre.front(), high = low;
  for (std::size_t j = 0; j < r.centre.size(); ++j) {
    const double reach = std::sqrt(r.spread[j]) + (j + 1 < r.spread.size() ? std::sqrt(r.spread[j + 1]) : 0);
    low = std::min(low, r.centre[j] - reach);
    high = std::max(high, r.centre[j] + reach);
  }
  Mixture atoms;
  for (std::size_t k = 0; k < r.centre.size(); ++k) {
    const auto sign = [&](double x) { return eigenvalues_below(r, x) > k ? 1.0 : -1.0; };
    const auto near = [](double a, double b) { return b - a <= 1e-15 * std::abs(b); };
    std::uintmax_t iterations = 200;
    const auto root =
        boost::math::tools::bisect(sign, low - 1e-9 * std::abs(low), high + 1e-9 * std::abs(high), near, iterations);
    atoms.push_back({weight_at(r, root.second), root.second});
  }
  return atoms;
}

}  // namespace dp::mechanism
