#include "guard/rewrite/plain_calls.h"

#include <utility>

#include "aggregate/call/find_aggregate.h"
#include "aggregate/call/prepare_plan.h"
#include "aggregate/call/settings.h"
#include "budget/policy/accounts.h"
#include "budget/policy/domains.h"
#include "budget/policy/ranges.h"
#include "guard/admission/refusal.h"
#include "guard/functions/aggregates.h"
#include "guard/functions/calls.h"
#include "guard/functions/moment_fields.h"
#include "guard/rewrite/call_bounds.h"
#include "guard/rewrite/counted_parts.h"
#include "guard/rewrite/declared_bounds.h"
#include "guard/rewrite/distinct_values.h"
#include "guard/rewrite/error_calls.h"
#include "guard/rewrite/joint_quantiles.h"
#include "guard/rewrite/known_aggregates.h"
#include "guard/rewrite/moments_as_numbers.h"
#include "guard/rewrite/multiples.h"
#include "guard/rewrite/open_means.h"
#include "guard/rewrite/pair_calls.h"
#include "guard/rewrite/private_calls.h"
#include "guard/rewrite/refused_calls.h"
#include "guard/rewrite/same_calls.h"
#include "guard/rewrite/shared_vectors.h"
#include "guard/tree/columns.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

class Rewriter {
 public:
  Rewriter(const Query* level, const Sources& sources, const LevelCalls& calls)
      : level_(level),
        sources_(sources),
        found_(calls.found),
        private_throughout_(calls.denied),
        defaults_(calls.price == Price::numbers ? answer_defaults(sources) : half_of(answer_defaults(sources))),
        bounds_(sources),
        means_(found_.ordinary, sources, defaults_, &bounds_),
        pairs_(sources, defaults_, &bounds_),
        multiples_(calls.found, sources, &bounds_) {}

  // Lets those be read off vectors, and counted together, that can.
  void share(bool sums, bool described) {
    if (!private_throughout_ || defaults_.epsilon <= 0) return;
    described_ = described;
    if (found_.of_values) {
      shared_ = SharedVectors(found_, sources_, sums, described, defaults_);
      quantiles_ = joint_quantiles(found_.ordinary);
      if (is_for_vectors(defaults_)) pairs_.share(found_.ordinary, shared_);
      if (described) joint_texts_ = list_concat(texts_of_quantiles(quantiles_, sources_), pairs_.texts());
    }
    if (list_length(found_.ordinary) > 1 && is_for_vectors(defaults_))
      parts_ = CountedParts(found_.ordinary, sources_, shared_);
  }

  template <class T>
  T* rewritten(T* expression) {
    return reinterpret_cast<T*>(mutate(reinterpret_cast<Node*>(expression), this));
  }

  const LevelAggregates& shown() const { return shown_; }
  List* bounds() const { return bounds_.texts(); }
  List* shared() const { return list_concat(list_concat(shared_.texts(), joint_texts_), same_.texts(sources_)); }

 private:
  static Node* mutate(Node* node, void* context) {
    if (node == nullptr) return nullptr;
    auto* const self = static_cast<Rewriter*>(context);
    if (IsA(node, Query)) {
      ++self->depth_;
      Query* const query = pg::mutate_query(castNode(Query, node), mutate, context, 0);
      --self->depth_;
      return reinterpret_cast<Node*>(query);
    }
    if (is_error_call(node)) return self->noted(self->error(castNode(FuncExpr, node)));
    if (IsA(node, Aggref) && static_cast<int>(castNode(Aggref, node)->agglevelsup) == self->depth_)
      return self->noted(self->replaced(castNode(Aggref, node)));
    Node* const copy = pg::mutate(node, mutate, context);
    return IsA(copy, GroupingFunc) ? self->noted(copy) : copy;
  }

  // What the level shows now.
  Node* noted(Node* made) {
    if (!within_error_) note_aggregates(made, depth_, &shown_);
    return made;
  }

