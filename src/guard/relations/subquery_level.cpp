#include "guard/relations/subquery_level.h"

#include "guard/functions/constants.h"
#include "guard/relations/from_clause.h"
#include "pg/nodes.h"

namespace dp::guard {
namespace {

const char* unsupported_kind(const SubLink* link) {
  switch (link->subLinkType) {
    case EXISTS_SUBLINK:
    case ANY_SUBLINK:
    case ALL_SUBLINK:
    case EXPR_SUBLINK:
      return nullptr;
    default:
      return "an array or several values";
  }
}

// Columns that are shown, and those that it groups by.
List* needed_columns(const Query* level, bool shown) {
  List* needed = NIL;
  ListCell* cell;
  foreach (cell, level->targetList) {
    const auto* const entry = lfirst_node(TargetEntry, cell);
    if (!is_key(entry, level) && (!shown || entry->resjunk)) continue;
    TargetEntry* const copy = flatCopyTargetEntry(lfirst_node(TargetEntry, cell));
    copy->resno = static_cast<AttrNumber>(list_length(needed) + 1);
    needed = lappend(needed, copy);
  }
  return needed;
}

// LIMIT 1, as tools write it in EXISTS.
bool leaves_some(const Query* level) {
  if (level->limitCount == nullptr || level->limitOffset != nullptr) return false;
  Node* const limit = folded(level->limitCount);
  return IsA(limit, Const) && !castNode(Const, limit)->constisnull &&
         DatumGetInt64(castNode(Const, limit)->constvalue) > 0;
}

}  // namespace

bool is_single(const Query* level) {
  return level->groupClause == NIL && (level->hasAggs || level->havingQual != nullptr);
}

bool is_key(const TargetEntry* entry, const Query* level) {
  ListCell* cell;
  foreach (cell, level->groupClause) {
    if (lfirst_node(SortGroupClause, cell)->tleSortGroupRef == entry->ressortgroupref) return true;
  }
  return false;
}

Query* bare(const SubLink* link, const char** unsupported) {
  auto* const query = castNode(Query, link->subselect);
  Query* const level = pg::flattened(query);
  Query ungrouped = *level;
  ungrouped.hasAggs = false;
  ungrouped.groupClause = NIL;
  ungrouped.havingQual = nullptr;
  if (!ungrouped.hasDistinctOn) ungrouped.distinctClause = NIL;
  if (link->subLinkType == EXISTS_SUBLINK && leaves_some(level)) ungrouped.limitCount = nullptr;
  *unsupported = unsupported_kind(link);
  if (*unsupported == nullptr) *unsupported = more_than_a_choice(&ungrouped);
  level->distinctClause = level->sortClause = NIL;
  const bool exists = link->subLinkType == EXISTS_SUBLINK && !is_single(level);
  level->targetList = needed_columns(level, !exists);
  if (level->targetList == NIL) {
    auto* const one = reinterpret_cast<Expr*>(pg::int8_constant(1));
    level->targetList = list_make1(makeTargetEntry(one, 1, nullptr, false));
  }
  return level;
}

SubLink* any_of(const SubLink* link) {
  if (link->subLinkType != ALL_SUBLINK || !IsA(link->testexpr, OpExpr)) return nullptr;
  auto* const compared = static_cast<OpExpr*>(copyObjectImpl(link->testexpr));
  compared->opno = get_negator(compared->opno);
  if (!OidIsValid(compared->opno) ||
      !op_mergejoinable(compared->opno, exprType(static_cast<Node*>(linitial(compared->args)))))
    return nullptr;
  compared->opfuncid = get_opcode(compared->opno);
  auto* const any = makeNode(SubLink);
  *any = *link;
  any->subLinkType = ANY_SUBLINK;
  any->testexpr = reinterpret_cast<Node*>(compared);
  return any;
}

}  // namespace dp::guard
