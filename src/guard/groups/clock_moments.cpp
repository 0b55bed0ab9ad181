// The moments at which cells of moments begin (moment_cells.h).
#include <algorithm>
#include <cmath>

#include "guard/groups/moment_cells.h"

namespace dp::guard {
namespace {

template <typename Value>
class Growing {
 public:
  void add(Value value) {
    if (size_ == room_) {
      room_ = std::max<std::int64_t>(64, 2 * room_);
      const Size bytes = sizeof(Value) * static_cast<Size>(room_);
      values_ = static_cast<Value*>(values_ == nullptr ? palloc_extended(bytes, MCXT_ALLOC_HUGE)
                                                       : repalloc_huge(values_, bytes));
    }
    values_[size_++] = value;
  }
  std::int64_t size() const { return size_; }
  Value* begin() const { return values_; }
  Value* end() const { return values_ + size_; }
  void cut(Value* end) { size_ = end - values_; }
  void sort_out() {
    std::sort(begin(), end());
    cut(std::unique(begin(), end()));
  }

 private:
  Value* values_ = nullptr;
  std::int64_t size_ = 0, room_ = 0;
};

std::int64_t modulo(std::int64_t value, std::int64_t step) { return (value % step + step) % step; }

// ---- what a zone's clock shows --------------------------------------------------------------------------------------

// Further out moments cannot be converted, or moved by the longest span.
bool is_convertible(Timestamp moment) {
  constexpr Timestamp kYear = 366 * USECS_PER_DAY;
  return moment > MIN_TIMESTAMP + 200 * kYear && moment < END_TIMESTAMP - 200 * kYear;
}

Timestamp shown(Timestamp moment, const char* zone) {
  if (!is_convertible(moment)) return moment;
  if (*zone == '\0') return DatumGetTimestamp(DirectFunctionCall1(timestamptz_timestamp, TimestampTzGetDatum(moment)));
  return DatumGetTimestamp(
      DirectFunctionCall2(timestamptz_zone, CStringGetTextDatum(zone), TimestampTzGetDatum(moment)));
}

Timestamp meant(Timestamp clock, const char* zone) {
  if (!is_convertible(clock)) return clock;
  if (*zone == '\0') return DatumGetTimestamp(DirectFunctionCall1(timestamp_timestamptz, TimestampGetDatum(clock)));
  return DatumGetTimestamp(DirectFunctionCall2(timestamp_zone, CStringGetTextDatum(zone), TimestampGetDatum(clock)));
}

// Of an abbreviation, which may mean another offset from some day on: found by halving.
void add_changes_between(Timestamp from, Timestamp to, const char* zone, Growing<Timestamp>* changes) {
  for (Timestamp day = from; day < to; day += USECS_PER_DAY) {
    Timestamp before = day, after = std::min<Timestamp>(day + USECS_PER_DAY, to);
    const Timestamp ahead = shown(before, zone) - before;
    if (shown(after, zone) - after == ahead) continue;
    while (after - before > 1) {
      const Timestamp middle = before + (after - before) / 2;
      (shown(middle, zone) - middle == ahead ? before : after) = middle;
    }
    changes->add(after);
  }
}

// The moments after the first and up to the last at which the zone's clocks were changed.
Growing<Timestamp> changes_of(const char* zone, Timestamp first, Timestamp last) {
  constexpr pg_time_t kEpoch = std::int64_t{POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE} * SECS_PER_DAY;
  Growing<Timestamp> changes;
  const pg_tz* const rules = *zone == '\0' ? session_timezone : pg_tzset(zone);
  if (rules == nullptr) {
    add_changes_between(first, last, zone, &changes);
    return changes;
  }
  pg_time_t at = (first - modulo(first, USECS_PER_SEC)) / USECS_PER_SEC + kEpoch;
  for (;;) {
    CHECK_FOR_INTERRUPTS();
    long before, after;
    int summer_before, summer_after;
    pg_time_t change;
    if (pg_next_dst_boundary(&at, &before, &summer_before, &change, &after, &summer_after, rules) <= 0) return changes;
    const Timestamp moment = (change - kEpoch) * USECS_PER_SEC;
    if (moment > last || change <= at) return changes;
    if (moment > first) changes.add(moment);
    at = change;
  }
}

// ---- pieces of a range within which a clock is as far ahead ---------------------------------------------------------

struct Piece {
  Timestamp from;      // of the column; to that of the next
  std::int64_t ahead;  // of the column
};

class Clock {
 public:
  Clock(const List* conversions, Timestamp first, Timestamp last) : first_(first), last_(last) {
    pieces_.add({first, 0});
    ListCell* cell;
    foreach (cell, conversions) convert(static_cast<Node*>(lfirst(cell)));
  }

