#include "guard/inner/inner_plan.h"

#include "guard/admission/row_limits.h"
#include "guard/inner/plan_check.h"
#include "guard/inner/plan_expressions.h"
#include "guard/inner/quiet.h"
#include "guard/inner/server_settings.h"
#include "guard/inner/shard_paths.h"
#include "guard/query/permissions.h"
#include "guard/query/private_query.h"
#include "guard/query/public_rows.h"
#include "guard/query/silence.h"
#include "guard/tree/by_number.h"
#include "guard/tree/columns.h"
#include "guard/tree/entries.h"
#include "guard/tree/query_marks.h"
#include "guard/tree/valid_tree.h"
#include "pg/errors.h"
#include "pg/joins.h"
#include "pg/nodes.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// The name of the stand-in's table; its number follows. No SQL can give a table in FROM such a name.
constexpr char kStandIn[] = "DpPrivateQuery ";

struct Replacing {
  const InnerQueries* inner_queries;
  InnerPlans* plans;
  List* around;  // Query: around the current node, whose WITH it may read
};

// -1: the entry is none.
int number_of_stand_in(const RangeTblEntry* entry) {
  if (entry->rtekind != RTE_VALUES || entry->enrname == nullptr) return -1;
  if (strncmp(entry->enrname, kStandIn, sizeof kStandIn - 1) != 0) return -1;
  return pg_strtoint32(entry->enrname + sizeof kStandIn - 1);
}

// SELECT v.* FROM (VALUES (NULL, ...), (NULL, ...)) AS v OFFSET 0. Two rows, because the planner would make constants
// of one; OFFSET keeps the conditions of the outer query outside. In the first row stand, behind the columns, the
// answers that the inner query compares with, so that the planner makes of each what computes it once.
Query* stand_in(const Query* inner, List* answers, int number) {
  auto* const values = makeNode(RangeTblEntry);
  Query* const query = pg::select_from(values);
  List* row = NIL;
  List* names = NIL;
  ListCell* cell;
  foreach (cell, inner->targetList) {
    const auto* const entry = lfirst_node(TargetEntry, cell);
    auto* const shown = reinterpret_cast<Node*>(entry->expr);
    const Oid type = exprType(shown), collation = exprCollation(shown);
    const int32 modifier = exprTypmod(shown);
    row = lappend(row, makeNullConst(type, modifier, collation));
    values->coltypes = lappend_oid(values->coltypes, type);
    values->coltypmods = lappend_int(values->coltypmods, modifier);
    values->colcollations = lappend_oid(values->colcollations, collation);
    names = lappend(names, makeString(pstrdup(entry->resname)));
    Var* const column = column_of_type(1, entry->resno, type, modifier, collation);
    query->targetList = lappend(query->targetList, makeTargetEntry(reinterpret_cast<Expr*>(column), entry->resno,
                                                                   pstrdup(entry->resname), false));
  }
  auto* second = static_cast<List*>(copyObjectImpl(row));
  foreach (cell, answers) {
    auto* const answer = static_cast<Node*>(lfirst(cell));
    values->coltypes = lappend_oid(values->coltypes, exprType(answer));
    values->coltypmods = lappend_int(values->coltypmods, exprTypmod(answer));
    values->colcollations = lappend_oid(values->colcollations, exprCollation(answer));
    names = lappend(names, makeString(psprintf("compared%d", foreach_current_index(cell) + 1)));
    row = lappend(row, answer);
    second = lappend(second, makeNullConst(exprType(answer), exprTypmod(answer), exprCollation(answer)));
    query->hasSubLinks = true;
  }
  values->rtekind = RTE_VALUES;
  values->values_lists = list_make2(row, second);
  values->eref = makeAlias("core", names);
  values->enrname = psprintf("%s%d", kStandIn, number);
  values->inFromCl = true;
  query->limitOffset = reinterpret_cast<Node*>(pg::int8_constant(0));
  return query;
}

// Whether somebody who sees the plan or the messages may not read one of the tables.
bool somebody_watches(const InnerQuery& inner_query) {
  for (int i = 0; i < inner_query.protected_tables(); ++i) {
    const ProtectedTable table = inner_query.protected_table(i);
    if (is_watched(table.table, OidIsValid(table.subject) ? table.subject : GetUserId())) return true;
  }
  ListCell* cell;
  foreach (cell, inner_query.path_tables) {
    if (is_watched(lfirst_oid(cell), GetUserId())) return true;
  }
  return false;
}

