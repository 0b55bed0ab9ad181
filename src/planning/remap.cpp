// dp_remap, dp_remap_minimax and what they cost: how to read a geometric count on 0..n.
#include <algorithm>

#include "core/planning/minimax_remap.h"
#include "pg/random_bits.h"
#include "planning/values.h"

namespace dp::planning {
namespace {

// A prior and the channel on its counts; plain data.
struct Prior {
  std::span<const double> shares;
  Channel channel;
};

Prior prior_argument(FunctionCallInfo fcinfo, int epsilon_place, int prior_place) {
  const auto epsilon = epsilon_argument(fcinfo, epsilon_place);
  const auto shares = numbers_argument(fcinfo, prior_place, "prior");
  check_prior(shares);
  return {shares, {epsilon, static_cast<int>(shares.size()) - 1}};
}

// The game of dp_remap_minimax and its solution, kept for the next row of the same call.
struct Solved {
  mechanism::Epsilon epsilon;
  int n;
  ReadingLoss loss;
  double probabilities[FLEXIBLE_ARRAY_MEMBER];  // as in MinimaxRemap

  bool is(mechanism::Epsilon e, int size, ReadingLoss l) const { return epsilon == e && n == size && loss == l; }
};

const Solved& solved(FunctionCallInfo fcinfo, mechanism::Epsilon epsilon, int n, ReadingLoss loss) {
  auto* kept = static_cast<Solved*>(fcinfo->flinfo->fn_extra);
  if (kept != nullptr && kept->is(epsilon, n, loss)) return *kept;
  const MinimaxRemap remap = minimax_remap(epsilon, n, loss);
  pg::call([&] {
    fcinfo->flinfo->fn_extra = nullptr;
    if (kept != nullptr) pfree(kept);
    const Size bytes = offsetof(Solved, probabilities) + remap.probabilities.size() * sizeof(double);
    kept = static_cast<Solved*>(MemoryContextAlloc(fcinfo->flinfo->fn_mcxt, bytes));
  });
  kept->epsilon = epsilon;
  kept->n = n;
  kept->loss = loss;
  std::copy(remap.probabilities.begin(), remap.probabilities.end(), kept->probabilities);
  fcinfo->flinfo->fn_extra = kept;
  return *kept;
}

// A reading drawn from its row of probabilities, to 53 bits: the reading is post-processing and protects nobody.
int draw(const double* row, int n) {
  double left = static_cast<double>(pg::random_bits().bits(53)) * 0x1p-53;
  int last = 0;
  for (int reading = 0; reading <= n; ++reading) {
    if (row[reading] <= 0) continue;
    last = reading;
    if (left < row[reading]) break;
    left -= row[reading];
  }
  return last;
}

}  // namespace

// dp_remap(answer, epsilon, prior, loss) returns bigint
DP_SQL_FUNCTION(dp_remap) {
  const Prior prior = prior_argument(fcinfo, 1, 2);
  const int answer = prior.channel.observed(PG_GETARG_INT64(0));
  PG_RETURN_INT64(best_reading(prior.channel, answer, prior.shares, reading_loss(word_argument(fcinfo, 3))));
}

// dp_remap_loss(epsilon, prior, loss) returns float8
DP_SQL_FUNCTION(dp_remap_loss) {
  const Prior prior = prior_argument(fcinfo, 0, 1);
  PG_RETURN_FLOAT8(expected_loss(prior.channel, prior.shares, reading_loss(word_argument(fcinfo, 2))));
}

// dp_remap_minimax(answer, epsilon, n, loss) returns bigint
DP_SQL_FUNCTION(dp_remap_minimax) {
  const int n = PG_GETARG_INT32(2);
  const auto epsilon = epsilon_argument(fcinfo, 1);
  const Solved& remap = solved(fcinfo, epsilon, n, reading_loss(word_argument(fcinfo, 3)));
  const int answer = Channel{epsilon, n}.observed(PG_GETARG_INT64(0));
  PG_RETURN_INT64(draw(remap.probabilities + answer * (n + 1), n));
}

// dp_remap_minimax_loss(epsilon, n, loss) returns float8
DP_SQL_FUNCTION(dp_remap_minimax_loss) {
  const ReadingLoss loss = reading_loss(word_argument(fcinfo, 2));
  PG_RETURN_FLOAT8(minimax_remap(epsilon_argument(fcinfo, 0), PG_GETARG_INT32(1), loss).loss);
}

// dp_remap_minimax_table(epsilon, n, loss) returns rows (answer, reading, probability)
DP_SQL_FUNCTION(dp_remap_minimax_table) {
  const ReadingLoss loss = reading_loss(word_argument(fcinfo, 2));
  const MinimaxRemap remap = minimax_remap(epsilon_argument(fcinfo, 0), PG_GETARG_INT32(1), loss);
  pg::call([&] {
    InitMaterializedSRF(fcinfo, 0);
    const auto* const result = reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
    for (int answer = 0; answer <= remap.n; ++answer) {
      for (int reading = 0; reading <= remap.n; ++reading) {
        if (remap.probability(answer, reading) <= 0) continue;
        Datum values[] = {Int64GetDatum(answer), Int64GetDatum(reading),
                          Float8GetDatum(remap.probability(answer, reading))};
        bool nulls[] = {false, false, false};
        tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
      }
    }
  });
  PG_RETURN_VOID();
}

}  // namespace dp::planning
