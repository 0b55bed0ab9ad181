#include "guard/admission/admission.h"

#include "guard/admission/expression_size.h"
#include "guard/admission/growth.h"
#include "guard/admission/objects.h"
#include "guard/admission/plain_types.h"
#include "guard/admission/refusal.h"
#include "guard/admission/values.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

struct Context {
  const char* place;
  InnerQuery* what;
  List* failing;         // oid: functions that are not total
  StringInfoData calls;  // what is wrong with them
  StringInfoData hints;
  int location;  // of the first
};

bool reads_outside(Node* node, void*) {
  if (node == nullptr) return false;
  if (IsA(node, Var)) return castNode(Var, node)->varlevelsup > 0;
  if (IsA(node, Aggref) && castNode(Aggref, node)->agglevelsup > 0) return true;
  if (IsA(node, GroupingFunc) && castNode(GroupingFunc, node)->agglevelsup > 0) return true;
  return pg::walk(node, reads_outside, nullptr);
}

// Among its bounds and other parameters.
bool has_subquery_behind_value(const Aggref* call) {
  return call->args != NIL && checkExprHasSubLink(reinterpret_cast<Node*>(list_copy_tail(call->args, 1)));
}

// ---- parts that read rows -----------------------------------------------------------------------------------------

bool has_value(Node* node, void*) {
  if (node == nullptr) return false;
  if (IsA(node, Param)) return true;
  return pg::walk(node, has_value, nullptr);
}

// All functions that are not total are named in one message: otherwise whoever mends one is only told of the next.
void note_failing(Oid function, const Verdict& verdict, Node* node, Context* context) {
  if (list_member_oid(context->failing, function)) return;
  if (context->failing == NIL) {
    initStringInfo(&context->calls);
    initStringInfo(&context->hints);
    context->location = exprLocation(node);
  } else {
    appendStringInfoString(&context->calls, "; and ");
  }
  context->failing = lappend_oid(context->failing, function);
  appendStringInfo(&context->calls, "%s: %s", format_procedure(function), verdict.obstacle);
  if (verdict.hint == nullptr || strstr(context->hints.data, verdict.hint) != nullptr) return;
  appendStringInfo(&context->hints, "%s%s", context->hints.len > 0 ? " " : "", verdict.hint);
}

void refuse_failing(const Context& context) {
  if (context.failing == NIL) return;
  DP_REFUSE(context.location, errmsg("%s of a private query calls %s", context.place, context.calls.data),
            context.hints.len > 0 ? errhint("%s", context.hints.data) : 0);
}

void require_total(Oid function, List* arguments, Node* node, Context* context) {
  Verdict verdict = judge_call(function, arguments, exprInputCollation(node));
  if (verdict.obstacle == nullptr) return;
  if (has_value(reinterpret_cast<Node*>(arguments), nullptr)) {
    verdict = judge_call_with(nullptr, function, arguments, exprInputCollation(node));
    if (verdict.obstacle == nullptr) {
      List* const judged = list_make2(makeString(pstrdup(context->place)), copyObjectImpl(node));
      context->what->deferred_checks = lappend(context->what->deferred_checks, judged);
      return;
    }
  }
  note_failing(function, verdict, node, context);
}

void require_operator(Oid op, Node* node, const Context& context) {
  if (is_admitted_operator(op)) return;
  DP_REFUSE(exprLocation(node),
            errmsg("%s of a private query uses operator %s, which is not built in", context.place, format_operator(op)),
            errhint("Use PostgreSQL's own: OPERATOR(pg_catalog.=)."));
}

// The type of a call or a cast must be admitted. Other nodes have the type of one of their parts.
void require_type(Node* node, const Context& context) {
  if (is_admitted_type(exprType(node), context.what->declared)) return;
  DP_REFUSE(exprLocation(node),
            errmsg("%s of a private query uses type %s, which is neither built in nor a column's", context.place,
                   format_type_be(exprType(node))),
            errhint("Leave the value as the column has it, or cast it to a built-in type: x::text."));
}

