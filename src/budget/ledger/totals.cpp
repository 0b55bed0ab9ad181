#include "budget/ledger/totals.h"

#include <algorithm>

namespace dp::budget {

void add(Total* total, const Total& other) {
  total->spent += other.spent;
  total->charges += other.charges;
  total->dated += other.dated;
  total->dated_charges += other.dated_charges;
  total->begun = std::max(total->begun, other.begun);
  if (other.turned > 0) turn(total, other.closed, other.turned);
}

void turn(Total* total, bool closed, std::int64_t seq) {
  if (seq < total->turned) return;
  total->closed = closed;
  total->turned = seq;
}

}  // namespace dp::budget
