#include "budget/ledger/totals.h"

#include <limits>

namespace dp::budget {
namespace {

void add(std::int64_t* sum, std::int64_t more) {
  if (__builtin_add_overflow(*sum, more, sum)) *sum = std::numeric_limits<std::int64_t>::max();
}

}  // namespace

void add(Amount* sum, const Amount& more) {
  add(&sum->epsilon, more.epsilon);
  add(&sum->delta, more.delta);
}

void turn(Total* total, bool closed, std::int64_t seq) {
  if (seq < total->turned) return;
  total->closed = closed;
  total->turned = seq;
}

}  // namespace dp::budget
