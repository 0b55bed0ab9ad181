// Grouping expressions as text: the same text for the same expression, whatever the search path and the settings of a
// session.
#pragma once

#include "pg/server.h"

namespace dp::budget {

// An expression over the columns of one table.
struct GroupingExpression {
  const char* text;
  Oid type;
  int32 modifier;
  Oid collation;
  AttrNumber column;  // where it is a column by itself, otherwise 0
  bool settled;       // as is_settled() says
  Node* node;
};

// A grouping expression of the table as a curator wrote it: parsed, analysed, and written back as key_text does. Raises
// an error unless it is one expression over columns of the table, without subqueries, aggregates, window functions,
// set-returning and volatile functions.
GroupingExpression read_grouping_expression(Oid relation, const char* text);

// The text of an expression over the table, which is number 1 of its range table. Names outside pg_catalog are
// qualified.
const char* key_text(Node* key, Oid table);

// How such a text names a column of that name; it is all of the text where the expression is that column.
const char* column_text(const char* name);

// Whether an expression over a row means the same in every session: neither its values nor their texts follow TimeZone,
// DateStyle and the like. Labels of enums count as settled.
bool is_settled(Node* expression);

// Whether it is a call that cuts moments to units (date_trunc, dp_trunc), which leaves as they are those that are its
// results.
bool is_truncation(Node* expression);

// The hint for expressions that are not settled.
inline constexpr const char* kSettledForms =
    "date_trunc('month', x::timestamp) of a date, date_trunc('month', x, 'UTC') of a timestamptz, or the plain column";

// From begin_stable_text() to end_stable_text(), texts of values and names depend neither on the search path nor on
// settings, and mean the same when they are read back under any settings. An error in between restores the settings.
int begin_stable_text();
void end_stable_text(int level);

}  // namespace dp::budget
