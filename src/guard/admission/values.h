// Values: parts of an inner query that read no row are computed once, before the charge and before any row is read.
//
// Each largest part of an expression that reads no row is taken out of the inner query. If it can be computed while
// planning, the constant that was judged is the constant that runs; otherwise a parameter takes its place, whose value
// is computed when an execution begins, in the asker's session, under the settings of that moment. Per row run columns,
// values and calls from the list alone. So an error in such a part is raised whether or not a row would have got there;
// changes that another session makes to the catalogs meanwhile do not matter; and parameters of the statement are
// admitted wherever constants are.
//
// Settings. The parts that are left may read some: comparisons of moments read TimeZone, numbers and moments as text
// extra_float_digits, DateStyle and IntervalStyle (dp.total_functions() says which functions do). They are admitted
// because under every value of these they are total: a setting changed after the judgement changes values, and never
// makes an error.
#pragma once

#include "guard/admission/total_functions.h"
#include "guard/functions/calls.h"
#include "guard/functions/constants.h"
#include "guard/query/private_query.h"

namespace dp::guard {

// The parameters that the statement is planned for, so that admission can take their values. Restores the outer ones
// when it goes.
class BoundParameters {
 public:
  explicit BoundParameters(ParamListInfo parameters);
  ~BoundParameters();
  BoundParameters(const BoundParameters&) = delete;
  BoundParameters& operator=(const BoundParameters&) = delete;

 private:
  ParamListInfo outer_;
};

// The expression with values in the place of its largest parts that read no row; parameters get their expressions in
// what->parameters. `place` names the expression in messages. Raises DP002 for a part of a type that is not admitted,
// or that calls functions which are not built in.
Node* with_values(Node* expression, const char* place, InnerQuery* what);

// Has the expressions of the list, which read no row, computed at the start, only so that their errors are raised
// there.
void try_at_start(List* expressions, const char* place, InnerQuery* what);

// The expression with everything computed that can be computed while planning, also of the statement's parameters. All
// functions in it are built in or ours.
Node* known_while_planning(Node* expression);

// The arguments of a call as they will be: what reads no row and is not known while planning is a parameter, of which
// nothing but the type is known.
List* with_unknown_values(List* arguments);

// The expression (or list) with these values, as constants, in the place of the parameters that stand for them; without
// values NULL for each. Not a query.
Node* put_values(Node* expression, ParamListInfo values);

// judge_call() with these values in the place of the parameters that stand for them. Without values NULL is taken for
// each: so it says whether there can be values with which the call is total.
Verdict judge_call_with(ParamListInfo values, Oid function, List* arguments, Oid collation);

// The values of the inner query, as its parameters; nullptr where there are none. Computes each once, in per-tuple
// memory of `outer`, whose parameters hold. Raises what they raise, 54000 for one of more than 1 MB, and DP002 for a
// call that is not total with them. The collations that the inner query uses travel with them (collations.h), and for a
// parallel plan where its files lie (aggregate/unit/unit_files.h). `answers`: Const, of each answer that values refer
// to (relations/single_answers.h); without them such a value is NULL, and so is a bound that is known with public rows.
ParamListInfo evaluate_values(const InnerQuery& inner_query, List* answers, PlanState* outer, bool parallel);

// What the expression, of the outer execution, is now: in the memory of the query.
Const* value_now(Expr* expression, PlanState* outer);

}  // namespace dp::guard
