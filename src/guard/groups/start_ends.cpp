#include "guard/groups/start_ends.h"

#include <algorithm>

#include "guard/functions/moment_fields.h"
#include "guard/groups/key_steps.h"
#include "guard/groups/rising.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// What a condition leaves, both ends included.
struct Left {
  std::int64_t lower, upper;

  bool none() const { return lower > upper; }
};

// Its ends in the order of the column's type: as moments are.
class Narrowing {
 public:
  Narrowing(Left range, AttrNumber column, TupleTableSlot* row, EState* estate)
      : range_(range), column_(column), row_(row), estate_(estate), context_(CreateExprContext(estate)) {
    context_->ecxt_scantuple = row;
  }

  ~Narrowing() { FreeExprContext(context_, true); }
  Narrowing(const Narrowing&) = delete;
  Narrowing& operator=(const Narrowing&) = delete;

  // `negated`: where the condition is false.
  Left left_by(Node* condition, bool negated = false) {
    check_stack_depth();
    if (condition == nullptr) return range_;
    if (!contain_var_clause(condition)) return is_so(condition, negated) ? range_ : none();
    if (IsA(condition, BoolExpr)) return left_by_all(castNode(BoolExpr, condition), negated);
    if (IsA(condition, OpExpr) && list_length(castNode(OpExpr, condition)->args) == 2)
      return left_by_comparison(castNode(OpExpr, condition), negated);
    return range_;
  }

 private:
  static Left none() { return {1, 0}; }
  static Left both(Left one, Left other) {
    return {std::max(one.lower, other.lower), std::min(one.upper, other.upper)};
  }
  static Left either(Left one, Left other) {
    if (one.none() || other.none()) return one.none() ? other : one;
    return {std::min(one.lower, other.lower), std::max(one.upper, other.upper)};
  }

  // NOT (a AND b) is NOT a OR NOT b, also where one of them is not known.
  Left left_by_all(const BoolExpr* condition, bool negated) {
    if (condition->boolop == NOT_EXPR) return left_by(static_cast<Node*>(linitial(condition->args)), !negated);
    const bool all = (condition->boolop == AND_EXPR) != negated;
    Left left = all ? range_ : none();
    ListCell* cell;
    foreach (cell, condition->args) {
      const Left one = left_by(static_cast<Node*>(lfirst(cell)), negated);
      left = all ? both(left, one) : either(left, one);
    }
    return left;
  }

  Left left_by_comparison(const OpExpr* written, bool negated) {
    auto* const op = castNode(OpExpr, known(reinterpret_cast<Node*>(const_cast<OpExpr*>(written)), this));
    const bool mirrored = !contain_var_clause(static_cast<Node*>(linitial(op->args)));
    auto* const computed = static_cast<Node*>(list_nth(op->args, mirrored));
    if (contain_var_clause(static_cast<Node*>(list_nth(op->args, !mirrored)))) return range_;
    const Oid family = lookup_type_cache(exprType(computed), TYPECACHE_BTREE_OPFAMILY)->btree_opf;
    if (!OidIsValid(family) || !op_in_opfamily(op->opno, family)) return range_;
    int strategy;
    Oid left_type, right_type;
    get_op_opfamily_properties(op->opno, family, false, &strategy, &left_type, &right_type);
    if (negated && strategy == BTEqualStrategyNumber) return range_;
    // NOT x < y is x >= y: < (1) and >= (4), <= (2) and > (5).
    if (negated) strategy += strategy < BTEqualStrategyNumber ? 3 : -3;
    const Oid other = mirrored ? left_type : right_type;
    if (rise_with_moment(computed, other, range_.lower).direction == 0) return range_;
    Left left = range_;
    const auto cut = [&](int one) {
      const Oid comparison = get_opfamily_member(family, left_type, right_type, static_cast<int16>(one));
      const bool up = (one > BTEqualStrategyNumber) != mirrored;
      if (OidIsValid(comparison)) left = both(left, cut_by(op, comparison, computed, other, up));
    };
    if (strategy != BTEqualStrategyNumber) {
      cut(strategy);
    } else {
      cut(BTGreaterEqualStrategyNumber);
      cut(BTLessEqualStrategyNumber);
    }
    return left;
  }

