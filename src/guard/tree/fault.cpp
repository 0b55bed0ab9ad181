#include "guard/tree/fault.h"

#include "pg/errors.h"

namespace dp::guard {

void raise_tree_fault(const char* what) {
  ereport(LOG_SERVER_ONLY, (errcode(ERRCODE_INTERNAL_ERROR), errmsg("pg_dp took a query apart wrongly: %s", what)));
  ereport(ERROR, (errcode(ERRCODE_INTERNAL_ERROR),
                  errmsg("pg_dp cannot take this query apart: a fault of the extension, not of the query"),
                  errdetail("Nothing was read, and nothing charged."),
                  errhint("Please report the statement to the maintainers of pg_dp; the server's log says what is "
                          "wrong. Written with fewer subqueries it may be answered.")));
  pg_unreachable();
}

}  // namespace dp::guard
