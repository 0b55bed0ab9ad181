// Histograms of privacy units whose limit is chosen (limit_choice.h): how many rows a unit has in each bucket, whatever
// their number, where for a declared limit some of them are kept (unit_sample.h).
//
// A bucket of a group is to a unit what a group is to others (unit/group_states.h): its records are of buckets, and its
// limit is shared among them as among groups. So what one unit changes is what a count by groups changes: it is in one
// bin of the choice, by its rows in all buckets of all groups together; and under the limit c that was chosen, which
// depends on the noisy bins alone, its shares add up to c at most, so that all integers of the answer change by c times
// what one row changes of them in l1 (core/mechanism/sensitivity.h). Both parts are paid for, a quarter of epsilon and
// the rest.
#pragma once

#include "aggregate/call/histogram_call.h"

namespace dp::aggregate {

// The kind of states that a call keeps of units.
Tag tag_of_unit(const Call& call);

// Whether it adds noise to a count of each bucket, and its answer can be made of parts of units.
inline bool counts_buckets(const Support& support) {
  return support.of_unit == Tag::sample && support.release == Release::noise;
}

// How many totals there are of each of that node's calls, where there are so many groups.
std::uint64_t cells_of(const UnitGroup& units, std::uint64_t groups);

// Empty totals of each group, or of each of its buckets; in the current memory context.
void make_totals(UnitGroup* units, std::uint64_t groups);

// Counts the current row of the node in that bucket.
void count_in_bucket(const Call& call, int bucket);

// Of a call by buckets, once its limit is chosen: the counts of a group. In the current memory context.
State* counts_of_group(const Call& call, std::uint64_t group);

}  // namespace dp::aggregate
