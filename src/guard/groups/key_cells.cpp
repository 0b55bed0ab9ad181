#include "guard/groups/key_cells.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "guard/admission/values.h"
#include "pg/joins.h"
#include "pg/nodes.h"
#include "pg/walk.h"
#include "total_functions/registry.h"

namespace dp::guard {
namespace {

constexpr double kDay = 86'400, kQuarterHour = 900, kHour = 3'600, kMinute = 60;

bool is_whole(Oid type) { return type == INT2OID || type == INT4OID || type == INT8OID || type == DATEOID; }
bool is_moment(Oid type) { return type == TIMESTAMPOID || type == TIMESTAMPTZOID; }

std::int64_t as_whole(Oid type, Datum value) {
  if (type == INT2OID) return DatumGetInt16(value);
  return type == INT4OID || type == DATEOID ? DatumGetInt32(value) : DatumGetInt64(value);
}

Datum from_whole(Oid type, std::int64_t value) {
  if (type == INT2OID) return Int16GetDatum(static_cast<int16>(value));
  return type == INT4OID || type == DATEOID ? Int32GetDatum(static_cast<int32>(value)) : Int64GetDatum(value);
}

double as_real(Oid type, Datum value) {
  if (type == FLOAT4OID) return DatumGetFloat4(value);
  if (type == FLOAT8OID) return DatumGetFloat8(value);
  return DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow, value));
}

Datum from_real(Oid type, double value) {
  if (type == FLOAT4OID) return Float4GetDatum(static_cast<float4>(value));
  if (type == FLOAT8OID) return Float8GetDatum(value);
  return DirectFunctionCall1(float8_numeric, Float8GetDatum(value));
}

// ---- what a key makes of a column -----------------------------------------------------------------------------------

const char* text_constant(Node* node) {
  if (!IsA(node, Const) || castNode(Const, node)->constisnull || castNode(Const, node)->consttype != TEXTOID)
    return nullptr;
  return TextDatumGetCString(castNode(Const, node)->constvalue);
}

double step_of_field(Node* field) {
  const char* const name = text_constant(field);
  if (name == nullptr) return 0;
  constexpr std::string_view kDays[] = {"day",     "dow",  "isodow",  "doy",    "week",    "month",
                                        "quarter", "year", "isoyear", "decade", "century", "millennium"};
  const auto is_name = [name](std::string_view field) { return pg_strcasecmp(field.data(), name) == 0; };
  if (std::any_of(std::begin(kDays), std::end(kDays), is_name)) return kDay;
  if (is_name("hour")) return kHour;
  return is_name("minute") ? kMinute : 0;
}

// The number that a constant is; 0 where it is none.
double real_constant(Node* node) {
  if (!IsA(node, Const) || castNode(Const, node)->constisnull) return 0;
  const auto* const constant = castNode(Const, node);
  if (is_whole(constant->consttype) && constant->consttype != DATEOID) {
    return static_cast<double>(as_whole(constant->consttype, constant->constvalue));
  }
  if (constant->consttype != FLOAT4OID && constant->consttype != FLOAT8OID && constant->consttype != NUMERICOID)
    return 0;
  return as_real(constant->consttype, constant->constvalue);
}

class Reader {
 public:
  explicit Reader(const Var* column) : column_(column), moment_(is_moment(getBaseType(column->vartype))) {}

  // In `step` the largest cells in which the node is constant; false where there are none.
  bool read(Node* node, double step = 0) {
    if (node == nullptr) return true;
    if (IsA(node, Var)) {
      if (!equal(node, column_)) return true;
      if (step <= 0) return false;
      step_ = step_ == 0 ? step : common(step_, step);
      return step_ > 0;
    }
    if (IsA(node, RelabelType)) return read(reinterpret_cast<Node*>(castNode(RelabelType, node)->arg), step);
    const auto [function, arguments] = called_by(node);
    const char* const name = OidIsValid(function) ? name_of(function) : nullptr;
    if (name != nullptr) {
      bool fits = true;
      const double own = moment_ ? step_of_moment(name, arguments, &fits) : step_of_number(name, arguments);
      if (!fits || (step > 0 && strcmp(name, "to_timestamp") == 0)) return false;  // what was it made of?
      return read_all(arguments, std::max(step, own));
    }
    struct Below {
      Reader* reader;
    } below{this};
    return !pg::walk(
        node, [](Node* part, void* context) { return !static_cast<Below*>(context)->reader->read(part); }, &below);
  }

