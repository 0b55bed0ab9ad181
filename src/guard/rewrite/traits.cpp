#include "guard/rewrite/traits.h"

#include "guard/functions/calls.h"
#include "guard/functions/function_facts.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

Traits traits_of(const RangeTblEntry* entry) {
  Traits found;
  if (entry->lateral) found |= Trait::laterals;
  if (entry->rtekind == RTE_FUNCTION) found |= Trait::functions;
  if (entry->rtekind == RTE_SUBQUERY) found |= Trait::queries;
  if (entry->rtekind == RTE_RELATION && (entry->relkind != RELKIND_RELATION || has_subclass(entry->relid)))
    found |= Trait::parts;
  return found;
}

// But for what stands in it.
Traits traits_of(const Query* query) {
  Traits found;
  if (query->cteList != NIL) found |= Trait::ctes | Trait::queries;
  if (query->hasRecursive) found |= Trait::recursion;
  if (query->setOperations != nullptr) found |= Trait::set_operations | Trait::queries;
  if (query->limitOffset != nullptr) found |= Trait::offsets;
  ListCell* cell;
  foreach (cell, query->rtable) found |= traits_of(lfirst_node(RangeTblEntry, cell));
  return found;
}

Traits traits_of(Node* node) {
  switch (nodeTag(node)) {
    case T_SubLink:
      return Trait::sublinks | Trait::queries;
    case T_Aggref:
      return castNode(Aggref, node)->aggdistinct == NIL ? Traits() : Trait::distinct_calls;
    case T_SQLValueFunction:
      return Trait::clock;
    case T_OpExpr:
      set_opfuncid(castNode(OpExpr, node));
      return may_have_total_form(castNode(OpExpr, node)->opfuncid) ? Trait::failing_calls : Traits();
    case T_FuncExpr: {
      Traits found;
      const Oid function = castNode(FuncExpr, node)->funcid;
      if (is_now(node)) found |= Trait::clock;
      if (function >= FirstNormalObjectId) found |= Trait::calls_of_others;
      if (may_have_total_form(function)) found |= Trait::failing_calls;
      return found;
    }
    default:
      return {};
  }
}

struct Finding {
  Traits found;
  const InnerQueries* inner_queries;
};

bool find(Node* node, void* context) {
  if (node == nullptr) return false;
  auto& here = *static_cast<Finding*>(context);
  if (!IsA(node, Query)) {
    here.found |= traits_of(node);
    return pg::walk(node, find, context);
  }
  auto* const query = castNode(Query, node);
  if (here.inner_queries != nullptr && here.inner_queries->find(query) != nullptr) return false;
  here.found |= traits_of(query);
  return pg::walk_query(query, find, context, 0);
}

Traits find_all(Query* statement, const InnerQueries* besides) {
  Finding all{{}, besides};
  find(reinterpret_cast<Node*>(statement), &all);
  return all.found;
}

}  // namespace

Traits traits_of(Query* statement) { return find_all(statement, nullptr); }

Traits traits_above(Query* statement, const InnerQueries& inner_queries) { return find_all(statement, &inner_queries); }

}  // namespace dp::guard
