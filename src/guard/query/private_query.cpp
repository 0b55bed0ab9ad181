#include "guard/query/private_query.h"

#include <algorithm>

#include "guard/query/plan_dependencies.h"
#include "guard/tree/query_marks.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

constexpr char kName[] = "DpPrivateQuery";

void copy(ExtensibleNode* to, const ExtensibleNode* from) {
  const auto* const original = reinterpret_cast<const PrivateQuery*>(from);
  auto* const copied = reinterpret_cast<PrivateQuery*>(to);
  copied->inner_query = original->inner_query.copy();
  copied->plan = static_cast<PlannedStmt*>(copyObjectImpl(original->plan));
}

// Plans are not compared.
bool are_equal(const ExtensibleNode* one, const ExtensibleNode* other) { return one == other; }

void print(StringInfo, const ExtensibleNode*) {}

// Plans with it are never sent to other processes.
void read(ExtensibleNode*) { elog(ERROR, "the plan of a private query cannot be read"); }

constexpr ExtensibleNodeMethods kMethods = {kName, sizeof(PrivateQuery), copy, are_equal, print, read};

}  // namespace

ProtectedTable InnerQuery::partner(int i) const {
  const auto oid = [&](int number) { return list_nth_oid(partners, 3 * (i - 1) + number); };
  return {oid(0), oid(1), oid(2)};
}

mechanism::Contribution InnerQuery::contribution(int aggregate) const {
  if (list_member_int(once, aggregate)) {
    const std::uint32_t groups = chooses_limits() ? unit.groups : Min(unit.rows, unit.groups);
    return {groups, groups, 1};
  }
  const auto values = distinct == NIL ? 0u : static_cast<std::uint32_t>(list_nth_int(distinct, aggregate));
  if (values == 0) return unit;
  // In each of its groups a unit adds each value once.
  const auto in_all = std::min<std::uint64_t>(unit.rows, std::uint64_t{unit.groups} * values);
  return {static_cast<std::uint32_t>(in_all), unit.groups, std::min(unit.rows_per_group, values)};
}

bool InnerQuery::limits_each_aggregate() const { return limits == NIL || chooses_limits(); }

List* InnerQuery::protected_relations() const {
  List* relations = NIL;
  for (int i = 0; i < protected_tables(); ++i)
    relations = list_append_unique_oid(relations, protected_table(i).relation);
  return relations;
}

List* InnerQuery::key_names() const {
  List* names = NIL;
  ListCell* cell;
  foreach (cell, keys)
    names = lappend(names, makeString(const_cast<char*>(static_cast<const GroupKey*>(lfirst(cell))->name)));
  return names;
}

InnerQuery InnerQuery::copy() const {
  InnerQuery copied = *this;
  for (List** const list :
       {&copied.partners,   &copied.path_tables,     &copied.policy,     &copied.dependencies, &copied.conditions,
        &copied.masks,      &copied.groupings,       &copied.aggregates, &copied.limits,       &copied.once,
        &copied.parameters, &copied.deferred_checks, &copied.collations, &copied.declared,     &copied.tables,
        &copied.bounds,     &copied.errors,          &copied.subqueries, &copied.answers,      &copied.distinct,
        &copied.row_bounds, &copied.failing,         &copied.shared,     &copied.families,     &copied.arms,
        &copied.open,       &copied.dependent_keys,  &copied.curves,     &copied.same_rows}) {
    *list = static_cast<List*>(copyObjectImpl(*list));
  }
  copied.keys = copied.protections = NIL;
  ListCell* cell;
  foreach (cell, keys) copied.keys = lappend(copied.keys, static_cast<const GroupKey*>(lfirst(cell))->copy());
  copied.question = static_cast<Query*>(copyObjectImpl(question));
  if (unit_text != nullptr) copied.unit_text = pstrdup(unit_text);
  if (fitted != nullptr) copied.fitted = pstrdup(fitted);
  return copied;
}

void InnerQueries::add(Query* inner_query, const InnerQuery& what) {
  auto* const kept = static_cast<InnerQuery*>(palloc(sizeof(InnerQuery)));
  *kept = what;
  inner_queries_ = lappend(inner_queries_, kept);
  mark(inner_query, Mark::inner_query, static_cast<std::uint32_t>(list_length(inner_queries_)));
}

InnerQuery* InnerQueries::find_marked(const Query* query) const {
  const int number = static_cast<int>(number_of_mark(query, Mark::inner_query));
  return number >= 1 && number <= list_length(inner_queries_)
             ? static_cast<InnerQuery*>(list_nth(inner_queries_, number - 1))
             : nullptr;
}

static bool forget_query_ids_below(Node* node, void*) {
  if (node == nullptr) return false;
  if (!IsA(node, Query)) return pg::walk(node, forget_query_ids_below, nullptr);
  mark(castNode(Query, node), Mark::none);
  return pg::walk_query(castNode(Query, node), forget_query_ids_below, nullptr, 0);
}

void forget_query_ids(Query* query) { pg::walk_query(query, forget_query_ids_below, nullptr, 0); }

PrivateQuery* make_private_query(const InnerQuery& inner_query, PlannedStmt* plan) {
  auto* const query = static_cast<PrivateQuery*>(palloc0(sizeof(PrivateQuery)));
  NodeSetTag(query, T_ExtensibleNode);
  query->node.extnodename = kName;
  static std::uint64_t last_number = 0;
  query->inner_query = inner_query;
  query->inner_query.number = ++last_number;
  remember_dependencies(query->inner_query);
  query->plan = plan;
  return query;
}

void register_private_query() { RegisterExtensibleNodeMethods(&kMethods); }

}  // namespace dp::guard
