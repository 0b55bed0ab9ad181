#include "guard/preview/dry_run.h"

#include "guard/query/permissions.h"
#include "pg/errors.h"
#include "pg/planner.h"

namespace dp::guard {
namespace {

// Errors in the query point into it, not into the statement that calls the function.
class Quoted {
 public:
  explicit Quoted(const char* query) : callback_{error_context_stack, point, const_cast<char*>(query)} {
    error_context_stack = &callback_;
  }
  // Not a destructor: PostgreSQL's errors jump over it, and for what visitors throw pg::entry resets the error context.
  void end() const { error_context_stack = callback_.previous; }

 private:
  static void point(void* query) {
    const int position = geterrposition();
    if (position <= 0) return;
    errposition(0);
    internalerrposition(position);
    internalerrquery(static_cast<const char*>(query));
  }

  ErrorContextCallback callback_;
};

const RawStmt* parse(const char* function, const char* text) {
  List* const statements = pg_parse_query(text);
  if (list_length(statements) != 1) {
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("%s takes exactly one query, not %d", function, list_length(statements)),
                    errhint("Ask for each one by itself, for example %s($$SELECT dp_count('*', 0.5) FROM visits$$).",
                            function)));
  }
  return linitial_node(RawStmt, statements);
}

void refuse_utility(const char* function, const Query* query) {
  if (query->commandType != CMD_UTILITY) return;
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("%s cannot look into %s", function, CreateCommandName(query->utilityStmt)),
                  errhint("Give the query itself, without EXPLAIN, CREATE TABLE AS, DECLARE, COPY or EXECUTE "
                          "around it, for example %s($$SELECT dp_count('*', 0.5) FROM visits$$).",
                          function)));
}

// What one statement is analysed to: rules may make several queries of it.
List* queries_of(const char* function, const RawStmt* statement, const char* text) {
  List* const queries = pg_analyze_and_rewrite_fixedparams(const_cast<RawStmt*>(statement), text, nullptr, 0, nullptr);
  ListCell* cell;
  foreach (cell, queries) refuse_utility(function, lfirst_node(Query, cell));
  return queries;
}

// NIL where they may not be planned for that role.
List* plans_of(List* queries, const char* text, const Trial& trial) {
  ListCell* cell;
  foreach (cell, queries) {
    auto* const query = lfirst_node(Query, cell);
    if (!pg::call([&] { return trial.may_plan(query); })) return NIL;
  }
  List* plans = NIL;
  foreach (cell, queries) {
    auto* const query = lfirst_node(Query, cell);
    const PlannedFor planned(query, trial.role);
    plans = lappend(plans, pg::call([=] { return pg::plan(query, text, CURSOR_OPT_PARALLEL_OK, nullptr); }));
  }
  return plans;
}

}  // namespace

const char* query_argument(FunctionCallInfo fcinfo, const char* function) {
  if (!PG_ARGISNULL(0)) return text_to_cstring(PG_GETARG_TEXT_PP(0));
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("query of %s must not be NULL", function),
                  errhint("For example %s($$SELECT dp_count('*', 0.5) FROM visits$$).", function)));
  pg_unreachable();
}

Query* analysed(const char* function, const char* text) {
  const Quoted quoted(text);
  List* const queries =
      pg_analyze_and_rewrite_fixedparams(const_cast<RawStmt*>(parse(function, text)), text, nullptr, 0, nullptr);
  if (list_length(queries) != 1) {
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("%s takes one query; rules make %d of this one", function, list_length(queries)),
                    errhint("Give a SELECT.")));
  }
  auto* const query = linitial_node(Query, queries);
  refuse_utility(function, query);
  quoted.end();
  return query;
}

void dry_run(const char* function, const char* text, const Trial& trial,
             const std::function<void(const ReleaseNode*)>& visit) {
  const Quoted quoted(text);
  ListCell *plan, *node;
  List* const queries = queries_of(function, parse(function, text), text);
  List* const plans = pg::entry([&] { return plans_of(queries, text, trial); });
  foreach (plan, plans) {
    if (!trial.may_go_on(lfirst_node(PlannedStmt, plan))) break;
    QueryDesc* const query = CreateQueryDesc(lfirst_node(PlannedStmt, plan), text, GetActiveSnapshot(), InvalidSnapshot,
                                             None_Receiver, nullptr, nullptr, 0);
    pg::entry([&] {
      const AskedAs asked(query->plannedstmt, trial.role);
      pg::call([=] { ExecutorStart(query, EXEC_FLAG_EXPLAIN_ONLY); });
    });
    foreach (node, release_nodes(query->estate)) visit(static_cast<const ReleaseNode*>(lfirst(node)));
    ExecutorEnd(query);
    FreeQueryDesc(query);
  }
  quoted.end();
}

}  // namespace dp::guard
