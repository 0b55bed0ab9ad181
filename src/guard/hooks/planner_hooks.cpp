#include "guard/hooks/planner_hooks.h"

#include <utility>

#include "budget/ledger/counters.h"
#include "budget/ledger/lent_rows.h"
#include "guard/admission/evidence.h"
#include "guard/admission/refusal.h"
#include "guard/admission/values.h"
#include "guard/hooks/denied.h"
#include "guard/hooks/known_plans.h"
#include "guard/hooks/lent_rows.h"
#include "guard/hooks/strangers.h"
#include "guard/inner/inner_plan.h"
#include "guard/query/permissions.h"
#include "guard/query/settings.h"
#include "guard/relations/sql_functions.h"
#include "guard/release/release_node.h"
#include "guard/rewrite/empty_levels.h"
#include "guard/rewrite/free_levels.h"
#include "guard/rewrite/rewrite.h"
#include "guard/rewrite/traits.h"
#include "guard/tree/valid_tree.h"
#include "guard/unit_limit/over_shards.h"
#include "pg/joins.h"
#include "pg/statistics.h"

namespace dp::guard {
namespace {

planner_hook_type next_planner = standard_planner;
set_rel_pathlist_hook_type next_pathlist = nullptr;
get_relation_info_hook_type next_relation_info = nullptr;
get_relation_stats_hook_type next_statistics = nullptr;

// The private queries of the outer query that is being planned; nullptr while no outer query is. Planner calls nest,
// because planning may run functions that plan queries.
const InnerPlans* running = nullptr;

// Whether an inner query is being planned.
bool planning_inner = false;

// Hooks of other libraries, which are put away meanwhile: their planners have not seen the inner query, and may rely on
// having done so, as Citus does.
struct PathHooks {
  set_join_pathlist_hook_type joins = set_join_pathlist_hook;
  create_upper_paths_hook_type upper = create_upper_paths_hook;

  void put_back() const {
    set_join_pathlist_hook = joins;
    create_upper_paths_hook = upper;
  }
};
PathHooks put_away{nullptr, nullptr};

class Planning {
 public:
  explicit Planning(const InnerPlans* plans) : outer_(running), outer_inner_(planning_inner) {
    running = plans;
    planning_inner = plans == nullptr;
    if (planning_inner && !outer_inner_) put_away = outer_hooks_;
    if (planning_inner) PathHooks{nullptr, nullptr}.put_back();
    if (!planning_inner && outer_inner_) put_away.put_back();
  }
  ~Planning() {
    running = outer_;
    planning_inner = outer_inner_;
    outer_hooks_.put_back();
  }
  Planning(const Planning&) = delete;
  Planning& operator=(const Planning&) = delete;

 private:
  const InnerPlans* outer_;
  bool outer_inner_;
  PathHooks outer_hooks_;
};

// The statement that is being planned, for refusals and for whose permissions hold. Restores the outer one when it
// goes.
class PlannedStatement {
 public:
  PlannedStatement(const Query* query, const char* text)
      : outer_(std::exchange(refused_statement, {query, text})), outer_planned_(set_planned(query)) {}
  ~PlannedStatement() {
    refused_statement = outer_;
    set_planned(outer_planned_);
  }
  PlannedStatement(const PlannedStatement&) = delete;
  PlannedStatement& operator=(const PlannedStatement&) = delete;

