// What dp.protect says of stored answers.
#pragma once

#include "budget/catalog/answer_policy_rows.h"

namespace dp::budget {

// The arguments reuse, share_answers, keep_answers and keep_answers_mb, from that one on: what is not named is as
// `before`, a time of 0 and -1 megabytes are what holds where nothing is said. Nothing where no answer is to be shown
// again. Raises 22023 for a time below a second, for one of the others without the first, and for answers that are
// shown again for longer than they are kept.
std::optional<AnswerPolicy> answer_policy_arguments(FunctionCallInfo fcinfo, int first,
                                                    const std::optional<AnswerPolicy>& before);

}  // namespace dp::budget
