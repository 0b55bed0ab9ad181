#include "core/accounting/amount.h"

#include <charconv>

namespace dp::budget {
namespace {

Decimal decimal(std::int64_t quanta, int digits) {
  const std::uint64_t size = quanta < 0 ? 0 - static_cast<std::uint64_t>(quanta) : static_cast<std::uint64_t>(quanta);
  std::uint64_t unit = 1;
  for (int i = 0; i < digits; ++i) unit *= 10;
  Decimal written;
  char* end = written.text;
  if (quanta < 0) *end++ = '-';
  end = std::to_chars(end, written.text + sizeof written.text, size / unit).ptr;
  std::uint64_t rest = size % unit;
  if (rest != 0) *end++ = '.';
  for (; rest != 0; rest %= unit) {
    unit /= 10;
    *end++ = static_cast<char>('0' + rest / unit);
  }
  *end = '\0';
  return written;
}

}  // namespace

Decimal epsilon_decimal(std::int64_t nano) { return decimal(nano, 9); }
Decimal epsilon_decimal(mechanism::Epsilon epsilon) { return epsilon_decimal(static_cast<std::int64_t>(epsilon.nano)); }
Decimal delta_decimal(std::int64_t atto) { return decimal(atto, 18); }

}  // namespace dp::budget
