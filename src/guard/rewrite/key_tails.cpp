#include "guard/rewrite/key_tails.h"

#include <algorithm>
#include <cmath>

#include "guard/facts/number_values.h"
#include "pg/joins.h"
#include "pg/nodes.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

std::optional<double> number_of(Node* node) {
  if (!IsA(node, Const) || castNode(Const, node)->constisnull || !is_number(exprType(node))) return std::nullopt;
  const auto number = as_number(exprType(node), castNode(Const, node)->constvalue);
  return number && std::isfinite(*number) ? std::optional(static_cast<double>(*number)) : std::nullopt;
}

class Tail {
 public:
  explicit Tail(const Var* column) : column_(column) {}

  double from() const { return from_; }

  // Whether the expression is the same for all values of the column beyond some.
  bool settles(Node* node) {
    if (node == nullptr) return true;
    check_stack_depth();
    switch (nodeTag(node)) {
      case T_Var:
        return !equal(node, column_);
      case T_SubLink:
        return false;
      case T_CaseExpr:
        return settles_in(castNode(CaseExpr, node));
      case T_MinMaxExpr:
        if (castNode(MinMaxExpr, node)->op == IS_LEAST && is_capped(castNode(MinMaxExpr, node)->args)) return true;
        break;
      case T_OpExpr:
      case T_ScalarArrayOpExpr:
        if (truth(node)) return true;
        break;
      default:
        break;
    }
    Tail* const self = this;
    return !pg::walk(
        node, [](Node* part, void* tail) { return !(*static_cast<Tail* const*>(tail))->settles(part); },
        const_cast<Tail**>(&self));
  }

 private:
  // What a condition is for all greater values; nothing where that depends on something else, or is not told.
  std::optional<bool> truth(Node* node) {
    if (node == nullptr) return std::nullopt;
    if (is_notclause(node)) {
      const auto other = truth(reinterpret_cast<Node*>(get_notclausearg(node)));
      return other ? std::optional(!*other) : std::nullopt;
    }
    if (IsA(node, BoolExpr)) return truth_of_all(castNode(BoolExpr, node));
    if (IsA(node, ScalarArrayOpExpr)) return truth_of_list(castNode(ScalarArrayOpExpr, node));
    if (!IsA(node, OpExpr) || list_length(castNode(OpExpr, node)->args) != 2) return std::nullopt;
    const auto* const op = castNode(OpExpr, node);
    auto* left = static_cast<Node*>(linitial(op->args));
    auto* right = static_cast<Node*>(lsecond(op->args));
    const bool mirrored = number_of(left).has_value();
    if (mirrored) std::swap(left, right);
    const auto bound = number_of(right);
    const int strategy = pg::range_of(op->opno, mirrored);
    if (!bound || strategy == 0 || !is_column(left)) return std::nullopt;
    from_ = std::max(from_, *bound);
    return strategy > BTEqualStrategyNumber;
  }

  std::optional<bool> truth_of_all(const BoolExpr* all) {
    const bool decides = all->boolop == OR_EXPR;
    bool known = true;
    ListCell* cell;
    foreach (cell, all->args) {
      const auto one = truth(static_cast<Node*>(lfirst(cell)));
      if (one && *one == decides) return decides;
      known = known && one;
    }
    return known ? std::optional(!decides) : std::nullopt;
  }

  // n IN (1, 2, 3)
  std::optional<bool> truth_of_list(const ScalarArrayOpExpr* any) {
    auto* const array = static_cast<Node*>(lsecond(any->args));
    if (!any->useOr || !IsA(array, Const) || castNode(Const, array)->constisnull ||
        pg::range_of(any->opno, false) != BTEqualStrategyNumber || !is_column(static_cast<Node*>(linitial(any->args))))
      return std::nullopt;
    ListCell* cell;
    foreach (cell, pg::elements_of(castNode(Const, array))) {
      const auto element = number_of(static_cast<Node*>(lfirst(cell)));
      if (!element) return std::nullopt;
      from_ = std::max(from_, *element);
    }
    return false;
  }

  // The column, as a number of another type perhaps, or another number where it is NULL.
  bool is_column(Node* node) {
    if (IsA(node, RelabelType)) return is_column(reinterpret_cast<Node*>(castNode(RelabelType, node)->arg));
    if (IsA(node, CoalesceExpr)) {
      const List* const args = castNode(CoalesceExpr, node)->args;
      return list_length(args) == 2 && is_column(static_cast<Node*>(linitial(args))) &&
             number_of(static_cast<Node*>(lsecond(args)));
    }
    if (IsA(node, FuncExpr)) {
      const auto* const cast = castNode(FuncExpr, node);
      return cast->funcformat != COERCE_EXPLICIT_CALL && list_length(cast->args) == 1 &&
             is_number(cast->funcresulttype) && is_column(static_cast<Node*>(linitial(cast->args)));
    }
    return equal(node, column_);
  }

  // LEAST(n, 10)
  bool is_capped(List* args) {
    std::optional<double> cap;
    ListCell* cell;
    foreach (cell, args) {
      auto* const node = static_cast<Node*>(lfirst(cell));
      if (const auto number = number_of(node)) {
        cap = cap ? std::min(*cap, *number) : *number;
      } else if (!is_column(node) && !settles(node)) {
        return false;
      }
    }
    if (!cap) return false;
    from_ = std::max(from_, *cap);
    return true;
  }

  bool settles_in(const CaseExpr* choice) {
    if (choice->arg != nullptr && !settles(reinterpret_cast<Node*>(choice->arg))) return settles_by_values(choice);
    ListCell* cell;
    foreach (cell, choice->args) {
      const auto* const when = lfirst_node(CaseWhen, cell);
      const auto holds = choice->arg == nullptr ? truth(reinterpret_cast<Node*>(when->expr)) : std::nullopt;
      if (!holds && !settles(reinterpret_cast<Node*>(when->expr))) return false;
      if (holds.value_or(true) && !settles(reinterpret_cast<Node*>(when->result))) return false;
      if (holds.value_or(false)) return true;
    }
    return settles(reinterpret_cast<Node*>(choice->defresult));
  }

  // CASE n WHEN 1 THEN ...: beyond all of these it is none of them.
  bool settles_by_values(const CaseExpr* choice) {
    if (!is_column(reinterpret_cast<Node*>(choice->arg))) return false;
    ListCell* cell;
    foreach (cell, choice->args) {
      auto* const compared = reinterpret_cast<Node*>(lfirst_node(CaseWhen, cell)->expr);
      if (!IsA(compared, OpExpr) || list_length(castNode(OpExpr, compared)->args) != 2 ||
          pg::range_of(castNode(OpExpr, compared)->opno, false) != BTEqualStrategyNumber)
        return false;
      const auto value = number_of(static_cast<Node*>(lsecond(castNode(OpExpr, compared)->args)));
      if (!value) return false;
      from_ = std::max(from_, *value);
    }
    return settles(reinterpret_cast<Node*>(choice->defresult));
  }

  const Var* column_;
  double from_ = 0;
};

}  // namespace

std::optional<double> settled_from(Node* key, const Var* column) {
  Tail tail(column);
  if (!tail.settles(key)) return std::nullopt;
  return std::floor(tail.from()) + 1;
}

}  // namespace dp::guard
