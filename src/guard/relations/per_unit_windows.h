// Windows within one person: row_number(), lag(), sum(...) OVER (PARTITION BY person ORDER BY day); and the first row
// of each, DISTINCT ON (person).
//
// A subquery with them is a per-unit one (per_unit_subquery.h), with as many rows of a person as the tables have that
// it reads: the limits of these hold for it. What such a call gives in a row is computed from rows of its partition,
// and the values that partitions are told apart by have the person's among them, by the same equality. So a person who
// comes or goes changes what stands in that person's rows, and adds or takes away these alone: rows of others stay what
// they are, and limits are for the rows that leave the subquery as for those of a table.
//
// But for ties. Rows that ORDER BY does not tell apart PostgreSQL takes as a sort leaves them, and that depends on the
// rows of others which it sorts with them. So calls that go by the order of rows order ties by a hash of all that the
// subquery shows of a row, under a key that is drawn afresh (unit_limit/unit_subquery.h): by the row alone. Rows that
// are equal in all of that are the same in any order.
#pragma once

#include "guard/relations/per_unit_subquery.h"

namespace dp::guard {

// Whether the level has window functions, or keeps the first row of each.
bool looks_within_partitions(const Query* level);

// WindowFunc*: those of the columns.
List* window_calls(List* columns);

// The one of the windows (WindowClause) that the call looks through.
WindowClause* window_of(const WindowFunc* call, List* windows);

// Whether all clauses (SortGroupClause) have one of these references.
bool are_all(List* clauses, const Bitmapset* names);

// Of such a level, flattened, the number of the column that names the unit, and in `alone` whether a unit has one row;
// InvalidAttrNumber where it is an answer. `names`: the references (ressortgroupref) of entries that name the unit.
// Raises DP002 where it looks at rows of several people.
AttrNumber unit_of_partitions(const Query* level, const Bitmapset* names, const InnerQueryTables& tables, bool* alone);

// Puts the windows, DISTINCT and DISTINCT ON of the level into the query, as it runs, which has the level's columns and
// groups. Raises DP002 for what can fail.
void put_windows(const Query* level, Query* query);

// The expression of the level as one that has the same values and tells more of them: day - lag(day) OVER (PARTITION BY
// person ORDER BY day), and what is like it, is not below 0.
Node* with_rises(Node* expression, const Query* level);

// How many rows of a unit the sources' conditions on row_number() leave, rn = 1 or rn <= 3; 0: any number. `table`: the
// number of the subquery among the tables.
int rows_left(const PerUnitSubquery& per_unit, const Sources& sources, int table);

}  // namespace dp::guard
