// The number of the release that the last charged statement of this session left, for dp_last_release().
#pragma once

#include <cstdint>

namespace dp::budget {

// 0: it left none.
void set_last_release(std::int64_t release);

}  // namespace dp::budget