// Values of the inner query's parameters as far as they are known, for the planner's estimates alone.
ParamListInfo estimated_values(const InnerQuery& inner_query, ParamListInfo parameters) {
  auto* const root = makeNode(PlannerInfo);
  root->glob = makeNode(PlannerGlobal);
  root->glob->boundParams = parameters;
  ParamListInfo const values = makeParamList(list_length(inner_query.parameters));
  memset(values->params, 0, sizeof(ParamExternData) * static_cast<Size>(values->numParams));
  ListCell* cell;
  foreach (cell, inner_query.parameters) {
    Node* const value = estimate_expression_value(root, static_cast<Node*>(lfirst(cell)));
    if (!IsA(value, Const)) continue;
    const auto* const constant = castNode(Const, value);
    values->params[foreach_current_index(cell)] = {constant->constvalue, constant->constisnull, 0, constant->consttype};
  }
  return values;
}

// The inner query that is being planned.
const InnerQuery* planned_inner_query = nullptr;

PlannedStmt* plan(Query* inner, const InnerQuery& inner_query, const char* text, int options,
                  ParamListInfo parameters) {
  require_possible_rows(inner, inner_query);
  planned_inner_query = &inner_query;
  return pg::entry([&] {
    const bool watched = somebody_watches(inner_query);
    const ServerSettings settings(watched);
    const Silence silence(watched);
    mark(inner, Mark::none);
    return pg::call([&] {
      pg::say_nullable(inner);
      return pg::plan_plainly(inner, text, options & CURSOR_OPT_PARALLEL_OK, estimated_values(inner_query, parameters));
    });
  });
}

bool asks_quietly(const InnerQuery& inner_query, const Replacing& replacing) {
  const auto is_loud = [&](void* part) {
    return part != nullptr && !is_quiet(static_cast<Node*>(part), *replacing.inner_queries);
  };
  if (is_loud(inner_query.answers)) return false;
  ListCell* cell;
  foreach (cell, inner_query.subqueries) {
    if (is_loud(PublicSubquery::of(static_cast<List*>(lfirst(cell))).query)) return false;
  }
  foreach (cell, replacing.around) {
    if (is_loud(static_cast<Query*>(lfirst(cell))->cteList)) return false;
  }
  return true;
}

bool replace(Node* node, void* context) {
  if (node == nullptr) return false;
  auto& replacing = *static_cast<Replacing*>(context);
  if (IsA(node, RangeTblEntry)) {
    auto* const entry = castNode(RangeTblEntry, node);
    if (entry->rtekind != RTE_SUBQUERY) return false;
    InnerQuery* const inner_query = replacing.inner_queries->find(entry->subquery);
    if (inner_query == nullptr) return false;
    Query* const inner = entry->subquery;
    inner_query->tables = tables_read(inner);
    inner_query->quiet = asks_quietly(*inner_query, replacing);
    entry->subquery = stand_in(inner, inner_query->answers, list_length(replacing.plans->replaced));
    replacing.plans->replaced = lappend(replacing.plans->replaced, inner);
    return false;  // the walk goes on into the stand-in, to what the answers ask
  }
  if (IsA(node, Query)) {
    replacing.around = lcons(node, replacing.around);
    pg::walk_query(castNode(Query, node), replace, context, QTW_EXAMINE_RTES_BEFORE);
    replacing.around = list_delete_first(replacing.around);
    return false;
  }
  return pg::walk(node, replace, context);
}

// A statement that asks nothing of its private query's rows but to be shown, in whatever order, reads the stand-in's
// table itself: one level less to plan. There are no conditions that could come to stand below it, nor ever will be,
// since it is nobody's subquery.
void read_directly(Query* query) {
  const FromExpr* const from = query->jointree;
  if (query->commandType != CMD_SELECT || from->quals != nullptr || list_length(from->fromlist) != 1 ||
      !IsA(linitial(from->fromlist), RangeTblRef))
    return;
  RangeTblEntry* const entry = entry_numbered(linitial_node(RangeTblRef, from->fromlist)->rtindex, query->rtable);
  if (entry->rtekind != RTE_SUBQUERY || list_length(entry->subquery->rtable) != 1) return;
  auto* const table = linitial_node(RangeTblEntry, entry->subquery->rtable);
  // What it compares with is asked by its first row.
  if (number_of_stand_in(table) < 0 || entry->subquery->hasSubLinks) return;
  *entry = *table;
}

