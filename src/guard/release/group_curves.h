// Groups of a private query of which nothing but running totals is shown (guard/rewrite/window_curves.h), answered
// together (core/accumulate/ordered_groups.h): by square roots where noise is Gaussian, by trees where it is Laplace's.
// What is said of a group is the difference of two totals, so that totals that are added up above the node are these.
//
// Only where groups are public, and so are their number and order; and only where totals come out clearly closer than
// those of groups that are answered one by one. It costs what these would: the same epsilon and delta, at noise for
// what a unit changes of all integers of all orders together (changes_of_ordered()). What the aggregates have drawn for
// each group by themselves is put away unseen.
//
// Counts that are shown as no less than zero have totals that never fall: the nearest ones, which are no farther from
// the exact ones.
//
// Such answers have no levels that are finer: no release of them is kept. They are another question than that of the
// groups by themselves, whose stored answer serves them.
#pragma once

#include "core/accumulate/prefix_sums.h"
#include "core/mechanism/mechanism.h"
#include "guard/release/release_node.h"

namespace dp::guard {

// Plain data in the query's memory.
class GroupCurves {
 public:
  // Of the node, whose query notes some and whose groups are loaded, before its price is asked; nullptr where its
  // groups are answered one by one.
  static GroupCurves* of(ReleaseNode* node);

  // What tells its question apart.
  const char* mark() const;

  // Of that aggregate, for EXPLAIN; nullptr where it is none of them.
  const char* text_of(int aggregate) const;

  // Takes the row that the gate has ended.
  void put(const TupleTableSlot* row);

  // Once all rows are there: draws, and puts the rows as they are shown. `noisy`: whether their integers are kept.
  void release(Answers* answers, bool noisy);

 private:
  struct Curve {
    int aggregate;
    int place;  // among the integers of a row
    bool rises;
    aggregate::PrefixSums longest;
    mechanism::Calibration calibration;
    double totals, alone;  // mean square errors: of totals, of those of groups answered one by one
  };

  explicit GroupCurves(ReleaseNode* node) : node_(node) {}

  std::int64_t longest_order() const;
  bool choose(Curve* curve, int groups);
  GroupOrder order() const;
  void read();
  bool is_new_order(const TupleTableSlot* row, Datum* keys, bool* nulls) const;
  void draw(const Curve& curve, noise::Int128* numbers, int groups) const;

  ReleaseNode* node_;
  int parts_ = 0;
  bool falls_ = false;
  List* keys_ = NIL;  // int
  int count_ = 0;
  Curve* curves_ = nullptr;
  int integers_ = 0;  // of a row
  Answers* rows_ = nullptr;
  std::int64_t size_ = 0;             // rows
  noise::Int128* numbers_ = nullptr;  // of each curve those of all rows: exact, then shown
  List* orders_ = NIL;                // int: how many rows each has
};

}  // namespace dp::guard
