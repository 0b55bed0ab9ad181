// The shortest decimal near a number that stands for all numbers around it.
#pragma once

namespace dp::aggregate {

// The one with the fewest digits that is at most `near` away, of these the nearest to the value; the value itself where
// that takes all of its digits.
double shortest_decimal(double value, double near);

}  // namespace dp::aggregate
