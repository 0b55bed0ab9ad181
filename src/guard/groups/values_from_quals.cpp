#include "guard/groups/values_from_quals.h"

#include <algorithm>
#include <cmath>

#include "guard/facts/form.h"
#include "guard/facts/grains.h"
#include "guard/facts/number_values.h"
#include "guard/functions/constants.h"
#include "guard/functions/moment_fields.h"
#include "guard/groups/key_steps.h"
#include "pg/nodes.h"

namespace dp::guard {
namespace {

// Of one expression. Each is a group, and stands in the plan.
constexpr int kMostAsked = 1000;

bool fits(Oid type, std::int64_t value) {
  if (type == INT2OID) return value >= PG_INT16_MIN && value <= PG_INT16_MAX;
  return type == INT8OID || (value >= PG_INT32_MIN && value <= PG_INT32_MAX);
}

Datum whole(Oid type, std::int64_t value) {
  if (type == INT2OID) return Int16GetDatum(static_cast<int16>(value));
  return type == INT8OID ? Int64GetDatum(value) : Int32GetDatum(static_cast<int32>(value));
}

// The value of one type as one of a column's; nothing where that is another value. char(n) is compared without the
// blanks that it is shown with.
std::optional<Datum> in_type(Oid column, Oid type, Datum value) {
  if (type == column && type != BPCHAROID) return value;
  if (column == VARCHAROID && type == TEXTOID) return value;
  if (!is_integer(column) || !is_integer(type) || !fits(column, as_whole(type, value))) return std::nullopt;
  return whole(column, as_whole(type, value));
}

bool is_asked(Node* node, Node* asked) {
  if (equal(node, asked)) return true;
  if (IsA(node, RelabelType)) node = reinterpret_cast<Node*>(castNode(RelabelType, node)->arg);
  return equal(node, asked);
}

// How the operator orders such values, as its default order does; InvalidStrategy for another one.
int strategy_of(Oid op, Oid collation, Node* asked) {
  if (collation != exprCollation(asked)) return InvalidStrategy;
  const TypeCacheEntry* const order = lookup_type_cache(getBaseType(exprType(asked)), TYPECACHE_BTREE_OPFAMILY);
  return OidIsValid(order->btree_opf) ? get_op_opfamily_strategy(op, order->btree_opf) : InvalidStrategy;
}

struct ComparedColumn {
  int strategy;  // as if what is asked for stood on the left
  Datum value;   // of its base type
};

// What a condition says, where it compares with a constant.
std::optional<ComparedColumn> comparison_with(Node* asked, Node* condition) {
  if (!IsA(condition, OpExpr) || list_length(castNode(OpExpr, condition)->args) != 2) return std::nullopt;
  const auto* const op = castNode(OpExpr, condition);
  auto* left = static_cast<Node*>(linitial(op->args));
  auto* right = static_cast<Node*>(lsecond(op->args));
  const bool mirrored = IsA(left, Const);
  if (mirrored) std::swap(left, right);
  if (!is_asked(left, asked) || !IsA(right, Const) || castNode(Const, right)->constisnull) return std::nullopt;
  const int strategy = strategy_of(op->opno, op->inputcollid, asked);
  if (strategy == InvalidStrategy) return std::nullopt;
  const auto* const constant = castNode(Const, right);
  const auto value = in_type(getBaseType(exprType(asked)), constant->consttype, constant->constvalue);
  if (!value) return std::nullopt;
  // From < (1) to > (5).
  return ComparedColumn{mirrored ? 6 - strategy : strategy, *value};
}

Node* const_of(Node* asked, Datum value) {
  int16 length;
  bool by_value;
  get_typlenbyval(exprType(asked), &length, &by_value);
  return reinterpret_cast<Node*>(makeConst(exprType(asked), exprTypmod(asked), exprCollation(asked), length,
                                           datumCopy(value, by_value, length), false, by_value));
}

Node* null_of(Node* asked) {
  return reinterpret_cast<Node*>(makeNullConst(exprType(asked), exprTypmod(asked), exprCollation(asked)));
}

bool is_same_for_all(Node* operand) {
  return !contain_var_clause(operand) && !contain_subplans(operand) && !contain_volatile_functions(operand);
}

// What an operand that is the same for all rows is as a value of what is asked for; nullptr where it is another one, or
// NULL, or is not known to be one.
Node* value_for(Node* asked, Node* operand) {
  const Oid type = getBaseType(exprType(asked));
  if (IsA(operand, Const)) {
    const auto* const constant = castNode(Const, operand);
    const auto value = constant->constisnull ? std::nullopt : in_type(type, constant->consttype, constant->constvalue);
    return value ? const_of(asked, *value) : nullptr;
  }
  if (!is_same_for_all(operand)) return nullptr;
  const Oid given = exprType(operand);
  if (given == exprType(asked) && type != BPCHAROID) return operand;
  if (exprType(asked) == VARCHAROID && given == TEXTOID) {
    return reinterpret_cast<Node*>(
        makeRelabelType(reinterpret_cast<Expr*>(operand), VARCHAROID, -1, exprCollation(asked), COERCE_IMPLICIT_CAST));
  }
  const bool widens = is_integer(given) && is_integer(exprType(asked)) && get_typlen(given) < get_typlen(type);
  if (!widens) return nullptr;
  return coerce_to_target_type(nullptr, operand, given, type, -1, COERCION_EXPLICIT, COERCE_IMPLICIT_CAST, -1);
}

// What a condition lists, which may be no value; nothing where it is no list.
using Listed = std::optional<List*>;

// x = ANY (array): what x may be. NULL equals nothing.
Listed listed_in_array(Node* asked, const ScalarArrayOpExpr* any) {
  auto* const array = static_cast<Node*>(lsecond(any->args));
  if (!any->useOr || !is_asked(static_cast<Node*>(linitial(any->args)), asked) ||
      strategy_of(any->opno, any->inputcollid, asked) != BTEqualStrategyNumber)
    return std::nullopt;
  if (is_null_constant(array)) return NIL;
  const Oid type = getBaseType(exprType(asked));
  if (!IsA(array, Const)) {
    const Oid element = get_element_type(exprType(array));
    const bool fits = element == type || (element == TEXTOID && type == VARCHAROID);
    if (!fits || type == BPCHAROID || !is_same_for_all(array)) return std::nullopt;
    return list_make1(list_make1(array));
  }
  List* found = NIL;
  ListCell* cell;
  foreach (cell, pg::elements_of(castNode(Const, array))) {
    auto* const element = static_cast<Node*>(lfirst(cell));
    if (is_null_constant(element)) continue;
    Node* const value = value_for(asked, element);
    if (value == nullptr) return std::nullopt;
    found = lappend(found, value);
  }
  return found;
}

bool has_arrays(const List* values) {
  ListCell* cell;
  foreach (cell, values) {
    if (IsA(lfirst(cell), List)) return true;
  }
  return false;
}

Listed listed_in_comparison(Node* asked, const OpExpr* op) {
  if (list_length(op->args) != 2 || strategy_of(op->opno, op->inputcollid, asked) != BTEqualStrategyNumber)
    return std::nullopt;
  auto* left = static_cast<Node*>(linitial(op->args));
  auto* right = static_cast<Node*>(lsecond(op->args));
  if (is_asked(right, asked)) std::swap(left, right);
  if (!is_asked(left, asked)) return std::nullopt;
  Node* const value = value_for(asked, right);
  return value == nullptr ? Listed() : Listed(list_make1(value));
}

Listed listed(Node* asked, Node* condition);

// x = 1 OR x = 2. An arm without a value adds none.
Listed listed_in_each(Node* asked, List* arms) {
  List* all = NIL;
  ListCell* cell;
  foreach (cell, arms) {
    const Listed values = listed(asked, static_cast<Node*>(lfirst(cell)));
    if (!values) return std::nullopt;
    all = list_concat(all, *values);
  }
  return all;
}

Listed listed_in_one(Node* asked, List* conditions) {
  ListCell* cell;
  foreach (cell, conditions) {
    if (const Listed values = listed(asked, static_cast<Node*>(lfirst(cell)))) return values;
  }
  return std::nullopt;
}

Listed listed(Node* asked, Node* condition) {
  if (condition == nullptr) return std::nullopt;
  check_stack_depth();
  if (IsA(condition, List)) return listed_in_one(asked, castNode(List, condition));
  if (is_andclause(condition)) return listed_in_one(asked, castNode(BoolExpr, condition)->args);
  if (is_orclause(condition)) return listed_in_each(asked, castNode(BoolExpr, condition)->args);
  Node* const known = folded(condition);
  if (IsA(known, ScalarArrayOpExpr)) return listed_in_array(asked, castNode(ScalarArrayOpExpr, known));
  if (IsA(known, OpExpr)) return listed_in_comparison(asked, castNode(OpExpr, known));
  if (IsA(known, NullTest) && castNode(NullTest, known)->nulltesttype == IS_NULL &&
      is_asked(reinterpret_cast<Node*>(castNode(NullTest, known)->arg), asked))
    return list_make1(null_of(asked));
  const bool never =
      IsA(known, Const) && (is_null_constant(known) || !DatumGetBool(castNode(Const, known)->constvalue));
  return never ? Listed(NIL) : Listed();
}

class EndFinder {
 public:
  explicit EndFinder(Node* asked) : asked_(asked), type_(getBaseType(exprType(asked))) {}

