// Dropping the extension would drop its ledger, and with it the record of what everybody has spent.
#pragma once

namespace dp::budget {

// Installs the setting dp.allow_drop and the hook that refuses to drop a ledger with entries without it. Called once,
// from shared_preload_libraries.
void install_drop_guard();

}  // namespace dp::budget