void require_collation(Oid collation, Node* node, const Context& context) {
  if (!OidIsValid(collation)) return;
  context.what->collations = list_append_unique_oid(context.what->collations, collation);
  if (!get_collation_isdeterministic(collation)) {
    DP_REFUSE(exprLocation(node),
              errmsg("%s of a private query uses the nondeterministic collation %s", context.place,
                     quote_identifier(get_collation_name(collation))),
              errhint("Add COLLATE \"C\" to the expression: texts that differ in a byte are different ones then.%s",
                      IsA(node, Aggref) ? " How many privacy units there are say SET dp.max_rows_per_unit = 1; and "
                                          "SELECT count(*)."
                                        : ""));
  }
  if (is_admitted_collation(collation, context.what->declared)) return;
  DP_REFUSE(exprLocation(node),
            errmsg("%s of a private query uses the collation %s, which is neither built in nor a column's",
                   context.place, quote_identifier(get_collation_name(collation))),
            errhint("Add COLLATE \"C\" to the expression."));
}

// Whether the node, or one of those in the list, is a text or the like.
bool is_collatable(Node* node, void*) {
  if (node == nullptr || IsA(node, SortGroupClause)) return false;
  if (IsA(node, List)) return pg::walk(node, is_collatable, nullptr);
  if (IsA(node, TargetEntry)) return is_collatable(reinterpret_cast<Node*>(castNode(TargetEntry, node)->expr), nullptr);
  return type_is_collatable(exprType(node));
}

// Under a nondeterministic collation different texts are equal, and a group would show one of them. Where two
// collations meet and neither is explicit, PostgreSQL raises an error at the first row that is compared.
void check_collation(Node* node, const Context& context) {
  const Oid of_result = exprCollation(node), of_arguments = exprInputCollation(node);
  require_collation(of_result, node, context);
  require_collation(of_arguments, node, context);
  const bool compares =
      kind_of_node(node).collates && !OidIsValid(of_arguments) && pg::walk(node, is_collatable, nullptr);
  if (!compares && (OidIsValid(of_result) || !type_is_collatable(exprType(node)))) return;
  DP_REFUSE(exprLocation(node), errmsg("%s of a private query uses texts of two collations together", context.place),
            errhint("Add COLLATE \"C\" to one of them."));
}

// The whole row holds what nobody named; a system column tells where the row lies.
// A table's own column has an admitted type. That of a subquery which is run by itself may be one that somebody drops
// while the query runs.
void check_type(const Var* column, const Context& context) {
  if (is_admitted_type(column->vartype, context.what->declared)) return;
  DP_REFUSE(column->location,
            errmsg("%s of a private query reads a column of type %s, which is neither built in nor a table's that is "
                   "joined",
                   context.place, format_type_be(column->vartype)),
            errhint("Show it as a built-in type in the subquery, SELECT x::text AS x, or join the table itself."));
}

void check_column(const Var* column, const Context& context) {
  if (column->varattno > 0) return check_type(column, context);
  if (column->varattno == 0) {
    DP_REFUSE(column->location, errmsg("%s of a private query must not use the whole row", context.place),
              errhint("Name the columns; rows are counted by dp_count('*', %s).", example_epsilon()));
  }
  DP_REFUSE(column->location,
            errmsg("%s of a private query must not use the system column %s", context.place,
                   NameStr(SystemAttributeDefinition(column->varattno)->attname)),
            errhint("Use the table's own columns."));
}

// What to write in place of a cast through text.
const char* in_place_of_cast(Oid to) {
  switch (TypeCategory(to)) {
    case TYPCATEGORY_NUMERIC:
      return "Use a cast that gives NULL instead: dp_try_int(x), dp_try_float(x), dp_try_numeric(x).";
    case TYPCATEGORY_DATETIME:
      return "Use a cast that gives NULL instead: dp_try_date(x), dp_try_timestamp(x).";
    default:
      return "Compare the value as it is, or its parts. A curator can store the cast: ALTER TABLE ... ADD COLUMN y ... "
             "GENERATED ALWAYS AS (...) STORED.";
  }
}

