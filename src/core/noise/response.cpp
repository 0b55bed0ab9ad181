#include "core/noise/response.h"

#include "core/noise/primitives.h"
#include "core/noise/wide.h"

namespace dp::noise {
namespace {

void require(bool valid, const char* what) {
  if (!valid) throw std::invalid_argument(what);
}

void check(std::size_t truth, std::size_t categories, Odds odds) {
  require(categories >= 2 && categories >> 32 == 0 && truth < categories, "randomised response needs two categories");
  require(odds.parts > Odds::kOne && odds.parts <= Odds::kMost, "odds out of range");
}

// Any place below `size` but this one, each alike.
std::size_t another(BitSource& bits, std::size_t size, std::size_t than) {
  const auto other = static_cast<std::size_t>(below(bits, size - 1));
  return other < than ? other : other + 1;
}

}  // namespace

std::size_t randomized_response(BitSource& bits, std::size_t truth, std::size_t categories, Odds odds) {
  check(truth, categories, odds);
  const Uint128 lies = (categories - 1) * Odds::kOne;
  return bernoulli<Uint128>(bits, odds.parts, odds.parts + lies) ? truth : another(bits, categories, truth);
}

std::size_t relaxed_response(BitSource& bits, std::size_t truth, std::size_t response, std::size_t categories,
                             Odds coarse, Odds fine) {
  check(truth, categories, fine);
  check(response, categories, coarse);
  require(coarse.parts <= fine.parts, "a response relaxes to higher odds");
  // c : c' = kept : moved, in parts of 2^-80.
  const Wide one = widen(Odds::kOne), first = widen(coarse.parts), second = widen(fine.parts);
  const Wide moved = (second - first) * one;
  const Wide kept = first * second + (categories - 2) * one * first - (categories - 1) * one * one;
  if (response == truth) {
    const Wide truthful = second * kept;
    const Wide lies = (categories - 1) * one * moved;
    return bernoulli<Wide>(bits, truthful, truthful + lies) ? truth : another(bits, categories, truth);
  }
  const Wide same = one * kept;
  const Wide truthful = second * moved;
  const Wide lies = (categories - 2) * one * moved;
  if (bernoulli<Wide>(bits, same, same + truthful + lies)) return response;
  if (bernoulli<Wide>(bits, truthful, truthful + lies)) return truth;
  // A lie again, but another one.
  const std::size_t low = truth < response ? truth : response;
  const std::size_t other = another(bits, categories - 1, low);
  return other < truth + response - low ? other : other + 1;
}

}  // namespace dp::noise
