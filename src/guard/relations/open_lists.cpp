#include "guard/relations/open_lists.h"

#include <algorithm>

#include "guard/relations/constant_rows.h"
#include "guard/relations/join_conditions.h"
#include "pg/errors.h"
#include "pg/functions_by_name.h"
#include "pg/nodes.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

bool reads_or_asks(Node* node, void*) {
  if (node == nullptr) return false;
  if (IsA(node, Var) || IsA(node, SubLink) || IsA(node, Aggref) || IsA(node, GroupingFunc) || IsA(node, WindowFunc))
    return true;
  if (IsA(node, Param) && castNode(Param, node)->paramkind != PARAM_EXTERN) return true;
  return pg::walk(node, reads_or_asks, nullptr);
}

Oid own_function(const char* name, std::span<const Oid> types) {
  const Oid schema = get_namespace_oid("dp_internal", false);
  return pg::function_named(name, [&](const FormData_pg_proc& function, std::span<const Oid> own) {
    return function.pronamespace == schema && std::ranges::equal(own, types);
  });
}

// dp_internal.element(array, number)
Node* element_of(Node* array, int number) {
  constexpr Oid kTypes[] = {ANYARRAYOID, INT4OID};
  auto* const place = pg::int4_constant(number);
  return reinterpret_cast<Node*>(makeFuncExpr(own_function("element", kTypes), get_element_type(exprType(array)),
                                              list_make2(copyObjectImpl(array), place), exprCollation(array),
                                              exprCollation(array), COERCE_EXPLICIT_CALL));
}

Node* null_element(FuncExpr* array) {
  return reinterpret_cast<Node*>(makeNullConst(get_element_type(array->funcresulttype), -1, array->funccollid));
}

// The first element of such an array (open_array), or NULL where NULL was taken out of it.
Node* first_or_null(Node* array) {
  auto* const all = linitial_node(FuncExpr, castNode(FuncExpr, array)->args);
  FuncExpr* const place_of_null =
      makeFuncExpr(F_ARRAY_POSITION_ANYCOMPATIBLEARRAY_ANYCOMPATIBLE, INT4OID, list_make2(all, null_element(all)),
                   InvalidOid, all->funccollid, COERCE_EXPLICIT_CALL);
  auto* const first = reinterpret_cast<Node*>(element_of(array, 1));
  return pg::case_when(pg::is_null(place_of_null), first, makeNullConst(exprType(first), -1, exprCollation(first)));
}

// In the place of a value of another name of the type.
Node* relabelled(Node* node, Oid type, Oid collation) {
  if (exprType(node) == type) return node;
  return reinterpret_cast<Node*>(
      makeRelabelType(reinterpret_cast<Expr*>(node), type, -1, collation, COERCE_IMPLICIT_CAST));
}

bool is_value(Node* node) {
  return IsA(node, Const) || (IsA(node, Param) && castNode(Param, node)->paramkind == PARAM_EXTERN);
}

bool is_equality(Oid op, Oid type) {
  const Oid family = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
  return OidIsValid(family) && get_op_opfamily_strategy(op, family) == BTEqualStrategyNumber;
}

int size_of_array(const Const* array) {
  if (array->constisnull) return 0;
  ArrayType* const value = DatumGetArrayTypeP(array->constvalue);
  return ArrayGetNItems(ARR_NDIM(value), ARR_DIMS(value));
}

// Whether a column of that table of FROM is more than compared by its type's order, or shown as it is.
bool computes_with(Node* node, void* table) {
  if (node == nullptr) return false;
  const auto is_column = [table](Node* part) {
    Node* const bare = part == nullptr ? nullptr : without_relabel(part);
    return bare != nullptr && IsA(bare, Var) && castNode(Var, bare)->varno == *static_cast<int*>(table) &&
           castNode(Var, bare)->varlevelsup == 0;
  };
  if (is_column(node)) return true;
  if (IsA(node, NullTest) && is_column(reinterpret_cast<Node*>(castNode(NullTest, node)->arg))) return false;
  if (IsA(node, TargetEntry) && is_column(reinterpret_cast<Node*>(castNode(TargetEntry, node)->expr))) return false;
  if (!IsA(node, OpExpr)) return pg::walk(node, computes_with, table);
  const auto* const op = castNode(OpExpr, node);
  ListCell* cell;
  foreach (cell, op->args) {
    auto* const argument = static_cast<Node*>(lfirst(cell));
    const bool compared =
        is_column(argument) &&
        get_op_opfamily_strategy(
            op->opno, lookup_type_cache(exprType(without_relabel(argument)), TYPECACHE_BTREE_OPFAMILY)->btree_opf) > 0;
    if (!compared && computes_with(argument, table)) return true;
  }
  return false;
}

