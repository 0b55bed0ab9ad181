#include "budget/answers/shown_again.h"

#include <iterator>

#include "budget/catalog/decimal.h"
#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/frozen_rows.h"
#include "budget/catalog/ledger_rows.h"
#include "budget/policy/accounts.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

namespace column {
enum { answer = 1, shown_at, role, relation, application, query };
}

// The note that this session has seen last, so that it need not look for it each time. No other answer gets the number
// of one that was forgotten.
struct Noted {
  std::int64_t answer;
  Oid role;
  TimestampTz at;
};
Noted last_noted[16];

Noted& last_note(std::int64_t answer, Oid role) {
  return last_noted[(static_cast<std::uint64_t>(answer) + role) % std::size(last_noted)];
}

bool is_just_now(TimestampTz at, TimestampTz now) { return at <= now && now - at < USECS_PER_MINUTE; }

// Whether that role was. The newest rows lie behind the others, and each role has one in a minute.
bool was_noted_just_now(std::int64_t answer, Oid role, TimestampTz now) {
  Noted& last = last_note(answer, role);
  if (last.answer == answer && last.role == role && is_just_now(last.at, now)) return true;
  for (NumberedRows rows(own_tables().stored_answer_shown, answer, BackwardScanDirection); rows.next();) {
    const TimestampTz at = DatumGetTimestampTz(rows.value(column::shown_at));
    const bool is_recent = is_just_now(at, now);
    const bool of_role = DatumGetObjectId(rows.value(column::role)) == role;
    if (is_recent && !of_role) continue;
    rows.close();
    if (is_recent) last = {answer, role, at};
    return is_recent;
  }
  return false;
}

}  // namespace

void note_shown(std::int64_t answer, Oid role, List* tables, const char* query) {
  const TimestampTz now = GetCurrentTimestamp();
  if (was_noted_just_now(answer, role, now)) return;
  const char* const application = application_name == nullptr ? "" : application_name;
  ListCell* cell;
  foreach (cell, tables) {
    append_frozen(own_tables().stored_answer_shown,
                  {Int64GetDatum(answer), TimestampTzGetDatum(now), ObjectIdGetDatum(role),
                   ObjectIdGetDatum(lfirst_oid(cell)), CStringGetTextDatum(application), ledger_text(query)},
                  query == nullptr ? column::query - 1 : SIZE_MAX);
  }
  last_note(answer, role) = {answer, role, now};
}

void forget_shown(std::int64_t answer) {
  for (NumberedRows row(own_tables().stored_answer_shown, answer); row.next();) row.try_to_remove();
}

// dp_internal.read_reuse() returns the columns of dp.reuse: the rows of the current role, and all of the tables that it
// is a curator of.
DP_SQL_FUNCTION(dp_read_reuse) {
  InitMaterializedSRF(fcinfo, 0);
  const auto* const result = reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
  for (NumberedRows row(own_tables().stored_answer_shown); row.next();) {
    const Oid role = DatumGetObjectId(row.value(column::role));
    const bool own = role_exists(role) && has_privs_of_role(GetUserId(), role);
    if (!own && !is_curator(DatumGetObjectId(row.value(column::relation)), GetUserId())) continue;
    Datum values[] = {row.value(column::shown_at),      row.value(column::role),        row.value(column::relation),
                      epsilon_numeric(std::int64_t{0}), row.value(column::application), row.value(column::query)};
    bool nulls[std::size(values)] = {};
    nulls[std::size(values) - 1] = row.is_null(column::query);
    tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
  }
  PG_RETURN_NULL();
}

}  // namespace dp::budget
