// dp_internal.substring(text, pattern), dp_internal.regexp_replace(text, pattern, by [, flags]): what PostgreSQL's
// give, and NULL where these raise an error, for patterns that are not plain, and for texts of more than 8 kB, or with
// groups that are remembered 1000 bytes. dp_internal.regexp_count(text, pattern), regexp_instr(text, pattern) likewise.
#include "total_functions/regular_expressions.h"

#include <algorithm>

#include "total_functions/attempt.h"

namespace dp::total {
namespace {

constexpr int kLongestPattern = 200;
constexpr int kMostBounds = 8;
constexpr int kLargestBound = 64;

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

// Reads the numbers of a bound; `at` is behind the brace. What is no bound is a brace as it stands.
bool is_small_bound(const char* pattern, int length, int at) {
  int number = 0;
  for (; at < length && (is_digit(pattern[at]) || pattern[at] == ','); ++at) {
    number = pattern[at] == ',' ? 0 : number * 10 + (pattern[at] - '0');
    if (number > kLargestBound) return false;
  }
  return true;
}

}  // namespace

bool is_plain_pattern(const char* pattern, int length, bool groups) {
  if (length > kLongestPattern || (length >= 3 && strncmp(pattern, "***", 3) == 0)) return false;
  int bounds = 0;
  for (int at = 0; at < length; ++at) {
    const char next = at + 1 < length ? pattern[at + 1] : '\0';
    switch (pattern[at]) {
      case '\\':
        if (is_digit(next)) return false;
        ++at;
        break;
      case '(':
        if (next == '?' ? at + 2 >= length || pattern[at + 2] != ':' : !groups) return false;
        break;
      case '{':
        if (++bounds > kMostBounds || (at > 0 && pattern[at - 1] == ')')) return false;
        if (!is_small_bound(pattern, length, at + 1)) return false;
        break;
      default:
        break;
    }
  }
  return true;
}

namespace {

// Behind a bracket, which ends at the first one that closes it and is neither its first character, nor escaped, nor of
// a class such as [:digit:].
int behind_bracket(std::string_view pattern, int at) {
  const int length = static_cast<int>(pattern.size());
  ++at;
  if (at < length && pattern[at] == '^') ++at;
  if (at < length && pattern[at] == ']') ++at;
  while (at < length && pattern[at] != ']') {
    const char next = at + 1 < length ? pattern[at + 1] : '\0';
    if (pattern[at] == '\\') {
      at += 2;
    } else if (pattern[at] == '[' && (next == ':' || next == '.' || next == '=')) {
      const char closing[] = {next, ']'};
      const std::size_t end = pattern.find(closing, static_cast<std::size_t>(at) + 2, sizeof closing);
      at = end == std::string_view::npos ? length : static_cast<int>(end) + 2;
    } else {
      ++at;
    }
  }
  return at + 1;
}

// Calls visit(at, letter) for each character that is neither escaped nor in a bracket.
template <class Visit>
void visit_syntax(std::string_view pattern, Visit visit) {
  for (int at = 0; at < static_cast<int>(pattern.size());) {
    const char letter = pattern[at];
    if (letter == '\\') {
      at += 2;
    } else if (letter == '[') {
      at = behind_bracket(pattern, at);
    } else {
      visit(at, letter);
      ++at;
    }
  }
}

bool is_repetition(char letter) { return letter == '*' || letter == '+' || letter == '?' || letter == '{'; }

}  // namespace

bool has_plain_groups(const char* written, int length) {
  constexpr int kMostGroups = 9;
  const std::string_view pattern(written, static_cast<std::size_t>(length));
  struct Parenthesis {
    bool remembered;  // it, or one in it
  };
  Parenthesis open[kLongestPattern];
  int depth = 0, groups = 0;
  // Behind \c a parenthesis is none.
  bool plain = length <= kLongestPattern && pattern.find("\\c") == std::string_view::npos;
  bool shortest = false, repeated = false;
  visit_syntax(pattern, [&](int at, char letter) {
    const char next = at + 1 < length ? pattern[at + 1] : '\0';
    if (!plain) return;
    if (letter == '(') {
      open[depth++] = {next != '?'};
      groups += next != '?';
    } else if (letter == ')') {
      plain = depth > 0;
      if (!plain) return;
      const bool remembered = open[--depth].remembered;
      if (is_repetition(next)) plain = !remembered;
      repeated = repeated || is_repetition(next);
      if (depth > 0) open[depth - 1].remembered = open[depth - 1].remembered || remembered;
    } else if (next == '?' && (is_repetition(letter) || letter == '}')) {
      shortest = true;
    }
  });
  return plain && depth == 0 && groups <= kMostGroups && !(shortest && repeated);
}

bool write_with_group(std::string_view pattern, int group, char (&changed)[kLongestChanged + 1]) {
  int groups = 0, copied = 0;
  char* end = changed;
  const auto copy_to = [&](int at) {
    end = std::copy(pattern.begin() + copied, pattern.begin() + at, end);
    copied = at;
  };
  visit_syntax(pattern, [&](int at, char letter) {
    if (letter != '(' || pattern.substr(static_cast<std::size_t>(at), 2) == "(?" || ++groups == group) return;
    copy_to(at + 1);
    *end++ = '?';
    *end++ = ':';
  });
  copy_to(static_cast<int>(pattern.size()));
  *end = '\0';
  return groups >= group;
}

bool are_plain_flags(std::string_view flags) { return flags.find_first_not_of("gimsnpwct") == std::string_view::npos; }

namespace {

// What a group matched is looked for in the square of the text's length.
bool is_matched(FunctionCallInfo fcinfo) {
  constexpr Size kLongest = 8192, kLongestWithGroups = 1000;
  const text* const pattern = PG_GETARG_TEXT_PP(1);
  const char* const written = VARDATA_ANY(pattern);
  const int length = static_cast<int>(VARSIZE_ANY_EXHDR(pattern));
  const Size size = toast_raw_datum_size(PG_GETARG_DATUM(0)) - VARHDRSZ;
  if (is_plain_pattern(written, length, false)) return size <= kLongest;
  return size <= kLongestWithGroups && is_plain_pattern(written, length, true) && has_plain_groups(written, length);
}

bool is_replaced(FunctionCallInfo fcinfo) {
  constexpr Size kLongestReplacement = 100;
  return is_matched(fcinfo) && VARSIZE_ANY_EXHDR(PG_GETARG_TEXT_PP(2)) <= kLongestReplacement;
}

}  // namespace
}  // namespace dp::total

