// dp_describe: what noise a mechanism would add, before anything is asked of data.
#include "core/mechanism/mechanism.h"
#include "core/mechanism/mechanism_text.h"
#include "planning/values.h"

namespace dp::planning {

// dp_describe(mechanism, epsilon, sensitivity, integer, whole) returns (mechanism, epsilon, delta, scale,
// expected_abs_error, expected_sq_error, entropy_bits, interval95)
DP_SQL_FUNCTION(dp_describe) {
  const text* const written = PG_GETARG_TEXT_PP(0);
  const auto asked = mechanism::parse({VARDATA_ANY(written), static_cast<std::size_t>(VARSIZE_ANY_EXHDR(written))});
  const auto epsilon = mechanism::Epsilon::from(PG_GETARG_FLOAT8(1));
  const auto description = mechanism::describe(asked, epsilon, PG_GETARG_FLOAT8(2), lattice_argument(fcinfo, 3));
  const mechanism::Mechanism& used = description.mechanism;
  const mechanism::Loss& loss = description.loss;
  const std::string name = mechanism::format(used);

  return pg::call([&] {
    TupleDesc row;
    if (get_call_result_type(fcinfo, nullptr, &row) != TYPEFUNC_COMPOSITE)
      elog(ERROR, "return type must be a row type");
    Datum values[] = {PointerGetDatum(cstring_to_text_with_len(name.data(), static_cast<int>(name.size()))),
                      Float8GetDatum(epsilon.value()),
                      Float8GetDatum(mechanism::delta_of(used).value()),
                      Float8GetDatum(loss.scale),
                      Float8GetDatum(loss.expected_abs),
                      Float8GetDatum(loss.expected_sq),
                      Float8GetDatum(loss.entropy_bits),
                      Float8GetDatum(loss.interval95)};
    bool nulls[std::size(values)] = {};
    return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(row), values, nulls));
  });
}

}  // namespace dp::planning
