// DISCARD ALL ends what a session knows, as poolers expect: its last release too.
#pragma once

namespace dp::budget {

// Called once, from shared_preload_libraries.
void install_discard();

}  // namespace dp::budget
