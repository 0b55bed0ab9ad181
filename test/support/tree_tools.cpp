// A library for a server, for test/fault/tree_tools.sh: what the tools of src/guard/tree make of a query, as SQL.
//
//   changed(query text, change text, entry int) returns text     NULL where that change is not possible
//
// "flat": pg::flattened. "taken": the entry of that number, named o and of one row, is taken out of FROM and its
// columns are replaced by subqueries; NULL below an outer join, and where its row is used as a whole. "added": FROM
// has an entry of one row more, and a condition at that entry's join. "exchanged": the entry and the next one have
// each other's numbers. "deeper": the query stands two queries further in. Each is checked by require_valid, and must
// answer the same.
//
//   misused(query text, how text) returns void
//
// "unread": entry 1 is left unread while it is used. "upwards": the first column shown leaves its query. Both are
// faults.
#include <string_view>
#include <utility>

#include "guard/preview/printable.h"
#include "guard/tree/columns.h"
#include "guard/tree/entries.h"
#include "guard/tree/replacements.h"
#include "guard/tree/valid_tree.h"
#include "pg/deparse.h"
#include "pg/joins.h"
#include "pg/nodes.h"

namespace {

using namespace dp;
using namespace dp::guard;

Query* analysed(const char* text) {
  List* const statements = pg_parse_query(text);
  List* const queries =
      pg_analyze_and_rewrite_fixedparams(linitial_node(RawStmt, statements), text, nullptr, 0, nullptr);
  return linitial_node(Query, queries);
}

bool take(Query* level, int number) {
  RangeTblEntry* const entry = rt_fetch(number, level->rtable);
  if (entry->rtekind != RTE_SUBQUERY || strcmp(entry->eref->aliasname, "o") != 0) return false;
  List* conditions = NIL;
  level->jointree = static_cast<FromExpr*>(copyObjectImpl(level->jointree));
  if (!take_out_of_from(level->jointree, number, &conditions)) return false;
  level->jointree->quals = all_of(list_concat(conditions_in(level->jointree->quals), conditions));
  const Uses uses = uses_of(level, number);
  if (uses.whole) return false;
  SingleValues values(entry, number);
  if (uses.any()) replace_in_level(level, &values);
  leave_unread(level, number);
  return true;
}

bool add(Query* level, int number) {
  if (rt_fetch(number, level->rtable)->rtekind == RTE_JOIN) return false;
  Query* const one = analysed("SELECT 1 AS one, 'x'::text AS x");
  auto* const entry = makeNode(RangeTblEntry);
  entry->rtekind = RTE_SUBQUERY;
  entry->subquery = one;
  entry->inFromCl = true;
  entry->eref = makeAlias("added", list_make2(makeString(pstrdup("one")), makeString(pstrdup("x"))));
  const int added = add_entry(level, entry);
  level->jointree = static_cast<FromExpr*>(copyObjectImpl(level->jointree));
  level->jointree->fromlist = lappend(level->jointree->fromlist, item_of(added));
  auto* const test = makeNode(NullTest);
  test->arg = reinterpret_cast<Expr*>(column_showing(added, 1, linitial_node(TargetEntry, one->targetList)->expr));
  test->nulltesttype = IS_NOT_NULL;
  test->location = -1;
  add_join_conditions(level->jointree, added, list_make1(test));
  return true;
}

bool exchange(Query* level, int number) {
  // Entries of joins stand behind what they join.
  if (number == list_length(level->rtable) || rt_fetch(number, level->rtable)->rtekind == RTE_JOIN ||
      rt_fetch(number + 1, level->rtable)->rtekind == RTE_JOIN)
    return false;
  exchange_entries(level, number, number + 1);
  std::swap(list_nth_cell(level->rtable, number - 1)->ptr_value, list_nth_cell(level->rtable, number)->ptr_value);
  return true;
}

Query* deeper(Query* query) {
  for (int i = 0; i < 2; ++i) {
    auto* const entry = makeNode(RangeTblEntry);
    entry->rtekind = RTE_SUBQUERY;
    entry->subquery = query;
    entry->inFromCl = true;
    List* names = NIL;
    ListCell* cell;
    foreach (cell, query->targetList) {
      const auto* const column = lfirst_node(TargetEntry, cell);
      if (!column->resjunk) names = lappend(names, makeString(pstrdup(column->resname)));
    }
    entry->eref = makeAlias(psprintf("q%d", i), names);
    query = pg::select_all_from(entry);
  }
  return query;
}

}  // namespace

extern "C" {
PG_MODULE_MAGIC;
PG_FUNCTION_INFO_V1(changed);
__attribute__((visibility("default"))) Datum changed(PG_FUNCTION_ARGS) {
  const std::string_view change = text_to_cstring(PG_GETARG_TEXT_PP(1));
  const int number = PG_GETARG_INT32(2);
  Query* const query = analysed(text_to_cstring(PG_GETARG_TEXT_PP(0)));
  require_valid(query, {}, "as it came");
  if (number > list_length(query->rtable)) PG_RETURN_NULL();
  Query* level = pg::flattened(static_cast<Query*>(copyObjectImpl(query)));
  require_valid(level, {}, "flattened");
  const bool done = change == "flat" || change == "deeper" || (change == "taken" && take(level, number)) ||
                    (change == "added" && add(level, number)) || (change == "exchanged" && exchange(level, number));
  if (!done) PG_RETURN_NULL();
  if (change == "deeper") level = deeper(level);
  require_valid(level, {}, change.data());
  make_printable(level);
  PG_RETURN_TEXT_P(cstring_to_text(pg_get_querydef(level, true)));
}

PG_FUNCTION_INFO_V1(misused);
__attribute__((visibility("default"))) Datum misused(PG_FUNCTION_ARGS) {
  Query* const level = analysed(text_to_cstring(PG_GETARG_TEXT_PP(0)));
  if (std::string_view(text_to_cstring(PG_GETARG_TEXT_PP(1))) == "unread")
    leave_unread(level, 1);
  else
    one_level_up(linitial_node(TargetEntry, level->targetList)->expr);
  PG_RETURN_VOID();
}
}
