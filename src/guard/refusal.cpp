#include "guard/refusal.h"

namespace dp::guard {
namespace {

const char* planned_text = nullptr;

}  // namespace

PlannedText::PlannedText(const char* text) : outer_(planned_text) { planned_text = text; }
PlannedText::~PlannedText() { planned_text = outer_; }

int position_of(int location) {
  if (location < 0 || planned_text == nullptr) return 0;
  return pg_mbstrlen_with_len(planned_text, location) + 1;
}

}  // namespace dp::guard
