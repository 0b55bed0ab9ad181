// The settings of the guard. There is none that turns it off.
#pragma once

#include <cstdint>
#include <optional>

namespace dp::guard {

// dp.keep_releases: how many noisy numbers of one statement are stored at most, so that they can be made more accurate
// later; 0: no release is kept.
std::int64_t kept_draws();

// Whether dp.preview is 'empty': tables that may not be read are shown without rows.
bool previews_are_empty();

// dp.reuse: how old an answer may be that is shown again, in microseconds; 0: none is; nothing: as the curators say.
std::optional<std::int64_t> reuse_setting();

// Whether dp.on_exhausted is 'last': where the budget is gone, the last answer to the same question is shown.
bool shows_last_answers();

// dp.now_rounding: to what the moment of a question is rounded down, in microseconds; 0: it is not.
std::int64_t now_rounding();

// Whether dp.round is on: a statement shows its numbers rounded to what is known of them (rewrite/rounded_answers.h).
bool rounds_answers();

// dp.consistent: whether the levels of a statement's grouping sets are made to add up (rewrite/consistent_levels.h).
enum class Consistent : std::uint8_t { no, yes, nonnegative };
Consistent makes_consistent();

void define_settings();

}  // namespace dp::guard
