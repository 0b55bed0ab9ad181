#include "guard/admission/total_windows.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "guard/admission/refusal.h"
#include "guard/admission/total_aggregates.h"
#include "guard/functions/aggregates.h"

namespace dp::guard {
namespace {

// Whole numbers are compared without overflow, and float8 becomes infinite.
constexpr Oid kRangesOfNumbers[] = {F_IN_RANGE_INT8_INT8_INT8_BOOL_BOOL,      F_IN_RANGE_INT4_INT4_INT8_BOOL_BOOL,
                                    F_IN_RANGE_INT4_INT4_INT4_BOOL_BOOL,      F_IN_RANGE_INT4_INT4_INT2_BOOL_BOOL,
                                    F_IN_RANGE_INT2_INT2_INT8_BOOL_BOOL,      F_IN_RANGE_INT2_INT2_INT4_BOOL_BOOL,
                                    F_IN_RANGE_INT2_INT2_INT2_BOOL_BOOL,      F_IN_RANGE_FLOAT8_FLOAT8_FLOAT8_BOOL_BOOL,
                                    F_IN_RANGE_FLOAT4_FLOAT4_FLOAT8_BOOL_BOOL};

constexpr Oid kRangesOfMoments[] = {F_IN_RANGE_DATE_DATE_INTERVAL_BOOL_BOOL,
                                    F_IN_RANGE_TIMESTAMP_TIMESTAMP_INTERVAL_BOOL_BOOL,
                                    F_IN_RANGE_TIMESTAMPTZ_TIMESTAMPTZ_INTERVAL_BOOL_BOOL};

// Of such an interval each part: a thousand years.
constexpr int32 kMostMonths = 12'000;
constexpr int32 kMostDays = 366'000;
constexpr int64 kMostTime = kMostDays * USECS_PER_DAY;

template <std::size_t size>
bool is_one_of(Oid function, const Oid (&list)[size]) {
  return std::find(std::begin(list), std::end(list), function) != std::end(list);
}

const Const* known(const Node* node) {
  if (node == nullptr || !IsA(node, Const)) return nullptr;
  const auto* const constant = reinterpret_cast<const Const*>(node);
  return constant->constisnull ? nullptr : constant;
}

[[noreturn]] void refuse_number(const WindowFunc* call, const char* what) {
  DP_REFUSE(call->location,
            errmsg("the number that window function %s takes below private aggregates must be %s",
                   get_func_name(call->winfnoid), what),
            errhint("Write the number itself: lag(x, 1), nth_value(x, 2), ntile(4)."));
  pg_unreachable();
}

// Of 1, 2, ...; the last argument.
void require_positive(const WindowFunc* call) {
  const Const* const number = known(static_cast<Node*>(llast(call->args)));
  if (number == nullptr || DatumGetInt32(number->constvalue) <= 0) refuse_number(call, "a constant above zero");
}

bool is_total_interval(const Interval& interval) {
  return interval.month >= 0 && interval.month <= kMostMonths && interval.day >= 0 && interval.day <= kMostDays &&
         interval.time >= 0 && interval.time <= kMostTime;
}

bool is_total_number(const Const& number) {
  switch (number.consttype) {
    case INT2OID:
      return DatumGetInt16(number.constvalue) >= 0;
    case INT4OID:
      return DatumGetInt32(number.constvalue) >= 0;
    case INT8OID:
      return DatumGetInt64(number.constvalue) >= 0;
    case FLOAT8OID:
      return DatumGetFloat8(number.constvalue) >= 0;  // not NaN
    default:
      return false;
  }
}

bool is_total_offset(int frame, const Node* offset, Oid in_range) {
  if (offset == nullptr) return true;
  const Const* const constant = known(offset);
  if (constant == nullptr) return false;
  if ((frame & FRAMEOPTION_RANGE) == 0) return constant->consttype == INT8OID && is_total_number(*constant);
  if (is_one_of(in_range, kRangesOfNumbers)) return is_total_number(*constant);
  return is_one_of(in_range, kRangesOfMoments) && constant->consttype == INTERVALOID &&
         is_total_interval(*DatumGetIntervalP(constant->constvalue));
}

}  // namespace

void require_total_window(const WindowFunc* call) {
  const Window kind = kind_of_window(call->winfnoid);
  if (kind == Window::ntile || kind == Window::nth_value) return require_positive(call);
  if ((kind == Window::lag || kind == Window::lead) && list_length(call->args) > 1) {
    const auto* const distance = static_cast<const Node*>(lsecond(call->args));
    if (!IsA(distance, Const)) refuse_number(call, "a constant");
    const Const* const rows = known(distance);
    if (rows != nullptr && DatumGetInt32(rows->constvalue) == PG_INT32_MIN) refuse_number(call, "above -2147483648");
    return;
  }
  if (kind != Window::unknown) return;
  DP_REFUSE(
      call->location,
      errmsg("window function %s below private aggregates can fail, or is not built in", get_func_name(call->winfnoid)),
      errhint("Over the rows of one person row_number, rank, dense_rank, percent_rank, cume_dist, ntile, lag, "
              "lead, first_value, last_value and nth_value are admitted, and the aggregates count, sum, avg, "
              "min, max, bool_and and bool_or."));
}

bool takes_rows_in_order(const WindowFunc* call, int frame) {
  if (call->winagg) return (frame & FRAMEOPTION_ROWS) != 0 || adds_floats(call->winfnoid);
  const WindowFacts* const facts = window_facts_of(call->winfnoid);
  return facts == nullptr || !facts->of_peers;
}

bool is_total_frame(int frame, const Node* start, const Node* end, Oid start_in_range, Oid end_in_range) {
  return is_total_offset(frame, start, start_in_range) && is_total_offset(frame, end, end_in_range);
}

Expr* within_far_ends(Expr* moment) { return kept_within(moment, "4000-01-01 BC", "200000-01-01"); }

}  // namespace dp::guard
