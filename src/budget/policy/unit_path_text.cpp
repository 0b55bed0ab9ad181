#include "budget/policy/unit_path_text.h"

namespace dp::budget {

List* path_parts(const char* text) {
  List* parts = NIL;
  for (const char* at = text;; ++at) {
    StringInfoData part;
    initStringInfo(&part);
    if (*at == '"') {
      for (++at; *at != '\0' && (*at != '"' || at[1] == '"'); ++at) {
        if (*at == '"') ++at;
        appendStringInfoChar(&part, *at);
      }
      if (*at++ != '"') return NIL;
    } else {
      for (; *at != '\0' && *at != '.'; ++at) appendStringInfoChar(&part, *at);
    }
    if (part.len == 0 || (*at != '\0' && *at != '.')) return NIL;
    parts = lappend(parts, part.data);
    if (*at == '\0') return parts;
  }
}

const char* path_text(List* parts) {
  StringInfoData text;
  initStringInfo(&text);
  ListCell* cell;
  foreach (cell, parts) {
    const char* const part = static_cast<const char*>(lfirst(cell));
    const bool quoted = strpbrk(part, ".\"") != nullptr;
    if (foreach_current_index(cell) > 0) appendStringInfoChar(&text, '.');
    if (quoted) appendStringInfoChar(&text, '"');
    for (const char* at = part; *at != '\0'; ++at) {
      if (*at == '"') appendStringInfoChar(&text, '"');
      appendStringInfoChar(&text, *at);
    }
    if (quoted) appendStringInfoChar(&text, '"');
  }
  return text.data;
}

}  // namespace dp::budget
