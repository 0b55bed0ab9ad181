// Which joins an inner query may have: those in which every row of the protected table stays what it is, one row of one
// privacy unit.
//
// - A public table adds columns. It is joined on all columns of a unique index, by that index's own equality and
//   collation, so that a row finds one partner at most.
// - Another protected table is joined on the privacy unit of both, or along a step of the path to it (unit_columns.h):
//   all rows that come of it are of one unit.
// - A subquery that is run by itself is joined on columns that tell its rows apart, as is seen when they are there
//   (query/public_rows.h), or has one row.
// - Where all rows that become of one count as rows of its unit a row may find several: of a list that is written in
//   the query, so many, and of any table that is compared by < <= >= > or as ranges are, any number.
// - Each belongs to a curator of the protected ones: a table's owner sees in its statistics how many rows were looked
//   up.
// - A left join may miss what stands on its right, a full join either of two protected tables (full_joins.h).
#pragma once

#include "guard/relations/unit_columns.h"

namespace dp::guard {

// Raises DP002 where the table, which is not protected, has partitions or children that are: their rows would be read
// for nothing, and as everybody's.
void refuse_protected_part(const RangeTblEntry* entry, int location);

// By what rows of public tables are found.
struct JoinKeys {
  List* indexes;  // oid: unique
  List* columns;  // List of int: of each of Sources::subqueries, those that have to tell its rows apart
  List* in;       // List of oid: the collations of these comparisons
  List* several;  // int: the numbers of those of which a row may find several
  List* open;     // int: of those of which it may where a unit has limits; elsewhere they show whether it does
  const RangeTblEntry* fan_out_open;  // the first of these; nullptr: there is none
  std::int64_t about;                 // so many rows become of one about, also by these; 0: any number
  const RangeTblEntry* fan_out;       // the first of all tables of which a row may find several; nullptr: there is none
  int first;          // of a list that is as long as a row says, so many of its rows at most; 0: of none
  std::int64_t rows;  // so many rows become of one at most, by all of these; 0: any number
};

// Raises DP002 unless the tables, of which the first is protected, may be joined so. `partners`: int, the other
// protected ones. `location`: of what is asked of them. Says what it relied on.
JoinKeys check_joins(const Sources& sources, const JoinConditions& conditions, const UnitColumns& units, List* partners,
                     int location);

// Raises DP002 unless what a subquery reads may be read for rows of the level above. `sources`: of both, those of the
// level being the first `above`. `guarded`: int, the protected ones of both; each other table belongs to a curator of
// these.
void check_asked(const Sources& sources, List* guarded, int above, int location);

// Whether all rows of protected tables that a subquery looks at for a row of the level are of that row's unit, by the
// conditions of both: the number of a table of which that cannot be told; 0: there is none.
int somebody_elses(const Sources& sources, const JoinConditions& conditions, const UnitColumns& units, List* guarded,
                   int above);

// Whether a subquery finds one row at most for a row of the level. Adds the unique indexes (oid) that this relies on.
bool finds_one_row(const Sources& sources, const JoinConditions& conditions, const UnitColumns& units, int above,
                   List** indexes);

// Whether rows may come without that table's: it stands on the right of a left join, or on either side of a full one.
bool may_be_missing(Node* tree, int table);

}  // namespace dp::guard
