// dp.divergences(losses text) returns bigint[]: for who audits the ledger.
#include "budget/catalog/ledger_rows.h"
#include "budget/ledger/known_divergences.h"
#include "pg/errors.h"

namespace dp::budget {

DP_SQL_FUNCTION(dp_divergences) {
  Losses losses;
  const char* const written = text_to_cstring(PG_GETARG_TEXT_PP(0));
  if (!parse(written, &losses)) {
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("the ledger writes no losses like this: %s", written),
             errhint("For example pure 0.1 x 3, range 0.5, relax 0.1 to 0.2, gaussian 0.1.")));
  }
  PG_RETURN_DATUM(divergences_array(known_divergences(losses)));
}

}  // namespace dp::budget
