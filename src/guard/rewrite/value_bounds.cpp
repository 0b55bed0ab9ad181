#include "guard/rewrite/value_bounds.h"

#include <cmath>
#include <iterator>
#include <optional>
#include <string_view>

#include "budget/policy/domains.h"
#include "budget/policy/ranges.h"
#include "guard/admission/values.h"
#include "guard/forms/folded.h"
#include "guard/tables/joins.h"
#include "pg/joins.h"

namespace dp::guard {
namespace {

using bounds::Bounds;

// A value of one of the types that have ranges, or of boolean, as a number.
std::optional<double> as_number(Oid type, Datum value) {
  switch (type) {
    case BOOLOID:
      return DatumGetBool(value);
    case INT2OID:
      return DatumGetInt16(value);
    case INT4OID:
    case DATEOID:
      return DatumGetInt32(value);
    case INT8OID:
    case TIMESTAMPOID:
    case TIMESTAMPTZOID:
      return static_cast<double>(DatumGetInt64(value));
    case FLOAT4OID:
      return DatumGetFloat4(value);
    case FLOAT8OID:
      return DatumGetFloat8(value);
    case NUMERICOID:
      return DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow, value));
    default:
      return std::nullopt;
  }
}

// ---- functions ------------------------------------------------------------------------------------------------------

enum class Meaning { plus, minus, times, over, rest, negated, absolute, same, floor, ceiling, round, part };

// What PostgreSQL's own functions and the total ones mean for numbers, by their names. Those of users are not admitted
// below the aggregate; a wrong meaning would give an answer that is clamped too narrowly, no more.
struct Known {
  std::string_view name;
  Meaning meaning;
};
constexpr Known kKnown[] = {{"int2pl", Meaning::plus},
                            {"int4pl", Meaning::plus},
                            {"int8pl", Meaning::plus},
                            {"int24pl", Meaning::plus},
                            {"int42pl", Meaning::plus},
                            {"int28pl", Meaning::plus},
                            {"int82pl", Meaning::plus},
                            {"int48pl", Meaning::plus},
                            {"int84pl", Meaning::plus},
                            {"float4pl", Meaning::plus},
                            {"float8pl", Meaning::plus},
                            {"float48pl", Meaning::plus},
                            {"float84pl", Meaning::plus},
                            {"numeric_add", Meaning::plus},
                            {"dp_add", Meaning::plus},
                            {"int2mi", Meaning::minus},
                            {"int4mi", Meaning::minus},
                            {"int8mi", Meaning::minus},
                            {"int24mi", Meaning::minus},
                            {"int42mi", Meaning::minus},
                            {"int28mi", Meaning::minus},
                            {"int82mi", Meaning::minus},
                            {"int48mi", Meaning::minus},
                            {"int84mi", Meaning::minus},
                            {"float4mi", Meaning::minus},
                            {"float8mi", Meaning::minus},
                            {"float48mi", Meaning::minus},
                            {"float84mi", Meaning::minus},
                            {"numeric_sub", Meaning::minus},
                            {"dp_sub", Meaning::minus},
                            {"date_mi", Meaning::minus},
                            {"int2mul", Meaning::times},
                            {"int4mul", Meaning::times},
                            {"int8mul", Meaning::times},
                            {"int24mul", Meaning::times},
                            {"int42mul", Meaning::times},
                            {"int28mul", Meaning::times},
                            {"int82mul", Meaning::times},
                            {"int48mul", Meaning::times},
                            {"int84mul", Meaning::times},
                            {"float4mul", Meaning::times},
                            {"float8mul", Meaning::times},
                            {"float48mul", Meaning::times},
                            {"float84mul", Meaning::times},
                            {"numeric_mul", Meaning::times},
                            {"dp_mul", Meaning::times},
                            {"int2div", Meaning::over},
                            {"int4div", Meaning::over},
                            {"int8div", Meaning::over},
                            {"int24div", Meaning::over},
                            {"int42div", Meaning::over},
                            {"int28div", Meaning::over},
                            {"int82div", Meaning::over},
                            {"int48div", Meaning::over},
                            {"int84div", Meaning::over},
                            {"float4div", Meaning::over},
                            {"float8div", Meaning::over},
                            {"float48div", Meaning::over},
                            {"float84div", Meaning::over},
                            {"numeric_div", Meaning::over},
                            {"dp_div", Meaning::over},
                            {"mod", Meaning::rest},
                            {"int2mod", Meaning::rest},
                            {"int4mod", Meaning::rest},
                            {"int8mod", Meaning::rest},
                            {"numeric_mod", Meaning::rest},
                            {"dp_mod", Meaning::rest},
                            {"int2um", Meaning::negated},
                            {"int4um", Meaning::negated},
                            {"int8um", Meaning::negated},
                            {"float4um", Meaning::negated},
                            {"float8um", Meaning::negated},
                            {"numeric_uminus", Meaning::negated},
                            {"abs", Meaning::absolute},
                            {"int2abs", Meaning::absolute},
                            {"int4abs", Meaning::absolute},
                            {"int8abs", Meaning::absolute},
                            {"float4abs", Meaning::absolute},
                            {"float8abs", Meaning::absolute},
                            {"numeric_abs", Meaning::absolute},
                            {"int2", Meaning::same},
                            {"int4", Meaning::same},
                            {"int8", Meaning::same},
                            {"float4", Meaning::same},
                            {"float8", Meaning::same},
                            {"numeric", Meaning::same},
                            {"dp_try_int", Meaning::same},
                            {"dp_try_float", Meaning::same},
                            {"dp_try_numeric", Meaning::same},
                            {"floor", Meaning::floor},
                            {"trunc", Meaning::floor},
                            {"ceil", Meaning::ceiling},
                            {"ceiling", Meaning::ceiling},
                            {"round", Meaning::round},
                            {"dp_round", Meaning::round},
                            {"extract", Meaning::part},
                            {"date_part", Meaning::part},
                            {"try_int4", Meaning::same},
                            {"to_numeric", Meaning::same}};

