// Values in conditions that are answers of their own: WHERE age > (SELECT avg(age) FROM visits), or lists of them:
// WHERE ward IN (SELECT ward FROM visits GROUP BY ward ORDER BY count(*) DESC LIMIT 3).
//
// A subquery that refers to nothing around it, and reads protected tables by private aggregates alone, is a question of
// its own. It is asked, charged and drawn before the question around it, which compares with what was drawn: a number
// that whoever asks could have written there, after asking for it first. So the two compose one after the other, each
// at its price, and the number is part of the second question, as the value of a parameter is.
//
// In the conditions a parameter of the executor (PARAM_EXEC) of the answer's number, from 0, stands for it; it reads no
// row. The subquery itself goes into the outer query, beside the inner one (inner/inner_plan.h).
#pragma once

#include "guard/query/inner_query.h"
#include "guard/relations/from_clause.h"

namespace dp::guard {

struct SingleAnswer {
  SubLink* link;
  List* around;    // the queries around it, innermost first
  bool is_public;  // it reads no protected rows: the CTEs that it reads were released with the level (release_ctes)
};

// Whether the subquery, in an expression of the first of these levels, refers to nothing around it and is one value of
// protected rows, or an array of values; or whether it is a list that nothing but an answer may be, by its LIMIT. That
// these rows are read by private aggregates alone is not said.
bool may_be_single_answer(const SubLink* link, List* levels);

// Puts parameters in the place of the answers in the sources' conditions; what asks nothing else then is a condition as
// others are. The answers (SingleAnswer*) are appended, each once.
void take_single_answers(Sources* sources, const InnerQueries& inner_queries, List** answers);

// The same of one expression.
Node* with_single_answers(Node* expression, List* levels, const InnerQueries& inner_queries, List** answers);

// A parameter in the place of a single value that reads no protected rows and nothing around it, or of an array of such
// values, or what compares with that: x IN (VALUES (1), (2)); nullptr for another subquery.
Node* as_public_value(SubLink* link, List* levels, List** answers);

// The answers as a query sees them that stands within the first of these levels: a list of SubLink. What inner queries
// within them are answers of is appended to `moved` (MovedAnswers*), changed likewise. Raises DP002 where one reads a
// CTE that is not there.
List* answers_within(List* levels, List* answers, const InnerQueries& inner_queries, List** moved);

}  // namespace dp::guard
