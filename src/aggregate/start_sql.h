// The start of an execution: every aggregate of ours gets its parameters checked before a row is read.
#pragma once

namespace dp::aggregate {

// Installs the executor hook. Called once, from shared_preload_libraries.
void install_start_hook();

// Whether the hook is there; without it the aggregates refuse to run (DP004).
bool started();

}  // namespace dp::aggregate
