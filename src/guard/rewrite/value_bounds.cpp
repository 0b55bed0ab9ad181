#include "guard/rewrite/value_bounds.h"

#include <cmath>
#include <optional>

#include "budget/policy/accounts.h"
#include "budget/policy/domains.h"
#include "budget/policy/ranges.h"
#include "guard/facts/number_values.h"
#include "guard/functions/calls.h"
#include "guard/functions/constants.h"
#include "guard/functions/meaning.h"
#include "guard/functions/moment_fields.h"
#include "guard/groups/computed_columns.h"
#include "guard/groups/key_steps.h"
#include "guard/relations/joins.h"
#include "guard/rewrite/declared_bounds.h"
#include "guard/rewrite/rounded_now.h"
#include "guard/rewrite/value_finder.h"
#include "pg/joins.h"

namespace dp::guard {
namespace {

using bounds::Bounds;

// Of current_date, now() and the like: as they are now, and for a month from now on, as long as a statement may stay
// prepared. Nothing for other nodes.
Bounds bounds_of_now(Node* node) {
  const bool is_value = IsA(node, SQLValueFunction);
  const Oid type = exprType(node);
  const bool is_rounded = is_rounded_now(node);
  constexpr bounds::Number kDay = USECS_PER_DAY, kMonthOn = 31;
  if ((!is_value && !is_now(node) && !is_rounded) || (type != DATEOID && !is_timestamp(type))) return std::nullopt;
  const TimestampTz moment = GetCurrentStatementStartTimestamp();
  const auto now = static_cast<bounds::Number>(is_rounded ? as_rounded_now(moment) : moment);
  if (type != DATEOID) return bounds::make(now - 2 * kDay, now + kMonthOn * kDay);
  const bounds::Number day = std::floor(now / kDay);
  return bounds::make(day - 1, day + kMonthOn);
}

Bounds bounds_of_known(const KnownColumn& column) {
  return column.ends ? bounds::make(column.ends->lower, column.ends->upper) : std::nullopt;
}

// A length, which is not below 0.
bool is_size(Node* node) {
  const Meaning meaning = computation_of(node).meaning;
  return meaning == Meaning::length || meaning == Meaning::octet_length || meaning == Meaning::array_size;
}

}  // namespace

// ---- expressions ----------------------------------------------------------------------------------------------------

ValueBounds Finder::find(Node* expression) {
  found_.bounds = of(expression);
  const bool of_persons = sources_ != nullptr &&
                          (sources_->below != nullptr || sources_->per_unit != NIL || checkExprHasSubLink(expression));
  return found_.bounds || !of_persons ? found_ : find_by_limits(expression);
}

ValueBounds Finder::find_by_limits(Node* expression) {
  found_ = {};
  found_.by_limits = true;
  by_limits_ = true;
  found_.bounds = of(expression);
  return found_;
}

void Finder::add_conditions(Node* node) {
  if (node == nullptr) return;
  List* parts = NIL;
  if (IsA(node, List)) {
    parts = reinterpret_cast<List*>(node);
  } else if (IsA(node, BoolExpr) && castNode(BoolExpr, node)->boolop == AND_EXPR) {
    parts = castNode(BoolExpr, node)->args;
  } else if (IsA(node, OpExpr)) {
    conditions_ = lappend(conditions_, folded(node));
  }
  ListCell* cell;
  foreach (cell, parts) add_conditions(static_cast<Node*>(lfirst(cell)));
}

Bounds Finder::of(Node* node) {
  if (node == nullptr) return std::nullopt;
  Var* const open = found_.open;
  const bool is_simple = IsA(node, Var) || IsA(node, Const);
  Bounds bounds = is_simple ? std::nullopt : bounds_of_now(node);
  if (!bounds) bounds = Evaluator::of(node);
  // Of letters, those of what is declared are fewer than all.
  if (bounds && computation_of(node).meaning == Meaning::ascii) bounds = bounds::within(declared(node), bounds);
  if (!bounds && !is_simple && is_number(exprType(node))) bounds = declared(node);
  if (bounds) found_.open = open;
  return bounds;
}

std::optional<budget::Domain> Finder::values_of(Var* column) {
  const auto values = sources_ == nullptr ? std::nullopt : public_values(column, *sources_);
  if (!values && found_.open == nullptr) found_.open = column;
  return values;
}

Bounds Finder::of_leaf(Node* leaf) {
  switch (nodeTag(leaf)) {
    case T_Var:
      return of_column(castNode(Var, leaf));
    case T_Param: {
      const auto* const known = known_of(leaf);
      return known == nullptr ? std::nullopt : bounds_of_known(*known);
    }
    case T_Aggref:
      return of_aggregate(castNode(Aggref, leaf));
    case T_WindowFunc:
      return of_window(castNode(WindowFunc, leaf));
    case T_SubLink:
      return castNode(SubLink, leaf)->subLinkType == EXPR_SUBLINK ? of_subquery(castNode(SubLink, leaf)) : std::nullopt;
    default:
      return std::nullopt;
  }
}

Bounds Finder::of_endless(Node* node) {
  if (is_size(node)) return bounds::make(0, MaxAllocSize);
  if (!is_number(exprType(node))) return std::nullopt;
  return bounds::make(is_never_negative(node) ? 0 : -kEndless, kEndless);
}

const KnownColumn* Finder::known_of(const Node* node) const {
  ListCell* cell;
  foreach (cell, known_) {
    const auto* const known = static_cast<const KnownColumn*>(lfirst(cell));
    if (equal(known->column, node)) return known;
  }
  return nullptr;
}

Bounds Finder::of_column(Var* column) {
  if (const auto* const known = known_of(reinterpret_cast<Node*>(column))) return bounds_of_known(*known);
  if (sources_ == nullptr) return std::nullopt;
  if (column->varlevelsup > 0 || column->varattno <= 0) return std::nullopt;
  const Oid type = getBaseType(column->vartype);
  if (type == BOOLOID) return bounds::make(0, 1);
  if (const ComputedColumn* const computed = computed_column(column, *sources_)) {
    const auto lower = as_number(computed->range.type, computed->range.lower),
               upper = as_number(computed->range.type, computed->range.upper);
    return lower && upper ? bounds::make(*lower, *upper) : std::nullopt;
  }
  const RangeTblEntry* const table = sources_->table(column->varno);
  if (table->rtekind == RTE_SUBQUERY) return of_per_unit(column);
  const auto range =
      table->rtekind == RTE_RELATION ? budget::range_of_column(table->relid, column->varattno) : std::nullopt;
  Bounds bounds;
  if (range) {
    const auto lower = as_number(range->type, range->lower), upper = as_number(range->type, range->upper);
    bounds = lower && upper ? bounds::make(*lower, *upper) : std::nullopt;
  }
  bounds = narrowed(column, bounds);
  if (!bounds && found_.open == nullptr) found_.open = column;
  if (range && bounds) note(column, table->relid, *range);
  return bounds;
}

void Finder::note(const Var* column, Oid table, const budget::ColumnRange& range) {
  Oid output;
  bool is_varlena;
  getTypeOutputInfo(range.type, &output, &is_varlena);
  char* const text =
      psprintf("%s %s .. %s (%s)", get_attname(table, column->varattno, false),
               OidOutputFunctionCall(output, range.lower), OidOutputFunctionCall(output, range.upper), range.source);
  if (!list_member(found_.sources, makeString(text))) found_.sources = lappend(found_.sources, makeString(text));
}

Bounds Finder::narrowed(const Var* column, Bounds bounds) const {
  const auto [lower, upper] = number_range(column);
  if (!bounds) return bounds::make(lower, upper);
  return bounds::within(bounds, bounds::make(std::max(lower, bounds->lower), std::min(upper, bounds->upper)));
}

NumberRange Finder::number_range(const Var* column) const {
  bounds::Number lower = -INFINITY, upper = INFINITY;
  ListCell* cell;
  foreach (cell, conditions_) {
    auto* const comparison = static_cast<Node*>(lfirst(cell));
    if (!IsA(comparison, OpExpr) || list_length(castNode(OpExpr, comparison)->args) != 2) continue;
    auto* left = static_cast<Node*>(linitial(castNode(OpExpr, comparison)->args));
    auto* right = static_cast<Node*>(lsecond(castNode(OpExpr, comparison)->args));
    const bool mirrored = IsA(left, Const);
    if (mirrored) std::swap(left, right);
    if (!equal(left, column) || !IsA(right, Const) || castNode(Const, right)->constisnull) continue;
    const auto* const constant = castNode(Const, right);
    // A date is compared with timestamps, which are other numbers.
    const bool is_moment = !is_number(constant->consttype);
    if (is_moment && constant->consttype != column->vartype) continue;
    const auto number = as_number(constant->consttype, constant->constvalue);
    const int strategy = pg::range_of(castNode(OpExpr, comparison)->opno, mirrored);
    if (!number || strategy == 0 || (is_moment && !is_finite(constant->consttype, constant->constvalue))) continue;
    if (strategy <= BTEqualStrategyNumber) upper = std::min(upper, *number);
    if (strategy >= BTEqualStrategyNumber) lower = std::max(lower, *number);
  }
  return {lower, upper};
}

bool Finder::is_never(Node* condition) {
  if (!IsA(condition, NullTest) || castNode(NullTest, condition)->nulltesttype != IS_NULL) return false;
  auto* const column = reinterpret_cast<Node*>(castNode(NullTest, condition)->arg);
  if (sources_ == nullptr || !IsA(column, Var) || castNode(Var, column)->varattno <= 0) return false;
  if (may_be_missing(sources_->tree, castNode(Var, column)->varno)) return false;
  const RangeTblEntry* const table = sources_->table(castNode(Var, column)->varno);
  return table->rtekind == RTE_RELATION && !budget::may_be_null(table->relid, castNode(Var, column)->varattno);
}

ValueBounds bounds_of(Node* expression, Node* filter, const Sources& sources, List* known) {
  return Finder(filter, sources, known).find(folded(expression));
}

ValueBounds unbounded(Node* expression) {
  ValueBounds found;
  if (IsA(expression, Var) && castNode(Var, expression)->varattno > 0) found.open = castNode(Var, expression);
  return found;
}

Bounds bounds_of_known(Node* expression, List* known) { return Finder(known).find(folded(expression)).bounds.fact(); }

NumberRange number_range_of(const Var* column, Node* filter, const Sources& sources) {
  return Finder(filter, sources, NIL).number_range(column);
}

Ends ends_of(const bounds::Interval& interval) {
  Ends ends{bounds::double_below(interval.lower), bounds::double_above(interval.upper)};
  if (ends.lower != ends.upper) return ends;
  ends.lower = std::min(ends.lower, 0.0);
  ends.upper = std::max(ends.upper, ends.lower == 0 && ends.upper == 0 ? 1.0 : 0.0);
  return ends;
}

}  // namespace dp::guard
