#include "guard/rewrite/rewrite.h"

#include "guard/rewrite/inner_builder.h"
#include "guard/rewrite/outer_query.h"
#include "guard/rewrite/from_clause.h"

namespace dp::guard {
namespace {

// The queryId of cores: the high half says that it is one, the low half which.
constexpr uint64 kMark = UINT64CONST(0x64705f72) << 32;

struct Splitting {
  List* levels;  // the queries around the current node, innermost first
  Cores* cores;
};

bool holds_core(Node* node, void* cores) {
  if (node == nullptr) return false;
  if (IsA(node, Query)) {
    auto* const query = castNode(Query, node);
    if (static_cast<const Cores*>(cores)->find(query) != nullptr) return true;
    return query_tree_walker(query, reinterpret_cast<bool (*)()>(holds_core), cores, 0);
  }
  return expression_tree_walker(node, reinterpret_cast<bool (*)()>(holds_core), cores);
}

// What the planner may make several copies of, though it holds a core, is kept from that: each copy would be a draw and a charge.
void fence(Query* query, bool top, Cores* cores) {
  ListCell* cell;
  foreach (cell, query->cteList) {
    auto* const cte = static_cast<CommonTableExpr*>(lfirst(cell));
    if (holds_core(cte->ctequery, cores)) cte->ctematerialized = CTEMaterializeAlways;
  }
  if (top || query->limitOffset != nullptr || !holds_core(reinterpret_cast<Node*>(query->targetList), cores)) return;
  query->limitOffset = reinterpret_cast<Node*>(
      makeConst(INT8OID, -1, InvalidOid, sizeof(int64), Int64GetDatum(0), false, FLOAT8PASSBYVAL));
}

bool split_below(Node* node, void* context) {
  if (node == nullptr) return false;
  if (!IsA(node, Query)) return expression_tree_walker(node, reinterpret_cast<bool (*)()>(split_below), context);
  auto* const query = castNode(Query, node);
  const auto& outer = *static_cast<const Splitting*>(context);
  Splitting inner{around(query, outer.levels), outer.cores};
  // CTEs first: who reads one must find it split.
  split_below(reinterpret_cast<Node*>(query->cteList), &inner);
  query_tree_walker(query, reinterpret_cast<bool (*)()>(split_below), &inner, QTW_IGNORE_CTE_SUBQUERIES);
  if (query->hasAggs) flatten_joins(query);
  if (const auto core = make_core(query, inner.levels, *inner.cores)) {
    forget_from_items(query, inner.levels);
    make_post(query, *core);
    inner.cores->add(core->query, core->what);
  }
  fence(query, outer.levels == NIL, inner.cores);
  return false;
}

}  // namespace

ProtectedTable Core::protected_table(int i) const {
  if (i == 0) return first;
  const auto oid = [&](int number) { return list_nth_oid(partners, 3 * (i - 1) + number); };
  return {oid(0), oid(1), oid(2)};
}

mechanism::Contribution Core::contribution(int aggregate) const {
  if (!list_member_int(once, aggregate)) return unit;
  const std::uint32_t groups = Min(unit.rows, unit.groups);
  return {groups, groups, 1};
}

Core Core::copy() const {
  Core copied = *this;
  for (List** const list : {&copied.partners, &copied.policy, &copied.facts, &copied.keys, &copied.key_texts, &copied.key_tables,
                            &copied.key_columns, &copied.key_subjects, &copied.key_sizes, &copied.key_nulls, &copied.key_types,
                            &copied.key_collations, &copied.conditions, &copied.masks,
                            &copied.groupings, &copied.aggregates, &copied.once, &copied.values, &copied.judged, &copied.collations,
                            &copied.declared, &copied.tables}) {
    *list = static_cast<List*>(copyObjectImpl(*list));
  }
  if (unit_text != nullptr) copied.unit_text = pstrdup(unit_text);
  return copied;
}

void Cores::add(Query* core, const Core& what) {
  auto* const kept = static_cast<Core*>(palloc(sizeof(Core)));
  *kept = what;
  cores_ = lappend(cores_, kept);
  core->queryId = kMark | static_cast<uint64>(list_length(cores_));
}

Core* Cores::find(const Query* query) const {
  const uint64 number = query->queryId & PG_UINT32_MAX;
  if ((query->queryId & ~static_cast<uint64>(PG_UINT32_MAX)) != kMark || number > static_cast<uint64>(list_length(cores_))) {
    return nullptr;
  }
  return static_cast<Core*>(list_nth(cores_, static_cast<int>(number) - 1));
}

void split(Query* query, Cores* cores) {
  Splitting outermost{NIL, cores};
  split_below(reinterpret_cast<Node*>(query), &outermost);
}

}  // namespace dp::guard