  std::int64_t size() const { return pieces_.size(); }
  Piece piece(std::int64_t i) const { return pieces_.begin()[i]; }
  Timestamp end_of(std::int64_t i) const { return i + 1 < size() ? piece(i + 1).from : last_ + 1; }

 private:
  void convert(Node* conversion) {
    Growing<Piece> pieces;
    for (std::int64_t i = 0; i < size(); ++i) {
      const Piece old = piece(i);
      const Timestamp end = end_of(i) + old.ahead;
      Growing<Timestamp> parts = changes(conversion, old.from + old.ahead, end);
      parts.add(old.from + old.ahead);
      parts.sort_out();
      for (const Timestamp part : parts) {
        if (part >= old.from + old.ahead && part < end)
          pieces.add({part - old.ahead, old.ahead + converted(conversion, part) - part});
      }
    }
    pieces_ = pieces;
  }

  static Timestamp converted(Node* conversion, Timestamp moment) {
    if (IsA(conversion, String)) {
      const char* const text = strVal(conversion);
      return *text == '>' ? shown(moment, text + 1) : meant(moment, text + 1);
    }
    if (!is_convertible(moment)) return moment;
    return DatumGetTimestamp(
        DirectFunctionCall2(timestamp_pl_interval, TimestampGetDatum(moment), castNode(Const, conversion)->constvalue));
  }

  // Where what a conversion adds may change, between two moments of what it converts, and perhaps beside them.
  static Growing<Timestamp> changes(Node* conversion, Timestamp from, Timestamp to) {
    if (IsA(conversion, String)) {
      const char* const text = strVal(conversion);
      if (*text == '>') return changes_of(text + 1, from, to);
      Growing<Timestamp> on_clock;
      constexpr Timestamp kFurthest = 2 * USECS_PER_DAY;  // further apart no clocks are
      for (const Timestamp change : changes_of(text + 1, from - kFurthest, to + kFurthest)) {
        on_clock.add(shown(change - 1, text + 1) + 1);
        on_clock.add(shown(change, text + 1));
      }
      return on_clock;
    }
    Growing<Timestamp> days;
    if (DatumGetIntervalP(castNode(Const, conversion)->constvalue)->month == 0) return days;
    for (Timestamp day = from - modulo(from, USECS_PER_DAY); day < to; day += USECS_PER_DAY) days.add(day);
    return days;
  }

  Timestamp first_, last_;
  Growing<Piece> pieces_;
};

// ---- beginnings of cells --------------------------------------------------------------------------------------------

class Beginnings {
 public:
  Beginnings(Timestamp first, Timestamp last, std::int64_t most) : first_(first), last_(last), most_(most) {
    if (first <= last) moments_.add(first);
    if (first < last) moments_.add(last);
  }

  bool too_many() const { return moments_.size() > most_; }

