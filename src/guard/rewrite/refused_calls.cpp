#include "guard/rewrite/refused_calls.h"

#include "budget/policy/accounts.h"
#include "budget/policy/domains.h"
#include "budget/policy/grouping_expression.h"
#include "budget/policy/ranges.h"
#include "budget/policy/unit_path_columns.h"
#include "guard/admission/refusal.h"
#include "guard/tree/by_number.h"
#include "pg/joins.h"
#include "pg/nodes.h"

namespace dp::guard {

void refuse_without_epsilon(const char* call, const Sources& sources, int location) {
  const char* table = "t";
  sources.read().any_table([&](const Sources& read, int number) {
    const Oid relation = read.table(number)->relid;
    if (!budget::protection_of(relation)) return false;
    table = get_rel_name(relation);
    return true;
  });
  DP_REFUSE(location, errmsg("nothing says which epsilon %s over protected table %s is to have", call, table),
            errhint("SET dp.epsilon = 0.1;\nOr ask a curator for a default: SELECT dp.protect(%s, ..., "
                    "answer_epsilon => 0.1).",
                    quote_literal_cstr(table)));
  pg_unreachable();
}

namespace {

// Whether the column of the table says whose its rows are, and the groups are neither listed nor chosen privately.
bool is_person(const Var* column, const Sources& sources) {
  const RangeTblEntry* const table = sources.table(static_cast<int>(column->varno));
  if (column->varattno <= 0 || table->rtekind != RTE_RELATION) return false;
  const auto protection = budget::protection_of(table->relid);
  if (!protection || !protection->selection.zero() || protection->unit.steps != NIL ||
      !budget::says_whose(*protection, table->relid, column->varattno))
    return false;
  const char* const name = get_attname(table->relid, column->varattno, false);
  return !budget::declared_size(protection->relation, budget::column_text(name),
                                get_atttype(table->relid, column->varattno));
}

}  // namespace

void refuse_groups_of_persons(const Query* level, const Sources& sources) {
  ListCell* cell;
  foreach (cell, level->groupClause) {
    Node* const key = get_sortgroupclause_expr(lfirst_node(SortGroupClause, cell), level->targetList);
    const auto* const column =
        reinterpret_cast<const Var*>(sources.over_tables(static_cast<Node*>(copyObjectImpl(key)), "a group key"));
    if (!IsA(column, Var) || !is_person(column, sources)) continue;
    if (list_member(pull_var_clause(reinterpret_cast<Node*>(sources.conditions), PVC_RECURSE_AGGREGATES), column))
      continue;
    const Oid table = sources.table(static_cast<int>(column->varno))->relid;
    const char* const name = quote_identifier(get_attname(table, column->varattno, false));
    DP_REFUSE(exprLocation(key), errmsg("each group of %s would be one person, whom answers hide", name),
              errhint("Ask about all of them: SELECT dp_count('*', %s) FROM (SELECT %s, count(*) AS n FROM %s GROUP BY "
                      "1) AS people WHERE n > 1.",
                      example_epsilon(), name, quote_identifier(get_rel_name(table))));
  }
}

// What a hint shows in place of a call, for values of that name.
const char* bounded_call(const char* call, const char* value) {
  const char* const plain = strncmp(call, "dp_", 3) == 0 ? call + 3 : call;
  if (strcmp(plain, "corr") == 0 || strncmp(plain, "covar", 5) == 0 || strncmp(plain, "regr", 4) == 0)
    return psprintf("dp_%s(y, x, 0, 100, 0, 100, %s)", plain, example_epsilon());
  const char* const form = strcmp(call, "max") == 0                ? "dp_max(%s, 0, 100, %s)"
                           : strcmp(call, "min") == 0              ? "dp_min(%s, 0, 100, %s)"
                           : strstr(call, "percentile") != nullptr ? "dp_quantile(%s, 0.5, 0, 100, %s)"
                           : strstr(call, "stddev_pop") != nullptr ? "dp_stddev_pop(%s, 0, 100, %s)"
                           : strstr(call, "stddev") != nullptr     ? "dp_stddev(%s, 0, 100, %s)"
                           : strstr(call, "var_pop") != nullptr    ? "dp_var_pop(%s, 0, 100, %s)"
                           : strstr(call, "var") != nullptr        ? "dp_variance(%s, 0, 100, %s)"
                           : strstr(call, "median") != nullptr     ? "dp_median(%s, 0, 100, %s)"
                           : strstr(call, "avg") != nullptr        ? "dp_avg(%s, 0, 100, %s)"
                                                                   : "dp_sum(%s, 0, 100, %s)";
  return psprintf(form, value, example_epsilon());
}

void refuse_unbounded(const Aggref* aggregate, const ValueBounds& found, const Sources& sources, const char* asked) {
  const char* const call = get_func_name(aggregate->aggfnoid);
  const int location = aggregate->location;
  const auto example = [&](const char* value) {
    return bounded_call(call, aggregate->aggdistinct == NIL ? value : psprintf("DISTINCT %s", value));
  };
  const auto why = [asked] {
    return asked == nullptr
               ? 0
               : errdetail("What a sum of such values adds up to is limited privately, but not for %s.", asked);
  };
  if (found.open == nullptr) {
    DP_REFUSE(location, errmsg("%s: nothing says between which values its argument lies", call), why(),
              errhint("Give bounds in a private call, for example %s, or write the argument with "
                      "functions over columns with declared ranges; LEAST and GREATEST, and conditions such as WHERE "
                      "x >= 1, narrow them.",
                      example("x")));
  }
  const RangeTblEntry* const entry = sources.table(found.open->varno);
  if (entry->rtekind != RTE_RELATION) {
    const char* const name = column_name(entry, found.open->varattno);
    DP_REFUSE(location, errmsg("%s: nothing says between which values column \"%s\" of the subquery lies", call, name),
              why(),
              errhint("Say it in a condition, %s BETWEEN 0 AND 100, or give bounds in a private call: %s.", name,
                      example(name)));
  }
  const Oid table = entry->relid;
  const char* const column = get_attname(table, found.open->varattno, false);
  if (!budget::can_have_range(getBaseType(get_atttype(table, found.open->varattno)))) {
    DP_REFUSE(location,
              errmsg("%s: nothing says between which values an expression of column \"%s\" of table %s lies", call,
                     column, get_rel_name(table)),
              why(),
              errhint("Ask a curator to list what values the column, or the expression, can have: SELECT "
                      "dp.declare_values(%s, '%s', ...).\nOr give a limit, as in least(length(x), 100); private "
                      "aggregates take bounds as well: %s.",
                      quote_literal_cstr(get_rel_name(table)), quote_identifier(column), example("x")));
  }
  const char* const declare = psprintf("SELECT dp.declare_range(%s, %s, lower, upper);",
                                       quote_literal_cstr(get_rel_name(table)), quote_literal_cstr(column));
  DP_REFUSE(location,
            errmsg("%s: no range is declared for column \"%s\" of table %s", call, column, get_rel_name(table)), why(),
            errhint("Ask a curator: %s Private aggregates take bounds as well: %s.", declare, example("x")));
  pg_unreachable();
}

void refuse_unlisted(const Node* over, const Sources& sources, int location) {
  const auto* const column = IsA(over, Var) ? reinterpret_cast<const Var*>(over) : nullptr;
  const RangeTblEntry* const entry =
      column != nullptr && column->varattno > 0 ? sources.table(static_cast<int>(column->varno)) : nullptr;
  if (entry == nullptr || entry->rtekind != RTE_RELATION) {
    DP_REFUSE(
        location, errmsg("mode: which values its argument can have is not declared"),
        errhint("List them: dp_mode(x, ARRAY[...], %s), or group by it and ask for the largest: SELECT x, count(*) "
                "... GROUP BY x ORDER BY 2 DESC LIMIT 1.",
                example_epsilon()));
  }
  const char* const table = quote_literal_cstr(get_rel_name(entry->relid));
  const char* const name = quote_identifier(get_attname(entry->relid, column->varattno, false));
  DP_REFUSE(
      location, errmsg("mode: which values %s can have is not declared", name),
      errhint("Ask a curator for SELECT dp.declare_values(%s, %s, ...), or list them: dp_mode(%s, ARRAY[...], %s).",
              table, quote_literal_cstr(name), name, example_epsilon()));
  pg_unreachable();
}

}  // namespace dp::guard
