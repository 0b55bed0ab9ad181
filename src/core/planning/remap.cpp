#include "core/planning/remap.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "core/mechanism/error.h"
#include "core/planning/shares.h"

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

// Sums over the counts i on one side of an answer y, each with the weight prior[i] a^|i - y|; they follow from those of
// the next answer on that side.
using Sum = long double;
struct Side {
  Sum weight = 0;
  Sum distance = 0;  // times |i - y|
  Sum square = 0;    // times its square
  Sum largest = 0;   // the greatest weight alone

  // The same counts seen from one step further.
  Side further(Sum a) const {
    return {a * weight, a * (distance + weight), a * (square + 2 * distance + weight), a * largest};
  }
  Side with(Sum prior) const { return {weight + prior, distance, square, std::max(largest, prior)}; }
};

// The loss of the best reading of every answer, in a few steps for each instead of one for each pair.
class Losses {
 public:
  Losses(const Channel& channel, std::span<const double> prior)
      : epsilon_(channel.epsilon.value()), n_(channel.n), below_(n_ + 1), above_(n_ + 1) {
    const Sum a = std::exp(-epsilon_);
    Side side;
    for (int y = 0; y <= n_; ++y) below_[y] = side = side.further(a).with(prior[y]);
    side = {};
    for (int y = n_; y >= 0; --y) {
      above_[y] = side.further(a);
      side = above_[y].with(prior[y]);
    }
  }

  // Sum over i of prior[i] a^|i - y| cost(i, reading), at its least.
  Sum least(int y, ReadingLoss loss) const {
    if (!(total(y) > 0)) return 0;
    switch (loss) {
      case ReadingLoss::abs:
        return about(y, median(y));
      case ReadingLoss::sq:
        return square_about(y, std::ceil(y + mean(y) - Sum{0.5}));
      case ReadingLoss::bin:
        break;
    }
    return total(y) - std::max(below_[y].largest, above_[y].largest);
  }

 private:
  Sum total(int y) const { return below_[y].weight + above_[y].weight; }
  Sum mean(int y) const { return (above_[y].distance - below_[y].distance) / total(y); }  // of i - y
  Sum decay(int steps) const { return std::exp(-epsilon_ * steps); }

  // Whether at least half of the weight lies on counts up to j.
  bool half(int y, int j) const {
    if (j < y) return 2 * decay(y - j) * below_[j].weight >= total(y);
    return 2 * decay(j - y) * above_[j].weight <= total(y);
  }

  int median(int y) const {
    int low = -1, high = n_;
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      (half(y, middle) ? high : low) = middle;
    }
    return high;
  }

  // The signed distances from j add up to those from y; what lies beyond j has the wrong sign.
  Sum about(int y, int j) const {
    const Sum signed_sum = (j - y - mean(y)) * total(y);
    const Sum loss =
        j < y ? 2 * decay(y - j) * below_[j].distance - signed_sum : 2 * decay(j - y) * above_[j].distance + signed_sum;
    return std::max<Sum>(loss, 0);
  }

  Sum square_about(int y, Sum j) const {
    const Sum off = j - y;
    const Sum loss = below_[y].square + above_[y].square + off * (off - 2 * mean(y)) * total(y);
    return std::max<Sum>(loss, 0);
  }

  Sum epsilon_;
  int n_;
  std::vector<Side> below_, above_;  // of y itself and lower counts, and of higher ones
};

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
  const Losses losses(channel, prior);
  Sum sum = 0;
  for (int answer = 0; answer <= channel.n; ++answer) sum += channel.factor(answer) * losses.least(answer, loss);
  return static_cast<double>(sum);
}

}  // namespace dp::planning
