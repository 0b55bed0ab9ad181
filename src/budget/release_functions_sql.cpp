// The SQL functions over releases: relax_release, dp_answer, dp.share_release, dp_last_release, and the view dp.releases.
#include "mechanism/privacy.h"

#include "aggregate/form_sql.h"
#include "budget/accounts_sql.h"
#include "budget/decimal_sql.h"
#include "budget/last_release_sql.h"
#include "budget/relax_sql.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

std::int64_t last_release = 0;

template <class T, class F>
T required(FunctionCallInfo fcinfo, int position, const char* function, const char* name, F get) {
  if (!PG_ARGISNULL(position)) return get(PG_GETARG_DATUM(position));
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("%s of %s must not be NULL", name, function),
                  errhint("After a charged query, dp_last_release() is the number of its release.")));
  pg_unreachable();
}

std::int64_t release_argument(FunctionCallInfo fcinfo, const char* function) {
  return required<std::int64_t>(fcinfo, 0, function, "release", [](Datum d) { return DatumGetInt64(d); });
}

std::int64_t epsilon_argument(FunctionCallInfo fcinfo, int position, const char* function) {
  const double epsilon = required<double>(fcinfo, position, function, "epsilon", [](Datum d) { return DatumGetFloat8(d); });
  return static_cast<std::int64_t>(mechanism::Epsilon::from(epsilon).nano);
}

AggregateText aggregate_argument(FunctionCallInfo fcinfo, int position) {
  return PG_ARGISNULL(position) ? nullptr : text_to_cstring(PG_GETARG_TEXT_PP(position));
}

// The same words whether it does not exist or is somebody else's.
[[noreturn]] void refuse_release(std::int64_t release) {
  ereport(ERROR, (errcode(pg::kNoSuchRelease), errmsg("there is no release %lld for you", static_cast<long long>(release)),
                  errhint("SELECT * FROM dp.releases; lists yours. A release is left by a charged query that has ended, unless "
                          "dp.keep_releases is 0.")));
  pg_unreachable();
}

List* parts_or_refuse(std::int64_t release) {
  List* const parts = read_parts(release);
  if (parts == NIL) refuse_release(release);
  return parts;
}

const ReleasePart& first_of(List* parts) { return *static_cast<ReleasePart*>(linitial(parts)); }

// ---- answers as JSON ----------------------------------------------------------------------------------------------------

JsonbValue number_value(Datum value, Oid type) {
  Datum number = value;
  if (type == INT8OID) number = NumericGetDatum(int64_to_numeric(DatumGetInt64(value)));
  if (type == FLOAT8OID) {
    // Through its shortest text: float8's own cast to numeric drops digits.
    number = DirectFunctionCall3(numeric_in, DirectFunctionCall1(float8out, value), ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
  }
  JsonbValue json;
  json.type = jbvNumeric;
  json.val.numeric = DatumGetNumeric(number);
  return json;
}

Datum answer_json(const aggregate::Form& form, noise::Int128View noisy) {
  const Datum answer = aggregate::answer_of(form, noisy);
  const Oid type = aggregate::answer_type(form.kind);
  if (form.kind != aggregate::Form::Kind::bigints) {
    JsonbValue value = number_value(answer, type);
    return JsonbPGetDatum(JsonbValueToJsonb(&value));
  }
  Datum* counts;
  int size;
  deconstruct_array(DatumGetArrayTypeP(answer), INT8OID, sizeof(int64), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE, &counts, nullptr, &size);
  JsonbParseState* state = nullptr;
  pushJsonbValue(&state, WJB_BEGIN_ARRAY, nullptr);
  for (int i = 0; i < size; ++i) {
    JsonbValue value = number_value(counts[i], INT8OID);
    pushJsonbValue(&state, WJB_ELEM, &value);
  }
  return JsonbPGetDatum(JsonbValueToJsonb(pushJsonbValue(&state, WJB_END_ARRAY, nullptr)));
}

// ---- rows -----------------------------------------------------------------------------------------------------------------

// The aggregates of one part, group by group.
void show_part(ReturnSetInfo* result, const ReleasePart& part, List* shown) {
  const Datum* const keys = read_keys(part);
  List* levels = NIL;
  ListCell* cell;
  foreach (cell, shown) {
    const auto& one = *static_cast<ShownAggregate*>(lfirst(cell));
    levels = lappend(levels, one.part == &part ? read_level(part, one.aggregate, one.level_id) : nullptr);
  }
  MemoryContext const row_memory = AllocSetContextCreate(CurrentMemoryContext, "released answer", ALLOCSET_DEFAULT_SIZES);
  for (std::int64_t group = 0; group < part.groups; ++group) {
    CHECK_FOR_INTERRUPTS();
    MemoryContextReset(row_memory);
    MemoryContext const outer = MemoryContextSwitchTo(row_memory);
    ListCell* level;
    forboth(cell, shown, level, levels) {
      if (lfirst(level) == nullptr) continue;
      const auto& one = *static_cast<ShownAggregate*>(lfirst(cell));
      const ReleasedAggregate& aggregate = part.aggregates[one.aggregate];
      const auto count = static_cast<std::size_t>(aggregate.coordinates);
      const Draw* const draws = static_cast<Draw*>(lfirst(level)) + group * aggregate.coordinates;
      auto* const noisy = static_cast<noise::Int128*>(palloc(sizeof(noise::Int128) * count));
      for (std::size_t i = 0; i < count; ++i) noisy[i] = draws[i].noisy;
      Datum values[] = {keys[group], CStringGetTextDatum(aggregate.name), answer_json(aggregate.form, {noisy, count}),
                        Float8GetDatum(mechanism::Epsilon{static_cast<std::uint64_t>(one.epsilon)}.value())};
      bool nulls[std::size(values)] = {};
      tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
    }
    MemoryContextSwitchTo(outer);
  }
  MemoryContextDelete(row_memory);
}

void show(FunctionCallInfo fcinfo, List* parts, List* shown) {
  InitMaterializedSRF(fcinfo, 0);
  ListCell* cell;
  foreach (cell, parts) {
    show_part(reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo), *static_cast<ReleasePart*>(lfirst(cell)), shown);
  }
}

