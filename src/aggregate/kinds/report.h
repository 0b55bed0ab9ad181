// Reports of local privacy: bit strings whose every bit was randomised by itself.
#pragma once

#include "aggregate/kinds/local_question.h"
#include "core/noise/response.h"
#include "pg/bit_string.h"
#include "pg/random_bits.h"

namespace dp::aggregate {

// A value sets one bit of its own, so two values differ in two: each bit gets half of epsilon.
inline constexpr unsigned kBitsOfOneHot = 2;

inline VarBit* new_report(int bits) {
  auto* const report = static_cast<VarBit*>(palloc0(VARBITTOTALLEN(bits)));
  SET_VARSIZE(report, VARBITTOTALLEN(bits));
  VARBITLEN(report) = bits;
  return report;
}

inline bool bit_of(const VarBit* report, int i) {
  return (report->bit_dat[i / BITS_PER_BYTE] >> (BITS_PER_BYTE - 1 - i % BITS_PER_BYTE)) & 1;
}

inline void set_bit(VarBit* report, int i, bool value) {
  if (value) report->bit_dat[i / BITS_PER_BYTE] |= 1 << (BITS_PER_BYTE - 1 - i % BITS_PER_BYTE);
}

// Fills a new report, whose bit i is truly `truth(i)`.
template <class Truth>
void randomize(VarBit* report, Truth truth, noise::Odds odds) {
  for (int i = 0; i < VARBITLEN(report); ++i) {
    set_bit(report, i, noise::randomized_bit(pg::random_bits(), truth(i), odds));
  }
}

// The same from a report that had the coarse one of these odds.
template <class Truth>
void relax(VarBit* report, const VarBit* from, Truth truth, const Levels& levels) {
  for (int i = 0; i < VARBITLEN(report); ++i) {
    set_bit(report, i, noise::relaxed_bit(pg::random_bits(), truth(i), bit_of(from, i), levels.coarse, levels.fine));
  }
}

// An error (22023) where a report would have too many bits.
void check_report_size(const char* function, int categories);

// An error (22023) where a report has another number of bits.
void check_length(const char* function, const VarBit* report, int bits);

}  // namespace dp::aggregate
