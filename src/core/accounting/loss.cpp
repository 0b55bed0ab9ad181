#include "core/accounting/loss.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

#include "core/mechanism/catalogue.h"
#include "core/number/real.h"

namespace dp::budget {
namespace {

constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();

Real units(std::int64_t nano) { return Real(nano) / Real(std::int64_t{1'000'000'000}); }

// R_epsilon(alpha) = ln[(e^{(alpha-1) epsilon} + e^{-alpha epsilon}) / (1 + e^{-epsilon})] / (alpha - 1), so that no
// exponent is positive.
Real response_curve(const Real& alpha, const Real& epsilon) {
  return epsilon + (log1p(exp(-(Real(2) * alpha - Real(1)) * epsilon)) - log1p(exp(-epsilon))) / (alpha - Real(1));
}

// From one level of a path to a finer one, given the first one's loss l = -ln u: the divergence of the step is at most
// F(u) = ln[A u^{alpha-1} + B u^alpha] / (alpha - 1), which rises up to a u and falls from there. The answer may decide
// whether it is made more accurate, so the worst u counts.
class Step {
 public:
  Step(const Real& alpha, const Real& epsilon) : alpha_(alpha) {
    a_ = (exp(alpha * epsilon) - exp(-alpha * epsilon)) / (exp(epsilon) - exp(-epsilon));
    b_ = exp(-alpha * epsilon) - exp(-epsilon) * a_;
  }

  Real at(const Real& u) const { return ((alpha_ - Real(1)) * log(u) + log(a_ + b_ * u)) / (alpha_ - Real(1)); }

  // For u from 1/most to most.
  Real worst(const Real& most) const {
    const Real top = (alpha_ - Real(1)) * a_ / (-alpha_ * b_);
    return at(std::clamp(top, Real(1) / most, most));
  }

 private:
  Real alpha_;
  Real a_;
  Real b_;
};

// Beyond it, what no loss exceeds is as good, and powers would leave what a Real holds.
constexpr std::int64_t kLargest = 1000 * std::int64_t{1'000'000'000};

Real step_curve(const Real& alpha, const Loss& loss) {
  const Real epsilon = units(loss.epsilon);
  const Real most = exp(units(loss.from));
  // A unit that changes one number by one step has just the two losses at the ends.
  const Step step(alpha, epsilon);
  return loss.kind == Loss::Kind::relax ? step.worst(most) : std::max(step.at(Real(1) / most), step.at(most));
}

bool is_gaussian(const Loss& loss) { return loss.kind == Loss::Kind::gaussian; }

bool is_step(const Loss& loss) { return loss.kind == Loss::Kind::relax || loss.kind == Loss::Kind::relax_count; }

// alpha (epsilon^2 - from^2) / 2 in units of 10^-12, rounded up: squares are of 10^-18, and the order is doubled.
__int128 gaussian_units(std::int64_t twice_order, const Loss& loss) {
  constexpr __int128 kQuanta = 4 * 1'000'000;
  const auto square = [](std::int64_t epsilon) { return static_cast<__int128>(epsilon) * epsilon; };
  return ((square(loss.epsilon) - square(loss.from)) * twice_order + kQuanta - 1) / kQuanta;
}

// alpha epsilon^2 / 8 in units of 10^-12, rounded up: epsilon^2 is one of 10^-18, and the order is doubled.
__int128 range_units(std::int64_t twice_order, std::int64_t epsilon) {
  constexpr __int128 kQuanta = 16 * 1'000'000;
  return (static_cast<__int128>(epsilon) * epsilon * twice_order + kQuanta - 1) / kQuanta;
}

// In the same units, rounded up.
__int128 curve_units(std::int64_t twice_order, const Loss& loss) {
  const Real alpha = Real(twice_order) / Real(2);
  const Real exact = is_step(loss) ? step_curve(alpha, loss) : response_curve(alpha, units(loss.epsilon));
  const __int128 whole = static_cast<std::int64_t>(ceil(exact * Real(Divergences::kPerUnit)));
  return loss.kind == Loss::Kind::range ? std::min(whole, range_units(twice_order, loss.epsilon)) : whole;
}

// No loss of one answer is larger, and so no divergence.
std::int64_t largest_loss(const Loss& loss) { return is_step(loss) ? loss.epsilon + loss.from : loss.epsilon; }

}  // namespace

Divergences divergences_of(const Loss& loss) {
  Divergences divergences;
  if (loss.epsilon <= 0) return divergences;
  const __int128 most = static_cast<__int128>(largest_loss(loss)) * Divergences::kPerNano + 1;
  for (std::size_t i = 0; i < kOrders; ++i) {
    __int128 units = most;
    if (is_gaussian(loss)) {
      units = loss.epsilon <= kLargest ? gaussian_units(kTwiceOrders[i], loss) + 1 : kEnd;
    } else if (loss.epsilon <= kLargest) {
      units = std::min(most, curve_units(kTwiceOrders[i], loss) + 1);
    }
    divergences.at[i] = units > kEnd ? kEnd : static_cast<std::int64_t>(units);
  }
  divergences.unbounded = is_gaussian(loss) ? 1 : 0;
  return divergences;
}

void Losses::add(const Loss& loss) {
  if (loss.times == 0) return;
  const auto is_same = [&](const Loss& other) {
    return other.kind == loss.kind && other.epsilon == loss.epsilon && other.from == loss.from;
  };
  Loss* const end = losses_.data() + count_;
  Loss* place = std::find_if(losses_.data(), end, is_same);
  // Each kind finds a place.
  if (place == end && count_ <= kMost - Loss::kKinds) {
    losses_[count_++] = loss;
    return;
  }
  if (place == end) place = std::find_if(losses_.data(), end, [&](const Loss& o) { return o.kind == loss.kind; });
  if (place == end) {
    losses_[count_++] = loss;
    return;
  }
  place->epsilon = std::max(place->epsilon, loss.epsilon);
  place->from = is_gaussian(loss) ? std::min(place->from, loss.from) : std::max(place->from, loss.from);
  if (__builtin_add_overflow(place->times, loss.times, &place->times)) place->times = kEnd;
}

bool Losses::bounded() const { return std::ranges::none_of(all(), is_gaussian); }

bool Losses::have_steps() const {
  return std::ranges::any_of(all(), [](const Loss& loss) { return loss.from > 0; });
}

Losses Losses::times(std::int64_t factor) const {
  Losses product;
  for (Loss loss : all()) {
    if (__builtin_mul_overflow(loss.times, factor, &loss.times)) loss.times = kEnd;
    product.add(loss);
  }
  return product;
}

Divergences divergences_of(const Losses& losses) {
  Divergences sum;
  for (const Loss& loss : losses.all()) sum += divergences_of(loss).times(loss.times);
  return sum;
}

namespace {

constexpr const char* kNames[Loss::kKinds] = {"pure", "range", "relax", "relax_count", "gaussian"};

class Writer {
 public:
  explicit Writer(LossText* to) : at_(to->text) { *at_ = '\0'; }

  Writer& operator<<(const char* text) {
    const std::size_t size = std::strlen(text);
    std::memcpy(at_, text, size + 1);
    at_ += size;
    return *this;
  }

 private:
  char* at_;
};

// Of what is left to read.
class Reader {
 public:
  explicit Reader(std::string_view text) : left_(text) {}

  bool ended() const { return left_.empty(); }

  bool skip(std::string_view word) {
    if (!left_.starts_with(word)) return false;
    left_.remove_prefix(word.size());
    return true;
  }

  bool number(std::int64_t* value) {
    const auto [end, error] = std::from_chars(left_.data(), left_.data() + left_.size(), *value);
    if (error != std::errc() || *value < 0) return false;
    left_.remove_prefix(static_cast<std::size_t>(end - left_.data()));
    return true;
  }

  // A decimal of up to nine digits behind the point, in nano.
  bool nano(std::int64_t* value) {
    std::int64_t whole;
    if (!number(&whole) || __builtin_mul_overflow(whole, std::int64_t{1'000'000'000}, value)) return false;
    if (!skip(".")) return true;
    std::int64_t unit = 100'000'000;
    while (!left_.empty() && left_.front() >= '0' && left_.front() <= '9') {
      if (unit == 0 || __builtin_add_overflow(*value, unit * (left_.front() - '0'), value)) return false;
      unit /= 10;
      left_.remove_prefix(1);
    }
    return true;
  }

 private:
  std::string_view left_;
};

bool read_one(Reader* from, Loss* loss) {
  int kind = Loss::kKinds - 1;  // the longer name first
  while (kind >= 0 && !from->skip(kNames[kind])) --kind;
  if (kind < 0 || !from->skip(" ")) return false;
  *loss = {static_cast<Loss::Kind>(kind), 0};
  if (is_step(*loss) && (!from->nano(&loss->from) || !from->skip(" to "))) return false;
  if (!from->nano(&loss->epsilon)) return false;
  if (is_gaussian(*loss) && from->skip(" to ")) {
    loss->from = loss->epsilon;
    if (!from->nano(&loss->epsilon) || loss->epsilon <= loss->from) return false;
  }
  return !from->skip(" x ") || from->number(&loss->times);
}

}  // namespace

LossText text_of(const Losses& losses) {
  LossText text;
  Writer out(&text);
  bool first = true;
  for (const Loss& loss : losses.all()) {
    if (!std::exchange(first, false)) out << ", ";
    out << kNames[static_cast<int>(loss.kind)] << " ";
    if (is_step(loss) || loss.from > 0) out << epsilon_decimal(loss.from).text << " to ";
    out << epsilon_decimal(loss.epsilon).text;
    char times[24];
    *std::to_chars(times, times + sizeof times, loss.times).ptr = '\0';
    if (loss.times != 1) out << " x " << times;
  }
  return text;
}

bool parse(const char* text, Losses* losses) {
  *losses = {};
  Reader from(text);
  while (!from.ended()) {
    Loss loss;
    if (!read_one(&from, &loss)) return false;
    losses->add(loss);
    if (!from.ended() && !from.skip(", ")) return false;
  }
  return true;
}

Cost Cost::pure(const Amount& amount) {
  Losses losses;
  if (amount.epsilon > 0) losses.add({Loss::Kind::pure, amount.epsilon});
  return {amount, losses};
}

Cost Cost::of(const mechanism::Mechanism& mechanism, mechanism::Epsilon epsilon, int choices) {
  if (choices > 1) {
    const Cost one = of(mechanism, {epsilon.nano / static_cast<std::uint64_t>(choices)});
    return {Amount::of(epsilon, {}), one.losses.times(choices)};
  }
  const Amount amount = Amount::of(epsilon, mechanism::delta_of(mechanism));
  if (mechanism::is_without_delta(mechanism)) return {amount, Loss{Loss::Kind::gaussian, amount.epsilon}};
  if (mechanism.family != &mechanism::kExponential) return pure(amount);
  return {amount, Loss{Loss::Kind::range, amount.epsilon}};
}

Cost dearest(const Cost& a, const Cost& b) {
  const Amount amount = {std::max(a.epsilon, b.epsilon), std::max(a.delta, b.delta)};
  if (a.losses == b.losses || b.losses.empty()) return {amount, a.losses};
  if (a.losses.empty()) return {amount, b.losses};
  if (a.losses.bounded() && b.losses.bounded()) return Cost::pure(amount);
  Losses both = a.losses;
  return {amount, both += b.losses};
}

Cost Cost::level(const mechanism::NoisePath& path, mechanism::Epsilon level, mechanism::Epsilon paid, bool anew) {
  if (level <= paid) return {};
  const bool gaussian = path.kind() == mechanism::NoisePath::Kind::gaussian;
  const Amount price = Amount::of({anew && !gaussian ? level.nano + paid.nano : level.nano - paid.nano}, {0});
  if (paid.nano == 0 && !gaussian) return pure(price);
  const auto kind = gaussian ? Loss::Kind::gaussian : path.change() == 1 ? Loss::Kind::relax_count : Loss::Kind::relax;
  return {price, Loss{kind, static_cast<std::int64_t>(level.nano), static_cast<std::int64_t>(paid.nano)}};
}

}  // namespace dp::budget
