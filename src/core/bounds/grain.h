// Of what all values of an expression are multiples: of 1 where they are whole numbers, of 100 those of trunc(x, -2),
// of 0.01 those of a numeric(8, 2). With the bounds this says which values an expression can have.
#pragma once

#include <cstdint>
#include <optional>

#include "core/bounds/interval.h"
#include "core/bounds/meaning.h"

namespace dp::bounds {

struct Grain {
  std::int64_t millionths;  // 0: all values are 0; never below

  bool operator==(const Grain&) const = default;
};

// Nothing where no such number is known.
using Grained = std::optional<Grain>;

inline constexpr Grain kWhole{1'000'000};

constexpr bool is_whole(const Grain& grain) { return grain.millionths % kWhole.millionths == 0; }

// Of a number of so many millionths; of values with so many digits behind the point, or before it where that is below
// 0.
Grain of_millionths(std::int64_t millionths);
Grained of_digits(int digits);

// Values of either.
Grained common(const Grained& x, const Grained& y);

// Rounded, whichever way, to so many digits behind the point.
Grained to_digits(const Grained& x, int digits);

// Of a function of one number, or of two where there is a second one. `whole`: its values are whole numbers.
Grained grain_of_meaning(Meaning meaning, const Grained& x, const Grained* y, bool whole);

// Which multiples lie within the bounds: from the first to the last, as how often the grain is in them. Ends that are
// off by what doubles are count as multiples. Nothing where these are more than a double tells apart.
struct Multiples {
  std::int64_t first, last;  // none: first > last
};
std::optional<Multiples> multiples_within(const Interval& bounds, const Grain& grain);

}  // namespace dp::bounds
