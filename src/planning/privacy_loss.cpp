// dp_privacy_loss: the check of every calibration that a user can run.
#include "core/planning/privacy_loss.h"

#include "planning/values.h"

namespace dp::planning {

// dp_privacy_loss(mechanism, epsilon, sensitivity) returns float8
DP_SQL_FUNCTION(dp_privacy_loss) {
  const double changes[] = {PG_GETARG_FLOAT8(2)};
  PG_RETURN_FLOAT8(privacy_loss(mechanism_argument(fcinfo, 0), epsilon_argument(fcinfo, 1), changes));
}

// dp_privacy_loss(mechanism, epsilon, changes float8[]) returns float8
DP_SQL_FUNCTION(dp_privacy_loss_joint) {
  const std::span<const double> changes = numbers_argument(fcinfo, 2, "changes");
  PG_RETURN_FLOAT8(privacy_loss(mechanism_argument(fcinfo, 0), epsilon_argument(fcinfo, 1), changes));
}

}  // namespace dp::planning
