#include "guard/release/release_start.h"

#include <algorithm>
#include <span>
#include <utility>

#include "aggregate/call/prepare_plan.h"
#include "budget/policy/blocks.h"
#include "budget/policy/publishing.h"
#include "budget/release/stored_numbers.h"
#include "guard/admission/collations.h"
#include "guard/admission/values.h"
#include "guard/inner/inner_run.h"
#include "guard/inner/other_owners.h"
#include "guard/inner/plan_check.h"
#include "guard/inner/public_rows_run.h"
#include "guard/inner/shards.h"
#include "guard/query/permissions.h"
#include "guard/query/plan_dependencies.h"
#include "guard/query/settings.h"
#include "guard/query/silence.h"
#include "guard/relations/protected_tables.h"
#include "guard/release/error_columns.h"
#include "guard/release/group_curves.h"
#include "guard/release/shown_groups.h"
#include "guard/rewrite/row_bounds.h"
#include "pg/errors.h"

namespace dp::guard {
namespace {

// Relaxing charges the accounts of one role. Groups without answers are not kept, for they were chosen once and for
// all; nor is what is published.
std::int64_t draws_to_keep(const ReleaseNode& node) {
  if (budget::publishing() != nullptr) return 0;
  if (node.inner_query.aggregates == NIL || !node.has_one_role()) return 0;
  // Finer levels would have to be charged elsewhere, too.
  if (reads_other_owners(node.planned()->plan, node.inner_query)) return 0;
  return std::min(kept_draws(), budget::room_for_numbers(node.roles[0]));
}

// The column of the inner query that holds the answer of that aggregate.
AttrNumber column_of(const QueryDesc* inner, const aggregate::Call& call) {
  ListCell* cell;
  foreach (cell, inner->planstate->plan->targetlist) {
    const auto* const entry = static_cast<TargetEntry*>(lfirst(cell));
    if (IsA(entry->expr, Aggref) && castNode(Aggref, entry->expr)->aggno == call.column) return entry->resno;
  }
  elog(ERROR, "an aggregate of a private query is missing in its plan");
  pg_unreachable();
}

void find_roles(ReleaseNode* node, const PlannedStmt* plan) {
  const int tables = node->inner_query.protected_tables();
  node->roles = static_cast<Oid*>(palloc(sizeof(Oid) * static_cast<Size>(tables)));
  for (int i = 0; i < tables; ++i) {
    const ProtectedTable table = node->inner_query.protected_table(i);
    node->roles[i] = asking_role(table.subject, plan);
    node->watched = node->watched || is_watched(table.table, node->roles[i]);
  }
  ListCell* cell;
  foreach (cell, node->inner_query.path_tables)
    node->watched = node->watched || is_watched(lfirst_oid(cell), node->roles[0]);
}

// Whether all that its question depends on is known.
bool knows_question(const ReleaseNode& node) { return !node.waits() && node.knows_rows; }

// Whether which groups there are, and how many, is known only when it is worked out: else they are counted beforehand.
bool has_computed_keys(const InnerQuery& inner_query) {
  ListCell* cell;
  foreach (cell, inner_query.keys) {
    const auto& key = *static_cast<const GroupKey*>(lfirst(cell));
    if (key.image != NIL || key.subquery > 0) return true;
  }
  return false;
}

// Whether the values of public keys are read. EXPLAIN does so where an answer may be stored, or where there may be too
// many of them, or where their number decides how they are answered.
bool reads_values(const ReleaseNode& node, int flags) {
  if (!knows_question(node)) return false;
  if (node.inner_query.curves != NIL) return true;
  return (flags & EXEC_FLAG_EXPLAIN_ONLY) == 0 || stores_answers(node) || has_computed_keys(node.inner_query);
}

// An executor has opened what its plan can read, of all its parts, and not what was left out.
List* opened_blocks(const EState* started, Oid table) {
  List* blocks = NIL;
  for (Index i = 0; i < started->es_range_table_size; ++i) {
    Relation const opened = started->es_relations[i];
    if (opened == nullptr || opened->rd_rel->relkind == RELKIND_PARTITIONED_TABLE) continue;
    const auto protection = budget::protection_of(RelationGetRelid(opened));
    if (protection && protection->relation == table) blocks = list_append_unique_oid(blocks, RelationGetRelid(opened));
  }
  return blocks;
}

[[noreturn]] void refuse_nothing(Oid table) {
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("the conditions leave no partition of table %s to ask about", get_rel_name(table)),
                  errdetail("Its partitions have a budget each, and none of them would be charged."),
                  errhint("SELECT block, bounds FROM dp.blocks; shows where rows can lie.")));
  pg_unreachable();
}

