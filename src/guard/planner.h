// The planner's part of the guard: queries are split before planning, and every core's plan gets the node DpRelease on top.
#pragma once

namespace dp::guard {

// Installs the planner hooks. Called once, from shared_preload_libraries.
void install_planner();

}  // namespace dp::guard