  double step() const { return step_; }
  List* zones() const { return zones_; }
  bool elsewhere() const { return elsewhere_; }

 private:
  // Cells that begin where either begins.
  static double common(double one, double other) {
    const double less = std::min(one, other), more = std::max(one, other);
    return std::fmod(more, less) == 0 ? less : 0;
  }

  static const char* name_of(Oid function) {
    return function < FirstGenbkiObjectId || total::is_total(function) ? get_func_name(function) : nullptr;
  }

  bool read_all(List* nodes, double step) {
    ListCell* cell;
    foreach (cell, nodes) {
      if (!read(static_cast<Node*>(lfirst(cell)), step)) return false;
    }
    return true;
  }

  // The cells of a function of a moment; 0 where its value is a moment again or changes with each. `fits`: what else
  // the function does can be followed.
  double step_of_moment(std::string_view name, List* arguments, bool* fits) {
    auto* const first = static_cast<Node*>(linitial(arguments));
    const int count = list_length(arguments);
    if (name == "date_trunc" || name == "dp_trunc") {
      if (count == 3) add_zone(static_cast<Node*>(lthird(arguments)), fits);
      return step_of_field(first);
    }
    if (name == "extract" || name == "date_part") return step_of_field(first);
    if (name == "date" || name == "dp_try_date") return kDay;
    if (name == "timezone" || name == "at_zone") {
      add_zone(first, fits);
      elsewhere_ = true;
    }
    if (name == "timestamp" || name == "timestamptz" || name == "dp_try_timestamp" || name == "dp_try_timestamptz")
      elsewhere_ = true;
    if (name == "to_char" && count == 2) return step_of_format(static_cast<Node*>(lsecond(arguments)));
    if (name == "floor") return step_of_epoch(first);
    if (name == "date_bin" && count == 3) return step_of_bins(first, static_cast<Node*>(lthird(arguments)));
    if (count == 2 && exprType(static_cast<Node*>(lsecond(arguments))) == INTERVALOID) {
      auto* const span = static_cast<Node*>(lsecond(arguments));
      *fits = IsA(span, Const) && !castNode(Const, span)->constisnull &&
              DatumGetIntervalP(castNode(Const, span)->constvalue)->time == 0;
    }
    return 0;
  }

  void add_zone(Node* zone, bool* fits) {
    char* const name = const_cast<char*>(text_constant(zone));
    *fits = *fits && name != nullptr;
    if (name != nullptr) zones_ = list_append_unique(zones_, makeString(name));
  }

  static double step_of_format(Node* format) {
    const char* const pattern = text_constant(format);
    if (pattern == nullptr) return 0;
    for (const char* fine : {"ss", "ms", "us", "ff"}) {
      if (strcasestr(pattern, fine) != nullptr) return 0;
    }
    if (strcasestr(pattern, "mi") != nullptr) return kMinute;
    const bool hours = strcasestr(pattern, "hh") != nullptr || strcasestr(pattern, "m.") != nullptr ||
                       strcasestr(pattern, "am") != nullptr || strcasestr(pattern, "pm") != nullptr;
    return hours || strcasestr(pattern, "tz") != nullptr || strcasestr(pattern, "of") != nullptr ? kQuarterHour : kDay;
  }

  // date_bin('15 minutes', x, '2000-01-01')
  double step_of_bins(Node* stride, Node* origin) {
    if (!IsA(stride, Const) || castNode(Const, stride)->constisnull || !IsA(origin, Const) ||
        castNode(Const, origin)->constisnull)
      return 0;
    const Interval* const span = DatumGetIntervalP(castNode(Const, stride)->constvalue);
    const std::int64_t width = span->day * USECS_PER_DAY + span->time;
    if (span->month != 0 || width < USECS_PER_SEC || width % USECS_PER_SEC != 0) return 0;
    if (DatumGetTimestamp(castNode(Const, origin)->constvalue) % width != 0) return 0;
    zones_ = list_append_unique(zones_, makeString(pstrdup("UTC")));
    return static_cast<double>(width) / USECS_PER_SEC;
  }