// What the answers of an inner query are charged to: for each of its protected tables a List*, oid: the table itself,
// or where its partitions have a budget each, those that the execution has opened. Which these are follows from
// conditions and bounds alone: a partition is left out where PostgreSQL has shown from them that none of its rows can
// satisfy the conditions, so nothing of it changes the answers. 22023 where that is so of all. `started`: the inner
// query's execution; nullptr: its conditions are not all known, and any partition may be read.
List* blocks_read(const InnerQuery& inner_query, std::span<const CurrentPrice> prices, const EState* started) {
  List* all = NIL;
  for (int i = 0; i < inner_query.protected_tables(); ++i) {
    const Oid table = inner_query.protected_table(i).relation;
    List* blocks = list_make1_oid(table);
    if (prices[static_cast<std::size_t>(i)].blocks) {
      budget::require_kept_blocks(table, budget::protection_of(table)->unit);
      blocks = started != nullptr ? opened_blocks(started, table) : budget::blocks_of(table);
      if (blocks == NIL) refuse_nothing(table);
    }
    all = lappend(all, blocks);
  }
  return all;
}

// Of its protected tables.
std::span<const CurrentPrice> prices_now(const InnerQuery& inner_query) {
  const auto tables = static_cast<std::size_t>(inner_query.protected_tables());
  auto* const prices = static_cast<CurrentPrice*>(palloc(sizeof(CurrentPrice) * tables));
  for (std::size_t i = 0; i < tables; ++i) prices[i] = current_price(inner_query, static_cast<int>(i));
  return {prices, tables};
}

struct Start {
  ReleaseNode* node;
  int flags;
};

