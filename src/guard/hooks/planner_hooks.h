// The planner's part of the guard: queries are split before planning, their inner queries planned by themselves, and in
// the outer plan the node DpRelease stands for each; who may not read a table gets no plan.
#pragma once

namespace dp::guard {

// Installs the planner hooks. Called once, from shared_preload_libraries.
void install_planner();

}  // namespace dp::guard
