// The settings of the guard. There is none that turns it off.
#pragma once

#include <cstdint>

namespace dp::guard {

// dp.keep_releases: how many noisy numbers of one statement are stored at most, so that they can be made more accurate
// later; 0: no release is kept.
std::int64_t kept_draws();

// Whether dp.preview is 'empty': tables that may not be read are shown without rows.
bool previews_are_empty();

void define_settings();

}  // namespace dp::guard
