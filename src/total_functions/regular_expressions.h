// Which regular expressions may be matched with the texts of a protected table: those that take a time and a memory
// which their own length and the text's bound.
#pragma once

namespace dp::total {

// PostgreSQL matches with a finite automaton, in time proportional to the text, as long as nothing has to be
// remembered: no back reference, no looking ahead or behind. Its size is bounded by the pattern's: at most 200 bytes,
// and a bound like {3,5} of one character or class, not of a group, and up to 64. `groups`: whether groups that are
// remembered, (...), are allowed; they cost nothing where only a match is asked for. False also for some that would do.
// Whether the pattern is well formed is not asked.
bool is_plain_pattern(const char* pattern, int length, bool groups);

}  // namespace dp::total
