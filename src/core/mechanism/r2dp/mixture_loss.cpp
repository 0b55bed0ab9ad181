#include "core/mechanism/r2dp/mixture_loss.h"

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <numbers>

#include "core/noise/interrupt.h"
#include "core/number/special_functions.h"

namespace dp::mechanism {
namespace {

// p log2(1/p), 0 at 0.
double surprise(double p) { return p > 0 ? -p * std::log2(p) : 0; }

template <class Term>
double sum_over(const Mixture& mixture, Term term) {
  double sum = 0;
  for (const auto& [weight, rate] : mixture) sum += weight * term(rate);
  return sum;
}

std::pair<double, double> range_of(const Mixture& mixture) {
  const auto slower = [](const MixtureAtom& a, const MixtureAtom& b) { return a.rate < b.rate; };
  const auto [least, most] = std::minmax_element(mixture.begin(), mixture.end(), slower);
  return {least->rate, most->rate};
}

// Integral of density(x) log2(1/density(x)) from `from` on, in ln x, because the atoms' scales may differ a
// millionfold.
template <class Density>
double entropy_beyond(Density density, double from, double to) {
  const auto term = [&](double y) { return surprise(density(std::exp(y))) * std::exp(y); };
  double sum = 0;
  constexpr double kPiece = 2;
  for (double y = std::log(from); y < std::log(to); y += kPiece) {
    noise::check_interrupt();
    sum += integral(term, y, std::min(y + kPiece, std::log(to)), 4, 1e-10);
  }
  return sum;
}

// The atoms per lattice step.
Mixture per_step(const noise::LaplaceMixture& law) {
  Mixture atoms;
  for (unsigned i = 0; i < law.count; ++i) {
    const auto& [weight, rate] = law.atoms[i];
    atoms.push_back({static_cast<double>(weight) / static_cast<double>(law.total),
                     static_cast<double>(rate.num) / static_cast<double>(rate.den)});
  }
  return atoms;
}

double integer_pmf(const Mixture& atoms, double x) {
  return sum_over(atoms, [x](double rate) { return std::tanh(rate / 2) * std::exp(-rate * x); });
}

// Term by term where the pmf may be steep, then by the Euler-Maclaurin formula at half a step, whose next term is of
// the order of the fourth power of what is left of the rates (those below 40/kTerms).
double integer_entropy(const Mixture& atoms) {
  constexpr int kTerms = 2000;
  const auto [least, most] = range_of(atoms);
  const auto pmf = [&](double x) { return integer_pmf(atoms, x); };
  double sum = surprise(pmf(0));
  for (int x = 1; x < kTerms && x * least < 750; ++x) sum += 2 * surprise(pmf(x));
  if (kTerms * least > 100) return sum;
  const double slope = surprise(pmf(kTerms)) - surprise(pmf(kTerms - 1));
  return sum + 2 * (entropy_beyond(pmf, kTerms - 0.5, kTerms + 100 / least) + slope / 24);
}

double integer_tail(const Mixture& atoms, double n) {
  return sum_over(atoms, [n](double rate) { return 2 * std::exp(-rate * (n + 1)) / (1 + std::exp(-rate)); });
}

}  // namespace

Loss continuous_loss(const Mixture& mixture) {
  const auto [least, most] = range_of(mixture);
  const auto density = [&](double x) {
    return sum_over(mixture, [x](double rate) { return rate / 2 * std::exp(-rate * x); });
  };
  const auto excess = [&](double t) { return continuous_within(mixture, t) - 0.95; };
  std::uintmax_t iterations = 200;
  const double longest = std::log(20.0) / least;
  const auto interval =
      boost::math::tools::toms748_solve(excess, std::log(20.0) / most * (1 - 1e-9), longest * (1 + 1e-9),
                                        boost::math::tools::eps_tolerance<double>(48), iterations);
  return {1 / sum_over(mixture, [](double rate) { return rate; }),
          sum_over(mixture, [](double rate) { return 1 / rate; }),
          sum_over(mixture, [](double rate) { return 2 / (rate * rate); }),
          2 * entropy_beyond(density, 1e-14 / most, 60 / least), interval.second};
}

double continuous_within(const Mixture& mixture, double t) {
  return std::min(1.0, sum_over(mixture, [t](double rate) { return -std::expm1(-rate * t); }));
}

double continuous_phi(const Mixture& mixture, double t) {
  return sum_over(mixture, [t](double rate) { return 1 / (1 + t * t / (rate * rate)); });
}

double integer_within(const noise::LaplaceMixture& law, double t) {
  const double n = std::floor(t);
  const auto within = [n](double rate) {  // both tails up to n, without cancellation for small rates
    return -(std::expm1(-rate * (n + 1)) + std::exp(-rate) * std::expm1(-rate * n)) / (1 + std::exp(-rate));
  };
  return std::min(1.0, sum_over(per_step(law), within));
}

double integer_phi(const noise::LaplaceMixture& law, double t) {
  return sum_over(per_step(law), [t](double rate) {
    const double part = std::sin(t / 2) / std::sinh(rate / 2);
    return 1 / (1 + part * part);
  });
}

Within within(const noise::LaplaceMixture& law) {
  return [law](double t) { return integer_within(law, t); };
}

Loss loss(const noise::LaplaceMixture& law) {
  const Mixture atoms = per_step(law);
  const auto half_sinh = [](double rate) { return std::sinh(rate / 2); };
  return {1 / sum_over(atoms, [](double rate) { return rate; }),
          sum_over(atoms, [](double rate) { return 1 / std::sinh(rate); }),
          sum_over(atoms, [&](double rate) { return 1 / (2 * half_sinh(rate) * half_sinh(rate)); }),
          integer_entropy(atoms), integer_interval95([&](double n) { return integer_tail(atoms, n); })};
}

}  // namespace dp::mechanism
