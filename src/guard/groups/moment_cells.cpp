#include "guard/groups/moment_cells.h"

#include <algorithm>
#include <utility>

#include "guard/admission/values.h"
#include "guard/facts/courses.h"
#include "guard/facts/form.h"
#include "guard/functions/calls.h"
#include "guard/functions/moment_fields.h"
#include "guard/groups/key_steps.h"
#include "pg/nodes.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

constexpr std::int64_t kDay = USECS_PER_DAY, kMonth = 31 * kDay, kYear = 366 * kDay;

const Const* constant(Node* node) {
  return IsA(node, Const) && !castNode(Const, node)->constisnull ? castNode(Const, node) : nullptr;
}

const char* text_constant(Node* node) {
  const Const* const known = constant(node);
  return known != nullptr && known->consttype == TEXTOID ? TextDatumGetCString(known->constvalue) : nullptr;
}

const Interval* span_constant(Node* node) {
  const Const* const span = constant(node);
  return span != nullptr && span->consttype == INTERVALOID ? DatumGetIntervalP(span->constvalue) : nullptr;
}

Node* span_of(std::int32_t months, std::int32_t days, std::int64_t time) {
  auto* const span = static_cast<Interval*>(palloc0(sizeof(Interval)));
  span->month = months;
  span->day = days;
  span->time = time;
  return reinterpret_cast<Node*>(
      makeConst(INTERVALOID, -1, InvalidOid, sizeof(Interval), IntervalPGetDatum(span), false, false));
}

// Of the number that it shows; 0: between no multiples of a step that is the same.
std::int64_t step_of_part(const Node* written) {
  const MomentField* const field = field_of(written);
  return field != nullptr && field->whole ? field->step : 0;
}

std::int64_t step_of_truncation(const Node* written) {
  const MomentField* const field = field_of(written);
  return field == nullptr ? 0 : field->step;
}

std::int64_t step_of_format(Node* format) {
  const char* const pattern = text_constant(format);
  if (pattern == nullptr) return 0;
  const auto has = [pattern](auto... parts) { return ((strcasestr(pattern, parts) != nullptr) || ...); };
  if (has("ss", "ms", "us", "ff")) return 0;
  if (has("mi")) return USECS_PER_MINUTE;
  return has("hh", "m.", "am", "pm", "tz", "of") ? USECS_PER_HOUR : kDay;
}

bool shows_clock(Oid type) { return is_moment(type) || type == TIMEOID; }

class Reader {
 public:
  explicit Reader(const Var* column) : column_(column) {}

  // Whether the node is constant in cells, if what is done to it is so in `within`.
  bool read(Node* node, const MomentCells& within = {}) {
    if (node == nullptr) return true;
    if (IsA(node, Var)) {
      if (!equal(node, column_)) return true;
      if (within.step <= 0) return false;
      ++reads_;
      cells_ = lappend(cells_, within.as_list());
      return true;
    }
    const Expression expression = taken_apart(node);
    if (expression.form == Form::same && !expression.or_null)
      return read(static_cast<Node*>(linitial(expression.parts)), within);
    const Meaning meaning = expression.form == Form::call ? meaning_of(expression.function) : Meaning::none;
    if (meaning != Meaning::none && expression.parts != NIL) return read_call(node, meaning, expression.parts, within);
    struct Below {
      Reader* reader;
    } below{this};
    return !pg::walk(
        node, [](Node* part, void* context) { return !static_cast<Below*>(context)->reader->read(part); }, &below);
  }

  // Whether cells of several kinds overlap, of which no point tells what they make together.
  bool overlap() const { return shifted_ && reads_ > 1; }
  List* cells() const { return cells_; }

 private:
  bool read_all(List* nodes) {
    ListCell* cell;
    foreach (cell, nodes) {
      if (!read(static_cast<Node*>(lfirst(cell)))) return false;
    }
    return true;
  }

