// Roll-ups: a question by fewer keys than a stored answer is answered by the sums of that answer's groups.
//
// That is the answer to the question where each row is in exactly one of the groups, and counts in it as it does in the
// sum: a privacy unit has one row, or what it has in all groups together is limited by an amount that was chosen, of
// which each group has its share; there is one grouping set, and all groups are shown, whether or not there are rows,
// but for those that the question's own conditions exclude. Then the rows of a group by fewer keys are those of all the
// groups below it, as far as the values of the keys are those that are declared.
//
// Nor need it be about all rows: of a question with a condition that is made of the stored answer's keys the groups are
// those in which the condition holds. WHERE ward = 'oncology' GROUP BY month is read off an answer by ward and month.
//
// Which keys a stored answer has cannot be told from the question. So such an answer is stored with the bytes of what
// its rows are, without keys, by which it is found, and with its keys, so that it can be seen whether their values are
// still the same.
#pragma once

#include "budget/answers/question.h"
#include "guard/query/private_query.h"

namespace dp::guard {

class Groups;

// Whether answers to the question can be rolled up, or be roll-ups.
bool has_disjoint_groups(const InnerQuery& inner_query, const Groups& groups);

// The keys of an inner query, which has disjoint groups: Node, as it groups by them, over the tables of `tables`.
struct GroupedBy {
  List* keys;
  List* tables;  // RangeTblEntry
};

// What is stored with an answer; empty where its keys depend on parameters. `rows`: the bytes of what its rows are.
budget::QuestionKeys keys_to_store(const InnerQuery& inner_query, const GroupedBy& by, const Groups& groups,
                                   std::string_view rows);

// How rows of a stored answer become those of a question.
struct RollUp {
  List* keys;            // Node: the keys of the stored answer, in the order of its columns
  int* places;           // for each key of the question, its number (from 0) among these
  const Groups* groups;  // those of the stored answer, of which the ones that are shown are summed; nullptr: all are
};

// Nothing where the stored answer lacks a key of the question, has no other one, or the values of its keys are not what
// they were. `dropped`: conditions (Node) that the question has and the stored answer has not; nothing where they are
// not all made of its keys. `asker`: whose permissions hold where no view's owner's do; `groups`, `estate`: of the
// question.
const RollUp* roll_up(const budget::QuestionKeys& stored, const InnerQuery& asked, const GroupedBy& by, List* dropped,
                      Oid asker, const Groups& groups, EState* estate);

}  // namespace dp::guard
