// What the parser makes of texts: of a query, before it is rewritten, and of a name.
#pragma once

#include "pg/server.h"

extern "C" {
#include "parser/analyze.h"
#include "utils/varlena.h"
}

namespace dp::pg {

// The parts of a name that may have a schema, as a list of String.
inline List* parts_of_name(const char* name) {
#if PG_VERSION_NUM >= 160000
  return stringToQualifiedNameList(name, nullptr);
#else
  return stringToQualifiedNameList(name);
#endif
}

}  // namespace dp::pg
