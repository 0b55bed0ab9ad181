// Who may read which table, as queries and plans say it.
//
// Since 16 that stands beside the range table, in RTEPermissionInfos that its entries refer to by number; before, in
// the entries themselves. In both, Permissions has relid, requiredPerms and checkAsUser. A view that is read is an
// entry of the table of views before 16, which nothing reads from; since 16 the permission on it hangs on the subquery
// that the view has become, and is lost with that.
#pragma once

#include "pg/planner.h"

namespace dp::pg {

#if PG_VERSION_NUM >= 160000
using Permissions = RTEPermissionInfo;

// Of the entry, in a list of that query's kind; nullptr where it has none.
inline Permissions* permissions_in(List* permissions, const RangeTblEntry* entry) {
  return entry->perminfoindex == 0 ? nullptr : getRTEPermissionInfo(permissions, const_cast<RangeTblEntry*>(entry));
}
inline Permissions* permissions_of(const Query* query, const RangeTblEntry* entry) {
  return permissions_in(query->rteperminfos, entry);
}

// What is checked for a query, or before a plan runs: a list of Permissions.
inline List* checked_permissions(const Query* query) { return query->rteperminfos; }
inline List*& checked_permissions(PlannedStmt* plan) { return plan->permInfos; }
inline List* checked_permissions(const PlannedStmt* plan) { return plan->permInfos; }
inline bool is_relation(const Permissions*) { return true; }

inline bool are_granted(Permissions* permissions) {
#if PG_VERSION_NUM >= 170000
  return ExecCheckOneRelPerms(permissions);
#else
  return ExecCheckPermissions(NIL, list_make1(permissions), false);
#endif
}

// The view that has become this entry's subquery; InvalidOid where it is another one.
inline Oid view_of(const RangeTblEntry* entry) { return entry->rtekind == RTE_SUBQUERY ? entry->relid : InvalidOid; }

// A flat copy of an entry of that query, for another query whose permissions are collected in the list.
inline RangeTblEntry* entry_for(List** permissions, const Query* from, const RangeTblEntry* entry) {
  auto* const copy = static_cast<RangeTblEntry*>(palloc(sizeof(RangeTblEntry)));
  *copy = *entry;
  const Permissions* const known = permissions_of(from, entry);
  copy->perminfoindex = 0;
  if (known != nullptr) *addRTEPermissionInfo(permissions, copy) = *known;
  return copy;
}

// An entry of one's own, for which nothing is asked. The planner wants to find that said.
inline void ask_nothing_for(List** permissions, RangeTblEntry* entry) { addRTEPermissionInfo(permissions, entry); }

inline void set_permissions(Query* query, List* permissions) { query->rteperminfos = permissions; }

// The entry is to become another one, for which nothing is checked.
inline void ask_no_permissions(Query* query, RangeTblEntry* entry) {
  if (Permissions* const known = permissions_of(query, entry)) known->requiredPerms = 0;
  entry->perminfoindex = 0;
}

inline void move_permissions(Query* from, Query* to) {
  to->rteperminfos = from->rteperminfos;
  from->rteperminfos = NIL;
}

// An entry that nothing reads from and for which the permissions of this one are checked, where that is about to go: of
// a view, or of what the query only names. `read`: the query reads from it. nullptr where there is nothing to keep.
inline RangeTblEntry* carrier_of(const RangeTblEntry* entry, bool read) {
  if (entry->perminfoindex == 0 || (entry->rtekind == RTE_RELATION && read)) return nullptr;
  if (entry->rtekind == RTE_RELATION) return const_cast<RangeTblEntry*>(entry);
  auto* const carrier = makeNode(RangeTblEntry);
  carrier->rtekind = RTE_RELATION;
  carrier->relid = entry->relid;
  carrier->relkind = RELKIND_VIEW;
  carrier->rellockmode = AccessShareLock;
  carrier->eref = makeAlias("view", NIL);
  carrier->perminfoindex = entry->perminfoindex;
  return carrier;
}
#else
using Permissions = RangeTblEntry;

inline Permissions* permissions_in(List*, const RangeTblEntry* entry) { return const_cast<RangeTblEntry*>(entry); }
inline Permissions* permissions_of(const Query*, const RangeTblEntry* entry) {
  return const_cast<RangeTblEntry*>(entry);
}

inline List* checked_permissions(const Query* query) { return query->rtable; }
inline List*& checked_permissions(PlannedStmt* plan) { return plan->rtable; }
inline List* checked_permissions(const PlannedStmt* plan) { return plan->rtable; }
inline bool is_relation(const Permissions* permissions) { return permissions->rtekind == RTE_RELATION; }

inline bool are_granted(Permissions* permissions) { return ExecCheckRTEPerms(permissions); }

inline Oid view_of(const RangeTblEntry* entry) {
  if (entry->rtekind != RTE_SUBQUERY || entry->subquery->rtable == NIL) return InvalidOid;
  const auto* const first = linitial_node(RangeTblEntry, entry->subquery->rtable);
  return first->rtekind == RTE_RELATION && first->relkind == RELKIND_VIEW ? first->relid : InvalidOid;
}

inline RangeTblEntry* entry_for(List**, const Query*, const RangeTblEntry* entry) {
  auto* const copy = static_cast<RangeTblEntry*>(palloc(sizeof(RangeTblEntry)));
  *copy = *entry;
  return copy;
}

inline void ask_nothing_for(List**, RangeTblEntry*) {}

inline void set_permissions(Query*, List*) {}
inline void move_permissions(Query*, Query*) {}

inline void ask_no_permissions(Query*, RangeTblEntry* entry) {
  entry->requiredPerms = 0;
  entry->checkAsUser = InvalidOid;
  entry->selectedCols = nullptr;
}

inline RangeTblEntry* carrier_of(const RangeTblEntry* entry, bool read) {
  return entry->rtekind == RTE_RELATION && !read ? const_cast<RangeTblEntry*>(entry) : nullptr;
}
#endif

// A flat copy of the plan with permissions of its own.
inline PlannedStmt* with_own_permissions(const PlannedStmt* plan) {
  auto* const copy = static_cast<PlannedStmt*>(palloc(sizeof(PlannedStmt)));
  *copy = *plan;
  List*& permissions = checked_permissions(copy);
  permissions = NIL;
  ListCell* cell;
  foreach (cell, checked_permissions(plan)) {
    auto* const own = static_cast<Permissions*>(palloc(sizeof(Permissions)));
    *own = *static_cast<Permissions*>(lfirst(cell));
    permissions = lappend(permissions, own);
  }
  return copy;
}

}  // namespace dp::pg
