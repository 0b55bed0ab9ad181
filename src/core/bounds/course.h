// Where a value changes that is computed from one number x: between which multiples it stays as it is, so that one x
// between two of them tells it. floor(x / 10) is the same between two multiples of 10, floor((x - 5) / 10) between two
// of 5.
#pragma once

#include <cstdint>
#include <optional>

#include "core/bounds/meaning.h"

namespace dp::bounds {

// A size as a fraction of whole numbers, in lowest terms.
struct Fraction {
  __int128 over = 0;
  __int128 under = 1;

  bool operator==(const Fraction&) const = default;
};

// The shortest decimal number that is this double, without its sign: 0.05 is 1/20. Nothing where it has digits beyond
// the 18th before or behind the point, or is not finite.
std::optional<Fraction> as_fraction(double size);
double as_double(const Fraction& fraction);

enum class Varies : std::uint8_t {
  never,     // it does not depend on x
  in_line,   // it goes up and down with x, and reaches multiples of a number at multiples of another one alone
  in_steps,  // it changes at multiples of a number alone
  anywhere   // nothing is known
};

struct Course {
  Varies varies = Varies::never;
  Fraction slope{1, 1};     // in a line: how much it changes where x does, up or down
  Fraction shift{};         // in a line: of what all numbers are multiples that were added to it; 0: nothing was
  Fraction width{};         // in steps: between multiples of this it is the same; 0: it changes at 0 alone
  bool calculated = false;  // before it was rounded: what divides may round a quotient up to the next step
  bool rises = true;        // never down where x goes up; else down, or up and down
};

// x itself.
inline constexpr Course kItself{.varies = Varies::in_line};

inline constexpr Course kAnywhere{.varies = Varies::anywhere};

// Of whatever is computed from both and from nothing else.
Course course_of_both(const Course& x, const Course& y);

// Of a function of the number x alone.
Course course_of(Meaning meaning, const Course& x);

// Of a function of x and of a constant beside it, which stands `first` or behind x.
Course course_of(Meaning meaning, const Course& x, double constant, bool first);

// Whether a function of a number, alone or beside a constant, never goes down (1), or never up (-1), where the number
// goes up; 0: neither, or that is not known.
int direction_of(Meaning meaning);
int direction_of(Meaning meaning, double constant, bool first);

}  // namespace dp::bounds
