// The aggregates of an inner query over privacy units: what stands in the place of a private aggregate
// (aggregate/call/unit_aggregates.h).
#pragma once

#include "guard/unit_limit/contribution_bounds.h"
#include "guard/unit_limit/unit_subquery.h"
#include "pg/planner.h"

namespace dp::guard {

// How many of its first arguments differ by row: two of what is about pairs.
int values_of(const Aggref* original);

// dp_internal.unit_part: the state of a unit's rows, for that aggregate; where its rows are chosen, of `most` rows.
// Goes into the subquery.
Aggref* part_of(const Aggref* original, int most);

// dp_internal.unit_<type>: its answer from a column of such parts, of which each adds what `rows` rows can.
Aggref* total_of(const Aggref* original, Var* part, Expr* rows);

// dp_internal.shard_part: the state of the rows that another server has, for that aggregate; and its answer from a
// column of these.
Aggref* shard_part_of(const Aggref* original);
Aggref* shard_total_of(const Aggref* original, Var* part);

// The aggregate whose state a unit_part is; nullptr: it is none, or keeps rows of the unit. And the same state from a
// column of parts of several servers: dp_internal.unit_of_parts.
const Aggref* original_of_part(const Aggref* part);
Aggref* unit_of_parts(const Aggref* original, Var* part);

// The aggregate in whose place over_units() put that one, and the unit that it is about; nullptr: it is no such one.
struct OverUnits {
  Aggref* original;
  Node* unit;
};
OverUnits taken_apart(const Aggref* over_units);

// dp_internal.shard_units: the part of another server of the same, limited there; where a limit is chosen for a family
// of aggregates, with the number of that.
Aggref* shard_units_of(const Aggref* over_units, int family);

// dp_internal.shard_row, which tells a server the keys and limits of row_of_groups() and which groups there are;
// dp_internal.shard_groups: what counts in each of them, of an aggregate in the place of which over_groups() put that
// one; and dp_internal.shard_groups_<type>, its answers from columns of both. `rows` as aggregate/call/shard_groups.h
// has it.
Aggref* shard_row_of(const Aggref* row, Node* groups);
Aggref* shard_groups_of(const Aggref* over_groups, std::int64_t rows);
Aggref* shard_groups_total_of(const Aggref* over_groups, Var* part, Var* row);

// The aggregate that was asked; nullptr: it is no such one.
Aggref* original_of_groups(const Aggref* over_groups);

// The unit of a call of dp_internal.units_row; nullptr: it is no such one. And the same call for no row.
Node* unit_of_row(const Aggref* row);
Aggref* row_of_none(const Aggref* row);

// dp_internal.units_<type>: its answer where one aggregate keeps the states of all units, of which `most` rows of each
// count.
Aggref* over_units(const Aggref* original, Var* unit, int most);

// Lets the aggregates of the query, which groups by these keys, keep its groups themselves: in the place of the first
// key stands dp_internal.units_row, which finds the unit and the group of a row, and has the limits of a unit.
void keep_groups(Query* query, Var* unit, List* keys, const ContributionBounds& limits);

// The sum of the weights of units that are in so many groups each (core/mechanism/group_selection.h).
Aggref* sum_of_weights(Expr* groups);

// count(*), and count(DISTINCT column).
Aggref* count_rows();
Aggref* count_different(Var* column);

// count(value), or count(*) where there is none, of rows that meet the filter, if there is one.
Aggref* count_where(Node* value, Expr* filter);

// dp_internal.unit_rows(key, most, rows of the unit in this group, in this one and those before it, in all): how many
// of a group's rows count of a unit that has more than may.
Expr* unit_rows(List* arguments);

// How many of these rows of a unit are to count in this group, where `most` do in all its groups.
Expr* share_of_rows(UnitSubquery* inner, Expr* unit, List* keys, Expr* rows, int most);

// By which the rows of a unit in a group are told apart that count among those that counts are about. With it,
// unit_rows gives a count its share of the rows that may count, as if these had been chosen before it was asked which
// of them it is about. It is to be one column: where counts have no rows in common they have no more than these
// together then.
Expr* key_of_counts(List* unit_and_keys);

}  // namespace dp::guard
