// The seam for what looks into queries, plans and their execution: the headers of PostgreSQL's parser, planner and
// executor.
#pragma once

#include "pg/server.h"

extern "C" {
#include "access/gin.h"
#include "access/transam.h"
#include "access/xact.h"
#include "catalog/heap.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_proc.h"
#include "commands/explain.h"
#if PG_VERSION_NUM >= 180000
#include "commands/explain_format.h"
#include "commands/explain_state.h"
#endif
#include "executor/tstoreReceiver.h"
#include "jit/jit.h"
#include "mb/pg_wchar.h"
#include "nodes/extensible.h"
#include "nodes/makefuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/plancat.h"
#include "optimizer/planner.h"
#include "optimizer/prep.h"
#include "optimizer/tlist.h"
#include "parser/parse_agg.h"
#include "parser/parse_clause.h"
#include "parser/parse_collate.h"
#include "parser/parse_expr.h"
#include "parser/parse_relation.h"
#include "parser/parser.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/guc_tables.h"
#include "utils/plancache.h"
#include "utils/regproc.h"
#include "utils/rel.h"
#include "utils/ruleutils.h"
#include "utils/syscache.h"
#include "utils/tuplesort.h"
#include "utils/tuplestore.h"
}

namespace dp::pg {

// The plan of a query, by the server's own planner or by the planner that another library put before it.
inline PlannedStmt* plan_plainly(Query* query, const char* text, int options, ParamListInfo parameters) {
#if PG_VERSION_NUM >= 190000
  return standard_planner(query, text, options, parameters, nullptr);
#else
  return standard_planner(query, text, options, parameters);
#endif
}
inline PlannedStmt* plan(Query* query, const char* text, int options, ParamListInfo parameters) {
#if PG_VERSION_NUM >= 190000
  return pg_plan_query(query, text, options, parameters, nullptr);
#else
  return pg_plan_query(query, text, options, parameters);
#endif
}

// The names of an entry's columns, and Vars of them, for a query in which it is the entry of that index.
inline void columns_of(RangeTblEntry* entry, int index, List** names, List** columns) {
#if PG_VERSION_NUM >= 180000
  expandRTE(entry, index, 0, VAR_RETURNING_DEFAULT, -1, true, names, columns);
#else
  expandRTE(entry, index, 0, -1, true, names, columns);
#endif
}

}  // namespace dp::pg
