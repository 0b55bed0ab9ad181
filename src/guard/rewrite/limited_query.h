// What one privacy unit may contribute to an inner query.
#pragma once

#include "guard/query/inner_query.h"
#include "guard/rewrite/per_unit_below.h"

namespace dp::guard {

// Lets counts of different units of any of the tables, of whom a row has one, be of the column that names the unit of
// all: count(DISTINCT v.patient_id) beside a join on p.patient_id is count(DISTINCT p.patient_id), where v has a row.
void name_units(InnerQueryParts* parts, const InnerQueryTables& tables, const PerUnitBelow* per_unit);

// Whether a limit is chosen for an aggregate of the inner query, whose columns are all there, where its groups are
// chosen, or are not.
bool chooses_limits(const InnerQueryParts& parts, const InnerQueryTables& tables, const PerUnitBelow* per_unit,
                    bool chooses_groups);

// Limits the inner query, of those tables, in which nothing but the columns of errors is missing (units.h), and notes
// by which collations units are told apart and their rows chosen. Does nothing but say so where groups have to be known
// first (InnerQueryParts). `per_unit`: what it reads in place of the tables;
// nullptr: the tables. `plain`: its aggregates (Aggref) over what it reads, where nobody wrote private ones: what they
// have in common has one price.
void limit_by_unit(InnerQueryParts* parts, const InnerQueryTables& tables, const PerUnitBelow* per_unit, List* plain);

}  // namespace dp::guard