  bool read_call(Node* node, Meaning meaning, List* arguments, const MomentCells& within) {
    auto* const first = static_cast<Node*>(linitial(arguments));
    auto* const second = list_length(arguments) > 1 ? static_cast<Node*>(lsecond(arguments)) : nullptr;
    auto* const third = list_length(arguments) > 2 ? static_cast<Node*>(lthird(arguments)) : nullptr;
    const Oid type = exprType(node);
    const bool passes = within.step != 0;
    if (Node* const seconds = seconds_in(first)) {
      if (const MomentCells epoch = cells_of_seconds(node, first, seconds); epoch.step != 0)
        return read(static_cast<Node*>(lsecond(computation_of(seconds).arguments)), epoch);
    }
    switch (meaning) {
      case Meaning::date_trunc: {
        const char* const zone = third == nullptr ? nullptr : text_constant(third);
        if (third != nullptr && zone == nullptr) return read_all(arguments);
        return read_rounded(second, step_of_truncation(first), zone, within, type);
      }
      case Meaning::extract:
        return read_rounded(second, step_of_part(first), nullptr, {});
      case Meaning::to_char:
        return read_rounded(first, step_of_format(second), nullptr, {});
      case Meaning::date_bin:
        return third == nullptr ? read_all(arguments) : read_bins(first, second, third);
      case Meaning::cast:
        if (type == DATEOID && second == nullptr) return read_rounded(first, kDay, nullptr, within, DATEOID);
        [[fallthrough]];
      // What follows passes a moment on, to what rounds it.
      case Meaning::time_of_day:
        return passes && second == nullptr && shows_clock(type) ? read_as(type, first, within) : read_all(arguments);
      case Meaning::timezone:
        return passes ? read_in_zone(second, text_constant(first), within) : read_all(arguments);
      case Meaning::age:
        return passes ? read_span(true, arguments, within) : read_all(arguments);
      case Meaning::plus:
      case Meaning::minus:
        if (!passes || second == nullptr) return read_all(arguments);
        return type == INTERVALOID ? read_span(false, arguments, within)
                                   : read_sum(meaning == Meaning::minus ? -1 : 1, arguments, within);
      default:
        return read_all(arguments);
    }
  }

  bool read_sum(int sign, List* arguments, const MomentCells& within) {
    auto* const first = static_cast<Node*>(linitial(arguments));
    auto* const second = static_cast<Node*>(lsecond(arguments));
    if (shows_clock(exprType(first)) && span_constant(second) != nullptr)
      return read_moved(first, *span_constant(second), sign, within);
    if (shows_clock(exprType(second)) && span_constant(first) != nullptr)
      return read_moved(second, *span_constant(first), sign, within);
    return read_all(arguments);
  }

  static MomentCells through(List* conversions, MomentCells within) {
    within.clock = list_concat_copy(conversions, within.clock);
    return within;
  }

  // What is rounded to a multiple of that on a zone's clock, and then within those cells. What rounds to days after
  // hours changes where days begin.
  bool read_rounded(Node* moment, std::int64_t step, const char* zone, const MomentCells& within,
                    Oid type = InvalidOid) {
    const Oid of = exprType(moment);
    if (step == 0 || (!shows_clock(of) && of != TIMETZOID && of != INTERVALOID)) return read(moment);
    MomentCells own{of == TIMESTAMPTZOID ? list_make1(to_clock(zone)) : NIL, step};
    const bool coarser = is_moment(type) && within.step > step && within.step % step == 0 &&
                         within.origin % step == 0 && within.reach < 0 && within.begins == 0 &&
                         equal(within.clock, own.clock);
    if (coarser) {
      own = within;
      if (own.clock != NIL) own.begins = step;
    }
    return read(moment, own);
  }

  bool read_in_zone(Node* moment, const char* zone, const MomentCells& within) {
    const Oid type = exprType(moment);
    if (zone == nullptr || !is_timestamp(type)) return read(moment);
    return read(moment, through(list_make1(type == TIMESTAMPTZOID ? to_clock(zone) : from_clock(zone)), within));
  }

  bool read_as(Oid type, Node* moment, const MomentCells& within) {
    const Oid from = exprType(moment);
    if (!shows_clock(from)) return read(moment);
    const bool zoned = from == TIMESTAMPTZOID, zones = type == TIMESTAMPTZOID;
    if (zoned == zones) return read(moment, within);
    return read(moment, through(list_make1(zones ? from_clock(nullptr) : to_clock(nullptr)), within));
  }

