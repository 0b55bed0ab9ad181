#include "budget/ledger/totals.h"

namespace dp::budget {

void turn(Total* total, bool closed, std::int64_t seq) {
  if (seq < total->turned) return;
  total->closed = closed;
  total->turned = seq;
}

}  // namespace dp::budget
