// DISCARD ALL also makes the session forget its last release, as connection poolers expect.
#pragma once

namespace dp::budget {

// Called once, from shared_preload_libraries.
void install_discard();

}  // namespace dp::budget
