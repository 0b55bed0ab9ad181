#include "guard/groups/key_steps.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <utility>

#include "guard/admission/values.h"
#include "pg/nodes.h"
#include "pg/walk.h"
#include "total_functions/registry.h"

namespace dp::guard {

bool is_whole(Oid type) { return type == INT2OID || type == INT4OID || type == INT8OID || type == DATEOID; }
bool is_timestamp(Oid type) { return type == TIMESTAMPOID || type == TIMESTAMPTZOID; }

std::int64_t as_whole(Oid type, Datum value) {
  if (type == INT2OID) return DatumGetInt16(value);
  return type == INT4OID || type == DATEOID ? DatumGetInt32(value) : DatumGetInt64(value);
}

double as_real(Oid type, Datum value) {
  if (type == FLOAT4OID) return DatumGetFloat4(value);
  if (type == FLOAT8OID) return DatumGetFloat8(value);
  return DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow, value));
}

bool is_finite(Oid type, Datum value) {
  if (type == DATEOID) return !DATE_NOT_FINITE(DatumGetDateADT(value));
  if (is_timestamp(type)) return !TIMESTAMP_NOT_FINITE(DatumGetTimestamp(value));
  return is_whole(type) || std::isfinite(as_real(type, value));
}

namespace {

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
  explicit Reader(const Var* column) : column_(column), moment_(is_timestamp(getBaseType(column->vartype))) {}

  // In `step` the largest cells in which the node is constant; false where there are none.
  bool read(Node* node, double step = 0) {
    if (node == nullptr) return true;
    if (IsA(node, Var)) {
      if (!equal(node, column_)) return true;
      if (step <= 0) return false;
      ++reads_;
      step_ = step_ == 0 ? step : common(step_, step);
      return step_ > 0;
    }
    if (IsA(node, RelabelType)) return read(reinterpret_cast<Node*>(castNode(RelabelType, node)->arg), step);
    const auto [function, arguments] = called_by(node);
    const char* const name = OidIsValid(function) ? name_of(function) : nullptr;
    if (name != nullptr) {
      if (!moment_) return read_all(arguments, std::max(step, step_of_number(name, arguments)));
      bool fits = true;
      const double own = step_of_moment(name, arguments, step > 0, &fits);
      if (!fits) return false;
      if (epoch_ != nullptr) return read(std::exchange(epoch_, nullptr), own);
      if (own > 0) return read_all(arguments, within(step, own));
      // What is made of a number, of a text or of another span changes elsewhere.
      if (step > 0 && !passes_cells(exprType(node), arguments)) return false;
      return read_all(arguments, step);
    }
    struct Below {
      Reader* reader;
    } below{this};
    return !pg::walk(
        node, [](Node* part, void* context) { return !static_cast<Below*>(context)->reader->read(part); }, &below);
  }

  double step() const { return finest_ == 0 ? step_ : common(step_, finest_); }

  // Whether cells of several kinds overlap, of which no point tells what they make together.
  bool overlap() const { return shifted_ && reads_ > 1; }
  List* zones() const { return zones_; }
  bool elsewhere() const { return elsewhere_; }

 private:
  // Cells that begin where either begins.
  static double common(double one, double other) {
    const double less = std::min(one, other), more = std::max(one, other);
    return std::fmod(more, less) == 0 ? less : 0;
  }

  // The cells of what rounds to `outer` after it was rounded to `inner`: days of hours begin with days.
  static double within(double outer, double inner) {
    return outer <= kDay && std::fmod(outer, inner) == 0 ? std::max(outer, inner) : inner;
  }

  static bool shows_clock(Oid type) {
    return is_timestamp(type) || type == TIMEOID || type == TIMETZOID || type == DATEOID;
  }