  // floor(extract(epoch from x) / 86400)
  double step_of_epoch(Node* quotient) {
    const auto [function, arguments] = called_by(quotient);
    if (!OidIsValid(function) || list_length(arguments) != 2) return 0;
    const std::string_view name = name_of(function) == nullptr ? "" : name_of(function);
    if (name != "numeric_div" && name != "float8div" && name != "dp_div") return 0;
    Node* dividend = static_cast<Node*>(linitial(arguments));
    const double divisor = real_constant(static_cast<Node*>(lsecond(arguments)));
    for (;;) {  // casts between numbers
      const auto [inner, below] = called_by(dividend);
      const char* const called = OidIsValid(inner) ? name_of(inner) : nullptr;
      if (called == nullptr) return 0;
      if (strcmp(called, "extract") == 0 || strcmp(called, "date_part") == 0) {
        const char* const field = text_constant(static_cast<Node*>(linitial(below)));
        if (field == nullptr || pg_strcasecmp(field, "epoch") != 0) return 0;
        break;
      }
      if (list_length(below) != 1) return 0;
      dividend = static_cast<Node*>(linitial(below));
    }
    if (!(divisor >= kMinute) || std::fmod(divisor, kMinute) != 0) return 0;
    zones_ = list_append_unique(zones_, makeString(pstrdup("UTC")));
    if (std::fmod(divisor, kDay) == 0) return kDay;
    return std::fmod(divisor, kQuarterHour) == 0 ? kQuarterHour : kMinute;
  }

  // Between which multiples a function of one number that rounds it gives the same; 0: it does not round.
  static double rounding(std::string_view name, List* arguments) {
    if (name == "floor" || name == "ceil" || name == "ceiling") return 1;
    if (name == "trunc" && list_length(arguments) == 1) return 1;
    if (name == "dp_bucket") return positive(real_constant(static_cast<Node*>(lsecond(arguments))));
    constexpr std::string_view kToWhole[] = {"int2", "int4", "int8", "try_int2", "try_int4", "try_int8", "dp_try_int"};
    if (std::find(std::begin(kToWhole), std::end(kToWhole), name) != std::end(kToWhole)) return 0.5;
    if (name != "round" && name != "dp_round") return 0;
    if (list_length(arguments) == 1) return 0.5;
    auto* const digits = static_cast<Node*>(lsecond(arguments));
    if (!IsA(digits, Const) || castNode(Const, digits)->constisnull) return 0;
    return 0.5 * std::pow(10, -real_constant(digits));
  }

  // floor(x / 10), round(x, -2), x::int, dp_bucket(x, 10)
  double step_of_number(std::string_view name, List* arguments) const {
    auto* const first = static_cast<Node*>(linitial(arguments));
    const double step = rounding(name, arguments);
    if (is_column(first)) return step;
    const auto [function, parts] = called_by(first);
    if (step == 0 || !OidIsValid(function) || list_length(parts) != 2 || name_of(function) == nullptr) return 0;
    const std::string_view inner = name_of(function);
    const bool divides = inner == "numeric_div" || inner == "float8div" || inner == "dp_div";
    return divides && is_column(static_cast<Node*>(linitial(parts)))
               ? step * positive(real_constant(static_cast<Node*>(lsecond(parts))))
               : 0;
  }

  static double positive(double number) { return number > 0 ? number : 0; }

  // The column, perhaps as a number of another type.
  bool is_column(Node* node) const {
    while (IsA(node, RelabelType)) node = reinterpret_cast<Node*>(castNode(RelabelType, node)->arg);
    if (equal(node, column_)) return true;
    const auto [function, arguments] = called_by(node);
    constexpr std::string_view kCasts[] = {"numeric", "float4", "float8", "int2", "int4", "int8", "dp_try_float"};
    return OidIsValid(function) && list_length(arguments) == 1 && name_of(function) != nullptr &&
           std::find(std::begin(kCasts), std::end(kCasts), name_of(function)) != std::end(kCasts) &&
           is_column(static_cast<Node*>(linitial(arguments)));
  }

  const Var* column_;
  bool moment_;
  double step_ = 0;
  List* zones_ = NIL;
  bool elsewhere_ = false;
};

