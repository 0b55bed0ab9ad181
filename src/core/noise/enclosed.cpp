#include "core/noise/enclosed.h"

namespace dp::noise {
namespace {

// Both in parts of 2^-precision.
Enclosure square(const Enclosure& x, unsigned precision) {
  return {Integer(x.low * x.low) >> precision, (Integer(x.high * x.high) >> precision) + 1};
}

}  // namespace

Enclosure exp_enclosed(const Integer& num, const Integer& den, unsigned precision) {
  const Integer whole = num / den;
  const unsigned halvings = (whole == 0 ? 0 : static_cast<unsigned>(boost::multiprecision::msb(whole)) + 1) + 8;
  const unsigned fine = precision + halvings + 16;
  Integer one = 1;
  one <<= fine;  // in place: gcc 12 takes the shifted temporary for uninitialised at -O2
  Enclosure y{0, 0};
  y.low = Integer(num << (fine - halvings)) / den;
  y.high = y.low + 1;
  // 1 - y + y^2/2 - ...: of the powers too large and too small ones, whichever makes the sum smaller or larger.
  Enclosure sum{one, one}, term{one, one};
  for (unsigned k = 1; term.high > 1; ++k) {
    term = {(Integer(term.low * y.low) >> fine) / k, (Integer(term.high * y.high) >> fine) / k + 1};
    if (k % 2 == 1) {
      sum = {sum.low - term.high, sum.high - term.low};
    } else {
      sum = {sum.low + term.low, sum.high + term.high};
    }
  }
  sum = {sum.low - term.high, sum.high + term.high};  // what follows is less than the last one
  for (unsigned k = 0; k < halvings; ++k) sum = square(sum, fine);
  return {sum.low >> (fine - precision), (sum.high >> (fine - precision)) + 1};
}

}  // namespace dp::noise
