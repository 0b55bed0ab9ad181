// Partitions that have a budget each: an answer is charged to those whose rows can change it, and to no other.
//
// That a partition's budget bounds what is told of what lies in it rests on this (Lécuyer and others, SOSP 2019): where
// a row lies is said by itself and stays so, and whoever is hidden lies in one partition. So the partition key is of
// NOT NULL columns that no UPDATE changes, and a privacy unit is each row, or the column by which the table is
// partitioned. A unit whose rows lie in g partitions at most is promised g budgets (Policy::unit.blocks): each answer
// that a row of it can change is charged to one of them at least, for what it tells of the unit as a whole, and epsilon
// and delta add up.
#pragma once

#include "budget/policy/accounts.h"

namespace dp::budget {

// The partitions of a table that hold rows: oid, in the order of their bounds.
List* blocks_of(Oid table);

// Raises 55000 or 22023 where partitions cannot have budgets of their own.
void require_blocks(Oid relation, const UnitPolicy& unit);

// The same, and where UPDATEs are not refused that move a row to another partition. Before each answer: tables change.
void require_kept_blocks(Oid relation, const UnitPolicy& unit);

// Has UPDATEs refused, or not any more, that move a row to another partition.
void keep_rows_in_blocks(Oid relation, bool kept);

// " (FOR VALUES FROM ('2026-01-01') TO ('2026-02-01'))"
const char* bounds_of(Oid block);

}  // namespace dp::budget
