#include "guard/rewrite/call_bounds.h"

#include "aggregate/call/value_reader.h"
#include "guard/rewrite/private_calls.h"
#include "guard/rewrite/row_bounds.h"
#include "guard/tree/by_number.h"

namespace dp::guard {
namespace {

using aggregate::kEndless;

// An end that is said, if values of the type lie on both sides of it.
double end_or(bounds::Number said, double open, const aggregate::Bounds& type) {
  return said > type.lower && said < type.upper ? static_cast<double>(said) : open;
}

}  // namespace

List* CallBounds::ends(Node* value, Node* filter, ValueBounds* found) {
  *found = bounds_of(value, filter, sources_);
  List* ends = NIL;
  if (found->bounds) {
    const Ends known = ends_of(*found->bounds);
    ends = list_make2(number(known.lower), number(known.upper));
  } else {
    ends = bounds_with_rows(value, filter, sources_, found);
  }
  if (ends != NIL) note(*found);
  return ends;
}

List* CallBounds::open_ends(Node* value, Node* filter, const ValueBounds& found, const char* how) {
  const char* const column =
      found.open == nullptr ? "a value" : column_name(sources_.table(found.open->varno), found.open->varattno);
  texts_ = list_append_unique(texts_, makeString(psprintf("%s none, %s", column, how)));
  NumberRange said{-kEndless, kEndless};
  if (IsA(value, Var)) said = number_range_of(castNode(Var, value), filter, sources_);
  const aggregate::Bounds type = aggregate::ends_of(number_type(exprType(value)));
  const Ends ends{end_or(said.lower, -kEndless, type), end_or(said.upper, kEndless, type)};
  if (!(ends.lower < ends.upper)) return list_make2(number(-kEndless), number(kEndless));
  return list_make2(number(ends.lower), number(ends.upper));
}

}  // namespace dp::guard