  void take(Node* condition) {
    if (condition == nullptr) return;
    ListCell* cell;
    if (IsA(condition, List) || is_andclause(condition)) {
      foreach (cell, IsA(condition, List) ? castNode(List, condition) : castNode(BoolExpr, condition)->args)
        take(static_cast<Node*>(lfirst(cell)));
      return;
    }
    const auto compared = comparison_with(asked_, folded(condition));
    if (!compared || !is_finite(type_, compared->value)) return;
    if (compared->strategy >= BTEqualStrategyNumber) raise(beside(*compared, BTGreaterStrategyNumber, 1));
    if (compared->strategy <= BTEqualStrategyNumber) lower(beside(*compared, BTLessStrategyNumber, -1));
  }

  const EndsFromQuals& ends() const { return ends_; }

 private:
  // The value, or that next to it where it is not included itself and there is such a one.
  Datum beside(const ComparedColumn& compared, int excluding, int step) const {
    if (compared.strategy != excluding) return compared.value;
    if (is_timestamp(type_)) return TimestampGetDatum(DatumGetTimestamp(compared.value) + step);
    std::int64_t next;
    if (!is_discrete(type_) || __builtin_add_overflow(as_whole(type_, compared.value), step, &next) ||
        !fits(type_, next))
      return compared.value;
    return whole(type_, next);
  }

