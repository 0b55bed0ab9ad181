// What the page to play with asks the pure core: the laws, samplers, paths and accountants of the extension, compiled to WebAssembly.
// Nothing is computed here that the extension computes elsewhere; random bits are those of the browser's crypto.getRandomValues.
//
// One question is posed at a time: how many rows, of which a person may have so many. Functions that may be given something that is not
// allowed return a text, what the core says of it; an empty one where all is well.
#include <wasi/api.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/accounting/loss.h"
#include "core/accounting/renyi_filter.h"
#include "core/accumulate/noisy_answer.h"
#include "core/mechanism/catalogue.h"
#include "core/mechanism/error.h"
#include "core/mechanism/noise_path.h"
#include "core/noise/buffered_bits.h"

#define FOR_PAGE extern "C" __attribute__((used, visibility("default")))

namespace {

using namespace dp;
using mechanism::Epsilon;

constexpr std::size_t kMostDraws = 10'000;

noise::BufferedBits bits([](void* buffer, std::size_t bytes) {
  return __wasi_random_get(static_cast<std::uint8_t*>(buffer), bytes) == 0;
});

// One number of rows, of which a person may have so many, with the noise of a mechanism.
struct Question {
  mechanism::Mechanism mechanism;
  Epsilon epsilon;
  mechanism::Changes changes;
  mechanism::Calibration calibration;

  Question(bool gaussian, Epsilon epsilon, std::uint32_t rows)
      : mechanism{gaussian ? &mechanism::kGaussian : &mechanism::kGeometric},
        epsilon(epsilon),
        changes(mechanism::Changes::one(1).by_unit({rows, 1, rows}, 1)) {
    if (gaussian) mechanism.values[1] = mechanism::Choice{0};
    calibration = mechanism::calibrate(mechanism, epsilon, changes, mechanism::Lattice::integer);
  }

  mechanism::NoisePath path() const { return mechanism::NoisePath::of(calibration.law, epsilon, changes); }

  mechanism::Loss figures(Epsilon level) const {
    return mechanism::describe(mechanism, level, static_cast<double>(changes.l1), mechanism::Lattice::integer).loss;
  }

  noise::Int128 draw() const {
    if (const auto* const level = std::get_if<noise::GaussianLevel>(&calibration.law)) return level->sample(bits);
    return std::get<noise::DiscreteLaplace>(calibration.law).sample(bits);
  }

  double answer(std::int64_t rows, noise::Int128 noise) const {
    return static_cast<double>(
        aggregate::to_int64(aggregate::refined(rows, calibration) + noise, calibration.refinement));
  }
};

std::optional<Question> question;
std::vector<noise::Int128> drawn;  // the noise of each answer, at the question's epsilon
std::vector<double> numbers;       // what the page reads
std::string said;

template <class Body>
const char* told(Body body) {
  said.clear();
  try {
    body();
  } catch (const Error& error) {
    said = std::string(error.what()) + ". " + error.hint();
  } catch (const std::exception& error) {
    said = error.what();
  }
  return said.c_str();
}

double times(const budget::Cost& cost, Epsilon limit, std::int64_t conversion_delta) {
  if (conversion_delta == 0) {
    // What has no bound does not add up.
    return cost.losses.bounded() ? static_cast<double>(limit.nano / static_cast<std::uint64_t>(cost.epsilon)) : 0;
  }
  const budget::Conversion conversion(conversion_delta);
  const budget::Spending asked{cost, budget::divergences_of(cost.losses)};
  const budget::RenyiLimit promise{static_cast<std::int64_t>(limit.nano), 0, &conversion};
  return static_cast<double>(budget::times_admitted(promise, {}, asked));
}

}  // namespace

FOR_PAGE const double* results() { return numbers.data(); }

// Poses the question. Results: half of the interval that holds 95 of 100 answers, the expected absolute error.
FOR_PAGE const char* pose(int gaussian, double epsilon, int rows) {
  return told([&] {
    if (rows < 1) throw std::invalid_argument("a person has at least 1 row");
    question.emplace(gaussian != 0, Epsilon::from(epsilon), static_cast<std::uint32_t>(rows));
    drawn.clear();
    const mechanism::Loss figures = question->figures(question->epsilon);
    numbers = {figures.interval95, figures.expected_abs};
  });
}

// Draws so many answers about so many rows. Results: the answers.
FOR_PAGE const char* draw(double rows, int count) {
  return told([&] {
    if (!question || count < 0 || static_cast<std::size_t>(count) > kMostDraws) throw std::invalid_argument("no such draw");
    drawn.clear();
    numbers.clear();
    for (int i = 0; i < count; ++i) {
      drawn.push_back(question->draw());
      numbers.push_back(question->answer(static_cast<std::int64_t>(rows), drawn.back()));
    }
  });
}

// Makes each of the answers drawn as accurate as the larger epsilon would have made it: the next step of its path. Results: half of the
// interval and the expected error at that epsilon, then the answers.
FOR_PAGE const char* relax(double rows, double epsilon) {
  return told([&] {
    const Epsilon to = Epsilon::from(epsilon);
    if (!question || to <= question->epsilon) throw std::invalid_argument("a more accurate answer needs a larger epsilon");
    const mechanism::PathMove move(question->path(), question->epsilon, to);
    const mechanism::Loss figures = question->figures(to);
    numbers = {figures.interval95, figures.expected_abs};
    for (const noise::Int128 noise : drawn)
      numbers.push_back(question->answer(static_cast<std::int64_t>(rows), move.draw(bits, noise)));
  });
}

// How often a budget of epsilon and delta holds an answer to the question; the same made more accurate; and two answers, at the one epsilon
// and anew at the other. Results: these three of an account that adds up epsilon, then of one that counts divergences with a half of delta.
FOR_PAGE const char* afford(double budget, double delta, double finer) {
  return told([&] {
    if (!question) throw std::invalid_argument("no question was posed");
    const Epsilon limit = Epsilon::limit(budget), to = Epsilon::from(finer);
    const auto conversion = static_cast<std::int64_t>(mechanism::Delta::from(delta).atto / 2);
    const auto once = budget::Cost::of(question->mechanism, question->epsilon);
    const auto better = once + budget::Cost::level(question->path(), to, question->epsilon);
    const auto twice = once + budget::Cost::of(question->mechanism, to);
    numbers.clear();
    for (const std::int64_t part : {std::int64_t{0}, conversion})
      for (const budget::Cost& cost : {once, better, twice}) numbers.push_back(times(cost, limit, part));
  });
}
