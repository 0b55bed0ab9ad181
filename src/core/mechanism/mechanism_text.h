// The text form of a mechanism: `name` or `name(key=value, ...)`.
#pragma once

#include <string>
#include <string_view>

#include "core/mechanism/mechanism.h"

namespace dp::mechanism {

// Reads the text; upper case and spaces around words are allowed.
// Throws dp::Error (invalid text representation) for anything else; the hint lists the names or keys that there are.
Mechanism parse(std::string_view text);

// The canonical form: lower case, keys in their fixed order, defaults left out. Equal mechanisms have equal texts.
std::string format(const Mechanism& mechanism);

}  // namespace dp::mechanism