  void add(const MomentCells& cells, const Clock& clock, const Growing<std::int64_t>& phases) {
    std::int64_t origin = cells.origin;
    if (cells.local_origin) origin = shown(origin, "");
    for (std::int64_t i = 0; i < clock.size() && !too_many(); ++i) {
      const Piece piece = clock.piece(i);
      add(piece.from);
      if (cells.closed) add(piece.from + 1);
      if (cells.begins > 0) add(next(piece, 0, cells.begins));
      for (const std::int64_t phase : phases) {
        for (Timestamp at = next(piece, origin + phase, cells.step); at < clock.end_of(i) + 1; at += cells.step) {
          CHECK_FOR_INTERRUPTS();
          add(at);
          if (cells.closed) add(at + 1);
          if (cells.blurred) add(at - 1);
          if (too_many() && !sorted_out()) return;
        }
      }
    }
  }

  Moments moments() {
    moments_.sort_out();
    return {moments_.size(), moments_.begin()};
  }

 private:
  // The first moment after the beginning of the piece at which its clock shows a multiple of the step from the origin.
  static Timestamp next(const Piece& piece, std::int64_t origin, std::int64_t step) {
    return piece.from + step -
           modulo(modulo(piece.from, step) + modulo(piece.ahead, step) - modulo(origin, step), step);
  }

  void add(Timestamp moment) {
    if (moment > first_ && moment < last_) moments_.add(moment);
  }

  // Whether there were several of the same, so that there are not too many.
  bool sorted_out() {
    moments_.sort_out();
    return !too_many();
  }

  Timestamp first_, last_;
  std::int64_t most_;
  Growing<Timestamp> moments_;
};

// By how much clocks differ: of the session and of all zones that are read, from each other and from UTC.
Growing<std::int64_t> differences(const List* cells, Timestamp first, Timestamp last, std::int64_t step) {
  Growing<std::int64_t> ahead;
  ahead.add(0);
  const auto add = [&](const List* conversions) {
    const Clock clock(conversions, first, last);
    for (std::int64_t i = 0; i < clock.size(); ++i) ahead.add(modulo(clock.piece(i).ahead, step));
  };
  add(list_make1(to_clock(nullptr)));
  ListCell* cell;
  foreach (cell, cells) add(MomentCells::of(static_cast<List*>(lfirst(cell))).clock);
  ahead.sort_out();
  Growing<std::int64_t> differences;
  for (const std::int64_t one : ahead) {
    for (const std::int64_t other : ahead) differences.add(modulo(one - other, step));
  }
  differences.sort_out();
  return differences;
}

}  // namespace

double about_moments(const List* cells, Timestamp lower, Timestamp upper) {
  double most = 2;
  const double span = std::max(static_cast<double>(upper) - static_cast<double>(lower), 0.0);
  ListCell* cell;
  foreach (cell, cells) {
    const MomentCells own = MomentCells::of(static_cast<List*>(lfirst(cell)));
    constexpr double kBetweenChanges = 180.0 * USECS_PER_DAY;
    most += span / static_cast<double>(own.step) * (1 + own.closed + own.blurred) +
            list_length(own.clock) * span / kBetweenChanges;
  }
  return most;
}

std::optional<Moments> moments_of_cells(const List* cells, Timestamp lower, Timestamp upper, std::int64_t most) {
  Beginnings beginnings(lower, upper, most);
  if (lower >= upper) return beginnings.moments();
  List* clocks = NIL;
  ListCell* cell;
  foreach (cell, cells) {
    const MomentCells own = MomentCells::of(static_cast<List*>(lfirst(cell)));
    clocks = lappend(clocks, new (palloc(sizeof(Clock))) Clock(own.clock, lower, upper));
  }
  foreach (cell, cells) {
    const MomentCells own = MomentCells::of(static_cast<List*>(lfirst(cell)));
    Growing<std::int64_t> phases;
    if (own.reach >= 0) {
      phases = differences(cells, lower - own.reach, upper + own.reach, own.step);
    } else {
      phases.add(0);
    }
    beginnings.add(own, *static_cast<Clock*>(list_nth(clocks, foreach_current_index(cell))), phases);
    if (beginnings.too_many()) return std::nullopt;
  }
  return beginnings.moments();
}

}  // namespace dp::guard
