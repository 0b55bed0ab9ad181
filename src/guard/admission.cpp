#include "guard/admission.h"

#include "guard/expression_size.h"
#include "guard/plain_types.h"
#include "guard/refusal.h"
#include "guard/total_functions.h"

namespace dp::guard {
namespace {

struct Context {
  const char* place;
  List** constants;
};

bool reads_outside(Node* node, void*) {
  if (node == nullptr) return false;
  if (IsA(node, Var)) return castNode(Var, node)->varlevelsup > 0;
  if (IsA(node, Aggref) && castNode(Aggref, node)->agglevelsup > 0) return true;
  if (IsA(node, GroupingFunc) && castNode(GroupingFunc, node)->agglevelsup > 0) return true;
  return expression_tree_walker(node, reinterpret_cast<bool (*)()>(reads_outside), nullptr);
}

// What is refused with the same words wherever it stands.
void check_whole(Node* expression, const char* place) {
  if (const ExpressionSize size = size_of(expression); size.too_large()) refuse_size(size, place, exprLocation(expression));
  if (checkExprHasSubLink(expression)) {
    DP_REFUSE(
        exprLocation(expression), errmsg("%s of a private query must not hold a subquery", place),
        errhint("Write the condition on the protected table itself, or join a public table on its key; compare answers outside."));
  }
  if (reads_outside(expression, nullptr)) {
    DP_REFUSE(exprLocation(expression), errmsg("%s of a private query must not refer to an outer query", place),
              errhint("Ask once with GROUP BY, and join the answers: ... JOIN (SELECT k, dp_count('*', 0.5) FROM t GROUP BY k) "
                      "AS answers USING (k)."));
  }
  if (contain_volatile_functions(expression)) {
    DP_REFUSE(exprLocation(expression), errmsg("%s of a private query must not call volatile functions", place),
              errhint("Use functions whose result depends on the row alone."));
  }
}

// ---- parts that read no row --------------------------------------------------------------------------------------------

// Built-in functions and ours only, and those not immutable over plain values only: what a user wrote could tell by a notice or a
// write that it was reached, and some of PostgreSQL's own read tables.
bool is_harmless(Oid function, void*) {
  if (function >= FirstGenbkiObjectId) {
    return getExtensionOfObject(ProcedureRelationId, function) == get_extension_oid("pg_dp", true);
  }
  if (func_volatile(function) == PROVOLATILE_IMMUTABLE) return true;
  Oid* types;
  int count;
  bool plain = is_plain(get_func_signature(function, &types, &count));
  for (int i = 0; i < count; ++i) plain = plain && is_plain(types[i]);
  return plain;
}

bool is_harmful(Oid function, void* context) { return !is_harmless(function, context); }

// Kinds of nodes that run no code but the functions that check_functions_in_node knows. A domain, for one, has
// conditions of its own.
bool is_known_kind(const Node* node) {
  switch (nodeTag(node)) {
    case T_List:
    case T_Const:
    case T_Param:
    case T_FuncExpr:
    case T_OpExpr:
    case T_DistinctExpr:
    case T_NullIfExpr:
    case T_ScalarArrayOpExpr:
    case T_BoolExpr:
    case T_RelabelType:
    case T_CoerceViaIO:
    case T_ArrayCoerceExpr:
    case T_CollateExpr:
    case T_CaseExpr:
    case T_CaseWhen:
    case T_CaseTestExpr:
    case T_ArrayExpr:
    case T_CoalesceExpr:
    case T_MinMaxExpr:
    case T_SQLValueFunction:
    case T_NullTest:
    case T_BooleanTest:
    case T_SubscriptingRef:
      return true;
    default:
      return false;
  }
}

bool calls_harmful(Node* node, void* context) {
  if (node == nullptr) return false;
  if (!is_known_kind(node)) return true;
  // The constructors of dp_mechanism and the like are ours; their constants have been read already.
  if (check_functions_in_node(node, is_harmful, context)) return true;
  return expression_tree_walker(node, reinterpret_cast<bool (*)()>(calls_harmful), context);
}

void admit_constant(Node* node, const Context& context) {
  if (IsA(node, Const)) return;
  if (calls_harmful(node, nullptr)) {
    DP_REFUSE(
        exprLocation(node),
        errmsg("%s of a private query calls a function that is not built in, or a domain's conditions", context.place),
        errhint("Compute the value before, and give it as a constant or a parameter ($1)."));
  }
  *context.constants = lappend(*context.constants, expression_planner(static_cast<Expr*>(copyObjectImpl(node))));
}

// ---- parts that read rows ---------------------------------------------------------------------------------------------

void require_total(Oid function, List* arguments, Node* node, const Context& context) {
  const Verdict verdict = judge_call(function, arguments);
  if (verdict.obstacle == nullptr) return;
  DP_REFUSE(exprLocation(node),
            errmsg("%s of a private query calls %s: %s", context.place, format_procedure(function), verdict.obstacle),
            verdict.hint != nullptr ? errhint("%s", verdict.hint) : 0);
}

void require_deterministic(Oid collation, Node* node, const Context& context) {
  if (!OidIsValid(collation)) return;
  // One that cannot be opened, or that warns of its version, does so now rather than at the first row.
  if (!lc_collate_is_c(collation)) pg_newlocale_from_collation(collation);
  if (get_collation_isdeterministic(collation)) return;
  DP_REFUSE(exprLocation(node), errmsg("%s of a private query uses the nondeterministic collation %s", context.place,
                                       quote_identifier(get_collation_name(collation))),
            errhint("Add COLLATE \"C\" to the expression."));
}

// Whether the node has a collation for its arguments.
bool is_collating(Node* node) {
  switch (nodeTag(node)) {
    case T_Aggref:
    case T_FuncExpr:
    case T_OpExpr:
    case T_DistinctExpr:
    case T_NullIfExpr:
    case T_ScalarArrayOpExpr:
    case T_MinMaxExpr:
      return true;
    default:
      return false;
  }
}

// Whether the node, or one of those in the list, is a text or the like.
bool is_collatable(Node* node, void*) {
  if (node == nullptr || IsA(node, SortGroupClause)) return false;
  if (IsA(node, List)) return expression_tree_walker(node, reinterpret_cast<bool (*)()>(is_collatable), nullptr);
  if (IsA(node, TargetEntry)) return is_collatable(reinterpret_cast<Node*>(castNode(TargetEntry, node)->expr), nullptr);
  return type_is_collatable(exprType(node));
}

// Under a nondeterministic collation different texts are equal, and a group shows one of them. Two collations without one that
// is meant are an error as soon as a row gets there.
void check_collation(Node* node, const Context& context) {
  const Oid of_result = exprCollation(node), of_arguments = exprInputCollation(node);
  require_deterministic(of_result, node, context);
  require_deterministic(of_arguments, node, context);
  const bool compares = is_collating(node) && !OidIsValid(of_arguments) &&
                        expression_tree_walker(node, reinterpret_cast<bool (*)()>(is_collatable), nullptr);
  if (!compares && (OidIsValid(of_result) || !type_is_collatable(exprType(node)))) return;
  DP_REFUSE(exprLocation(node), errmsg("%s of a private query uses texts of two collations together", context.place),
            errhint("Add COLLATE \"C\" to one of them."));
}

// The whole row holds what nobody named; a system column tells where the row lies.
void check_column(const Var* column, const Context& context) {
  if (column->varattno > 0) return;
  if (column->varattno == 0) {
    DP_REFUSE(column->location, errmsg("%s of a private query must not use the whole row", context.place),
              errhint("Name the columns; rows are counted by dp_count('*', 0.5)."));
  }
  DP_REFUSE(column->location,
            errmsg("%s of a private query must not use the system column %s", context.place,
                   NameStr(SystemAttributeDefinition(column->varattno)->attname)),
            errhint("Use the table's own columns."));
}

// Whether a value depends on the row: on a column, or on what a CASE tests.
bool reads_row(Node* node, void*) {
  if (node == nullptr) return false;
  if (IsA(node, Var) || IsA(node, CaseTestExpr)) return true;
  return expression_tree_walker(node, reinterpret_cast<bool (*)()>(reads_row), nullptr);
}

// Values shown as text by their type's output function, which cannot fail for these.
void check_text_cast(CoerceViaIO* cast, const Context& context) {
  const Oid from = exprType(reinterpret_cast<Node*>(cast->arg));
  const bool to_text = cast->resulttype == TEXTOID || cast->resulttype == VARCHAROID || cast->resulttype == BPCHAROID;
  if (to_text && (is_plain(from) || from == UUIDOID || from == NAMEOID || type_is_enum(from))) return;
  DP_REFUSE(cast->location, errmsg("%s of a private query casts %s to %s, which can fail", context.place, format_type_be(from),
                                   format_type_be(cast->resulttype)),
            errhint("Use a cast that gives NULL instead: dp_try_int(x), dp_try_float(x), dp_try_numeric(x), dp_try_date(x)."));
}

// Arrays of arrays need equal dimensions; and of long values, an array can be too long to be held.
void check_array(const ArrayExpr* array, const Context& context) {
  if (!array->multidims && get_typlen(array->element_typeid) > 0) return;
  DP_REFUSE(array->location, errmsg("%s of a private query makes an array of values that are not of a fixed size", context.place),
            errhint("Compare them one by one: x = a OR x = b, in place of x = ANY (ARRAY[a, b])."));
}

bool admit_node(Node* node, void* opaque);

bool admit_below(Node* node, void* opaque) {
  return expression_tree_walker(node, reinterpret_cast<bool (*)()>(admit_node), opaque);
}

template <class T>
bool admit_operator(Node* node, void* opaque) {
  auto* const op = reinterpret_cast<T*>(node);
  set_opfuncid(reinterpret_cast<OpExpr*>(op));
  require_total(op->opfuncid, op->args, node, *static_cast<Context*>(opaque));
  return admit_below(node, opaque);
}

bool admit_array_operator(ScalarArrayOpExpr* op, void* opaque) {
  set_sa_opfuncid(op);
  require_total(op->opfuncid, op->args, reinterpret_cast<Node*>(op), *static_cast<Context*>(opaque));
  return admit_below(reinterpret_cast<Node*>(op), opaque);
}

bool admit_extremum(MinMaxExpr* extremum, void* opaque) {
  const TypeCacheEntry* const type = lookup_type_cache(extremum->minmaxtype, TYPECACHE_CMP_PROC);
  require_total(type->cmp_proc, extremum->args, reinterpret_cast<Node*>(extremum), *static_cast<Context*>(opaque));
  return admit_below(reinterpret_cast<Node*>(extremum), opaque);
}

[[noreturn]] void refuse_node(Node* node, const Context& context) {
  DP_REFUSE(exprLocation(node),
            errmsg("%s of a private query uses a kind of expression that is not admitted below private aggregates",
                   context.place),
            errhint("Admitted are comparisons, AND, OR, NOT, IN, BETWEEN, IS NULL, CASE, COALESCE, LIKE with a "
                    "constant pattern, and "
                    "functions that cannot fail."));
  pg_unreachable();
}

bool admit_node(Node* node, void* opaque) {
  if (node == nullptr) return false;
  const auto& context = *static_cast<Context*>(opaque);
  if (IsA(node, List) || IsA(node, TargetEntry) || IsA(node, CaseWhen)) return admit_below(node, opaque);
  if (IsA(node, CaseTestExpr) || IsA(node, SortGroupClause)) return false;
  if (!IsA(node, Aggref) && !IsA(node, GroupingFunc) && !reads_row(node, nullptr)) {
    admit_constant(node, context);
    return false;
  }
  check_collation(node, context);
  switch (nodeTag(node)) {
    case T_Var:
      check_column(castNode(Var, node), context);
      return false;
    case T_CollateExpr:  // of a column: whatever its own collation
      if (!IsA(castNode(CollateExpr, node)->arg, Var)) return admit_below(node, opaque);
      check_column(castNode(Var, castNode(CollateExpr, node)->arg), context);
      return false;
    case T_OpExpr:
    case T_DistinctExpr:
    case T_NullIfExpr:
      return admit_operator<OpExpr>(node, opaque);
    case T_ScalarArrayOpExpr:
      return admit_array_operator(castNode(ScalarArrayOpExpr, node), opaque);
    case T_FuncExpr:
      require_total(castNode(FuncExpr, node)->funcid, castNode(FuncExpr, node)->args, node, context);
      return admit_below(node, opaque);
    case T_CoerceViaIO:
      check_text_cast(castNode(CoerceViaIO, node), context);
      return admit_below(node, opaque);
    case T_MinMaxExpr:
      return admit_extremum(castNode(MinMaxExpr, node), opaque);
    case T_Aggref:  // its parameters are checked when it starts
    case T_GroupingFunc:
    case T_BoolExpr:
    case T_CaseExpr:
    case T_CoalesceExpr:
    case T_NullTest:
    case T_BooleanTest:
    case T_RelabelType:
      return admit_below(node, opaque);
    case T_ArrayExpr:
      check_array(castNode(ArrayExpr, node), context);
      return admit_below(node, opaque);
    default:
      refuse_node(node, context);
  }
}

}  // namespace

void admit(Node* expression, const char* place, List** constants) {
  if (expression == nullptr) return;
  check_whole(expression, place);
  Context context{place, constants};
  admit_node(expression, &context);
}

}  // namespace dp::guard
