#include "guard/rewrite/total_forms.h"

#include "guard/admission/values.h"
#include "pg/walk.h"
#include "total_functions/registry.h"

namespace dp::guard {
namespace {

// A function of PostgreSQL and its total form, which takes the same arguments.
struct Clamp {
  Oid function;
  const char* total;
  bool has_field;  // its first argument is a field such as 'month'
};
constexpr Clamp kClamps[] = {{F_DATE_TRUNC_TEXT_TIMESTAMP, "dp_trunc", true},
                             {F_DATE_TRUNC_TEXT_TIMESTAMPTZ, "dp_trunc", true},
                             {F_DATE_TRUNC_TEXT_TIMESTAMPTZ_TEXT, "dp_trunc", true},
                             {F_TIMESTAMPTZ_DATE, "dp_try_timestamptz", false},
                             {F_TIMESTAMP_DATE, "dp_try_timestamp", false}};

// What gives a part of a jsonb as text, and what gives it as jsonb.
struct PartAsText {
  Oid function;
  Oid part;
};
constexpr PartAsText kPartsAsText[] = {{F_JSONB_OBJECT_FIELD_TEXT, F_JSONB_OBJECT_FIELD},
                                       {F_JSONB_ARRAY_ELEMENT_TEXT, F_JSONB_ARRAY_ELEMENT},
                                       {F_JSONB_EXTRACT_PATH_TEXT, F_JSONB_EXTRACT_PATH}};

// The extension's function of that name for those types.
Oid find_total(const char* name, Oid like) {
  Oid* types;
  int count;
  get_func_signature(like, &types, &count);
  return total::find(name, {types, static_cast<std::size_t>(count)});
}

// The call with 2000-01-01 in the place of the row's value.
FuncExpr* on_a_constant(const FuncExpr* call) {
  auto* const copy = static_cast<FuncExpr*>(copyObjectImpl(call));
  const Oid type = exprType(static_cast<Node*>(lsecond(copy->args)));
  lsecond(copy->args) = makeConst(type, -1, InvalidOid, sizeof(Timestamp), Int64GetDatum(0), false, FLOAT8PASSBYVAL);
  return copy;
}

// x ->> 'key' as dp_internal.jsonb_text(x -> 'key').
Node* with_text_clamped(Node* node) {
  const auto [function, arguments] = called_by(node);
  for (const PartAsText& known : kPartsAsText) {
    if (function != known.function || !reads_row(node)) continue;
    const Oid types[] = {JSONBOID};
    const Oid text = total::find("jsonb_text", types);
    if (!OidIsValid(text)) return node;
    FuncExpr* const part =
        makeFuncExpr(known.part, JSONBOID, arguments, InvalidOid, exprInputCollation(node), COERCE_EXPLICIT_CALL);
    part->funcvariadic = IsA(node, FuncExpr) && castNode(FuncExpr, node)->funcvariadic;
    part->location = exprLocation(node);
    FuncExpr* const shown = makeFuncExpr(text, TEXTOID, list_make1(part), exprCollation(node), exprInputCollation(node),
                                         COERCE_EXPLICIT_CALL);
    shown->location = exprLocation(node);
    return reinterpret_cast<Node*>(shown);
  }
  return node;
}

Node* clamp(Node* node, void* tried) {
  if (node == nullptr) return nullptr;
  Node* const copy = pg::mutate(node, clamp, tried);
  if (!IsA(copy, FuncExpr)) return with_text_clamped(copy);
  auto* const call = castNode(FuncExpr, copy);
  for (const Clamp& known : kClamps) {
    if (call->funcid != known.function || !reads_row(copy)) continue;
    if (known.has_field && reads_row(static_cast<Node*>(linitial(call->args)))) return copy;
    const Oid total = find_total(known.total, known.function);
    if (!OidIsValid(total)) return copy;
    if (known.has_field) {
      FuncExpr* const trial = on_a_constant(call);
      if (!reads_row(reinterpret_cast<Node*>(trial))) {
        *static_cast<List**>(tried) = lappend(*static_cast<List**>(tried), trial);
      }
    }
    call->funcid = total;
  }
  return with_text_clamped(copy);
}

}  // namespace

Node* clamped(Node* expression, List** tried) { return clamp(expression, tried); }

}  // namespace dp::guard
