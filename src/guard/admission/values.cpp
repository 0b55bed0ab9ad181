#include "guard/admission/values.h"

#include "aggregate/call/sent_groups.h"
#include "aggregate/call/server_keys.h"
#include "aggregate/unit/unit_files.h"
#include "guard/admission/collations.h"
#include "guard/admission/harmless.h"
#include "guard/admission/modifier.h"
#include "guard/admission/objects.h"
#include "guard/admission/plain_types.h"
#include "guard/admission/refusal.h"
#include "guard/functions/calls.h"
#include "guard/query/public_rows.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

constexpr Size kLargest = 1 << 20;

ParamListInfo bound_parameters = nullptr;

bool has_foreign_type(Node* node, void* declared) {
  if (node == nullptr) return false;
  if (!IsA(node, List) && !IsA(node, CaseWhen) && !is_admitted_type(exprType(node), static_cast<List*>(declared)))
    return true;
  return pg::walk(node, has_foreign_type, declared);
}

// ---- planning -----------------------------------------------------------------------------------------------------

struct Substitution {
  const char* place;
  InnerQuery* what;
};

void check(Node* part, const Substitution& context) {
  if (!IsA(part, Const) && calls_harmful(part)) {
    DP_REFUSE(exprLocation(part),
              errmsg("%s of a private query calls a function that is not built in or looks something up, or a domain's "
                     "conditions",
                     context.place),
              errhint("Compute the value before, and give it as a constant or a parameter ($1)."));
  }
  if (has_foreign_type(part, context.what->declared)) {
    DP_REFUSE(
        exprLocation(part),
        errmsg("%s of a private query has a constant of type %s, which is neither built in nor a column's",
               context.place, format_type_be(exprType(part))),
        errhint("Write a constant of a built-in type, or of the type of a table's column; what a subquery shows is "
                "compared as text: x::text = 'a'."));
  }
}

bool has_text_bytes(Oid type) {
  return type == TEXTOID || type == VARCHAROID || type == BPCHAROID || type == NAMEOID || type == JSONOID ||
         type == XMLOID;
}

// Raises 22021 where a text, or one in an array, has bytes that the encoding does not have.
void require_encoding(Datum value, Oid type) {
  type = getBaseType(type);
  if (type == NAMEOID) {
    pg_verifymbstr(NameStr(*DatumGetName(value)), static_cast<int>(strlen(NameStr(*DatumGetName(value)))), false);
  } else if (has_text_bytes(type)) {
    const auto* const text = reinterpret_cast<const varlena*>(PG_DETOAST_DATUM_PACKED(value));
    pg_verifymbstr(VARDATA_ANY(text), static_cast<int>(VARSIZE_ANY_EXHDR(text)), false);
  } else if (const Oid element = get_element_type(type); OidIsValid(element) && has_text_bytes(getBaseType(element))) {
    ArrayIterator const elements = array_create_iterator(DatumGetArrayTypeP(value), 0, nullptr);
    Datum part;
    bool is_null;
    while (array_iterate(elements, &part, &is_null)) {
      if (!is_null) require_encoding(part, element);
    }
    array_free_iterator(elements);
  }
}

Size size_of(Datum value, int16 length) {
  if (length == -1) return toast_raw_datum_size(value) - VARHDRSZ;
  return length == -2 ? strlen(DatumGetCString(value)) : static_cast<Size>(length);
}

// 0.5 where a float8 is asked for, as nearly every private call has it: computed at once, without an executor. nullptr
// where the part is something else.
Node* decimal_literal(Node* part) {
  Node* const written = cast_from(part, FLOAT8OID);
  if (written == nullptr || exprType(written) != NUMERICOID || !IsA(written, Const) ||
      castNode(Const, written)->constisnull)
    return nullptr;
  const Datum number = DirectFunctionCall1(numeric_float8, castNode(Const, written)->constvalue);
  return reinterpret_cast<Node*>(makeConst(FLOAT8OID, -1, InvalidOid, sizeof(float8), number, false, FLOAT8PASSBYVAL));
}

void require_modifier(Datum value, Node* expression) {
  const Oid type = exprType(expression);
  const int32 modifier = exprTypmod(expression);
  if (modifier < 0 || is_within_modifier(value, type, modifier)) return;
  ereport(ERROR,
          (errcode(pg::kNotAdmissible),
           errmsg("a value that a private query compares or computes with is no %s, which its type is",
                  format_type_with_typemod(type, modifier)),
           errdetail("It comes from a function that returns records, of whose columns PostgreSQL does not look "
                     "at lengths and digits."),
           errhint("Leave them out of that function's list, (x numeric), or cast twice: x::numeric::numeric(10,2).")));
}

int number_of(Node* expression, InnerQuery* what) {
  ListCell* cell;
  foreach (cell, what->parameters) {
    if (equal(lfirst(cell), expression)) return foreach_current_index(cell) + 1;
  }
  what->parameters = lappend(what->parameters, expression);
  return list_length(what->parameters);
}

