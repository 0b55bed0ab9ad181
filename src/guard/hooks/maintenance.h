// Whoever may maintain a protected table and not read it does not see how many rows it has.
//
// The owner of a database may run VACUUM and ANALYZE on everybody's tables in it, and since 17 so may who was granted
// MAINTAIN. With VERBOSE they tell how many rows a table has; so do the messages of VACUUM, ANALYZE, CLUSTER and
// REINDEX to who asks for debugging.
#pragma once

namespace dp::guard {

// Installs the hook that refuses such statements with DP002 to a role that may maintain some protected table, or one
// below it, and neither owns nor may read it. Where the extension's version is not that of the library, any table may
// be protected. Called once, from shared_preload_libraries.
void install_maintenance();

}  // namespace dp::guard
