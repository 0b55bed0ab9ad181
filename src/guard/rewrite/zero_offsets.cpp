#include "guard/rewrite/zero_offsets.h"

#include "guard/admission/values.h"
#include "guard/rewrite/free_levels.h"
#include "guard/tree/by_number.h"
#include "pg/nodes.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// The offset without its cast to bigint.
Node* bare(Node* offset) {
  const bool is_cast = offset != nullptr && IsA(offset, FuncExpr) && castNode(FuncExpr, offset)->funcid == F_INT8_INT4;
  return is_cast ? static_cast<Node*>(linitial(castNode(FuncExpr, offset)->args)) : offset;
}

bool is_parameter(Node* offset) {
  Node* const node = bare(offset);
  return node != nullptr && IsA(node, Param) && castNode(Param, node)->paramkind == PARAM_EXTERN;
}

// Its number, as far as it is known; nullptr where it is not.
const Const* number_of(Node* offset) {
  if (!IsA(bare(offset), Const) && !is_parameter(offset)) return nullptr;
  Node* const known = known_while_planning(offset);
  return IsA(known, Const) ? castNode(Const, known) : nullptr;
}

bool leaves_out_none(const Const* number) { return number->constisnull || DatumGetInt64(number->constvalue) == 0; }

bool take_out_below(Node* node, void* statement) {
  if (node == nullptr) return false;
  if (!IsA(node, Query)) return pg::walk(node, take_out_below, statement);
  auto* const query = castNode(Query, node);
  pg::walk_query(query, take_out_below, statement, 0);
  if (query == statement || query->limitOffset == nullptr) return false;
  const Const* const number = number_of(query->limitOffset);
  if (number != nullptr && leaves_out_none(number) && names_denied(query)) query->limitOffset = nullptr;
  return false;
}

// CASE offset WHEN 0 THEN 0 ELSE -1 END: below 0 none may be.
Node* zero_or_error(Node* offset) {
  const auto number = [](int64 value) { return reinterpret_cast<Expr*>(pg::int8_constant(value)); };
  auto* const coalesced = makeNode(CoalesceExpr);
  coalesced->coalescetype = INT8OID;
  coalesced->args = list_make2(offset, number(0));
  coalesced->location = -1;
  auto* const is_zero = makeNode(CaseWhen);
  is_zero->expr = make_opclause(lookup_type_cache(INT8OID, TYPECACHE_EQ_OPR)->eq_opr, BOOLOID, false,
                                reinterpret_cast<Expr*>(coalesced), number(0), InvalidOid, InvalidOid);
  set_opfuncid(reinterpret_cast<OpExpr*>(is_zero->expr));
  is_zero->result = number(0);
  is_zero->location = -1;
  auto* const choice = makeNode(CaseExpr);
  choice->casetype = INT8OID;
  choice->args = list_make1(is_zero);
  choice->defresult = number(-1);
  choice->location = -1;
  return reinterpret_cast<Node*>(choice);
}

void ask_of_statement(Query* statement) {
  if (statement->commandType != CMD_SELECT || statement->setOperations != nullptr || statement->limitCount != nullptr ||
      statement->limitOffset != nullptr || list_length(statement->jointree->fromlist) != 1 ||
      !IsA(linitial(statement->jointree->fromlist), RangeTblRef))
    return;
  const int only = linitial_node(RangeTblRef, statement->jointree->fromlist)->rtindex;
  const RangeTblEntry* const entry = entry_numbered(only, statement->rtable);
  Query* const subquery = entry->rtekind == RTE_SUBQUERY ? entry->subquery : nullptr;
  if (subquery == nullptr || subquery->limitCount != nullptr || !is_parameter(subquery->limitOffset) ||
      number_of(subquery->limitOffset) != nullptr || !names_denied(subquery))
    return;
  statement->limitOffset = zero_or_error(subquery->limitOffset);
  subquery->limitOffset = nullptr;
}

}  // namespace

void take_out_zero_offsets(Query* statement) {
  take_out_below(reinterpret_cast<Node*>(statement), statement);
  ask_of_statement(statement);
}

}  // namespace dp::guard
