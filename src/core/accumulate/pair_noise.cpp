#include "core/accumulate/pair_noise.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include "core/accumulate/half_width.h"
#include "core/mechanism/loss.h"

namespace dp::aggregate {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();

struct Ends {
  double lower, upper;
};

Ends ends_of(const Form& form, bool second) {
  const double lower = second ? form.second.lower : form.lower;
  const auto range = static_cast<double>(second ? form.second.range : form.range);
  return {lower, lower + std::ldexp(range, second ? form.second.exponent : form.exponent)};
}

// Numbers in no order, the same each time (SplitMix64).
class Shuffled {
 public:
  std::uint64_t next() {
    std::uint64_t x = state_ += 0x9e37'79b9'7f4a'7c15;
    x = (x ^ x >> 30) * 0xbf58'476d'1ce4'e5b9;
    x = (x ^ x >> 27) * 0x94d0'49bb'1331'11eb;
    return x ^ x >> 31;
  }

  template <class T>
  void shuffle(T* values, int count) {
    for (int i = count - 1; i > 0; --i) std::swap(values[i], values[next() % (static_cast<std::uint64_t>(i) + 1)]);
  }

 private:
  std::uint64_t state_ = 1;
};

}  // namespace

PairNoise::PairNoise(const mechanism::Law& law, int summed, double confidence) : noise_{}, within_(0), beyond_(1) {
  require_confidence(confidence);
  const mechanism::Within within = mechanism::within(law);
  double quantiles[kDraws];
  for (int i = 0; i < kDraws / 2; ++i) {
    const double miss = (i + 0.5) / (kDraws / 2.0);
    quantiles[i] = mechanism::integer_half_width([&within](double n) { return 1 - within(n); }, miss);
    quantiles[kDraws - 1 - i] = -quantiles[i];
  }
  // A dozen draws add up to about what any number of them does.
  const int drawn = std::min(summed, 12);
  const double scale = std::sqrt(static_cast<double>(summed) / drawn);
  Shuffled shuffled;
  for (int number = 0; number < kNumbers; ++number) {
    for (int i = 0; i < drawn; ++i) {
      shuffled.shuffle(quantiles, kDraws);
      for (int draw = 0; draw < kDraws; ++draw) noise_[draw][number] += scale * quantiles[draw];
    }
  }
  constexpr double kMost = 1 - 8.0 / kDraws;
  const double told = std::min(confidence, kMost);
  const double surely = told + 2.5 * std::sqrt(told * (1 - told) / kDraws);
  within_ = std::min(static_cast<int>(std::ceil(surely * kDraws)), kDraws - 1);
  if (confidence <= kMost) return;
  const auto told_width = static_cast<double>(half_width(law, 1, kMost));
  beyond_ = std::max(1.0, static_cast<double>(half_width(law, 1, confidence)) / std::max(told_width, 1.0));
}

double* PairNoise::off(const Form& form, const double* numbers, std::size_t count, bool known,
                       double* distances) const {
  const PairSays answer = pair_says(form, numbers, count);
  const double row = pair_row(form);
  const int parts = parts_said(form.kind);
  double exact[kNumbers];
  for (int draw = 0; draw < kDraws; ++draw) {
    for (std::size_t i = 0; i < count; ++i) {
      exact[i] = numbers[i] - noise_[draw][i] / row;
      if (known) exact[i] = std::max(exact[i], 0.0);
    }
    const PairSays said = pair_says(form, exact, count);
    for (int part = 0; part < parts; ++part)
      distances[part * kDraws + draw] = std::fabs(said.at(part) - answer.at(part));
    const auto anything = [&](Part part, double distance) {
      if (PairSays::place_of(part) < parts) distances[PairSays::place_of(part) * kDraws + draw] = distance;
    };
    if (!said.any) {
      const Ends y = ends_of(form, false), x = ends_of(form, true);
      anything(Part::avgy, std::max(answer.avgy - y.lower, y.upper - answer.avgy));
      anything(Part::avgx, std::max(answer.avgx - x.lower, x.upper - answer.avgx));
    }
    if (!said.any || !said.spread_x) {
      anything(Part::slope, kLargest);
      anything(Part::intercept, kLargest);
    }
    if (said.any && said.spread_x && said.spread_y) continue;
    anything(Part::corr, 1 + std::fabs(answer.corr));
    anything(Part::r2, std::max(answer.r2, 1 - answer.r2));
  }
  for (int part = 0; part < parts; ++part)
    std::nth_element(distances + part * kDraws, distances + part * kDraws + within_, distances + (part + 1) * kDraws);
  return distances;
}

// What a number below 0 says is said by 0 as well, but of sums: these are as far off whatever they are.
PairSays PairNoise::errors(const Form& form, const double* numbers, std::size_t count) const {
  const int parts = parts_said(form.kind);
  const auto room = std::make_unique<double[]>(static_cast<std::size_t>(2 * parts) * kDraws);
  const double* const plain = off(form, numbers, count, false, room.get());
  const double* const known = off(form, numbers, count, true, room.get() + parts * kDraws);
  double errors[PairSays::kCount] = {};
  for (int part = 0; part < parts; ++part) {
    const bool sum = part <= PairSays::place_of(Part::pairs) || part == PairSays::place_of(Part::sxy);
    const int at = part * kDraws + within_;
    errors[part] = std::min((sum ? plain[at] : std::max(plain[at], known[at])) * beyond_, kLargest);
  }
  for (double* const counted : {&errors[0], &errors[1]}) *counted = std::floor(*counted + 0.5);
  PairSays said{};
  std::copy(std::begin(errors), std::end(errors), &said.rows);
  return said;
}

}  // namespace dp::aggregate
