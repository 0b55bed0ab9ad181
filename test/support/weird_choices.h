// Decisions of which a random statement is made, so that it can be made again, smaller: the same generator, given
// fewer or lower decisions, makes a similar statement. Decision 0 is the simplest alternative everywhere.
#pragma once

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace dp::test {

class Choices {
 public:
  explicit Choices(unsigned seed) : random_(seed), is_random_(true) {}
  explicit Choices(std::vector<int> given) : given_(std::move(given)) {}

  // From 0 to n - 1.
  int below(int n) {
    int chosen = 0;
    if (made_.size() < given_.size()) chosen = std::min(given_[made_.size()], n - 1);
    if (is_random_) chosen = std::uniform_int_distribution<int>(0, n - 1)(random_);
    made_.push_back(chosen);
    return chosen;
  }
  bool once_in(int n) { return below(n) == n - 1; }

  template <class T>
  T one_of(const std::vector<T>& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
  }
  std::string word(const std::vector<std::string>& list) { return one_of(list); }

  const std::vector<int>& made() const { return made_; }

 private:
  std::vector<int> given_, made_;
  std::mt19937 random_;
  bool is_random_ = false;
};

// Fewer and lower decisions that still fail, in at most so many attempts.
inline std::vector<int> smallest(std::vector<int> choices, int attempts,
                                 const std::function<bool(const std::vector<int>&)>& fails) {
  const auto taken = [&](const std::vector<int>& candidate) {
    if (candidate == choices || --attempts < 0 || !fails(candidate)) return false;
    choices = candidate;
    return true;
  };
  const auto without = [&](std::size_t at, std::size_t many) {
    std::vector<int> fewer = choices;
    const auto first = fewer.begin() + static_cast<std::ptrdiff_t>(at);
    fewer.erase(first, first + static_cast<std::ptrdiff_t>(std::min(many, choices.size() - at)));
    return fewer;
  };
  const auto with_zeroes = [&](std::size_t at, std::size_t many) {
    std::vector<int> lower = choices;
    std::fill_n(lower.begin() + static_cast<std::ptrdiff_t>(at), std::min(many, choices.size() - at), 0);
    return lower;
  };
  for (bool smaller = true; smaller && attempts > 0;) {
    smaller = false;
    for (std::size_t many = std::max<std::size_t>(choices.size() / 2, 1); many > 0; many /= 2) {
      for (std::size_t at = 0; at < choices.size() && attempts > 0;) {
        const bool done = taken(with_zeroes(at, many));
        if (taken(without(at, many))) {
          smaller = true;
          continue;
        }
        smaller = smaller || done;
        at += many;
      }
    }
  }
  return choices;
}

}  // namespace dp::test
