// The questions of plans that this session runs more than once: their bytes, and what was read of the answers to them.
//
// Bytes are made from a plan and from what changes between its executions: the values of parameters, whose permissions
// hold, the groups, the settings that functions read, and how each aggregate is answered. All of that is compared, bit
// by bit, before what is known is used; and whatever PostgreSQL tells its sessions of, a function, a type, a table, has
// to be as it was. Which answers are stored is asked each time.
#pragma once

#include "guard/reuse/question_text.h"

namespace dp::guard {

// As write_questions(), and good as long as the current memory context.
const Questions& questions_of_plan(const InnerQuery& inner_query, ParamListInfo values, const Oid* roles,
                                   const Groups& groups, std::span<const AnsweredAggregate> aggregates);

}  // namespace dp::guard
