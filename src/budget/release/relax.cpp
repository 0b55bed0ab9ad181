#include "budget/release/relax.h"

#include <algorithm>

#include "budget/catalog/extension_catalog.h"
#include "budget/ledger/ledger.h"
#include "budget/policy/period.h"
#include "budget/release/locks.h"
#include "budget/release/numbers.h"
#include "budget/release/paths.h"
#include "budget/release/stored_numbers.h"
#include "core/accumulate/bounds.h"
#include "core/mechanism/mechanism_text.h"
#include "core/noise/relaxation.h"
#include "pg/errors.h"
#include "pg/random_bits.h"

namespace dp::budget {
namespace {

ReleasePart* part_at(const ListCell* cell) { return static_cast<ReleasePart*>(lfirst(cell)); }

// Locks the tables to which the uninterruptible step below writes. Locked before it, so that waiting for the locks can
// be cancelled.
class WriteLocks {
 public:
  WriteLocks() : tables_{own_tables().ledger_entry, own_tables().release_path, own_tables().release_holding} {
    for (const Oid table : tables_) LockRelationOid(table, RowExclusiveLock);
  }
  // Not a destructor, for the reason given at ReleaseLock.
  void release() {
    for (const Oid table : tables_) UnlockRelationOid(table, RowExclusiveLock);
  }

 private:
  Oid tables_[3];
};

// A role's next step on the path of one aggregate.
struct Move {
  ReleasePart* part;
  int aggregate;
  PathStep step;
  std::int64_t from_id;       // the existing level that it starts from
  std::int64_t level_id;      // the level that will be shown
  mechanism::Epsilon held;    // the finest level that the role holds, 0 for none
  mechanism::Epsilon finest;  // the finest that exists
  bool known;                 // whether the role already holds the level to be shown

  bool draws() const { return step.kind != PathStep::Kind::existing; }
  bool belongs_to(const ReleasePart& other) const { return part == &other; }
};

// Calls visit(part, aggregate) for the aggregates that are meant; an error where there is none of that text.
template <class Visit>
void visit_meant(List* parts, AggregateText text, Visit visit) {
  bool found = false;
  ListCell* cell;
  foreach (cell, parts) {
    for (int i = 0; i < part_at(cell)->size; ++i) {
      if (text != nullptr && !part_at(cell)->aggregates[i].is_called(text)) continue;
      found = true;
      visit(part_at(cell), i);
    }
  }
  if (found) return;
  const ReleasePart* const first = static_cast<ReleasePart*>(linitial(parts));
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("release %lld has no aggregate %s", static_cast<long long>(first->release),
                         text == nullptr ? "" : text),
                  errhint("Write it as the view dp.releases does, for example %s.",
                          quote_literal_cstr(first->aggregates[0].name))));
}

void require_relaxable(const ReleasePart& part, int aggregate) {
  const ReleasedAggregate& a = part.aggregates[aggregate];
  if (a.relaxable()) return;
  ereport(
      ERROR,
      (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
       errmsg("%s cannot be brought to another level: mechanism %s has no path from one to the next", a.name,
              a.mechanism),
       errhint("Ask with geometric or laplace (or leave the mechanism out), or pick another aggregate by the argument "
               "aggregate.")));
}

// Coarser levels cost a role nothing that holds a finer one, and each is stored.
constexpr int kMostLevels = 100;

void require_few_levels(const ReleasePart& part, int aggregate, int levels) {
  if (levels < kMostLevels) return;
  ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
                  errmsg("%s of release %lld has %d levels, and there can be no more", part.aggregates[aggregate].name,
                         static_cast<long long>(part.release), levels),
                  errhint("Read the finest one that was paid for: SELECT * FROM dp_answer(%lld);",
                          static_cast<long long>(part.release))));
}

std::int64_t new_level_id() {
  return static_cast<std::int64_t>(pg::random_bits().bits(62)) + 1;  // never 0, which is the first answer's
}

Move* move_to(ReleasePart* part, int aggregate, Oid role, mechanism::Epsilon epsilon, const Paths& paths) {
  require_relaxable(*part, aggregate);
  const Path path(*part, aggregate, paths);
  auto* const move = static_cast<Move*>(palloc(sizeof(Move)));
  move->part = part;
  move->aggregate = aggregate;
  move->step = path.step(epsilon);
  move->from_id = path.id_of(move->step.from);
  if (move->draws()) require_few_levels(*part, aggregate, path.levels());
  move->level_id = move->draws() ? new_level_id() : move->from_id;
  move->held = path.finest_held([role](Oid holder) { return holder == role; });
  move->finest = path.finest();
  move->known = path.holds(role, move->step.level);
  return move;
}

