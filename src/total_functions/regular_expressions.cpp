// dp_internal.substring(text, pattern), dp_internal.regexp_replace(text, pattern, by [, flags]): what PostgreSQL's
// give, and NULL where these raise an error, for patterns that are not plain, and for texts of more than 8 kB.
#include "total_functions/regular_expressions.h"

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

constexpr Size kLongestText = 8192;

// Without groups: finding out what one matched can take a time that is exponential in the text.
bool is_matched(FunctionCallInfo fcinfo) {
  const text* const pattern = PG_GETARG_TEXT_PP(1);
  return toast_raw_datum_size(PG_GETARG_DATUM(0)) <= kLongestText + VARHDRSZ &&
         is_plain_pattern(VARDATA_ANY(pattern), static_cast<int>(VARSIZE_ANY_EXHDR(pattern)), false);
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
  if (!dp::total::is_replaced(fcinfo)) PG_RETURN_NULL();
  DP_RETURN_ATTEMPT(textregexreplace(fcinfo));
}
