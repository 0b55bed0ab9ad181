// How to read a geometric count on 0..n: the best guess of the true count for a loss and a prior.
//
// Source: Ghosh, Roughgarden, Sundararajan, "Universally Utility-Maximizing Privacy Mechanisms" (2009): for every prior
// and every monotone loss, the geometric mechanism with the reading below is as good as the best epsilon-private
// mechanism made for that prior and loss. Reading is post-processing: it costs no privacy.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/mechanism/epsilon_delta.h"

namespace dp::planning {

// What a wrong count costs: |i-j|, (i-j)^2, or 1 unless i = j.
enum class ReadingLoss : std::uint8_t { abs, sq, bin };

// From 'abs', 'sq', 'bin'; throws dp::Error for other words.
ReadingLoss reading_loss(std::string_view word);

double cost(ReadingLoss loss, int truth, int reading);

// The geometric count as it is observed on 0..n: an answer outside is taken for the end it lies beyond, so the ends
// carry the mass of the tails. P(answer | truth) = factor(answer) * a^|answer - truth| with a = e^{-epsilon}.
struct Channel {
  mechanism::Epsilon epsilon;
  int n;

  int observed(std::int64_t answer) const { return answer < 0 ? 0 : answer > n ? n : static_cast<int>(answer); }
  double factor(int answer) const;
  double probability(int answer, int truth) const;
};

inline constexpr int kMaxCount = 10'000;

// Throws dp::Error unless the prior holds 1 to kMaxCount + 1 probabilities of sum 1; entry i is that of count i.
void check_prior(std::span<const double> prior);

// The reading of least expected loss after that answer; of several equally good ones the smallest.
// `prior` may have any positive sum.
int best_reading(const Channel& channel, int answer, std::span<const double> prior, ReadingLoss loss);

// The expected loss of these readings, and with it the least that any epsilon-private mechanism can reach.
double expected_loss(const Channel& channel, std::span<const double> prior, ReadingLoss loss);

}  // namespace dp::planning
