#include "guard/rewrite/call_bounds.h"

#include "aggregate/call/value_reader.h"
#include "guard/rewrite/declared_bounds.h"
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
  note_none(found.open, how);
  NumberRange said{-kEndless, kEndless};
  if (IsA(value, Var)) said = number_range_of(castNode(Var, value), filter, sources_);
  const aggregate::Bounds type = aggregate::ends_of(number_type(exprType(value)));
  const Ends ends{end_or(said.lower, -kEndless, type), end_or(said.upper, kEndless, type)};
  if (!(ends.lower < ends.upper)) return list_make2(number(-kEndless), number(kEndless));
  return list_make2(number(ends.lower), number(ends.upper));
}

void CallBounds::note_years(Node* moment) {
  const Var* const column = IsA(moment, Var) ? castNode(Var, moment) : nullptr;
  if (column != nullptr && end_of_column(column, -1, sources_) != nullptr) return;
  note_none(column, "cut to the years 1900 to 2100");
}

// `column`: nullptr where it is more than one.
void CallBounds::note_none(const Var* column, const char* how) {
  const char* const name = column == nullptr ? "a value" : column_name(sources_.table(column->varno), column->varattno);
  texts_ = list_append_unique(texts_, makeString(psprintf("%s none, %s", name, how)));
}

}  // namespace dp::guard
