// dp_consistent and its kin: answers of several levels of one question that are made to add up, dp_monotone: answers
// in an order that are made never to fall. Window functions over what is public.
#include <cmath>
#include <limits>

#include "core/consistency/top_down.h"
#include "pg/errors.h"
#include "planning/adjusted_rows.h"

namespace dp::planning {
namespace {

using consistency::Real;

// How far levels may be apart and yet be about the same rows: so many times the errors that are given. These are ones
// at 95 of 100 cases; or, of what the guard asks, at all but one of ten millions.
constexpr double kOfUsualErrors = 5, kOfLargeErrors = 1;

struct Asked {
  bool nonnegative;
  double width;
  bool warns;  // of several functions over the same rows one does
};

Real number_of(const AdjustedRows& rows, int64 row) {
  return rows.is_whole() ? static_cast<Real>(rows.whole[row]) : static_cast<Real>(rows.real[row]);
}

void put(AdjustedRows* rows, int64 row, Real value) {
  if (!rows->is_whole()) {
    rows->real[row] = static_cast<double>(value);
    return;
  }
  constexpr auto least = std::numeric_limits<int64>::min(), most = std::numeric_limits<int64>::max();
  rows->whole[row] = value <= static_cast<Real>(least)  ? least
                     : value >= static_cast<Real>(most) ? most
                                                        : static_cast<int64>(std::nearbyint(value));
}

// As the fit has them. Errors are given in the unit of the answers, which may be a part of one.
std::vector<Real> answers_of(const AdjustedRows& rows) {
  std::vector<Real> answers;
  for (int64 row = 0; row < rows.count; ++row) answers.push_back(rows.known[row] ? number_of(rows, row) : 0);
  return answers;
}

std::vector<Real> variances_of(const AdjustedRows& rows) {
  const Real unit = std::pow(Real{10}, static_cast<Real>(rows.digits));
  std::vector<Real> variances;
  for (int64 row = 0; row < rows.count; ++row) {
    // Where nobody says how far any is off, all are alike.
    const Real error = rows.any_error ? static_cast<Real>(rows.error[row]) * unit : 1;
    variances.push_back(rows.known[row] ? error * error : std::numeric_limits<Real>::infinity());
  }
  return variances;
}

// Of one with so much variance. A whole number is less than one off what was rounded, and the exact one is whole, too.
// Zero is added so that there is no -0.
double error_with(const AdjustedRows& rows, Real variance) {
  const Real unit = std::pow(Real{10}, static_cast<Real>(rows.digits));
  const auto error = static_cast<double>(std::sqrt(variance) / unit);
  return rows.is_integer() && std::isfinite(error) ? std::ceil(error - 1e-9) + 0.0 : error;
}

const char* adjust(AdjustedRows* rows, const Asked& asked) {
  const std::vector<Real> answers = answers_of(*rows), variances = variances_of(*rows);
  const auto count = static_cast<std::size_t>(rows->count);
  try {
    const consistency::Levels levels({rows->keys,
                                      {rows->level, count},
                                      {rows->values, count * static_cast<std::size_t>(rows->keys)},
                                      answers,
                                      variances});
    consistency::Fit fit = least_squares(levels);
    if (rows->any_error && contradicts(levels, fit, asked.width))
      return "levels do not add up: they differ by more than their errors, and are left as they are";
    fit_top_down(levels, {rows->is_whole(), asked.nonnegative}, &fit);
    for (std::size_t row = 0; row < count; ++row) {
      const auto node = static_cast<std::size_t>(levels.node_of(row));
      put(rows, static_cast<int64>(row), fit.value[node]);
      rows->after[row] = static_cast<double>(fit.variance[node]);
      rows->known[row] = rows->known[row] || std::isfinite(rows->after[row]);
    }
  } catch (const Error& error) {
    return pg::call([&] { return pstrdup(error.what()); });
  }
  return nullptr;
}

// Of the row that the window is at.
struct Row {
  const AdjustedRows* rows;
  int64 number;
};

Row adjusted(FunctionCallInfo fcinfo, const Asked& asked) {
  WindowObject const window = PG_WINDOW_OBJECT();
  constexpr int kLevel = 2, kKeys = 3;
  AdjustedRows* const rows = pg::call([&] { return rows_of_partition(window, fcinfo, kLevel, kKeys); });
  if (!rows->done) {
    const std::vector<Real> before = variances_of(*rows);
    for (int64 row = 0; row < rows->count; ++row)
      rows->after[row] = static_cast<double>(before[static_cast<std::size_t>(row)]);
    const char* const why_not = adjust(rows, asked);
    rows->done = true;
    if (why_not != nullptr && asked.warns)
      pg::call([&] {
        ereport(WARNING, (errcode(ERRCODE_DATA_EXCEPTION), errmsg("%s", why_not),
                          errhint("Totals also count rows that have none of the groups shown: look whether all values "
                                  "of the keys are declared, and whether all levels are about the same rows.")));
      });
  }
  return {rows, WinGetCurrentPosition(window)};
}

Datum answer_in(FunctionCallInfo fcinfo, const Row& row) {
  if (!row.rows->known[row.number]) PG_RETURN_NULL();
  return pg::call([&] { return answer_of(*row.rows, row.number); });
}

// What is left of its error: from 0 to 1.
double share_in(const Row& row) {
  const double before = row.rows->error[row.number];
  if (!(before > 0) || std::isinf(before)) return 1;
  const double unit = std::pow(10.0, row.rows->digits);
  return std::min(1.0, std::sqrt(row.rows->after[row.number]) / unit / before);
}

}  // namespace

// dp_consistent(answer anyelement, error float8, level integer, VARIADIC keys "any") returns anyelement, and the same
// with numbers that are not negative.
DP_SQL_FUNCTION(dp_consistent) { return answer_in(fcinfo, adjusted(fcinfo, {false, kOfUsualErrors, true})); }
DP_SQL_FUNCTION(dp_consistent_nonnegative) { return answer_in(fcinfo, adjusted(fcinfo, {true, kOfUsualErrors, true})); }

// dp_consistent_error(answer anyelement, error float8, level integer, VARIADIC keys "any") returns float8
DP_SQL_FUNCTION(dp_consistent_error) {
  const Row row = adjusted(fcinfo, {false, kOfUsualErrors, false});
  if (!row.rows->any_error) PG_RETURN_NULL();
  const double after = row.rows->after[row.number];
  PG_RETURN_FLOAT8(error_with(*row.rows, static_cast<Real>(after)));
}

// The same of what a statement asks with dp.consistent, where errors are large ones.
DP_SQL_FUNCTION(dp_fitting) { return answer_in(fcinfo, adjusted(fcinfo, {false, kOfLargeErrors, true})); }
DP_SQL_FUNCTION(dp_fitting_nonnegative) { return answer_in(fcinfo, adjusted(fcinfo, {true, kOfLargeErrors, true})); }
DP_SQL_FUNCTION(dp_fitting_share) { PG_RETURN_FLOAT8(share_in(adjusted(fcinfo, {false, kOfLargeErrors, false}))); }

// dp_monotone(answer anyelement, error float8) returns anyelement
DP_SQL_FUNCTION(dp_monotone) {
  WindowObject const window = PG_WINDOW_OBJECT();
  AdjustedRows* const rows = pg::call([&] { return rows_of_partition(window, fcinfo, 0, 0); });
  if (!rows->done) {
    std::vector<Real> answers, variances;
    const std::vector<Real> all = answers_of(*rows), of_all = variances_of(*rows);
    for (std::size_t row = 0; row < all.size(); ++row) {
      if (!rows->known[row]) continue;
      answers.push_back(all[row]);
      variances.push_back(of_all[row]);
    }
    const std::vector<Real> fitted = consistency::monotone(answers, variances);
    std::size_t next = 0;
    for (int64 row = 0; row < rows->count; ++row)
      if (rows->known[row]) put(rows, row, fitted[next++]);
    rows->done = true;
  }
  return answer_in(fcinfo, {rows, WinGetCurrentPosition(window)});
}

}  // namespace dp::planning
