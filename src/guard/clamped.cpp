#include "guard/clamped.h"

#include "total/registry_sql.h"

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

// The extension's function of that name for those types.
Oid find_total(const char* name, Oid like) {
  Oid* types;
  int count;
  get_func_signature(like, &types, &count);
  return total::find(name, {types, static_cast<std::size_t>(count)});
}

bool reads_row(Node* node) { return contain_var_clause(node); }

// The call with 2000-01-01 in the place of the row's value.
FuncExpr* on_a_constant(const FuncExpr* call) {
  auto* const copy = static_cast<FuncExpr*>(copyObjectImpl(call));
  const Oid type = exprType(static_cast<Node*>(lsecond(copy->args)));
  lsecond(copy->args) = makeConst(type, -1, InvalidOid, sizeof(Timestamp), Int64GetDatum(0), false, FLOAT8PASSBYVAL);
  return copy;
}

Node* clamp(Node* node, void* constants) {
  if (node == nullptr) return nullptr;
  Node* const copy = expression_tree_mutator(node, reinterpret_cast<Node* (*)()>(clamp), constants);
  if (!IsA(copy, FuncExpr)) return copy;
  auto* const call = castNode(FuncExpr, copy);
  for (const Clamp& known : kClamps) {
    if (call->funcid != known.function || !reads_row(copy)) continue;
    if (known.has_field && reads_row(static_cast<Node*>(linitial(call->args)))) return copy;
    const Oid total = find_total(known.total, known.function);
    if (!OidIsValid(total)) return copy;
    if (known.has_field) {
      auto* const tried = reinterpret_cast<Expr*>(on_a_constant(call));
      *static_cast<List**>(constants) = lappend(*static_cast<List**>(constants), expression_planner(tried));
    }
    call->funcid = total;
  }
  return copy;
}

}  // namespace

Node* clamped(Node* expression, List** constants) { return clamp(expression, constants); }

}  // namespace dp::guard
