// Texts of calls that this session has written before, such as dp_count('*', 0.5): programs ask for the same few
// answers about ever other rows. Only calls whose arguments are plain constants; a text is forgotten once anything
// changes that it depends on.
#pragma once

#include <cstdint>

#include "pg/planner.h"

namespace dp::guard {

// In the current memory; nullptr: not known.
char* known_text(Node* call);

// Counts what this session has heard of that changes how a call is written.
std::uint64_t changes_of_texts();

// Unless there was such a change after that count.
void keep_text(Node* call, const char* text, std::uint64_t since);

}  // namespace dp::guard
