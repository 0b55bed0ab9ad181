#include "core/planning/minimax_remap.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

#include "core/mechanism/error.h"
#include "core/noise/interrupt.h"

namespace dp::planning {
namespace {

using Numbers = std::vector<long double>;

// Where to read answers as they stand is the best but for a share of e^{-36} = 2e-16.
constexpr double kAlmostNoNoise = 36;

// The expected losses of one step: an answer y is read as j.
class Game {
 public:
  Game(const Channel& channel, ReadingLoss loss) : channel_(channel), loss_(loss), size_(channel.n + 1) {
    for (int y = 0; y < size_; ++y) {
      for (int i = 0; i < size_; ++i) probability_.push_back(channel.probability(y, i));
    }
  }

  int size() const { return size_; }

  // P(answer | truth) cost(truth, reading)
  long double loss(int truth, int answer, int reading) const {
    return probability_[answer * size_ + truth] * cost(loss_, truth, reading);
  }

  int best(int answer, std::span<const double> prior) const { return best_reading(channel_, answer, prior, loss_); }

 private:
  Channel channel_;
  ReadingLoss loss_;
  int size_;
  Numbers probability_;
};

// Row i < size: losses at truth i + slack i - v = 0. Row size + y: the shares of the readings of answer y add up to 1.
class Simplex {
 public:
  explicit Simplex(const Game& game)
      : game_(game), size_(game.size()), basis_(rows()), values_(rows()), inverse_(rows() * rows()) {
    for (int row = 0; row < rows(); ++row) {
      inverse_[row * rows() + row] = 1;
      values_[row] = row < size_ ? 0 : 1;
      basis_[row] = row < size_ ? Variable::slack() : Variable{row - size_, row - size_};
    }
    for (int y = 0; y < size_; ++y) pivot(size_ + y, direction(share_column(y, y)));
    v_row_ = static_cast<int>(std::min_element(values_.begin(), values_.begin() + size_) - values_.begin());
    Numbers column(rows());
    std::fill_n(column.begin(), size_, -1);
    pivot(v_row_, direction(column));
  }

  // One pivot; false where v is within 1e-11 of its lower bound.
  bool step() {
    // The prices of the rows of truths are nature's prior with a minus sign.
    std::vector<double> prior(size_);
    std::transform(price(0), price(size_), prior.begin(), [](long double u) { return -u; });
    const auto lowest = std::min_element(prior.begin(), prior.end());
    if (*lowest < -1e-15) {
      Numbers column(rows());
      column[lowest - prior.begin()] = 1;
      enter(Variable::slack(), column);
      return true;
    }
    for (double& p : prior) p = std::max(p, 0.0);
    long double most = 0;
    Variable best{};
    bound_ = 0;
    for (int y = 0; y < size_; ++y) {
      const int reading = game_.best(y, prior);
      long double least = 0;
      for (int i = 0; i < size_; ++i) least += prior[i] * game_.loss(i, y, reading);
      bound_ += least;
      if (*price(size_ + y) - least > most) {
        most = *price(size_ + y) - least;
        best = {y, reading};
      }
    }
    if (v() - bound_ <= 1e-11L * v() || most == 0) return false;
    enter(best, share_column(best.answer, best.reading));
    return true;
  }

  long double bound() const { return bound_; }

  // Calls f(answer, reading, share) for each share above `least`; those of one answer add up to 1.
  template <class F>
  void shares(long double least, F f) const {
    Numbers totals(size_);
    const auto each = [&](auto use) {
      for (int row = 0; row < rows(); ++row) {
        if (row != v_row_ && basis_[row].answer >= 0 && values_[row] > least) use(basis_[row], values_[row]);
      }
    };
    each([&](Variable t, long double value) { totals[t.answer] += value; });
    each([&](Variable t, long double value) { f(t.answer, t.reading, value / totals[t.answer]); });
  }

 private:
  struct Variable {
    int answer, reading;  // of a share
    static Variable slack() { return {-1, -1}; }
  };

