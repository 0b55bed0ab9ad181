// How paths to the privacy unit (unit_path.h) are written: names with dots between them.
#pragma once

#include "pg/catalog.h"

namespace dp::budget {

// The parts of a path, char*; a part in double quotes may hold dots. NIL where it is none.
List* path_parts(const char* text);

// The text of a path of these parts.
const char* path_text(List* parts);

}  // namespace dp::budget
