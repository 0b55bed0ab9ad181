// The allow-list itself: PostgreSQL 15's functions that are total, by OID, in groups with the same evidence.
#pragma once

#include <span>

#include "guard/total_functions.h"

namespace dp::guard {

// Looks at the arguments of a call of a function that is total for some arguments only.
using Condition = Verdict (*)(Oid function, List* arguments);

struct TotalGroup {
  std::span<const Oid> functions;
  const char* provided;  // what the condition asks for, nullptr where there is none
  Condition condition;
};

// Those that are total whatever the arguments.
std::span<const TotalGroup> total_always();

// Whether the function is one of these. False for InvalidOid.
bool is_always_total(Oid function);

// Those that are total under a condition.
std::span<const TotalGroup> total_under_condition();

// Why a function that is on no list is not, and what to write instead.
Verdict known_failure(Oid function);

}  // namespace dp::guard
