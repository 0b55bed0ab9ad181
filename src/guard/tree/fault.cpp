#include "guard/tree/fault.h"

namespace dp::guard {

void raise_tree_fault(const char* step, const char* what) {
  ereport(LOG_SERVER_ONLY, (errmsg("pg_dp made a query that is not valid: %s", what), errdetail("Step: %s.", step)));
  ereport(ERROR, (errcode(ERRCODE_INTERNAL_ERROR),
                  errmsg("pg_dp has made of this query one that is not valid: it was not run, and nothing was charged"),
                  errhint("This is a fault of pg_dp, not of the query: please report the query, with what the server's "
                          "log says about it.")));
  pg_unreachable();
}

}  // namespace dp::guard
