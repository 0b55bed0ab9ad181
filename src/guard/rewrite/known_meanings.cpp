#include "guard/rewrite/known_meanings.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

#include "guard/groups/key_steps.h"

namespace dp::guard {
namespace {

using bounds::Bounds;

constexpr double kMostDigits = 16383;  // behind the point

struct Known {
  std::string_view name;
  Meaning meaning;
};
constexpr Known kKnown[] = {{"int2pl", Meaning::plus},
                            {"int4pl", Meaning::plus},
                            {"int8pl", Meaning::plus},
                            {"int24pl", Meaning::plus},
                            {"int42pl", Meaning::plus},
                            {"int28pl", Meaning::plus},
                            {"int82pl", Meaning::plus},
                            {"int48pl", Meaning::plus},
                            {"int84pl", Meaning::plus},
                            {"float4pl", Meaning::plus},
                            {"float8pl", Meaning::plus},
                            {"float48pl", Meaning::plus},
                            {"float84pl", Meaning::plus},
                            {"int2mi", Meaning::minus},
                            {"int4mi", Meaning::minus},
                            {"int8mi", Meaning::minus},
                            {"int24mi", Meaning::minus},
                            {"int42mi", Meaning::minus},
                            {"int28mi", Meaning::minus},
                            {"int82mi", Meaning::minus},
                            {"int48mi", Meaning::minus},
                            {"int84mi", Meaning::minus},
                            {"float4mi", Meaning::minus},
                            {"float8mi", Meaning::minus},
                            {"float48mi", Meaning::minus},
                            {"float84mi", Meaning::minus},
                            {"int2mul", Meaning::times},
                            {"int4mul", Meaning::times},
                            {"int8mul", Meaning::times},
                            {"int24mul", Meaning::times},
                            {"int42mul", Meaning::times},
                            {"int28mul", Meaning::times},
                            {"int82mul", Meaning::times},
                            {"int48mul", Meaning::times},
                            {"int84mul", Meaning::times},
                            {"float4mul", Meaning::times},
                            {"float8mul", Meaning::times},
                            {"float48mul", Meaning::times},
                            {"float84mul", Meaning::times},
                            {"int2div", Meaning::over},
                            {"int4div", Meaning::over},
                            {"int8div", Meaning::over},
                            {"int24div", Meaning::over},
                            {"int42div", Meaning::over},
                            {"int28div", Meaning::over},
                            {"int82div", Meaning::over},
                            {"int48div", Meaning::over},
                            {"int84div", Meaning::over},
                            {"float4div", Meaning::over},
                            {"float8div", Meaning::over},
                            {"float48div", Meaning::over},
                            {"float84div", Meaning::over},
                            {"numeric_add", Meaning::plus},
                            {"dp_add", Meaning::plus},
                            {"add", Meaning::plus},
                            {"date_pli", Meaning::plus},
                            {"integer_pl_date", Meaning::plus},
                            {"date_pl_interval", Meaning::plus},
                            {"timestamp_pl_interval", Meaning::plus},
                            {"timestamptz_pl_interval", Meaning::plus},
                            {"numeric_sub", Meaning::minus},
                            {"dp_sub", Meaning::minus},
                            {"sub", Meaning::minus},
                            {"date_mi", Meaning::minus},
                            {"date_mii", Meaning::minus},
                            {"date_mi_interval", Meaning::minus},
                            {"timestamp_mi", Meaning::minus},
                            {"timestamptz_mi", Meaning::minus},
                            {"timestamp_mi_interval", Meaning::minus},
                            {"timestamptz_mi_interval", Meaning::minus},
                            {"numeric_mul", Meaning::times},
                            {"dp_mul", Meaning::times},
                            {"mul", Meaning::times},
                            {"numeric_div", Meaning::over},
                            {"dp_div", Meaning::over},
                            {"div", Meaning::quotient},
                            {"numeric_div_trunc", Meaning::quotient},
                            {"div_trunc", Meaning::quotient},
                            {"mod", Meaning::rest},
                            {"int2mod", Meaning::rest},
                            {"int4mod", Meaning::rest},
                            {"int8mod", Meaning::rest},
                            {"numeric_mod", Meaning::rest},
                            {"dp_mod", Meaning::rest},
                            {"int2um", Meaning::negated},
                            {"int4um", Meaning::negated},
                            {"int8um", Meaning::negated},
                            {"float4um", Meaning::negated},
                            {"float8um", Meaning::negated},
                            {"numeric_uminus", Meaning::negated},
                            {"minus", Meaning::negated},
                            {"abs", Meaning::absolute},
                            {"int2abs", Meaning::absolute},
                            {"int4abs", Meaning::absolute},
                            {"int8abs", Meaning::absolute},
                            {"float4abs", Meaning::absolute},
                            {"float8abs", Meaning::absolute},
                            {"numeric_abs", Meaning::absolute},
                            {"int2", Meaning::same},
                            {"int4", Meaning::same},
                            {"int8", Meaning::same},
                            {"float4", Meaning::same},
                            {"float8", Meaning::same},
                            {"numeric", Meaning::same},
                            {"dp_try_int", Meaning::same},
                            {"dp_try_float", Meaning::same},
                            {"dp_try_numeric", Meaning::same},
                            {"try_int2", Meaning::same},
                            {"try_int4", Meaning::same},
                            {"try_int8", Meaning::same},
                            {"try_float4", Meaning::same},
                            {"to_numeric", Meaning::same},
                            {"trim_scale", Meaning::same},
                            {"int2up", Meaning::same},
                            {"int4up", Meaning::same},
                            {"int8up", Meaning::same},
                            {"float4up", Meaning::same},
                            {"float8up", Meaning::same},
                            {"numeric_uplus", Meaning::same},
                            {"date", Meaning::same},
                            {"timestamp", Meaning::same},
                            {"timestamptz", Meaning::same},
                            {"interval", Meaning::same},
                            {"dp_try_date", Meaning::same},
                            {"dp_try_timestamp", Meaning::same},
                            {"dp_try_timestamptz", Meaning::same},
                            {"try_timestamptz", Meaning::same},
                            {"to_timestamptz", Meaning::same},
                            {"floor", Meaning::floor},
                            {"trunc", Meaning::cut},
                            {"dtrunc", Meaning::cut},
                            {"ceil", Meaning::ceiling},
                            {"ceiling", Meaning::ceiling},
                            {"round", Meaning::round},
                            {"dround", Meaning::round},
                            {"dp_round", Meaning::round},
                            {"extract", Meaning::part},
                            {"date_part", Meaning::part},
                            {"sqrt", Meaning::root},
                            {"dsqrt", Meaning::root},
                            {"numeric_sqrt", Meaning::root},
                            {"cbrt", Meaning::cube_root},
                            {"dcbrt", Meaning::cube_root},
                            {"exp", Meaning::exponential},
                            {"dexp", Meaning::exponential},
                            {"numeric_exp", Meaning::exponential},
                            {"ln", Meaning::natural_logarithm},
                            {"dlog1", Meaning::natural_logarithm},
                            {"numeric_ln", Meaning::natural_logarithm},
                            {"log", Meaning::logarithm},
                            {"log10", Meaning::logarithm},
                            {"dlog10", Meaning::logarithm},
                            {"numeric_log", Meaning::logarithm},
                            {"power", Meaning::power},
                            {"pow", Meaning::power},
                            {"dpow", Meaning::power},
                            {"numeric_power", Meaning::power},
                            {"sign", Meaning::sign},
                            {"gcd", Meaning::divisor},
                            {"lcm", Meaning::multiple},
                            {"width_bucket", Meaning::bucket},
                            {"dp_bucket", Meaning::multiple_below},
                            {"date_bin", Meaning::bin},
                            {"sin", Meaning::wave},
                            {"cos", Meaning::wave},
                            {"asin", Meaning::arc_sine},
                            {"acos", Meaning::arc_cosine},
                            {"atan", Meaning::arc_tangent},
                            {"atan2", Meaning::arc_tangent_of_two},
                            {"degrees", Meaning::degrees},
                            {"radians", Meaning::radians},
                            {"int2and", Meaning::bits_of_both},
                            {"int4and", Meaning::bits_of_both},
                            {"int8and", Meaning::bits_of_both},
                            {"int2or", Meaning::bits_of_either},
                            {"int4or", Meaning::bits_of_either},
                            {"int8or", Meaning::bits_of_either},
                            {"int2xor", Meaning::bits_of_either},
                            {"int4xor", Meaning::bits_of_either},
                            {"int8xor", Meaning::bits_of_either},
                            {"int2not", Meaning::bits_turned},
                            {"int4not", Meaning::bits_turned},
                            {"int8not", Meaning::bits_turned},
                            {"length", Meaning::characters},
                            {"char_length", Meaning::characters},
                            {"character_length", Meaning::characters},
                            {"octet_length", Meaning::bytes},
                            {"position", Meaning::place},
                            {"strpos", Meaning::place},
                            {"ascii", Meaning::code},
                            {"scale", Meaning::digits},
                            {"min_scale", Meaning::digits},
                            {"array_length", Meaning::elements},
                            {"cardinality", Meaning::elements},
                            {"jsonb_array_length", Meaning::elements},
                            {"json_array_length", Meaning::elements},
                            {"age", Meaning::age},
                            {"timezone", Meaning::in_zone},
                            {"at_zone", Meaning::in_zone},
                            {"date_trunc", Meaning::truncated},
                            {"dp_trunc", Meaning::truncated},
                            {"to_timestamp", Meaning::of_seconds},
                            {"make_date", Meaning::made_date},
                            {"interval_pl", Meaning::plus},
                            {"interval_mi", Meaning::minus},
                            {"interval_mul", Meaning::times},
                            {"mul_d_interval", Meaning::times},
                            {"interval_div", Meaning::over},
                            {"interval_um", Meaning::negated}};

// To the base of the second number, or to 10. Values at or below 0 have none.
Bounds logarithm(const Bounds& base, const Bounds& x) {
  const auto ln = [](const Bounds& of) {
    return of && of->lower > 0 ? bounds::rising_roughly(of, [](double value) { return std::log(value); })
                               : std::nullopt;
  };
  return bounds::over(ln(x), ln(base));
}

// A half is rounded to the even number, or away from zero, as the type has it.
Bounds nearest(const Bounds& x) {
  if (!x) return std::nullopt;
  return bounds::make(std::min(std::rint(x->lower), std::round(x->lower)),
                      std::max(std::rint(x->upper), std::round(x->upper)));
}

double furthest(const Bounds& x) { return std::max(std::abs(x->lower), std::abs(x->upper)); }

Bounds of_two(Meaning meaning, const Bounds& x, const Bounds& y, bool whole) {
  switch (meaning) {
    case Meaning::plus:
      return bounds::plus(x, y);
    case Meaning::minus:
      return bounds::minus(x, y);
    case Meaning::times:
      return bounds::times(x, y);
    case Meaning::over:
      return bounds::over(x, y, whole);
    case Meaning::quotient:
      return bounds::rising(bounds::over(x, y), [](double value) { return std::trunc(value); });
    case Meaning::rest:
      return bounds::rest(x, y, whole);
    case Meaning::logarithm:
      return logarithm(x, y);
    case Meaning::power:
      return bounds::power(x, y);
    case Meaning::multiple_below:
      return x && y && y->lower > 0 ? bounds::make(x->lower - y->upper, x->upper) : std::nullopt;
    case Meaning::divisor:
      return x && y ? bounds::make(0, std::max(furthest(x), furthest(y))) : std::nullopt;
    case Meaning::multiple:
      return x && y ? bounds::make(0, furthest(x) * furthest(y)) : std::nullopt;
    case Meaning::arc_tangent_of_two:
      return bounds::make(-std::numbers::pi, std::numbers::pi);
    case Meaning::bits_of_both:
      return bounds::bits_of_both(x, y);
    case Meaning::bits_of_either:
      return bounds::bits_of_either(x, y);
    default:
      return std::nullopt;
  }
}

Bounds of_one(Meaning meaning, const Bounds& x) {
  switch (meaning) {
    case Meaning::negated:
      return bounds::negated(x);
    case Meaning::absolute:
      return bounds::absolute(x);
    case Meaning::floor:
      return bounds::rising(x, [](double value) { return std::floor(value); });
    case Meaning::cut:
      return bounds::rising(x, [](double value) { return std::trunc(value); });
    case Meaning::ceiling:
      return bounds::rising(x, [](double value) { return std::ceil(value); });
    case Meaning::round:
      return nearest(x);
    case Meaning::root:  // NULL below 0
      return bounds::rising_roughly(x, [](double value) { return std::sqrt(std::max(value, 0.0)); });
    case Meaning::cube_root:
      return bounds::rising_roughly(x, [](double value) { return std::cbrt(value); });
    case Meaning::exponential:
      return bounds::rising_roughly(x, [](double value) { return std::exp(value); });
    case Meaning::natural_logarithm:
      if (!x || x->lower <= 0) return std::nullopt;
      return bounds::rising_roughly(x, [](double value) { return std::log(value); });
    case Meaning::logarithm:
      if (!x || x->lower <= 0) return std::nullopt;
      return bounds::rising_roughly(x, [](double value) { return std::log10(value); });
    case Meaning::sign:
      return x ? bounds::rising(x, [](double value) { return (value > 0) - (value < 0); }) : bounds::make(-1, 1);
    case Meaning::wave:
      return bounds::make(-1, 1);
    case Meaning::arc_sine:
    case Meaning::arc_tangent:
      return bounds::make(-std::numbers::pi / 2, std::numbers::pi / 2);
    case Meaning::arc_cosine:
      return bounds::make(0, std::numbers::pi);
    case Meaning::degrees:
      return bounds::outside(bounds::times(x, bounds::make(180 / std::numbers::pi, 180 / std::numbers::pi)));
    case Meaning::radians:
      return bounds::outside(bounds::times(x, bounds::make(std::numbers::pi / 180, std::numbers::pi / 180)));
    case Meaning::bits_turned:
      return bounds::minus(bounds::make(-1, -1), x);
    case Meaning::digits:
      return bounds::make(0, kMostDigits);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<Meaning> meaning_of(Oid function) {
  const char* const name = name_of(function);
  if (name == nullptr) return std::nullopt;
  for (const Known& known : kKnown) {
    if (known.name == name) return known.meaning;
  }
  return std::nullopt;
}

Bounds bounds_of_meaning(Meaning meaning, const Bounds& first, const Bounds* second, bool whole) {
  return second != nullptr ? of_two(meaning, first, *second, whole) : of_one(meaning, first);
}

}  // namespace dp::guard