  Node* replaced(Aggref* call) {
    if (!aggregate::is_private_aggregate(call->aggfnoid)) {
      return private_throughout_ ? private_form(call) : reinterpret_cast<Node*>(call);
    }
    if (aggregate::is_incomplete(call->aggfnoid)) return completed(call);
    if (aggregate::is_count(call->aggfnoid) && list_length(call->args) < 2) return completed_count(call);
    return reinterpret_cast<Node*>(call);
  }

  // dp_error of an aggregate is that of its private form, before that is cut at zero and cast to another type.
  Node* error(FuncExpr* call) {
    Node* const written = answer_of_error(call);
    const bool within = std::exchange(within_error_, true);  // what is made in there may give way to another answer
    auto* const made = castNode(FuncExpr, pg::mutate(reinterpret_cast<Node*>(call), mutate, this));
    within_error_ = within;
    if (!IsA(written, Aggref)) return reinterpret_cast<Node*>(made);
    const auto* const asked = castNode(Aggref, written);
    const auto* const seen = castNode(Aggref, from_level(written));
    if (List* const vectors = made_vectors(asked); vectors != NIL) {
      linitial(made->args) = with_part(shared_part(vectors, seen));
      return shared_error(made, seen);
    }
    if (const OpenMean* mean = open_mean(seen)) return with_part(open_error(*mean, made, seen));
    if (Node* const part = of_pairs(asked)) {
      linitial(made->args) = part;
      return reinterpret_cast<Node*>(made);
    }
    if (parts_.splits(seen)) return with_part(error_of_counts(made, parts_.counts(defaults_)));
    linitial(made->args) = noisy_within(answer_of_error(made), asked, call->location);
    auto* const error = reinterpret_cast<Node*>(made);
    return is_sum(asked->aggfnoid) ? error_of_affine(error, multiples_.of_sum(asked, seen), "sum") : error;
  }

  static const char* name_of(const Aggref* call) { return get_func_name(call->aggfnoid); }

  void require_epsilon(const Aggref* call) const {
    if (defaults_.epsilon > 0) return;
    refuse_groups_of_persons(level_, sources_);
    refuse_without_epsilon(name_of(call), sources_, call->location);
  }

  Node* over_tables(Expr* expression) const {
    if (expression == nullptr) return nullptr;
    return sources_.over_tables(seen_from(reinterpret_cast<Node*>(expression), depth_), "an aggregate");
  }

  // ---- ordinary aggregates ------------------------------------------------------------------------------------------

  Node* private_form(const Aggref* call) {
    const Oid function = call->aggfnoid;
    if (Node* const answer = found_.of_values ? answer_beside(call) : nullptr) return answer;
    if (is_plain_count(function)) return count(call);
    if (const int extreme = extreme_of(function); extreme != 0) return end_of_range(call, extreme);
    if (const char* const name = bounded_form(function)) return bounded(call, name);
    if (function == kMode) return mode(call);
    refuse_without_form(call);
  }

  // What it is answered by together with others that take a value, or that count its rows; nullptr: by itself.
  Node* answer_beside(const Aggref* call) {
    const auto* const seen = castNode(Aggref, from_level(call));
    List* const vectors = made_vectors(call);
    const OpenMean* const mean = vectors == NIL ? open_mean(seen) : nullptr;
    if (vectors == NIL && mean == nullptr) {
      Node* const answer = of_joint_quantiles(call);
      return answer != nullptr ? answer : of_pairs(call);
    }
    Node* const answer = with_part(vectors != NIL ? shared_answer(vectors, seen) : open_answer(*mean, seen));
    return is_sum(call->aggfnoid) ? with_decimals(answer, over_tables(value_of(call))) : answer;
  }

  // Of the call, which stands `depth_` queries further in.
  List* made_vectors(const Aggref* call) {
    if (shared_.none()) return NIL;
    const auto* const seen = castNode(Aggref, from_level(call));
    ListCell* cell;
    foreach (cell, shared_.of(seen)) make(static_cast<SharedVector*>(lfirst(cell)));
    return shared_.of(seen);
  }

  // `call`: as the level sees it.
  const OpenMean* open_mean(const Aggref* call) {
    const OpenMean* const mean = means_.of(call);
    if (mean != nullptr) require_epsilon(mean->average);
    return mean;
  }

