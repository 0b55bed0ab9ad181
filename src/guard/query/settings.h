// The settings of the guard. There is none that turns it off.
#pragma once

#include <cstdint>
#include <optional>

namespace dp::guard {

// As PostgreSQL sets them.
struct Settings {
  enum Preview : int { kRefused, kEmpty };
  enum Exhausted : int { kError, kLast };

  int keep_releases;
  int preview;
  int on_exhausted;
  int consistent;
  bool rounds;
};
inline Settings settings{};

// dp.keep_releases: how many noisy numbers of one statement are stored at most, so that they can be made more accurate
// later; 0: no release is kept.
inline std::int64_t kept_draws() { return settings.keep_releases; }

// Whether dp.preview is 'empty': tables that may not be read are shown without rows.
inline bool previews_are_empty() { return settings.preview == Settings::kEmpty; }

// dp.reuse: how old an answer may be that is shown again, in microseconds; 0: none is; nothing: as the curators say.
std::optional<std::int64_t> reuse_setting();

// Whether dp.on_exhausted is 'last': where the budget is gone, the last answer to the same question is shown.
inline bool shows_last_answers() { return settings.on_exhausted == Settings::kLast; }

// dp.now_rounding: to what the moment of a question is rounded down, in microseconds; 0: it is not.
std::int64_t now_rounding();

// Whether dp.round is on: a statement shows its numbers rounded to what is known of them (rewrite/rounded_answers.h).
inline bool rounds_answers() { return settings.rounds; }

// dp.consistent: whether the levels of a statement's grouping sets are made to add up (rewrite/consistent_levels.h).
enum class Consistent : std::uint8_t { no, yes, nonnegative };
inline Consistent makes_consistent() { return static_cast<Consistent>(settings.consistent); }

void define_settings();

}  // namespace dp::guard