  int rows() const { return 2 * size_; }
  long double v() const { return values_[v_row_]; }
  Numbers::const_iterator price(int row) const { return inverse_.begin() + v_row_ * rows() + row; }

  Numbers share_column(int answer, int reading) const {
    Numbers column(rows());
    for (int i = 0; i < size_; ++i) column[i] = game_.loss(i, answer, reading);
    column[size_ + answer] = 1;
    return column;
  }

  Numbers direction(const Numbers& column) const {
    Numbers direction(rows());
    for (int row = 0; row < rows(); ++row) {
      direction[row] = std::inner_product(column.begin(), column.end(), inverse_.begin() + row * rows(), 0.0L);
    }
    return direction;
  }

  void enter(Variable variable, const Numbers& column) {
    const Numbers along = direction(column);
    const int row = leaving(along);
    pivot(row, along);
    basis_[row] = variable;
  }

  // Of the rows that reach zero first the one with the largest pivot.
  int leaving(const Numbers& along) const {
    const long double largest = *std::max_element(along.begin(), along.end());
    int best = -1;
    for (int row = 0; row < rows(); ++row) {
      if (row == v_row_ || !(along[row] > 1e-12L * largest)) continue;
      if (best < 0) {
        best = row;
        continue;
      }
      const long double here = std::max(values_[row], 0.0L) * along[best],
                        there = std::max(values_[best], 0.0L) * along[row];
      if (here < there || (here == there && along[row] > along[best])) best = row;
    }
    if (best < 0) throw std::runtime_error("minimax remap: the linear programme has no bound");
    return best;
  }

  void pivot(int row, const Numbers& along) {
    noise::check_interrupt();
    long double* const pivot_row = &inverse_[row * rows()];
    values_[row] /= along[row];
    for (int i = 0; i < rows(); ++i) pivot_row[i] /= along[row];
    for (int other = 0; other < rows(); ++other) {
      if (other == row || along[other] == 0) continue;
      values_[other] -= along[other] * values_[row];
      for (int i = 0; i < rows(); ++i) inverse_[other * rows() + i] -= along[other] * pivot_row[i];
    }
  }

  const Game& game_;
  int size_;
  std::vector<Variable> basis_;  // by rows; slack where it is no share
  Numbers values_;               // of the basic variables
  Numbers inverse_;              // of the basis, by rows
  int v_row_ = -1;
  long double bound_ = 0;
};

}  // namespace

MinimaxRemap minimax_remap(mechanism::Epsilon epsilon, int n, ReadingLoss loss) {
  if (n < 0 || n > kMaxMinimaxCount) {
    throw Error("n must be a whole number from 0 to 100, not " + std::to_string(n),
                "n is the largest count there can be; for more of them use dp_remap with a prior.");
  }
  const Game game({epsilon, n}, loss);
  MinimaxRemap remap{n, 0, 0, std::vector<double>(game.size() * game.size())};
  Numbers losses(game.size());
  const auto read = [&](int answer, int reading, long double share) {
    remap.probabilities[answer * game.size() + reading] += static_cast<double>(share);
    for (int i = 0; i <= n; ++i) losses[i] += share * game.loss(i, answer, reading);
  };
  const auto worst = [&] { return static_cast<double>(*std::max_element(losses.begin(), losses.end())); };
  if (n == 0 || epsilon.value() > kAlmostNoNoise) {
    for (int y = 0; y <= n; ++y) read(y, y, 1);
    remap.lower_bound = worst();
  } else {
    Simplex simplex(game);
    for (int steps = 0; simplex.step(); ++steps) {
      if (steps > 100 * game.size()) throw std::runtime_error("minimax remap: the linear programme did not end");
    }
    simplex.shares(1e-13L * std::exp(-epsilon.value()), read);  // less is rounding
    remap.lower_bound = static_cast<double>(simplex.bound());
  }
  remap.loss = worst();
  return remap;
}

}  // namespace dp::planning
