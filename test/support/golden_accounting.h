// Golden numbers of accounts that count Rényi divergences, written by tools/golden/accounting.py.
#pragma once

#include <array>
#include <cstdint>

#include "core/accounting/loss.h"

namespace dp::budget::golden {

struct GoldenLoss {
  Loss loss;
  Divergences divergences;
};

struct GoldenLimits {
  std::int64_t epsilon, delta;
  std::array<std::int64_t, kOrders> at;
};

#include "unit/golden_accounting.inc"

}  // namespace dp::budget::golden
