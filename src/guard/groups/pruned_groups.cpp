#include "guard/groups/pruned_groups.h"

#include <algorithm>
#include <iterator>

#include "budget/catalog/unique_indexes.h"
#include "guard/forms/one_case.h"
#include "guard/functions/called_functions.h"
#include "guard/functions/meaning.h"
#include "guard/groups/key_steps.h"
#include "guard/relations/joins.h"
#include "guard/relations/nulls.h"
#include "guard/tree/columns.h"
#include "pg/joins.h"
#include "pg/nodes.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// ---- conditions made of keys --------------------------------------------------------------------------------------

struct Substitution {
  List* keys;
  List* used = NIL;    // their numbers
  bool fails = false;  // something other than a key reads a row
};

Node* as_text(Node* value) {
  return reinterpret_cast<Node*>(
      makeRelabelType(reinterpret_cast<Expr*>(value), TEXTOID, -1, exprCollation(value), COERCE_IMPLICIT_CAST));
}

// A key that is compared in another form than it is shown in (lower(x::text) of a citext) is that form under a cast.
bool has_own_form(Node* key) {
  return IsA(key, RelabelType) && exprType(key) >= FirstNormalObjectId &&
         IsA(castNode(RelabelType, key)->arg, FuncExpr) &&
         castNode(FuncExpr, castNode(RelabelType, key)->arg)->funcid == kLower;
}

Node* compared_form(Node* key) {
  return has_own_form(key) ? reinterpret_cast<Node*>(castNode(RelabelType, key)->arg) : key;
}

Node* shown_column(List* keys, int number) {
  auto* const key = static_cast<Node*>(list_nth(keys, number - 1));
  return reinterpret_cast<Node*>(column_showing(1, number, key));
}

// What a condition asks of the key of that number, over the values that groups show.
Node* key_column(List* keys, int number) {
  auto* const key = static_cast<Node*>(list_nth(keys, number - 1));
  Node* const shown = shown_column(keys, number);
  if (!has_own_form(key)) return shown;
  auto* const form = castNode(FuncExpr, copyObjectImpl(compared_form(key)));
  form->args = list_make1(as_text(shown));
  return reinterpret_cast<Node*>(form);
}

// The number of the key whose text the node is; 0 where it is none.
int number_of_text(Node* node, List* keys) {
  ListCell* cell;
  foreach (cell, keys) {
    auto* const key = static_cast<Node*>(lfirst(cell));
    if (has_own_form(key) && equal(linitial(castNode(FuncExpr, compared_form(key))->args), node))
      return foreach_current_index(cell) + 1;
  }
  return 0;
}

// The number of the key that the node is; 0 where it is none. A constant among the keys says nothing of rows.
int number_of_key(Node* node, List* keys) {
  ListCell* cell;
  foreach (cell, keys) {
    auto* const key = static_cast<Node*>(lfirst(cell));
    if (contain_var_clause(key) && equal(compared_form(key), node)) return foreach_current_index(cell) + 1;
  }
  return 0;
}

// Whether equal values of a key may be told apart, by another function than a comparison: 1.0 and 1.00.
bool has_forms(Node* key) { return !budget::equals_have_same_bytes(exprType(key), exprCollation(key)); }

bool reads_row(Node* node) { return contain_var_clause(node); }

