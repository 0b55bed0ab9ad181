// Which aggregates of a stored answer a node's are shown from, and where their integers stand.
#pragma once

#include "budget/answers/answer_rows.h"
#include "budget/answers/stored_answers.h"
#include "guard/release/answered_as.h"

namespace dp::guard {

struct ReleaseNode;

struct NeededAggregate {
  budget::ColumnForm form;  // as it is stored; without a length where it is not needed, and passed over
  IntegersOf integers;      // among those of all that are needed, in the order of the stored answer
  AttrNumber column;        // of the node, which shows it
};

// In the memory context in which it is made.
class NeededAggregates {
 public:
  NeededAggregates(const ReleaseNode& node, const budget::StoredAnswer& answer);

  int stored() const { return stored_; }      // aggregates of the stored answer
  int integers() const { return integers_; }  // of the needed ones, in a row

  bool has(int place) const { return needed_[place].form.length != 0; }
  const NeededAggregate& at(int place) const { return needed_[place]; }

  // The integers that the node's aggregate of that number is shown from.
  const IntegersOf& integers_of(int aggregate) const { return needed_[places_[aggregate].aggregate].integers; }

 private:
  const budget::AggregatePlace* places_;
  int stored_;
  int integers_ = 0;
  NeededAggregate* needed_;
};

}  // namespace dp::guard
