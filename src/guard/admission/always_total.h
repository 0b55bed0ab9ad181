// The allow-list itself: functions of PostgreSQL 15 that are total, by OID, in groups that share the evidence for it.
#pragma once

#include <span>

#include "guard/admission/total_functions.h"

namespace dp::guard {

// Judges the arguments of a call in that collation, for functions that are total for some arguments only.
using Condition = Verdict (*)(Oid function, List* arguments, Oid collation);

// How large a result can be, and the largest piece of memory that a call asks for beside its arguments, which are
// there: at most `factor` (`workspace`) times the largest argument, and `extra` bytes.
struct Growth {
  int factor;
  int workspace;
  int extra;
};

struct TotalGroup {
  std::span<const Oid> functions;
  Growth growth;
  const char* provided = nullptr;  // what the condition asks for, nullptr where there is none
  Condition condition = nullptr;
};

// Those that are total whatever the arguments.
std::span<const TotalGroup> total_always();

// Whether the function is one of these. False for InvalidOid.
bool is_always_total(Oid function);

// Whether it gives the hash or the order of a type, and is total; false for InvalidOid. Arrays: of their elements.
bool is_total_order(Oid function, Oid type);

// The growth of a function that is admitted.
Growth growth_of(Oid function);

// Those that are total under a condition.
std::span<const TotalGroup> total_under_condition();

// Why a function that is on no list is not, and what to write instead.
Verdict known_failure(Oid function);

}  // namespace dp::guard