Node* substitute(Node* node, void* opaque) {
  if (node == nullptr) return nullptr;
  auto* const here = static_cast<Substitution*>(opaque);
  if (const int number = number_of_key(node, here->keys); number > 0) {
    here->fails = here->fails || has_forms(node);
    here->used = list_append_unique_int(here->used, number);
    return key_column(here->keys, number);
  }
  if (IsA(node, OpExpr) && is_match_ignoring_case(node)) {
    auto* const match = castNode(OpExpr, node);
    const int number = number_of_text(static_cast<Node*>(linitial(match->args)), here->keys);
    if (number > 0 && !reads_row(static_cast<Node*>(lsecond(match->args)))) {
      auto* const copy = static_cast<OpExpr*>(copyObjectImpl(match));
      linitial(copy->args) = as_text(shown_column(here->keys, number));
      here->used = list_append_unique_int(here->used, number);
      return reinterpret_cast<Node*>(copy);
    }
  }
  // A comparison with a known value gives the same for every form of an equal key.
  if (IsA(node, OpExpr) && list_length(castNode(OpExpr, node)->args) == 2 &&
      pg::is_comparison(castNode(OpExpr, node)->opno)) {
    for (int side = 0; side < 2; ++side) {
      auto* const key = static_cast<Node*>(list_nth(castNode(OpExpr, node)->args, side));
      const int number = number_of_key(key, here->keys);
      if (number == 0 || reads_row(static_cast<Node*>(list_nth(castNode(OpExpr, node)->args, 1 - side)))) continue;
      auto* const comparison = static_cast<OpExpr*>(copyObjectImpl(node));
      list_nth_cell(comparison->args, side)->ptr_value = key_column(here->keys, number);
      here->used = list_append_unique_int(here->used, number);
      return reinterpret_cast<Node*>(comparison);
    }
  }
  // Executor parameters get their values only while the plan runs.
  if (IsA(node, Var) || (IsA(node, Param) && castNode(Param, node)->paramkind != PARAM_EXTERN)) here->fails = true;
  return here->fails ? node : pg::mutate(node, substitute, opaque);
}

// ---- ranges of a column that a key goes up with -------------------------------------------------------------------

// date_trunc of what has no time zone: the result is of the argument's type and not above it.
bool is_start(const FuncExpr* call) {
  if (meaning_of(call->funcid) != Meaning::date_trunc || list_length(call->args) != 2) return false;
  const Oid type = exprType(static_cast<Node*>(lsecond(call->args)));
  return call->funcresulttype == type && (type == TIMESTAMPOID || type == DATEOID);
}

bool casts(const FuncExpr* call, Oid from, Oid to) {
  return call->funcresulttype == to && list_length(call->args) == 1 && meaning_of(call->funcid) == Meaning::cast &&
         exprType(static_cast<Node*>(linitial(call->args))) == from;
}

bool is_midnight(const FuncExpr* call) { return casts(call, DATEOID, TIMESTAMPOID); }

// A cast that never goes down where its argument goes up.
bool is_rising_cast(const FuncExpr* call) {
  return is_midnight(call) || casts(call, TIMESTAMPOID, DATEOID) || casts(call, INT2OID, INT4OID) ||
         casts(call, INT2OID, INT8OID) || casts(call, INT4OID, INT8OID);
}

// The constant divisor of a division of whole numbers, which cuts towards zero; 0 for other calls.
std::int64_t divisor_of(const OpExpr* op) {
  const auto* const divisor = IsA(lsecond(op->args), Const) ? castNode(Const, lsecond(op->args)) : nullptr;
  const bool divides = meaning_of(get_opcode(op->opno)) == Meaning::divide && is_discrete(op->opresulttype);
  if (!divides || divisor == nullptr || divisor->constisnull) return 0;
  switch (divisor->consttype) {
    case INT2OID:
      return DatumGetInt16(divisor->constvalue);
    case INT4OID:
      return DatumGetInt32(divisor->constvalue);
    default:
      return DatumGetInt64(divisor->constvalue);
  }
}

// The argument that a rising call follows; nullptr for another node.
Node* followed(Node* node) {
  if (IsA(node, OpExpr) && list_length(castNode(OpExpr, node)->args) == 2 && divisor_of(castNode(OpExpr, node)) > 0) {
    return static_cast<Node*>(linitial(castNode(OpExpr, node)->args));
  }
  if (!IsA(node, FuncExpr)) return nullptr;
  const auto* const call = castNode(FuncExpr, node);
  if (is_start(call)) return IsA(linitial(call->args), Const) ? static_cast<Node*>(lsecond(call->args)) : nullptr;
  return is_rising_cast(call) ? static_cast<Node*>(linitial(call->args)) : nullptr;
}