  // Whether what is constant within cells of a function's value is so within those of its arguments. A span of time
  // since a moment changes when the clock shows that moment's time: cells are as small as that needs. Where it is not
  // known the cells are as long, but begin elsewhere: each has the beginning of one of ours, or an end of the range.
  bool passes_cells(Oid type, List* arguments) {
    if (type != INTERVALOID) return shows_clock(type);
    ListCell* cell;
    foreach (cell, arguments) {
      auto* const argument = static_cast<Node*>(lfirst(cell));
      const Oid its = exprType(argument);
      if (!shows_clock(its) || its == TIMETZOID) return false;
      if (its == TIMESTAMPTZOID) limit(kQuarterHour);  // days since then are 24 hours long
      if (reads_column(argument) || its == DATEOID) continue;
      const auto [function, parts] = called_by(argument);
      if (OidIsValid(function) && list_length(parts) == 1 && exprType(static_cast<Node*>(linitial(parts))) == DATEOID)
        continue;
      const bool known = IsA(argument, Const) && !castNode(Const, argument)->constisnull;
      const std::int64_t time = known ? DatumGetInt64(castNode(Const, argument)->constvalue) % USECS_PER_DAY : 0;
      if (!known || time % USECS_PER_MINUTE != 0) {
        shifted_ = true;
      } else if (time != 0) {
        limit(time % (15 * USECS_PER_MINUTE) == 0 ? kQuarterHour : kMinute);
      }
    }
    return true;
  }

  void limit(double step) { finest_ = finest_ == 0 ? step : std::min(finest_, step); }

