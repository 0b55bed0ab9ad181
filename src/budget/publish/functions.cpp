// dp.publish and its like.
#include <algorithm>

#include "budget/catalog/extension_catalog.h"
#include "budget/policy/curator.h"
#include "budget/policy/period.h"
#include "budget/policy/publishing.h"
#include "budget/publish/one_period.h"
#include "budget/publish/publications.h"
#include "budget/publish/workers.h"
#include "pg/analysis.h"
#include "pg/errors.h"
#include "pg/random_bits.h"

namespace dp::budget {
namespace {

constexpr const char* kPublish =
    "dp.publish('daily_visits', 'SELECT ward, count(*) FROM visits WHERE admitted >= dp.period_start() AND admitted < "
    "dp.period_end() GROUP BY ward', every => '1 day')";

const char* text_argument(FunctionCallInfo fcinfo, int number, const char* name) {
  if (PG_ARGISNULL(number)) refuse_null(name, kPublish);
  return text_to_cstring(PG_GETARG_TEXT_PP(number));
}

// Without the semicolon and the spaces at its end. Raises 22023 unless it is one SELECT.
const char* query_of(const char* text) {
  List* const statements = pg_parse_query(text);
  const Node* const only = list_length(statements) == 1 ? linitial_node(RawStmt, statements)->stmt : nullptr;
  if (only == nullptr || !IsA(only, SelectStmt) || reinterpret_cast<const SelectStmt*>(only)->intoClause != nullptr) {
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
             errmsg("a publication has one query, a SELECT, unlike: %s", text), errhint("For example %s.", kPublish)));
  }
  const auto* const raw = linitial_node(RawStmt, statements);
  return raw->stmt_len == 0 ? text : pnstrdup(text + raw->stmt_location, raw->stmt_len);
}

Interval delay_of(FunctionCallInfo fcinfo, int number) {
  if (PG_ARGISNULL(number)) return {};
  const Interval delay = *PG_GETARG_INTERVAL_P(number);
  Interval none{};
  if (DatumGetInt32(DirectFunctionCall2(interval_cmp, IntervalPGetDatum(&delay), IntervalPGetDatum(&none))) >= 0)
    return delay;
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("delay must not be less than nothing, like %s",
                         DatumGetCString(DirectFunctionCall1(interval_out, IntervalPGetDatum(&delay)))),
                  errhint("For example delay => '1 hour', for rows that come late.")));
  pg_unreachable();
}

Period every_of(FunctionCallInfo fcinfo, int number) {
  constexpr int kMostMonths = 1200, kMostDays = 36600;
  if (PG_ARGISNULL(number)) refuse_null("every", kPublish);
  const Interval& length = *PG_GETARG_INTERVAL_P(number);
  const bool months = length.month > 0 && length.month <= kMostMonths && length.day == 0 && length.time == 0;
  const bool time = length.month == 0 && length.day >= 0 && length.day <= kMostDays && length.time >= 0 &&
                    length.time <= USECS_PER_DAY * 366 && (length.day > 0 || length.time >= USECS_PER_MINUTE);
  const Period every{length, false};
  if (months || time) return every;
  ereport(ERROR,
          (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
           errmsg("every must be so many months, or so many days and hours, from a minute to a hundred years, not %s",
                  text_of(every)),
           errhint("For example %s.", kPublish)));
  pg_unreachable();
}

// What the caller is refused now it need not hear of from a worker.
void require_admissible(const char* query) {
  Oid types[] = {TEXTOID};
  Datum values[] = {CStringGetTextDatum(query)};
  MemoryContext const memory = CurrentMemoryContext;
  char *state = nullptr, *message = nullptr, *hint = nullptr;
  SPI_connect();
  if (SPI_execute_with_args("SELECT sqlstate, message, hint FROM dp.admissible($1) WHERE NOT admissible", 1, types,
                            values, nullptr, false, 1) != SPI_OK_SELECT)
    elog(ERROR, "could not look whether a query is admissible");
  if (SPI_processed > 0) {
    const auto copy = [memory](int number) -> char* {
      const char* const value = SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, number);
      return value == nullptr ? nullptr : MemoryContextStrdup(memory, value);
    };
    state = copy(1);
    message = copy(2);
    hint = copy(3);
  }
  SPI_finish();
  if (state == nullptr) return;
  ereport(ERROR, (errcode(MAKE_SQLSTATE(state[0], state[1], state[2], state[3], state[4])),
                  errmsg_internal("%s", message), hint == nullptr ? 0 : errhint("%s", hint)));
}

// The table to be filled, made as the caller.
Oid make_table(const char* name, const char* query) {
  List* const names = pg::parts_of_name(name);
  const RangeVar* const table = makeRangeVarFromNameList(names);
  const char* const quoted = table->schemaname == nullptr
                                 ? quote_identifier(table->relname)
                                 : quote_qualified_identifier(table->schemaname, table->relname);
  const char* const statements[] = {
      psprintf("CREATE TABLE %s AS SELECT dp.period_start(), dp.period_end(), q.* FROM (\n%s\n) AS q WITH NO DATA",
               quoted, query),
      psprintf("CREATE INDEX ON %s (period_start)", quoted)};
  SPI_connect();
  for (const char* const statement : statements)
    if (SPI_execute(statement, false, 0) < 0) elog(ERROR, "could not run %s", statement);
  SPI_finish();
  return RangeVarGetRelid(table, NoLock, false);
}

