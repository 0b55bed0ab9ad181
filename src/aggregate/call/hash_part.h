// dp_internal.in_hash_part(modulus, remainder, value): whether PostgreSQL puts a row with that value into that
// partition of a table that is partitioned by its hash, with the comparisons of its type.
//
// PostgreSQL's own function for it takes the number of the table, which another server does not know
// (guard/unit_limit/shard_bounds.h).
#pragma once

#include "pg/server.h"

namespace dp::aggregate {

extern "C" {
DP_EXPORT Datum dp_in_hash_part(FunctionCallInfo fcinfo);
}

}  // namespace dp::aggregate