  bool reads_column(Node* node) const { return list_member(pull_var_clause(node, 0), column_); }

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
  // the function does can be followed, where what is around it is `rounded`.
  double step_of_moment(std::string_view name, List* arguments, bool rounded, bool* fits) {
    auto* const first = static_cast<Node*>(linitial(arguments));
    const int count = list_length(arguments);
    if (name == "date_trunc" || name == "dp_trunc") {
      if (count == 3) add_zone(static_cast<Node*>(lthird(arguments)), fits);
      const char* const field = text_constant(first);
      // Its part is no whole number: extract(second FROM x).
      return field != nullptr && pg_strcasecmp(field, "second") == 0 ? kSecond : step_of_field(first);
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
    if (name == "date_bin" && count == 3) {
      const double bins = step_of_bins(first, static_cast<Node*>(lthird(arguments)));
      *fits = bins > 0;
      return bins;
    }
    if (rounded && count == 2 && exprType(static_cast<Node*>(lsecond(arguments))) == INTERVALOID) {
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

  // date_bin('7 days', x, '2024-01-01'): bins begin at the origin and whole widths from it, cells at what divides both.
  double step_of_bins(Node* stride, Node* origin) {
    if (!IsA(stride, Const) || castNode(Const, stride)->constisnull || !IsA(origin, Const) ||
        castNode(Const, origin)->constisnull)
      return 0;
    const Interval* const span = DatumGetIntervalP(castNode(Const, stride)->constvalue);
    const std::int64_t width = span->day * USECS_PER_DAY + span->time;
    if (span->month != 0 || width < USECS_PER_SEC) return 0;
    const std::int64_t cell = std::gcd(width, DatumGetTimestamp(castNode(Const, origin)->constvalue));
    if (cell % USECS_PER_SEC != 0) return 0;
    zones_ = list_append_unique(zones_, makeString(pstrdup("UTC")));
    return static_cast<double>(cell) / USECS_PER_SEC;
  }

  // floor(extract(epoch from x) / 86400), where x becomes `epoch_`.
  double step_of_epoch(Node* quotient) {
    const auto [function, arguments] = called_by(quotient);
    if (!OidIsValid(function) || list_length(arguments) != 2) return 0;
    const std::string_view name = name_of(function) == nullptr ? "" : name_of(function);
    if (name != "numeric_div" && name != "float8div" && name != "dp_div") return 0;
    Node* dividend = static_cast<Node*>(linitial(arguments));
    const double divisor = real_constant(static_cast<Node*>(lsecond(arguments)));
    Node* epoch = nullptr;
    for (;;) {  // casts between numbers
      const auto [inner, below] = called_by(dividend);
      const char* const called = OidIsValid(inner) ? name_of(inner) : nullptr;
      if (called == nullptr) return 0;
      if (strcmp(called, "extract") == 0 || strcmp(called, "date_part") == 0) {
        const char* const field = text_constant(static_cast<Node*>(linitial(below)));
        if (field == nullptr || pg_strcasecmp(field, "epoch") != 0) return 0;
        epoch = static_cast<Node*>(lsecond(below));
        break;
      }
      if (list_length(below) != 1 || !is_cast(called)) return 0;
      dividend = static_cast<Node*>(linitial(below));
    }
    if (!(divisor >= kMinute) || std::fmod(divisor, kMinute) != 0) return 0;
    epoch_ = epoch;
    zones_ = list_append_unique(zones_, makeString(pstrdup("UTC")));
    if (std::fmod(divisor, kDay) == 0) return kDay;
    return std::fmod(divisor, kQuarterHour) == 0 ? kQuarterHour : kMinute;
  }

  // A width beyond all ranges: cells begin at 0 alone.
  static constexpr double kWhole = 1e8;

  // Between which multiples a function of one number that rounds it gives the same; 0: it does not round.
  static double rounding(std::string_view name, List* arguments) {
    if (name == "floor" || name == "ceil" || name == "ceiling") return 1;
    if (name == "trunc" && list_length(arguments) == 1) return 1;
    if (name == "sign") return kWhole;
    if (name == "div" || name == "numeric_div_trunc" || name == "div_trunc")
      return positive(real_constant(static_cast<Node*>(lsecond(arguments))));
    if (name == "dp_bucket") return positive(real_constant(static_cast<Node*>(lsecond(arguments))));
    constexpr std::string_view kToWhole[] = {"int2", "int4", "int8", "try_int2", "try_int4", "try_int8", "dp_try_int"};
    if (std::find(std::begin(kToWhole), std::end(kToWhole), name) != std::end(kToWhole)) return 0.5;
    const bool cuts = name == "trunc";
    if (!cuts && name != "round" && name != "dp_round") return 0;
    if (list_length(arguments) == 1) return 0.5;
    auto* const digits = static_cast<Node*>(lsecond(arguments));
    if (!IsA(digits, Const) || castNode(Const, digits)->constisnull) return 0;
    return (cuts ? 1 : 0.5) * std::pow(10, -real_constant(digits));
  }

  // A calculation with a constant, which stands on the right; nothing for others.
  struct Calculation {
    std::string_view name;
    Node* number;
    double constant;

    template <std::size_t size>
    bool is_one_of(const std::string_view (&names)[size]) const {
      return std::find(std::begin(names), std::end(names), name) != std::end(names);
    }
  };

  static std::optional<Calculation> calculation(Node* node) {
    const auto [function, parts] = called_by(node);
    if (!OidIsValid(function) || list_length(parts) != 2 || name_of(function) == nullptr) return std::nullopt;
    auto* const right = static_cast<Node*>(lsecond(parts));
    if (!IsA(right, Const) || castNode(Const, right)->constisnull) return std::nullopt;
    return Calculation{name_of(function), static_cast<Node*>(linitial(parts)), real_constant(right)};
  }

  // floor(x / 10), floor((x - 20) / 10), floor(x * 4), round(x, -2), x::int, dp_bucket(x, 10)
  double step_of_number(std::string_view name, List* arguments) const {
    constexpr std::string_view kDivisions[] = {"numeric_div", "float8div", "dp_div"},
                               kProducts[] = {"numeric_mul", "float8mul", "dp_mul"},
                               kShifts[] = {"numeric_sub", "float8mi", "dp_sub", "numeric_add", "float8pl", "dp_add"};
    double step = rounding(name, arguments);
    if (step == 0) return 0;
    auto* number = without_sign(static_cast<Node*>(linitial(arguments)));
    while (const auto made = calculation(number)) {
      const bool divides = made->is_one_of(kDivisions), shifts = made->is_one_of(kShifts);
      if (!shifts && (!(made->constant > 0) || (!divides && !made->is_one_of(kProducts)))) break;
      step = shifts    ? dividing(step, std::fabs(made->constant))
             : divides ? step * made->constant
                       : step / made->constant;
      number = shifts ? made->number : without_sign(made->number);
    }
    return is_column(number) ? step : 0;
  }

  // What abs() is of: cells on both sides of 0 mirror each other, as long as nothing was added.
  static Node* without_sign(Node* node) {
    const auto [function, arguments] = called_by(node);
    const bool is_abs = OidIsValid(function) && list_length(arguments) == 1 && name_of(function) != nullptr &&
                        strcmp(name_of(function), "abs") == 0;
    return is_abs ? static_cast<Node*>(linitial(arguments)) : node;
  }

  // What both are multiples of, in millionths; 0 where they are none of these.
  static double dividing(double step, double shift) {
    constexpr double kMillion = 1e6, kMost = 1e15;
    const double whole = std::round(step * kMillion), by = std::round(shift * kMillion);
    const auto close = [](double exact, double rounded) {
      return std::fabs(exact - rounded) < 1e-6 * std::fabs(exact);
    };
    if (shift == 0) return step;
    if (!(whole < kMost && by < kMost) || !close(step * kMillion, whole) || !close(shift * kMillion, by)) return 0;
    return static_cast<double>(std::gcd(static_cast<std::int64_t>(whole), static_cast<std::int64_t>(by))) / kMillion;
  }

  static double positive(double number) { return number > 0 ? number : 0; }

  // The column, perhaps as a number of another type that is not whole.
  bool is_column(Node* node) const {
    while (IsA(node, RelabelType)) node = reinterpret_cast<Node*>(castNode(RelabelType, node)->arg);
    if (equal(node, column_)) return true;
    const auto [function, arguments] = called_by(node);
    return OidIsValid(function) && list_length(arguments) == 1 && name_of(function) != nullptr &&
           is_cast(name_of(function)) && is_column(static_cast<Node*>(linitial(arguments)));
  }

  // To a type of numbers that are not whole.
  static bool is_cast(std::string_view name) {
    constexpr std::string_view kCasts[] = {"numeric", "float4", "float8", "dp_try_float"};
    return std::find(std::begin(kCasts), std::end(kCasts), name) != std::end(kCasts);
  }

  const Var* column_;
  bool moment_;
  double step_ = 0;
  int reads_ = 0;          // of the column
  bool shifted_ = false;   // a span since a moment of unknown time is read
  double finest_ = 0;      // no cells may be larger; 0: they may
  Node* epoch_ = nullptr;  // the moment whose seconds are rounded, until it is read
  List* zones_ = NIL;
  bool elsewhere_ = false;
};

}  // namespace

bool reads_alone(Node* expression, const Var* column) {
  List* const columns = pull_var_clause(expression, 0);
  ListCell* cell;
  foreach (cell, columns) {
    if (!equal(lfirst(cell), column)) return false;
  }
  return columns != NIL;
}

std::optional<KeySteps> steps_of_key(Node* key, const Var* column) {
  Reader reader(column);
  if (!reader.read(key) || reader.overlap()) return std::nullopt;
  return KeySteps{reader.step(), reader.zones(), reader.elsewhere()};
}

List* conditions_with_steps(Node* key, const Var* column, List* conditions) {
  List* found = NIL;
  ListCell* cell;
  foreach (cell, conditions) {
    List* const more = lappend(list_copy(found), lfirst(cell));
    if (reads_alone(static_cast<Node*>(lfirst(cell)), column) &&
        steps_of_key(reinterpret_cast<Node*>(list_make2(key, more)), column))
      found = more;
  }
  return found;
}

}  // namespace dp::guard
