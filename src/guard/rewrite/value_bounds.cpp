#include "guard/rewrite/value_bounds.h"

#include <cmath>
#include <optional>

#include "budget/policy/accounts.h"
#include "budget/policy/domains.h"
#include "budget/policy/ranges.h"
#include "guard/admission/values.h"
#include "guard/forms/folded.h"
#include "guard/groups/computed_columns.h"
#include "guard/rewrite/declared_bounds.h"
#include "guard/rewrite/moment_bounds.h"
#include "guard/rewrite/number_bounds.h"
#include "guard/rewrite/rounded_now.h"
#include "guard/rewrite/text_bounds.h"
#include "guard/rewrite/value_finder.h"
#include "guard/tables/joins.h"
#include "pg/joins.h"

namespace dp::guard {
namespace {

using bounds::Bounds;

bool is_whole(Oid type) { return type == INT2OID || type == INT4OID || type == INT8OID; }

// A constant's whole number; nothing for another one.
std::optional<int> whole_constant(Node* node) {
  if (!IsA(node, Const) || castNode(Const, node)->constisnull || exprType(node) != INT4OID) return std::nullopt;
  return DatumGetInt32(castNode(Const, node)->constvalue);
}

// x / nullif(k, 0), perhaps cast: k is at least 1 away from 0, or the quotient is NULL.
bool is_whole_or_null(Node* divisor) {
  const auto [function, arguments] = called_by(divisor);
  if (IsA(divisor, FuncExpr) && castNode(FuncExpr, divisor)->funcformat != COERCE_EXPLICIT_CALL &&
      list_length(arguments) == 1)
    return is_whole_or_null(static_cast<Node*>(linitial(arguments)));
  if (!IsA(divisor, NullIfExpr) || !is_whole(exprType(divisor))) return false;
  auto* const excluded = static_cast<Node*>(lsecond(castNode(NullIfExpr, divisor)->args));
  return IsA(excluded, Const) && !castNode(Const, excluded)->constisnull &&
         as_number(exprType(excluded), castNode(Const, excluded)->constvalue) == 0.0;
}

Bounds over_whole(const bounds::Interval& x, const bounds::Interval& y) {
  const Bounds above = y.upper < 1 ? std::nullopt : bounds::over(x, bounds::make(std::max(y.lower, 1.0), y.upper));
  const Bounds below = y.lower > -1 ? std::nullopt : bounds::over(x, bounds::make(y.lower, std::min(y.upper, -1.0)));
  return above && below ? bounds::either(above, below) : above ? above : below;
}

}  // namespace

// ---- expressions ----------------------------------------------------------------------------------------------------

ValueBounds Finder::find(Node* expression) {
  found_.bounds = of(expression);
  const bool of_persons =
      sources_ != nullptr && (sources_->below != nullptr || sources_->people != NIL || checkExprHasSubLink(expression));
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
  check_stack_depth();
  Var* const open = found_.open;
  Bounds bounds = of_form(node);
  // Of letters, those of what is declared are fewer than all.
  if (bounds && has_meaning(node, Meaning::ascii)) bounds = bounds::within(declared(node), bounds);
  if (!bounds && !IsA(node, Var) && !IsA(node, Const) && is_number(exprType(node))) bounds = declared(node);
  if (bounds) found_.open = open;
  return bounds;
}

std::optional<budget::Domain> Finder::values_of(Var* column) {
  const auto values = sources_ == nullptr ? std::nullopt : public_values(column, *sources_);
  if (!values && found_.open == nullptr) found_.open = column;
  return values;
}

Bounds Finder::of_form(Node* node) {
  switch (nodeTag(node)) {
    case T_Const:
      return of_constant(castNode(Const, node));
    case T_Var:
      return of_column(castNode(Var, node));
    case T_Param:
      if (const auto* const known = known_of(node)) return known->bounds;
      break;
    case T_RelabelType:
      return of(reinterpret_cast<Node*>(castNode(RelabelType, node)->arg));
    case T_CoerceToDomain:
      return of(reinterpret_cast<Node*>(castNode(CoerceToDomain, node)->arg));
    case T_NullIfExpr:
      return of(static_cast<Node*>(linitial(castNode(NullIfExpr, node)->args)));
    case T_CoalesceExpr:
      return of_one(castNode(CoalesceExpr, node)->args);
    case T_CaseExpr:
      return of_case(castNode(CaseExpr, node));
    case T_MinMaxExpr:
      if (is_rounded_now(node)) break;
      return of_extreme(castNode(MinMaxExpr, node));
    case T_Aggref:
      return of_aggregate(castNode(Aggref, node));
    case T_WindowFunc:
      return of_window(castNode(WindowFunc, node));
    case T_SubLink:
      if (castNode(SubLink, node)->subLinkType == EXPR_SUBLINK) return of_subquery(castNode(SubLink, node));
      break;
    default:
      break;
  }
  if (exprType(node) == BOOLOID) return bounds::make(0, 1);
  if (const Bounds now = bounds_of_now(node)) return now;
  const auto [function, arguments] = called_by(node);
  if (!OidIsValid(function)) return std::nullopt;
  const Meaning meaning = meaning_of(function);
  return meaning == Meaning::none ? std::nullopt : of_call(meaning, node, arguments);
}

Bounds Finder::of_constant(const Const* constant) {
  if (constant->constisnull) return std::nullopt;
  if (!is_number(constant->consttype)) return bounds_of_moment(constant);
  const auto number = as_number(constant->consttype, constant->constvalue);
  return number ? bounds::make(*number, *number) : std::nullopt;
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
  if (const auto* const known = known_of(reinterpret_cast<Node*>(column))) return known->bounds;
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
  if (table->rtekind == RTE_SUBQUERY) return of_people(column);
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
  const auto [lower, upper] = limits(column);
  if (!bounds) return bounds::make(lower, upper);
  return bounds::within(bounds, bounds::make(std::max(lower, bounds->lower), std::min(upper, bounds->upper)));
}

Limits Finder::limits(const Var* column) const {
  double lower = -INFINITY, upper = INFINITY;
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
    if (!is_number(constant->consttype) && constant->consttype != column->vartype) continue;
    const auto number = as_number(constant->consttype, constant->constvalue);
    const int strategy = pg::range_of(castNode(OpExpr, comparison)->opno, mirrored);
    if (!number || strategy == 0) continue;
    if (strategy <= BTEqualStrategyNumber) upper = std::min(upper, *number);
    if (strategy >= BTEqualStrategyNumber) lower = std::max(lower, *number);
  }
  return {lower, upper};
}

