// The parameters of a function of local privacy, which randomises a row's own answer. They must be the same for every
// row: if the value could choose its own epsilon or categories, the response would not be private.
#pragma once

#include "core/mechanism/response_odds.h"

#include "aggregate/kinds/categories.h"

namespace dp::aggregate {

// What such a function takes: its name, which argument its list or number of hashes is, and from which on one epsilon
// or two stand.
struct LocalFunction {
  const char* name;
  const char* takes;    // in words
  const char* example;  // a call
  int fixed;
  const char* fixed_name;
  int epsilons;
  int levels;
};

// An error (22023) where the argument at that position is NULL or, at the first call, changes from row to row.
void check_local_parameter(FunctionCallInfo fcinfo, const LocalFunction& function, int position, const char* name);
// That of all its parameters.
void check_local_parameters(FunctionCallInfo fcinfo, const LocalFunction& function);

[[noreturn]] void refuse_local_signature(const LocalFunction& function);

// The odds at its epsilon or, where it relaxes, at both. Throws dp::Error where the second is not above the first.
struct Levels {
  noise::Odds coarse;
  noise::Odds fine;
};
Levels local_levels(FunctionCallInfo fcinfo, const LocalFunction& function, unsigned parts);

// Raises the error (22004) of a function that relaxes a NULL.
[[noreturn]] void refuse_no_response(const LocalFunction& function, const char* what, const char* first);

// An aggregate over responses or reports needs two categories at least, and so does a response.
void check_choice(int categories);

}  // namespace dp::aggregate