List* moves_of_text(List* parts, AggregateText text, Oid role, mechanism::Epsilon epsilon, const Paths& paths) {
  List* moves = NIL;
  visit_meant(parts, text, [&](ReleasePart* part, int aggregate) {
    moves = lappend(moves, move_to(part, aggregate, role, epsilon, paths));
  });
  return moves;
}

std::int64_t numbers_to_draw(List* moves) {
  std::int64_t numbers = 0;
  ListCell* cell;
  foreach (cell, moves) {
    const auto& move = *static_cast<Move*>(lfirst(cell));
    // A level without groups is stored, too.
    if (move.draws()) numbers += std::max<std::int64_t>(1, move.part->numbers(move.aggregate));
  }
  return numbers;
}

// Whether all levels of the part count in that period: it is one of the calendar, and none was charged before it. Every
// window of a sliding one begins somewhere between two levels.
bool counts_whole(const ReleasePart& part, const Period& period, TimestampTz now) {
  return !period.exists() || (!period.sliding && part.made_at > expired_until(period, now));
}

// What the moves of one part cost an account, or where that is InvalidOid, the table.
struct Price {
  Cost whole;  // where all levels count in its budget
  Cost anew;   // where they do not

  Price& operator+=(const Price& other) {
    whole += other.whole;
    anew += other.anew;
    return *this;
  }
};

Price price_of(const Move& move, mechanism::Epsilon paid) {
  const mechanism::NoisePath& path = move.part->aggregates[move.aggregate].path;
  const int sets = move.part->sets;
  return {Cost::level(path, move.step.level, paid).times(sets),
          Cost::level(path, move.step.level, paid, true).times(sets)};
}

// Whether some budget pays more for it than for a fresh answer: one that counts a coarser level no more.
bool is_dearer_than_fresh(const Move& move, Oid role) {
  const TimestampTz now = GetCurrentTimestamp();
  const auto dearer = [&](const Limit& limit, mechanism::Epsilon paid) {
    const std::int64_t fresh = static_cast<std::int64_t>(move.step.level.nano) * move.part->sets;
    return !counts_whole(*move.part, limit.period, now) && price_of(move, paid).anew.epsilon > fresh;
  };
  ListCell* cell;
  foreach (cell, move.part->tables) {
    const auto protection = protection_of(lfirst_oid(cell));
    if (!protection) continue;
    const Payer payer = payer_of(protection->relation, role);
    if (dearer(protection->limit, move.finest) || (payer.limit && dearer(*payer.limit, move.held))) return true;
  }
  return false;
}

// NIL where a level cannot be had.
List* moves_to_levels(List* wanted, Oid role, const Paths& paths) {
  List* moves = NIL;
  ListCell* cell;
  foreach (cell, wanted) {
    const auto& one = *static_cast<WantedLevel*>(lfirst(cell));
    if (Path(*one.part, one.aggregate, paths).levels() >= kMostLevels) return NIL;
    Move* const move = move_to(one.part, one.aggregate, role, one.epsilon, paths);
    if (move->step.level < one.epsilon || is_dearer_than_fresh(*move, role)) return NIL;
    moves = lappend(moves, move);
  }
  if (numbers_to_draw(moves) > room_for_numbers(static_cast<WantedLevel*>(linitial(wanted))->part->role)) return NIL;
  return moves;
}

// A table that is no longer protected costs nothing; then the role needs SELECT, as for a query.
void require_reader(const ReleasePart& part, Oid table, Oid role) {
  if (relation_exists(table) && pg_class_aclcheck(table, role, ACL_SELECT) == ACLCHECK_OK) return;
  if (!relation_exists(table)) {
    ereport(ERROR,
            (errcode(ERRCODE_UNDEFINED_TABLE),
             errmsg("a table that release %lld was charged to has been dropped: what was paid for stays readable "
                    "by dp_answer(%lld)",
                    static_cast<long long>(part.release), static_cast<long long>(part.release)),
             errhint("What was paid for stays readable: SELECT * FROM dp_answer(%lld);",
                     static_cast<long long>(part.release))));
  }
  ereport(
      ERROR,
      (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
       errmsg(
           "table %s is not protected any more, and role \"%s\" may not read it: what was paid for stays readable by "
           "dp_answer(%lld)",
           relation_name(table), role_name(role), static_cast<long long>(part.release)),
       errhint("What was paid for stays readable: SELECT * FROM dp_answer(%lld);",
               static_cast<long long>(part.release))));
}

// In the place of an aggregate's number: a role holds the groups, without a level of an aggregate.
constexpr int kGroupsAlone = -1;

