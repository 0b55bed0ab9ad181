#include "guard/rewrite/rounded_now.h"

#include <algorithm>

#include "aggregate/call/prepare_plan.h"
#include "guard/functions/called_functions.h"
#include "guard/functions/calls.h"
#include "guard/functions/meaning.h"
#include "guard/query/settings.h"
#include "guard/rewrite/free_levels.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

bool asks_privately(Node* node, void*) {
  if (node == nullptr) return false;
  if (IsA(node, Aggref) && aggregate::is_private_aggregate(castNode(Aggref, node)->aggfnoid)) return true;
  if (!IsA(node, Query)) return pg::walk(node, asks_privately, nullptr);
  auto* const query = castNode(Query, node);
  ListCell* cell;
  foreach (cell, query->rtable) {
    const auto* const table = lfirst_node(RangeTblEntry, cell);
    if (table->rtekind == RTE_RELATION && is_denied_with_account(pg::permissions_of(query, table))) return true;
  }
  return pg::walk_query(query, asks_privately, nullptr, 0);
}

Expr* cast(Oid type, Expr* moment) { return reinterpret_cast<Expr*>(cast_to(type, moment)); }

Expr* value_function(SQLValueFunctionOp op, Oid type) {
  auto* const value = makeNode(SQLValueFunction);
  value->op = op;
  value->type = type;
  value->typmod = -1;
  value->location = -1;
  return reinterpret_cast<Expr*>(value);
}

// A local moment, rounded down from the midnight before it.
Expr* rounded_local(Expr* moment) {
  auto* const width = static_cast<Interval*>(palloc0(sizeof(Interval)));
  width->time = now_rounding();
  Const* const stride =
      makeConst(INTERVALOID, -1, InvalidOid, sizeof(Interval), IntervalPGetDatum(width), false, false);
  Const* const midnight =
      makeConst(TIMESTAMPOID, -1, InvalidOid, sizeof(Timestamp), TimestampGetDatum(0), false, FLOAT8PASSBYVAL);
  return reinterpret_cast<Expr*>(called(kDateBin, list_make3(stride, moment, midnight)));
}

// LEAST: in the hour that comes twice, what is rounded down in the first may be taken for one of the second.
Expr* rounded(Expr* moment) {
  Expr* const local = rounded_local(cast(TIMESTAMPOID, moment));
  auto* const least = makeNode(MinMaxExpr);
  least->minmaxtype = TIMESTAMPTZOID;
  least->op = IS_LEAST;
  least->args = list_make2(copyObjectImpl(moment), cast(TIMESTAMPTZOID, local));
  least->location = -1;
  return reinterpret_cast<Expr*>(least);
}

Expr* rounded_value(const SQLValueFunction* value) {
  Expr* const local = rounded_local(value_function(SVFOP_LOCALTIMESTAMP, TIMESTAMPOID));
  Expr* const now = rounded(value_function(SVFOP_CURRENT_TIMESTAMP, TIMESTAMPTZOID));
  switch (value->op) {
    case SVFOP_CURRENT_TIMESTAMP:
    case SVFOP_CURRENT_TIMESTAMP_N:
      return now;
    case SVFOP_LOCALTIMESTAMP:
    case SVFOP_LOCALTIMESTAMP_N:
      return local;
    case SVFOP_CURRENT_TIME:
    case SVFOP_CURRENT_TIME_N:
      return cast(TIMETZOID, now);
    case SVFOP_LOCALTIME:
    case SVFOP_LOCALTIME_N:
      return cast(TIMEOID, local);
    default:
      return nullptr;
  }
}

Node* put_rounded(Node* node, void*) {
  if (node == nullptr) return nullptr;
  if (IsA(node, Query))
    return reinterpret_cast<Node*>(pg::mutate_query(castNode(Query, node), put_rounded, nullptr, 0));
  if (is_now(node)) return reinterpret_cast<Node*>(rounded(reinterpret_cast<Expr*>(node)));
  if (IsA(node, SQLValueFunction)) {
    if (Expr* const value = rounded_value(castNode(SQLValueFunction, node))) return reinterpret_cast<Node*>(value);
  }
  return pg::mutate(node, put_rounded, nullptr);
}

// Rounding to a day at most.
bool is_bin(Node* node) {
  if (!IsA(node, FuncExpr) || meaning_of(castNode(FuncExpr, node)->funcid) != Meaning::date_bin ||
      exprType(node) != TIMESTAMPOID)
    return false;
  auto* const width = static_cast<Node*>(linitial(castNode(FuncExpr, node)->args));
  if (!IsA(width, Const) || castNode(Const, width)->constisnull) return false;
  const Interval* const stride = DatumGetIntervalP(castNode(Const, width)->constvalue);
  return stride->month == 0 && stride->day == 0 && stride->time <= USECS_PER_DAY;
}

// Which of its moments it is does not matter for what is shown of it.
bool shows_less(Node* node) {
  if (!IsA(node, FuncExpr)) return false;
  const Meaning meaning = meaning_of(castNode(FuncExpr, node)->funcid);
  const Oid type = exprType(node);
  return ((meaning == Meaning::date_trunc || meaning == Meaning::date_bin) && type != INTERVALOID) ||
         (meaning == Meaning::cast && type == DATEOID);
}

bool follows_clock(Node* node, void*) {
  if (node == nullptr || shows_less(node) || is_rounded_now(node)) return false;
  if (is_now(node)) return true;
  if (IsA(node, SQLValueFunction)) {
    const SQLValueFunctionOp op = castNode(SQLValueFunction, node)->op;
    return op >= SVFOP_CURRENT_TIME && op <= SVFOP_LOCALTIMESTAMP_N;
  }
  return pg::walk(node, follows_clock, nullptr);
}

}  // namespace

void round_now(Query* query) {
  if (now_rounding() == 0 || !asks_privately(reinterpret_cast<Node*>(query), nullptr)) return;
  *query = *pg::mutate_query(query, put_rounded, nullptr, 0);
}

bool is_rounded_now(Node* node) {
  if (is_bin(node)) {
    auto* const moment = static_cast<Node*>(lsecond(castNode(FuncExpr, node)->args));
    return IsA(moment, SQLValueFunction);
  }
  if (!IsA(node, MinMaxExpr) || castNode(MinMaxExpr, node)->op != IS_LEAST) return false;
  auto* const other = static_cast<Node*>(llast(castNode(MinMaxExpr, node)->args));
  Node* const bin = cast_from(other, TIMESTAMPTZOID);
  return bin != nullptr && is_bin(bin);
}

TimestampTz as_rounded_now(TimestampTz moment) {
  const std::int64_t width = std::max<std::int64_t>(now_rounding(), 1);
  const Timestamp shown = DatumGetTimestamp(DirectFunctionCall1(timestamptz_timestamp, TimestampTzGetDatum(moment)));
  const Timestamp down = shown - (shown % width + width) % width;
  return DatumGetTimestampTz(DirectFunctionCall1(timestamp_timestamptz, TimestampGetDatum(down)));
}

bool follow_clock(const List* expressions) {
  return follows_clock(reinterpret_cast<Node*>(const_cast<List*>(expressions)), nullptr);
}

}  // namespace dp::guard
