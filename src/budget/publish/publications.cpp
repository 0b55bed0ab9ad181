#include "budget/publish/publications.h"

#include "budget/catalog/extension_catalog.h"
#include "budget/policy/period.h"
#include "budget/publish/drawn.h"
#include "budget/publish/one_period.h"
#include "core/accumulate/stream_sums.h"
#include "pg/errors.h"
#include "pg/planner.h"

namespace dp::budget {
namespace {

constexpr const char* kKept[] = {"search_path", "dp.epsilon", "dp.mechanism", "dp.round", "dp.consistent"};

// By universal time, so that a period is the same one whoever publishes it, and casts of times keep their order.
constexpr const char* kOwn[][2] = {
    {"TimeZone", "UTC"}, {"DateStyle", "ISO, MDY"}, {"IntervalStyle", "postgres"}, {"dp.on_exhausted", "error"}};

void set(const char* name, const char* value) {
  set_config_option(name, value, superuser() ? PGC_SUSET : PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
}

void use_settings(const List* kept) {
  for (const auto& [name, value] : kOwn) set(name, value);
  for (int i = 0; i + 1 < list_length(kept); i += 2) set(strVal(list_nth(kept, i)), strVal(list_nth(kept, i + 1)));
}

Datum column(int number) {
  bool null;
  const Datum value = SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, number, &null);
  return null ? Datum{0} : value;
}

List* strings_of(Datum array) {
  Datum* values;
  int count;
  deconstruct_array(DatumGetArrayTypeP(array), TEXTOID, -1, false, TYPALIGN_INT, &values, nullptr, &count);
  List* strings = NIL;
  for (int i = 0; i < count; ++i) strings = lappend(strings, makeString(TextDatumGetCString(values[i])));
  return strings;
}

[[noreturn]] void refuse(const Publication& publication, int code, const char* what, const char* hint) {
  ereport(ERROR,
          (errcode(code), errmsg("publication %s %s", relation_name(publication.relation), what), errhint("%s", hint)));
  pg_unreachable();
}

void require_whole(const Publication& publication) {
  constexpr const char* kAnew = "dp.unpublish() ends it; publish it again as the role that it shall run as.";
  if (!role_exists(publication.owner))
    refuse(publication, ERRCODE_UNDEFINED_OBJECT, "has lost the role that it runs as", kAnew);
  Relation const table = table_open(publication.relation, RowExclusiveLock);
  const Oid owner = table->rd_rel->relowner;
  table_close(table, NoLock);
  if (owner != publication.owner) {
    refuse(
        publication, ERRCODE_INSUFFICIENT_PRIVILEGE,
        psprintf("belongs to role \"%s\" now, and runs as role \"%s\"", role_name(owner), role_name(publication.owner)),
        kAnew);
  }
  if (publication.running && publication.periods >= aggregate::kMostPeriods)
    refuse(publication, ERRCODE_PROGRAM_LIMIT_EXCEEDED, "has published as many totals as there may be", kAnew);
}

const char* table_name(const Publication& publication) {
  return quote_qualified_identifier(get_namespace_name(get_rel_namespace(publication.relation)),
                                    get_rel_name(publication.relation));
}

void fill(const Publication& publication, Publishing* now) {
  const char* const statement =
      psprintf("INSERT INTO %s SELECT dp.period_start(), dp.period_end(), q.* FROM (\n%s\n) AS q",
               table_name(publication), publication.query);
  now->statement = statement;
  // Plans that were made before know of no question to be found by.
  ResetPlanCache();
  if (publication.running) now->relation = require_one_period(publication.query);
  SPI_connect();
  const int done = SPI_execute(statement, false, 0);
  if (done != SPI_OK_INSERT) elog(ERROR, "could not run %s", statement);
  SPI_finish();
}

// What a failure leaves of this is put back by the end of the transaction, or of the subtransaction that caught it.
void fill_as_owner(const Publication& publication, Publishing* now) {
  Oid user;
  int context;
  GetUserIdAndSecContext(&user, &context);
  SetUserIdAndSecContext(publication.owner, context | SECURITY_RESTRICTED_OPERATION);
  const int level = NewGUCNestLevel();
  use_settings(publication.settings);
  fill(publication, now);
  AtEOXact_GUC(false, level);
  SetUserIdAndSecContext(user, context);
}

void run(const char* statement, int count, Oid* types, Datum* values) {
  as_owner_of_tables([=] {
    if (SPI_execute_with_args(statement, count, types, values, nullptr, false, 0) < 0)
      elog(ERROR, "could not run %s", statement);
  });
}

bool is_due(const Publication& publication) {
  const TimestampTz due = DatumGetTimestamp(DirectFunctionCall2(
      timestamp_pl_interval, TimestampGetDatum(publication.end), IntervalPGetDatum(&publication.delay)));
  return due <= GetCurrentTimestamp();
}

}  // namespace

List* settings_now() {
  List* kept = NIL;
  for (const char* const name : kKept) {
    const char* const value = GetConfigOptionByName(name, nullptr, true);
    if (value != nullptr) kept = lappend(lappend(kept, makeString(pstrdup(name))), makeString(pstrdup(value)));
  }
  return kept;
}

Publication* lock_publication(std::int64_t id, Oid relation) {
  Oid types[] = {INT8OID, OIDOID};
  Datum values[] = {Int64GetDatum(id), ObjectIdGetDatum(relation)};
  MemoryContext const memory = CurrentMemoryContext;
  Publication* found = nullptr;
  as_owner_of_tables([&] {
    if (SPI_execute_with_args("SELECT publication_id, relation::pg_catalog.oid, owner::pg_catalog.oid, query, every, "
                              "delay, running, settings, "
                              "next_start, next_end, periods, published_at FROM dp.publication WHERE publication_id "
                              "OPERATOR(pg_catalog.=) $1 "
                              "OR relation OPERATOR(pg_catalog.=) $2 FOR UPDATE",
                              2, types, values, nullptr, false, 1) != SPI_OK_SELECT)
      elog(ERROR, "could not read dp.publication");
    if (SPI_processed == 0) return;
    MemoryContext const outer = MemoryContextSwitchTo(memory);
    found = static_cast<Publication*>(palloc0(sizeof(Publication)));
    *found = {DatumGetInt64(column(1)),
              DatumGetObjectId(column(2)),
              DatumGetObjectId(column(3)),
              TextDatumGetCString(column(4)),
              {*DatumGetIntervalP(column(5)), false},
              *DatumGetIntervalP(column(6)),
              DatumGetBool(column(7)),
              strings_of(column(8)),
              DatumGetTimestampTz(column(9)),
              DatumGetTimestampTz(column(10)),
              DatumGetInt64(column(11)),
              DatumGetTimestampTz(column(12))};
    MemoryContextSwitchTo(outer);
  });
  return found;
}

bool publish_next(const Publication& publication) {
  if (!is_due(publication)) return false;
  require_whole(publication);
  const TimestampTz next = end_of(publication.every, publication.end);
  pg::entry([&] {
    Publishing now{publication.id,      publication.start,   publication.end,
                   publication.periods, publication.running, publication.last};
    {
      const WhilePublishing publishing(&now);
      pg::call([&] { fill_as_owner(publication, &now); });
    }
    pg::call([&] { forget_drawn(now); });
  });
  Oid types[] = {INT8OID, TIMESTAMPTZOID, TIMESTAMPTZOID, TIMESTAMPTZOID};
  Datum values[] = {Int64GetDatum(publication.id), TimestampTzGetDatum(publication.end), TimestampTzGetDatum(next),
                    TimestampTzGetDatum(GetCurrentTimestamp())};
  run("UPDATE dp.publication SET next_start = $2, next_end = $3, published_at = $4, periods = periods "
      "OPERATOR(pg_catalog.+) "
      "1, failures = 0, failed_at = NULL, last_sqlstate = NULL, last_error = NULL WHERE publication_id "
      "OPERATOR(pg_catalog.=) $1",
      4, types, values);
  return true;
}

void forget_rolled_back() {
  // One that is not committed yet would not be seen. Whoever has made one holds the lock of its row until then.
  const Oid made = table_of_publications("publication");
  if (IsolationUsesXactSnapshot() || !ConditionalLockRelationOid(made, ShareLock)) return;
  std::int64_t* gone = nullptr;
  std::uint64_t count = 0;
  MemoryContext const memory = CurrentMemoryContext;
  as_owner_of_tables([&] {
    if (SPI_execute("SELECT publication_id FROM dp.publication_draw UNION SELECT publication_id FROM "
                    "dp.publication_number EXCEPT SELECT publication_id FROM dp.publication",
                    false, 0) != SPI_OK_SELECT)
      elog(ERROR, "could not read dp.publication_draw");
    count = SPI_processed;
    gone = static_cast<std::int64_t*>(MemoryContextAlloc(memory, (count + 1) * sizeof(std::int64_t)));
    for (std::uint64_t i = 0; i < count; ++i) {
      bool null;
      gone[i] = DatumGetInt64(SPI_getbinval(SPI_tuptable->vals[i], SPI_tuptable->tupdesc, 1, &null));
    }
  });
  UnlockRelationOid(made, ShareLock);
  for (std::uint64_t i = 0; i < count; ++i) forget_publication(gone[i]);
}

void remove_publication(const Publication& publication) {
  forget_publication(publication.id);
  Oid types[] = {INT8OID};
  Datum values[] = {Int64GetDatum(publication.id)};
  run("DELETE FROM dp.publication WHERE publication_id OPERATOR(pg_catalog.=) $1", 1, types, values);
}

}  // namespace dp::budget