Bounds Finder::of_one(List* nodes) {
  Bounds bounds;
  bool first = true;
  ListCell* cell;
  foreach (cell, nodes) {
    auto* const node = folded(static_cast<Node*>(lfirst(cell)));
    if (node == nullptr || is_null(node)) continue;
    const Bounds one = of(node);
    bounds = first ? one : bounds::either(bounds, one);
    first = false;
    if (!bounds) return std::nullopt;
  }
  return bounds;
}

bool Finder::is_never(Node* condition) const {
  if (!IsA(condition, NullTest) || castNode(NullTest, condition)->nulltesttype != IS_NULL) return false;
  auto* const column = reinterpret_cast<Node*>(castNode(NullTest, condition)->arg);
  if (sources_ == nullptr || !IsA(column, Var) || castNode(Var, column)->varattno <= 0) return false;
  if (may_be_missing(sources_->tree, castNode(Var, column)->varno)) return false;
  const RangeTblEntry* const table = sources_->table(castNode(Var, column)->varno);
  return table->rtekind == RTE_RELATION && !budget::may_be_null(table->relid, castNode(Var, column)->varattno);
}

Bounds Finder::of_case(const CaseExpr* choice) {
  List* results = NIL;
  ListCell* cell;
  foreach (cell, choice->args) {
    const auto* const when = lfirst_node(CaseWhen, cell);
    if (!is_never(reinterpret_cast<Node*>(when->expr))) results = lappend(results, when->result);
  }
  if (choice->defresult != nullptr) results = lappend(results, choice->defresult);
  return of_one(results);
}

Bounds Finder::of_extreme(const MinMaxExpr* extreme) {
  const Bounds found = within_extreme(extreme);
  return has_ends(found) ? found : std::nullopt;
}

