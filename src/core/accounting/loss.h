// How an answer loses privacy, by its kind and parameters, and what that is in Rényi divergences.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/accounting/divergences.h"
#include "core/mechanism/mechanism.h"
#include "core/mechanism/noise_path.h"

namespace dp::budget {

// Amounts are nano-epsilon. The divergence of order alpha is at most, with R_e the curve of randomised response:
struct Loss {
  enum class Kind : std::uint8_t {
    pure,         // of anything epsilon-DP: R_epsilon
    range,        // of a choice by the exponential mechanism: min(R_epsilon, alpha epsilon^2 / 8)
    relax,        // of the level `epsilon` of a path, for who has seen its level `from`
    relax_count,  // the same where a unit changes one number by one step at most: less, and no bound is smaller
    gaussian,     // of Gaussian noise: alpha epsilon^2 / 2, and no bound on the loss itself; of a finer level of it the
                  // difference to that of the level `from` (core/noise/gaussian_path.h)
  };
  static constexpr int kKinds = 5;

  Kind kind;
  std::int64_t epsilon;
  std::int64_t from = 0;  // of the three last kinds; 0: nothing was seen before, of the last one alone
  std::int64_t times = 1;

  friend bool operator==(const Loss&, const Loss&) = default;
};

// Of one such loss, whatever `times` says: computed in 50 digits, rounded up, and one unit more.
Divergences divergences_of(const Loss& loss);

// What one charge consists of. Of one kind there may be too many to keep each: then they count as so many of the
// largest of them. Plain numbers, which lie in shared memory, too.
class Losses {
 public:
  static constexpr std::size_t kMost = 9;

  Losses() = default;
  Losses(const Loss& loss) { add(loss); }

  void add(const Loss& loss);
  Losses& operator+=(const Losses& other) {
    for (const Loss& loss : other.all()) add(loss);
    return *this;
  }
  Losses times(std::int64_t factor) const;

  std::span<const Loss> all() const { return {losses_.data(), count_}; }
  bool empty() const { return count_ == 0; }

  // Whether no loss is larger than its epsilon.
  bool bounded() const;

  // Whether one is of a level for who has seen another one: its divergences are more than those of an answer that costs
  // as much.
  bool have_steps() const;

  // In the sequence in which they came; what came in another one is the same to who charges it, but not equal.
  friend bool operator==(const Losses&, const Losses&) = default;

 private:
  std::array<Loss, kMost> losses_{};
  std::size_t count_ = 0;
};

// The sum of all of them.
Divergences divergences_of(const Losses& losses);

// "pure 0.1, range 0.05 x 3, relax 0.1 to 0.2, gaussian 0.1": as the ledger writes them. Plain characters without a
// destructor.
struct LossText {
  char text[Losses::kMost * 96];
};
LossText text_of(const Losses& losses);

// Reads what text_of() wrote; nothing where it is no such text.
bool parse(const char* text, Losses* losses);

// What is charged for an answer: to accounts that add up epsilon, and how it is lost.
struct Cost : Amount {
  Losses losses;

  Cost() = default;
  Cost(const Amount& amount, const Losses& how) : Amount(amount), losses(how) {}

  // Of an answer that is (epsilon, delta)-DP: with probability delta it may tell all, otherwise it is epsilon-DP.
  static Cost pure(const Amount& amount);

  // Of an answer by that mechanism. The epsilon of Gaussian noise without a delta is no bound on its loss. `choices`: of
  // so many, one after the other, each at that part of epsilon.
  static Cost of(const mechanism::Mechanism& mechanism, mechanism::Epsilon epsilon, int choices = 1);

  // What a level of a path costs one who has paid for another one of it; nothing for a coarser one. `anew`: in a budget
  // that does not count what was paid any more.
  //
  // Such a budget bounds what is learnt in its period by who knows all that was told before. What the finer level tells
  // beside the coarser one is the difference of their losses, which lie between -paid and paid and between -level and
  // level: at most level + paid. Only where both count in one budget it is level - paid in the end. Divergences of a
  // step are those of what it adds, whatever was told before, and Gaussian ones add up: they are the same.
  static Cost level(const mechanism::NoisePath& path, mechanism::Epsilon level, mechanism::Epsilon paid,
                    bool anew = false);

  Cost& operator+=(const Cost& other) {
    Amount::operator+=(other);
    losses += other.losses;
    return *this;
  }
  friend Cost operator+(Cost a, const Cost& b) { return a += b; }
  Cost times(std::int64_t factor) const { return {Amount::times(factor), losses.times(factor)}; }
};

// What either of two answers costs at most, where a unit is in one of them at most.
Cost dearest(const Cost& a, const Cost& b);

}  // namespace dp::budget
