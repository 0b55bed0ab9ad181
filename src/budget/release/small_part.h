// A small part of a release as one value in its row of dp.release_part: its aggregates, the keys of its groups, and the
// numbers of its first answers. Most answers are a few numbers, and one row is written in a fifth of the time that rows
// in four tables take. Of a part that is larger, or was written before there was such a value, these stand in tables of
// their own.
#pragma once

#include "budget/release/parts.h"
#include "core/accounting/draw.h"

namespace dp::budget {

// What a part with that value consists of. Palloc'd.
struct SmallPart {
  int size;
  ReleasedAggregate* aggregates;
  text* keys;           // as in dp.release_keys; nullptr: it has no groups
  const char* numbers;  // of each aggregate that is relaxable all noisy ones and then all noises, 16 bytes each

  // The first answers of an aggregate that is relaxable, group by group.
  Draw* draws(int aggregate, std::int64_t groups) const;
};

// The value of a part whose groups were counted; nullptr where it is not small. `keys`, and for each aggregate `noisy`
// and `noise`: the bytes as they are stored.
bytea* form_small(const ReleasePart& part, const StringInfoData& keys, const StringInfoData* noisy,
                  const StringInfoData* noise);

// Raises XX001 where the value is not that of a part with so many groups.
SmallPart read_small(const ReleasePart& part);

// How many noisy numbers stand in the value, which may be stored out of line.
std::int64_t numbers_in_small(Datum small);

}  // namespace dp::budget
