// dp.private_form: a statement with the private calls written out that stand for its ordinary aggregates.
#include "guard/preview/dry_run.h"
#include "guard/preview/named_views.h"
#include "guard/preview/printable.h"
#include "guard/relations/sql_functions.h"
#include "guard/rewrite/aggregate_text.h"
#include "guard/rewrite/rewrite.h"
#include "guard/tree/valid_tree.h"
#include "pg/errors.h"

namespace dp::guard {

// dp.private_form(query text) returns text. For the current role; nothing runs.
DP_SQL_FUNCTION(dp_private_form) {
  const char* const text = query_argument(fcinfo, "dp.private_form");
  Query* const query = analysed("dp.private_form", text);
  inline_functions(query, makeNode(PlannerGlobal));
  const NamedViews views(query);
  write_private_calls(query);
  require_valid(query, TreeAround::within(NIL, 0), "private calls written out");
  make_printable(query);
  views.name_in(query);
  PG_RETURN_TEXT_P(cstring_to_text(text_of_query(query)));
}

}  // namespace dp::guard
