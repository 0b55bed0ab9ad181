#include "budget/relax_sql.h"

#include <algorithm>

#include "budget/catalog_sql.h"
#include "budget/ledger_sql.h"
#include "budget/path.h"
#include "noise/relaxation.h"
#include "pg/errors.h"
#include "pg/random_bits.h"

namespace dp::budget {
namespace {

ReleasePart* part_at(const ListCell* cell) { return static_cast<ReleasePart*>(lfirst(cell)); }

// One path of a release at a time, from its levels being read to the new one being on disk. A lock of the same kind as advisory
// locks, in a class that users cannot reach.
class PathLock {
 public:
  explicit PathLock(std::int64_t release) {
    constexpr uint16 kClass = 0xD9;
    SET_LOCKTAG_ADVISORY(tag_, MyDatabaseId, static_cast<uint32>(release >> 32), static_cast<uint32>(release), kClass);
    LockAcquire(&tag_, ExclusiveLock, false, false);
  }
  // Not a destructor: an error leaves it to the abort of the transaction.
  void release() { LockRelease(&tag_, ExclusiveLock, false); }

 private:
  LOCKTAG tag_;
};

// One aggregate on its path.
struct Move {
  ReleasePart* part;
  int aggregate;
  PathStep step;
  std::int64_t from_id;   // the level that is there already
  std::int64_t level_id;  // the one that is to be shown
  std::int64_t held;      // nano-epsilon: the finest level that the role holds, 0 for none
  std::int64_t held_by_anyone;
};

// What a release's holdings say about one of its aggregates.
class Levels {
 public:
  Levels(const ReleasePart& part, int aggregate, List* holdings)
      : part_(part), aggregate_(aggregate), first_(part.aggregates[aggregate].epsilon), holdings_(holdings) {}

  template <class Visit>
  void visit(Visit visit) const {
    visit(Holding{part_.number, aggregate_, part_.role, first_, 0});
    ListCell* cell;
    foreach (cell, holdings_) {
      const auto& holding = *static_cast<Holding*>(lfirst(cell));
      if (holding.part == part_.number && holding.aggregate == aggregate_) visit(holding);
    }
  }

  PathStep step(std::int64_t epsilon) const {
    const int most = list_length(holdings_) + 1;
    auto* const levels = static_cast<std::int64_t*>(palloc(sizeof(std::int64_t) * most));
    std::size_t count = 0;
    visit([&](const Holding& holding) { levels[count++] = holding.epsilon; });
    return step_to({levels, count}, epsilon);
  }

  std::int64_t id_of(std::int64_t epsilon) const {
    std::int64_t id = 0;
    visit([&](const Holding& holding) {
      if (holding.epsilon == epsilon) id = holding.level_id;
    });
    return id;
  }

  // The finest level that the role holds, or anyone where the role is invalid; 0 for none.
  std::int64_t finest(Oid role) const {
    std::int64_t finest = 0;
    visit([&](const Holding& holding) {
      if (!OidIsValid(role) || holding.role == role) finest = std::max(finest, holding.epsilon);
    });
    return finest;
  }

  bool holds(Oid role, std::int64_t epsilon) const {
    bool holds = false;
    visit([&](const Holding& holding) { holds = holds || (holding.role == role && holding.epsilon == epsilon); });
    return holds;
  }

 private:
  const ReleasePart& part_;
  int aggregate_;
  std::int64_t first_;
  List* holdings_;
};

std::int64_t new_level_id() {
  return static_cast<std::int64_t>(pg::random_bits().bits(62)) + 1;  // never 0, which is the first answer's
}

// Calls visit(part, aggregate) for the aggregates that are meant; an error where there is none of that text.
template <class Visit>
void visit_meant(List* parts, AggregateText text, Visit visit) {
  bool found = false;
  ListCell* cell;
  foreach (cell, parts) {
    for (int i = 0; i < part_at(cell)->size; ++i) {
      if (text != nullptr && strcmp(text, part_at(cell)->aggregates[i].name) != 0) continue;
      found = true;
      visit(part_at(cell), i);
    }
  }
  if (found) return;
  const ReleasePart* const first = static_cast<ReleasePart*>(linitial(parts));
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("release %lld has no aggregate %s", static_cast<long long>(first->release), text == nullptr ? "" : text),
                  errhint("Write it as the view dp.releases does, for example %s.", quote_literal_cstr(first->aggregates[0].name))));
}

void require_relaxable(const ReleasePart& part, int aggregate) {
  const ReleasedAggregate& a = part.aggregates[aggregate];
  if (a.relaxable()) return;
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("%s cannot be made more accurate: mechanism %s has no path from one level to the next", a.name, a.mechanism),
                  errhint("Ask with geometric or laplace (or leave the mechanism out), or pick another aggregate by the third "
                          "argument of relax_release.")));
}