// Neither infinite nor NaN, as CHECK constraints and conditions may be.
bool is_finite(Oid type, Datum value) {
  if (type == DATEOID) return !DATE_NOT_FINITE(DatumGetDateADT(value));
  if (is_moment(type)) return !TIMESTAMP_NOT_FINITE(DatumGetTimestamp(value));
  return is_whole(type) || std::isfinite(as_real(type, value));
}

// Whether the cells can be told apart and counted: beyond 2^52 steps a double has no neighbour one step away.
bool countable(const Cells& cells) {
  if (!is_finite(cells.type, cells.lower) || !is_finite(cells.type, cells.upper)) return false;
  if (cells.exact) return true;
  if (!std::isfinite(cells.step) || cells.step <= 0) return false;
  if (is_moment(cells.type)) return true;
  constexpr double kMostSteps = 4503599627370496.0;
  return std::fabs(as_real(cells.type, cells.lower)) / cells.step < kMostSteps &&
         std::fabs(as_real(cells.type, cells.upper)) / cells.step < kMostSteps;
}

// ---- conditions -----------------------------------------------------------------------------------------------------

// Cuts the range to what comparisons of the column with constants of its type let through.
void narrow(Cells* cells, const Var* column, List* conditions) {
  const TypeCacheEntry* const type = lookup_type_cache(cells->type, TYPECACHE_CMP_PROC_FINFO);
  const auto is_less = [type](Datum one, Datum other) {
    return DatumGetInt32(FunctionCall2Coll(const_cast<FmgrInfo*>(&type->cmp_proc_finfo), InvalidOid, one, other)) < 0;
  };
  ListCell* cell;
  foreach (cell, conditions) {
    auto* const condition = static_cast<Node*>(lfirst(cell));
    if (IsA(condition, List)) narrow(cells, column, reinterpret_cast<List*>(condition));
    if (is_andclause(condition)) narrow(cells, column, castNode(BoolExpr, condition)->args);
    if (!IsA(condition, OpExpr) || list_length(castNode(OpExpr, condition)->args) != 2) continue;
    auto* left = static_cast<Node*>(linitial(castNode(OpExpr, condition)->args));
    auto* right = static_cast<Node*>(lsecond(castNode(OpExpr, condition)->args));
    const bool mirrored = IsA(left, Const);
    if (mirrored) std::swap(left, right);
    if (!equal(left, column) || !IsA(right, Const)) continue;
    const auto* const constant = castNode(Const, right);
    const int strategy = pg::range_of(castNode(OpExpr, condition)->opno, mirrored);
    if (constant->constisnull || constant->consttype != cells->type || strategy == 0) continue;
    if (!is_finite(cells->type, constant->constvalue)) continue;
    Datum value = constant->constvalue;
    if (strategy >= BTEqualStrategyNumber && is_less(cells->lower, value)) cells->lower = value;
    if (strategy == BTLessStrategyNumber && is_moment(cells->type))
      value = TimestampGetDatum(DatumGetTimestamp(value) - 1);
    if (strategy <= BTEqualStrategyNumber && is_less(value, cells->upper)) cells->upper = value;
  }
}

// ---- points ---------------------------------------------------------------------------------------------------------

Timestamp local(Timestamp moment, const char* zone) {
  if (zone == nullptr)
    return DatumGetTimestamp(DirectFunctionCall1(timestamptz_timestamp, TimestampTzGetDatum(moment)));
  return DatumGetTimestamp(
      DirectFunctionCall2(timestamptz_zone, CStringGetTextDatum(zone), TimestampTzGetDatum(moment)));
}

Timestamp absolute(Timestamp moment, const char* zone) {
  if (zone == nullptr) return DatumGetTimestamp(DirectFunctionCall1(timestamp_timestamptz, TimestampGetDatum(moment)));
  return DatumGetTimestamp(DirectFunctionCall2(timestamp_zone, CStringGetTextDatum(zone), TimestampGetDatum(moment)));
}

// The points, as many as were counted before: a mistake in that is an error and no write beyond the end.
class Points {
 public:
  explicit Points(const Cells& cells)
      : type_(cells.type),
        most_(cells.most()),
        values_(static_cast<Datum*>(palloc_extended(sizeof(Datum) * static_cast<Size>(most_ + 1), MCXT_ALLOC_HUGE))) {}

