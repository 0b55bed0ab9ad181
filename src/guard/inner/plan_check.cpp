#include "guard/inner/plan_check.h"

#include "budget/catalog/remembered.h"
#include "guard/admission/objects.h"
#include "guard/admission/refusal.h"
#include "guard/admission/total_windows.h"
#include "guard/inner/plan_columns.h"
#include "guard/inner/plan_expressions.h"
#include "guard/inner/shards.h"
#include "pg/execution.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

class PlanCheck {
 public:
  PlanCheck(const PlannedStmt* plan, const InnerQuery& inner_query, ParamListInfo values)
      : plan_(plan), inner_query_(inner_query), expressions_{inner_query.declared, values, nullptr} {}

  void check_tables(List* entries) const {
    ListCell* cell;
    foreach (cell, entries) {
      const auto* const entry = lfirst_node(RangeTblEntry, cell);
      if (entry->rtekind == RTE_RELATION && !list_member_oid(inner_query_.tables, entry->relid))
        refuse_table(entry->relid);
      // Conditions of security barriers need no check of their own: they are among the plan's conditions.
      if (entry->tablesample != nullptr) refuse_planned("TABLESAMPLE");
    }
  }

  void check(const Plan* plan) const {
    if (plan == nullptr) return;
    check_stack_depth();
    check_row(plan);
    PlanCheck here = *this;
    here.expressions_.node = plan;
    here.expressions(plan->targetlist);
    here.expressions(plan->qual);
    here.check_node(plan);
    check(plan->lefttree);
    check(plan->righttree);
  }

  void check_all(List* plans) const {
    ListCell* cell;
    foreach (cell, plans) check(static_cast<const Plan*>(lfirst(cell)));
  }

 private:
  template <class T>
  static const T* as(const Plan* plan) {
    return reinterpret_cast<const T*>(plan);
  }

  void expressions(List* list) const { expression(reinterpret_cast<Node*>(list)); }
  void expression(Node* node) const {
    check_columns(node, expressions_.node, {plan_, &inner_query_});
    check_planned(node, expressions_);
  }

  void operators(int count, const Oid* of) const {
    for (int i = 0; i < count; ++i) {
      if (!is_admitted_operator(of[i])) refuse_planned(psprintf("operator %s", format_operator(of[i])));
    }
  }
  void operators(List* of) const {
    ListCell* cell;
    foreach (cell, of) {
      const Oid op = lfirst_oid(cell);
      operators(1, &op);
    }
  }
  void collations(int count, const Oid* of) const {
    for (int i = 0; i < count; ++i) {
      if (!is_admitted_collation(of[i], inner_query_.declared)) refuse_planned(psprintf("collation %u", of[i]));
    }
  }
  void collations(List* of) const {
    ListCell* cell;
    foreach (cell, of) {
      const Oid collation = lfirst_oid(cell);
      collations(1, &collation);
    }
  }
  void order(int count, const Oid* by, const Oid* in) const {
    operators(count, by);
    collations(count, in);
  }

  [[noreturn]] static void refuse_table(Oid table) {
    const char* const name = get_rel_name(table);
    refuse_planned(psprintf("relation %s", name == nullptr ? "that was dropped" : name));
  }

  void index(Oid index) const {
    const Oid table = IndexGetRelation(index, true);
    if (!list_member_oid(inner_query_.tables, table)) refuse_table(index);
  }

  // Partition pruning, which compares values with the partitions' bounds.
  void pruning(const PartitionPruneInfo* info) const {
    if (info == nullptr) return;
    ListCell *hierarchy, *table, *step;
    foreach (hierarchy, info->prune_infos) {
      foreach (table, lfirst_node(List, hierarchy)) {
        const auto* const pruned = lfirst_node(PartitionedRelPruneInfo, table);
        foreach (step, list_concat_copy(pruned->initial_pruning_steps, pruned->exec_pruning_steps)) {
          if (!IsA(lfirst(step), PartitionPruneStepOp)) continue;
          const auto* const compared = lfirst_node(PartitionPruneStepOp, step);
          expressions(compared->exprs);
          ListCell* function;
          foreach (function, compared->cmpfns) {
            if (OidIsValid(lfirst_oid(function)) && !is_ordering_support(lfirst_oid(function))) {
              refuse_planned(psprintf("function %s", format_procedure(lfirst_oid(function))));
            }
          }
        }
      }
    }
  }

