#include "core/planning/accuracy.h"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <limits>
#include <optional>

#include "core/mechanism/error.h"
#include "core/mechanism/mechanism_text.h"
#include "core/noise/interrupt.h"

namespace dp::planning {
namespace {

using mechanism::decimal;
using mechanism::Epsilon;

// The search for the smallest epsilon that keeps a promise on P(|noise| <= error), in whole numbers of 1e-9.
//
// Each look calibrates the mechanism, which takes milliseconds for some, so there are to be few of them: ln(-ln(1 - P))
// is nearly a straight line in ln epsilon, of slope 1 for thick tails and near 2 for thin ones.
class EpsilonSearch {
 public:
  EpsilonSearch(const Noise& noise, double error, double confidence)
      : noise_(noise), error_(error), confidence_(confidence) {}

  // The smallest epsilon with the promise; nothing where none up to the greatest keeps it.
  std::optional<Epsilon> smallest() {
    if (!bracket()) return std::nullopt;
    if (holds_ - fails_ > 1 && fails_ > 0) narrow();
    return Epsilon{bisect(fails_, holds_, [&](std::uint64_t nano) { return excess(nano) >= 0; })};
  }

 private:
  static double line(double probability) {
    constexpr double kFar = 700;
    if (!(probability > 0)) return -kFar;
    return std::clamp(std::log(-std::log1p(-std::min(probability, 1.0))), -kFar, kFar);
  }

  // How far the line is above its target, or below: then the promise fails. Moves the end that it improves.
  double excess(std::uint64_t nano) {
    noise::check_interrupt();
    const double within = noise_.at({nano}).within(error_);
    const double gap = line(within) - line(confidence_);
    if (within >= confidence_) {
      if (nano < holds_) holds_ = nano, above_ = std::max(gap, 0.0);
      return std::max(gap, 0.0);
    }
    if (nano > fails_) fails_ = nano, below_ = std::min(gap, -kBelow);
    return std::min(gap, -kBelow);
  }

  // From epsilon 1 on by steps that reach the target if the slope is 1, until it lies between fails_ and holds_.
  bool bracket() {
    double nano = Epsilon::kPerUnit;
    for (;;) {
      const auto at = static_cast<std::uint64_t>(nano);
      const double gap = excess(at);
      if (gap >= 0 && (at == 1 || fails_ > 0)) return true;
      if (gap < 0 && holds_ <= kMaxNano) return true;
      if (gap < 0 && at == kMaxNano) return false;
      const double step = std::clamp(std::exp(std::abs(gap)) * 1.01, 1.1, 1024.0);
      nano = gap < 0 ? std::min(std::ceil(nano * step), static_cast<double>(kMaxNano))
                     : std::max(std::floor(nano / step), 1.0);
    }
  }

  // Both ends towards the root until they are some billionths apart.
  void narrow() {
    const auto at = [&](double log_nano) {
      return excess(static_cast<std::uint64_t>(std::llround(std::exp(log_nano))));
    };
    const auto near = [](double a, double b) { return std::exp(b) - std::exp(a) <= 2; };
    std::uintmax_t most = 40;
    boost::math::tools::toms748_solve(at, std::log(static_cast<double>(fails_)), std::log(static_cast<double>(holds_)),
                                      below_, above_, near, most);
  }

  static constexpr std::uint64_t kMaxNano = 1'000'000 * Epsilon::kPerUnit;
  static constexpr double kBelow = 1e-300;

  const Noise& noise_;
  double error_, confidence_;
  std::uint64_t fails_ = 0, holds_ = kMaxNano + 1;
  double below_ = 0, above_ = 0;
};

void check_confidence(double confidence) {
  if (confidence > 0 && confidence < 1) return;
  throw Error("confidence must be a number between 0 and 1, not " + decimal(confidence), "Give 0.95 for 95 percent.");
}

void check_distance(const char* name, double distance) {
  if (distance >= 0 && distance <= std::numeric_limits<double>::max()) return;
  throw Error(std::string(name) + " must be a finite number from 0, not " + decimal(distance),
              "Give the distance between answer and true value that is still useful, in units of the answer.");
}

}  // namespace

double usefulness(const Noise& noise, Epsilon epsilon, double gamma) {
  check_distance("gamma", gamma);
  return noise.at(epsilon).within(gamma);
}

double half_width(const Noise& noise, Epsilon epsilon, double confidence) {
  check_confidence(confidence);
  return quantile(noise.at(epsilon).within, confidence);
}

Epsilon epsilon_for(const Noise& noise, double error, double confidence) {
  check_distance("error", error);
  check_confidence(confidence);
  if (const auto found = EpsilonSearch(noise, error, confidence).smallest()) return *found;
  throw Error("no epsilon up to 1e6 keeps the error of " + mechanism::format(noise.mechanism) + " within " +
                  decimal(error) + " with confidence " + decimal(confidence),
              "Allow a larger error or a lower confidence, or take a mechanism for whole numbers: whole => true.");
}

}  // namespace dp::planning