bool rises_with(Node* key, const Var* column) {
  while (key != nullptr && !IsA(key, Var)) key = followed(key);
  return key != nullptr && equal(key, column);
}

struct Replacement {
  const Var* column;
  Node* value;
};

Node* replace(Node* node, void* opaque) {
  if (node == nullptr) return nullptr;
  const auto* const here = static_cast<Replacement*>(opaque);
  if (equal(node, here->column)) return static_cast<Node*>(copyObjectImpl(here->value));
  return pg::mutate(node, replace, opaque);
}

Node* compare(Node* left, StrategyNumber comparison, Node* right) {
  const Oid type = exprType(left);
  const TypeCacheEntry* const order = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY);
  const Oid op = get_opfamily_member(order->btree_opf, order->btree_opintype, order->btree_opintype, comparison);
  return reinterpret_cast<Node*>(make_opclause(op, BOOLOID, false, reinterpret_cast<Expr*>(left),
                                               reinterpret_cast<Expr*>(right), InvalidOid, exprCollation(left)));
}

Node* both(Node* one, Node* other) {
  return reinterpret_cast<Node*>(makeBoolExpr(AND_EXPR, list_make2(one, other), -1));
}

// For a condition `column < bound`: an expression that is true where the bound's own group begins with the bound, so
// that no row below the bound is in that group. nullptr where that cannot be said of the key. `bounded`: the key of the
// bound.
Node* begins_at(Node* key, Node* column, Node* bounded, const Var* of, Node* bound) {
  if (IsA(key, FuncExpr) && is_start(castNode(FuncExpr, key))) {
    Node* const inner = followed(key);
    if (!IsA(inner, Var) && !(IsA(inner, FuncExpr) && is_midnight(castNode(FuncExpr, inner)))) return nullptr;
    Replacement to_bound{of, bound};
    return compare(column, BTGreaterEqualStrategyNumber, replace(inner, &to_bound));
  }
  if (!IsA(key, OpExpr) || !IsA(followed(key), Var)) return nullptr;
  const auto* const division = castNode(OpExpr, key);
  const Oid type = exprType(bound);
  if (exprType(static_cast<Node*>(lsecond(division->args))) != type || division->opresulttype != type) return nullptr;
  const auto pg_catalog = [](const char* name) {
    return list_make2(makeString(pstrdup("pg_catalog")), makeString(pstrdup(name)));
  };
  const Oid remainder = OpernameGetOprid(pg_catalog("%"), type, type);
  auto* const zero =
      reinterpret_cast<Node*>(makeConst(type, -1, InvalidOid, get_typlen(type), Int64GetDatum(0), false, true));
  auto* const rest =
      reinterpret_cast<Node*>(make_opclause(remainder, type, false, reinterpret_cast<Expr*>(bound),
                                            static_cast<Expr*>(lsecond(division->args)), InvalidOid, InvalidOid));
  return both(compare(column, BTEqualStrategyNumber, bounded),
              both(compare(rest, BTEqualStrategyNumber, zero), compare(bound, BTGreaterStrategyNumber, zero)));
}

StrategyNumber strategy_of(const OpExpr* op, Oid type) {
  const TypeCacheEntry* const order = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY);
  return static_cast<StrategyNumber>(get_op_opfamily_strategy(op->opno, order->btree_opf));
}

class Collector {
 public:
  Collector(List* keys, const JoinExpr* shows_all) : keys_(keys), shows_all_(shows_all) {}

  // The conditions that hold for all rows that reach the aggregates. Those of left joins do not: they keep rows without
  // a partner.
  List* collect(const Query* inner_query) {
    ListCell *table, *item;
    foreach (item, inner_query->jointree->fromlist) add_tree(static_cast<Node*>(lfirst(item)));
    add(inner_query->jointree->quals);
    foreach (table, inner_query->rtable) {
      const int number = foreach_current_index(table) + 1;
      const auto* const entry = lfirst_node(RangeTblEntry, table);
      if (entry->securityQuals == NIL) continue;
      if (!may_be_missing(static_cast<Node*>(linitial(inner_query->jointree->fromlist)), number)) {
        add(reinterpret_cast<Node*>(entry->securityQuals));
      }
    }
    return found_;
  }

