// What options of utility statements say, before the server has looked at them.
#pragma once

#include "pg/server.h"

namespace dp::guard {

// Whether the last option of that name may be on. A value that is no Boolean counts as one that is: the server, and not
// the guard, says what is wrong with it.
inline bool may_be_on(List* options, const char* name) {
  bool on = false;
  ListCell* cell;
  foreach (cell, options) {
    const auto* const option = lfirst_node(DefElem, cell);
    if (strcmp(option->defname, name) != 0) continue;
    on = true;
    if (option->arg == nullptr) continue;
    if (IsA(option->arg, Integer)) on = intVal(option->arg) != 0;
    if (IsA(option->arg, Boolean)) on = boolVal(option->arg);
    if (IsA(option->arg, String))
      on = pg_strcasecmp(strVal(option->arg), "false") != 0 && pg_strcasecmp(strVal(option->arg), "off") != 0;
  }
  return on;
}

}  // namespace dp::guard
