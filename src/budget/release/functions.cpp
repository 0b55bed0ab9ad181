// The SQL functions over releases: relax_release, dp_answer, dp_errors, dp.share_release, dp_last_release, and the view
// dp.releases.
#include <span>
#include <utility>

#include "aggregate/call/answer_datum.h"
#include "aggregate/call/vector_datum.h"
#include "budget/catalog/decimal.h"
#include "budget/catalog/extension_catalog.h"
#include "budget/policy/accounts.h"
#include "budget/release/answer_json.h"
#include "budget/release/forget.h"
#include "budget/release/last_release.h"
#include "budget/release/locks.h"
#include "budget/release/numbers.h"
#include "budget/release/paths.h"
#include "budget/release/relax.h"
#include "core/accumulate/bounds.h"
#include "core/mechanism/epsilon_delta.h"
#include "core/mechanism/mechanism_text.h"
#include "pg/errors.h"
#include "pg/uncounted.h"

namespace dp::budget {
namespace {

std::int64_t last_release = 0;

// ---- arguments ----------------------------------------------------------------------------------------------------

void require_argument(FunctionCallInfo fcinfo, int position, const char* function, const char* name) {
  if (!PG_ARGISNULL(position)) return;
  ereport(ERROR,
          (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("%s of %s must not be NULL", name, function),
           errhint("For example relax_release(dp_last_release(), 0.5). That function gives NULL where the last charged "
                   "query left no release: it failed, or dp.keep_releases is too small for it.")));
}

std::int64_t release_argument(FunctionCallInfo fcinfo, const char* function) {
  require_argument(fcinfo, 0, function, "release");
  return PG_GETARG_INT64(0);
}

mechanism::Epsilon epsilon_argument(FunctionCallInfo fcinfo, int position, const char* function) {
  require_argument(fcinfo, position, function, "epsilon");
  return mechanism::Epsilon::from(PG_GETARG_FLOAT8(position));
}

Oid role_argument(FunctionCallInfo fcinfo, int position, const char* function) {
  require_argument(fcinfo, position, function, "role");
  const Oid role = PG_GETARG_OID(position);
  if (role_exists(role)) return role;
  ereport(ERROR, (errcode(ERRCODE_UNDEFINED_OBJECT), errmsg("there is no role with the number %u", role),
                  errhint("Give its name, for example dp.share_release(1, 'ana', 0.5).")));
  pg_unreachable();
}

AggregateText aggregate_argument(FunctionCallInfo fcinfo, int position) {
  return PG_ARGISNULL(position) ? nullptr : text_to_cstring(PG_GETARG_TEXT_PP(position));
}

// ---- whose releases -----------------------------------------------------------------------------------------------

// The same message whether it does not exist or belongs to somebody else. Who asked it is told where it went.
[[noreturn]] void refuse_release(std::int64_t release) {
  if (was_forgotten(release, GetUserId())) {
    ereport(ERROR, (errcode(pg::kNoSuchRelease),
                    errmsg("release %lld was forgotten: it can be neither read nor made more accurate",
                           static_cast<long long>(release)),
                    errdetail("A curator keeps answers for a while only; what was charged for it stays in the ledger."),
                    errhint("Ask its query again, which is charged as a new one; dp.ledger has its text.")));
  }
  ereport(ERROR,
          (errcode(pg::kNoSuchRelease), errmsg("there is no release %lld for you", static_cast<long long>(release)),
           errhint("SELECT * FROM dp.releases; lists yours. A charged query leaves one when it has ended, unless "
                   "dp.keep_releases is too small for it; curators may forget old ones.")));
  pg_unreachable();
}

List* parts_or_refuse(std::int64_t release) {
  List* const parts = read_parts(release);
  if (parts == NIL) refuse_release(release);
  return parts;
}

// The parts whose maker is the role. The maker is the role whose permissions held for the query (of a view, its owner),
// so the parts of a release may have several makers.
List* parts_made_by(List* parts, Oid role) {
  List* made = NIL;
  ListCell* cell;
  foreach (cell, parts) {
    if (static_cast<ReleasePart*>(lfirst(cell))->role == role) made = lappend(made, lfirst(cell));
  }
  return made;
}

[[noreturn]] void refuse_to_relax(List* parts) {
  const auto& first = *static_cast<ReleasePart*>(linitial(parts));
  const auto release = static_cast<long long>(first.release);
  if (held_levels(parts, nullptr, GetUserId()) == NIL) refuse_release(first.release);
  const char* const maker = role_name(first.role);
  ereport(ERROR,
          (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
           errmsg("release %lld was made by role \"%s\", and only that role can relax it: read it by dp_answer(%lld)",
                  release, maker, release),
           has_privs_of_role(GetUserId(), first.role)
               ? errhint("SET ROLE %s; and relax it, or read it as it is: SELECT * FROM dp_answer(%lld);",
                         quote_identifier(maker), release)
               : errhint("Read it with dp_answer(%lld), or ask a curator to share it at a larger epsilon.", release)));
  pg_unreachable();
}

void require_curator_of_all(List* parts) {
  const Oid user = GetUserId();
  ListCell* cell;
  foreach (cell, parts) {
    const auto& part = *static_cast<ReleasePart*>(lfirst(cell));
    ListCell* table;
    foreach (table, part.tables) {
      if (is_curator(lfirst_oid(table), user)) continue;
      if (held_levels(parts, nullptr, user) == NIL) refuse_release(part.release);
      ereport(ERROR,
              (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
               errmsg("only a curator of table %s can share release %lld: ask its owner, or a member of dp_curator",
                      relation_name(lfirst_oid(table)), static_cast<long long>(part.release)),
               errhint("Ask the owner of the table, or a member of dp_curator.")));
    }
  }
}

// ---- rows ---------------------------------------------------------------------------------------------------------

// One answer as it is shown.
struct ShownAnswer {
  const ShownAggregate& one;
  const aggregate::Form& form;
  Datum key;
  noise::Int128View noisy;

