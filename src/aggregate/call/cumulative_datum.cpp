#include "aggregate/call/cumulative_datum.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/accumulate/prefix_sums.h"
#include "core/mechanism/loss.h"
#include "core/planning/curve.h"
#include "pg/errors.h"
#include "pg/types_by_name.h"

namespace dp::aggregate {
namespace {

int64 whole(double rows) {
  constexpr double kBeyond = 0x1p63;
  if (rows >= kBeyond) return std::numeric_limits<int64>::max();
  return rows < -kBeyond ? std::numeric_limits<int64>::min() : static_cast<int64>(std::llround(rows));
}

}  // namespace

double noise_of_numbers(const Form& form, const mechanism::Law& law, int summed) {
  const int scale = static_cast<int>(form.refinement) + sums_of_form(form).scale();
  return std::ldexp(std::sqrt(summed * mechanism::loss(law).expected_sq), -scale);
}

Datum cumulative_answer(const Form& form, noise::Int128View noisy, double noise) {
  const PrefixSums sums = sums_of_form(form);
  const Buckets buckets = buckets_of_form(form);
  const auto size = static_cast<Size>(sums.buckets);
  auto* const counts = static_cast<Datum*>(palloc(size * sizeof(Datum)));
  const auto found = sums.sums_of(noisy, form.refinement);
  std::transform(found.begin(), found.end(), counts, [](double rows) { return Int64GetDatum(whole(rows)); });
  return pg::call([&] {
    ArrayType* const array =
        construct_array(counts, sums.buckets, INT8OID, sizeof(int64), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE);
    Datum values[] = {Float8GetDatum(buckets.bounds.lower), Float8GetDatum(buckets.bounds.upper),
                      PointerGetDatum(array), Int32GetDatum(sums.branching), Float8GetDatum(noise)};
    bool nulls[] = {false, false, false, false, false};
    TupleDesc const shape = lookup_rowtype_tupdesc(pg::own_type("dp_cumulative"), -1);
    HeapTuple const tuple = heap_form_tuple(shape, values, nulls);
    ReleaseTupleDesc(shape);
    return HeapTupleGetDatum(tuple);
  });
}

double cumulative_error(const Form& form, double noise, double confidence) {
  const PrefixSums sums = sums_of_form(form);
  const double deviation = noise * std::sqrt(PrefixVariances(sums).largest());
  return std::floor(planning::reach_of_sums(deviation, confidence, sums.is_root()) + 0.5);
}

}  // namespace dp::aggregate
