#include "guard/refusal.h"

namespace dp::guard {
namespace {

const char* planned_text = nullptr;

}  // namespace

PlannedText::PlannedText(const char* text) : outer_(planned_text) { planned_text = text; }
PlannedText::~PlannedText() { planned_text = outer_; }

int point_at(int location) {
  if (location < 0 || planned_text == nullptr) return 0;
  const int position = pg_mbstrlen_with_len(planned_text, location) + 1;
  // A client looks for the position in what it has sent; a prepared statement's or a function's text has to be shown to it.
  if (debug_query_string != nullptr && strcmp(planned_text, debug_query_string) == 0) return errposition(position);
  internalerrposition(position);
  return internalerrquery(planned_text);
}

}  // namespace dp::guard