  Node* from_level(const void* node) const { return seen_from(static_cast<Node*>(const_cast<void*>(node)), depth_); }

  Node* with_part(Node* made) const {
    auto* const copy = static_cast<Node*>(copyObjectImpl(made));
    put_further_in(copy, depth_);
    return copy;
  }

  void make(SharedVector* vector) {
    if (vector->made != nullptr) return;
    const int depth = std::exchange(depth_, 0);
    const Oid type = number_type(exprType(reinterpret_cast<Node*>(vector->value)));
    ValueBounds found;
    if (List* const ends = ends_of(vector->bounded, vector->value, &found); ends != NIL) {
      vector->made = private_call(vector->bounded, vector->moments ? "dp_moments" : "dp_totals",
                                  cast_value(vector->value, type), type, ends, defaults_);
    } else {
      shared_.drop(vector);
    }
    depth_ = depth;
  }

  // Never negative, nor more than there are values: the noise below is not cut, the answer is.
  Node* count(const Aggref* call) {
    require_epsilon(call);
    auto* const counted = const_cast<Aggref*>(parts_.as_rows(castNode(Aggref, from_level(call))));
    if (parts_.splits(counted)) return with_part(sum_of_counts(parts_.counts(defaults_)));
    Aggref* const made = private_count(castNode(Aggref, with_part(reinterpret_cast<Node*>(counted))), defaults_);
    Aggref* const over =
        made->aggdistinct == NIL ? nullptr : castNode(Aggref, over_tables(reinterpret_cast<Expr*>(made)));
    return possible_count(made, over == nullptr ? 0 : most_counted(over, sources_));
  }

  static Expr* value_of(const Aggref* call) { return linitial_node(TargetEntry, call->args)->expr; }

  Node* bounded(const Aggref* call, const char* name) {
    const AffineValue of = multiples_.of_sum(call, castNode(Aggref, from_level(call)));
    Expr* value = of.value;
    if (call->aggfnoid == kDiscretePercentile && is_moment(exprType(reinterpret_cast<Node*>(value))))
      return of_moments(quantile_of_moments(call, value, over_tables(value), sources_, defaults_), call);
    if (is_quantile(name)) value = without_cast_of_integer(value);
    const Oid type = value_type(name, value);
    if (!OidIsValid(type)) refuse_without_form(call);
    require_epsilon(call);
    List* parameters = bounds_for(call, name, value);
    if (call->aggdirectargs != NIL) parameters = lcons(fraction_from_below(call), parameters);
    Aggref* made = private_call(call, name, cast_value(value, type), type, parameters, defaults_);
    // A variance without bounds is the square of the deviation, so that both are one answer.
    const char* const root = aggregate::is_open_spread(made) ? root_of(name) : nullptr;
    if (root != nullptr) made = private_call(call, root, cast_value(value, type), type, parameters, defaults_);
    note_same(call, made);
    auto* number = reinterpret_cast<Node*>(made);
    if (root != nullptr) number = operation("*", number, static_cast<Node*>(copyObjectImpl(number)));
    Node* const answer = in_type(of_affine(number, of, name + strlen("dp_")), call->aggtype);
    const bool of_values = (is_sum(call->aggfnoid) || is_quantile(name)) && !type_is_array(call->aggtype);
    return of_values ? with_decimals(answer, over_tables(is_quantile(name) ? value : value_of(call))) : answer;
  }

  // For EXPLAIN.
  void note_same(const Aggref* call, const Aggref* made) {
    if (described_) same_.note(castNode(Aggref, from_level(call)), castNode(Aggref, from_level(made)));
  }

  // One of several quantiles of its value; nullptr: it is none.
  Node* of_joint_quantiles(const Aggref* call) {
    const auto* const seen = castNode(Aggref, from_level(call));
    JointQuantiles* const joint = quantiles_of(quantiles_, seen);
    if (joint == nullptr) return nullptr;
    if (joint->made == nullptr) {
      const int depth = std::exchange(depth_, 0);
      make_quantiles(joint, bounds_for(seen, "dp_quantiles", joint->value), defaults_);
      depth_ = depth;
    }
    Node* const value = sources_.over_tables(reinterpret_cast<Node*>(joint->value), "an aggregate");
    return with_decimals(in_type(with_part(joint_quantile(*joint, seen)), call->aggtype), value);
  }