  std::int64_t most() const { return most_; }
  void add(Datum value) {
    CHECK_FOR_INTERRUPTS();
    if (size_ >= most_) elog(ERROR, "a range has more points than were counted");
    values_[size_++] = value;
  }

  budget::Domain domain() const { return {type_, static_cast<int>(size_), values_}; }

 private:
  Oid type_;
  std::int64_t most_;
  Datum* values_;
  std::int64_t size_ = 0;
};

// What is too many anyway.
constexpr std::int64_t kUncounted = 1'000'000'000'000'000;
std::int64_t whole_number(double number) {
  return number < static_cast<double>(kUncounted) ? static_cast<std::int64_t>(std::max(number, 0.0)) : kUncounted;
}

}  // namespace

std::int64_t Cells::most() const {
  if (exact) {
    std::int64_t last;
    if (__builtin_sub_overflow(as_whole(type, upper), as_whole(type, lower), &last)) return kUncounted;
    return last < kUncounted ? std::max<std::int64_t>(last + 1, 0) : kUncounted;
  }
  if (is_moment(type)) {
    const double span = static_cast<double>(DatumGetTimestamp(upper)) - static_cast<double>(DatumGetTimestamp(lower));
    return whole_number(std::max(span / USECS_PER_SEC, 0.0) / step + 3) * (1 + list_length(zones));
  }
  return whole_number(std::max((as_real(type, upper) - as_real(type, lower)) / step, 0.0) + 3);
}

budget::Domain Cells::points() const {
  Points points(*this);
  if (exact) {
    for (std::int64_t i = 0; i < points.most(); ++i) points.add(from_whole(type, as_whole(type, lower) + i));
    return points.domain();
  }
  if (!is_moment(type)) {
    const double end = as_real(type, upper);
    if (as_real(type, lower) <= end) points.add(lower);
    for (double i = std::floor(as_real(type, lower) / step) + 1; i * step <= end; ++i)
      points.add(from_real(type, i * step));
    // What rounds up may have another value at the end than at the beginning of its cell.
    if (as_real(type, lower) < end) points.add(upper);
    return points.domain();
  }
  const Timestamp first = DatumGetTimestamp(lower), last = DatumGetTimestamp(upper);
  const auto width = static_cast<Timestamp>(step * USECS_PER_SEC);
  if (first <= last) points.add(lower);
  if (first < last) points.add(upper);  // as above: x - '12:00' changes within the day
  // The beginnings of cells after the first, in one zone.
  const auto add = [&](bool days, const char* zone) {
    const Timestamp from = days ? local(first, zone) : first;
    for (Timestamp i = from - ((from % width) + width) % width + width;; i += width) {
      const Timestamp moment = days ? absolute(i, zone) : i;
      if (moment > last) break;
      if (moment > first) points.add(TimestampGetDatum(moment));
    }
  };
  const bool days = type == TIMESTAMPTZOID && step == kDay;
  add(days, nullptr);
  ListCell* cell;
  foreach (cell, zones) add(days, strVal(lfirst(cell)));
  return points.domain();
}

std::optional<Cells> cells_of(Node* key, const Var* column, const budget::ColumnRange& range, List* conditions) {
  Cells cells{range.type, range.lower, range.upper, is_whole(range.type), 1, NIL};
  narrow(&cells, column, conditions);
  if (!countable(cells)) return std::nullopt;
  if (cells.exact) return cells;
  Reader reader(column);
  if (!reader.read(key)) return std::nullopt;
  cells.step = reader.step();
  if (!countable(cells)) return std::nullopt;
  if (!is_moment(range.type)) return cells;
  // Elsewhere hours and days begin at another quarter of an hour.
  if (cells.step == kHour && (range.type == TIMESTAMPTZOID || reader.elsewhere())) cells.step = kQuarterHour;
  if (cells.step == kDay && range.type == TIMESTAMPOID && reader.elsewhere()) cells.step = kQuarterHour;
  if (cells.step == kDay && range.type == TIMESTAMPTZOID) cells.zones = reader.zones();
  return cells;
}

}  // namespace dp::guard
