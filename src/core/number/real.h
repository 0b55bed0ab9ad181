// Numbers of 50 decimal digits: what a calibration is certified with, where a double would round too much.
//
// They are Boost's cpp_bin_float_50 behind functions that are compiled once, in real.cpp: where all use its templates,
// they take most of the time in which the core and its tests are compiled. Every operation rounds to the nearest number
// of 168 bits; the functions lose a few units of the last of these, and whoever certifies leaves a margin far above.
// Throws std::runtime_error for a text that is no number, and where an integer is asked of one that is infinite or
// none.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iosfwd>

namespace dp {

class Real {
 public:
  Real() : Real(std::int64_t{0}) {}
  template <std::signed_integral Integer>
  requires(sizeof(Integer) <= sizeof(std::int64_t)) Real(Integer value)
      : Real(Widened{}, static_cast<std::int64_t>(value)) {}
  template <std::unsigned_integral Integer>
  requires(sizeof(Integer) <= sizeof(std::uint64_t)) Real(Integer value)
      : Real(Widened{}, static_cast<std::uint64_t>(value)) {}
  Real(double value);
  Real(long double value);
  explicit Real(unsigned __int128 value);
  explicit Real(const char* decimal);

  Real(const Real& other);
  Real& operator=(const Real& other);

  // The nearest; what is beyond a double's range becomes infinite or zero.
  explicit operator double() const;
  explicit operator long double() const;
  // What is beyond the range becomes its end; fractions go away.
  explicit operator std::int64_t() const;
  explicit operator unsigned __int128() const;

  static const Real& pi();

  Real operator-() const;
  Real& operator+=(const Real& other);
  Real& operator-=(const Real& other);
  Real& operator*=(const Real& other);
  Real& operator/=(const Real& other);

  // Found by their arguments alone, so that the name of a function of double never means one of these.
  friend Real operator+(const Real& a, const Real& b);
  friend Real operator-(const Real& a, const Real& b);
  friend Real operator*(const Real& a, const Real& b);
  friend Real operator/(const Real& a, const Real& b);
  friend bool operator==(const Real& a, const Real& b);
  friend std::partial_ordering operator<=>(const Real& a, const Real& b);

  friend Real abs(const Real& x);
  friend Real ceil(const Real& x);
  friend Real floor(const Real& x);
  friend Real sqrt(const Real& x);
  friend Real exp(const Real& x);
  friend Real expm1(const Real& x);
  friend Real log(const Real& x);
  friend Real log1p(const Real& x);
  friend Real log2(const Real& x);
  friend Real sinh(const Real& x);
  friend Real cosh(const Real& x);
  friend Real tanh(const Real& x);
  friend Real erfc(const Real& x);
  // x 2^exponent, exactly.
  friend Real ldexp(const Real& x, int exponent);
  // By repeated squaring where the exponent is an integer.
  friend Real pow(const Real& base, const Real& exponent);
  template <std::integral Integer>
  friend Real pow(const Real& base, Integer exponent) {
    return base.to_the(static_cast<std::int64_t>(exponent));
  }
  // The integrals of t^{s-1} e^{-t} from x on, and up to x.
  friend Real upper_gamma(const Real& s, const Real& x);
  friend Real lower_gamma(const Real& s, const Real& x);

  // For the messages of tests.
  friend std::ostream& operator<<(std::ostream& out, const Real& x);

 private:
  struct Widened {};
  struct Boost;

  Real(Widened, std::int64_t value);
  Real(Widened, std::uint64_t value);

  Real to_the(std::int64_t exponent) const;

  // Where Boost's number lies; real.cpp knows its size.
  alignas(16) std::byte storage_[64];
};

}  // namespace dp
