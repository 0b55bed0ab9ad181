#include "aggregate/kinds/open_spread.h"

#include <cmath>
#include <limits>

#include "aggregate/call/kept_points.h"
#include "aggregate/call/value_reader.h"
#include "core/accumulate/open_spread.h"
#include "core/mechanism/catalogue.h"
#include "core/mechanism/mechanism_text.h"
#include "pg/errors.h"
#include "pg/random_bits.h"

extern "C" {
DP_EXPORT Datum dp_moments_add(FunctionCallInfo fcinfo);
DP_EXPORT Datum dp_variance_answer(FunctionCallInfo fcinfo);
DP_EXPORT Datum dp_stddev_answer(FunctionCallInfo fcinfo);
DP_EXPORT Datum dp_var_pop_answer(FunctionCallInfo fcinfo);
DP_EXPORT Datum dp_stddev_pop_answer(FunctionCallInfo fcinfo);
}

namespace dp::aggregate {
namespace {

constexpr int kDigits = 24;

struct OpenSpreadCall : HistogramCall {
  Reader reader;
  OpenGrid grid;
  bool population;
  bool root;
};

Datum add_open(FunctionCallInfo fcinfo) {
  return pg::entry([fcinfo] {
    const auto& call = call_of<OpenSpreadCall>(fcinfo);
    if (PG_ARGISNULL(1)) return same_state(fcinfo);
    return keep_point_of_row(fcinfo, call, call.grid.point(call.reader.steps(PG_GETARG_DATUM(1))));
  });
}

void check_mechanism(const OpenSpreadCall& call, const char* function) {
  const auto* const family = call.mechanism.family;
  if (family == &mechanism::kAuto || family == &mechanism::kLaplace || family == &mechanism::kGeometric) return;
  const char* const text = pstrdup(mechanism::format(call.mechanism).c_str());
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("%s finds no range privately for mechanism %s", function, text),
                  errdetail("A bound is infinite, so that a range is chosen for a quarter of epsilon; that is done for "
                            "laplace and geometric."),
                  errhint("SET dp.mechanism = 'laplace'; or give finite bounds: %s(cost, 0, 50000, 0.5).", function)));
}

Call* prepare_open(const Arguments& arguments, bool population, bool root) {
  auto* const call = make_call<OpenSpreadCall>();
  call->reader = Reader::make(arguments, Origin::zero, 32);
  call->grid = OpenGrid::make(kDigits, call->reader.low, call->reader.high);
  call->points = static_cast<std::uint64_t>(call->grid.points());
  call->population = population;
  call->root = root;
  call->epsilon = arguments.epsilon(3);
  call->mechanism = arguments.mechanism(4);
  check_mechanism(*call, arguments.function());
  if (call->epsilon.nano < 2 * OpenSpread::kParts) {
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("epsilon %g is too small to choose a range with a part of it", call->epsilon.value()),
                    errhint("Ask at a larger epsilon, or give finite bounds.")));
  }
  call->mechanism = {&mechanism::kPermuteAndFlip};  // as which it is charged: purely, by epsilon
  call->changes = mechanism::Changes::one(1);
  call->lattice = call->reader.lattice();
  call->answer_type = FLOAT8OID;
  call->row = add_open;
  return call;
}

template <bool kPopulation, bool kRoot>
Call* prepare(const Arguments& arguments) {
  return prepare_open(arguments, kPopulation, kRoot);
}

}  // namespace

Datum open_spread_answer(FunctionCallInfo fcinfo) {
  const auto& call = answering_call<OpenSpreadCall>(fcinfo);
  const OpenSpread spread(final_points(fcinfo), call.grid, call.epsilon, call.changes.l1, pg::random_bits());
  if (!spread.is_found()) {
    const_cast<OpenSpreadCall&>(call).lacks_range = true;
    PG_RETURN_FLOAT8(std::numeric_limits<double>::quiet_NaN());
  }
  const double steps = call.population ? spread.population_variance() : spread.variance();
  const double answer =
      call.root ? std::ldexp(std::sqrt(steps), call.reader.exponent) : std::ldexp(steps, 2 * call.reader.exponent);
  PG_RETURN_FLOAT8(answer);
}

const Support kOpenVariance{dp_moments_add, dp_variance_answer, prepare<false, false>, Release::choice, Tag::sample};
const Support kOpenStddev{dp_moments_add, dp_stddev_answer, prepare<false, true>, Release::choice, Tag::sample};
const Support kOpenVarPop{dp_moments_add, dp_var_pop_answer, prepare<true, false>, Release::choice, Tag::sample};
const Support kOpenStddevPop{dp_moments_add, dp_stddev_pop_answer, prepare<true, true>, Release::choice, Tag::sample};

}  // namespace dp::aggregate
