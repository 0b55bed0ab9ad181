#include "core/accumulate/short_decimal.h"

#include <charconv>
#include <cmath>

namespace dp::aggregate {

double shortest_decimal(double value, double near) {
  constexpr int kDigits = 17;
  char text[64];
  for (int digits = 1; digits < kDigits; ++digits) {
    const auto written = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, digits - 1);
    double read = 0;
    std::from_chars(text, written.ptr, read);
    if (std::fabs(read - value) <= near) return read;
  }
  return value;
}

}  // namespace dp::aggregate
