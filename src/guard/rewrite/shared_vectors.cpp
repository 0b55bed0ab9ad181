#include "guard/rewrite/shared_vectors.h"

#include <numeric>
#include <optional>

#include "budget/catalog/answer_policy_rows.h"
#include "budget/catalog/extension_catalog.h"
#include "budget/policy/accounts.h"
#include "guard/functions/aggregates.h"
#include "guard/functions/calls.h"
#include "guard/relations/nulls.h"
#include "guard/rewrite/affine_value.h"
#include "guard/rewrite/aggregate_text.h"
#include "guard/rewrite/error_calls.h"
#include "guard/rewrite/known_aggregates.h"
#include "guard/rewrite/private_calls.h"
#include "pg/nodes.h"

namespace dp::guard {
namespace {

bool counts_rows(const Aggref* call) { return call->aggfnoid == kCountOfRows; }
bool counts_values(const Aggref* call) { return call->aggfnoid == kCountOfValues; }

// Of a vector, in the order of the columns of dp_moments: the field of that name; nullptr for what no vector says.
const char* field_of(const Aggref* call) {
  if (counts_values(call)) return "count";
  const char* const name = bounded_form(call->aggfnoid);
  const bool quantile = name != nullptr && strncmp(name, "dp_quantile", strlen("dp_quantile")) == 0;
  return name == nullptr || quantile ? nullptr : name + strlen("dp_");
}

Expr* value_of(const Aggref* call) { return linitial_node(TargetEntry, call->args)->expr; }

// A call that a vector can say, and what it aggregates; of count(*) without a value.
struct Candidate {
  Aggref* call;
  AffineValue of;
};

// Each row once, and of a value one number.
std::optional<Candidate> candidate(Aggref* call, bool sums) {
  if (call->aggdistinct != NIL || call->aggorder != NIL || call->aggkind != AGGKIND_NORMAL) return std::nullopt;
  if (counts_rows(call)) return Candidate{call, {}};
  const char* const field = field_of(call);
  if (field == nullptr || !OidIsValid(number_type(exprType(reinterpret_cast<Node*>(value_of(call))))))
    return std::nullopt;
  const AffineValue of = affine_value(value_of(call));
  // An offset would count as often as there are values, of whose number the error of the sum would have to speak.
  if (strcmp(field, "sum") == 0 && (!sums || !of.is_linear())) return std::nullopt;
  return Candidate{call, of};
}

// Candidate*
List* candidates(List* calls, bool sums) {
  List* found = NIL;
  ListCell* cell;
  foreach (cell, calls)
    if (const auto one = candidate(lfirst_node(Aggref, cell), sums))
      found = lappend(found, new (palloc(sizeof(Candidate))) Candidate(*one));
  return found;
}

bool is_of(const SharedVector& vector, const Candidate& one) {
  return equal(vector.filter, one.call->aggfilter) && (counts_rows(one.call) || equal(vector.value, one.of.value));
}

bool is_of_one(List* vectors, const Candidate& candidate) {
  ListCell* cell;
  foreach (cell, vectors)
    if (is_of(*static_cast<const SharedVector*>(lfirst(cell)), candidate)) return true;
  return false;
}

// How many noisy numbers the count of rows is the sum of.
int noises_of_rows(const SharedVector& vector) { return (vector.moments ? 3 : 2) + (vector.never_null ? 0 : 1); }

// Leaves the call to the vector whose count of rows has the least noise.
void keep_in_best(List* vectors, Node* call) {
  SharedVector* best = nullptr;
  ListCell* cell;
  foreach (cell, vectors) {
    auto* const vector = static_cast<SharedVector*>(lfirst(cell));
    if (best == nullptr || noises_of_rows(*vector) < noises_of_rows(*best)) best = vector;
  }
  foreach (cell, vectors) {
    auto* const vector = static_cast<SharedVector*>(lfirst(cell));
    if (vector != best) vector->calls = list_delete(vector->calls, call);
  }
}

FieldSelect* field(const Aggref* vector, const char* name) {
  const AttrNumber number = get_attnum(get_typ_typrelid(vector->aggtype), name);
  if (number == InvalidAttrNumber) budget::refuse_other_version();
  auto* const part = makeNode(FieldSelect);
  part->arg = reinterpret_cast<Expr*>(const_cast<Aggref*>(vector));
  part->fieldnum = number;
  part->resulttype = get_atttype(get_typ_typrelid(vector->aggtype), number);
  part->resulttypmod = -1;
  return part;
}

FieldSelect* rows_of(const SharedVector& vector) { return field(vector.made, vector.never_null ? "count" : "rows"); }

Node* whole(int number) { return numeric_constant(NumericGetDatum(int64_to_numeric(number))); }

// The mean of what the vectors say, each with the weight that its noise leaves it.
Node* mean_of_rows(List* vectors) {
  int least = 0;  // of the weights: what they have in common
  ListCell* cell;
  const auto weight_of = [](const void* vector) {
    return 12 / noises_of_rows(*static_cast<const SharedVector*>(vector));
  };
  foreach (cell, vectors) least = std::gcd(least, weight_of(lfirst(cell)));
  int weights = 0;
  Node* sum = nullptr;
  foreach (cell, vectors) {
    const int weight = weight_of(lfirst(cell)) / least;
    weights += weight;
    Node* rows = coerced(reinterpret_cast<Node*>(rows_of(*static_cast<const SharedVector*>(lfirst(cell)))), NUMERICOID);
    if (weight > 1) rows = operation("*", rows, whole(weight));
    sum = sum == nullptr ? rows : operation("+", sum, rows);
  }
  return coerced(operation("/", sum, whole(weights)), INT8OID);
}

// Of all protected tables, as rewrite/question.h has it.
bool answers_are_stored(const Sources& sources) {
  return !sources.read().any_table([](const Sources& read, int table) {
    const budget::Protection* const protection = read.protection(table);
    return protection != nullptr && !budget::answer_policy(protection->relation);
  });
}

// Whether it is a quotient of the numbers of a vector, so that it says the same by itself.
bool is_quotient(const Aggref* call) {
  const char* const field = field_of(call);
  return strcmp(field, "avg") == 0 || is_variance(field) || is_deviation(field);
}

}  // namespace

SharedVectors::SharedVectors(const LevelAggregates& found, const Sources& sources, bool sums, bool described,
                             const AnswerDefaults& defaults) {
  List* const all = candidates(found.ordinary, sums);
  ListCell* cell;
  foreach (cell, all) {
    const auto& one = *static_cast<const Candidate*>(lfirst(cell));
    if (counts_rows(one.call) || is_of_one(vectors_, one)) continue;
    Node* const over = sources.over_tables(reinterpret_cast<Node*>(one.of.value), "an aggregate");
    vectors_ = lappend(vectors_, new (palloc(sizeof(SharedVector)))
                                     SharedVector{one.of.value, one.call->aggfilter,
                                                  !may_be_null_as_run(over, sources.tables, sources.tree), false, NIL,
                                                  nullptr, nullptr, nullptr});
  }
  // What a stored vector says besides is asked later for nothing.
  const bool stored = sums && vectors_ != NIL && answers_are_stored(sources);
  List* worth = NIL;
  foreach (cell, vectors_) {
    auto* const vector = static_cast<SharedVector*>(lfirst(cell));
    ListCell* other;
    foreach (other, all) {
      const auto& one = *static_cast<const Candidate*>(lfirst(other));
      if (!is_of(*vector, one)) continue;
      vector->calls = lappend(vector->calls, one.call);
      if (counts_rows(one.call)) continue;
      if (!counts_values(one.call)) vector->bounded = one.call;
      vector->moments = vector->moments || is_variance(field_of(one.call)) || is_deviation(field_of(one.call));
    }
    if (vector->bounded == nullptr) continue;
    const bool kept = list_length(vector->calls) == 1 && is_quotient(vector->bounded) && stored;
    if (kept || list_length(vector->calls) > 1) worth = lappend(worth, vector);
  }
  if (worth != NIL && !is_for_vectors(defaults)) {
    vectors_ = NIL;
    if (list_length(found.ordinary) > 1) why_none_ = psprintf("none, with mechanism %s", defaults.mechanism);
    return;
  }
  vectors_ = worth;
  foreach (cell, found.errors) {
    Node* const asked = answer_of_error(lfirst_node(FuncExpr, cell));
    if (IsA(asked, Aggref) && counts_rows(castNode(Aggref, asked))) keep_in_best(of(castNode(Aggref, asked)), asked);
  }
  if (!described) return;
  const ColumnNames names(sources.tables);
  foreach (cell, vectors_) {
    auto* const vector = static_cast<SharedVector*>(lfirst(cell));
    if (list_length(vector->calls) > 1) vector->text = text_of_calls(vector->calls, sources, names);
  }
}

List* SharedVectors::of(const Aggref* call) const {
  List* found = NIL;
  ListCell* cell;
  foreach (cell, vectors_) {
    auto* const vector = static_cast<SharedVector*>(lfirst(cell));
    if (list_member(vector->calls, call)) found = lappend(found, vector);
  }
  return found;
}

List* SharedVectors::texts() const {
  List* texts = why_none_ == nullptr ? NIL : list_make1(makeString(why_none_));
  ListCell* cell;
  foreach (cell, vectors_) {
    char* const text = static_cast<const SharedVector*>(lfirst(cell))->text;
    if (text != nullptr) texts = lappend(texts, makeString(text));
  }
  return texts;
}

Node* shared_answer(List* vectors, const Aggref* call) {
  if (list_length(vectors) > 1) return mean_of_rows(vectors);
  const auto& vector = *static_cast<const SharedVector*>(linitial(vectors));
  if (counts_rows(call)) return reinterpret_cast<Node*>(rows_of(vector));
  const char* const name = field_of(call);
  auto* const part = reinterpret_cast<Node*>(field(vector.made, name));
  return in_type(of_affine(part, affine_value(value_of(call)), name), call->aggtype);
}

Node* shared_part(List* vectors, const Aggref* call) {
  const auto& vector = *static_cast<const SharedVector*>(linitial(vectors));
  return reinterpret_cast<Node*>(counts_rows(call) ? rows_of(vector) : field(vector.made, field_of(call)));
}

Node* shared_error(FuncExpr* error, const Aggref* call) {
  auto* const of_part = reinterpret_cast<Node*>(error);
  if (counts_rows(call)) return of_part;
  return error_of_affine(of_part, affine_value(value_of(call)), field_of(call));
}

}  // namespace dp::guard