  bool is_less(Datum one, Datum other) const {
    const TypeCacheEntry* const type = lookup_type_cache(type_, TYPECACHE_CMP_PROC_FINFO);
    auto* const compare = const_cast<FmgrInfo*>(&type->cmp_proc_finfo);
    return DatumGetInt32(FunctionCall2Coll(compare, InvalidOid, one, other)) < 0;
  }

  void raise(Datum value) {
    if (!ends_.lower || is_less(*ends_.lower, value)) ends_.lower = value;
  }

  void lower(Datum value) {
    if (!ends_.upper || is_less(value, *ends_.upper)) ends_.upper = value;
  }

  Node* asked_;
  Oid type_;
  EndsFromQuals ends_;
};

Datum numeric_of(Oid type, Datum value) {
  return type == NUMERICOID ? value : DirectFunctionCall1(float8_numeric, value);
}

// The whole number beside an end of the range, on its inner side; nothing where there are too many to list.
std::optional<std::int64_t> whole_end(const budget::ColumnRange& range, Datum end, PGFunction inwards) {
  constexpr double kFar = 1e15;
  if (is_discrete(range.type)) return as_whole(range.type, end);
  if (range.type != NUMERICOID && range.type != FLOAT8OID) return std::nullopt;
  if (!(std::fabs(as_real(range.type, end)) < kFar)) return std::nullopt;
  const Datum number = DirectFunctionCall1(inwards, numeric_of(range.type, end));
  return DatumGetInt64(DirectFunctionCall1(numeric_int8, number));
}

Datum number_of(Oid type, std::int64_t value) {
  if (is_discrete(type)) return whole(type, value);
  const Datum number = DirectFunctionCall1(int8_numeric, Int64GetDatum(value));
  return type == NUMERICOID ? number : DirectFunctionCall1(numeric_float8, number);
}

}  // namespace

List* values_from_quals(Node* written_as, Node* runs, const KeyQuals& conditions, bool alone) {
  Node* const asked = folded(written_as);
  if (exprType(asked) != exprType(runs) || exprCollation(asked) != exprCollation(runs)) return NIL;
  const Listed written = listed_in_one(asked, conditions.written);
  if (written && *written != NIL && list_length(*written) <= kMostAsked && (alone || !has_arrays(*written))) {
    const Listed values = listed(runs, conditions.running);
    if (!values || *values != NIL) return values.value_or(NIL);
    return list_make1(null_of(asked));
  }
  // Whole numbers of another type, too, extract(year FROM at) or floor(cost); or hundreds, trunc(cost, -2).
  const auto range = range_from_quals(asked, conditions.written);
  const auto grain = range ? grain_of(asked) : std::nullopt;
  const std::int64_t step = grain ? grain->millionths / bounds::kWhole.millionths : 0;
  if (step == 0 || !bounds::is_whole(*grain)) return NIL;
  const std::optional<std::int64_t> first = whole_end(*range, range->lower, numeric_ceil),
                                    last = whole_end(*range, range->upper, numeric_floor);
  std::int64_t more;
  if (!first || !last || __builtin_sub_overflow(*last, *first, &more) || more / step >= kMostAsked) return NIL;
  List* values = NIL;
  for (std::int64_t i = (step - *first % step) % step; i <= more; i += step)
    values = lappend(values, const_of(asked, number_of(range->type, *first + i)));
  return values;
}

EndsFromQuals ends_from_quals(Node* asked, List* conditions) {
  if (!budget::can_have_range(getBaseType(exprType(asked)))) return {};
  EndFinder finder(folded(asked));
  finder.take(reinterpret_cast<Node*>(conditions));
  return finder.ends();
}

std::optional<budget::ColumnRange> range_from_quals(Node* asked, List* written) {
  const EndsFromQuals ends = ends_from_quals(asked, written);
  if (!ends.lower || !ends.upper) return std::nullopt;
  return budget::ColumnRange{getBaseType(exprType(asked)), *ends.lower, *ends.upper, "the question"};
}

}  // namespace dp::guard
