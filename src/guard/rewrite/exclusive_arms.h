// Aggregates whose rows exclude each other: count(*) FILTER (WHERE status = 'a'), count(*) FILTER (WHERE status = 'b').
//
// A privacy unit that has one row changes those of one of them alone: what it loses by all together is what it loses by
// the dearest. Source: McSherry, "Privacy integrated queries" (2009), theorem 4 (parallel composition). What has become
// of it by a join are so many rows, each in one of them: they are one vector. So they are where the rows that count of
// a unit with several are limited in all of them together (unit_limit/divided_arms.h), and not where they are in each.
#pragma once

#include "guard/query/private_query.h"

namespace dp::guard {

// `calls`: the aggregates (Aggref) with their FILTER over the tables as it was written. Says for each of them
// a family (int, from 1; 0: it is alone) and in it an arm (int): no row counts in two arms of one family. What the
// operators of PostgreSQL itself say of constants is seen, as the planner sees it where it leaves out partitions
// (predicate_refuted_by): equalities, lists, ranges that do not touch, IS NULL, and what AND, OR and NOT make of them.
void exclusive_arms(const List* calls, InnerQuery* what);

// Whether no row meets the condition and one of those of the family (Node, over the tables), nor both it and that it IS
// NOT TRUE, as exclusive_arms() sees it.
bool joins_family(Node* condition, List* family);

}  // namespace dp::guard
