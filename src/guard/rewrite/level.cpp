#include "guard/rewrite/level.h"

namespace dp::guard {

bool reads_subquery(const Query* query) {
  ListCell* cell;
  foreach (cell, query->rtable) {
    const RTEKind kind = lfirst_node(RangeTblEntry, cell)->rtekind;
    if (kind == RTE_SUBQUERY || kind == RTE_CTE) return true;
  }
  return false;
}

Sources Level::sources() {
  assert_unchanged();
  if (!sources_ || sources_->per_unit != NIL) sources_ = sources_of(query_, around_);
#ifdef USE_ASSERT_CHECKING
  if (collected_ == nullptr) collected_ = static_cast<const Query*>(copyObjectImpl(query_));
#endif
  Sources own = *sources_;
  for (List** const list : {&own.tables, &own.reads, &own.security_quals, &own.conditions, &own.sublinks,
                            &own.around_sublinks, &own.passed, &own.permissions, &own.subqueries}) {
    *list = list_copy(*list);
  }
  // What the steps put over the tables is counted for each by itself.
  own.together = new (palloc(sizeof(ExpressionSize))) ExpressionSize(*own.together);
  return own;
}

const LevelAggregates& Level::aggregates() {
  if (!aggregates_) aggregates_ = aggregates_of(query_);
  return *aggregates_;
}

void Level::shows(const LevelAggregates& noted) {
  aggregates_ = noted;
#ifdef USE_ASSERT_CHECKING
  const LevelAggregates shown = aggregates_of(query_);
  Assert(equal(noted.ours, shown.ours) && equal(noted.errors, shown.errors));
  Assert(equal(noted.groupings, shown.groupings) && equal(noted.ordinary, shown.ordinary));
#endif
}

bool Level::calls_aggregates() {
  if (!query_->hasAggs) return false;
  const LevelAggregates& found = aggregates();
  return found.ours != NIL || found.ordinary != NIL || found.errors != NIL;
}

void Level::assert_unchanged() const {
#ifdef USE_ASSERT_CHECKING
  if (collected_ == nullptr) return;
  Assert(equal(query_->jointree, collected_->jointree));
  Assert(equal(query_->rtable, collected_->rtable));
  Assert(equal(query_->cteList, collected_->cteList));
#endif
}

}  // namespace dp::guard