// In the memory of the query.
void start(void* as) {
  auto [node, flags] = *static_cast<const Start*>(as);
  EState* const estate = node->css.ss.ps.state;
  const PrivateQuery* const query = node->planned();
  if (!knows_question(*node)) flags |= EXEC_FLAG_EXPLAIN_ONLY;
  require_same_dependencies(node->inner_query);
  open_collations(node->inner_query.collations);
  open_toast_tables(node->inner_query.tables);
  node->values = evaluate_values(node->inner_query, node->compared, &node->css.ss.ps, query->plan->parallelModeNeeded);
  if (node->rows != nullptr) tell_rows_to(node->values, node->inner_query, node->rows);
  if (node->inner_query.row_bounds != NIL) tell_row_bounds(node->values, node->inner_query, node->rows);
  check_inner_plan(query->plan, node->inner_query, node->values);
  const int subqueries = list_length(node->inner_query.subqueries);
  QueryEnvironment* const rows = subqueries > 0 ? environment_of(node->rows, subqueries) : nullptr;
  // Who may not see the plan may not see measures of it either, which a hook may have asked for.
  node->inner = start_with_scans_later(query->plan, [&] {
    return begin_inner_query(with_permissions(query->plan, node->inner_query, estate->es_plannedstmt), estate,
                             node->values, rows, flags, node->watched ? 0 : estate->es_instrument);
  });
  const std::span<const CurrentPrice> prices = prices_now(node->inner_query);
  node->blocks = blocks_read(node->inner_query, prices, knows_question(*node) ? node->inner->estate : nullptr);
  node->shape = CreateTupleDescCopy(node->inner->tupDesc);
  pg::entry([&] {
    node->gate = new (palloc(sizeof(ReleaseGate)))
        ReleaseGate(&node->inner_query, draws_to_keep(*node), Counting::of(node->inner_query, prices, node->roles));
    aggregate::prepare(node->inner->planstate, node->gate);
    node->gate->count_in_stream();
    node->by_group = node->gate->size() > 0 && aggregate::is_by_group(node->gate->call(0));
    const budget::Amount& by_itself = node->inner_query.selection;
    node->groups =
        new (palloc(sizeof(Groups))) Groups(node->inner_query, by_itself.zero() ? prices.front().selection : by_itself);
    const Oid asker = asking_role(InvalidOid, estate->es_plannedstmt);
    if (reads_values(*node, flags)) {
      node->groups->load(node->inner_query, asker, node->rows, node->inner->estate, node->compared == NIL);
    } else {
      node->groups->require_public(node->inner_query, asker);
    }
    if (!node->waits() && node->answers_by_group()) {
      const auto* const places = new (palloc(sizeof(ShownGroups))) ShownGroups(node->groups);
      aggregate::set_groups(node->gate->call(0), *places, node->groups->combinations());
      // Without their keys workers could not tell groups apart: the leader runs the plan alone.
      if (reads_values(*node, flags) && !node->groups->send_keys(node->values))
        node->inner->plannedstmt->parallelModeNeeded = false;
    }
  });
  const int aggregates = list_length(node->inner_query.aggregates);
  if (node->gate->size() != aggregates) {
    elog(ERROR, "a private query has %d aggregates, its plan %d", aggregates, node->gate->size());
  }
  node->columns = static_cast<AttrNumber*>(palloc(sizeof(AttrNumber) * static_cast<Size>(aggregates)));
  for (int i = 0; i < aggregates; ++i) node->columns[i] = column_of(node->inner, node->gate->call(i));
  pg::entry([=] {
    if (node->inner_query.errors != NIL) check_confidences(*node);
    node->curves = node->inner_query.curves != NIL && reads_values(*node, flags) ? GroupCurves::of(node) : nullptr;
    node->price = node->cost();
    // EXPLAIN and previews price nothing that cannot be charged.
    if (!node->price.losses.bounded()) budget::require_counted(budget::entries_of(node->charges(0)));
    if (reads_values(*node, flags)) look_for_answer(node);
  });
}

}  // namespace

void begin_release(ReleaseNode* node, int flags) {
  EState* const estate = node->css.ss.ps.state;
  find_roles(node, estate->es_plannedstmt);
  if (node->watched) begin_watched(estate, flags);
  Start as{node, flags};
  below_the_noise(node->watched, start, &as);
}

void ask_first(ReleaseNode* node) {
  if (!node->waits()) return;
  MemoryContext const outer = MemoryContextSwitchTo(node->css.ss.ps.state->es_query_cxt);
  List* compared = NIL;
  ListCell* cell;
  foreach (cell, castNode(CustomScan, node->css.ss.ps.plan)->custom_exprs)
    compared = lappend(compared, value_now(static_cast<Expr*>(lfirst(cell)), &node->css.ss.ps));
  start_with(node, compared);
  MemoryContextSwitchTo(outer);
}

void start_with(ReleaseNode* node, List* compared) {
  EState* const estate = node->css.ss.ps.state;
  const budget::Amount price = node->price;
  node->compared = compared;
  end_inner(node);
  node->gate->end();
  Start as{node, estate->es_top_eflags};
  below_the_noise(node->watched, start, &as);
  const budget::Amount& now = node->price;
  // It depends on no answer, but a curator may have changed it since the execution began.
  if (now.epsilon != price.epsilon || now.delta != price.delta) {
    ereport(ERROR, (errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
                    errmsg("the price of a private query has changed since its execution began"),
                    errdetail("What it compares with was asked for at the price that was known then."),
                    errhint("Run the query again.")));
  }
}

void end_inner(ReleaseNode* node) {
  const auto end = [](void* inner) { end_inner_query(static_cast<QueryDesc*>(inner)); };
  below_the_noise(node->watched, end, std::exchange(node->inner, nullptr));
}

}  // namespace dp::guard