Node* value_of(Node* part, const Substitution& context) {
  check(part, context);
  Node* const known = known_while_planning(part);
  fix_opfuncids(known);
  if (IsA(known, Const)) {
    const auto* const constant = castNode(Const, known);
    if (constant->constisnull) return known;
    require_modifier(constant->constvalue, known);
    if (size_of(constant->constvalue, static_cast<int16>(constant->constlen)) <= kLargest) {
      if (!constant->constbyval) require_encoding(constant->constvalue, constant->consttype);
      return known;
    }
  }
  auto* const param = makeNode(Param);
  param->paramkind = PARAM_EXTERN;
  param->paramid = number_of(known, context.what);
  param->paramtype = exprType(part);
  param->paramtypmod = exprTypmod(known);
  param->paramcollid = exprCollation(part);
  param->location = exprLocation(part);
  return reinterpret_cast<Node*>(param);
}

// No expression, but what holds some: its parts are looked at one by one.
bool is_structure(const Node* node) {
  return IsA(node, List) || IsA(node, TargetEntry) || IsA(node, CaseWhen) || IsA(node, SortGroupClause);
}

Node* substitute(Node* node, void* opaque) {
  if (node == nullptr) return nullptr;
  if (!is_structure(node) && !reads_row(node)) return value_of(node, *static_cast<Substitution*>(opaque));
  return pg::mutate(node, substitute, opaque);
}

bool holds_later_value(Node* node, void*) {
  if (node == nullptr) return false;
  return IsA(node, Param) || IsA(node, SubLink) || pg::walk(node, holds_later_value, nullptr);
}

bool is_known_later(Node* node) { return holds_later_value(node, nullptr) || contain_mutable_functions(node); }

Node* put_unknown(Node* node, void* context) {
  if (node == nullptr || IsA(node, Const)) return node;
  if (is_structure(node) || reads_row(node)) return pg::mutate(node, put_unknown, context);
  if (!is_known_later(node)) return node;
  auto* const unknown = makeNode(Param);
  unknown->paramkind = PARAM_EXTERN;
  unknown->paramtype = exprType(node);
  unknown->paramtypmod = exprTypmod(node);
  unknown->paramcollid = exprCollation(node);
  return reinterpret_cast<Node*>(unknown);
}

Node* put_value(Node* node, void* values) {
  if (node == nullptr) return nullptr;
  if (IsA(node, Query)) return reinterpret_cast<Node*>(pg::mutate_query(castNode(Query, node), put_value, values, 0));
  if (!IsA(node, Param) || castNode(Param, node)->paramkind != PARAM_EXTERN) {
    return pg::mutate(node, put_value, values);
  }
  const auto* const param = castNode(Param, node);
  const auto* const given = static_cast<ParamListInfo>(values);
  Const* const constant = makeNullConst(param->paramtype, param->paramtypmod, param->paramcollid);
  if (given == nullptr) return reinterpret_cast<Node*>(constant);
  const ParamExternData& one = given->params[param->paramid - 1];
  constant->constvalue = one.value;
  constant->constisnull = one.isnull;
  return reinterpret_cast<Node*>(constant);
}

// ---- running ------------------------------------------------------------------------------------------------------

void evaluate(Expr* expression, PlanState* outer, ParamExternData* value) {
  ExprContext* const context = outer->ps_ExprContext;
  int16 length;
  bool by_value;
  value->ptype = exprType(reinterpret_cast<Node*>(expression));
  value->pflags = PARAM_FLAG_CONST;
  get_typlenbyval(value->ptype, &length, &by_value);
  const Datum result = ExecEvalExprSwitchContext(ExecInitExpr(expression, outer), context, &value->isnull);
  if (!value->isnull) {
    const Size size = size_of(result, length);
    if (size > kLargest) {
      ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
                      errmsg("a value of %zu bytes is too large for a private query", size),
                      errhint("Give at most %zu bytes: a shorter text, or fewer values in a list.", kLargest)));
    }
    require_encoding(result, value->ptype);
    require_modifier(result, reinterpret_cast<Node*>(expression));
    // Stored out of any compressed or external form: reading the value for each row must not do anything that can fail.
    value->value = length == -1 ? PointerGetDatum(PG_DETOAST_DATUM_COPY(result)) : datumCopy(result, by_value, length);
  }
  ResetExprContext(context);
}

// With answers in the place of the parameters that stand for them; NULL where there are none yet.
Node* put_answers(Node* node, void* context) {
  if (node == nullptr) return nullptr;
  if (!IsA(node, Param) || castNode(Param, node)->paramkind != PARAM_EXEC)
    return pg::mutate(node, put_answers, context);
  auto* const answers = static_cast<List*>(context);
  const auto* const one = castNode(Param, node);
  if (answers == NIL) return reinterpret_cast<Node*>(makeNullConst(one->paramtype, one->paramtypmod, one->paramcollid));
  return static_cast<Node*>(copyObjectImpl(list_nth(answers, one->paramid)));
}