Datum settings_datum(List* settings) {
  const int count = list_length(settings);
  auto* const values = static_cast<Datum*>(palloc(sizeof(Datum) * static_cast<Size>(count + 1)));
  for (int i = 0; i < count; ++i) values[i] = CStringGetTextDatum(strVal(list_nth(settings, i)));
  return PointerGetDatum(construct_array(values, count, TEXTOID, -1, false, TYPALIGN_INT));
}

void require_no_publishing() {
  if (publishing() == nullptr && !InSecurityRestrictedOperation()) return;
  ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
                  errmsg("nothing can be published by a query that is being published, or by a materialized view"),
                  errhint("Call dp.publish() and dp.publish_now() by themselves.")));
}

// The publication of that argument, of which the caller may dispose; locked.
Publication* own_publication(FunctionCallInfo fcinfo, const char* example) {
  const Oid relation = oid_argument(fcinfo, 0, "publication", example);
  Publication* const found = lock_publication(-1, relation);
  if (found == nullptr) {
    ereport(ERROR, (errcode(ERRCODE_UNDEFINED_OBJECT), errmsg("table %s is no publication", relation_name(relation)),
                    errhint("SELECT relation FROM dp.publications; tells which there are.")));
  }
  if (!role_exists(found->owner) ? !superuser() : !has_privs_of_role(GetUserId(), found->owner)) {
    ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
                    errmsg("publication %s is that of role \"%s\"", relation_name(relation), role_name(found->owner)),
                    errhint("That role calls %s.", example)));
  }
  return found;
}

}  // namespace

// dp.publish(name text, query text, every interval, since timestamptz, delay interval, running boolean) returns
// regclass.
DP_SQL_FUNCTION(dp_publish) {
  const char* const name = text_argument(fcinfo, 0, "name");
  const char* const query = query_of(text_argument(fcinfo, 1, "query"));
  const Period every = every_of(fcinfo, 2);
  const TimestampTz since = PG_ARGISNULL(3) ? GetCurrentTransactionStartTimestamp() : PG_GETARG_TIMESTAMPTZ(3);
  if (TIMESTAMP_NOT_FINITE(since)) {
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("since must be a moment, not infinity"),
                    errhint("Leave it out, and the period begins that holds now.")));
  }
  Interval delay = delay_of(fcinfo, 4);
  const bool running = !PG_ARGISNULL(5) && PG_GETARG_BOOL(5);
  PreventCommandIfReadOnly("dp.publish()");
  PreventCommandDuringRecovery("dp.publish()");
  require_no_publishing();
  require_admissible(query);
  if (running) require_one_period(query);
  const Oid relation = make_table(name, query);
  const TimestampTz start = expired_until(every, since) + 1;
  Interval length = every.length;
  Oid types[] = {INT8OID, OIDOID,       OIDOID,         TEXTOID,        INTERVALOID,   INTERVALOID,
                 BOOLOID, TEXTARRAYOID, TIMESTAMPTZOID, TIMESTAMPTZOID, TIMESTAMPTZOID};
  Datum values[] = {Int64GetDatum(static_cast<std::int64_t>(pg::random_bits().bits(62))),
                    ObjectIdGetDatum(relation),
                    ObjectIdGetDatum(GetUserId()),
                    CStringGetTextDatum(query),
                    IntervalPGetDatum(&length),
                    IntervalPGetDatum(&delay),
                    BoolGetDatum(running),
                    settings_datum(settings_now()),
                    TimestampTzGetDatum(start),
                    TimestampTzGetDatum(end_of(every, start)),
                    TimestampTzGetDatum(GetCurrentTransactionStartTimestamp())};
  forget_rolled_back();
  as_owner_of_tables([&] {
    if (SPI_execute_with_args(
            "INSERT INTO dp.publication (publication_id, relation, owner, query, every, delay, running, "
            "settings, next_start, next_end, published_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
            11, types, values, nullptr, false, 0) != SPI_OK_INSERT)
      elog(ERROR, "could not write to dp.publication");
  });
  wake_launcher();
  PG_RETURN_OID(relation);
}

// dp.unpublish(publication regclass) returns void.
DP_SQL_FUNCTION(dp_unpublish) {
  remove_publication(*own_publication(fcinfo, "dp.unpublish('daily_visits')"));
  forget_rolled_back();
  PG_RETURN_VOID();
}

// dp.publish_now(publication regclass) returns bigint: how many periods it has published.
DP_SQL_FUNCTION(dp_publish_now) {
  PreventCommandIfReadOnly("dp.publish_now()");
  PreventCommandDuringRecovery("dp.publish_now()");
  require_no_publishing();
  std::int64_t periods = 0;
  while (publish_next(*own_publication(fcinfo, "dp.publish_now('daily_visits')"))) {
    CommandCounterIncrement();
    ++periods;
  }
  PG_RETURN_INT64(periods);
}

}  // namespace dp::budget
