#include "guard/groups/rising.h"

#include <algorithm>

#include "core/bounds/course.h"
#include "guard/admission/values.h"
#include "guard/facts/courses.h"
#include "guard/facts/form.h"
#include "guard/facts/number_values.h"
#include "guard/functions/moment_fields.h"
#include "guard/groups/key_steps.h"

namespace dp::guard {
namespace {

// A time zone may be written with any two offsets up to a week from each other.
constexpr std::int64_t kFarthestOffsets = std::int64_t{16} * USECS_PER_DAY;

// The last days of a month become one day of a shorter month, at their own times: 4 days and a cut to a day.
constexpr std::int64_t kMonths = std::int64_t{6} * USECS_PER_DAY;

// How much the offset of the zone changes between two moments, in microseconds.
std::int64_t swing_between(const pg_tz* zone, pg_time_t from, pg_time_t to) {
  long least = 0, most = 0;
  bool any = false;
  const auto add = [&](long offset) {
    least = any ? std::min(least, offset) : offset;
    most = any ? std::max(most, offset) : offset;
    any = true;
  };
  while (from <= to) {
    CHECK_FOR_INTERRUPTS();
    long before, after;
    int before_is_dst, after_is_dst;
    pg_time_t boundary;
    const int found = pg_next_dst_boundary(&from, &before, &before_is_dst, &boundary, &after, &after_is_dst, zone);
    if (found < 0) return kFarthestOffsets;
    add(before);
    if (found == 0 || boundary > to) break;
    add(after);
    from = std::max(boundary, from + 1);
  }
  return (most - least) * USECS_PER_SEC;
}

class Reader {
 public:
  explicit Reader(std::int64_t near) : near_(near) {}

  // Of what a comparison with a value of that type makes of the node, which becomes a moment of the session's time zone
  // where the value is one.
  Rise rise(Node* node, Oid other) {
    const int direction = direction_of(node);
    const Oid own = exprType(node);
    const bool becomes = other == TIMESTAMPTZOID && is_moment(own) && own != TIMESTAMPTZOID;
    return {direction != 0 && becomes && !through_zone(nullptr) ? 0 : direction, margin_};
  }

 private:
  // In the session's time zone, or in that of the name. `zone`: TEXTOID constant, or nullptr.
  bool through_zone(Node* zone) {
    pg_tz* known = session_timezone;
    if (zone != nullptr) {
      const char* const name = text_of(zone);
      known = name == nullptr ? nullptr : pg_tzset(name);
    }
    if (known == nullptr) return false;
    if (!moved_ && !cut_) {
      margin_ += swing_between(known, seconds(near_ - kFarthestOffsets), seconds(near_ + kFarthestOffsets));
      return true;
    }
    // Elsewhere: whatever the zone ever did. Beginnings of days keep their order where that is less than a day.
    const std::int64_t ever = swing_between(known, seconds(MIN_TIMESTAMP), seconds(END_TIMESTAMP - 1));
    if (moved_)
      margin_ += ever + (cut_ ? USECS_PER_DAY : 0);
    else if (ever >= USECS_PER_DAY)
      margin_ += ever + USECS_PER_DAY;
    return true;
  }

  static pg_time_t seconds(std::int64_t moment) {
    return timestamptz_to_time_t(std::clamp<std::int64_t>(moment, MIN_TIMESTAMP, END_TIMESTAMP - 1));
  }

  // The one argument that reads rows, from 0; -1 where there is none, or several.
  static int reading(List* arguments) {
    int found = -1;
    ListCell* cell;
    foreach (cell, arguments) {
      if (!contain_var_clause(static_cast<Node*>(lfirst(cell)))) continue;
      if (found >= 0) return -1;
      found = foreach_current_index(cell);
    }
    return found;
  }

  int direction_of(Node* node) {
    check_stack_depth();
    if (IsA(node, Var)) return 1;
    const Expression expression = taken_apart(node);
    if (expression.form == Form::same && !expression.or_null)
      return direction_of(static_cast<Node*>(linitial(expression.parts)));
    const Meaning meaning = expression.form == Form::call ? meaning_of(expression.function) : Meaning::none;
    const int place = reading(expression.parts);
    if (meaning == Meaning::none || place < 0) return 0;
    const int direction = direction_of(static_cast<Node*>(list_nth(expression.parts, place)));
    return direction == 0 ? 0 : direction * step(meaning, node, expression.parts, place);
  }

