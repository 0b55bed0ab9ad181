#include "core/consistency/levels.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "core/mechanism/error.h"
#include "core/noise/interrupt.h"

namespace dp::consistency {
namespace {

bool has(std::uint32_t set, int key, int keys) { return (set >> (keys - 1 - key) & 1) != 0; }

std::uint32_t all_keys(int keys) { return keys >= 32 ? ~0u : (1u << keys) - 1; }

bool is_within(std::uint32_t set, std::uint32_t other) { return (set & ~other) == 0; }

// Two answers about one group: each counts by what it knows.
void add_to(Levels::Node* node, Real answer, Real variance) {
  if (node->variance == 0 || std::isinf(variance)) return;
  if (variance == 0 || std::isinf(node->variance)) {
    node->answer = answer;
    node->variance = variance;
    return;
  }
  const Real both = node->variance + variance;
  node->answer = (node->answer * variance + answer * node->variance) / both;
  node->variance = node->variance * variance / both;
}

}  // namespace

Levels::Levels(const Answers& answers) : keys_(answers.keys) {
  measure(answers);
  add_answers(answers);
  make_cells_up();
  find_chain();
  cover_all();
}

void Levels::measure(const Answers& answers) {
  sizes_.assign(static_cast<std::size_t>(keys_), 1);
  std::uint32_t finest = 0;
  for (std::size_t i = 0; i < answers.missing.size(); ++i) {
    const std::uint32_t set = all_keys(keys_) & ~answers.missing[i];
    if (std::find(sets_.begin(), sets_.end(), set) == sets_.end()) sets_.push_back(set);
    finest |= set;
    for (int key = 0; key < keys_; ++key) {
      if (!has(set, key, keys_)) continue;
      auto& size = sizes_[static_cast<std::size_t>(key)];
      const auto value = answers.values[i * static_cast<std::size_t>(keys_) + static_cast<std::size_t>(key)];
      size = std::max<std::uint64_t>(size, static_cast<std::uint64_t>(value) + 1);
    }
  }
  if (std::find(sets_.begin(), sets_.end(), finest) == sets_.end()) sets_.push_back(finest);
  std::sort(sets_.begin(), sets_.end(), [](std::uint32_t one, std::uint32_t other) {
    const int keys = std::popcount(one), others = std::popcount(other);
    return keys != others ? keys < others : one < other;
  });
  Code step = 1;
  for (const std::uint64_t size : sizes_) {
    steps_.push_back(step);
    if (step > ~Code{0} / size)
      throw Error("answers by these keys are not made to add up: their values have more than 2^128 combinations",
                  "Group by fewer keys.");
    step *= size;
  }
}

Levels::Code Levels::code_of(std::span<const std::int32_t> values, std::uint32_t set) const {
  Code code = 0;
  for (int key = 0; key < keys_; ++key) {
    const auto place = static_cast<std::size_t>(key);
    if (has(set, key, keys_)) code += steps_[place] * static_cast<Code>(values[place]);
  }
  return code;
}

int Levels::find(std::size_t level, std::span<const std::int32_t> values) const {
  const auto found = known_[level].find(code_of(values, sets_[level]));
  return found == known_[level].end() ? -1 : found->second;
}

void Levels::add_answers(const Answers& answers) {
  const auto width = static_cast<std::size_t>(keys_);
  known_.resize(sets_.size());
  for (std::size_t i = 0; i < answers.missing.size(); ++i) {
    noise::check_interrupt();
    const std::uint32_t set = all_keys(keys_) & ~answers.missing[i];
    const auto level = static_cast<std::size_t>(std::find(sets_.begin(), sets_.end(), set) - sets_.begin());
    const auto values = answers.values.subspan(i * width, width);
    const auto [place, is_new] = known_[level].try_emplace(code_of(values, set), static_cast<int>(nodes_.size()));
    node_of_.push_back(place->second);
    if (!is_new) {
      add_to(&nodes_[static_cast<std::size_t>(place->second)], answers.answers[i], answers.variances[i]);
      continue;
    }
    nodes_.push_back({static_cast<int>(level), answers.answers[i], answers.variances[i], -1});
    values_.insert(values_.end(), values.begin(), values.end());
  }
}

// Where nobody asked for the last level: all combinations of values that occur.
void Levels::make_cells_up() {
  const auto width = static_cast<std::size_t>(keys_);
  const std::size_t last = sets_.size() - 1;
  if (!known_[last].empty()) return;
  std::uint64_t cells = 1;
  for (const std::uint64_t size : sizes_) {
    if (cells > kMostCells / size)
      throw Error("these levels are not made to add up: no level has all keys, which have more than " +
                      std::to_string(kMostCells) + " combinations of values",
                  "Ask for the level with all keys as well, or group by fewer keys.");
    cells *= size;
  }
  std::vector<std::int32_t> values(width, 0);
  for (std::uint64_t cell = 0; cell < cells; ++cell) {
    std::uint64_t rest = cell;
    for (std::size_t key = 0; key < width; ++key) {
      values[key] = static_cast<std::int32_t>(rest % sizes_[key]);
      rest /= sizes_[key];
    }
    known_[last].emplace(code_of(values, sets_[last]), static_cast<int>(nodes_.size()));
    nodes_.push_back({static_cast<int>(last), 0, INFINITY, -1});
    values_.insert(values_.end(), values.begin(), values.end());
  }
}

// From the last level up: where several fit, one with an answer that is kept as it is, else the finest one.
void Levels::find_chain() {
  std::vector<bool> keeps(sets_.size(), false);
  for (const Node& node : nodes_)
    if (node.variance == 0) keeps[static_cast<std::size_t>(node.level)] = true;
  std::vector<std::size_t> kept;
  for (std::size_t level = 0; level < sets_.size(); ++level)
    if (keeps[level]) kept.push_back(level);
  std::size_t at = sets_.size() - 1;
  chain_ = {static_cast<int>(at)};
  for (;;) {
    std::size_t best = sets_.size();
    for (std::size_t level = 0; level < at; ++level) {
      if (!is_within(sets_[level], sets_[at]) || sets_[level] == sets_[at]) continue;
      const bool leads = std::any_of(kept.begin(), kept.end(), [&](std::size_t one) {
        return one < at && sets_[one] != sets_[at] && is_within(sets_[one], sets_[level]);
      });
      const bool led = best < sets_.size() && std::any_of(kept.begin(), kept.end(), [&](std::size_t one) {
                         return one < at && sets_[one] != sets_[at] && is_within(sets_[one], sets_[best]);
                       });
      if (best == sets_.size() || leads || !led) best = level;
    }
    if (best == sets_.size()) break;
    chain_.push_back(static_cast<int>(best));
    at = best;
  }
  std::reverse(chain_.begin(), chain_.end());
  std::vector<int> above(sets_.size(), -1);
  for (std::size_t i = 1; i < chain_.size(); ++i) above[static_cast<std::size_t>(chain_[i])] = chain_[i - 1];
  const auto width = static_cast<std::size_t>(keys_);
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    const int level = above[static_cast<std::size_t>(nodes_[node].level)];
    if (level < 0) continue;
    nodes_[node].parent = find(static_cast<std::size_t>(level), std::span(values_).subspan(node * width, width));
  }
}