// The roles that hold something of a release and whose privileges the user has: the finest level per aggregate is theirs together.
std::int64_t finest_for(const ReleasePart& part, int aggregate, List* holdings, Oid user, bool curator) {
  const auto counts = [&](Oid role) { return curator || has_privs_of_role(user, role); };
  std::int64_t finest = counts(part.role) ? part.aggregates[aggregate].epsilon : 0;
  ListCell* cell;
  foreach (cell, holdings) {
    const auto& holding = *static_cast<Holding*>(lfirst(cell));
    if (holding.part == part.number && holding.aggregate == aggregate && counts(holding.role)) finest = Max(finest, holding.epsilon);
  }
  return finest;
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
  const std::int64_t release = release_argument(fcinfo, "relax_release");
  const std::int64_t epsilon = epsilon_argument(fcinfo, 1, "relax_release");
  List* const parts = parts_or_refuse(release);
  if (first_of(parts).role != GetUserId()) {
    if (held_levels(parts, nullptr, GetUserId()) == NIL) refuse_release(release);
    ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
                    errmsg("release %lld was shared with you; only the role that made it can relax it", static_cast<long long>(release)),
                    errhint("Read it with dp_answer(%lld), or ask a curator to share it at a larger epsilon.", static_cast<long long>(release))));
  }
  show(fcinfo, parts, bring_to_level(parts, aggregate_argument(fcinfo, 2), GetUserId(), epsilon, "relax"));
  PG_RETURN_NULL();
}

// dp_answer(release bigint, aggregate text) returns setof dp.released_answer.
DP_SQL_FUNCTION(dp_answer) {
  const std::int64_t release = release_argument(fcinfo, "dp_answer");
  List* const parts = parts_or_refuse(release);
  const Oid user = GetUserId();
  if (first_of(parts).role != user && held_levels(parts, nullptr, user) == NIL) refuse_release(release);
  show(fcinfo, parts, held_levels(parts, aggregate_argument(fcinfo, 1), user));
  PG_RETURN_NULL();
}

// dp.share_release(release bigint, role regrole, epsilon float8) returns void.
DP_SQL_FUNCTION(dp_share_release) {
  const std::int64_t release = release_argument(fcinfo, "dp.share_release");
  const Oid role = required<Oid>(fcinfo, 1, "dp.share_release", "role", [](Datum d) { return DatumGetObjectId(d); });
  const std::int64_t epsilon = epsilon_argument(fcinfo, 2, "dp.share_release");
  List* const parts = parts_or_refuse(release);
  ListCell* cell;
  foreach (cell, parts) {
    if (is_curator(static_cast<ReleasePart*>(lfirst(cell))->relation, GetUserId())) continue;
    if (first_of(parts).role != GetUserId()) refuse_release(release);
    ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE), errmsg("only a curator of the table can share release %lld", static_cast<long long>(release)),
                    errhint("Ask the owner of the table, or a member of dp_curator.")));
  }
  bring_to_level(parts, nullptr, role, epsilon, "share");
  PG_RETURN_VOID();
}

// dp.read_releases(): the rows of dp.releases.
DP_SQL_FUNCTION(dp_read_releases) {
  InitMaterializedSRF(fcinfo, 0);
  const auto* const result = reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
  const Oid user = GetUserId();
  ListCell *number, *cell;
  foreach (number, read_release_numbers()) {
    const std::int64_t release = *static_cast<std::int64_t*>(lfirst(number));
    List* const holdings = read_holdings(release);
    foreach (cell, read_parts(release)) {
      const auto& part = *static_cast<ReleasePart*>(lfirst(cell));
      const bool curator = is_curator(part.relation, user);
      for (int i = 0; i < part.size; ++i) {
        const ReleasedAggregate& aggregate = part.aggregates[i];
        const std::int64_t finest = finest_for(part, i, holdings, user, curator);
        if (finest == 0) continue;
        Datum values[] = {Int64GetDatum(release), TimestampTzGetDatum(part.made_at), ObjectIdGetDatum(part.role),
                          ObjectIdGetDatum(part.relation), CStringGetTextDatum(aggregate.name),
                          CStringGetTextDatum(aggregate.mechanism), numeric(epsilon_decimal(finest)), Int64GetDatum(part.groups),
                          part.query == nullptr ? Datum{0} : CStringGetTextDatum(part.query)};
        bool nulls[std::size(values)] = {};
        nulls[6] = !aggregate.relaxable();
        nulls[8] = part.query == nullptr;
        tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
      }
    }
  }
  PG_RETURN_NULL();
}

}  // namespace dp::budget