 private:
  void add_tree(Node* tree) {
    if (!IsA(tree, JoinExpr)) return;
    const auto* const join = castNode(JoinExpr, tree);
    add_tree(join->larg);
    if (join->jointype != JOIN_INNER) return;
    add_tree(join->rarg);
    if (join != shows_all_) add(join->quals);
  }

  void add(Node* condition) {
    if (condition == nullptr) return;
    if (IsA(condition, List) || is_andclause(condition)) {
      ListCell* cell;
      foreach (cell, IsA(condition, List) ? castNode(List, condition) : castNode(BoolExpr, condition)->args) {
        add(static_cast<Node*>(lfirst(cell)));
      }
      return;
    }
    Substitution substitution{keys_};
    Node* const over_keys = substitute(condition, &substitution);
    if (!substitution.fails && substitution.used != NIL) {
      keep(substitution.used, over_keys);
    } else if (IsA(condition, OpExpr) && list_length(castNode(OpExpr, condition)->args) == 2) {
      add_range(castNode(OpExpr, condition));
    }
  }

  void keep(List* keys, Node* condition) {
    found_ = lappend(found_, list_make2(keys, expression_planner(reinterpret_cast<Expr*>(condition))));
  }

  // column < value, value < column, and so on.
  void add_range(OpExpr* op) {
    for (int side = 0; side < 2; ++side) {
      auto* const column = static_cast<Node*>(list_nth(op->args, side));
      auto* const value = static_cast<Node*>(list_nth(op->args, 1 - side));
      if (!IsA(column, Var) || reads_row(value) || exprType(column) != exprType(value)) continue;
      const StrategyNumber strategy = strategy_of(op, exprType(column));
      if (strategy == InvalidStrategy) return;
      ListCell* cell;
      foreach (cell, keys_) {
        auto* const key = static_cast<Node*>(lfirst(cell));
        if (!rises_with(key, castNode(Var, column)) || IsA(key, Var)) continue;
        // btree strategies run from < (1) to > (5), so 6 - strategy is the comparison with its sides exchanged.
        add_bound(foreach_current_index(cell) + 1, key, castNode(Var, column), value,
                  side == 0 ? strategy : static_cast<StrategyNumber>(6 - strategy));
      }
    }
  }

  void add_bound(int number, Node* key, const Var* of, Node* value, StrategyNumber strategy) {
    Replacement to_value{of, value};
    Node* const bounded = replace(key, &to_value);
    Node* const column = key_column(keys_, number);
    if (strategy >= BTEqualStrategyNumber) exclude(number, compare(column, BTLessStrategyNumber, bounded));
    if (strategy <= BTEqualStrategyNumber) exclude(number, compare(column, BTGreaterStrategyNumber, bounded));
    if (strategy == BTLessStrategyNumber) {
      if (Node* const begins = begins_at(key, column, bounded, of, value)) exclude(number, begins);
    }
    // The condition excludes NULL in the column, and so in the key.
    if (keeps_values(key)) {
      Node* const known = pg::is_not_null(column);
      keep(list_make1_int(number), known);
    }
  }

  // Where it is not known, the group stays.
  void exclude(int number, Node* condition) {
    auto* const test = makeNode(BooleanTest);
    test->arg = static_cast<Expr*>(copyObjectImpl(condition));
    test->booltesttype = IS_NOT_TRUE;
    test->location = -1;
    keep(list_make1_int(number), reinterpret_cast<Node*>(test));
  }

  List* keys_;
  const JoinExpr* shows_all_;
  List* found_ = NIL;
};

}  // namespace

bool is_made_of_keys(Node* condition, List* keys) {
  Substitution substitution{keys};
  substitute(condition, &substitution);
  return !substitution.fails && substitution.used != NIL;
}

List* conditions_on_keys(const Query* inner_query, List* keys, const JoinExpr* shows_all) {
  return Collector(keys, shows_all).collect(inner_query);
}

}  // namespace dp::guard
