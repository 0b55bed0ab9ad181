// What the standard library of Debian's Emscripten lacks of C++20 and the core uses. Included before everything else.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace std {

// The shortest decimal that reads back as the same double: printf rounds to the nearest of so many digits.
inline to_chars_result shortest(char* first, char* last, double value, const char* format, int digits) {
  for (;; ++digits) {
    const int size = snprintf(first, static_cast<size_t>(last - first), format, digits, value);
    if (digits >= 17 || strtod(first, nullptr) == value) return {first + size, errc()};
  }
}
inline to_chars_result to_chars(char* first, char* last, double value) {
  return shortest(first, last, value, "%.*g", 1);
}
inline to_chars_result to_chars(char* first, char* last, double value, chars_format) {  // scientific
  return shortest(first, last, value, "%.*e", 0);
}

inline from_chars_result from_chars(const char* first, const char* last, double& value) {
  const string text(first, last);
  char* end;
  value = strtod(text.c_str(), &end);
  return end == text.c_str() ? from_chars_result{first, errc::invalid_argument} : from_chars_result{first + (end - text.c_str()), errc()};
}

namespace ranges {
template <class Range, class Test>
bool any_of(const Range& range, Test test) {
  return std::any_of(range.begin(), range.end(), test);
}
template <class Range, class Test>
bool none_of(const Range& range, Test test) {
  return std::none_of(range.begin(), range.end(), test);
}
}  // namespace ranges

}  // namespace std