List* plan_moves(List* parts, AggregateText text, Oid role, std::int64_t epsilon, List* holdings) {
  List* moves = NIL;
  visit_meant(parts, text, [&](ReleasePart* part, int aggregate) {
    require_relaxable(*part, aggregate);
    const Levels levels(*part, aggregate, holdings);
    const PathStep step = levels.step(epsilon);
    const std::int64_t from_id = levels.id_of(step.from);
    auto* const move = static_cast<Move*>(palloc(sizeof(Move)));
    *move = {part, aggregate, step, from_id, step.kind == PathStep::Kind::existing ? from_id : new_level_id(), levels.finest(role),
             levels.finest(InvalidOid)};
    moves = lappend(moves, move);
  });
  return moves;
}

// What the moves of one part cost; nothing where its table is no longer protected, or nothing is to be paid.
std::optional<Entry> price(const ReleasePart& part, List* moves, Oid role, const char* kind) {
  const auto protection = protection_of(part.relation);
  if (!protection) return std::nullopt;
  Amount account, table;
  ListCell* cell;
  foreach (cell, moves) {
    const auto& move = *static_cast<Move*>(lfirst(cell));
    if (move.part != &part) continue;
    account += Amount{std::max<std::int64_t>(0, move.step.level - move.held), 0}.times(part.sets);
    table += Amount{std::max<std::int64_t>(0, move.step.level - move.held_by_anyone), 0}.times(part.sets);
  }
  if (account.zero() && table.zero()) return std::nullopt;
  return Entry{payer_of(*protection, role), kind, account, table, part.release, debug_query_string};
}

void draw(const Move& move) {
  const ReleasePart& part = *move.part;
  const ReleasedAggregate& aggregate = part.aggregates[move.aggregate];
  const std::int64_t coarse = std::min(move.step.level, move.step.from);
  const std::int64_t fine = std::max(move.step.level, move.step.from);
  const noise::RatePair rates{static_cast<noise::Uint128>(coarse), static_cast<noise::Uint128>(fine),
                              noise::checked_mul(mechanism::Epsilon::kPerUnit, aggregate.sensitivity)};
  Draw* const draws = read_level(part, move.aggregate, move.from_id);
  for (std::int64_t i = 0; i < part.groups * aggregate.coordinates; ++i) {
    if (i % 4096 == 0) CHECK_FOR_INTERRUPTS();
    const noise::Int128 exact = draws[i].noisy - draws[i].noise;
    auto& bits = pg::random_bits();
    draws[i].noise = move.step.kind == PathStep::Kind::relax ? noise::relax(bits, rates, draws[i].noise)
                                                             : noise::tighten(bits, rates, draws[i].noise);
    draws[i].noisy = exact + draws[i].noise;
  }
  write_level(part, move.aggregate, move.level_id, draws);
  pfree(draws);
}

}  // namespace

List* bring_to_level(List* parts, AggregateText text, Oid role, std::int64_t epsilon, const char* kind) {
  prepare_to_charge();
  const std::int64_t release = static_cast<ReleasePart*>(linitial(parts))->release;
  PathLock lock(release);
  List* const holdings = read_holdings(release);
  List* const moves = plan_moves(parts, text, role, epsilon, holdings);

  auto* const entries = static_cast<Entry*>(palloc(sizeof(Entry) * list_length(parts)));
  std::size_t count = 0;
  ListCell* cell;
  foreach (cell, parts) {
    if (const auto entry = price(*part_at(cell), moves, role, kind)) entries[count++] = *entry;
  }
  require_room({entries, count});

  XLogRecPtr const written_before = XactLastRecEnd;
  foreach (cell, moves) {
    const auto& move = *static_cast<Move*>(lfirst(cell));
    if (move.step.kind != PathStep::Kind::existing) draw(move);
  }
  // A level that was paid for is held: nothing but a crash comes in between, and the charge stands before the holding.
  HOLD_INTERRUPTS();
  for (std::size_t i = 0; i < count; ++i) append(entries[i]);
  List* shown = NIL;
  foreach (cell, moves) {
    const auto& move = *static_cast<Move*>(lfirst(cell));
    if (!Levels(*move.part, move.aggregate, holdings).holds(role, move.step.level)) {
      write_holding(release, {move.part->number, move.aggregate, role, move.step.level, move.level_id});
    }
    auto* const aggregate = static_cast<ShownAggregate*>(palloc(sizeof(ShownAggregate)));
    *aggregate = {move.part, move.aggregate, move.step.level, move.level_id};
    shown = lappend(shown, aggregate);
  }
  flush(written_before);
  RESUME_INTERRUPTS();
  lock.release();
  return shown;
}

List* held_levels(List* parts, AggregateText text, Oid role) {
  List* const holdings = read_holdings(static_cast<ReleasePart*>(linitial(parts))->release);
  List* shown = NIL;
  visit_meant(parts, text, [&](ReleasePart* part, int aggregate) {
    if (!part->aggregates[aggregate].relaxable()) return;
    const Levels levels(*part, aggregate, holdings);
    const std::int64_t epsilon = levels.finest(role);
    if (epsilon == 0) return;
    auto* const held = static_cast<ShownAggregate*>(palloc(sizeof(ShownAggregate)));
    *held = {part, aggregate, epsilon, levels.id_of(epsilon)};
    shown = lappend(shown, held);
  });
  return shown;
}

}  // namespace dp::budget
