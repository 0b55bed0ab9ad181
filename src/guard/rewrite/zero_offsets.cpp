#include "guard/rewrite/zero_offsets.h"

#include "budget/catalog/extension_catalog.h"
#include "guard/admission/refusal.h"
#include "guard/admission/values.h"
#include "guard/functions/calls.h"
#include "guard/rewrite/free_levels.h"
#include "guard/tree/by_number.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// The offset without its cast to bigint.
Node* bare(Node* offset) {
  Node* const from = cast_from(offset, INT8OID);
  return from != nullptr && exprType(from) == INT4OID ? from : offset;
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

// dp_internal.zero_offset(offset)
Node* zero_or_error(Node* offset) {
  return reinterpret_cast<Node*>(makeFuncExpr(budget::internal_function("zero_offset", {INT8OID}), INT8OID,
                                              list_make1(offset), InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL));
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

// dp_internal.zero_offset(bigint) -> bigint: 0 for it and for NULL; raises DP002 for other numbers.
DP_SQL_FUNCTION(dp_zero_offset) {
  const int64 offset = PG_ARGISNULL(0) ? 0 : PG_GETARG_INT64(0);
  if (offset != 0) {
    DP_REFUSE(-1,
              errmsg("OFFSET %lld leaves rows of a protected table out below private aggregates",
                     static_cast<long long>(offset)),
              errdetail("Which rows come first is no property of any one of them."),
              errhint("Ask with OFFSET 0, or choose the rows by their values: WHERE day >= '2024-06-01'."));
  }
  PG_RETURN_INT64(0);
}