std::optional<Meaning> meaning_of(Oid function) {
  const char* const name = get_func_name(function);
  if (name == nullptr) return std::nullopt;
  for (const Known& known : kKnown) {
    if (known.name == name) return known.meaning;
  }
  return std::nullopt;
}

bool is_whole(Oid type) { return type == INT2OID || type == INT4OID || type == INT8OID; }

bool is_number(Oid type) {
  return is_whole(type) || type == FLOAT4OID || type == FLOAT8OID || type == NUMERICOID || type == BOOLOID;
}

// extract(field from x): what the field can be, whatever x is.
Bounds bounds_of_part(Node* field) {
  if (!IsA(field, Const) || castNode(Const, field)->constisnull || exprType(field) != TEXTOID) return std::nullopt;
  const char* const name = TextDatumGetCString(castNode(Const, field)->constvalue);
  constexpr struct {
    const char* field;
    double lower, upper;
  } kFields[] = {{"month", 1, 12}, {"day", 1, 31},    {"quarter", 1, 4}, {"dow", 0, 6},      {"isodow", 1, 7},
                 {"doy", 1, 366},  {"week", 1, 53},   {"hour", 0, 23},   {"minute", 0, 59},  {"second", 0, 60},
                 {"days", 1, 31},  {"months", 1, 12}, {"hours", 0, 23},  {"minutes", 0, 59}, {"seconds", 0, 60}};
  for (const auto& known : kFields) {
    if (pg_strcasecmp(known.field, name) == 0) return bounds::make(known.lower, known.upper);
  }
  return std::nullopt;
}

// ---- expressions ----------------------------------------------------------------------------------------------------

class Finder {
 public:
  Finder(Node* filter, const Sources& sources) : sources_(sources) {
    add_conditions(reinterpret_cast<Node*>(sources.conditions));
    add_conditions(filter);
  }

  ValueBounds find(Node* expression) {
    found_.bounds = of(expression);
    return found_;
  }