// Casts to text by the type's output function, which cannot fail for these types.
void check_text_cast(CoerceViaIO* cast, const Context& context) {
  const Oid from = exprType(reinterpret_cast<Node*>(cast->arg));
  const bool to_text = cast->resulttype == TEXTOID || cast->resulttype == VARCHAROID || cast->resulttype == BPCHAROID;
  if (to_text && (is_plain(from) || from == UUIDOID || from == NAMEOID || type_is_enum(from))) return;
  DP_REFUSE(cast->location,
            errmsg("%s of a private query casts %s to %s, which can fail", context.place, format_type_be(from),
                   format_type_be(cast->resulttype)),
            errhint("%s", in_place_of_cast(cast->resulttype)));
}

// An array of arrays fails where dimensions differ, and an array of long values may be too long to be held.
void check_array(const ArrayExpr* array, const Context& context) {
  if (!array->multidims && get_typlen(array->element_typeid) > 0) return;
  DP_REFUSE(array->location,
            errmsg("%s of a private query makes an array of values that are not of a fixed size", context.place),
            errhint("Compare them one by one: x = a OR x = b, in place of x = ANY (ARRAY[a, b])."));
}

bool admit_node(Node* node, void* opaque);

bool admit_below(Node* node, void* opaque) { return pg::walk(node, admit_node, opaque); }

bool admit_operator(Node* node, void* opaque) {
  auto* const context = static_cast<Context*>(opaque);
  const auto [function, arguments] = called_by(node);
  require_total(function, arguments, node, context);
  if (context->failing == NIL) require_operator(operator_of(node), node, *context);
  return admit_below(node, opaque);
}

// What has no order PostgreSQL refuses when the execution starts.
void require_order(Oid type, Node* node, Context* context) {
  const Verdict verdict = judge_order(type);
  if (verdict.obstacle == nullptr) return;
  const Oid comparison = lookup_type_cache(type, TYPECACHE_CMP_PROC)->cmp_proc;
  if (OidIsValid(comparison)) return note_failing(comparison, verdict, node, context);
  DP_REFUSE(exprLocation(node),
            errmsg("%s of a private query orders values of type %s, which has no order. Order their "
                   "text, x::text, or a part of them.",
                   context->place, format_type_be(type)));
}

bool admit_extremum(MinMaxExpr* extremum, void* opaque) {
  auto* const node = reinterpret_cast<Node*>(extremum);
  require_order(extremum->minmaxtype, node, static_cast<Context*>(opaque));
  return admit_below(node, opaque);
}

// The aggregate looks values up among the categories by the order of their type, so that order must be total.
void admit_categories(Aggref* aggregate, void* opaque) {
  ListCell* cell;
  foreach (cell, aggregate->aggargtypes) {
    const Oid type = get_element_type(lfirst_oid(cell));
    if (OidIsValid(type)) require_order(type, reinterpret_cast<Node*>(aggregate), static_cast<Context*>(opaque));
  }
}

