#include "guard/split.h"

#include "guard/core.h"
#include "guard/fence.h"
#include "guard/post.h"
#include "guard/sources.h"

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

List* Core::to_nodes() const {
  List* const tables = lcons_oid(first.relation, lcons_oid(first.table, lcons_oid(first.subject, list_copy(partners))));
  List* of_keys = list_make5(keys, key_texts, key_columns, key_types, key_collations);
  of_keys = list_concat(of_keys, list_make5(key_tables, key_subjects, key_sizes, key_nulls, conditions));
  List* const of_unit =
      list_make3_int(static_cast<int>(unit.rows), static_cast<int>(unit.groups), static_cast<int>(unit.rows_per_group));
  List* rest = list_make4(list_make2_int(set_column, count_column), of_unit, once, policy);
  rest = lappend(rest, unit_text == nullptr ? nullptr : makeString(unit_text));
  rest = lappend(rest, facts);
  return list_concat(list_make5(tables, of_keys, masks, groupings, aggregates), rest);
}

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

Core Core::from_nodes(List* nodes) {
  const auto list = [](List* from, int i) { return static_cast<List*>(list_nth(from, i)); };
  List* const tables = list(nodes, 0);
  List* const of_keys = list(nodes, 1);
  const List* const columns = list(nodes, 5);
  const List* const of_unit = list(nodes, 6);
  const auto of_one = [of_unit](int i) { return static_cast<std::uint32_t>(list_nth_int(of_unit, i)); };
  return {.first = {list_nth_oid(tables, 0), list_nth_oid(tables, 1), list_nth_oid(tables, 2)},
          .partners = list_copy_tail(tables, 3),
          .policy = list(nodes, 8),
          .set_column = list_nth_int(columns, 0),
          .count_column = list_nth_int(columns, 1),
          .keys = list(of_keys, 0),
          .key_texts = list(of_keys, 1),
          .key_tables = list(of_keys, 5),
          .key_columns = list(of_keys, 2),
          .key_subjects = list(of_keys, 6),
          .key_sizes = list(of_keys, 7),
          .key_nulls = list(of_keys, 8),
          .key_types = list(of_keys, 3),
          .key_collations = list(of_keys, 4),
          .conditions = list(of_keys, 9),
          .facts = list(nodes, 10),
          .masks = list(nodes, 2),
          .groupings = list(nodes, 3),
          .aggregates = list(nodes, 4),
          .unit = {of_one(0), of_one(1), of_one(2)},
          .once = list(nodes, 7),
          .unit_text = list_nth(nodes, 9) == nullptr ? nullptr : strVal(list_nth(nodes, 9)),
          .constants = NIL};
}

void Cores::add(Query* core, const Core& what) {
  auto* const kept = static_cast<Core*>(palloc(sizeof(Core)));
  *kept = what;
  cores_ = lappend(cores_, kept);
  core->queryId = kMark | static_cast<uint64>(list_length(cores_));
}

const Core* Cores::find(const Query* query) const {
  const uint64 number = query->queryId & PG_UINT32_MAX;
  if ((query->queryId & ~static_cast<uint64>(PG_UINT32_MAX)) != kMark || number > static_cast<uint64>(list_length(cores_))) {
    return nullptr;
  }
  return static_cast<const Core*>(list_nth(cores_, static_cast<int>(number) - 1));
}

bool Cores::fenced() const {
  ListCell* cell;
  foreach (cell, cores_) {
    const auto* const core = static_cast<Core*>(lfirst(cell));
    for (int i = 0; i < core->protected_tables(); ++i) {
      const ProtectedTable table = core->protected_table(i);
      if (is_watched(table.table, OidIsValid(table.subject) ? table.subject : GetUserId())) return true;
    }
  }
  return false;
}

void split(Query* query, Cores* cores) {
  Splitting outermost{NIL, cores};
  split_below(reinterpret_cast<Node*>(query), &outermost);
}

}  // namespace dp::guard
