#include "guard/planner.h"

#include "guard/fence.h"
#include "guard/inlined.h"
#include "guard/refusal.h"
#include "guard/release_node.h"
#include "guard/split.h"

namespace dp::guard {
namespace {

planner_hook_type next_planner = standard_planner;
create_upper_paths_hook_type next_upper_paths = nullptr;
get_relation_info_hook_type next_relation_info = nullptr;

// The cores of the planner call that is running; calls nest where planning runs functions.
const Cores* running = nullptr;

// While cores are planned, final functions must not move into parallel workers, as they would for each partition.
class Planning {
 public:
  explicit Planning(const Cores* cores) : outer_(running), partitionwise_(enable_partitionwise_aggregate) {
    running = cores;
    if (!cores->empty()) enable_partitionwise_aggregate = false;
  }
  ~Planning() {
    enable_partitionwise_aggregate = partitionwise_;
    running = outer_;
  }
  Planning(const Planning&) = delete;
  Planning& operator=(const Planning&) = delete;

 private:
  const Cores* outer_;
  bool partitionwise_;
};

PlannedStmt* plan(Query* query, const char* text, int options, ParamListInfo parameters) {
  return pg::entry([=]() -> PlannedStmt* {
    const PlannedText planned_text(text);
    return pg::call([=]() -> PlannedStmt* {
      auto* const global = makeNode(PlannerGlobal);
      inline_functions(query, parameters, global);
      Cores cores;
      split(query, &cores);
      // Nothing with a destructor may stand between this call and the planner's errors, but for what pg::call guards.
      return pg::entry([&]() -> PlannedStmt* {
        const bool fenced = cores.fenced();
        check_session(fenced);
        const Planning planning(&cores);
        const Silence silence(fenced);
        PlannedStmt* const plan = pg::call([&] { return next_planner(query, text, options, parameters); });
        // Again: planning runs immutable functions, which may have changed settings.
        pg::call([fenced] { check_session(fenced); });
        plan->invalItems = list_concat(plan->invalItems, global->invalItems);
        plan->dependsOnRole = plan->dependsOnRole || global->dependsOnRole || !cores.empty();
        return plan;
      });
    });
  });
}

// Again for each table of a core: planning what stands above it may have run a function that changed the setting.
void look_at_table(PlannerInfo* root, Oid relation, bool inherited, RelOptInfo* table) {
  if (next_relation_info != nullptr) next_relation_info(root, relation, inherited, table);
  if (running != nullptr && running->find(root->parse) != nullptr) enable_partitionwise_aggregate = false;
}

Path* cheapest(List* paths) {
  Path* best = nullptr;
  ListCell* cell;
  foreach (cell, paths) {
    auto* const path = static_cast<Path*>(lfirst(cell));
    if (best == nullptr || path->total_cost < best->total_cost) best = path;
  }
  return best;
}

// The order in which groups leave; NIL where the planner has no word for it.
List* group_order(PlannerInfo* root) {
  if (root->parse->groupingSets != NIL) return NIL;
  return make_pathkeys_for_sortclauses(root, root->parse->groupClause, root->processed_tlist);
}

// How wide values are was found out from rows. What stands above is planned by the types alone: widths are shown, and choose plans.
void forget_widths(PlannerInfo* root) {
  for (int i = 1; i < root->simple_rel_array_size; ++i) {
    RelOptInfo* const table = root->simple_rel_array[i];
    if (table == nullptr) continue;
    const RangeTblEntry* const entry = root->simple_rte_array[i];
    for (int column = Max(table->min_attr, 1); column <= table->max_attr; ++column) {
      Oid type, collation;
      int32 modifier;
      if (entry->rtekind == RTE_SUBQUERY) {
        const auto* const shown = list_nth_node(TargetEntry, entry->subquery->targetList, column - 1);
        type = exprType(reinterpret_cast<Node*>(shown->expr));
        modifier = exprTypmod(reinterpret_cast<Node*>(shown->expr));
      } else {
        get_atttypetypmodcoll(entry->relid, static_cast<AttrNumber>(column), &type, &modifier, &collation);
      }
      table->attr_widths[column - table->min_attr] = OidIsValid(type) ? get_typavgwidth(type, modifier) : 0;
    }
  }
}

// EXPLAIN (VERBOSE) names the tables that a node of the plan scans: without this, where the planner drops a node, a column would be
// shown without its table, and so tell which plan it is.
RelOptInfo* with_tables(PlannerInfo* root, const RelOptInfo* rel) {
  auto* const copy = makeNode(RelOptInfo);
  *copy = *rel;
  copy->relids = bms_add_range(nullptr, 1, list_length(root->parse->rtable));
  return copy;
}

void add_upper_paths(PlannerInfo* root, UpperRelationKind stage, RelOptInfo* input, RelOptInfo* output, void* extra) {
  if (next_upper_paths != nullptr) next_upper_paths(root, stage, input, output, extra);
  if (stage != UPPERREL_FINAL || running == nullptr) return;
  const Core* const core = running->find(root->parse);
  if (core == nullptr) return;
  Path* const path = cheapest(output->pathlist);
  forget_widths(root);
  output->pathlist = list_make1(release_path(with_tables(root, output), path, *core, group_order(root)));
  output->partial_pathlist = NIL;
  output->consider_parallel = false;
}

}  // namespace

void install_planner() {
  if (planner_hook != nullptr) next_planner = planner_hook;
  planner_hook = plan;
  next_relation_info = get_relation_info_hook;
  get_relation_info_hook = look_at_table;
  next_upper_paths = create_upper_paths_hook;
  create_upper_paths_hook = add_upper_paths;
  register_release_node();
}

}  // namespace dp::guard
