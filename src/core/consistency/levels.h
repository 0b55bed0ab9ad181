// Answers at several levels of one question, as ROLLUP, CUBE and GROUPING SETS give them: which of them are about the
// same group, and which add up to which.
//
// Every group of a level is taken to be the sum of the groups of a finer level that have its keys. What the levels say
// is public, and so is all that is computed here.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace dp::consistency {

using Real = long double;  // holds every bigint

// Of n answers with `keys` keys each.
struct Answers {
  int keys;
  std::span<const std::uint32_t> missing;  // the keys that its set lacks, as GROUPING() says it: the last key is bit 0
  std::span<const std::int32_t> values;    // the keys, numbered from 0 on, n times `keys`; missing ones are not read
  std::span<const Real> answers;
  std::span<const Real> variances;  // relative to each other; 0: it is kept; infinity: nothing is known of it
};

class Levels {
 public:
  // More cells than these are not made up where no level has them.
  static constexpr std::uint64_t kMostCells = 1'000'000;

  // Throws dp::Error where that is not enough.
  explicit Levels(const Answers& answers);

  struct Node {
    int level;
    Real answer;  // the mean of all answers about it
    Real variance;
    int parent;  // in the chain, -1: none
  };

  const std::vector<Node>& nodes() const { return nodes_; }
  int node_of(std::size_t answer) const { return node_of_[answer]; }

  // The keys of each level, coarser ones before finer ones; the last level has all keys that any of them has.
  const std::vector<std::uint32_t>& sets() const { return sets_; }

  // Levels of which each has the keys of the one before it, down to the last one. All levels where they are nested.
  const std::vector<int>& chain() const { return chain_; }
  bool nested() const { return chain_.size() == sets_.size(); }

  // The nodes of the last level, and the node of each level to which such a cell belongs; -1: no answer is about that.
  const std::vector<int>& cells() const { return cells_; }
  int cover(std::size_t cell, std::size_t level) const { return cover_[cell * sets_.size() + level]; }

  // Whether every combination of values is there at every level, and all answers of a level have the same variance.
  bool symmetric() const;

 private:
  // A place for each combination of values.
  __extension__ using Code = unsigned __int128;
  struct Hash {
    std::size_t operator()(Code code) const {
      return static_cast<std::size_t>((static_cast<std::uint64_t>(code) ^ static_cast<std::uint64_t>(code >> 64)) *
                                      0x9e3779b97f4a7c15u);
    }
  };
  using Known = std::unordered_map<Code, int, Hash>;

  void measure(const Answers& answers);
  void add_answers(const Answers& answers);
  void make_cells_up();
  void find_chain();
  void cover_all();
  Code code_of(std::span<const std::int32_t> values, std::uint32_t set) const;
  int find(std::size_t level, std::span<const std::int32_t> values) const;

  int keys_;
  std::vector<std::uint64_t> sizes_;  // of each key: how many values
  std::vector<Code> steps_;
  std::vector<std::uint32_t> sets_;
  std::vector<Known> known_;  // of each level
  std::vector<Node> nodes_;
  std::vector<std::int32_t> values_;  // of each node
  std::vector<int> node_of_, chain_, cells_, cover_;
};

}  // namespace dp::consistency
