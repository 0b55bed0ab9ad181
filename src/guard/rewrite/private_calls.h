// Calls of private aggregates that nobody wrote: for ordinary aggregates, and for calls without all parameters.
#pragma once

#include <optional>

#include "core/accounting/amount.h"
#include "guard/relations/from_clause.h"
#include "guard/rewrite/value_bounds.h"

namespace dp::guard {

// What holds for answers that name no epsilon.
struct AnswerDefaults {
  double epsilon = 0;  // 0: nothing says it
  const char* mechanism = "auto";

  bool is_automatic() const { return pg_strcasecmp(mechanism, "auto") == 0; }
};

// Of a level over these tables: each of the two as the session says, else as the curator said of the asking role's
// account, else of the table. Of several protected tables the least epsilon, and the mechanism that those agree on that
// have one; "auto" where they do not, because it takes no delta and suits every aggregate.
AnswerDefaults answer_defaults(const Sources& sources);

// The same at half of epsilon.
AnswerDefaults half_of(AnswerDefaults defaults);

// What the private choice of the level's groups costs for each grouping set where no curator has said it: a half of the
// price of its answers and a part of delta, where each protected table that is read and the accounts on them have one;
// else zero.
budget::Amount selection_by_itself(const Sources& sources);

// Whether something pays for it where the level groups: what the first table's policy names, or that part.
bool pays_for_choice(const Query* level, const budget::Amount& named, const Sources& sources);

// Whether the mechanism releases several numbers that change together at the whole epsilon.
bool is_for_vectors(const AnswerDefaults& defaults);

// How many rows of one privacy unit count at most, of all the protected tables that are read; 0 where there is none.
int most_rows_of_unit(const Sources& sources);

// A call in the place of `original`, whose FILTER, DISTINCT and level it takes over.
//   name        of the private aggregate, for example dp_sum
//   value       its first argument; `value_type` is how the aggregate declares it (ANYOID and the like, or its type)
//   parameters  Expr: those between the value and epsilon; float8, but for the categories of dp_mode and the fractions
//               of dp_quantiles
Aggref* private_call(const Aggref* original, const char* name, Expr* value, Oid value_type, List* parameters,
                     const AnswerDefaults& defaults);

// The same without an argument of the table: dp_count('*', epsilon).
Aggref* private_count_of_rows(const Aggref* original, const AnswerDefaults& defaults);

// Either: of an ordinary count, or of dp_count.
Aggref* private_count(const Aggref* original, const AnswerDefaults& defaults);

// What is given behind the value, in the types that private aggregates take; none where something has no such type.
std::optional<List*> given_parameters(const Aggref* call);

// A call of dp_bounds (value), dp_mode or dp_histogram (value, categories), dp_histogram or dp_cumulative (value,
// lower, upper, buckets), or dp_histogram of two values, with the epsilon that it lacks; nullptr for others.
Aggref* with_epsilon(const Aggref* call, const char* name, const AnswerDefaults& defaults);

// The fraction of percentile_cont or percentile_disc as dp_quantile counts it, or their list as dp_quantiles does, from
// the least value on: ORDER BY x DESC counts from the largest.
Expr* fraction_from_below(const Aggref* call);

// The answer in the type that PostgreSQL's aggregate has.
Node* in_type(Node* answer, Oid type);
inline Node* in_type(Aggref* answer, Oid type) { return in_type(reinterpret_cast<Node*>(answer), type); }

// A count that is not negative, and not more than so many (0: no matter how many).
Node* possible_count(Node* count, int most);
inline Node* possible_count(Aggref* count, int most) { return possible_count(reinterpret_cast<Node*>(count), most); }

// A numeric answer about such values with the digits behind the point that PostgreSQL's aggregate shows, where these
// are known.
Node* with_decimals(Node* answer, Node* value);

// The private aggregate of the deviation whose square the one of that name answers; nullptr: it is no variance.
const char* root_of(const char* name);

// Whether a private aggregate of that name is one of quantiles; or one of these.
bool is_quantile(const char* name);
bool is_one_of(const char* name, std::initializer_list<const char*> names);

// The type in which the private aggregate of that name takes the value; InvalidOid: in none. Those over a population
// take float8 alone.
Oid value_type(const char* name, Expr* value);

// The value below a cast to float8: percentile_cont takes float8, and the quantile of whole numbers is one of them.
Expr* without_cast_of_integer(Expr* value);

// The same of any number: some aggregates take those of all types, others float8.
Node* without_cast_to_float8(Node* value);

// The value cast to one of the types that number_type() gives.
Expr* cast_value(Expr* value, Oid type);

// float8
Expr* number(double value);

// As private aggregates declare it: the type itself, float8 for float4; InvalidOid for types that are no numbers.
Oid number_type(Oid type);

}  // namespace dp::guard