bool refers_to_answer(Node* node, void*) {
  if (node == nullptr) return false;
  if (IsA(node, Param)) return castNode(Param, node)->paramkind == PARAM_EXEC;
  return pg::walk(node, refers_to_answer, nullptr);
}

void judge_again(const InnerQuery& inner_query, ParamListInfo values) {
  ListCell* cell;
  foreach (cell, inner_query.deferred_checks) {
    auto* const judged = static_cast<List*>(lfirst(cell));
    auto* const call = static_cast<Node*>(lsecond(judged));
    const auto [function, arguments] = called_by(call);
    const Verdict verdict = judge_call_with(values, function, arguments, exprInputCollation(call));
    if (verdict.obstacle == nullptr) continue;
    ereport(ERROR, (errcode(pg::kNotAdmissible),
                    errmsg("%s of a private query calls %s: %s", strVal(linitial(judged)), format_procedure(function),
                           verdict.obstacle),
                    verdict.hint != nullptr ? errhint("%s", verdict.hint) : 0));
  }
}

}  // namespace

BoundParameters::BoundParameters(ParamListInfo parameters) : outer_(bound_parameters) { bound_parameters = parameters; }
BoundParameters::~BoundParameters() { bound_parameters = outer_; }

Node* known_while_planning(Node* part) {
  if (IsA(part, Const)) return static_cast<Node*>(copyObjectImpl(part));
  if (Node* const number = decimal_literal(part)) return number;
  auto* const root = makeNode(PlannerInfo);
  root->glob = makeNode(PlannerGlobal);
  root->glob->boundParams = bound_parameters;
  return eval_const_expressions(root, static_cast<Node*>(copyObjectImpl(part)));
}

Node* with_values(Node* expression, const char* place, InnerQuery* what) {
  Substitution context{place, what};
  return substitute(expression, &context);
}

void try_at_start(List* expressions, const char* place, InnerQuery* what) {
  ListCell* cell;
  foreach (cell, expressions) value_of(static_cast<Node*>(lfirst(cell)), {place, what});
}

List* with_unknown_values(List* arguments) {
  auto* const all = reinterpret_cast<Node*>(arguments);
  return is_known_later(all) ? reinterpret_cast<List*>(put_unknown(all, nullptr)) : arguments;
}

Node* put_values(Node* expression, ParamListInfo values) { return put_value(expression, values); }

Verdict judge_call_with(ParamListInfo values, Oid function, List* arguments, Oid collation) {
  return judge_call(function, reinterpret_cast<List*>(put_values(reinterpret_cast<Node*>(arguments), values)),
                    collation);
}

Const* value_now(Expr* expression, PlanState* outer) {
  MemoryContext const caller = MemoryContextSwitchTo(outer->state->es_query_cxt);
  auto* const node = reinterpret_cast<Node*>(expression);
  Const* const constant = makeNullConst(exprType(node), exprTypmod(node), exprCollation(node));
  const Datum value =
      ExecEvalExprSwitchContext(ExecInitExpr(expression, outer), outer->ps_ExprContext, &constant->constisnull);
  if (!constant->constisnull) constant->constvalue = datumCopy(value, constant->constbyval, constant->constlen);
  ResetExprContext(outer->ps_ExprContext);
  MemoryContextSwitchTo(caller);
  return constant;
}

ParamListInfo evaluate_values(const InnerQuery& inner_query, List* answers, PlanState* outer, bool parallel) {
  const int own = list_length(inner_query.parameters);
  if (own == 0 && inner_query.collations == NIL && !parallel) return nullptr;
  MemoryContext const caller = MemoryContextSwitchTo(outer->state->es_query_cxt);
  const int all = own + (parallel ? 3 : 1);
  ParamListInfo const values = makeParamList(all);
  memset(values->params, 0, sizeof(ParamExternData) * static_cast<Size>(all));
  ListCell* cell;
  foreach (cell, inner_query.parameters) {
    auto* const written = static_cast<Node*>(lfirst(cell));
    ParamExternData* const value = &values->params[foreach_current_index(cell)];
    if (aggregate::are_keys_for_servers(written)) {
      aggregate::reserve_keys_for_servers(value);
    } else if (as_bound_of_rows(written) || (answers == NIL && refers_to_answer(written, nullptr))) {
      *value = {Datum{0}, true, PARAM_FLAG_CONST, exprType(written)};
    } else {
      evaluate(reinterpret_cast<Expr*>(put_answers(written, answers)), outer, value);
    }
  }
  judge_again(inner_query, values);
  if (parallel) {
    aggregate::send_unit_files(&values->params[own]);
    aggregate::reserve_sent_keys(&values->params[own + 1]);
  }
  send_collations(inner_query.collations, &values->params[all - 1]);
  MemoryContextSwitchTo(caller);
  return values;
}

}  // namespace dp::guard
