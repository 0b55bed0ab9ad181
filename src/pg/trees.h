// Parts of query trees that not every version of PostgreSQL has.
#pragma once

#include "pg/planner.h"

namespace dp::pg {

// What an entry that stands for GROUP BY (since 18) groups by; NIL for any other.
inline List* grouped_expressions([[maybe_unused]] const RangeTblEntry* entry) {
#if PG_VERSION_NUM >= 180000
  return entry->rtekind == RTE_GROUP ? entry->groupexprs : NIL;
#else
  return NIL;
#endif
}

inline bool has_groups([[maybe_unused]] const Query* query) {
#if PG_VERSION_NUM >= 180000
  return query->hasGroupRTE;
#else
  return false;
#endif
}

// ON of MERGE, where it is not the condition of the join tree, as it was before 17.
inline Node* merge_condition([[maybe_unused]] const Query* query) {
#if PG_VERSION_NUM >= 170000
  return query->mergeJoinCondition;
#else
  return nullptr;
#endif
}

// The entry that MERGE reads as its target; 0 where that is the result relation, or it is no MERGE.
inline int merge_target([[maybe_unused]] const Query* query) {
#if PG_VERSION_NUM >= 170000
  return query->mergeTargetRelation;
#else
  return 0;
#endif
}

// Whether the permissions of the entry are those of its table. Before 16 they stand in the entry.
inline bool permissions_stand([[maybe_unused]] const Query* query, [[maybe_unused]] const RangeTblEntry* entry) {
#if PG_VERSION_NUM >= 160000
  if (entry->perminfoindex == 0) return true;
  if (entry->perminfoindex > static_cast<Index>(list_length(query->rteperminfos))) return false;
  const auto* const permissions =
      list_nth_node(RTEPermissionInfo, query->rteperminfos, static_cast<int>(entry->perminfoindex) - 1);
  return permissions->relid == entry->relid;
#else
  return true;
#endif
}

}  // namespace dp::pg