bool knows_groups(const ReleasePart& part, Oid role, const Paths& paths) {
  for (int i = 0; i < part.size; ++i) {
    if (Path(part, i, paths).finest_held([role](Oid holder) { return holder == role; }).nano > 0) return true;
  }
  ListCell* cell;
  foreach (cell, paths.holdings) {
    const auto& holding = *static_cast<Holding*>(lfirst(cell));
    if (holding.part == part.number && holding.aggregate == kGroupsAlone && holding.role == role) return true;
  }
  return false;
}

// In one budget; and how long that holds.
const Cost& price_in(const Price& price, const ReleasePart& part, const Limit& limit, TimestampTz now,
                     TimestampTz* before) {
  if (!counts_whole(part, limit.period, now)) return price.anew;
  if (limit.period.exists()) *before = std::min(*before, end_of(limit.period, now));
  return price.whole;
}

// What the moves of one part cost: each of its tables, but for those that are no longer protected, all of it. Nothing
// where there is nothing to pay.
std::span<Entry> price(const ReleasePart& part, List* moves, Oid role, const Paths& paths, const char* kind) {
  Price account, table;
  bool moved = false;
  ListCell* cell;
  foreach (cell, moves) {
    const auto& move = *static_cast<Move*>(lfirst(cell));
    if (!move.belongs_to(part)) continue;
    moved = true;
    account += price_of(move, move.held);
    table += price_of(move, move.finest);
  }
  if (moved && !knows_groups(part, role, paths)) account += {Cost::pure(part.selection), Cost::pure(part.selection)};
  if (account.whole.zero() && table.whole.zero()) return {};
  const TimestampTz now = GetCurrentTimestamp();
  List* const books = part.blocks != NIL ? part.blocks : part.tables;
  auto* const entries = static_cast<Entry*>(palloc(sizeof(Entry) * static_cast<Size>(list_length(books))));
  List* charged = NIL;  // oid: two tables may have become one, or parts of one
  foreach (cell, books) {
    const auto protection = protection_of(lfirst_oid(cell));
    if (!protection) {
      require_reader(part, lfirst_oid(cell), role);
      continue;
    }
    Payer payer = payer_of(protection->relation, role);
    if (protection->blocks && lfirst_oid(cell) != protection->relation) payer.block = lfirst_oid(cell);
    if (!list_member_oid(charged, payer.books())) {
      Entry& entry = entries[list_length(charged)];
      entry = {payer, kind, {}, {}, part.release, debug_query_string};
      entry.account = price_in(account, part, payer.limit.value_or(protection->limit), now, &entry.before);
      entry.table = price_in(table, part, protection->limit, now, &entry.before);
      charged = lappend_oid(charged, payer.books());
    }
  }
  return {entries, static_cast<std::size_t>(list_length(charged))};
}

void draw(const Move& move) {
  const ReleasePart& part = *move.part;
  const ReleasedAggregate& aggregate = part.aggregates[move.aggregate];
  const mechanism::PathMove step(aggregate.path, move.step.from, move.step.level);
  Draw* const draws = read_level(part, move.aggregate, move.from_id);
  for (std::int64_t i = 0; i < part.numbers(move.aggregate); ++i) {
    if (i % 4096 == 0) CHECK_FOR_INTERRUPTS();
    const noise::Int128 exact = draws[i].noisy - draws[i].noise;
    draws[i].noise = step.draw(pg::random_bits(), draws[i].noise);
    draws[i].noisy = exact + draws[i].noise;
  }
  write_level(part, move.aggregate, move.level_id, draws);
  pfree(draws);
}

// Writes that the level exists and that the role holds it.
void settle(const Move& move, Oid role) {
  const ReleasePart& part = *move.part;
  if (move.draws()) write_path_level(part.release, {part.number, move.aggregate, move.step.level, move.level_id});
  if (!move.known) write_holding(part.release, {part.number, move.aggregate, role, move.step.level});
}

List* show(List* shown, const ShownAggregate& aggregate) {
  auto* const kept = static_cast<ShownAggregate*>(palloc(sizeof(ShownAggregate)));
  *kept = aggregate;
  return lappend(shown, kept);
}

}  // namespace