  const ReleasedAggregate& aggregate() const { return one.part->aggregates[one.aggregate]; }

  // Levels have noise of one law, with the sensitivity of the first answer.
  mechanism::Law law() const { return aggregate().path.law(one.epsilon); }
};

void put_values(const ReturnSetInfo* result, const ShownAnswer& shown, std::span<Datum> values, std::span<bool> nulls) {
  values[0] = shown.key;
  values[1] = CStringGetTextDatum(shown.aggregate().label(shown.one.epsilon));
  const auto* const errors = aggregate::errors_of_vector(shown.form, shown.law());
  values[2] = answer_json(shown.form, aggregate::answer_of(shown.form, shown.noisy, errors));
  values[3] = Float8GetDatum(shown.one.epsilon.value());
  tuplestore_putvalues(result->setResult, result->setDesc, values.data(), nulls.data());
}

// A row of dp.released_answer.
void put_answer(const ReturnSetInfo* result, const ShownAnswer& shown) {
  Datum values[4];
  bool nulls[4] = {};
  put_values(result, shown, values, nulls);
}

// Rows of dp.released_error. What is known of an aggregate's noise serves all of its groups.
class Intervals {
 public:
  explicit Intervals(double confidence) : confidence_(confidence), memory_(CurrentMemoryContext) {}

  void put(const ReturnSetInfo* result, const ShownAnswer& shown) {
    Datum values[6] = {};
    bool nulls[6] = {};
    const auto& margin = margin_of(shown);
    nulls[4] = nulls[5] = !margin;
    if (margin) {
      const aggregate::Ends ends = aggregate::ends_of(shown.form, shown.noisy, *margin);
      values[4] = answer_json(shown.form, ends.lower), values[5] = answer_json(shown.form, ends.upper);
    }
    put_values(result, shown, values, nulls);
  }

 private:
  struct Known {
    const ShownAggregate* one;
    std::optional<aggregate::Margin> margin;
  };

  // Levels have noise of one law, with the sensitivity of the first answer.
  const std::optional<aggregate::Margin>& margin_of(const ShownAnswer& shown) {
    ListCell* cell;
    foreach (cell, known_) {
      const auto* const known = static_cast<const Known*>(lfirst(cell));
      if (known->one == &shown.one) return known->margin;
    }
    MemoryContext const before = MemoryContextSwitchTo(memory_);
    auto* const known =
        new (palloc(sizeof(Known))) Known{&shown.one, aggregate::margin_of(shown.form, shown.law(), confidence_)};
    known_ = lappend(known_, known);
    MemoryContextSwitchTo(before);
    return known->margin;
  }

