#include "guard/rewrite/call_bounds.h"

#include "core/accumulate/grid.h"
#include "guard/rewrite/private_calls.h"
#include "guard/rewrite/row_bounds.h"
#include "guard/tree/by_number.h"

namespace dp::guard {
namespace {

using aggregate::kEndless;

// An end that is said, if values without bounds come up to it.
double end_or(double said, double open) {
  const aggregate::Bounds kept = aggregate::RealGrid::kOpen;
  return said > kept.lower && said < kept.upper ? said : open;
}

}  // namespace

List* CallBounds::ends(Node* value, Node* filter, ValueBounds* found) {
  *found = bounds_of(value, filter, sources_);
  List* ends = NIL;
  if (found->bounds) {
    const bounds::Interval interval = widened(*found->bounds);
    ends = list_make2(number(interval.lower), number(interval.upper));
  } else {
    ends = bounds_with_rows(value, filter, sources_, found);
  }
  if (ends != NIL) note(*found);
  return ends;
}

List* CallBounds::open_ends(Node* value, Node* filter, const ValueBounds& found) {
  const char* const column =
      found.open == nullptr ? "a value" : column_name(sources_.table(found.open->varno), found.open->varattno);
  texts_ = list_append_unique(texts_, makeString(psprintf("%s none, sums are limited privately", column)));
  Limits said{-kEndless, kEndless};
  if (IsA(value, Var)) said = limits_of(castNode(Var, value), filter, sources_);
  const Limits ends{end_or(said.lower, -kEndless), end_or(said.upper, kEndless)};
  if (!(ends.lower < ends.upper)) return list_make2(number(-kEndless), number(kEndless));
  return list_make2(number(ends.lower), number(ends.upper));
}

}  // namespace dp::guard
