#include "aggregate/call/numeric_grid.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>

namespace dp::aggregate {
namespace {

using noise::Int128;

Numeric numeric_from_text(const char* text) {
  return DatumGetNumeric(
      DirectFunctionCall3(numeric_in, CStringGetDatum(text), ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1)));
}

int compare(Numeric a, Numeric b) {
  return DatumGetInt32(DirectFunctionCall2(numeric_cmp, NumericGetDatum(a), NumericGetDatum(b)));
}

Datum multiply(Numeric a, Numeric b) {
  return DirectFunctionCall2(numeric_mul, NumericGetDatum(a), NumericGetDatum(b));
}

// A numeric as mantissa * 10000^-places.
struct Decimal {
  Int128 mantissa;
  int places;
};

// Digits of base 10000 that 128 bits hold beside the factors of a scale.
constexpr int kMostDigits = 7;

// Reads the bytes of a numeric behind its length word. Format of PostgreSQL since 9.1
// (src/backend/utils/adt/numeric.c): a header of 16 bits that holds sign and weight where they are small, else sign
// alone and 16 bits of weight; then the digits, the first one worth 10000^weight. Nothing for NaN, infinities and
// numbers of too many digits.
std::optional<Decimal> read_decimal(const char* bytes, std::size_t size) {
  std::uint16_t header;
  std::memcpy(&header, bytes, sizeof header);
  bool negative;
  int weight;
  if ((header & 0xC000) == 0xC000) return std::nullopt;
  if ((header & 0x8000) != 0) {
    negative = (header & 0x2000) != 0;
    weight = (header & 0x0040) != 0 ? (header & 0x003F) - 64 : header & 0x003F;
    bytes += sizeof header;
    size -= sizeof header;
  } else {
    negative = (header & 0x4000) != 0;
    std::int16_t wide;
    std::memcpy(&wide, bytes + sizeof header, sizeof wide);
    weight = wide;
    bytes += sizeof header + sizeof wide;
    size -= sizeof header + sizeof wide;
  }
  const int digits = static_cast<int>(size / sizeof(std::int16_t));
  if (digits > kMostDigits || weight >= kMostDigits) return std::nullopt;
  Int128 mantissa = 0;
  for (int i = 0; i < digits; ++i) {
    std::int16_t digit;
    std::memcpy(&digit, bytes + i * sizeof digit, sizeof digit);
    mantissa = mantissa * 10000 + digit;
  }
  // Trailing zeros of whole numbers are not stored.
  int places = digits - 1 - weight;
  for (; places < 0; ++places) mantissa *= 10000;
  return Decimal{negative ? -mantissa : mantissa, places};
}

std::optional<Decimal> read_decimal(Numeric value) {
  return read_decimal(VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value));
}

// mantissa * 10000^(places - its own). False where that is no whole number, or takes more than 100 bits.
bool at_places(const std::optional<Decimal>& value, int places, Int128* scaled) {
  if (!value || value->places > places) return false;
  *scaled = value->mantissa;
  for (int i = value->places; i < places; ++i) {
    if (__builtin_mul_overflow(*scaled, Int128{10000}, scaled)) return false;
  }
  const Int128 most = Int128{1} << 100;
  return *scaled <= most && *scaled >= -most;
}

}  // namespace

Numeric numeric_from_double(double value) {
  char text[40];
  *std::to_chars(text, text + sizeof text - 1, value).ptr = '\0';
  return numeric_from_text(text);
}

Numeric to_numeric(noise::Int128 value) {
  char text[48];
  char* digit = text + sizeof text;
  *--digit = '\0';
  noise::Uint128 rest = value < 0 ? -static_cast<noise::Uint128>(value) : static_cast<noise::Uint128>(value);
  do {
    *--digit = static_cast<char>('0' + static_cast<int>(rest % 10));
    rest /= 10;
  } while (rest != 0);
  if (value < 0) *--digit = '-';
  return numeric_from_text(digit);
}

Numeric numeric_power_of_two(int exponent) {
  // 2^-k = 5^k / 10^k: as many decimals as k, all of them kept by numeric_mul.
  const Numeric base = numeric_from_text(exponent < 0 ? "0.5" : "2");
  Numeric power = numeric_from_text("1");
  for (int i = 0; i < std::abs(exponent); ++i) power = DatumGetNumeric(multiply(power, base));
  return power;
}

NumericGrid NumericGrid::make(const RealGrid& grid) {
  NumericGrid made{};
  made.lower_ = numeric_from_double(grid.bounds.lower);
  made.upper_ = numeric_from_double(grid.bounds.upper);
  made.origin_ = numeric_from_double(grid.origin);
  made.inverse_ = numeric_power_of_two(-grid.exponent);
  made.up_ = static_cast<unsigned>(grid.exponent < 0 ? -grid.exponent : 0);
  const auto lower = read_decimal(made.lower_), upper = read_decimal(made.upper_), origin = read_decimal(made.origin_);
  Int128 units = 1;  // 10000^places
  for (int places = 0; places <= kMostPlaces; ++places, units *= 10000) {
    Scale& scale = made.scales_[places];
    // Differences stay below 2^63 steps, so that with `units` below 2^54 nothing in steps() leaves 127 bits.
    scale.usable = grid.exponent <= 60 && made.up_ <= 90 && at_places(lower, places, &scale.lower) &&
                   at_places(upper, places, &scale.upper) && at_places(origin, places, &scale.origin);
    scale.per_step = units << (scale.usable && grid.exponent > 0 ? grid.exponent : 0);
  }
  return made;
}

std::int64_t NumericGrid::steps(Datum value) const {
  auto* const packed = PG_DETOAST_DATUM_PACKED(value);
  const auto decimal = read_decimal(VARDATA_ANY(packed), VARSIZE_ANY_EXHDR(packed));
  if (!decimal || decimal->places > kMostPlaces || !scales_[decimal->places].usable) {
    return steps_by_arithmetic(DatumGetNumeric(value));
  }
  const Scale& scale = scales_[decimal->places];
  Int128 clamped = decimal->mantissa;
  if (clamped > scale.upper) clamped = scale.upper;
  if (clamped < scale.lower) clamped = scale.lower;
  const Int128 above = (clamped - scale.origin) << up_;
  const auto per_step = static_cast<noise::Uint128>(scale.per_step);
  const bool negative = above < 0;
  const auto magnitude = static_cast<noise::Uint128>(negative ? -above : above) + per_step / 2;
  // Most operands fit 64 bits, which the processor divides in one instruction.
  const bool small = (magnitude >> 64) == 0 && (per_step >> 64) == 0;
  const auto whole =
      small ? static_cast<std::int64_t>(static_cast<std::uint64_t>(magnitude) / static_cast<std::uint64_t>(per_step))
            : static_cast<std::int64_t>(magnitude / per_step);
  return negative ? -whole : whole;
}

std::int64_t NumericGrid::steps_by_arithmetic(Numeric value) const {
  if (compare(value, upper_) > 0) value = upper_;
  if (compare(value, lower_) < 0) value = lower_;
  const Numeric above =
      DatumGetNumeric(DirectFunctionCall2(numeric_sub, NumericGetDatum(value), NumericGetDatum(origin_)));
  return DatumGetInt64(DirectFunctionCall1(numeric_int8, multiply(above, inverse_)));  // rounds to the nearest
}

}  // namespace dp::aggregate
