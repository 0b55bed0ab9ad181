// Probabilities that a person wrote down: shares of categories, a prior.
#pragma once

#include <span>

namespace dp::planning {

// Throws dp::Error unless there is at least one, each is from 0 on and their sum is 1 to 1e-6; `name` stands in the
// error.
void check_shares(const char* name, std::span<const double> shares);

}  // namespace dp::planning
