// Whether a private answer, but for its noise, is what PostgreSQL itself answers.
#pragma once

#include <cmath>
#include <map>

#include "support/session.h"

namespace dp::test {

// The first `keys` columns name the group, the others are numbers.
struct Truth {
  std::string sql;  // empty: nobody knows
  std::size_t keys = 0;
  std::vector<double> off =
      {};  // how far each number may be off; below zero: where there is nothing it may be anything
};

// Empty if it is. Groups of which there are no rows may be shown: with nothing in them.
inline std::string untrue(const Result& answer, const Result& rows, const Truth& truth) {
  const auto value = [](const Result& result, int row, std::size_t column) {
    const auto place = static_cast<int>(column);
    return PQgetisnull(result.libpq(), row, place) ? std::string("NULL") : "'" + result.value(row, place);
  };
  const auto group = [&](const Result& result, int row) {
    std::string name;
    for (std::size_t i = 0; i < truth.keys; ++i) name += value(result, row, i) + " | ";
    return name;
  };
  std::map<std::string, int> groups;
  for (int row = 0; row < rows.rows(); ++row) groups[group(rows, row)] = row;
  for (int row = 0; row < answer.rows(); ++row) {
    const std::string name = group(answer, row);
    const auto found = groups.find(name);
    for (std::size_t i = 0; i < truth.off.size(); ++i) {
      const std::string is = value(answer, row, truth.keys + i);
      const std::string should_be = found == groups.end() ? "NULL" : value(rows, found->second, truth.keys + i);
      if (should_be == "NULL" && truth.off[i] < 0) continue;
      const double of_nothing = 0,
                   exact = should_be == "NULL" ? of_nothing : std::strtod(should_be.c_str() + 1, nullptr);
      const double shown = is == "NULL" ? of_nothing : std::strtod(is.c_str() + 1, nullptr);
      if (!(std::fabs(shown - exact) <= std::fabs(truth.off[i])))
        return "group " + name + ": column " + std::to_string(truth.keys + i + 1) + " is " + is + ", not " + should_be;
    }
    if (found != groups.end()) groups.erase(found);
  }
  return groups.empty() ? "" : "no group " + groups.begin()->first;
}

}  // namespace dp::test
