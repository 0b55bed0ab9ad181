#include "planning/remap.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "mechanism/error.h"
#include "planning/shares.h"

namespace dp::planning {
namespace {

// The posterior up to a factor. The nearest possible count has its whole prior as weight, so that not all of them
// vanish.
std::vector<double> posterior(const Channel& channel, int answer, std::span<const double> prior) {
  int nearest = std::numeric_limits<int>::max();
  for (int i = 0; i <= channel.n; ++i) {
    if (prior[i] > 0) nearest = std::min(nearest, std::abs(answer - i));
  }
  std::vector<double> weights(prior.begin(), prior.end());
  for (int i = 0; i <= channel.n; ++i) {
    if (weights[i] > 0) weights[i] *= std::exp(-channel.epsilon.value() * (std::abs(answer - i) - nearest));
  }
  return weights;
}

int weighted_median(std::span<const double> weights) {
  const double half = std::accumulate(weights.begin(), weights.end(), 0.0) / 2;
  double sum = 0;
  std::size_t j = 0;
  while (j + 1 < weights.size() && (sum += weights[j]) < half) ++j;
  return static_cast<int>(j);
}

int nearest_to_mean(std::span<const double> weights) {
  double total = 0, sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    total += weights[i];
    sum += weights[i] * static_cast<double>(i);
  }
  return static_cast<int>(std::ceil(sum / total - 0.5));
}

}  // namespace

ReadingLoss reading_loss(std::string_view word) {
  if (word == "abs") return ReadingLoss::abs;
  if (word == "sq") return ReadingLoss::sq;
  if (word == "bin") return ReadingLoss::bin;
  throw Error("loss \"" + std::string(word) + "\" is not known",
              "Give 'abs' for |error|, 'sq' for its square, 'bin' for 1 unless the count is right.");
}

double cost(ReadingLoss loss, int truth, int reading) {
  const double error = std::abs(truth - reading);
  switch (loss) {
    case ReadingLoss::abs:
      return error;
    case ReadingLoss::sq:
      return error * error;
    case ReadingLoss::bin:
      break;
  }
  return error == 0 ? 0 : 1;
}

double Channel::factor(int answer) const {
  if (n == 0) return 1;
  const double a = std::exp(-epsilon.value());
  const bool at_end = answer == 0 || answer == n;
  return (at_end ? 1 : -std::expm1(-epsilon.value())) / (1 + a);
}

double Channel::probability(int answer, int truth) const {
  return factor(answer) * std::exp(-epsilon.value() * std::abs(answer - truth));
}

void check_prior(std::span<const double> prior) {
  if (prior.size() > kMaxCount + 1) {
    throw Error("prior must have at most 10001 entries, not " + std::to_string(prior.size()),
                "Its entries are the probabilities of the counts 0, 1, ...; a count that large needs no remap.");
  }
  check_shares("prior", prior);
}

int best_reading(const Channel& channel, int answer, std::span<const double> prior, ReadingLoss loss) {
  const std::vector<double> weights = posterior(channel, answer, prior);
  switch (loss) {
    case ReadingLoss::abs:
      return weighted_median(weights);
    case ReadingLoss::sq:
      return nearest_to_mean(weights);
    case ReadingLoss::bin:
      break;
  }
  return static_cast<int>(std::max_element(weights.begin(), weights.end()) - weights.begin());
}

double expected_loss(const Channel& channel, std::span<const double> prior, ReadingLoss loss) {
  double sum = 0;
  for (int answer = 0; answer <= channel.n; ++answer) {
    const int reading = best_reading(channel, answer, prior, loss);
    double here = 0;
    for (int i = 0; i <= channel.n; ++i) {
      if (prior[i] > 0)
        here += prior[i] * std::exp(-channel.epsilon.value() * std::abs(answer - i)) * cost(loss, i, reading);
    }
    sum += channel.factor(answer) * here;
  }
  return sum;
}

}  // namespace dp::planning
