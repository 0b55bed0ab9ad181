// Inner queries over a table whose rows are on several servers: each server makes the parts of its rows, and what is
// added up here is drawn once.
//
//   SELECT k, dp_count('*', 0.5) FROM events WHERE c GROUP BY k
// becomes
//   SELECT k, dp_internal.shard_bigint(p, ...) FROM (
//       SELECT k, dp_internal.shard_part('*', 0.5, ...) AS p FROM events_1 WHERE c GROUP BY k
//       UNION ALL SELECT ... FROM events_2 ...) GROUP BY k
// which postgres_fdw sends to the servers, each its own line, and Append runs at once. A line that cannot be sent is
// computed here from rows: right, and slower.
//
// Units with several rows: where the table is partitioned by the unit's column, all rows of a unit are on one server,
// which limits them (dp_internal.shard_units), with the same deterministic rounding as here; of samples it draws which
// rows count. That a unit is on one server is not believed but asked with each line (shard_bounds.h). Where
// groups are known beforehand each server is told which there are, and shares a unit's limits among them
// (dp_internal.shard_groups); where limits are chosen it sends the totals under each that may be. It is told which
// aggregates have a limit together because their conditions exclude each other (aggregate/unit/limit_choice.h), and
// bins a unit by all of them, as it is here.
//
// Where a unit may have rows on several servers, and many on each, each sends the part of every unit, and what is
// limited here is made of these instead of rows:
//   SELECT dp_internal.unit_bigint(q, 100, ...) FROM (
//       SELECT dp_internal.unit_of_parts(p, ...) AS q FROM (
//           SELECT unit, dp_internal.shard_part('*', 0.5, ...) AS p FROM events_1 WHERE c GROUP BY unit
//           UNION ALL ...) GROUP BY unit)
// There are no groups then: of the rows of each unit it had to be known which are in one that is shown.
// The same where one server has several tables side by side (budget/policy/colocated.h), whose join it groups by unit.
#pragma once

#include "guard/query/private_query.h"

namespace dp::guard {

// In place, before the inner query is planned: where all of the table's rows are on servers that are told of pg_dp, a
// unit has one row or all its rows on one server, and the answers are made of parts; otherwise nothing changes.
void add_up_shards(Query* inner, InnerQuery* what);

// Whether servers are to send the parts of units, in a query that is not limited yet: over one table, in which a unit
// of that column may have rows on several of them, or over several that lie side by side on one, and so many rows on
// each that this is worth it. That is said by the limits, and by no row.
bool merges_parts_of_units(const Query* query, const InnerQuery& what, const Var* unit);

}  // namespace dp::guard
