// Which regular expressions may be matched with the texts of a protected table: those that take a time and a memory
// which their own length and the text's bound.
#pragma once

#include <string_view>

namespace dp::total {

// PostgreSQL matches with a finite automaton, in time proportional to the text, as long as nothing has to be
// remembered: no back reference, no looking ahead or behind. Its size is bounded by the pattern's: at most 200 bytes,
// and a bound like {3,5} of one character or class, not of a group, and up to 64. `groups`: whether groups that are
// remembered, (...), are allowed; they cost nothing where only a match is asked for. False also for some that would do.
// Whether the pattern is well formed is not asked.
bool is_plain_pattern(const char* pattern, int length, bool groups);

// Whether what its groups matched is found in a time that is at most the square of the text's length: no group that is
// remembered is repeated, nor is what has one in it, and where a repetition prefers the shortest match no other group
// is. Else one part after the other may be tried in every length. Of a plain pattern.
bool has_plain_groups(const char* pattern, int length);

// Flags of regexp_replace that leave parentheses what they are in the pattern: not 'b' and 'q', nor 'x' with comments.
bool are_plain_flags(std::string_view flags);

// The same pattern in which only that group (from 1) is remembered, or with 0 none: written there, ended by a zero.
// False where it has no group of that number. Of a pattern with plain groups.
constexpr int kLongestChanged = 3 * 200;
bool write_with_group(std::string_view pattern, int group, char (&changed)[kLongestChanged + 1]);

}  // namespace dp::total
