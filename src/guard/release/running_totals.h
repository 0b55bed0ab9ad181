// Running totals over the periods of a publication (core/accumulate/stream_sums.h): what earlier periods have left, and
// what is shown of this one.
//
// What is kept of each period, group and aggregate is its exact number, which later totals need as later levels of a
// release need its noise. It is readable by nobody but the extension's owner, and noise is added before anything
// leaves.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "budget/release/group_key.h"
#include "core/accumulate/stream_sums.h"
#include "guard/release/release_node.h"

namespace dp::guard {

class RunningTotals {
 public:
  // Of the node, which is about to run for a publication; nullptr where that is of other numbers. It goes with the
  // query's memory.
  static RunningTotals* of(ReleaseNode* node);

  // Puts totals in the place of the answers of the row that the gate has ended, and into the gate.
  void show(TupleTableSlot* row);

  // Writes down what later periods need, under the number of the stored answer.
  void store(std::int64_t answer) const;

  // How far the total of each aggregate may be off in 95 of 100 cases: a float8 array.
  Datum errors() const;

 private:
  explicit RunningTotals(ReleaseNode* node);

  struct Exact {
    noise::Int128 steps;
  };
  struct Series {
    std::vector<Exact> exact;  // of each period so far
    std::vector<double> said;  // what noisy numbers say of them, in steps
  };

  Series& series_of(int aggregate, const std::string& group);

  ReleaseNode* node_;
  std::size_t periods_;  // before this one
  aggregate::StreamWeights weights_;
  budget::GroupKeyWriter keys_;
  std::map<std::pair<int, std::string>, Series> series_;
  std::vector<std::map<std::pair<int, std::string>, Series>::const_iterator> shown_;
};

}  // namespace dp::guard
