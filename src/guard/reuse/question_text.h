// The bytes of a question: whatever can change what its answer means is in them.
//
// - The inner query as rewrite/question.h has it, with the values of its parameters in it and without positions in the
//   statement's text. Tables, columns, functions, operators, types and collations stand there by their numbers, so that
//   a table in the place of another one is another question; views and functions in SQL stand there as what they are.
// - The tables and whose permissions hold for them, as far as these are not the asker's; the facts of the schema that
//   were relied on; the privacy unit, its limits and contribution; the price of choosing groups.
// - The groups: for each public key all its values.
// - The session's settings that its functions may read: digits of numbers; time zone and styles of moments where one
//   of them is not immutable.
// - The versions of server and extension.
//
// Each part is written with its length before it, so that no two lists of parts make the same bytes. Of an aggregate
// epsilon is not in them, but how it is answered (its mechanism, after dp.mechanism and `auto` have been looked up).
#pragma once

#include <span>

#include "budget/answers/question.h"
#include "core/mechanism/mechanism.h"
#include "guard/query/private_query.h"
#include "guard/reuse/roll_up.h"

namespace dp::guard {

class Groups;

// An aggregate as it will be answered in this execution, in the order of the inner query.
struct AnsweredAggregate {
  const mechanism::Mechanism* mechanism;
  mechanism::Epsilon epsilon;
  aggregate::Form form;
  mechanism::NoisePath path;  // as budget::QuestionAggregate has it
};

// What is asked, and wider questions (budget::Question*, the widest first): the same without some of the conditions
// that are made of group keys. An answer to one of these has the groups that are asked among its own, with the same
// answers. There are none where a condition on keys could change more than which groups there are.
//
// Where the groups are disjoint (roll_up.h) the answer can be rolled up; where none of its aggregates counts different
// values, it may be a roll-up itself.
struct Questions {
  budget::Question asked;
  List* wider;
  bool disjoint;
  bool rolls;
  GroupedBy by;
  Query* rows;  // the question without keys and aggregates
};

// `values`: of the inner query's parameters; `roles`: whose permissions hold for each of its protected tables; `groups`
// have been loaded; `aggregates`: as many as the inner query has. In the current memory context.
Questions write_questions(const InnerQuery& inner_query, ParamListInfo values, const Oid* roles, const Groups& groups,
                          std::span<const AnsweredAggregate> aggregates);

// The same question as one that nothing else asks than what has that mark. Palloc'd.
Questions& marked(const Questions& questions, const char* mark);

// The bytes of what the rows of the question are, whatever keys they are grouped by.
std::string_view text_of_rows(const Questions& questions, const InnerQuery& inner_query, const Oid* roles);

// The same without some conditions of the question (Node), which may be made of the keys of an answer about those rows.
struct WiderRows {
  std::string_view text;
  List* dropped;
};

// A List of WiderRows*: without one of a few conditions, and without all conditions.
List* wider_rows(const Questions& questions, const InnerQuery& inner_query, const Oid* roles);

}  // namespace dp::guard
