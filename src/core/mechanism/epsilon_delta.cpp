#include "core/mechanism/epsilon_delta.h"

#include <charconv>
#include <cmath>
#include <string_view>

#include "core/mechanism/error.h"

namespace dp::mechanism {
namespace {

std::uint64_t count_quanta(double value, int digits_per_unit) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr;
  const std::string_view shortest(text, static_cast<std::size_t>(end - text));  // d.dddde-XX
  const std::size_t e = shortest.find('e');
  int exponent = 0;
  std::from_chars(shortest.data() + e + (shortest[e + 1] == '+' ? 2 : 1), end, exponent);
  std::uint64_t whole = 0;
  std::size_t next = 0;
  for (int place = exponent + digits_per_unit; place >= 0; --place) {
    if (next == 1 && e > 1) ++next;  // the point
    whole = whole * 10 + (next < e ? shortest[next++] - '0' : 0);
  }
  return whole;
}

// The whole number of quanta in a positive value of at most 9e9 (with 9 digits) or below 1 (with 18), read from its
// shortest decimal: what a person typed as 0.3 is three tenths, though its double lies a little below. Digits beyond
// the quantum are cut off, which is the safe side. A session asks with the same epsilon again and again: the last one
// is remembered.
std::uint64_t quanta(double value, int digits_per_unit) {
  static struct {
    double value;
    int digits_per_unit;
    std::uint64_t quanta;
  } last{};
  if (last.value != value || last.digits_per_unit != digits_per_unit)
    last = {value, digits_per_unit, count_quanta(value, digits_per_unit)};
  return last.quanta;
}

std::uint64_t nano_up_to(double most, double value) { return value > 0 && value <= most ? quanta(value, 9) : 0; }

// 0 where the value does not lie between 1e-18 and below 1.
std::uint64_t atto_below_one(double value) {
  const std::uint64_t atto = value > 0 && value < 1 ? quanta(value, 18) : 0;
  return atto < Delta::kPerUnit ? atto : 0;
}

}  // namespace

std::string decimal(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

Epsilon Epsilon::from(double value, const char* name, const char* example) {
  const std::uint64_t nano = nano_up_to(1e6, value);
  if (nano == 0) {
    throw Error(std::string(name) + " must be a number from 1e-9 to 1e6, not " + decimal(value),
                "Smaller is more private; 0.1 to 1 is common, for example " + std::string(example) + ".");
  }
  return {nano};
}

Epsilon Epsilon::limit(double value, const char* name, const char* example) {
  const std::uint64_t nano = nano_up_to(9e9, value);
  if (nano == 0) {
    throw Error(std::string(name) + " of a budget must be a number from 1e-9 to 9e9, not " + decimal(value),
                "Give the most that may be spent, for example " + std::string(example) + ".");
  }
  return {nano};
}

Delta Delta::from(double value, const char* name, const char* example) {
  const std::uint64_t atto = atto_below_one(value);
  if (atto == 0) {
    throw Error(std::string(name) + " must be a number from 1e-18 to below 1, not " + decimal(value),
                "Choose a delta well below one over the number of people, for example " + std::string(example) + ".");
  }
  return {atto};
}

Delta Delta::limit(double value) {
  const std::uint64_t atto = atto_below_one(value);
  if (atto == 0 && value != 0) {
    throw Error("delta of a budget must be 0 or a number from 1e-18 to below 1, not " + decimal(value),
                "Leave it out where no mechanism needs delta, or give for example dp.protect('visits', 10, 1e-6).");
  }
  return {atto};
}

}  // namespace dp::mechanism
