#include "budget/release/paths.h"

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/frozen_rows.h"

namespace dp::budget {
namespace {

namespace level_column {
enum { release = 1, part, aggregate, epsilon, level_id };
}
namespace holding_column {
enum { release = 1, part, aggregate, role, epsilon };
}

template <class T>
List* append(List* list, const T& element) {
  auto* const kept = static_cast<T*>(palloc(sizeof(T)));
  *kept = element;
  return lappend(list, kept);
}

}  // namespace

void write_path_level(std::int64_t release, const Level& level) {
  append_frozen(own_tables().release_path,
                {Int64GetDatum(release), Int32GetDatum(level.part), Int32GetDatum(level.aggregate),
                 nano_datum(level.epsilon), Int64GetDatum(level.level_id)});
}

void write_holding(std::int64_t release, const Holding& holding) {
  append_frozen(own_tables().release_holding,
                {Int64GetDatum(release), Int32GetDatum(holding.part), Int32GetDatum(holding.aggregate),
                 ObjectIdGetDatum(holding.role), nano_datum(holding.epsilon)});
}

// Holdings are read first. Each was written after its level, so that the level is found.
Paths read_paths(std::int64_t release) {
  Paths paths{NIL, NIL};
  XLogRecPtr written = InvalidXLogRecPtr;
  for (NumberedRows row(own_tables().release_holding, release); row.next();) {
    using namespace holding_column;
    paths.holdings = append(paths.holdings, Holding{row.small(part), row.small(aggregate),
                                                    DatumGetObjectId(row.value(role)), epsilon_of(row.whole(epsilon))});
    written = std::max(written, row.written());
  }
  for (NumberedRows row(own_tables().release_path, release); row.next();) {
    using namespace level_column;
    paths.levels = append(paths.levels, Level{row.small(part), row.small(aggregate), epsilon_of(row.whole(epsilon)),
                                              row.whole(level_id)});
    written = std::max(written, row.written());
  }
  make_durable(written, kPaidLevel);
  return paths;
}

List* releases_held_by(Oid user) {
  List* numbers = NIL;
  for (NumberedRows row(own_tables().release_holding); row.next();) {
    using namespace holding_column;
    if (has_privs_of_role(user, DatumGetObjectId(row.value(role)))) numbers = append(numbers, row.whole(release));
  }
  return numbers;
}

Path::Path(const ReleasePart& part, int aggregate, const Paths& paths)
    : maker_(part.role),
      levels_(static_cast<Level*>(palloc(sizeof(Level) * (list_length(paths.levels) + 1)))),
      holdings_(static_cast<Holding*>(palloc(sizeof(Holding) * (list_length(paths.holdings) + 1)))) {
  levels_[level_count_++] = {part.number, aggregate, part.aggregates[aggregate].epsilon, 0};
  ListCell* cell;
  foreach (cell, paths.levels) {
    const auto& level = *static_cast<Level*>(lfirst(cell));
    if (level.part == part.number && level.aggregate == aggregate) levels_[level_count_++] = level;
  }
  foreach (cell, paths.holdings) {
    const auto& holding = *static_cast<Holding*>(lfirst(cell));
    if (holding.part == part.number && holding.aggregate == aggregate) holdings_[holding_count_++] = holding;
  }
}

PathStep Path::step(mechanism::Epsilon epsilon) const {
  auto* const levels = static_cast<mechanism::Epsilon*>(palloc(sizeof(mechanism::Epsilon) * level_count_));
  for (int i = 0; i < level_count_; ++i) levels[i] = levels_[i].epsilon;
  return step_to({levels, static_cast<std::size_t>(level_count_)}, epsilon);
}

std::int64_t Path::id_of(mechanism::Epsilon epsilon) const {
  for (int i = 0; i < level_count_; ++i) {
    if (levels_[i].epsilon == epsilon) return levels_[i].level_id;
  }
  elog(ERROR, "a level of a release is missing");
  pg_unreachable();
}

mechanism::Epsilon Path::finest() const {
  mechanism::Epsilon finest{0};
  for (int i = 0; i < level_count_; ++i) finest = std::max(finest, levels_[i].epsilon);
  return finest;
}

bool Path::holds(Oid role, mechanism::Epsilon epsilon) const {
  if (role == maker_ && epsilon == levels_[0].epsilon) return true;
  return std::any_of(holdings_, holdings_ + holding_count_,
                     [&](const Holding& holding) { return holding.role == role && holding.epsilon == epsilon; });
}

}  // namespace dp::budget
