// Extended regular expressions of the C library: those of the C++ library take seconds to compile, and long to match.
#pragma once

#include <regex.h>

#include <string>

#include "support/session.h"

namespace dp::test {

class Pattern {
 public:
  explicit Pattern(const char* expression) {
    require(regcomp(&compiled_, expression, REG_EXTENDED) == 0, std::string("no regular expression: ") + expression);
  }
  ~Pattern() { regfree(&compiled_); }
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;

  // `text` with `sign` in place of each match, behind what its first group matched.
  std::string replaced(const std::string& text, const char* sign) const {
    std::string result;
    regmatch_t found[2];
    const auto end = static_cast<regoff_t>(text.size());
    regoff_t from = 0;
    // Within the whole text: \b looks at what stands before.
    for (; next(text, from, end, found); from = found[0].rm_eo) {
      result.append(text, from, found[0].rm_so - from);
      if (found[1].rm_so >= 0) result.append(text, found[1].rm_so, found[1].rm_eo - found[1].rm_so);
      result += sign;
    }
    return result.append(text, from);
  }

 private:
  bool next(const std::string& text, regoff_t from, regoff_t end, regmatch_t (&found)[2]) const {
    found[0] = {from, end};
    return regexec(&compiled_, text.c_str(), 2, found, REG_STARTEND) == 0;
  }

  regex_t compiled_;
};

}  // namespace dp::test