bool admit_sorting(const SortGroupClause* clause, const Context& context) {
  for (const Oid op : {clause->eqop, clause->sortop}) {
    if (OidIsValid(op)) require_operator(op, nullptr, context);
  }
  return false;
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
  auto& context = *static_cast<Context*>(opaque);
  const Judged judged = kind_of_node(node).judged;
  if (judged == Judged::in_its_parts) return admit_below(node, opaque);
  if (judged == Judged::as_order) return admit_sorting(castNode(SortGroupClause, node), context);
  if (judged == Judged::as_given) return false;
  check_collation(node, context);
  switch (judged) {
    case Judged::as_column:
      check_column(castNode(Var, node), context);
      return false;
    case Judged::as_collated:  // of a column: whatever its own collation
      if (!IsA(castNode(CollateExpr, node)->arg, Var)) break;
      check_column(castNode(Var, castNode(CollateExpr, node)->arg), context);
      return false;
    case Judged::as_operation:
    case Judged::as_operation_on_elements:
      return admit_operator(node, opaque);
    case Judged::as_call:
      require_total(castNode(FuncExpr, node)->funcid, castNode(FuncExpr, node)->args, node, &context);
      if (context.failing == NIL) require_type(node, context);
      break;
    case Judged::as_cast_by_text:
      check_text_cast(castNode(CoerceViaIO, node), context);
      break;
    case Judged::as_extremum:
      return admit_extremum(castNode(MinMaxExpr, node), opaque);
    case Judged::as_aggregate:  // its parameters are checked when it starts
      admit_categories(castNode(Aggref, node), opaque);
      break;
    case Judged::by_its_parts:
      break;
    case Judged::by_its_type:
      require_type(node, context);
      break;
    case Judged::as_element:
      if (!is_total_part(castNode(SubscriptingRef, node))) refuse_node(node, context);
      require_type(node, context);
      break;
    case Judged::as_field:  // of a column, whose type somebody made: its parts are those of the row
      if (!IsA(castNode(FieldSelect, node)->arg, Var)) refuse_node(node, context);
      require_type(node, context);
      check_column(castNode(Var, castNode(FieldSelect, node)->arg), context);
      return false;
    case Judged::as_array:
      check_array(castNode(ArrayExpr, node), context);
      break;
    case Judged::never:
    case Judged::in_its_parts:
    case Judged::as_order:
    case Judged::as_given:
    case Judged::as_plan:
      refuse_node(node, context);
  }
  return admit_below(node, opaque);
}

}  // namespace

void check_whole(Node* expression, const char* place) {
  if (const ExpressionSize size = size_of(expression); size.too_large())
    refuse_size(size, place, exprLocation(expression));
  if (checkExprHasSubLink(expression)) {
    if (IsA(expression, Aggref) && has_subquery_behind_value(castNode(Aggref, expression))) {
      DP_REFUSE(
          exprLocation(expression), errmsg("%s of a private query must not hold a subquery", place),
          errhint("Write bounds as numbers, or as parameters of a prepared statement ($1). dp_bounds(x, %s) finds "
                  "some privately, in a statement of its own.",
                  example_epsilon()));
    }
    DP_REFUSE(exprLocation(expression), errmsg("%s of a private query must not hold a subquery", place),
              errhint("Write the condition on the protected table itself, in WHERE, or join a public table on its key; "
                      "compare answers outside. What a left join is to find of each person stands in a subquery: ... "
                      "LEFT JOIN (SELECT v.patient_id, count(*) AS n FROM visits v WHERE EXISTS (...) GROUP BY "
                      "v.patient_id) AS x ON x.patient_id = p.patient_id."));
  }
  if (reads_outside(expression, nullptr)) {
    DP_REFUSE(
        exprLocation(expression), errmsg("%s of a private query must not refer to an outer query", place),
        errhint(
            "Ask once with GROUP BY, and join the answers: ... JOIN (SELECT k, dp_count('*', %s) FROM t GROUP BY k) "
            "AS answers USING (k). What is asked of each person groups by the privacy unit: ... LEFT JOIN (SELECT "
            "patient_id, count(*) AS n FROM visits GROUP BY patient_id) AS x ON x.patient_id = p.patient_id.",
            example_epsilon()));
  }
  if (contain_volatile_functions(expression)) {
    DP_REFUSE(exprLocation(expression), errmsg("%s of a private query must not call volatile functions", place),
              errhint("Use functions whose result depends on the row alone."));
  }
}

Node* admit(Node* expression, const char* place, InnerQuery* what) {
  if (expression == nullptr) return nullptr;
  check_whole(expression, place);
  Node* const form = with_values(expression, place, what);
  Context context{.place = place, .what = what, .failing = NIL, .calls = {}, .hints = {}, .location = -1};
  admit_node(form, &context);
  refuse_failing(context);
  bound_growth(form);
  return form;
}

void admit_comparison(Oid op, Node* expression, const char* place) {
  if (is_admitted_operator(op)) return;
  DP_REFUSE(exprLocation(expression),
            errmsg("%s of a private query compares values of type %s, whose order is not built in", place,
                   format_type_be(exprType(expression))),
            errhint("Cast the value to a built-in type: x::text."));
}

}  // namespace dp::guard
