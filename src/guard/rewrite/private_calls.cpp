#include "guard/rewrite/private_calls.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <vector>

#include "aggregate/call/find_aggregate.h"
#include "aggregate/call/settings.h"
#include "budget/catalog/extension_catalog.h"
#include "budget/policy/accounts.h"
#include "core/mechanism/catalogue.h"
#include "core/mechanism/mechanism_text.h"
#include "guard/admission/refusal.h"
#include "guard/facts/digits.h"
#include "guard/facts/number_values.h"
#include "guard/functions/called_functions.h"
#include "guard/functions/calls.h"
#include "guard/query/permissions.h"
#include "guard/unit_limit/contribution_bounds.h"
#include "pg/joins.h"
#include "pg/nodes.h"

namespace dp::guard {
namespace {

// DISTINCT over the arguments that can be compared: the value, and parameters that are the same for all rows.
List* distinct_over(List* arguments) {
  List* clauses = NIL;
  ListCell* cell;
  foreach (cell, arguments) {
    auto* const entry = lfirst_node(TargetEntry, cell);
    const TypeCacheEntry* const type =
        lookup_type_cache(exprType(reinterpret_cast<Node*>(entry->expr)), TYPECACHE_LT_OPR | TYPECACHE_EQ_OPR);
    if (!OidIsValid(type->lt_opr) || !OidIsValid(type->eq_opr)) continue;
    auto* const clause = makeNode(SortGroupClause);
    clause->tleSortGroupRef = entry->ressortgroupref = static_cast<Index>(foreach_current_index(cell) + 1);
    clause->eqop = type->eq_opr;
    clause->sortop = type->lt_opr;
    clauses = lappend(clauses, clause);
  }
  return clauses;
}

Expr* mechanism_constant(Oid type, const char* mechanism) {
  Oid input, parameter;
  getTypeInputInfo(type, &input, &parameter);
  const Datum value = OidInputFunctionCall(input, const_cast<char*>(mechanism), parameter, -1);
  return reinterpret_cast<Expr*>(makeConst(type, -1, InvalidOid, -1, value, false, false));
}

}  // namespace

AnswerDefaults answer_defaults(const Sources& level) {
  const Sources& sources = level.read();
  AnswerDefaults defaults{aggregate::epsilon_setting(), aggregate::mechanism_setting()};
  const bool epsilon_is_said = defaults.epsilon > 0, mechanism_is_said = !defaults.is_automatic();
  if (epsilon_is_said && mechanism_is_said) return defaults;
  std::int64_t least = 0;
  const char* agreed = nullptr;
  sources.any_table([&](const Sources& read, int table) {
    const budget::Protection* const protection = read.protection(table);
    if (protection == nullptr) return false;
    const auto own = budget::curated_answer(*protection, planning_role(read.subject(table)));
    if (own.epsilon > 0 && (least == 0 || own.epsilon < least)) least = own.epsilon;
    if (own.mechanism != nullptr)
      agreed = agreed == nullptr || strcmp(agreed, own.mechanism) == 0 ? own.mechanism : "auto";
    return false;
  });
  if (!epsilon_is_said) defaults.epsilon = mechanism::Epsilon{static_cast<std::uint64_t>(least)}.value();
  if (!mechanism_is_said && agreed != nullptr) defaults.mechanism = agreed;
  return defaults;
}

AnswerDefaults half_of(AnswerDefaults defaults) {
  if (defaults.epsilon > 0)
    defaults.epsilon = mechanism::Epsilon{mechanism::Epsilon::from(defaults.epsilon).nano / 2}.value();
  return defaults;
}

budget::Amount selection_by_itself(const Sources& level) {
  constexpr auto kUnread = std::numeric_limits<std::int64_t>::max();
  std::int64_t delta = kUnread;
  level.read().any_table([&delta](const Sources& read, int table) {
    const budget::Protection* const protection = read.protection(table);
    if (protection == nullptr) return false;
    const std::int64_t own = budget::delta_of_selection_by_itself(*protection, planning_role(read.subject(table)));
    delta = std::min(delta, own);
    return own == 0;
  });
  const double price = delta == 0 || delta == kUnread ? 0 : answer_defaults(level).epsilon;
  if (price <= 0) return {};
  const budget::Amount selection{static_cast<std::int64_t>(mechanism::Epsilon::from(price).nano / 2), delta};
  return selection.epsilon > 0 ? selection : budget::Amount{};
}

bool pays_for_choice(const Query* level, const budget::Amount& named, const Sources& sources) {
  return level->groupClause != NIL && (named.epsilon > 0 || !selection_by_itself(sources).zero());
}

bool is_for_vectors(const AnswerDefaults& defaults) {
  return mechanism::is_joint(*mechanism::parse(defaults.mechanism).family);
}

int most_rows_of_unit(const Sources& sources) {
  int most = 0;
  sources.read().any_table([&most](const Sources& read, int table) {
    const budget::Protection* const protection = read.protection(table);
    if (protection == nullptr) return false;
    const int rows = protection->unit.declared() ? ContributionBounds::of(protection->unit).rows_of_all_groups() : 1;
    most = std::max({most, 1, rows});
    return false;
  });
  return most;
}

Aggref* private_call(const Aggref* original, const char* name, Expr* value, Oid value_type, List* parameters,
                     const AnswerDefaults& defaults) {
  List* expressions = lcons(value, list_copy(parameters));
  std::vector<Oid> types{value_type};
  ListCell* cell;
  foreach (cell, parameters) {
    const Oid type = exprType(static_cast<Node*>(lfirst(cell)));
    const bool categories = OidIsValid(get_element_type(type)) && strcmp(name, "dp_quantiles") != 0;
    types.push_back(categories ? ANYCOMPATIBLEARRAYOID : type);
  }
  expressions = lappend(expressions, number(defaults.epsilon));
  types.push_back(FLOAT8OID);
  if (!defaults.is_automatic()) types.push_back(InvalidOid);
  const Oid function = aggregate::find_aggregate(name, types);
  if (!OidIsValid(function)) budget::refuse_other_version();
  if (!defaults.is_automatic()) {
    Oid* declared;
    int count;
    get_func_signature(function, &declared, &count);
    expressions = lappend(expressions, mechanism_constant(declared[count - 1], defaults.mechanism));
  }
  auto* const call = makeNode(Aggref);
  call->aggfnoid = function;
  call->aggtype = get_func_rettype(function);
  if (IsPolymorphicType(call->aggtype)) call->aggtype = exprType(reinterpret_cast<Node*>(value));
  call->inputcollid = original->inputcollid;
  call->aggkind = AGGKIND_NORMAL;
  call->aggfilter = original->aggfilter;
  call->agglevelsup = original->agglevelsup;
  call->aggno = call->aggtransno = -1;
  call->location = original->location;
  if (OidIsValid(get_typcollation(call->aggtype))) call->aggcollid = exprCollation(reinterpret_cast<Node*>(value));
  foreach (cell, expressions) {
    auto* const argument = static_cast<Expr*>(lfirst(cell));
    const auto place = static_cast<AttrNumber>(foreach_current_index(cell) + 1);
    call->args = lappend(call->args, makeTargetEntry(argument, place, nullptr, false));
    call->aggargtypes = lappend_oid(call->aggargtypes, exprType(reinterpret_cast<Node*>(argument)));
  }
  if (original->aggdistinct != NIL) call->aggdistinct = distinct_over(call->args);
  return call;
}

Aggref* private_count_of_rows(const Aggref* original, const AnswerDefaults& defaults) {
  auto* const star = makeConst(UNKNOWNOID, -1, InvalidOid, -2, CStringGetDatum(pstrdup("*")), false, false);
  return private_call(original, "dp_count", reinterpret_cast<Expr*>(star), ANYOID, NIL, defaults);
}

Aggref* with_epsilon(const Aggref* call, const char* name, const AnswerDefaults& defaults) {
  List* arguments = NIL;
  ListCell* cell;
  foreach (cell, call->args) arguments = lappend(arguments, lfirst_node(TargetEntry, cell)->expr);
  auto* const value = static_cast<Node*>(linitial(arguments));
  List* const parameters = list_copy_tail(arguments, 1);
  if (strcmp(name, "dp_bounds") == 0) {
    const Oid type = number_type(exprType(value));
    if (parameters != NIL || !OidIsValid(type)) return nullptr;
    Node* const number =
        coerce_to_target_type(nullptr, value, exprType(value), type, -1, COERCION_EXPLICIT, COERCE_IMPLICIT_CAST, -1);
    return private_call(call, name, reinterpret_cast<Expr*>(number), type, NIL, defaults);
  }
  const bool cumulative = strcmp(name, "dp_cumulative") == 0;
  const bool histogram = strcmp(name, "dp_histogram") == 0;
  constexpr int kOfOne = 3, kOfTwo = 7;  // lower, upper and buckets; another value and these of each
  const bool bounded = ((cumulative || histogram) && list_length(parameters) == kOfOne) ||
                       (histogram && list_length(parameters) == kOfTwo);
  const bool listed = !cumulative && list_length(parameters) == 1 &&
                      OidIsValid(get_element_type(exprType(static_cast<Node*>(linitial(parameters)))));
  if (!bounded && !listed) return nullptr;
  return private_call(call, name, reinterpret_cast<Expr*>(value), bounded ? FLOAT8OID : ANYCOMPATIBLEOID, parameters,
                      defaults);
}

namespace {

// Each of a list; nullptr where it is not known yet.
Expr* rests(Expr* fractions) {
  if (!IsA(fractions, Const) || castNode(Const, fractions)->constisnull) return nullptr;
  ArrayType* const array = DatumGetArrayTypePCopy(castNode(Const, fractions)->constvalue);
  if (ARR_HASNULL(array)) return nullptr;
  auto* const numbers = reinterpret_cast<float8*>(ARR_DATA_PTR(array));
  const int size = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
  for (int i = 0; i < size; ++i) numbers[i] = 1 - numbers[i];
  return reinterpret_cast<Expr*>(makeConst(FLOAT8ARRAYOID, -1, InvalidOid, -1, PointerGetDatum(array), false, false));
}

}  // namespace

Expr* fraction_from_below(const Aggref* call) {
  auto* fraction = static_cast<Expr*>(linitial(call->aggdirectargs));
  const bool list = exprType(reinterpret_cast<Node*>(fraction)) == FLOAT8ARRAYOID;
  // A list of numerics is one of floats once it is known.
  if (list) fraction = reinterpret_cast<Expr*>(eval_const_expressions(nullptr, reinterpret_cast<Node*>(fraction)));
  if (pg::comparison_of(linitial_node(SortGroupClause, call->aggorder)->sortop) != BTGreaterStrategyNumber)
    return fraction;
  if (list) {
    if (Expr* const from_below = rests(fraction)) return from_below;
    DP_REFUSE(call->location, errmsg("fractions of a descending order have to be a list of constants"),
              errhint("Order by the value ascending, and ask for 1 less each fraction."));
  }
  List* const minus = list_make2(makeString(pstrdup("pg_catalog")), makeString(pstrdup("-")));
  Expr* const rest = make_opclause(OpernameGetOprid(minus, FLOAT8OID, FLOAT8OID), FLOAT8OID, false, number(1), fraction,
                                   InvalidOid, InvalidOid);
  set_opfuncid(castNode(OpExpr, rest));
  return rest;
}

namespace {

Node* extremum(MinMaxOp op, Node* value, Datum bound) {
  const Oid type = exprType(value);
  auto* const chosen = makeNode(MinMaxExpr);
  chosen->minmaxtype = type;
  chosen->op = op;
  chosen->args = list_make2(value, makeConst(type, -1, InvalidOid, get_typlen(type), bound, false, get_typbyval(type)));
  chosen->location = -1;
  return reinterpret_cast<Node*>(chosen);
}

Datum numeric_of(const char* text) {
  return DirectFunctionCall3(numeric_in, CStringGetDatum(text), ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
}

Node* between(Datum least, Node* value, Datum most) {
  return extremum(IS_LEAST, extremum(IS_GREATEST, value, least), most);
}

// Noise may have carried an answer beyond the type that it is shown in.
Node* within_type(Node* answer, Oid type) {
  if (exprType(answer) == FLOAT8OID) {
    constexpr double kMost = std::numeric_limits<float>::max();
    return type == FLOAT4OID ? between(Float8GetDatum(-kMost), answer, Float8GetDatum(kMost)) : answer;
  }
  if (exprType(answer) != NUMERICOID) return answer;
  const char* const most = type == INT8OID     ? "9223372036854775807"
                           : type == FLOAT8OID ? "1.7976931348623157e308"
                           : type == FLOAT4OID ? "3.4028234e38"
                                               : nullptr;
  if (most == nullptr) return answer;
  return between(numeric_of(psprintf("-%s", most)), answer, numeric_of(most));
}

}  // namespace

Node* in_type(Node* answer, Oid type) {
  if (exprType(answer) == type) return answer;
  Node* const shown = within_type(answer, type);
  Node* const cast =
      coerce_to_target_type(nullptr, shown, exprType(shown), type, -1, COERCION_EXPLICIT, COERCE_EXPLICIT_CAST, -1);
  if (cast == nullptr) elog(ERROR, "the answer of a private aggregate has no cast to %s", format_type_be(type));
  return cast;
}

Aggref* private_count(const Aggref* original, const AnswerDefaults& defaults) {
  if (original->args == NIL) return private_count_of_rows(original, defaults);
  Expr* const value = linitial_node(TargetEntry, original->args)->expr;
  return private_call(original, "dp_count", value, ANYOID, NIL, defaults);
}

std::optional<List*> given_parameters(const Aggref* call) {
  List* parameters = NIL;
  ListCell* cell;
  for_each_from(cell, call->args, 1) {
    Expr* const given = lfirst_node(TargetEntry, cell)->expr;
    const bool list = type_is_array(exprType(reinterpret_cast<Node*>(given)));
    Expr* const number = cast_value(given, list ? FLOAT8ARRAYOID : FLOAT8OID);
    if (number == nullptr) return std::nullopt;
    parameters = lappend(parameters, number);
  }
  return parameters;
}

Node* possible_count(Node* count, int most) {
  const auto limited = [count](MinMaxOp op, Node* value, int limit) {
    auto* const chosen = makeNode(MinMaxExpr);
    chosen->minmaxtype = INT8OID;
    chosen->op = op;
    chosen->args = list_make2(value, pg::int8_constant(limit));
    chosen->location = exprLocation(count);
    return reinterpret_cast<Node*>(chosen);
  };
  Node* const positive = limited(IS_GREATEST, count, 0);
  return most == 0 ? positive : limited(IS_LEAST, positive, most);
}

Node* with_decimals(Node* answer, Node* value) {
  if (exprType(answer) != NUMERICOID) return answer;
  const auto decimals = decimals_of(value);
  if (!decimals) return answer;
  auto* const places = pg::int4_constant(*decimals);
  return reinterpret_cast<Node*>(called(kRoundToDigits, list_make2(answer, places)));
}

const char* root_of(const char* name) {
  if (strcmp(name, "dp_variance") == 0) return "dp_stddev";
  return strcmp(name, "dp_var_pop") == 0 ? "dp_stddev_pop" : nullptr;
}

bool is_quantile(const char* name) { return strncmp(name, "dp_quantile", strlen("dp_quantile")) == 0; }

bool is_one_of(const char* name, std::initializer_list<const char*> names) {
  return std::ranges::any_of(names, [name](const char* one) { return strcmp(name, one) == 0; });
}

Oid value_type(const char* name, Expr* value) {
  const Oid type = number_type(exprType(reinterpret_cast<Node*>(value)));
  return OidIsValid(type) && strstr(name, "_pop") != nullptr ? FLOAT8OID : type;
}

Node* without_cast_to_float8(Node* value) {
  Node* const from = cast_from(value, FLOAT8OID);
  return from != nullptr && is_number(exprType(from)) ? from : value;
}

Expr* without_cast_of_integer(Expr* value) {
  Node* const from = cast_from(reinterpret_cast<Node*>(value), FLOAT8OID);
  return from != nullptr && is_integer(exprType(from)) ? reinterpret_cast<Expr*>(from) : value;
}

Expr* cast_value(Expr* value, Oid type) {
  auto* const node = reinterpret_cast<Node*>(value);
  if (exprType(node) == type) return value;
  return reinterpret_cast<Expr*>(
      coerce_to_target_type(nullptr, node, exprType(node), type, -1, COERCION_EXPLICIT, COERCE_IMPLICIT_CAST, -1));
}

Expr* number(double value) { return reinterpret_cast<Expr*>(pg::float8_constant(value)); }

Oid number_type(Oid type) {
  switch (type) {
    case INT2OID:
    case INT4OID:
    case INT8OID:
    case FLOAT8OID:
    case NUMERICOID:
      return type;
    case FLOAT4OID:
      return FLOAT8OID;
    default:
      return InvalidOid;
  }
}

}  // namespace dp::guard
