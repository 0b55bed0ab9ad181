// A module for a server: the check of query trees by itself (src/guard/tree/valid_tree.h), for trees that tests break,
// and what is read of them by number. Linked with the objects of src/guard/tree.
#include <string_view>

#include "guard/tree/by_number.h"
#include "guard/tree/valid_tree.h"

extern "C" {
#include "fmgr.h"
#include "utils/builtins.h"
PG_MODULE_MAGIC;
PG_FUNCTION_INFO_V1(tree_of);
PG_FUNCTION_INFO_V1(fault_of);
PG_FUNCTION_INFO_V1(fault_within);
PG_FUNCTION_INFO_V1(fault_of_values);
PG_FUNCTION_INFO_V1(read_at);

// tree_of(query text) returns text: as the planner is given it, in PostgreSQL's own writing.
PGDLLEXPORT Datum tree_of(PG_FUNCTION_ARGS) {
  const char* const query = text_to_cstring(PG_GETARG_TEXT_PP(0));
  List* const parsed = pg_parse_query(query);
  List* const queries = pg_analyze_and_rewrite_fixedparams(linitial_node(RawStmt, parsed), query, nullptr, 0, nullptr);
  PG_RETURN_TEXT_P(cstring_to_text(nodeToString(linitial(queries))));
}

static Datum shown(const char* fault) { return fault == nullptr ? static_cast<Datum>(0) : CStringGetTextDatum(fault); }

static const void* written(FunctionCallInfo fcinfo, int argument) {
  return stringToNode(text_to_cstring(PG_GETARG_TEXT_PP(argument)));
}

// fault_of(tree text, values text) returns text: NULL where nothing is wrong. `values`: what its parameters stand for,
// where they are ours.
PGDLLEXPORT Datum fault_of(PG_FUNCTION_ARGS) {
  const auto around = PG_ARGISNULL(1)
                          ? dp::guard::TreeAround{}
                          : dp::guard::TreeAround::with_parameters(static_cast<const List*>(written(fcinfo, 1)));
  const Datum fault = shown(dp::guard::fault_of_tree(static_cast<const Query*>(written(fcinfo, 0)), around));
  if (fault == 0) PG_RETURN_NULL();
  PG_RETURN_DATUM(fault);
}

// fault_within(tree text, level text) returns text: of a tree that is being made within that query.
PGDLLEXPORT Datum fault_within(PG_FUNCTION_ARGS) {
  const List* const levels = list_make1(const_cast<void*>(written(fcinfo, 1)));
  const Datum fault = shown(dp::guard::fault_of_tree(static_cast<const Query*>(written(fcinfo, 0)),
                                                     dp::guard::TreeAround::within(levels, 0)));
  if (fault == 0) PG_RETURN_NULL();
  PG_RETURN_DATUM(fault);
}

// fault_of_values(values text, answers int) returns text
PGDLLEXPORT Datum fault_of_values(PG_FUNCTION_ARGS) {
  const Datum fault =
      shown(dp::guard::fault_of_parameters(static_cast<const List*>(written(fcinfo, 0)), PG_GETARG_INT32(1)));
  if (fault == 0) PG_RETURN_NULL();
  PG_RETURN_DATUM(fault);
}

// read_at(tree text, what text, number int) returns text: the name of the 'entry', of the 'target', or of the 'column'
// of entry 1 that has that number.
PGDLLEXPORT Datum read_at(PG_FUNCTION_ARGS) {
  const auto* const query = static_cast<const Query*>(written(fcinfo, 0));
  const std::string_view what = text_to_cstring(PG_GETARG_TEXT_PP(1));
  const int number = PG_GETARG_INT32(2);
  const char* const name = what == "entry" ? dp::guard::entry_numbered(number, query->rtable)->eref->aliasname
                           : what == "target"
                               ? dp::guard::target_numbered(query->targetList, number)->resname
                               : dp::guard::column_name(linitial_node(RangeTblEntry, query->rtable), number);
  PG_RETURN_TEXT_P(cstring_to_text(name));
}
}
