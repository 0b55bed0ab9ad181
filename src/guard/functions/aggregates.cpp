#include "guard/functions/aggregates.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace dp::guard {
namespace {

template <std::size_t size>
consteval std::array<AggregateFacts, size> each(const Oid (&functions)[size], const AggregateFacts& facts) {
  std::array<AggregateFacts, size> rows{};
  for (std::size_t i = 0; i < size; ++i) {
    rows[i] = facts;
    rows[i].function = functions[i];
  }
  return rows;
}

template <std::size_t... sizes>
consteval std::array<AggregateFacts, (sizes + ...)> together(const std::array<AggregateFacts, sizes>&... groups) {
  std::array<AggregateFacts, (sizes + ...)> rows{};
  auto* next = rows.begin();
  ((next = std::copy(groups.begin(), groups.end(), next)), ...);
  std::ranges::sort(rows, {}, &AggregateFacts::function);
  return rows;
}

constexpr AggregateFacts form(const char* name) { return {.private_form = name}; }
constexpr AggregateFacts pairs(const char* name) { return {.private_form = name, .of_pairs = true}; }

constexpr auto kAggregates = together(
    each({kCountOfRows, kCountOfValues}, {.below = Below::sees_no_more}),
    each({F_BOOL_AND, F_BOOL_OR, F_EVERY}, {.below = Below::sees_no_more, .of_truths = true}),
    each({F_SUM_INT2, kSumOfInt4, kSumOfInt8}, {.private_form = "dp_sum", .below = Below::sees_no_more}),
    each({F_SUM_FLOAT4, kSumOfFloat8, kSumOfNumeric}, {.private_form = "dp_sum", .below = Below::adds_up}),
    each({F_AVG_INT2, F_AVG_INT4, F_AVG_INT8}, {.private_form = "dp_avg", .below = Below::sees_no_more}),
    each({F_AVG_FLOAT4, F_AVG_FLOAT8, F_AVG_NUMERIC}, {.private_form = "dp_avg", .below = Below::adds_up}),
    each({F_MIN_INT2,    F_MIN_INT4, kLeastInt8,      F_MIN_FLOAT4,      F_MIN_FLOAT8,
          F_MIN_NUMERIC, F_MIN_DATE, F_MIN_TIMESTAMP, F_MIN_TIMESTAMPTZ, F_MIN_TEXT,
          F_MAX_INT2,    F_MAX_INT4, F_MAX_INT8,      F_MAX_FLOAT4,      F_MAX_FLOAT8,
          F_MAX_NUMERIC, F_MAX_DATE, F_MAX_TIMESTAMP, F_MAX_TIMESTAMPTZ, F_MAX_TEXT},
         {.below = Below::compares}),
    each({F_VARIANCE_INT2, F_VARIANCE_INT4, F_VARIANCE_INT8, F_VARIANCE_FLOAT4, F_VARIANCE_FLOAT8, F_VARIANCE_NUMERIC,
          F_VAR_SAMP_INT2, F_VAR_SAMP_INT4, F_VAR_SAMP_INT8, F_VAR_SAMP_FLOAT4, F_VAR_SAMP_FLOAT8, F_VAR_SAMP_NUMERIC},
         form("dp_variance")),
    each({F_STDDEV_INT2, F_STDDEV_INT4, F_STDDEV_INT8, F_STDDEV_FLOAT4, F_STDDEV_FLOAT8, F_STDDEV_NUMERIC,
          F_STDDEV_SAMP_INT2, F_STDDEV_SAMP_INT4, F_STDDEV_SAMP_INT8, F_STDDEV_SAMP_FLOAT4, F_STDDEV_SAMP_FLOAT8,
          F_STDDEV_SAMP_NUMERIC},
         form("dp_stddev")),
    each({F_VAR_POP_INT2, F_VAR_POP_INT4, F_VAR_POP_INT8, F_VAR_POP_FLOAT4, F_VAR_POP_FLOAT8, F_VAR_POP_NUMERIC},
         form("dp_var_pop")),
    each({F_STDDEV_POP_INT2, F_STDDEV_POP_INT4, F_STDDEV_POP_INT8, F_STDDEV_POP_FLOAT4, F_STDDEV_POP_FLOAT8,
          F_STDDEV_POP_NUMERIC},
         form("dp_stddev_pop")),
    each({F_PERCENTILE_CONT_FLOAT8_FLOAT8, kDiscretePercentile}, form("dp_quantile")),
    each({F_PERCENTILE_CONT__FLOAT8_FLOAT8, F_PERCENTILE_DISC__FLOAT8_ANYELEMENT}, form("dp_quantiles")),
    each({F_CORR}, pairs("dp_corr")), each({F_COVAR_POP}, pairs("dp_covar_pop")),
    each({F_COVAR_SAMP}, pairs("dp_covar_samp")), each({F_REGR_COUNT}, pairs("dp_regr_count")),
    each({F_REGR_AVGX}, pairs("dp_regr_avgx")), each({F_REGR_AVGY}, pairs("dp_regr_avgy")),
    each({F_REGR_SXX}, pairs("dp_regr_sxx")), each({F_REGR_SXY}, pairs("dp_regr_sxy")),
    each({F_REGR_SYY}, pairs("dp_regr_syy")), each({F_REGR_R2}, pairs("dp_regr_r2")),
    each({F_REGR_SLOPE}, pairs("dp_regr_slope")), each({F_REGR_INTERCEPT}, pairs("dp_regr_intercept")));
static_assert(std::ranges::adjacent_find(kAggregates, {}, &AggregateFacts::function) == kAggregates.end(),
              "an aggregate has one row");

constexpr WindowFacts kWindows[] = {{kRowNumber, Window::row_number},
                                    {F_RANK_, Window::rank, true},
                                    {kDenseRank, Window::dense_rank, true},
                                    {F_PERCENT_RANK_, Window::percent_rank, true},
                                    {F_CUME_DIST_, Window::cume_dist, true},
                                    {F_NTILE, Window::ntile},
                                    {F_LAG_ANYELEMENT, Window::lag},
                                    {F_LAG_ANYELEMENT_INT4, Window::lag},
                                    {F_LAG_ANYCOMPATIBLE_INT4_ANYCOMPATIBLE, Window::lag},
                                    {kLead, Window::lead},
                                    {F_LEAD_ANYELEMENT_INT4, Window::lead},
                                    {F_LEAD_ANYCOMPATIBLE_INT4_ANYCOMPATIBLE, Window::lead},
                                    {kFirstValue, Window::first_value},
                                    {F_LAST_VALUE, Window::last_value},
                                    {F_NTH_VALUE, Window::nth_value}};

}  // namespace

const AggregateFacts* aggregate_facts_of(Oid function) {
  const auto row = std::ranges::lower_bound(kAggregates, function, {}, &AggregateFacts::function);
  return row == kAggregates.end() || row->function != function ? nullptr : &*row;
}

bool is_name_of_private_forms(const char* name) {
  return std::ranges::any_of(kAggregates, [name](const AggregateFacts& one) {
    return one.private_form != nullptr && !one.of_pairs && strcmp(get_func_name(one.function), name) == 0;
  });
}

bool adds_floats(Oid function) {
  const AggregateFacts* const facts = aggregate_facts_of(function);
  return facts != nullptr && facts->below == Below::adds_up && get_func_rettype(function) != NUMERICOID;
}

const WindowFacts* window_facts_of(Oid function) {
  const auto* const row = std::ranges::find(kWindows, function, &WindowFacts::function);
  return row == std::end(kWindows) ? nullptr : row;
}

Window kind_of_window(Oid function) {
  const WindowFacts* const facts = window_facts_of(function);
  return facts == nullptr ? Window::unknown : facts->window;
}

}  // namespace dp::guard