  bool read_moved(Node* moment, const Interval& span, int sign, const MomentCells& within) {
    const Oid type = exprType(moment);
    if (!is_short(span) || (type == TIMEOID && span.time != 0)) return read(moment);
    List* conversions = NIL;
    if (span.month != 0 || span.day != 0) {
      conversions = list_make1(span_of(sign * span.month, sign * span.day, 0));
      if (type == TIMESTAMPTZOID)
        conversions = list_make3(to_clock(nullptr), linitial(conversions), from_clock(nullptr));
    }
    if (span.time != 0) conversions = lappend(conversions, span_of(0, 0, sign * span.time));
    return read(moment, through(conversions, within));
  }

  // As far moments of any range may be moved.
  static bool is_short(const Interval& span) {
    constexpr std::int64_t kFurthest = 100 * kYear;
    return std::abs(span.month * kMonth) < kFurthest && std::abs(span.day * kDay) < kFurthest &&
           span.time > -kFurthest && span.time < kFurthest;
  }

  // date_bin('7 days', x, '2024-01-01'): bins begin at the origin and whole widths from it. Before it a moment at
  // which one begins may be counted to the one before, as older servers do.
  bool read_bins(Node* stride, Node* moment, Node* origin) {
    const Interval* const span = span_constant(stride);
    const Const* const from = constant(origin);
    if (span == nullptr || from == nullptr || span->month != 0 || span->day > 1'000'000 || span->day < 0)
      return read(moment);
    MomentCells own;
    if (__builtin_add_overflow(span->day * kDay, span->time, &own.step) || own.step <= 0) return read(moment);
    own.origin = DatumGetTimestamp(from->constvalue) % own.step;
    own.closed = true;
    return read(moment, own);
  }

  // A span of time since a moment changes when the clock shows that moment's time, and is rounded up before it.
  bool read_span(bool by_clock, List* arguments, MomentCells within) {
    ListCell* cell;
    int reading = 0;
    std::int64_t reach = -1;
    bool zoned = false;
    foreach (cell, arguments) {
      auto* const argument = static_cast<Node*>(lfirst(cell));
      if (!shows_clock(exprType(argument)) || within.origin != 0 || within.clock != NIL) return read_all(arguments);
      const bool reads = reads_column(argument);
      reading += reads;
      zoned = zoned || exprType(argument) == TIMESTAMPTZOID;
      if (reads) reach = std::max(reach, reach_of(argument, within.step));
    }
    within.closed = true;
    if (reading > 1 && zoned) within.reach = reach;
    foreach (cell, arguments) {
      auto* const argument = static_cast<Node*>(lfirst(cell));
      if (!reads_column(argument)) since(argument, by_clock, &within);
    }
    foreach (cell, arguments) {
      auto* const argument = static_cast<Node*>(lfirst(cell));
      MomentCells own = within;
      // The difference of two moments of which neither is rounded changes where clocks are changed, or months end,
      // alone.
      const bool apart = reading > 1 && reach < 0;
      if (apart) own.step = kDay;
      if (exprType(argument) == TIMESTAMPTZOID && (by_clock || apart)) own.clock = list_make1(to_clock(nullptr));
      if (!read(argument, reach_of(argument, within.step) >= 0 ? MomentCells{} : own)) return false;
    }
    return true;
  }

  // The moment that another is compared with. Where it is not known the cells are as long, but begin elsewhere: each
  // has the beginning of one of ours, or an end of the range.
  void since(Node* moment, bool by_clock, MomentCells* within) {
    const Oid type = exprType(moment);
    List* const parts = called_by(moment).arguments;
    const bool is_day =
        type == DATEOID || (list_length(parts) == 1 && exprType(static_cast<Node*>(linitial(parts))) == DATEOID);
    if (const Const* const known = constant(moment); known != nullptr && type != DATEOID) {
      within->origin = DatumGetInt64(known->constvalue);
      within->local_origin = by_clock && type == TIMESTAMPTZOID;
    } else if (!is_day) {
      shifted_ = true;
    } else if (type == TIMESTAMPTZOID) {
      within->reach = 50 * kYear;  // whatever day it is
    }
  }