  // Of two columns, or a count read off their numbers; nullptr: it is neither.
  Node* of_pairs(const Aggref* call) {
    if (form_of_pairs(call->aggfnoid) != nullptr) require_epsilon(call);
    Node* const answer = pairs_.answer(castNode(Aggref, from_level(call)));
    return answer == nullptr ? nullptr : with_part(answer);
  }

  ValueBounds find_bounds(const Aggref* call, Expr* value) const {
    return bounds_of(over_tables(value), over_tables(call->aggfilter), sources_);
  }

  List* ends_of(const Aggref* call, Expr* value, ValueBounds* found) {
    return bounds_.ends(over_tables(value), over_tables(call->aggfilter), found);
  }

  List* open_ends(const Aggref* call, Expr* value, const ValueBounds& found, const char* how) {
    return bounds_.open_ends(over_tables(value), over_tables(call->aggfilter), found, how);
  }

  // Of a call of the private aggregate of that name.
  List* bounds_for(const Aggref* call, const char* name, Expr* value) {
    ValueBounds found;
    List* const ends = ends_of(call, value, &found);
    if (ends != NIL) return ends;
    const bool sum = strcmp(name, "dp_sum") == 0;
    const bool chosen = is_quantile(name) || is_one_of(name, {"dp_median", "dp_min", "dp_max"});
    const bool spread = is_one_of(name, {"dp_variance", "dp_stddev", "dp_var_pop", "dp_stddev_pop"});
    if (!(sum || chosen || spread) || call->aggdistinct != NIL) refuse_unbounded(call, found, sources_);
    return open_ends(call, value, found, sum ? kLimited : chosen ? kAmongAll : kFound);
  }

  // min and max of numbers and moments without a range: where all but few of them lie.
  Node* end_of_values(const Aggref* call, int extreme) {
    const char* const name = extreme < 0 ? "dp_min" : "dp_max";
    auto* const plain = static_cast<Aggref*>(copyObjectImpl(call));
    plain->aggdistinct = NIL;
    Expr* const value = value_of(call);
    if (is_moment(exprType(reinterpret_cast<Node*>(value))))
      return of_moments(end_of_moments(plain, name, value, over_tables(value), sources_, defaults_), call);
    require_epsilon(call);
    const Oid type = value_type(name, value);
    Aggref* const made =
        private_call(plain, name, cast_value(value, type), type, bounds_for(plain, name, value), defaults_);
    return with_decimals(in_type(made, call->aggtype), over_tables(value));
  }

  Node* of_moments(Node* answer, const Aggref* call) {
    require_epsilon(call);
    bounds_.note_years(over_tables(value_of(call)));
    return answer;
  }

  // min and max: what is declared, whatever rows there are.
  Node* end_of_range(const Aggref* call, int extreme) {
    Node* const value = over_tables(value_of(call));
    Node* end = nullptr;
    if (IsA(value, Var)) end = end_of_column(castNode(Var, value), extreme, sources_);
    if (end == nullptr && OidIsValid(number_type(exprType(value)))) {
      const ValueBounds found = find_bounds(call, value_of(call));
      if (!found.bounds) return end_of_values(call, extreme);
      bounds_.note(found);
      end = reinterpret_cast<Node*>(
          number(extreme < 0 ? bounds::double_below(found.bounds->lower) : bounds::double_above(found.bounds->upper)));
    }
    if (end == nullptr && !budget::can_have_range(getBaseType(exprType(value)))) refuse_without_form(call);
    if (end == nullptr && is_moment(exprType(value))) return end_of_values(call, extreme);
    if (end == nullptr) refuse_unbounded(call, unbounded(value), sources_);
    Node* const shown = coerce_to_target_type(nullptr, end, exprType(end), call->aggtype, -1, COERCION_EXPLICIT,
                                              COERCE_IMPLICIT_CAST, -1);
    Node* const rounded = with_decimals(shown, value);
    return rounded == shown ? shown : eval_const_expressions(nullptr, rounded);
  }

