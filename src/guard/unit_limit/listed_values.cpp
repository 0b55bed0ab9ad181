#include "guard/unit_limit/listed_values.h"

#include <algorithm>

namespace dp::guard {
namespace {

Node* node(void* any) { return static_cast<Node*>(any); }

Node* without_relabels(Node* expression) {
  while (expression != nullptr && IsA(expression, RelabelType))
    expression = node(castNode(RelabelType, expression)->arg);
  return expression;
}

bool reads_no_row(Node* expression) {
  return !contain_var_clause(expression) && !contain_volatile_functions(expression) && !contain_subplans(expression);
}

class Counted {
 public:
  Counted(const Aggref* aggregate, const List* values)
      : values_(values),
        value_(without_relabels(node(linitial_node(TargetEntry, aggregate->args)->expr))),
        collation_(aggregate->inputcollid),
        family_(lookup_type_cache(exprType(node(linitial_node(TargetEntry, aggregate->args)->expr)),
                                  TYPECACHE_BTREE_OPFAMILY)
                    ->btree_opf) {}

  // How many of its values the condition lets through; 0: that is not known.
  int listed_by(Node* condition) const {
    if (condition == nullptr) return 0;
    if (IsA(condition, List)) return least_of(reinterpret_cast<List*>(condition));
    if (is_andclause(condition)) return least_of(castNode(BoolExpr, condition)->args);
    if (is_orclause(condition)) return sum_of(castNode(BoolExpr, condition)->args);
    if (IsA(condition, ScalarArrayOpExpr)) return of_list(castNode(ScalarArrayOpExpr, condition));
    if (IsA(condition, OpExpr)) return of_comparison(castNode(OpExpr, condition));
    return 0;
  }

 private:
  int least_of(const List* conditions) const {
    int least = 0;
    ListCell* cell;
    foreach (cell, conditions) {
      const int listed = listed_by(node(lfirst(cell)));
      if (listed > 0 && (least == 0 || listed < least)) least = listed;
    }
    return least;
  }

  int sum_of(const List* conditions) const {
    int sum = 0;
    ListCell* cell;
    foreach (cell, conditions) {
      const int listed = listed_by(node(lfirst(cell)));
      if (listed == 0) return 0;
      sum += listed;
    }
    return sum;
  }

  bool is_value(void* expression) const { return equal(without_relabels(node(expression)), value_); }

  // Equality of one operator family holds through: what equals one constant is one value, of whichever type that is.
  bool is_equality(Oid op, Oid collation) const {
    return collation == collation_ && get_op_opfamily_strategy(op, family_) == BTEqualStrategyNumber;
  }

  int of_list(const ScalarArrayOpExpr* any) const {
    if (!any->useOr || !is_equality(any->opno, any->inputcollid) || !is_value(linitial(any->args))) return 0;
    Node* const values = node(lsecond(any->args));
    if (IsA(values, Const)) {
      const auto* const array = castNode(Const, values);
      if (array->constisnull) return 0;
      const ArrayType* const listed = DatumGetArrayTypeP(array->constvalue);
      return ArrayGetNItems(ARR_NDIM(listed), ARR_DIMS(listed));
    }
    // A list of parameters is one parameter of the inner query.
    const auto* const list = reinterpret_cast<const ArrayExpr*>(meant_by(values));
    if (!IsA(list, ArrayExpr) || list->multidims) return 0;
    return reads_no_row(node(list->elements)) ? list_length(list->elements) : 0;
  }

  Node* meant_by(Node* expression) const {
    if (!IsA(expression, Param) || castNode(Param, expression)->paramkind != PARAM_EXTERN) return expression;
    const int number = castNode(Param, expression)->paramid;
    return number <= list_length(values_) ? node(list_nth(values_, number - 1)) : expression;
  }

  int of_comparison(const OpExpr* op) const {
    if (list_length(op->args) != 2 || !is_equality(op->opno, op->inputcollid)) return 0;
    const auto is_one = [this](void* value, void* other) { return is_value(value) && reads_no_row(node(other)); };
    return is_one(linitial(op->args), lsecond(op->args)) || is_one(lsecond(op->args), linitial(op->args)) ? 1 : 0;
  }

  const List* values_;
  Node* value_;
  Oid collation_;
  Oid family_;
};

}  // namespace

int most_distinct(const Aggref* aggregate, Node* conditions, const List* values) {
  // Different parameters would be different values.
  if (aggregate->aggdistinct == NIL || !reads_no_row(node(list_copy_tail(aggregate->args, 1)))) return 0;
  const Counted counted(aggregate, values);
  const int by_filter = counted.listed_by(node(aggregate->aggfilter));
  const int by_conditions = counted.listed_by(conditions);
  if (by_filter > 0 && by_conditions > 0) return std::min(by_filter, by_conditions);
  const int listed = std::max(by_filter, by_conditions);
  return listed == 0 && exprType(node(linitial_node(TargetEntry, aggregate->args)->expr)) == BOOLOID ? 2 : listed;
}

List* most_distinct(const Query* inner_query, int count_column, const List* values) {
  List* most = NIL;
  bool any = false;
  ListCell* cell;
  foreach (cell, inner_query->targetList) {
    const auto* const entry = lfirst_node(TargetEntry, cell);
    if (!IsA(entry->expr, Aggref) || entry->resno == count_column) continue;
    most = lappend_int(most, most_distinct(castNode(Aggref, entry->expr), inner_query->jointree->quals, values));
    any = any || llast_int(most) > 0;
  }
  return any ? most : NIL;
}

const char* distinct_text(const InnerQuery& inner_query) {
  StringInfoData text;
  initStringInfo(&text);
  ListCell *most, *name;
  forboth(most, inner_query.distinct, name, inner_query.aggregates) {
    const int values = lfirst_int(most);
    if (values > 0 && static_cast<std::uint32_t>(values) < inner_query.unit.rows_per_group)
      appendStringInfo(&text, "; %s: %d value%s at most", strVal(lfirst(name)), values, values == 1 ? "" : "s");
  }
  return text.data;
}

}  // namespace dp::guard