void Levels::cover_all() {
  const auto width = static_cast<std::size_t>(keys_);
  for (std::size_t node = 0; node < nodes_.size(); ++node)
    if (nodes_[node].level + 1 == static_cast<int>(sets_.size())) cells_.push_back(static_cast<int>(node));
  if (nested()) return;
  cover_.reserve(cells_.size() * sets_.size());
  for (const int cell : cells_) {
    noise::check_interrupt();
    const auto values = std::span(values_).subspan(static_cast<std::size_t>(cell) * width, width);
    for (std::size_t level = 0; level < sets_.size(); ++level) cover_.push_back(find(level, values));
  }
}

bool Levels::symmetric() const {
  std::vector<Real> variance(sets_.size(), -1);
  for (const Node& node : nodes_) {
    Real& first = variance[static_cast<std::size_t>(node.level)];
    if (first < 0) first = node.variance;
    if (node.variance != first) return false;
  }
  for (std::size_t level = 0; level < sets_.size(); ++level) {
    std::uint64_t all = 1;
    for (int key = 0; key < keys_; ++key)
      if (has(sets_[level], key, keys_)) all *= sizes_[static_cast<std::size_t>(key)];
    if (all != known_[level].size()) return false;
  }
  return true;
}

}  // namespace dp::consistency
