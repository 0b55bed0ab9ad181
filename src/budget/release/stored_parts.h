// All releases that are stored, and how much of each: for limits on what is stored, and for its end.
#pragma once

#include <cstdint>
#include <span>

#include "pg/server.h"

namespace dp::budget {

struct StoredPart {
  std::int64_t release;
  int number;
  Oid role;      // who made it
  List* tables;  // oid: as those of a ReleasePart
  TimestampTz made_at;
  std::int64_t numbers;  // noisy numbers at all levels; a part without any counts as one
};

// Every one there is, by the numbers of the releases; palloc'd. Reads through all of them.
std::span<StoredPart> stored_parts();

}  // namespace dp::budget