namespace {

// plan(paths) gives the moves; where there are none, nothing is done.
template <class PlanMoves>
List* bring(List* parts, Oid role, const char* kind, PlanMoves plan) {
  prepare_to_charge();
  const std::int64_t release = static_cast<ReleasePart*>(linitial(parts))->release;
  // As a question would: who gives the table's account to another table waits for what is charged here.
  ListCell *cell, *table;
  foreach (cell, parts) {
    foreach (table, part_at(cell)->tables) LockRelationOid(lfirst_oid(table), AccessShareLock);
  }
  ReleaseLock lock = ReleaseLock::of_paths(release);
  const Paths paths = read_paths(release);
  List* const moves = plan(paths);
  if (moves == NIL) {
    lock.release();
    return NIL;
  }

  auto* const prices =
      static_cast<std::span<Entry>*>(palloc(sizeof(std::span<Entry>) * static_cast<Size>(list_length(parts))));
  List* to_pay = NIL;
  foreach (cell, parts) {
    prices[foreach_current_index(cell)] = price(*part_at(cell), moves, role, paths, kind);
    for (Entry& entry : prices[foreach_current_index(cell)]) to_pay = lappend(to_pay, &entry);
  }
  const std::int64_t numbers = numbers_to_draw(moves);
  if (numbers > 0) require_confirmed();
  require_room(entries_of(to_pay));
  require_room_for_numbers(static_cast<ReleasePart*>(linitial(parts))->role, numbers);

  const FrozenWrites level;
  foreach (cell, moves) {
    const auto& move = *static_cast<Move*>(lfirst(cell));
    if (!move.draws()) continue;
    draw(move);
    add_stored(move.part->first_table(), move.part->role, move.part->numbers(move.aggregate));
  }
  // For each part the charges are appended, all or none of them, and then the holding, and interrupts are held: only a
  // crash can come between, and then there is a charge without a level. Numbers that an error above has left without a
  // level were shown to nobody, and never will be.
  WriteLocks write_locks;
  HOLD_INTERRUPTS();
  List* shown = NIL;
  foreach (cell, parts) {
    if (const auto& entries = prices[foreach_current_index(cell)]; !entries.empty()) append(entries);
    ListCell* step;
    foreach (step, moves) {
      const auto& move = *static_cast<Move*>(lfirst(step));
      if (!move.belongs_to(*part_at(cell))) continue;
      settle(move, role);
      shown = show(shown, {move.part, move.aggregate, move.step.level, move.level_id});
    }
  }
  level.flush(kPaidLevel);
  RESUME_INTERRUPTS();
  write_locks.release();
  lock.release();
  return shown;
}

}  // namespace

List* bring_to_level(List* parts, AggregateText text, Oid role, mechanism::Epsilon epsilon, const char* kind) {
  return bring(parts, role, kind, [=](const Paths& paths) { return moves_of_text(parts, text, role, epsilon, paths); });
}

List* bring_to_levels(List* parts, List* wanted, Oid role, const char* kind) {
  return bring(parts, role, kind, [=](const Paths& paths) { return moves_to_levels(wanted, role, paths); });
}

bool price_levels(List* parts, List* wanted, Oid role, const char* kind, List** prices) {
  const Paths paths = read_paths(static_cast<ReleasePart*>(linitial(parts))->release);
  List* const moves = moves_to_levels(wanted, role, paths);
  if (moves == NIL) return false;
  ListCell* cell;
  foreach (cell, parts) {
    for (Entry& entry : price(*part_at(cell), moves, role, paths, kind)) *prices = lappend(*prices, &entry);
  }
  return true;
}

bool knows_groups(const ReleasePart& part, Oid role) { return knows_groups(part, role, read_paths(part.release)); }

void note_groups(const ReleasePart& part, Oid role) {
  write_holding(part.release, {part.number, kGroupsAlone, role, mechanism::Epsilon{0}});
}

aggregate::Form* form_of(const ShownAggregate& one) {
  const ReleasedAggregate& a = one.part->aggregates[one.aggregate];
  auto* const form = static_cast<aggregate::Form*>(palloc(sizeof(aggregate::Form)));
  *form = aggregate::at_level(a.form, a.coordinates, mechanism::parse(a.mechanism), one.epsilon,
                              (a.path.change() + (noise::Uint128{1} << a.form.refinement) - 1) >> a.form.refinement);
  return form;
}

List* held_levels(List* parts, AggregateText text, Oid user) {
  const Paths paths = read_paths(static_cast<ReleasePart*>(linitial(parts))->release);
  List* shown = NIL;
  visit_meant(parts, text, [&](ReleasePart* part, int aggregate) {
    if (!part->aggregates[aggregate].relaxable()) return;
    const Path path(*part, aggregate, paths);
    const mechanism::Epsilon epsilon = path.finest_held([user](Oid holder) { return has_privs_of_role(user, holder); });
    if (epsilon.nano > 0) shown = show(shown, {part, aggregate, epsilon, path.id_of(epsilon)});
  });
  return shown;
}

}  // namespace dp::budget