  // What the function does with that argument, which has been looked at.
  int step(Meaning meaning, Node* node, List* arguments, int place) {
    auto* const argument = static_cast<Node*>(list_nth(arguments, place));
    const Oid from = exprType(argument), to = exprType(node);
    auto* const other = list_length(arguments) == 2 ? static_cast<Node*>(list_nth(arguments, 1 - place)) : nullptr;
    if (meaning == Meaning::date_trunc) {
      auto* const zone = list_length(arguments) == 3 ? static_cast<Node*>(lthird(arguments)) : nullptr;
      return place == 1 ? truncated(static_cast<Node*>(linitial(arguments)), from, zone) : 0;
    }
    if (meaning == Meaning::timezone) return place == 1 && through_zone(other) ? 1 : 0;
    if (meaning == Meaning::extract) return place == 1 && other != nullptr ? part(other, from) : 0;
    if (is_moment(from) && is_moment(to)) {
      if (list_length(arguments) == 1) return meaning == Meaning::cast ? cast(from, to) : 0;
      if (other == nullptr) return 0;
      return meaning == Meaning::plus || (meaning == Meaning::minus && place == 0) ? shift(from, other) : 0;
    }
    if (is_moment(from) && other != nullptr && is_moment(exprType(other)))
      return meaning == Meaning::minus ? 1 - 2 * place : 0;
    if (!is_number(from) || !is_number(to)) return 0;
    if (list_length(arguments) == 1) return bounds::direction_of(meaning);
    return other != nullptr && is_finite_number(other) ? bounds::direction_of(meaning, real_constant(other), place == 1)
                                                       : 0;
  }

  int cut() {
    cut_ = true;
    return 1;
  }

  // To the beginning of a day or of something larger, or of something smaller: that begins elsewhere within an hour
  // after the offset has changed.
  int truncated(Node* field, Oid from, Node* zone) {
    const MomentField* const unit = field_of(field);
    if (unit == nullptr) return 0;
    const bool in_zone = from == TIMESTAMPTZOID;
    if (in_zone && !through_zone(zone)) return 0;
    const bool smaller = unit->step < USECS_PER_DAY;
    if (smaller || in_zone) margin_ += USECS_PER_HOUR;
    if (smaller) {
      moved_ = true;
      return 1;
    }
    cut_ = true;
    return in_zone && !through_zone(zone) ? 0 : 1;
  }

  static const char* text_of(Node* node) {
    if (!IsA(node, Const) || castNode(Const, node)->constisnull || castNode(Const, node)->consttype != TEXTOID)
      return nullptr;
    return TextDatumGetCString(castNode(Const, node)->constvalue);
  }

  static bool is_number(Oid type) {
    return is_integer(type) || type == FLOAT4OID || type == FLOAT8OID || type == NUMERICOID;
  }

  // Casts.
  int cast(Oid from, Oid to) {
    if ((from == TIMESTAMPTZOID) != (to == TIMESTAMPTZOID) && !through_zone(nullptr)) return 0;
    return to == DATEOID ? cut() : 1;
  }

  // A moment and a span of time, or a number of days.
  int shift(Oid from, Node* span) {
    if (exprType(span) == INT4OID) return 1;
    if (exprType(span) != INTERVALOID || !IsA(span, Const) || castNode(Const, span)->constisnull) return 0;
    const Interval* const length = DatumGetIntervalP(castNode(Const, span)->constvalue);
    const bool in_zone = from == TIMESTAMPTZOID && (length->month != 0 || length->day != 0);
    if (in_zone && !through_zone(nullptr)) return 0;
    if (length->month != 0 && !is_amid_month(from)) margin_ += kMonths;
    moved_ = true;
    return in_zone && !through_zone(nullptr) ? 0 : 1;
  }

  // Whether it is away from the days of a month that others do not have, of which several become the same day.
  bool is_amid_month(Oid type) const {
    if (moved_ || cut_ || margin_ >= USECS_PER_DAY || TIMESTAMP_NOT_FINITE(near_)) return false;
    const Timestamp shown =
        type != TIMESTAMPTZOID
            ? near_
            : DatumGetTimestamp(DirectFunctionCall1(timestamptz_timestamp, TimestampTzGetDatum(near_)));
    struct pg_tm clock;
    fsec_t fraction;
    return timestamp2tm(shown, nullptr, &clock, &fraction, nullptr, nullptr) == 0 && clock.tm_mday > 2 &&
           clock.tm_mday < 27;
  }

  static int part(Node* field, Oid of) {
    const MomentField* const known = field_of(field);
    if (known == nullptr) return 0;
    // Of a span between two moments: it has days and a time, of the same sign.
    return known->field == Field::epoch || (of == INTERVALOID && known->field == Field::day) ? 1 : 0;
  }

  static bool is_finite_number(Node* node) {
    return is_number(exprType(node)) && IsA(node, Const) && !is_null_constant(node) &&
           is_finite(exprType(node), castNode(Const, node)->constvalue);
  }

  std::int64_t near_;
  std::int64_t margin_ = 0;
  bool cut_ = false;    // to the beginning of a day, or of something larger or smaller
  bool moved_ = false;  // away from where the moment is
};

}  // namespace

Rise rise_with_moment(Node* expression, Oid other, std::int64_t near) { return Reader(near).rise(expression, other); }

}  // namespace dp::guard
