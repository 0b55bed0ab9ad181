#include "guard/inner/server_settings.h"

#include <iterator>

#include "pg/execution.h"
#include "pg/planner.h"

namespace dp::guard {
namespace {

constexpr const char* kNames[] = {"constraint_exclusion",
                                  "cpu_index_tuple_cost",
                                  "cpu_operator_cost",
                                  "cpu_tuple_cost",
                                  "cursor_tuple_fraction",
                                  "effective_cache_size",
                                  "effective_io_concurrency",
                                  "enable_bitmapscan",
                                  "enable_distinct_reordering",
                                  "enable_gathermerge",
                                  "enable_group_by_reordering",
                                  "enable_hashagg",
                                  "enable_hashjoin",
                                  "enable_incremental_sort",
                                  "enable_indexonlyscan",
                                  "enable_indexscan",
                                  "enable_material",
                                  "enable_memoize",
                                  "enable_mergejoin",
                                  "enable_nestloop",
                                  "enable_parallel_append",
                                  "enable_parallel_hash",
                                  "enable_partition_pruning",
                                  "enable_partitionwise_join",
                                  "enable_presorted_aggregate",
                                  "enable_self_join_elimination",
                                  "enable_seqscan",
                                  "enable_sort",
                                  "enable_tidscan",
                                  "exit_on_error",
                                  "from_collapse_limit",
                                  "geqo",
                                  "geqo_effort",
                                  "geqo_generations",
                                  "geqo_pool_size",
                                  "geqo_seed",
                                  "geqo_selection_bias",
                                  "geqo_threshold",
                                  "hash_mem_multiplier",
                                  "io_combine_limit",
                                  "jit",
                                  "jit_above_cost",
                                  "jit_expressions",
                                  "jit_inline_above_cost",
                                  "jit_optimize_above_cost",
                                  "jit_tuple_deforming",
                                  "join_collapse_limit",
                                  "max_parallel_workers",
                                  "max_parallel_workers_per_gather",
                                  "min_parallel_index_scan_size",
                                  "min_parallel_table_scan_size",
                                  "parallel_leader_participation",
                                  "parallel_setup_cost",
                                  "parallel_tuple_cost",
                                  "random_page_cost",
                                  "seq_page_cost",
                                  "synchronize_seqscans",
                                  "trace_sort",
                                  "work_mem"};
constexpr int kCount = static_cast<int>(std::size(kNames));

// The settings' records, found once in each process; nullptr where this server has no setting of that name.
config_generic* const* records() {
  static config_generic* found[kCount];
  static bool looked = false;
  if (looked) return found;
  pg::visit_variables([](config_generic* variable) {
    for (int name = 0; name < kCount; ++name) {
      if (strcmp(variable->name, kNames[name]) == 0) found[name] = variable;
    }
  });
  looked = true;
  return found;
}

// Exchanges the variable's value with the one that the server would have it at.
template <class Config, class Held>
void to_server(config_generic* record, Held* session) {
  auto* const config = reinterpret_cast<Config*>(record);
  *session = *config->variable;
  *config->variable = record->reset_source <= PGC_S_DATABASE ? config->reset_val : config->boot_val;
}

template <class Config, class Held>
void to_session(config_generic* record, Held session) {
  *reinterpret_cast<Config*>(record)->variable = session;
}

}  // namespace

ServerSettings::ServerSettings(bool watched)
    : partitionwise_(enable_partitionwise_aggregate), forced_(pg::forced_parallel()), fuzzy_(GinFuzzySearchLimit) {
  static_assert(kCount <= kMost);
  enable_partitionwise_aggregate = false;
  pg::forced_parallel() = pg::kParallelNotForced;
  GinFuzzySearchLimit = 0;
  if (!watched) return;
  config_generic* const* const all = records();
  for (int i = 0; i < kCount; ++i) {
    config_generic* const record = all[i];
    // What nobody has set for the role, the session or less stands at the server's value.
    if (record == nullptr || record->source <= PGC_S_DATABASE) continue;
    numbers_[changed_] = i;
    Value& session = session_[changed_++];
    if (record->vartype == PGC_BOOL) to_server<config_bool>(record, &session.truth);
    if (record->vartype == PGC_INT) to_server<config_int>(record, &session.number);
    if (record->vartype == PGC_REAL) to_server<config_real>(record, &session.real);
    if (record->vartype == PGC_ENUM) to_server<config_enum>(record, &session.number);
  }
}

ServerSettings::~ServerSettings() {
  enable_partitionwise_aggregate = partitionwise_;
  pg::forced_parallel() = forced_;
  GinFuzzySearchLimit = fuzzy_;
  for (int i = 0; i < changed_; ++i) {
    config_generic* const record = records()[numbers_[i]];
    const Value& session = session_[i];
    if (record->vartype == PGC_BOOL) to_session<config_bool>(record, session.truth);
    if (record->vartype == PGC_INT) to_session<config_int>(record, session.number);
    if (record->vartype == PGC_REAL) to_session<config_real>(record, session.real);
    if (record->vartype == PGC_ENUM) to_session<config_enum>(record, session.number);
  }
}

}  // namespace dp::guard
