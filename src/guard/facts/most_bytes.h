// How many bytes a value can have, whatever the rows hold: by its type, and by how its functions grow.
#pragma once

#include <cstdint>

#include "pg/planner.h"

namespace dp::guard {

// The most that a capped value has, a parameter, and what is made longer than that is capped (admission/growth.h).
inline constexpr std::int64_t kCap = 1 << 20;

// The most bytes that a value of the expression can have.
std::int64_t most_bytes(Node* expression);

// Of one of these.
std::int64_t most_bytes_of_any(List* expressions);

}  // namespace dp::guard
