#include "core/number/real.h"

#include <boost/math/constants/constants.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <new>
#include <ostream>
#include <type_traits>

namespace dp {

using Number = boost::multiprecision::cpp_bin_float_50;

// How Boost's number is put into a Real, and reached there.
struct Real::Boost {
  static_assert(sizeof(Number) == sizeof(storage_) && alignof(Number) <= alignof(Real));
  static_assert(std::is_trivially_destructible_v<Number>);

  template <class Value>
  static void make(Real& x, const Value& value) {
    new (x.storage_) Number(value);
  }

  static Real real(const Number& number) {
    Real x;
    of(x) = number;
    return x;
  }

  static const Number& of(const Real& x) { return *std::launder(reinterpret_cast<const Number*>(x.storage_)); }
  static Number& of(Real& x) { return *std::launder(reinterpret_cast<Number*>(x.storage_)); }
};

Real::Real(Widened, std::int64_t value) { Boost::make(*this, value); }
Real::Real(Widened, std::uint64_t value) { Boost::make(*this, value); }
Real::Real(double value) { Boost::make(*this, value); }
Real::Real(long double value) { Boost::make(*this, value); }
Real::Real(unsigned __int128 value) { Boost::make(*this, value); }
Real::Real(const char* decimal) { Boost::make(*this, decimal); }

Real::Real(const Real& other) { Boost::make(*this, Boost::of(other)); }
Real& Real::operator=(const Real& other) {
  Boost::of(*this) = Boost::of(other);
  return *this;
}

Real::operator double() const { return Boost::of(*this).convert_to<double>(); }
Real::operator long double() const { return Boost::of(*this).convert_to<long double>(); }
Real::operator std::int64_t() const { return Boost::of(*this).convert_to<std::int64_t>(); }
Real::operator unsigned __int128() const { return Boost::of(*this).convert_to<unsigned __int128>(); }

const Real& Real::pi() {
  static const Real value = Boost::real(boost::math::constants::pi<Number>());
  return value;
}

Real Real::operator-() const { return Boost::real(-Boost::of(*this)); }
Real& Real::operator+=(const Real& other) {
  Boost::of(*this) += Boost::of(other);
  return *this;
}
Real& Real::operator-=(const Real& other) {
  Boost::of(*this) -= Boost::of(other);
  return *this;
}
Real& Real::operator*=(const Real& other) {
  Boost::of(*this) *= Boost::of(other);
  return *this;
}
Real& Real::operator/=(const Real& other) {
  Boost::of(*this) /= Boost::of(other);
  return *this;
}

Real operator+(const Real& a, const Real& b) { return Real::Boost::real(Real::Boost::of(a) + Real::Boost::of(b)); }
Real operator-(const Real& a, const Real& b) { return Real::Boost::real(Real::Boost::of(a) - Real::Boost::of(b)); }
Real operator*(const Real& a, const Real& b) { return Real::Boost::real(Real::Boost::of(a) * Real::Boost::of(b)); }
Real operator/(const Real& a, const Real& b) { return Real::Boost::real(Real::Boost::of(a) / Real::Boost::of(b)); }
bool operator==(const Real& a, const Real& b) { return Real::Boost::of(a) == Real::Boost::of(b); }
std::partial_ordering operator<=>(const Real& a, const Real& b) {
  const Number &x = Real::Boost::of(a), &y = Real::Boost::of(b);
  if (x < y) return std::partial_ordering::less;
  if (x > y) return std::partial_ordering::greater;
  return x == y ? std::partial_ordering::equivalent : std::partial_ordering::unordered;
}

Real abs(const Real& x) { return Real::Boost::real(abs(Real::Boost::of(x))); }
Real ceil(const Real& x) { return Real::Boost::real(ceil(Real::Boost::of(x))); }
Real floor(const Real& x) { return Real::Boost::real(floor(Real::Boost::of(x))); }
Real sqrt(const Real& x) { return Real::Boost::real(sqrt(Real::Boost::of(x))); }
Real exp(const Real& x) { return Real::Boost::real(exp(Real::Boost::of(x))); }
Real expm1(const Real& x) { return Real::Boost::real(expm1(Real::Boost::of(x))); }
Real log(const Real& x) { return Real::Boost::real(log(Real::Boost::of(x))); }
Real log1p(const Real& x) { return Real::Boost::real(log1p(Real::Boost::of(x))); }
Real log2(const Real& x) { return Real::Boost::real(log2(Real::Boost::of(x))); }
Real sinh(const Real& x) { return Real::Boost::real(sinh(Real::Boost::of(x))); }
Real cosh(const Real& x) { return Real::Boost::real(cosh(Real::Boost::of(x))); }
Real tanh(const Real& x) { return Real::Boost::real(tanh(Real::Boost::of(x))); }
Real erfc(const Real& x) { return Real::Boost::real(boost::math::erfc(Real::Boost::of(x))); }
Real ldexp(const Real& x, int exponent) { return Real::Boost::real(ldexp(Real::Boost::of(x), exponent)); }
Real pow(const Real& base, const Real& exponent) {
  return Real::Boost::real(pow(Real::Boost::of(base), Real::Boost::of(exponent)));
}
Real Real::to_the(std::int64_t exponent) const { return Boost::real(pow(Boost::of(*this), exponent)); }
Real upper_gamma(const Real& s, const Real& x) {
  return Real::Boost::real(boost::math::tgamma(Real::Boost::of(s), Real::Boost::of(x)));
}
Real lower_gamma(const Real& s, const Real& x) {
  return Real::Boost::real(boost::math::tgamma_lower(Real::Boost::of(s), Real::Boost::of(x)));
}

std::ostream& operator<<(std::ostream& out, const Real& x) { return out << Real::Boost::of(x); }

}  // namespace dp