// A range-table entry that makes the plan cache lock the relation. Nothing reads it or asks for a privilege on it.
RangeTblEntry* lock_entry(const RangeTblEntry* read) {
  auto* const entry = makeNode(RangeTblEntry);
  entry->rtekind = RTE_RELATION;
  entry->relid = read->relid;
  entry->relkind = read->relkind;
  entry->rellockmode = read->rellockmode;
  entry->eref = makeAlias("inner", NIL);
  return entry;
}

void depend_on(const PlannedStmt* inner, PlannedStmt* outer) {
  outer->relationOids = list_concat(outer->relationOids, inner->relationOids);
  outer->invalItems = list_concat(outer->invalItems, inner->invalItems);
  outer->dependsOnRole = outer->dependsOnRole || inner->dependsOnRole;
  outer->transientPlan = outer->transientPlan || inner->transientPlan;
  ListCell* table;
  foreach (table, inner->rtable) {
    const auto* const read = lfirst_node(RangeTblEntry, table);
    if (read->rtekind == RTE_RELATION) outer->rtable = lappend(outer->rtable, lock_entry(read));
  }
}

}  // namespace

void replace_inner_queries(Query* query, const InnerQueries& inner_queries, InnerPlans* plans) {
  if (inner_queries.empty()) return;
  Replacing replacing{&inner_queries, plans, NIL};
  replace(reinterpret_cast<Node*>(query), &replacing);
  read_directly(query);
}

void require_valid_queries(const Query* query, const InnerQueries& inner_queries, const InnerPlans& plans) {
  require_valid(query, {}, "the outer query");
  ListCell *cell, *subquery;
  foreach (cell, plans.replaced) {
    const auto* const inner = lfirst_node(Query, cell);
    const InnerQuery& what = *inner_queries.find(inner);
    require_valid(inner, TreeAround::with_parameters(what.parameters), "an inner query");
    require_valid_parameters(what.parameters, list_length(what.answers), "values of an inner query");
    foreach (subquery, what.subqueries) {
      const Node* const public_rows = PublicSubquery::of(static_cast<List*>(lfirst(subquery))).query;
      require_valid(reinterpret_cast<const Query*>(public_rows), {}, "a public subquery");
    }
  }
}

void plan_inner_queries(const InnerQueries& inner_queries, const char* text, int options, ParamListInfo parameters,
                        InnerPlans* plans) {
  ListCell* cell;
  foreach (cell, plans->replaced) {
    auto* const inner = lfirst_node(Query, cell);
    InnerQuery* const what = inner_queries.find(inner);
    what->answers = NIL;
    PlannedStmt* const planned = plan(inner, *what, text, options, parameters);
    plans->queries = lappend(plans->queries, make_private_query(*what, planned));
  }
}

PrivateQuery* find_private_query(const InnerPlans& plans, const RangeTblEntry* entry) {
  const int number = number_of_stand_in(entry);
  return number < 0 ? nullptr : static_cast<PrivateQuery*>(list_nth(plans.queries, number));
}

void keep_admitted_indexes(RelOptInfo* table) {
  const PlannedExpressions context{planned_inner_query->declared, nullptr, nullptr};
  ListCell* cell;
  foreach (cell, table->indexlist) {
    const auto* const index = lfirst_node(IndexOptInfo, cell);
    if (find_unadmitted(reinterpret_cast<Node*>(index->indpred), context) == nullptr &&
        find_unadmitted(reinterpret_cast<Node*>(index->indexprs), context) == nullptr) {
      continue;
    }
    table->indexlist = foreach_delete_current(table->indexlist, cell);
  }
}

void keep_rows_elsewhere(RelOptInfo* table) { fetch_rows_or_parts(table, planned_inner_query->declared); }

void depend_on_inner_plans(const InnerPlans& plans, PlannedStmt* outer) {
  ListCell *cell, *subquery;
  foreach (cell, plans.queries) {
    const auto* const query = static_cast<PrivateQuery*>(lfirst(cell));
    depend_on(query->plan, outer);
    foreach (subquery, query->inner_query.subqueries)
      depend_on(castNode(PlannedStmt, linitial(static_cast<List*>(lfirst(subquery)))), outer);
  }
}

}  // namespace dp::guard