// The same of what aggregates take. What is computed from groups is computed from the values of the list.
bool aggregates_compute_with(Node* node, void* table) {
  if (node == nullptr) return false;
  if (IsA(node, Aggref)) return pg::walk(node, computes_with, table);
  return pg::walk(node, aggregates_compute_with, table);
}

}  // namespace

bool is_known_at_start(Node* expression) {
  return !reads_or_asks(expression, nullptr) && !contain_volatile_functions(expression) &&
         !expression_returns_set(expression);
}

Node* open_array(const RangeTblEntry* entry) {
  if (entry->rtekind != RTE_FUNCTION || entry->lateral || entry->funcordinality || list_length(entry->functions) != 1)
    return nullptr;
  Node* const call = linitial_node(RangeTblFunction, entry->functions)->funcexpr;
  if (!IsA(call, FuncExpr) || !is_unnest(castNode(FuncExpr, call)) || type_is_rowtype(exprType(call))) return nullptr;
  auto* const array = static_cast<Node*>(linitial(castNode(FuncExpr, call)->args));
  if (!is_known_at_start(array) || get_element_type(exprType(array)) != exprType(call)) return nullptr;
  // What is NULL equals nothing.
  const Oid type = exprType(array), collation = exprCollation(array);
  constexpr Oid kTypes[] = {ANYARRAYOID};
  // In a database without the extension, or with an older one, nothing is asked privately; queries are looked at.
  if (!OidIsValid(get_namespace_oid("dp_internal", true))) return nullptr;
  FuncExpr* const plain = makeFuncExpr(own_function("plain_list", kTypes), type, list_make1(array), collation,
                                       collation, COERCE_EXPLICIT_CALL);
  return reinterpret_cast<Node*>(makeFuncExpr(F_ARRAY_REMOVE, type, list_make2(plain, null_element(plain)), collation,
                                              collation, COERCE_EXPLICIT_CALL));
}