Bounds Finder::within_extreme(const MinMaxExpr* extreme) {
  bounds::Nullable found{};
  ListCell* cell;
  foreach (cell, extreme->args) {
    auto* const node = folded(static_cast<Node*>(lfirst(cell)));
    Bounds bounds = IsA(node, MinMaxExpr) ? within_extreme(castNode(MinMaxExpr, node)) : of(node);
    if (!bounds && is_size(node)) bounds = bounds::make(0, MaxAllocSize);
    if (!bounds && is_number(exprType(node)) && is_never_negative(node)) bounds = bounds::make(0, kEndless);
    if (!bounds && !is_null(node) && is_number(exprType(node))) bounds = bounds::make(-kEndless, kEndless);
    const bounds::Nullable one{bounds, !IsA(node, Const) || is_null(node)};
    if (foreach_current_index(cell) == 0) {
      found = one;
    } else {
      found = extreme->op == IS_GREATEST ? bounds::greatest(found, one) : bounds::least(found, one);
    }
  }
  return found.bounds;
}

bool Finder::has_meaning(Node* node, Meaning meaning) {
  const Oid function = called_by(node).function;
  return OidIsValid(function) && meaning_of(function) == meaning;
}

bool Finder::is_size(Node* node) {
  return has_meaning(node, Meaning::length) || has_meaning(node, Meaning::octet_length) ||
         has_meaning(node, Meaning::array_size);
}

Bounds Finder::of_call(Meaning meaning, Node* call, List* arguments) {
  const Oid type = exprType(call);
  const auto argument = [arguments](int number) { return folded(static_cast<Node*>(list_nth(arguments, number))); };
  const bool has_second = list_length(arguments) > 1;
  switch (meaning) {
    case Meaning::extract:
      return bounds_of_part(list_make2(argument(0), argument(1)), this);
    case Meaning::length:
    case Meaning::octet_length:
    case Meaning::position:
    case Meaning::ascii:
    case Meaning::array_size:
      return bounds_of_size(meaning, arguments, this);
    case Meaning::width_bucket:
      return of_buckets(has_second ? argument(list_length(arguments) - 1) : nullptr, list_length(arguments));
    case Meaning::date_bin:
      return of_bins(argument(0), argument(1));
    default:
      break;
  }
  if (!is_number(type)) {
    List* parts = NIL;
    ListCell* cell;
    foreach (cell, arguments) parts = lappend(parts, folded(static_cast<Node*>(lfirst(cell))));
    return bounds_of_moment(meaning, call, parts, this);
  }
  const Bounds first = of(argument(0));
  if (meaning == Meaning::cast || meaning == Meaning::trim_scale) {
    if (is_whole(type)) return bounds_of_meaning(Meaning::round, first, nullptr, true);
    return is_number(exprType(argument(0))) ? first : std::nullopt;
  }
  if (!has_second) return bounds_of_meaning(meaning, first, nullptr, is_whole(type));
  if (meaning == Meaning::trunc || meaning == Meaning::round) {
    const auto digits = whole_constant(argument(1));
    if (!digits) return std::nullopt;
    return meaning == Meaning::trunc ? bounds::cut(first, *digits) : bounds::rounded(first, *digits);
  }
  const Bounds second = of(argument(1));
  if (meaning == Meaning::divide && first && second && is_whole_or_null(argument(1)))
    return over_whole(*first, *second);
  return bounds_of_meaning(meaning, first, &second, is_whole(type));
}

Bounds Finder::of_bins(Node* width, Node* moment) {
  const Bounds span = of(width), at = of(moment);
  return span && at ? bounds::make(at->lower - span->upper, at->upper) : std::nullopt;
}

Bounds Finder::of_buckets(Node* last, int arguments) {
  if (arguments == 4) return bounds::plus(bounds::either(bounds::make(0, 0), of(last)), bounds::make(0, 1));
  if (last == nullptr || !IsA(last, Const) || castNode(Const, last)->constisnull) return std::nullopt;
  const ArrayType* const thresholds = DatumGetArrayTypeP(castNode(Const, last)->constvalue);
  return bounds::make(0, ArrayGetNItems(ARR_NDIM(thresholds), ARR_DIMS(thresholds)));
}

ValueBounds bounds_of(Node* expression, Node* filter, const Sources& sources, List* known) {
  return Finder(filter, sources, known).find(folded(expression));
}

Bounds bounds_of_known(Node* expression, List* known) { return Finder(known).find(folded(expression)).bounds; }

Limits limits_of(const Var* column, Node* filter, const Sources& sources) {
  return Finder(filter, sources, NIL).limits(column);
}

bounds::Interval widened(bounds::Interval interval) {
  if (interval.lower != interval.upper) return interval;
  interval.lower = std::min(interval.lower, 0.0);
  interval.upper = std::max(interval.upper, interval.lower == 0 && interval.upper == 0 ? 1.0 : 0.0);
  return interval;
}

}  // namespace dp::guard
