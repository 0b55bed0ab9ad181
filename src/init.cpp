// The entry point of the library: what the server calls when it loads it, and what that installs.
#include "aggregate/call/settings.h"
#include "budget/answers/stored_answers.h"
#include "budget/ledger/counters.h"
#include "budget/ledger/drop_guard.h"
#include "budget/ledger/ledger.h"
#include "budget/publish/workers.h"
#include "budget/release/discard.h"
#include "budget/release/forget_beside.h"
#include "budget/release/stored_numbers.h"
#include "guard/hooks/executor_hooks.h"
#include "guard/hooks/maintenance.h"
#include "guard/hooks/page_counts.h"
#include "guard/hooks/planner_hooks.h"
#include "guard/query/settings.h"
#include "guard/query/silence.h"
#include "guard/unit_limit/contribution_bounds.h"
#include "pg/interrupts.h"
#include "pg/server.h"

extern "C" {
DP_EXPORT const Pg_magic_struct* Pg_magic_func(void);
DP_MODULE_MAGIC;
DP_EXPORT void _PG_init(void);
}

// Outside shared_preload_libraries nothing but the guard against DROP is installed, and the aggregates say so (DP004).
void _PG_init(void) {
  dp::pg::install_interrupts();
  dp::budget::install_drop_guard();
  if (!process_shared_preload_libraries_in_progress) return;
  dp::aggregate::define_settings();
  dp::budget::install_ledger();
  dp::budget::install_counters();
  dp::budget::install_answers();
  dp::budget::install_discard();
  dp::budget::define_number_settings();
  dp::budget::define_forgetting_setting();
  dp::budget::install_publishing();
  dp::guard::define_settings();
  dp::guard::define_limits();
  dp::guard::install_planner();
  dp::guard::install_executor_hooks();
  dp::guard::install_silence();
  dp::guard::install_page_counts();
  dp::guard::install_maintenance();
  MarkGUCPrefixReserved("dp");  // after the last setting was defined
}
