// What is true of a function whatever the types of its arguments: one row for each meaning.
#pragma once

#include <cstdint>

#include "core/bounds/meaning.h"

namespace dp::bounds {

// Of which types its value is what its definition says, so that it fails only where it leaves its type, or divides by
// zero. What is rounded to some digits is not between the ends that it has in between; and of floating-point numbers a
// product of very small ones is an error, too.
enum class Exact : std::uint8_t { never, of_integers, of_integers_and_numerics };

// How many digits behind the point a numeric shows that it gives.
enum class Digits : std::uint8_t {
  as_computed,   // what comes out, whatever the arguments show
  as_arguments,  // none where they show none
  none,
  as_asked,  // as many as it is told, else none
  shortest   // as few as the value needs
};

struct Traits {
  Exact exact = Exact::never;
  Digits digits = Digits::as_computed;
  bool rounds = false;    // to whole numbers, or to as many digits as it is told: it never goes down where its argument
                          // goes up
  bool measures = false;  // a text or an array
};

constexpr Traits traits_of(Meaning meaning) {
  switch (meaning) {
    case Meaning::plus:
    case Meaning::minus:
    case Meaning::times:
    case Meaning::negate:
    case Meaning::abs:
    case Meaning::mod:
      return {Exact::of_integers_and_numerics, Digits::as_arguments};
    case Meaning::floor:
    case Meaning::ceil:
      return {Exact::of_integers_and_numerics, Digits::none, true};
    case Meaning::round:
    case Meaning::trunc:
      return {Exact::of_integers_and_numerics, Digits::as_asked, true};
    case Meaning::sign:
      return {Exact::of_integers_and_numerics, Digits::none};
    case Meaning::div:
      return {Exact::never, Digits::none, true};
    case Meaning::trim_scale:
      return {Exact::never, Digits::shortest};
    case Meaning::divide:
    case Meaning::gcd:
    case Meaning::lcm:
    case Meaning::bits_and:
    case Meaning::bits_or:
    case Meaning::bits_not:
      return {Exact::of_integers};
    case Meaning::length:
    case Meaning::octet_length:
    case Meaning::position:
    case Meaning::ascii:
    case Meaning::array_size:
      return {.measures = true};
    default:
      return {};
  }
}

// Whether what comes out has as many digits as it says itself, whatever those of its arguments are.
constexpr bool says_digits(Digits digits) {
  return digits == Digits::none || digits == Digits::as_asked || digits == Digits::shortest;
}

}  // namespace dp::bounds
