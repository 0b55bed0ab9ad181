// Functions that are total for some arguments only, and what these are.
#pragma once

#include "guard/admission/total_functions.h"
#include "guard/functions/function_facts.h"

namespace dp::guard {

// Whether the call's arguments are such; `when` is what the function's row says. Constants are judged here, at
// admission: left to the executor, a bad one would be reported exactly if some row got there.
Verdict judge_condition(Total when, Oid function, List* arguments, Oid collation);

// In words, for dp.total_functions(); nullptr where nothing is asked for.
const char* condition_in_words(Total when);

}  // namespace dp::guard
