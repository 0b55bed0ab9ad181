// Whoever asks private queries does not see how many pages any statement took.
//
// What a private query counts itself is forgotten (pg/uncounted.h). But it leaves things in memory: a table that was
// opened because a row's value is stored out of line, the labels of an enum, pages that others had to make room for.
// The next statement takes more pages or fewer for that, and EXPLAIN (BUFFERS) tells.
#pragma once

namespace dp::guard {

// Installs the hook that refuses EXPLAIN (BUFFERS, WAL or MEMORY), VACUUM (VERBOSE) and ANALYZE (VERBOSE) with DP002 to
// a session that has, or can take on, a role with an account on a table which that role may not read. Called once, from
// shared_preload_libraries.
void install_page_counts();

}  // namespace dp::guard
