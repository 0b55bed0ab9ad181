// Which functions of PostgreSQL have a total form among our own, and which.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// A function of PostgreSQL and its total form, which takes the same arguments and is found by its name.
struct TotalForm {
  Oid function;
  const char* total;
  int fixed;  // which argument must not read a row, and is tried before any is read: a field such as 'month'; -1: none
};

// The form that stands in wherever a row is read; nullptr where there is none.
const TotalForm* form_wherever_rows_are_read(Oid function);

// The form that stands in where a call with its arguments may raise an error; nullptr where there is none.
const TotalForm* form_where_it_fails(Oid function);

// Operators of two types of numbers: those of the wider one do the same.
struct SameForWider {
  Oid function;
  Oid wide;
  Oid type;
};
const SameForWider* same_for_wider(Oid function);

// The name of the form that reads a value of the type out of a text; nullptr where there is none.
const char* reader_of_text(Oid type);

}  // namespace dp::guard