 private:
  RefusedStatement outer_;
  const Query* outer_planned_;
};

void add_up_all_shards(const InnerQueries& inner_queries, const InnerPlans& plans) {
  ListCell* cell;
  foreach (cell, plans.replaced) {
    auto* const inner = lfirst_node(Query, cell);
    add_up_shards(inner, inner_queries.find(inner));
  }
}

PlannedStmt* plan_anew(Query* query, const char* text, int options, ParamListInfo parameters, bool* is_private) {
  return pg::entry([=]() -> PlannedStmt* {
    const PlannedStatement planned(query, text);
    auto* const global = makeNode(PlannerGlobal);
    InnerPlans inner;
    bool of_role = false;
    {
      const Planning planning(nullptr);
      const BoundParameters bound(parameters);
      pg::call([&] {
        budget::prepare_to_count();
        Traits traits = traits_of(query);
        if (traits.has_any(Trait::functions)) {
          inline_functions(query, global);
          traits = traits_of(query);
        }
        assert_valid(query, {}, "SQL functions put in their places");
        InnerQueries inner_queries;
        rewrite_private_queries(query, traits, &inner_queries);
        if (!inner_queries.empty()) require_evidence();
        replace_inner_queries(query, inner_queries, &inner);
        if (previews_are_empty()) empty_for_preview(query);
        refuse_denied(query);
        name_free_level(query);
        of_role = inner_queries.depends_on_role();
        if (traits.has_any(Trait::parts)) add_up_all_shards(inner_queries, inner);
        if (of_role) require_valid_queries(query, inner_queries, inner);
        assert_valid(query, {}, "the statement as it is planned");
        plan_inner_queries(inner_queries, text, options, parameters, &inner);
      });
    }
    const Planning planning(&inner);
    return pg::call([&] {
      // Not in parallel: they run while the statement starts.
      plan_public_subqueries(inner, [&](Query* subquery) {
        refuse_denied(subquery);
        return next_planner(subquery, text, 0, parameters);
      });
      PlannedStmt* const outer = next_planner(query, text, options, parameters);
      depend_on_inner_plans(inner, outer);
      outer->invalItems = list_concat(outer->invalItems, global->invalItems);
      outer->dependsOnRole = outer->dependsOnRole || global->dependsOnRole || of_role;
      *is_private = inner.queries != NIL;
      return outer;
    });
  });
}

// A statement that is none of ours, as it came. Where one of ours is being planned, none of its entries is looked for.
PlannedStmt* plan_strangers(Query* query, const char* text, int options, ParamListInfo parameters) {
  if (running == nullptr && !planning_inner) return next_planner(query, text, options, parameters);
  return pg::entry([=] {
    const InnerPlans none;
    const Planning planning(&none);
    return pg::call([=] { return next_planner(query, text, options, parameters); });
  });
}

// A planner of another library sees every query.
PlannedStmt* plan(Query* query, const char* text, int options, ParamListInfo parameters) {
  assert_valid(query, {}, "none: the statement as it came");
  if (budget::may_read_lent_rows()) {
    if (PlannedStmt* const lent = plan_lent_rows(query, text, options, parameters, next_planner)) return lent;
  }
  if (is_strangers(query)) return plan_strangers(query, text, options, parameters);
  bool is_private = false;
  if (next_planner != standard_planner) return plan_anew(query, text, options, parameters, &is_private);
  const AskedPlan asked = asked_plan(query, text, options, parameters);
  if (PlannedStmt* const known = find_known_plan(asked)) return known;
  Query* const copy = copy_to_keep(asked);
  PlannedStmt* const fresh = plan_anew(query, text, options, parameters, &is_private);
  if (is_private) keep_plan(asked, copy, fresh);
  return fresh;
}

// The planner's view of each table.
void look_at_table(PlannerInfo* root, Oid relation, bool inherited, RelOptInfo* table) {
  if (planning_inner) keep_admitted_indexes(table);
  if (planning_inner) pg::forget_not_null(table);
  if (planning_inner && table->fdwroutine != nullptr) keep_rows_elsewhere(table);
  if (next_relation_info != nullptr && !planning_inner) next_relation_info(root, relation, inherited, table);
}

// What the planner may know of an inner query's tables: the statistics of their columns.
//
// PostgreSQL keeps statistics from operators that are not leakproof where the role may not read the column, since such
// an operator could tell what they hold. So a role without SELECT got plans made of default estimates: a third of the
// rows for each comparison of a numeric. In an inner query there is no such operator: what is admitted raises no error
// for any value, messages are silenced while it is planned (query/silence.h), and its plan is shown to nobody
// who lacks SELECT.
//
// False where PostgreSQL's own rules are to hold: it is no table, or conditions of row security hide some of its rows.
bool find_statistics(const RangeTblEntry* table, AttrNumber column, VariableStatData* found) {
  if (table->rtekind != RTE_RELATION || table->securityQuals != NIL) return false;
  found->statsTuple =
      SearchSysCache3(STATRELATTINH, ObjectIdGetDatum(table->relid), Int16GetDatum(column), BoolGetDatum(table->inh));
  found->freefunc = ReleaseSysCache;
  found->acl_ok = true;
  return true;
}

bool look_up_statistics(PlannerInfo* root, RangeTblEntry* table, AttrNumber column, VariableStatData* found) {
  if (planning_inner) return find_statistics(table, column, found);
  return next_statistics != nullptr && next_statistics(root, table, column, found);
}

void set_pathlist(PlannerInfo* root, RelOptInfo* table, Index index, RangeTblEntry* entry) {
  if (next_pathlist != nullptr && !planning_inner) next_pathlist(root, table, index, entry);
  if (running == nullptr) return;
  if (PrivateQuery* const query = find_private_query(*running, entry)) set_release_path(root, table, query);
}

}  // namespace

void install_planner() {
  if (planner_hook != nullptr) next_planner = planner_hook;
  planner_hook = plan;
  next_relation_info = get_relation_info_hook;
  get_relation_info_hook = look_at_table;
  next_statistics = get_relation_stats_hook;
  get_relation_stats_hook = look_up_statistics;
  next_pathlist = set_rel_pathlist_hook;
  set_rel_pathlist_hook = set_pathlist;
  register_release_node();
}

}  // namespace dp::guard