DP_TOTAL_FUNCTION(dp_substring_pattern) {
  if (!dp::total::is_matched(fcinfo)) PG_RETURN_NULL();
  DP_RETURN_ATTEMPT(textregexsubstr(fcinfo));
}
DP_TOTAL_FUNCTION(dp_regexp_replace) {
  if (!dp::total::is_replaced(fcinfo)) PG_RETURN_NULL();
  DP_RETURN_ATTEMPT(textregexreplace_noopt(fcinfo));
}
DP_TOTAL_FUNCTION(dp_regexp_replace_flags) {
  const text* const flags = PG_GETARG_TEXT_PP(3);
  if (!dp::total::is_replaced(fcinfo) || !dp::total::are_plain_flags({VARDATA_ANY(flags), VARSIZE_ANY_EXHDR(flags)}))
    PG_RETURN_NULL();
  DP_RETURN_ATTEMPT(textregexreplace(fcinfo));
}
DP_TOTAL_FUNCTION(dp_regexp_count) {
  if (!dp::total::is_matched(fcinfo)) PG_RETURN_NULL();
  DP_RETURN_ATTEMPT(regexp_count_no_start(fcinfo));
}
DP_TOTAL_FUNCTION(dp_regexp_instr) {
  if (!dp::total::is_matched(fcinfo)) PG_RETURN_NULL();
  DP_RETURN_ATTEMPT(regexp_instr_no_start(fcinfo));
}
