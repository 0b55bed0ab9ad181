// The executor's hooks. They only call: what a statement will charge and leave is release/statement.h.
#pragma once

namespace dp::guard {

// Installs them. Called once, from shared_preload_libraries.
void install_executor_hooks();

}  // namespace dp::guard