  // Of a column whose values are public.
  Node* mode(const Aggref* call) {
    require_epsilon(call);
    Expr* const value = value_of(call);
    Node* const over = over_tables(value);
    const Const* const listed = listed_values(over, sources_);
    if (listed == nullptr) refuse_unlisted(over, sources_, call->location);
    return in_type(
        private_call(call, "dp_mode", value, ANYCOMPATIBLEOID, list_make1(const_cast<Const*>(listed)), defaults_),
        call->aggtype);
  }

  // ---- calls without all parameters ---------------------------------------------------------------------------------

  // dp_count(x), dp_count(*): the setting of epsilon, if there is one, is read when an execution starts.
  Node* completed_count(Aggref* call) const {
    const bool by_setting = aggregate::epsilon_setting() > 0 && defaults_.is_automatic();
    if (by_setting || defaults_.epsilon <= 0) return reinterpret_cast<Node*>(call);
    return reinterpret_cast<Node*>(private_count(call, defaults_));
  }

  void require_epsilon_of(const Aggref* call) const {
    if (defaults_.epsilon <= 0 && most_rows_of_unit(sources_) > 0)
      refuse_without_epsilon(name_of(call), sources_, call->location);
  }

  // (value), (value, lower, upper), and behind the value the fractions of quantiles; others as with_epsilon() says.
  // What cannot be completed stays, and is refused at the start with what it lacks.
  Node* completed(Aggref* call) {
    const char* const name = name_of(call);
    auto* const as_it_is = reinterpret_cast<Node*>(call);
    for (const char* const other : {"dp_mode", "dp_histogram", "dp_cumulative", "dp_bounds"}) {
      if (strcmp(name, other) != 0) continue;
      Aggref* const made = with_epsilon(call, name, defaults_);
      if (made != nullptr) require_epsilon_of(call);
      return made == nullptr || defaults_.epsilon <= 0 ? as_it_is : reinterpret_cast<Node*>(made);
    }
    if (is_form_of_pairs(name)) {
      require_epsilon_of(call);
      Aggref* const made = defaults_.epsilon > 0 ? pairs_.completed(castNode(Aggref, from_level(call))) : nullptr;
      return made == nullptr ? as_it_is : with_part(reinterpret_cast<Node*>(made));
    }
    const int given = list_length(call->args) - 1 - (is_quantile(name) ? 1 : 0);
    Expr* const value = value_of(call);
    const Oid type = value_type(name, value);
    if (!OidIsValid(type) || (given != 0 && given != 2)) return as_it_is;
    require_epsilon_of(call);
    if (defaults_.epsilon <= 0) return as_it_is;
    const std::optional<List*> parameters = given_parameters(call);
    if (!parameters) return as_it_is;
    if (given == 0 && !find_bounds(call, value).bounds && most_rows_of_unit(sources_) == 0) return as_it_is;
    List* const all = given == 0 ? list_concat(*parameters, bounds_for(call, name, value)) : *parameters;
    return in_type(private_call(call, name, cast_value(value, type), type, all, defaults_), call->aggtype);
  }

  const Query* level_;
  const Sources& sources_;
  const LevelAggregates& found_;  // as the level sees them
  bool private_throughout_;
  AnswerDefaults defaults_;
  int depth_ = 0;
  bool within_error_ = false;
  bool described_ = false;
  LevelAggregates shown_;
  CallBounds bounds_;
  OpenMeans means_;
  List* quantiles_ = NIL;  // JointQuantiles*
  List* joint_texts_ = NIL;
  PairCalls pairs_;
  Multiples multiples_;
  SharedVectors shared_;
  CountedParts parts_;
  SameCalls same_;
};

}  // namespace

PrivateForms make_calls_private(Query* level, const Sources& sources, const LevelCalls& calls) {
  Rewriter rewriter(level, sources, calls);
  if (!level->hasAggs) return {.shown = calls.found};
  rewriter.share(calls.sums, calls.described);
  level->targetList = rewriter.rewritten(level->targetList);
  level->havingQual = rewriter.rewritten(level->havingQual);
  return {rewriter.shown(), rewriter.bounds(), rewriter.shared()};
}

}  // namespace dp::guard
