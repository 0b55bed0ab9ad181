#include "guard/rewrite/distinct_rows.h"

#include "guard/functions/called_functions.h"
#include "guard/functions/calls.h"
#include "guard/rewrite/distinct_casts.h"
#include "pg/nodes.h"

namespace dp::guard {
namespace {

bool has_one_text(Oid type) {
  switch (getBaseType(type)) {
    case INT2OID:
    case INT4OID:
    case INT8OID:
    case BOOLOID:
    case DATEOID:
    case TIMESTAMPOID:
    case TIMESTAMPTZOID:
    case UUIDOID:
    case TEXTOID:
    case VARCHAROID:
    case NUMERICOID:
      return true;
    default:
      return type_is_enum(type);
  }
}

Expr* from_parts(Oid function, List* parts) {
  return reinterpret_cast<Expr*>(called(function, parts, DEFAULT_COLLATION_OID));
}

Expr* text(const char* written) { return reinterpret_cast<Expr*>(pg::text_constant(written)); }

// The same for equal values: 1.00 as 1.
Expr* text_of(Expr* value) {
  const Oid type = getBaseType(exprType(reinterpret_cast<Node*>(value)));
  if (type == TEXTOID) return value;
  if (type == VARCHAROID)
    return reinterpret_cast<Expr*>(makeRelabelType(value, TEXTOID, -1, DEFAULT_COLLATION_OID, COERCE_IMPLICIT_CAST));
  auto* const cast = makeNode(CoerceViaIO);
  cast->arg = type == NUMERICOID ? from_parts(kTrimScale, list_make1(value)) : value;
  cast->resulttype = TEXTOID;
  cast->resultcollid = DEFAULT_COLLATION_OID;
  cast->coerceformat = COERCE_EXPLICIT_CAST;
  cast->location = -1;
  return reinterpret_cast<Expr*>(cast);
}

// concat(length(a), ':', a, length(b), ':', b), where NULL is ':' alone: different for rows that differ.
Expr* text_of_row(const RowExpr* row) {
  List* parts = NIL;
  ListCell* cell;
  foreach (cell, row->args) {
    auto* const value = static_cast<Expr*>(lfirst(cell));
    if (!has_one_text(exprType(reinterpret_cast<Node*>(value)))) return nullptr;
    Expr* const written = text_of(value);
    Expr* const length = from_parts(kLengthOfText, list_make1(copyObjectImpl(written)));
    parts = lappend(lappend(lappend(parts, length), text(":")), written);
  }
  return from_parts(kConcat, parts);
}

Expr* text_in_place_of(Expr* value) { return IsA(value, RowExpr) ? text_of_row(castNode(RowExpr, value)) : nullptr; }

}  // namespace

void count_rows_as_texts(Query* statement) { count_in_place_of_values(statement, text_in_place_of); }

}  // namespace dp::guard
