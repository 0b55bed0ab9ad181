// A question by fewer keys than a stored answer: sums of that answer's groups (guard/reuse/roll_up.h).
#pragma once

#include "budget/answers/stored_answers.h"

namespace dp::guard {

struct ReleaseNode;
struct RollUp;

// Whether what the node asks of an answer can be summed: noise that is added to integers, which are kept as they are;
// and there is room for the sums.
bool can_be_summed(const ReleaseNode& node, const budget::StoredAnswer& answer);

// Fills in the node's answers. False where rows of the answer have gone meanwhile.
bool show_sums(ReleaseNode* node, const budget::StoredAnswer& answer, const RollUp& way);

}  // namespace dp::guard
