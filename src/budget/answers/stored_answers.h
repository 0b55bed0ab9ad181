// Answers that were charged, kept to be shown again: the same question again is free.
//
// Frozen rows, as those of a release: they survive a ROLLBACK of the transaction that wrote them and are seen by every
// session at once. A crash may take them; then the question is asked anew. Nothing here asks what the current role may
// do, and dumps do not carry them: in another cluster the numbers of objects in the questions mean something else.
#pragma once

#include "budget/answers/question.h"
#include "budget/catalog/answer_policy_rows.h"

namespace dp::budget {

struct StoredAnswer {
  std::int64_t id;
  TimestampTz made_at;   // when its rows were read, also where it was made more accurate later
  Oid role;              // who holds it: was shown it and paid for it
  std::int64_t release;  // where its noise is kept, so that it can be made more accurate; 0: nowhere
  int part;
  std::int64_t rows;
  Question question;       // with the amounts at which its aggregates were answered
  AggregatePlace* places;  // for each aggregate that is asked, where it is in `question`
  bool has_all;            // those that are asked themselves, not others that say the same
};

// The answers of whatever role to that question, those that have all its aggregates themselves before others, newest
// first, and the most accurate ones first where one was made more accurate: those with its text and at least its
// aggregates, at whatever epsilon. A list of palloc'd StoredAnswer*.
List* stored_answers(const Question& question);

// For a question that is kept in that memory: what is read of its answers is kept there, too, each as long as its row
// is the same. That the row is still there is asked each time.
SeenAnswers* make_seen_answers(MemoryContext memory);

// Whether nothing more can be kept there.
bool is_full(const SeenAnswers& seen);

// An answer with its keys.
struct KeyedAnswer {
  StoredAnswer* answer;
  QuestionKeys keys;
};

// The answers of whatever role, newest first, to questions about these rows by whatever keys, with at least the
// aggregates of `asked`, among so many that were stored last. A list of palloc'd KeyedAnswer*.
List* answers_about(std::string_view rows, const Question& asked, int most);

// A number for rows that are about to be written.
std::int64_t new_answer_id();

// Says that the answer, whose rows are written, is there; `bytes` of its rows. Then forgets what the limits of its
// tables no longer let them keep, oldest first. One of what is being published is under no such limit.
void store_answer(const StoredAnswer& answer, const QuestionKeys& keys, std::int64_t bytes);

// Deletes the answers on that table, also where others were joined to it. Returns how many there were. Those on a table
// that is dropped go with it.
std::int64_t forget_answers(Oid relation);

// Deletes that answer, of a question with that hash (answer_hashes.h), if it is there.
void forget_answer(std::int64_t question_hash, std::int64_t answer);

// Called once, when the library is loaded at the server's start.
void install_answers();

}  // namespace dp::budget