  void check_scan(const Plan* plan) const {
    switch (nodeTag(plan)) {
      case T_IndexScan: {
        const auto* const scan = as<IndexScan>(plan);
        index(scan->indexid);
        expressions(scan->indexqual);
        expressions(scan->indexqualorig);
        expressions(scan->indexorderby);
        operators(scan->indexorderbyops);
        break;
      }
      case T_IndexOnlyScan: {
        const auto* const scan = as<IndexOnlyScan>(plan);
        index(scan->indexid);
        expressions(scan->indexqual);
        expressions(scan->recheckqual);
        expressions(scan->indexorderby);
        break;
      }
      case T_BitmapIndexScan: {
        const auto* const scan = as<BitmapIndexScan>(plan);
        index(scan->indexid);
        expressions(scan->indexqual);
        expressions(scan->indexqualorig);
        break;
      }
      case T_BitmapHeapScan:
        expressions(as<BitmapHeapScan>(plan)->bitmapqualorig);
        break;
      case T_BitmapAnd:
        check_all(as<BitmapAnd>(plan)->bitmapplans);
        break;
      case T_BitmapOr:
        check_all(as<BitmapOr>(plan)->bitmapplans);
        break;
      default:
        break;
    }
  }

  void check_join(const Plan* plan) const {
    expressions(as<Join>(plan)->joinqual);
    switch (nodeTag(plan)) {
      case T_NestLoop: {
        ListCell* cell;
        foreach (cell, as<NestLoop>(plan)->nestParams) {
          expression(reinterpret_cast<Node*>(lfirst_node(NestLoopParam, cell)->paramval));
        }
        break;
      }
      case T_MergeJoin: {
        const auto* const join = as<MergeJoin>(plan);
        expressions(join->mergeclauses);
        collations(list_length(join->mergeclauses), join->mergeCollations);
        break;
      }
      default: {
        const auto* const join = as<HashJoin>(plan);
        expressions(join->hashclauses);
        expressions(join->hashkeys);
        operators(join->hashoperators);
        collations(join->hashcollations);
        break;
      }
    }
  }

  void check_append(const Plan* plan) const {
    if (IsA(plan, Append)) {
      pruning(pg::pruning_of(as<Append>(plan), plan_));
      return check_all(as<Append>(plan)->appendplans);
    }
    const auto* const merge = as<MergeAppend>(plan);
    pruning(pg::pruning_of(merge, plan_));
    order(merge->numCols, merge->sortOperators, merge->collations);
    check_all(merge->mergeplans);
  }

  // What the other server is asked is written from conditions that are checked here.
  void check_foreign(const ForeignScan* scan) const {
    require_admitted_scan(scan, plan_, inner_query_);
    expressions(scan->fdw_exprs);
    expressions(scan->fdw_recheck_quals);
    expressions(scan->fdw_scan_tlist);
  }

  void check_window(const WindowAgg* window) const {
    order(window->partNumCols, window->partOperators, window->partCollations);
    order(window->ordNumCols, window->ordOperators, window->ordCollations);
    check_own_columns(reinterpret_cast<Node*>(window->runCondition), &window->plan);
    check_planned(reinterpret_cast<Node*>(window->runCondition), expressions_);
    if (!is_total_frame(window->frameOptions, window->startOffset, window->endOffset, window->startInRangeFunc,
                        window->endInRangeFunc))
      refuse_planned("a window frame that can fail");
  }

  // The planner finds a smallest or largest value as the first one by an index. Of the list that stands for a
  // function's rows as many are read as there are (rewrite/spread_scans.h).
  void check_limit(const Limit* limit) const {
    auto* const count = limit->limitCount;
    if (limit->limitOffset == nullptr && count != nullptr) {
      if (IsA(count, Const)) return;
      if (IsA(limit->plan.lefttree, NamedTuplestoreScan)) return expression(count);
    }
    refuse_planned("LIMIT");
  }

