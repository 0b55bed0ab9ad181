// Keys whose values are public and too many, as far as that is certain before the first row: their groups are chosen
// privately, as those of keys whose values nobody has declared, where something pays for the choice.
//
// Where it is certain only when an execution begins, the table's policy must have a price (Groups::load): a choice
// within the price of an answer is a part of what its calls cost.
#pragma once

#include "guard/query/private_query.h"

namespace dp::guard {

// Whether an image (key_images.h) has more points than are looked at, as far as these are known while planning.
bool has_too_many_points(List* image);

// How many values a public key may have, about: what is declared, cells of ranges, rows of public tables as the last
// ANALYZE counted them; and how many groups the keys of a query may have together. Read no values.
std::int64_t estimated_values(const GroupKey& key);
std::int64_t estimated_groups(const InnerQuery& what);

// Where something pays for the choice: takes the values from keys that have too many points to be looked at
// (kMostKeyPoints). And if all keys are in each group, and have more than kMostGroups combinations `together`, from the
// one that has most values: not where limits are chosen, for then the values of each key are listed by themselves.
// Reads values, of nobody. To be called before grouping sets are noted.
void leave_too_many(InnerQuery* what, bool together);

}  // namespace dp::guard