  // If all of its values are multiples of the step on a clock: how far they may be from the moment that it reads, else
  // -1.
  static std::int64_t reach_of(Node* node, std::int64_t step) {
    const auto [meaning, arguments] = computation_of(node);
    if (meaning == Meaning::none || arguments == NIL) return -1;
    auto* const first = static_cast<Node*>(linitial(arguments));
    if (meaning == Meaning::date_trunc) {
      const MomentField* const field = field_of(first);
      const std::int64_t own = field == nullptr ? 0 : field->step;
      return own > 0 && (own % step == 0 || step % own == 0) ? std::max(field->longest, kDay) : -1;
    }
    if (meaning == Meaning::cast && exprType(node) == DATEOID) return kDay % step == 0 ? kDay : -1;
    if (meaning == Meaning::timezone) return reach_of(static_cast<Node*>(lsecond(arguments)), step);
    const std::int64_t below = reach_of(first, step);
    if (list_length(arguments) == 1 || below < 0) return below;
    const Interval* const span = span_constant(static_cast<Node*>(lsecond(arguments)));
    if (span == nullptr || span->time % step != 0 || !is_short(*span)) return -1;
    return below + std::abs(span->month * kMonth) + std::abs(span->day * kDay) + std::abs(span->time);
  }

  bool reads_column(Node* node) const { return list_member(pull_var_clause(node, 0), column_); }

  // The extract(epoch from x) in an expression of numbers.
  static Node* seconds_in(Node* number) {
    Node* found = nullptr;
    find_seconds(number, &found);
    return found;
  }

  static bool find_seconds(Node* node, void* found) {
    if (node == nullptr) return false;
    const auto [meaning, arguments] = computation_of(node);
    const MomentField* const field =
        meaning == Meaning::extract ? field_of(static_cast<Node*>(linitial(arguments))) : nullptr;
    if (field == nullptr || field->field != Field::epoch) return pg::walk(node, find_seconds, found);
    *static_cast<Node**>(found) = node;
    return true;
  }

  // floor(extract(epoch from x) / 86400), round(extract(epoch from x) / 3600): where what the node makes of the number
  // changes at multiples of so many seconds.
  static MomentCells cells_of_seconds(Node* node, Node* number, Node* seconds) {
    MomentCells cells;
    if (course_over(number, seconds).varies != bounds::Varies::in_line) return cells;
    const bounds::Course course = course_over(node, seconds);
    constexpr std::int64_t kLongest = 1'000'000'000'000;
    if (course.varies != bounds::Varies::in_steps || course.width.under != 1 || course.width.over > kLongest)
      return cells;
    constexpr std::int64_t kEpoch = -std::int64_t{POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE} * USECS_PER_DAY;
    cells.step = static_cast<std::int64_t>(course.width.over) * USECS_PER_SEC;
    cells.origin = is_moment(exprType(static_cast<Node*>(lsecond(computation_of(seconds).arguments)))) ? kEpoch : 0;
    cells.closed = !course.rises || computation_of(node).meaning != Meaning::floor;
    cells.blurred = true;
    return cells;
  }

  const Var* column_;
  List* cells_ = NIL;
  int reads_ = 0;         // of the column
  bool shifted_ = false;  // a span since a moment of unknown time is read
};

Node* conversion(const char* way, const char* zone) {
  return reinterpret_cast<Node*>(makeString(psprintf("%s%s", way, zone == nullptr ? "" : zone)));
}

}  // namespace

Node* to_clock(const char* zone) { return conversion(">", zone); }
Node* from_clock(const char* zone) { return conversion("<", zone); }

List* MomentCells::as_list() const {
  const int flags = local_origin | closed << 1 | blurred << 2;
  return lappend(list_make5(clock, pg::int8_constant(step), pg::int8_constant(origin), pg::int8_constant(begins),
                            pg::int8_constant(reach)),
                 makeInteger(flags));
}

MomentCells MomentCells::of(const List* list) {
  const auto number = [list](int i) { return DatumGetInt64(castNode(Const, list_nth(list, i))->constvalue); };
  const int flags = intVal(list_nth(list, 5));
  return {static_cast<List*>(linitial(list)),
          number(1),
          number(2),
          (flags & 1) != 0,
          (flags & 2) != 0,
          (flags & 4) != 0,
          number(3),
          number(4)};
}

std::optional<List*> moment_cells_of(Node* key, const Var* column) {
  Reader reader(column);
  if (!reader.read(key) || reader.overlap()) return std::nullopt;
  return reader.cells();
}

}  // namespace dp::guard