  void check_node(const Plan* plan) const {
    switch (nodeTag(plan)) {
      case T_SeqScan:
      case T_IndexScan:
      case T_IndexOnlyScan:
      case T_BitmapIndexScan:
      case T_BitmapHeapScan:
      case T_BitmapAnd:
      case T_BitmapOr:
        return check_scan(plan);
      case T_NestLoop:
      case T_MergeJoin:
      case T_HashJoin:
        return check_join(plan);
      case T_Append:
      case T_MergeAppend:
        return check_append(plan);
      case T_ForeignScan:
        return check_foreign(as<ForeignScan>(plan));
      case T_Result:
        return expression(as<Result>(plan)->resconstantqual);
      case T_SubqueryScan:
        return check(as<SubqueryScan>(plan)->subplan);
      case T_Hash:
        return expressions(as<Hash>(plan)->hashkeys);
      case T_Memoize:
        operators(as<Memoize>(plan)->numKeys, as<Memoize>(plan)->hashOperators);
        collations(as<Memoize>(plan)->numKeys, as<Memoize>(plan)->collations);
        return expressions(as<Memoize>(plan)->param_exprs);
      case T_Sort:
      case T_IncrementalSort:
        return order(as<Sort>(plan)->numCols, as<Sort>(plan)->sortOperators, as<Sort>(plan)->collations);
      case T_GatherMerge:
        return order(as<GatherMerge>(plan)->numCols, as<GatherMerge>(plan)->sortOperators,
                     as<GatherMerge>(plan)->collations);
      case T_Group:
        return order(as<Group>(plan)->numCols, as<Group>(plan)->grpOperators, as<Group>(plan)->grpCollations);
      case T_Unique:
        return order(as<Unique>(plan)->numCols, as<Unique>(plan)->uniqOperators, as<Unique>(plan)->uniqCollations);
      case T_Agg:
        order(as<Agg>(plan)->numCols, as<Agg>(plan)->grpOperators, as<Agg>(plan)->grpCollations);
        return check_all(as<Agg>(plan)->chain);
      case T_Limit:
        return check_limit(as<Limit>(plan));
      case T_WindowAgg:
        return check_window(as<WindowAgg>(plan));
      case T_Gather:
      case T_Material:
      case T_NamedTuplestoreScan:  // rows of subqueries that are run by themselves: there are no others
        return;
      default:
        refuse_planned(psprintf("a node of kind %d", static_cast<int>(nodeTag(plan))));
    }
  }

  const PlannedStmt* plan_;
  const InnerQuery& inner_query_;
  PlannedExpressions expressions_;
};

bool collect_tables(Node* node, void* tables) {
  if (node == nullptr) return false;
  if (IsA(node, RangeTblEntry)) {
    const auto* const entry = castNode(RangeTblEntry, node);
    auto* const list = static_cast<List**>(tables);
    if (entry->rtekind != RTE_RELATION) return false;
    const bool with_tables_below = entry->inh && has_subclass(entry->relid);
    *list = list_concat_unique_oid(
        *list, with_tables_below ? find_all_inheritors(entry->relid, NoLock, nullptr) : list_make1_oid(entry->relid));
    return false;
  }
  if (IsA(node, Query)) {
    return pg::walk_query(castNode(Query, node), collect_tables, tables, QTW_EXAMINE_RTES_BEFORE);
  }
  return pg::walk(node, collect_tables, tables);
}

}  // namespace

List* tables_read(const Query* inner) {
  List* tables = NIL;
  collect_tables(reinterpret_cast<Node*>(const_cast<Query*>(inner)), &tables);
  return tables;
}

namespace {

void check_plan(const PlannedStmt* plan, const InnerQuery& inner_query, ParamListInfo values) {
  const PlanCheck check(plan, inner_query, values);
  check.check_tables(plan->rtable);
  check.check(plan->planTree);
  check.check_all(plan->subplans);
}

}  // namespace

void check_inner_plan(const PlannedStmt* plan, const InnerQuery& inner_query, ParamListInfo values) {
  static budget::Remembered<std::uint64_t, bool> checked;
  if (inner_query.number == 0 || values != nullptr) return check_plan(plan, inner_query, values);
  checked.get(inner_query.number, [&] {
    check_plan(plan, inner_query, values);
    return true;
  });
}

}  // namespace dp::guard
