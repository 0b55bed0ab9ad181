// What dp.protect says of stored answers.
#pragma once

#include "budget/catalog/answer_policy_rows.h"

namespace dp::budget {

// The arguments reuse, share_answers, keep_answers and keep_answers_mb, from that one on; nothing where no answer is to
// be shown again. Raises 22023 for a time that is not positive, for one of the others without the first, and for
// answers that are shown again for longer than they are kept.
std::optional<AnswerPolicy> answer_policy_arguments(FunctionCallInfo fcinfo, int first);

}  // namespace dp::budget
