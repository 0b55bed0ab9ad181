#include "guard/functions/node_kinds.h"

namespace dp::guard {
namespace {

struct Row {
  NodeTag tag;
  NodeKind kind;
};

constexpr NodeKind kOperation{
    .judged = Judged::as_operation, .callee = Callee::by_operator, .collates = true, .harmless = true};
constexpr NodeKind kConnection{.judged = Judged::by_its_parts, .harmless = true};

// A cast to a domain is none of them: it runs the domain's conditions.
constexpr Row kRows[] = {
    {T_List, {.judged = Judged::in_its_parts, .harmless = true}},
    {T_TargetEntry, {.judged = Judged::in_its_parts}},
    {T_CaseWhen, {.judged = Judged::in_its_parts, .harmless = true}},
    {T_SortGroupClause, {.judged = Judged::as_order}},
    {T_Const, {.judged = Judged::as_given, .harmless = true}},
    {T_Param, {.judged = Judged::as_given, .harmless = true}},
    {T_CaseTestExpr, {.judged = Judged::as_given, .harmless = true}},
    {T_SQLValueFunction, {.harmless = true}},
    {T_Var, {.judged = Judged::as_column, .of_rows = true}},
    {T_Aggref, {.judged = Judged::as_aggregate, .of_rows = true, .collates = true}},
    {T_GroupingFunc, {.judged = Judged::by_its_parts, .of_rows = true}},
    // A window function is judged where it is made total (admission/total_windows.h), and the planner brings in none.
    {T_WindowFunc, {.judged = Judged::by_its_parts, .of_rows = true, .collates = true}},
    {T_FuncExpr, {.judged = Judged::as_call, .callee = Callee::by_number, .collates = true, .harmless = true}},
    {T_OpExpr, kOperation},
    {T_DistinctExpr, kOperation},
    {T_NullIfExpr, kOperation},
    {T_ScalarArrayOpExpr,
     {.judged = Judged::as_operation_on_elements,
      .callee = Callee::by_operator_on_elements,
      .collates = true,
      .harmless = true}},
    {T_MinMaxExpr, {.judged = Judged::as_extremum, .collates = true, .harmless = true}},
    {T_BoolExpr, kConnection},
    {T_CaseExpr, kConnection},
    {T_CoalesceExpr, kConnection},
    {T_NullTest, kConnection},
    {T_BooleanTest, kConnection},
    {T_RelabelType, {.judged = Judged::by_its_type, .harmless = true}},
    {T_CollateExpr, {.judged = Judged::as_collated, .harmless = true}},
    {T_CoerceViaIO, {.judged = Judged::as_cast_by_text, .harmless = true}},
    {T_ArrayCoerceExpr, {.harmless = true}},
    {T_ArrayExpr, {.judged = Judged::as_array, .harmless = true}},
    {T_SubscriptingRef, {.judged = Judged::as_element, .harmless = true}},
    {T_FieldSelect, {.judged = Judged::as_field}},
    {T_SubPlan, {.judged = Judged::as_plan}}};

consteval std::array<NodeKind, kNodeTags> by_tags() {
  std::array<NodeKind, kNodeTags> kinds{};
  for (const auto& [tag, kind] : kRows) kinds.at(tag) = kind;
  return kinds;
}

}  // namespace

constexpr std::array<NodeKind, kNodeTags> kNodeKinds = by_tags();

}  // namespace dp::guard
