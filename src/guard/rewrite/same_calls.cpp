#include "guard/rewrite/same_calls.h"

#include "guard/rewrite/aggregate_text.h"

namespace dp::guard {

void SameCalls::note(const Aggref* call, const Aggref* made) {
  ListCell *known, *calls;
  forboth(known, made_, calls, calls_) {
    if (!equal(lfirst(known), made)) continue;
    lfirst(calls) = list_append_unique(static_cast<List*>(lfirst(calls)), const_cast<Aggref*>(call));
    return;
  }
  made_ = lappend(made_, const_cast<Aggref*>(made));
  calls_ = lappend(calls_, list_make1(const_cast<Aggref*>(call)));
}

List* SameCalls::texts(const Sources& sources) const {
  List* texts = NIL;
  ListCell* cell;
  foreach (cell, calls_) {
    auto* const calls = static_cast<List*>(lfirst(cell));
    if (list_length(calls) > 1)
      texts = lappend(texts, makeString(text_of_calls(calls, sources, ColumnNames(sources.tables))));
  }
  return texts;
}

}  // namespace dp::guard