Node* all_differ(List* columns) {
  constexpr Oid kTypes[] = {ANYOID};
  FuncExpr* const call =
      makeFuncExpr(own_function("all_differ", kTypes), BOOLOID, columns, InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
  return reinterpret_cast<Node*>(call);
}

Node* array_of_values(List* values, Oid element) {
  auto* const array = makeNode(ArrayExpr);
  array->array_typeid = get_array_type(element);
  array->element_typeid = element;
  array->array_collid = get_typcollation(element);
  array->location = -1;
  ListCell* cell;
  foreach (cell, values) {
    auto* const value = static_cast<Node*>(copyObjectImpl(lfirst(cell)));
    array->elements = lappend(array->elements, coerce_to_target_type(nullptr, value, exprType(value), element, -1,
                                                                     COERCION_EXPLICIT, COERCE_IMPLICIT_CAST, -1));
  }
  return reinterpret_cast<Node*>(array);
}

bool asks_how_written(const Query* level, int list) {
  const bool groups = level->hasAggs || level->groupClause != NIL;
  const auto looks = groups ? aggregates_compute_with : computes_with;
  return computes_with(level->jointree->quals, &list) ||
         pg::walk(reinterpret_cast<Node*>(level->jointree->fromlist), computes_with, &list) ||
         looks(reinterpret_cast<Node*>(level->targetList), &list) || looks(level->havingQual, &list);
}

Node* choice_of_array(const OpExpr* equality, Node* value, Node* array, bool may_miss, bool is_kept, Node** condition) {
  const Oid element = get_element_type(exprType(array)), compared = exprType(value);
  if (compared != element && !IsBinaryCoercible(compared, element)) return nullptr;
  Oid left, right;
  op_input_types(equality->opno, &left, &right);
  const Oid array_type = get_array_type(compared), collation = exprCollation(array);
  if (left != right || !OidIsValid(array_type)) return nullptr;
  Node* const list = relabelled(static_cast<Node*>(copyObjectImpl(array)), array_type, collation);
  auto* const is_one = makeNode(ScalarArrayOpExpr);
  is_one->opno = equality->opno;
  is_one->useOr = true;
  is_one->inputcollid = equality->inputcollid;
  is_one->args = list_make2(copyObjectImpl(value), list);
  is_one->location = -1;
  set_sa_opfuncid(is_one);
  if (!may_miss) *condition = reinterpret_cast<Node*>(is_one);
  const Oid shown = exprCollation(value);
  Node* const otherwise = may_miss ? reinterpret_cast<Node*>(makeNullConst(compared, -1, shown))
                          : is_kept
                              ? relabelled(first_or_null(static_cast<Node*>(copyObjectImpl(array))), compared, shown)
                              : element_of(list, 1);
  return relabelled(pg::case_when(copyObjectImpl(is_one), copyObjectImpl(value), otherwise), element, collation);
}

List* elements_chosen_from(const CaseExpr* choice) {
  if (choice->arg != nullptr || list_length(choice->args) != 1 || choice->defresult == nullptr) return NIL;
  const auto* const when = linitial_node(CaseWhen, choice->args);
  if (!IsA(when->expr, ScalarArrayOpExpr)) return NIL;
  const auto* const is_one = reinterpret_cast<const ScalarArrayOpExpr*>(when->expr);
  auto* const value = static_cast<Node*>(linitial(is_one->args));
  auto* const array = static_cast<Node*>(lsecond(is_one->args));
  // A form that is run has constants and parameters in the place of what reads no row.
  if (!is_one->useOr || !equal(when->result, value) || !is_value(array) ||
      !is_value(reinterpret_cast<Node*>(choice->defresult)) || exprType(array) != get_array_type(choice->casetype) ||
      !is_equality(is_one->opno, exprType(value)))
    return NIL;
  const int size = IsA(array, Const) ? size_of_array(castNode(Const, array)) : kMostRows;
  if (size > kMostRows) return NIL;
  List* elements = list_make1(copyObjectImpl(choice->defresult));
  for (int i = 1; i <= size; ++i) {
    auto* const either = makeNode(CoalesceExpr);
    either->coalescetype = choice->casetype;
    either->coalescecollid = choice->casecollid;
    either->args = list_make2(element_of(array, i), copyObjectImpl(choice->defresult));
    either->location = -1;
    elements = lappend(elements, either);
  }
  return elements;
}

namespace {

[[noreturn]] void refuse_list(const char* what, const char* hint) {
  ereport(ERROR, (errcode(pg::kNotAdmissible), errmsg("a list of values for protected rows %s. %s", what, hint)));
  pg_unreachable();
}

struct Elements {
  Oid type;
  Datum* values;
  bool* nulls;
  int size;
  FmgrInfo* equality;
};

// Raises DP002 for what is no plain list.
ArrayType* plain_list(Datum array_value) {
  ArrayType* const array = DatumGetArrayTypeP(array_value);
  if (ARR_NDIM(array) > 1 || (ARR_NDIM(array) == 1 && ARR_LBOUND(array)[0] != 1)) {
    refuse_list("is an array of several dimensions, or does not begin with element 1",
                "Give a plain one: ARRAY['a', 'b'].");
  }
  if (ARR_NDIM(array) == 1 && ARR_DIMS(array)[0] > kMostRows) {
    refuse_list(psprintf("has %d values, more than %d", ARR_DIMS(array)[0], kMostRows),
                "Make it a table with a unique key, and join that; or ask with x = ANY ($1).");
  }
  return array;
}

Elements elements_of(Datum array_value) {
  ArrayType* const array = plain_list(array_value);
  const Oid type = ARR_ELEMTYPE(array);
  if (ARR_NDIM(array) == 0)
    refuse_list("is empty", "Give it a value at least; where there may be none, ask with x = ANY ($1).");
  Elements elements{type, nullptr, nullptr, 0, nullptr};
  int16 length;
  bool by_value;
  char alignment;
  get_typlenbyvalalign(type, &length, &by_value, &alignment);
  deconstruct_array(array, type, length, by_value, alignment, &elements.values, &elements.nulls, &elements.size);
  elements.equality = &lookup_type_cache(type, TYPECACHE_EQ_OPR_FINFO)->eq_opr_finfo;
  if (!OidIsValid(elements.equality->fn_oid)) refuse_list("has values that no = compares", "Cast them: x::text.");
  return elements;
}

bool are_alike(const Elements* columns, int count, int one, int other) {
  for (int i = 0; i < count; ++i) {
    if (columns[i].nulls[one] || columns[i].nulls[other]) return false;
    if (!DatumGetBool(
            FunctionCall2Coll(columns[i].equality, C_COLLATION_OID, columns[i].values[one], columns[i].values[other])))
      return false;
  }
  return true;
}

const char* shown(const Elements& column, int row) {
  Oid output;
  bool is_varlena;
  getTypeOutputInfo(column.type, &output, &is_varlena);
  return OidOutputFunctionCall(output, column.values[row]);
}

}  // namespace
}  // namespace dp::guard