  double confidence_;
  MemoryContext memory_;
  List* known_ = NIL;
};

// The aggregates of one part, group by group: put(result, answer) for each.
template <class Put>
void show_part(const ReturnSetInfo* result, const ReleasePart& part, List* shown, Put put) {
  List* aggregates = NIL;
  List* levels = NIL;
  List* forms = NIL;
  ListCell *cell, *level, *form;
  foreach (cell, shown) {
    auto* const one = static_cast<ShownAggregate*>(lfirst(cell));
    if (one->part != &part) continue;
    aggregates = lappend(aggregates, one);
    levels = lappend(levels, read_level(part, one->aggregate, one->level_id));
    forms = lappend(forms, form_of(*one));
  }
  if (aggregates == NIL) return;
  KeyReader keys(part);
  MemoryContext const row_memory =
      AllocSetContextCreate(CurrentMemoryContext, "released answer", ALLOCSET_DEFAULT_SIZES);
  for (std::int64_t group = 0; group < part.groups; ++group) {
    CHECK_FOR_INTERRUPTS();
    const Datum key = keys.next();
    MemoryContext const outer = MemoryContextSwitchTo(row_memory);
    forthree(cell, aggregates, level, levels, form, forms) {
      const auto& one = *static_cast<ShownAggregate*>(lfirst(cell));
      const auto count = static_cast<std::size_t>(part.aggregates[one.aggregate].coordinates);
      const Draw* const draws = static_cast<Draw*>(lfirst(level)) + group * static_cast<std::int64_t>(count);
      auto* const noisy = static_cast<noise::Int128*>(palloc(sizeof(noise::Int128) * count));
      for (std::size_t i = 0; i < count; ++i) noisy[i] = draws[i].noisy;
      put(result, ShownAnswer{one, *static_cast<aggregate::Form*>(lfirst(form)), key, {noisy, count}});
    }
    MemoryContextSwitchTo(outer);
    MemoryContextReset(row_memory);
  }
  MemoryContextDelete(row_memory);
  foreach (level, levels) pfree(lfirst(level));
}

template <class Put>
void show(FunctionCallInfo fcinfo, List* parts, List* shown, Put put) {
  InitMaterializedSRF(fcinfo, 0);
  ListCell* cell;
  foreach (cell, parts) {
    show_part(reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo), *static_cast<ReleasePart*>(lfirst(cell)), shown,
              put);
  }
}

// The answers that the current role holds.
template <class Put>
void show_held(FunctionCallInfo fcinfo, const char* function, AggregateText aggregate, Put put) {
  const std::int64_t release = release_argument(fcinfo, function);
  ReleaseLock reading = ReleaseLock::against_forgetting();
  List* const parts = parts_or_refuse(release);
  const Oid user = GetUserId();
  if (parts_made_by(parts, user) == NIL && held_levels(parts, nullptr, user) == NIL) refuse_release(release);
  show(fcinfo, parts, held_levels(parts, aggregate, user), put);
  reading.release();
}

void put_release(const ReturnSetInfo* result, const ReleasePart& part, Oid table, const ReleasedAggregate& aggregate,
                 mechanism::Epsilon finest) {
  Datum values[] = {Int64GetDatum(part.release),
                    TimestampTzGetDatum(part.made_at),
                    ObjectIdGetDatum(part.role),
                    ObjectIdGetDatum(table),
                    CStringGetTextDatum(aggregate.label(finest)),
                    CStringGetTextDatum(aggregate.mechanism),
                    epsilon_numeric(static_cast<std::int64_t>(finest.nano)),
                    Int64GetDatum(part.groups),
                    part.query == nullptr ? Datum{0} : CStringGetTextDatum(part.query)};
  bool nulls[std::size(values)] = {};
  nulls[6] = !aggregate.relaxable();
  nulls[8] = part.query == nullptr;
  tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

int by_value(const ListCell* a, const ListCell* b) {
  const std::int64_t x = *static_cast<std::int64_t*>(lfirst(a)), y = *static_cast<std::int64_t*>(lfirst(b));
  return static_cast<int>(x > y) - static_cast<int>(x < y);
}

// The numbers of the releases of which the user may see something, ascending and possibly repeated. Other releases are
// not read.
List* visible_releases(Oid user) {
  List* const numbers = list_concat(releases_made_for(user), releases_held_by(user));
  list_sort(numbers, by_value);
  return numbers;
}

// Puts out what the user may see of a part beside one of its tables: everything as a curator of that, else the levels
// that it holds.
void put_part_of(Oid table, const ReturnSetInfo* result, const ReleasePart& part, const Paths& paths, Oid user) {
  const bool curator = is_curator(table, user);
  for (int i = 0; i < part.size; ++i) {
    const Path path(part, i, paths);
    const auto own = [user](Oid role) { return has_privs_of_role(user, role); };
    const mechanism::Epsilon finest = curator ? path.finest() : path.finest_held(own);
    if (finest.nano > 0) put_release(result, part, table, part.aggregates[i], finest);
  }
}

// As the ledger has a row for each table that was charged, so has the view of releases.
void put_part(const ReturnSetInfo* result, const ReleasePart& part, const Paths& paths, Oid user) {
  ListCell* cell;
  foreach (cell, part.tables) put_part_of(lfirst_oid(cell), result, part, paths, user);
}

void relax(FunctionCallInfo fcinfo) {
  PreventCommandIfParallelMode("relax_release()");
  const std::int64_t release = release_argument(fcinfo, "relax_release");
  const mechanism::Epsilon epsilon = epsilon_argument(fcinfo, 1, "relax_release");
  ReleaseLock reading = ReleaseLock::against_forgetting();
  List* const parts = parts_or_refuse(release);
  List* const own = parts_made_by(parts, GetUserId());
  if (own == NIL) refuse_to_relax(parts);
  show(fcinfo, own, bring_to_level(own, aggregate_argument(fcinfo, 2), GetUserId(), epsilon, "relax"), put_answer);
  reading.release();
}

}  // namespace

void set_last_release(std::int64_t release) { last_release = release; }

// dp_last_release() returns bigint.
DP_SQL_FUNCTION(dp_last_release) {
  if (last_release == 0) PG_RETURN_NULL();
  PG_RETURN_INT64(last_release);
}

// relax_release(release bigint, epsilon float8, aggregate text) returns setof dp.released_answer.
DP_SQL_FUNCTION(relax_release) {
  const pg::Uncounted uncounted(true);
  pg::call([fcinfo] { relax(fcinfo); });
  PG_RETURN_NULL();
}

// dp_answer(release bigint, aggregate text) returns setof dp.released_answer.
DP_SQL_FUNCTION(dp_answer) {
  show_held(fcinfo, "dp_answer", aggregate_argument(fcinfo, 1), put_answer);
  PG_RETURN_NULL();
}

// dp_errors(release bigint, confidence float8) returns setof dp.released_error.
DP_SQL_FUNCTION(dp_errors) {
  require_argument(fcinfo, 1, "dp_errors", "confidence");
  Intervals intervals(PG_GETARG_FLOAT8(1));
  show_held(fcinfo, "dp_errors", nullptr,
            [&intervals](const ReturnSetInfo* result, const ShownAnswer& shown) { intervals.put(result, shown); });
  PG_RETURN_NULL();
}

// dp.share_release(release bigint, role regrole, epsilon float8, aggregate text) returns void.
DP_SQL_FUNCTION(dp_share_release) {
  PreventCommandIfParallelMode("dp.share_release()");
  const std::int64_t release = release_argument(fcinfo, "dp.share_release");
  const Oid role = role_argument(fcinfo, 1, "dp.share_release");
  const mechanism::Epsilon epsilon = epsilon_argument(fcinfo, 2, "dp.share_release");
  ReleaseLock reading = ReleaseLock::against_forgetting();
  List* const parts = parts_or_refuse(release);
  require_curator_of_all(parts);
  bring_to_level(parts, aggregate_argument(fcinfo, 3), role, epsilon, "share");
  reading.release();
  PG_RETURN_VOID();
}

// dp.release_of(release bigint): the rows of dp.releases of that one.
DP_SQL_FUNCTION(dp_release_of) {
  const std::int64_t release = release_argument(fcinfo, "dp.release_of");
  InitMaterializedSRF(fcinfo, 0);
  ReleaseLock reading = ReleaseLock::against_forgetting();
  const Paths paths = read_paths(release);
  ListCell* cell;
  foreach (cell, read_parts(release)) {
    put_part(reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo), *static_cast<ReleasePart*>(lfirst(cell)), paths,
             GetUserId());
  }
  reading.release();
  PG_RETURN_NULL();
}

// dp_internal.read_releases(): the rows of dp.releases.
DP_SQL_FUNCTION(dp_read_releases) {
  InitMaterializedSRF(fcinfo, 0);
  const auto* const result = reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
  MemoryContext const memory = AllocSetContextCreate(CurrentMemoryContext, "release", ALLOCSET_DEFAULT_SIZES);
  ReleaseLock reading = ReleaseLock::against_forgetting();
  const Oid user = GetUserId();
  std::int64_t last = 0;
  ListCell *number, *cell;
  foreach (number, visible_releases(user)) {
    const std::int64_t release = *static_cast<std::int64_t*>(lfirst(number));
    if (release == std::exchange(last, release)) continue;
    CHECK_FOR_INTERRUPTS();
    MemoryContext const outer = MemoryContextSwitchTo(memory);
    const Paths paths = read_paths(release);
    foreach (cell, read_parts(release)) put_part(result, *static_cast<ReleasePart*>(lfirst(cell)), paths, user);
    MemoryContextSwitchTo(outer);
    MemoryContextReset(memory);
  }
  reading.release();
  PG_RETURN_NULL();
}

}  // namespace dp::budget
