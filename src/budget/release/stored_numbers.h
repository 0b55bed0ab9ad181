// How many noisy numbers of each role and table are stored, and how many may be: 32 bytes each, for as long as nobody
// forgets them.
#pragma once

#include <cstdint>

#include "pg/server.h"

namespace dp::budget {

// How many more numbers the superuser's settings (dp.max_numbers_per_statement, dp.max_numbers_per_role) let a
// statement store of what that role asks. Where there is a limit for the role, they are counted: the first time by
// reading.
std::int64_t room_for_numbers(Oid role);

// Raises 54000 unless so many more fit, for a new level of a release that the role made.
void require_room_for_numbers(Oid role, std::int64_t numbers);

// So many were stored.
void add_stored(Oid relation, Oid role, std::int64_t numbers);

// Some were forgotten, or may have been: they are counted anew when somebody asks.
void count_stored_anew();

// Called once, when the library is loaded at the server's start.
void define_number_settings();

}  // namespace dp::budget