// dp_internal.all_differ(VARIADIC "any") -> boolean: true; raises DP002 where two rows of these columns (arrays of one
// length, of which the first says how many rows there may be) are alike.
DP_SQL_FUNCTION(dp_all_differ) {
  using namespace dp::guard;
  const int count = PG_NARGS();
  auto* const columns = static_cast<Elements*>(palloc0(sizeof(Elements) * static_cast<Size>(count)));
  for (int i = 0; i < count; ++i) {
    if (PG_ARGISNULL(i)) refuse_list("is NULL", "Give an array: ARRAY['a', 'b'].");
    // Anybody may call it.
    if (!OidIsValid(get_element_type(get_fn_expr_argtype(fcinfo->flinfo, i))))
      refuse_list("is no array", "Give one: ARRAY['a', 'b'].");
    columns[i] = elements_of(PG_GETARG_DATUM(i));
    if (columns[i].size != columns[0].size)
      refuse_list("has columns of different lengths", "Give one value for each row.");
  }
  for (int row = 0; row < columns[0].size; ++row) {
    CHECK_FOR_INTERRUPTS();
    for (int before = 0; before < row; ++before) {
      if (!are_alike(columns, count, row, before)) continue;
      refuse_list(psprintf("has %s twice in the columns by which it is joined", shown(columns[0], row)),
                  "Leave out the second, so that each row finds one at most; or ask with x = ANY ($1).");
    }
  }
  PG_RETURN_BOOL(true);
}

// dp_internal.plain_list(anyarray) -> anyarray: the same; raises DP002 for what is no list of as many values as there
// may be.
DP_SQL_FUNCTION(dp_plain_list) { PG_RETURN_ARRAYTYPE_P(dp::guard::plain_list(PG_GETARG_DATUM(0))); }

// dp_internal.element(anyarray, integer) -> anyelement: NULL where the list has no such element; raises DP002 for what
// is no list of as many values as there may be.
DP_SQL_FUNCTION(dp_element) {
  ArrayType* const array = dp::guard::plain_list(PG_GETARG_DATUM(0));
  const int number = PG_GETARG_INT32(1);
  if (ARR_NDIM(array) == 0 || number > ARR_DIMS(array)[0]) PG_RETURN_NULL();
  int16 length;
  bool by_value;
  char alignment;
  get_typlenbyvalalign(ARR_ELEMTYPE(array), &length, &by_value, &alignment);
  int subscript = number;
  bool is_null;
  const Datum element =
      array_get_element(PointerGetDatum(array), 1, &subscript, -1, length, by_value, alignment, &is_null);
  if (is_null) PG_RETURN_NULL();
  PG_RETURN_DATUM(element);
}
