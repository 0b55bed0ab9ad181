// Functions that give NULL where PostgreSQL's raise an error, so that they can be called on the rows of a protected
// table.
//
// Every SQL function of this folder is defined by DP_TOTAL_FUNCTION, whose contract is
// guard/admission/total_functions.h: for whatever arguments, a result that depends on them (and settings) alone, and no
// error, notice or write.
#pragma once

#include <span>

#include "pg/errors.h"

namespace dp::total {

// A static object for each function.
class Registered {
 public:
  explicit Registered(PGFunction function);
  PGFunction function;
  const Registered* next;
};

// Whether a function of the catalog is one of them: told by the address of its code, which its name could not prove.
bool is_total(Oid function);

// The one of that name and of these argument types, in whatever schema; InvalidOid where there is none.
Oid find(const char* name, std::span<const Oid> types);

}  // namespace dp::total

#define DP_TOTAL_FUNCTION(name)                                  \
  extern "C" DP_EXPORT Datum name(FunctionCallInfo fcinfo);      \
  static const dp::total::Registered name##_is_registered{name}; \
  DP_SQL_FUNCTION(name)
