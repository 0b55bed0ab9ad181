// Lists whose values are known when an execution starts, and not while it is planned: parameters, current_date.
//
// What has to be so for a row to find one of the list at most is then seen at that time, before anything is charged:
// dp_internal.all_differ() is a condition that reads no row, so it is computed beside the values of the query's
// parameters (guard/admission/values.h), and raises an error.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Whether the expression reads no row, asks nothing and is the same throughout an execution.
bool is_known_at_start(Node* expression);

// The array whose elements unnest() gives in that entry of FROM, known at the start, without NULL; nullptr for any
// other entry.
Node* open_array(const RangeTblEntry* entry);

// The condition that no two rows are alike. `columns`: of each key the array of its values in the rows.
Node* all_differ(List* columns);

// The values as an array of that type; they are of it, or are cast.
Node* array_of_values(List* values, Oid element);

// Whether the level, but for what it groups by, computes something from columns of that entry of FROM that may differ
// where equal values are written in several ways, 1.0 and 1.00.
bool asks_how_written(const Query* level, int list);

// What a row whose value equals one of the array (open_array) finds there: CASE WHEN value = ANY (array) THEN value
// ELSE ... END, of the type of the elements. nullptr where the two are compared in another type. `may_miss`: NULL for
// the others; elsewhere they are left out by `condition`, which is set. `is_kept`: a NULL in the list is a value, too,
// which no row finds. `equality` is value = element, or the other way round.
Node* choice_of_array(const OpExpr* equality, Node* value, Node* array, bool may_miss, bool is_kept, Node** condition);

// The values that such a choice has where it runs, with constants and parameters in the place of what reads no row:
// expressions that read no row, of which some may be equal. NIL for any other CASE.
List* elements_chosen_from(const CaseExpr* choice);

}  // namespace dp::guard
