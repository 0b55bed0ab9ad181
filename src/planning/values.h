// SQL arguments as the planning functions take them. What is returned has no destructor.
#pragma once

#include <span>
#include <string_view>

#include "core/planning/accuracy.h"
#include "pg/errors.h"
#include "pg/server.h"

namespace dp::planning {

std::string_view word_argument(FunctionCallInfo fcinfo, int place);
mechanism::Mechanism mechanism_argument(FunctionCallInfo fcinfo, int place);

inline mechanism::Epsilon epsilon_argument(FunctionCallInfo fcinfo, int place) {
  return mechanism::Epsilon::from(PG_GETARG_FLOAT8(place));
}

// Whether answers are whole numbers is said by two arguments, `integer` at that place and `whole` after it: the name of
// the first is a word of SQL, so that in named notation it has to be quoted. A catalog of version 0.1 has the first
// alone.
inline mechanism::Lattice lattice_argument(FunctionCallInfo fcinfo, int place) {
  const bool whole = PG_GETARG_BOOL(place) || (PG_NARGS() > place + 1 && PG_GETARG_BOOL(place + 1));
  return whole ? mechanism::Lattice::integer : mechanism::Lattice::fine;
}

// A float8[] of one dimension, or empty. Throws dp::Error for other shapes and for NULL entries; `name` stands in the
// error.
std::span<const double> numbers_argument(FunctionCallInfo fcinfo, int place, const char* name);

}  // namespace dp::planning
