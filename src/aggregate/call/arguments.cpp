#include "aggregate/call/arguments.h"

#include "core/mechanism/mechanism_text.h"
#include "pg/errors.h"
#include "pg/walk.h"

namespace dp::aggregate {
namespace {

// True at the first thing in an expression that may differ between rows. Parameters of kind EXTERN are those of the
// statement; the others carry subqueries and outer rows.
bool varies(Node* node, void* context) {
  if (node == nullptr) return false;
  if (IsA(node, Param)) return castNode(Param, node)->paramkind != PARAM_EXTERN;
  if (IsA(node, Var) || IsA(node, SubPlan) || IsA(node, AlternativeSubPlan) || IsA(node, Aggref)) return true;
  return pg::walk(node, varies, context);
}

}  // namespace

bool same_for_every_row(Node* expression) {
  return !varies(expression, nullptr) && !contain_mutable_functions(expression);
}

Arguments::Arguments(const Aggref* aggref, PlanState* node)
    : aggref_(aggref), node_(node), aggregate_(aggref->aggfnoid), count_(list_length(aggref->args)) {
  if (aggref->aggorder != NIL) {
    ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED), errmsg("%s does not take ORDER BY", function()),
                    errdetail("Its answer does not depend on the order of rows."),
                    errhint("Leave ORDER BY out of the call; order the answers at the end of the query.")));
  }
}

Arguments Arguments::handed_on(const Aggref* aggref, PlanState* node, int first, int skipped) {
  Arguments arguments(aggref, node);
  if (arguments.count_ <= first + skipped) arguments.refuse_signature();
  auto* const number = arguments.expression(arguments.count_ - 1);
  if (!IsA(number, Const) || castNode(Const, number)->consttype != OIDOID) arguments.refuse_signature();
  arguments.aggregate_ = DatumGetObjectId(castNode(Const, number)->constvalue);
  arguments.count_ -= skipped + 1;
  arguments.first_ = first;
  arguments.skipped_ = skipped;
  return arguments;
}

Node* Arguments::expression(int position) const {
  const int written = position >= first_ ? position + skipped_ : position;
  return reinterpret_cast<Node*>(castNode(TargetEntry, list_nth(aggref_->args, written))->expr);
}

void Arguments::refuse_signature() const {
  ereport(ERROR, (errcode(ERRCODE_INVALID_FUNCTION_DEFINITION),
                  errmsg("aggregate %s uses support functions of pg_dp in another way than pg_dp does", function()),
                  errhint("Use the aggregates of pg_dp, for example dp_sum(x, 0, 100, 0.5).")));
  pg_unreachable();
}

// The OID that was handed on may not belong to any aggregate.
const char* Arguments::function() const {
  const char* const name = get_func_name(aggregate_);
  return name != nullptr ? name : get_func_name(aggref_->aggfnoid);
}

bool Arguments::is_certain(int position) const {
  Node* const node = expression(position);
  return IsA(node, Const) && !castNode(Const, node)->constisnull;
}

NullableDatum value_for_all_rows(Node* expression, PlanState* node) {
  if (IsA(expression, Const))
    return {castNode(Const, expression)->constvalue, castNode(Const, expression)->constisnull};
  NullableDatum value;
  ExprState* const state = ExecInitExpr(reinterpret_cast<Expr*>(expression), node);
  value.value = ExecEvalExpr(state, node->ps_ExprContext, &value.isnull);
  return value;
}

Datum Arguments::constant(int position, Oid expected, const char* name) const {
  if (type(position) != expected) refuse_signature();
  Node* const node = expression(position);
  if (!same_for_every_row(node)) {
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("%s of %s must be the same for every row", name, function()),
                    errhint("Write a constant or a parameter ($1), not a column, a subquery or a changing function.")));
  }
  const NullableDatum argument = value_for_all_rows(node, node_);
  if (argument.isnull) {
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("%s of %s must not be NULL", name, function()),
                    errhint("Give a value; there is no default that would be safe.")));
  }
  return argument.value;
}

Datum Arguments::take_last(Oid type, const char* name) {
  if (count_ == 0) refuse_signature();
  const Datum last = constant(count_ - 1, type, name);
  --count_;
  return last;
}

mechanism::Mechanism Arguments::mechanism(int position) const {
  if (count() <= position) return mechanism::parse("auto");
  if (get_typlen(type(position)) != -1) refuse_signature();  // dp_mechanism is stored as its text
  const text* const written = DatumGetTextPP(constant(position, type(position), "mechanism"));
  return mechanism::parse({VARDATA_ANY(written), static_cast<std::size_t>(VARSIZE_ANY_EXHDR(written))});
}

}  // namespace dp::aggregate
