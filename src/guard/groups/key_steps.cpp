#include "guard/groups/key_steps.h"

#include <cmath>

#include "guard/facts/courses.h"
#include "guard/functions/moment_fields.h"
#include "guard/groups/moment_cells.h"

namespace dp::guard {

bool is_discrete(Oid type) { return type == INT2OID || type == INT4OID || type == INT8OID || type == DATEOID; }

std::int64_t as_whole(Oid type, Datum value) {
  if (type == INT2OID) return DatumGetInt16(value);
  return type == INT4OID || type == DATEOID ? DatumGetInt32(value) : DatumGetInt64(value);
}

double as_real(Oid type, Datum value) {
  if (type == FLOAT4OID) return DatumGetFloat4(value);
  if (type == FLOAT8OID) return DatumGetFloat8(value);
  return DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow, value));
}

bool is_finite(Oid type, Datum value) {
  if (type == DATEOID) return !DATE_NOT_FINITE(DatumGetDateADT(value));
  if (is_timestamp(type)) return !TIMESTAMP_NOT_FINITE(DatumGetTimestamp(value));
  return is_discrete(type) || std::isfinite(as_real(type, value));
}

namespace {

// Numbers that change at 0 alone: a width beyond all ranges.
constexpr double kWhole = 1e8;

}  // namespace

bool reads_alone(Node* expression, const Var* column) {
  List* const columns = pull_var_clause(expression, 0);
  ListCell* cell;
  foreach (cell, columns) {
    if (!equal(lfirst(cell), column)) return false;
  }
  return columns != NIL;
}

std::optional<KeySteps> steps_of_key(Node* key, const Var* column) {
  if (is_timestamp(getBaseType(column->vartype))) {
    const auto cells = moment_cells_of(key, column);
    return cells ? std::optional(KeySteps{0, *cells}) : std::nullopt;
  }
  const bounds::Course course = course_over(key, column);
  if (course.varies == bounds::Varies::never) return KeySteps{0, NIL};
  if (course.varies != bounds::Varies::in_steps) return std::nullopt;
  return KeySteps{course.width.over == 0 ? kWhole : bounds::as_double(course.width), NIL};
}

bool rounds_as_it_is(Node* expression, const Var* column) {
  const bounds::Course course = course_over(expression, column);
  return course.varies == bounds::Varies::never || (course.varies == bounds::Varies::in_steps && !course.calculated);
}

List* conditions_with_steps(Node* key, const Var* column, List* conditions) {
  List* found = NIL;
  ListCell* cell;
  foreach (cell, conditions) {
    List* const more = lappend(list_copy(found), lfirst(cell));
    if (reads_alone(static_cast<Node*>(lfirst(cell)), column) &&
        steps_of_key(reinterpret_cast<Node*>(list_make2(key, more)), column))
      found = more;
  }
  return found;
}

}  // namespace dp::guard
