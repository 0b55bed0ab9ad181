#include "guard/query/private_query.h"

namespace dp::guard {
namespace {

constexpr char kName[] = "DpPrivateQuery";

void copy(ExtensibleNode* to, const ExtensibleNode* from) {
  const auto* const original = reinterpret_cast<const PrivateQuery*>(from);
  auto* const copied = reinterpret_cast<PrivateQuery*>(to);
  copied->core = original->core.copy();
  copied->plan = static_cast<PlannedStmt*>(copyObjectImpl(original->plan));
}

// Plans are not compared.
bool are_equal(const ExtensibleNode* one, const ExtensibleNode* other) { return one == other; }

void print(StringInfo, const ExtensibleNode*) {}

// Plans with it are never sent to other processes.
void read(ExtensibleNode*) { elog(ERROR, "the plan of a private query cannot be read"); }

constexpr ExtensibleNodeMethods kMethods = {kName, sizeof(PrivateQuery), copy, are_equal, print, read};

}  // namespace

PrivateQuery* make_private_query(const Core& core, PlannedStmt* plan) {
  auto* const query = static_cast<PrivateQuery*>(palloc0(sizeof(PrivateQuery)));
  NodeSetTag(query, T_ExtensibleNode);
  query->node.extnodename = kName;
  query->core = core;
  query->plan = plan;
  return query;
}

void register_private_query() { RegisterExtensibleNodeMethods(&kMethods); }

}  // namespace dp::guard
