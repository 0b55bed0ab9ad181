#include "guard/rewrite/joint_quantiles.h"

#include "guard/rewrite/aggregate_text.h"
#include "guard/rewrite/known_aggregates.h"
#include "pg/nodes.h"

namespace dp::guard {
namespace {

Expr* value_of(const Aggref* call) { return without_cast_of_integer(linitial_node(TargetEntry, call->args)->expr); }

bool is_one_number(const Aggref* call) {
  const char* const form = bounded_form(call->aggfnoid);
  return form != nullptr && strcmp(form, "dp_quantile") == 0 && call->aggdistinct == NIL &&
         OidIsValid(number_type(exprType(reinterpret_cast<Node*>(value_of(call)))));
}

bool is_of(const JointQuantiles& joint, const Aggref* call) {
  return equal(joint.value, value_of(call)) && equal(joint.filter, call->aggfilter);
}

Expr* fraction_of(const Aggref* call) {
  return reinterpret_cast<Expr*>(
      eval_const_expressions(nullptr, reinterpret_cast<Node*>(copyObjectImpl(fraction_from_below(call)))));
}

JointQuantiles* with_value_of(List* joint, const Aggref* call) {
  ListCell* cell;
  foreach (cell, joint) {
    auto* const one = static_cast<JointQuantiles*>(lfirst(cell));
    if (is_of(*one, call)) return one;
  }
  return nullptr;
}

Expr* array_of(List* fractions) {
  auto* const array = makeNode(ArrayExpr);
  array->array_typeid = FLOAT8ARRAYOID;
  array->element_typeid = FLOAT8OID;
  array->elements = static_cast<List*>(copyObjectImpl(fractions));
  array->location = -1;
  return reinterpret_cast<Expr*>(eval_const_expressions(nullptr, reinterpret_cast<Node*>(array)));
}

}  // namespace

List* joint_quantiles(List* ordinary) {
  List* all = NIL;
  ListCell* cell;
  foreach (cell, ordinary) {
    auto* const call = lfirst_node(Aggref, cell);
    if (!is_one_number(call)) continue;
    JointQuantiles* joint = with_value_of(all, call);
    if (joint == nullptr) {
      joint = new (palloc(sizeof(JointQuantiles))) JointQuantiles{value_of(call), call->aggfilter, NIL, NIL, nullptr};
      all = lappend(all, joint);
    }
    joint->calls = lappend(joint->calls, call);
    joint->fractions = list_append_unique(joint->fractions, fraction_of(call));
  }
  List* several = NIL;
  foreach (cell, all)
    if (list_length(static_cast<const JointQuantiles*>(lfirst(cell))->calls) > 1)
      several = lappend(several, lfirst(cell));
  return several;
}

JointQuantiles* quantiles_of(List* joint, const Aggref* call) {
  return joint == NIL || !is_one_number(call) ? nullptr : with_value_of(joint, call);
}

List* texts_of_quantiles(List* joint, const Sources& sources) {
  if (joint == NIL) return NIL;
  const ColumnNames names(sources.tables);
  List* texts = NIL;
  ListCell* cell;
  foreach (cell, joint) {
    const auto& one = *static_cast<const JointQuantiles*>(lfirst(cell));
    texts = lappend(texts, makeString(text_of_calls(one.calls, sources, names)));
  }
  return texts;
}

void make_quantiles(JointQuantiles* joint, List* ends, const AnswerDefaults& defaults) {
  const Oid type = number_type(exprType(reinterpret_cast<Node*>(joint->value)));
  joint->made = private_call(static_cast<const Aggref*>(linitial(joint->calls)), "dp_quantiles",
                             cast_value(joint->value, type), type, lcons(array_of(joint->fractions), ends), defaults);
}

Node* joint_quantile(const JointQuantiles& joint, const Aggref* call) {
  Expr* const fraction = fraction_of(call);
  int number = 1;
  ListCell* cell;
  foreach (cell, joint.fractions) {
    if (equal(lfirst(cell), fraction)) break;
    ++number;
  }
  auto* const element = makeNode(SubscriptingRef);
  element->refcontainertype = FLOAT8ARRAYOID;
  element->refelemtype = element->refrestype = FLOAT8OID;
  element->reftypmod = -1;
  element->refupperindexpr = list_make1(pg::int4_constant(number));
  element->refexpr = static_cast<Expr*>(copyObjectImpl(joint.made));
  return reinterpret_cast<Node*>(element);
}

}  // namespace dp::guard
