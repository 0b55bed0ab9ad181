// A release node that does not ask anew: its question was answered before, and the answer is stored.
//
// Which way a node goes is decided when it begins, from the question, the clock, the policy and what was charged
// before: from nothing that rows could change. All that a question has to pass (admission, permissions, accounts) it
// has passed by then.
//
// - again: the role holds an answer of at least the epsilon that is asked. Nothing is charged, no row is read.
// - finer: the role holds one of a smaller epsilon, whose noise is kept: it is relaxed, and the difference is charged.
// - shared: another role holds one, and the policy lets it serve: the role's account pays, the table pays what nobody
//   has paid yet.
// - last: the budget is gone, and dp.on_exhausted wants the last answer, however old: as again, with a warning.
//
// The answer may also be one to a wider question (reuse/question_text.h): then the groups are shown that are asked. Or
// one by more keys (reuse/roll_up.h), which serves `again` where the role holds none by these: then sums are shown.
#pragma once

#include "budget/answers/stored_answers.h"
#include "core/accounting/amount.h"
#include "pg/planner.h"

namespace dp::guard {

struct ReleaseNode;
struct RollUp;

struct Reuse {
  enum class Way : std::uint8_t { again, finer, shared, last };
  Way way;
  const budget::StoredAnswer* answer;
  bool filtered;                    // it has more groups than are asked
  const RollUp* roll_up = nullptr;  // it has more keys than are asked: sums of its groups
};

// Whether a curator wants answers on its tables stored: of all its protected tables.
bool stores_answers(const ReleaseNode& node);

// Whether the session would be shown a stored answer, if there is one to the question.
bool may_be_answered_again(const ReleaseNode& node);

// Fills in the node's question, and its reuse where a stored answer serves. The node's groups are loaded.
void look_for_answer(ReleaseNode* node);

// What answering that way charges: a list of palloc'd budget::Entry.
List* charges_of_reuse(const ReleaseNode& node);

// Charges, durably, and fills in the node's answers. False, and nothing was charged, where the stored answer has gone
// or changed in the meantime: then the node asks anew.
bool answer_again(ReleaseNode* node);

// Stores what the node answered, and paid for as a part of that release (0: none is kept). Returns the number of the
// stored answer; 0 where none is stored.
std::int64_t store_answer_of(ReleaseNode* node, std::int64_t release, int part);

// Where the budget is gone: lets all of these nodes (ReleaseNode*) that would be charged show their last answers. False
// where one of them has none; then nothing has changed.
bool show_last_answers(List* nodes);

// Warns of the age of the last answers that these nodes show, if they do.
void warn_of_last_answers(List* nodes);

// For EXPLAIN.
const char* text_of(const Reuse& reuse);

}  // namespace dp::guard