 private:
  // Conditions that all hold, each by itself.
  void add_conditions(Node* node) {
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

  Bounds of(Node* node) {
    if (node == nullptr) return std::nullopt;
    check_stack_depth();
    switch (nodeTag(node)) {
      case T_Const:
        return of_constant(castNode(Const, node));
      case T_Var:
        return of_column(castNode(Var, node));
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
        return of_extreme(castNode(MinMaxExpr, node));
      default:
        break;
    }
    if (exprType(node) == BOOLOID) return bounds::make(0, 1);
    const auto [function, arguments] = called_by(node);
    if (!OidIsValid(function)) return std::nullopt;
    if (const auto meaning = meaning_of(function)) return of_call(*meaning, node, arguments);
    return std::nullopt;
  }

  static Bounds of_constant(const Const* constant) {
    if (constant->constisnull) return std::nullopt;
    const auto number = as_number(constant->consttype, constant->constvalue);
    return number ? bounds::make(*number, *number) : std::nullopt;
  }

  Bounds of_column(Var* column) {
    if (column->varlevelsup > 0 || column->varattno <= 0) return std::nullopt;
    const Oid type = getBaseType(column->vartype);
    if (type == BOOLOID) return bounds::make(0, 1);
    const RangeTblEntry* const table = sources_.table(column->varno);
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

  void note(const Var* column, Oid table, const budget::ColumnRange& range) {
    Oid output;
    bool is_varlena;
    getTypeOutputInfo(range.type, &output, &is_varlena);
    char* const text =
        psprintf("%s %s .. %s (%s)", get_attname(table, column->varattno, false),
                 OidOutputFunctionCall(output, range.lower), OidOutputFunctionCall(output, range.upper), range.source);
    if (!list_member(found_.sources, makeString(text))) found_.sources = lappend(found_.sources, makeString(text));
  }

  // What comparisons of that column with constants leave.
  Bounds narrowed(const Var* column, Bounds bounds) const {
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
    if (!bounds) return bounds::make(lower, upper);
    return bounds::within(bounds, bounds::make(std::max(lower, bounds->lower), std::min(upper, bounds->upper)));
  }

  static bool is_null(Node* node) { return IsA(node, Const) && castNode(Const, node)->constisnull; }

  // Of an expression that is one of these; NULL is no number.
  Bounds of_one(List* nodes) {
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

  // x IS NULL of a column that cannot be NULL.
  bool is_never(Node* condition) const {
    if (!IsA(condition, NullTest) || castNode(NullTest, condition)->nulltesttype != IS_NULL) return false;
    auto* const column = reinterpret_cast<Node*>(castNode(NullTest, condition)->arg);
    if (!IsA(column, Var) || castNode(Var, column)->varattno <= 0) return false;
    if (may_be_missing(sources_.tree, castNode(Var, column)->varno)) return false;
    const RangeTblEntry* const table = sources_.table(castNode(Var, column)->varno);
    return table->rtekind == RTE_RELATION && !budget::may_be_null(table->relid, castNode(Var, column)->varattno);
  }

  Bounds of_case(const CaseExpr* choice) {
    List* results = NIL;
    ListCell* cell;
    foreach (cell, choice->args) {
      const auto* const when = lfirst_node(CaseWhen, cell);
      if (!is_never(reinterpret_cast<Node*>(when->expr))) results = lappend(results, when->result);
    }
    if (choice->defresult != nullptr) results = lappend(results, choice->defresult);
    return of_one(results);
  }

  Bounds of_extreme(const MinMaxExpr* extreme) {
    bounds::Nullable found{};
    ListCell* cell;
    foreach (cell, extreme->args) {
      auto* const node = folded(static_cast<Node*>(lfirst(cell)));
      const bounds::Nullable one{of(node), !IsA(node, Const) || is_null(node)};
      if (foreach_current_index(cell) == 0) {
        found = one;
      } else {
        found = extreme->op == IS_GREATEST ? bounds::greatest(found, one) : bounds::least(found, one);
      }
    }
    return found.bounds;
  }

  Bounds of_call(Meaning meaning, Node* call, List* arguments) {
    if (meaning == Meaning::part) return bounds_of_part(static_cast<Node*>(linitial(arguments)));
    const Bounds first = of(folded(static_cast<Node*>(linitial(arguments))));
    const bool has_second = list_length(arguments) > 1;
    const auto second = [&] { return of(folded(static_cast<Node*>(lsecond(arguments)))); };
    switch (meaning) {
      case Meaning::plus:
        return has_second && is_number(exprType(call)) ? bounds::plus(first, second()) : std::nullopt;
      case Meaning::minus:
        return has_second && is_number(exprType(call)) ? bounds::minus(first, second()) : std::nullopt;
      case Meaning::times:
        return has_second ? bounds::times(first, second()) : std::nullopt;
      case Meaning::over:
        return has_second ? bounds::over(first, second(), is_whole(exprType(call))) : std::nullopt;
      case Meaning::rest:
        return has_second ? bounds::rest(first, second()) : std::nullopt;
      case Meaning::negated:
        return bounds::negated(first);
      case Meaning::absolute:
        return bounds::absolute(first);
      case Meaning::same:
        if (is_whole(exprType(call))) return bounds::rising(first, [](double x) { return std::round(x); });
        return is_number(exprType(static_cast<Node*>(linitial(arguments)))) ? first : std::nullopt;
      case Meaning::floor:
        return bounds::rising(first, [](double x) { return std::floor(x); });
      case Meaning::ceiling:
        return bounds::rising(first, [](double x) { return std::ceil(x); });
      case Meaning::round:
        // To a number of digits: no further than a half.
        if (has_second) return first ? bounds::make(std::floor(first->lower), std::ceil(first->upper)) : std::nullopt;
        return bounds::rising(first, [](double x) { return std::round(x); });
      case Meaning::part:
        break;
    }
    return std::nullopt;
  }

  const Sources& sources_;
  List* conditions_ = NIL;
  ValueBounds found_;
};

}  // namespace

ValueBounds bounds_of(Node* expression, Node* filter, const Sources& sources) {
  return Finder(filter, sources).find(folded(expression));
}

}  // namespace dp::guard
