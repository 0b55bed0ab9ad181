#include "guard/preview/named_views.h"

#include "pg/permissions.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

bool collect(Node* node, void* bodies) {
  if (node == nullptr) return false;
  if (IsA(node, Query)) return pg::walk_query(castNode(Query, node), collect, bodies, QTW_EXAMINE_RTES_BEFORE);
  if (!IsA(node, RangeTblEntry)) return pg::walk(node, collect, bodies);
  const auto* const entry = castNode(RangeTblEntry, node);
  auto& known = *static_cast<List**>(bodies);
  if (OidIsValid(pg::view_of(entry))) known = lappend(known, copyObjectImpl(entry->subquery));
  return false;
}

bool is_read_as_asker(Oid view) {
  Relation const opened = table_open(view, AccessShareLock);
  const bool as_asker = RelationHasSecurityInvoker(opened) || opened->rd_rel->relowner == GetUserId();
  table_close(opened, NoLock);
  return as_asker;
}

bool name(Node* node, void* bodies) {
  if (node == nullptr) return false;
  if (IsA(node, Query)) return pg::walk_query(castNode(Query, node), name, bodies, QTW_EXAMINE_RTES_BEFORE);
  if (!IsA(node, RangeTblEntry)) return pg::walk(node, name, bodies);
  auto* const entry = castNode(RangeTblEntry, node);
  const Oid view = pg::view_of(entry);
  if (!OidIsValid(view)) return false;
  if (is_read_as_asker(view) && !list_member(static_cast<const List*>(bodies), entry->subquery)) return false;
  entry->rtekind = RTE_RELATION;
  entry->relid = view;
  entry->relkind = RELKIND_VIEW;
  entry->rellockmode = AccessShareLock;
  entry->inh = true;
  entry->security_barrier = false;
  entry->subquery = nullptr;
  return false;
}

}  // namespace

NamedViews::NamedViews(Query* query) { collect(reinterpret_cast<Node*>(query), &bodies_); }

void NamedViews::name_in(Query* query) const { name(reinterpret_cast<Node*>(query), bodies_); }

}  // namespace dp::guard