  // What is true from some moment on, or up to one. `up`: where what is computed goes up.
  Left cut_by(const OpExpr* op, Oid comparison, Node* computed, Oid other, bool up) {
    auto* const compares = static_cast<OpExpr*>(copyObjectImpl(op));
    compares->opno = comparison;
    compares->opfuncid = get_opcode(comparison);
    ExprState* const state = ExecPrepareExpr(reinterpret_cast<Expr*>(compares), estate_);
    const bool from = up == (rise_with_moment(computed, other, range_.lower).direction > 0);
    std::int64_t outside = from ? range_.lower : range_.upper, inside = from ? range_.upper : range_.lower;
    if (range_.none() || may_hold(state, outside)) return range_;
    const bool never = !may_hold(state, inside);
    if (never) outside = inside;
    while (!never && (from ? inside - outside : outside - inside) > 1) {
      const std::int64_t middle = outside + (inside - outside) / 2;
      (may_hold(state, middle) ? inside : outside) = middle;
    }
    // That at `outside` it is false counts, whatever is known of others.
    const std::int64_t margin = rise_with_moment(computed, other, outside).margin;
    if (from) return {std::max(range_.lower, outside + 1 - margin), range_.upper};
    return {range_.lower, std::min(range_.upper, outside - 1 + margin)};
  }

  // Where it is not known it may.
  bool may_hold(ExprState* condition, std::int64_t moment) {
    CHECK_FOR_INTERRUPTS();
    row_->tts_values[column_ - 1] = TimestampGetDatum(moment);
    row_->tts_isnull[column_ - 1] = false;
    bool is_null;
    const Datum value = ExecEvalExprSwitchContext(condition, context_, &is_null);
    ResetExprContext(context_);
    return is_null || DatumGetBool(value);
  }

  bool is_so(Node* condition, bool negated) {
    bool is_null;
    ExprState* const state = ExecPrepareExpr(reinterpret_cast<Expr*>(condition), estate_);
    const Datum value = ExecEvalExprSwitchContext(state, context_, &is_null);
    return !is_null && DatumGetBool(value) != negated;
  }

  // With what reads no row as it is now.
  static Node* known(Node* node, void* self) {
    if (node == nullptr) return nullptr;
    if (IsA(node, Const) || IsA(node, List) || contain_var_clause(node)) return pg::mutate(node, known, self);
    return static_cast<Narrowing*>(self)->now(node);
  }

  Node* now(Node* node) {
    int16 length;
    bool by_value, is_null;
    get_typlenbyval(exprType(node), &length, &by_value);
    ExprState* const state = ExecPrepareExpr(reinterpret_cast<Expr*>(node), estate_);
    const Datum value = ExecEvalExprSwitchContext(state, context_, &is_null);
    const Datum copy = is_null ? Datum{0} : datumCopy(value, by_value, length);
    return reinterpret_cast<Node*>(
        makeConst(exprType(node), exprTypmod(node), exprCollation(node), length, copy, is_null, by_value));
  }

  Left range_;
  AttrNumber column_;
  TupleTableSlot* row_;
  EState* estate_;
  ExprContext* context_;
};

}  // namespace

void narrow_at_start(Cells* cells, List* conditions, AttrNumber column, TupleTableSlot* row, EState* estate) {
  if (conditions == NIL || !is_timestamp(cells->type)) return;
  Narrowing narrowing({DatumGetTimestamp(cells->lower), DatumGetTimestamp(cells->upper)}, column, row, estate);
  const Left left = narrowing.left_by(reinterpret_cast<Node*>(make_ands_explicit(conditions)));
  cells->lower = TimestampGetDatum(left.lower);
  cells->upper = TimestampGetDatum(left.upper);
}

}  // namespace dp::guard
