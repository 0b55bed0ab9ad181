#include "guard/relations/level_query.h"

#include "guard/admission/admission.h"
#include "guard/admission/total_aggregates.h"
#include "guard/forms/admitted_form.h"
#include "guard/forms/extension_forms.h"
#include "guard/relations/per_unit_query.h"
#include "guard/relations/per_unit_windows.h"
#include "guard/tree/fault.h"
#include "pg/nodes.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// With keys in the form by which they are grouped, wherever they stand but in an aggregate: what is computed from one
// of them must not tell which of equal values (of a citext) a row has.
Node* with_grouped_keys(Node* node, void* keys) {
  if (node == nullptr || IsA(node, Aggref)) return node;
  if (!IsA(node, List) && list_member(static_cast<List*>(keys), node)) return shown_as(in_one_case(node), node);
  return pg::mutate(node, with_grouped_keys, keys);
}

class Maker {
 public:
  Maker(const Query* level, const Sources& sources, InnerQuery* what) : level_(level), sources_(sources), what_(what) {}

  Query* make() {
    Query* const query = pg::empty_select();
    read_tables(query);
    ListCell* cell;
    foreach (cell, level_->groupClause)
      query->groupClause = lappend(query->groupClause, ordered(lfirst_node(SortGroupClause, cell)));
    foreach (cell, level_->targetList) {
      auto* const entry = flatCopyTargetEntry(lfirst_node(TargetEntry, cell));
      entry->expr = reinterpret_cast<Expr*>(below(reinterpret_cast<Node*>(entry->expr), "a subquery"));
      if (entry->resname == nullptr) entry->resname = psprintf("column%d", entry->resno);
      query->targetList = lappend(query->targetList, entry);
    }
    query->havingQual = below(level_->havingQual, "HAVING");
    query->hasAggs = level_->hasAggs;
    // PostgreSQL takes HAVING without groups for a condition on one row of constants.
    if (query->havingQual != nullptr && !level_->hasAggs && level_->groupClause == NIL)
      raise_tree_fault("a subquery that does not group has a condition on groups");
    if (looks_within_partitions(level_)) put_windows(level_, query);
    return query;
  }

 private:
  // Of the tables, and total.
  Node* below(Node* expression, const char* place) {
    if (expression == nullptr) return nullptr;
    Node* const grouped =
        with_grouped_keys(expression, get_sortgrouplist_exprs(level_->groupClause, level_->targetList));
    return admitted_form(total_aggregates(sources_.over_tables(grouped, place)), place, what_);
  }

  void read_tables(Query* query) {
    ListCell *source, *security_quals;
    forboth(source, sources_.tables, security_quals, sources_.security_quals) {
      auto* const table = static_cast<RangeTblEntry*>(copyObjectImpl(lfirst(source)));
      table->inFromCl = true;
      table->securityQuals =
          reinterpret_cast<List*>(admitted_form(static_cast<Node*>(lfirst(security_quals)), "WHERE", what_));
      query->rtable = lappend(query->rtable, table);
    }
    put_all_per_unit(query->rtable, sources_, what_);
    query->rtable = list_concat(query->rtable, sources_.passed);
    pg::set_permissions(query, sources_.permissions);
    Node* const condition =
        sources_.conditions == NIL ? nullptr : reinterpret_cast<Node*>(make_ands_explicit(sources_.conditions));
    admit_joined(sources_.tree);
    query->jointree = makeFromExpr(list_make1(sources_.tree), admitted_form(condition, "WHERE", what_));
  }

  // The conditions of joins.
  void admit_joined(Node* tree) {
    if (IsA(tree, RangeTblRef)) return;
    auto* const join = castNode(JoinExpr, tree);
    admit_joined(join->larg);
    admit_joined(join->rarg);
    join->quals = admitted_form(join->quals, "JOIN", what_);
  }

  // By the order of the key's type.
  SortGroupClause* ordered(const SortGroupClause* written) const {
    auto* const clause = static_cast<SortGroupClause*>(copyObjectImpl(written));
    auto* const key = reinterpret_cast<Node*>(get_sortgroupclause_tle(clause, level_->targetList)->expr);
    const TypeCacheEntry* const type =
        lookup_type_cache(exprType(in_one_case(key)), TYPECACHE_LT_OPR | TYPECACHE_EQ_OPR);
    if (OidIsValid(type->lt_opr)) admit_comparison(type->lt_opr, key, "GROUP BY");
    admit_comparison(type->eq_opr, key, "GROUP BY");
    pg::order_by(clause, type, false);
    return clause;
  }

  const Query* level_;
  const Sources& sources_;
  InnerQuery* what_;
};

}  // namespace

Query* level_query(const Query* level, const Sources& sources, InnerQuery* what) {
  return Maker(level, sources, what).make();
}

}  // namespace dp::guard
