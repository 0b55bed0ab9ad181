#include "budget/ledger/place.h"

#include <sys/fcntl.h>
#include <sys/stat.h>

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/frozen_rows.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

enum Column { kNumber = 1, kSeq, kRelease, kSystem, kTimeline, kDatabase, kFiles };

bool failover_is_synchronous = false;

// A file that initdb makes and nobody writes again. A copy has another number, or was born at another moment.
void name_files(char* name, Size size) {
  struct statx file;
  if (statx(AT_FDCWD, "PG_VERSION", 0, STATX_INO | STATX_BTIME, &file) != 0)
    ereport(ERROR, (errcode_for_file_access(), errmsg("could not stat file \"PG_VERSION\" of the data directory: %m")));
  snprintf(name, size, "%llu %lld.%09u", static_cast<unsigned long long>(file.stx_ino),
           static_cast<long long>(file.stx_btime.tv_sec), file.stx_btime.tv_nsec);
}

const char* what_differs() {
  const std::optional<Settled> settled = last_settled();
  if (!settled) return "It has entries, and nothing says which server wrote them: they were restored.";
  const Place is = place_now();
  const Place& was = settled->place;
  if (was.system != is.system) return "Another server has written it.";
  if (was.database != is.database) return "It was written in another database, of which this one is a copy.";
  if (was.timeline != is.timeline)
    return psprintf(
        "It was written on timeline %u, and this is %u: the server was promoted, or restored to a point in time.",
        was.timeline, is.timeline);
  return "It was written in other files: the data directory is a copy.";
}

}  // namespace

std::optional<Settled> last_settled() {
  NumberedRows row(own_tables().ledger_place, std::nullopt, BackwardScanDirection);
  if (!row.next()) return std::nullopt;
  Settled settled = {{static_cast<std::uint64_t>(row.whole(kSystem)),
                      static_cast<TimeLineID>(row.whole(kTimeline)),
                      DatumGetObjectId(row.value(kDatabase)),
                      {}},
                     row.whole(kSeq),
                     row.whole(kRelease)};
  strlcpy(settled.place.files, TextDatumGetCString(row.value(kFiles)), sizeof settled.place.files);
  row.close();
  return settled;
}

Place place_now() {
  Place place = {GetSystemIdentifier(), GetWALInsertionTimeLine(), MyDatabaseId, {}};
  name_files(place.files, sizeof place.files);
  return place;
}

bool is_continued(const Place& was, const Place& is) {
  if (was == is) return true;
  return failover_is_synchronous && was.system == is.system && was.database == is.database &&
         was.timeline < is.timeline;
}

void settle(std::int64_t seq, std::int64_t release) {
  const Place is = place_now();
  append_frozen(
      own_tables().ledger_place,
      {Int64GetDatum(highest_number(own_tables().ledger_place) + 1), Int64GetDatum(seq), Int64GetDatum(release),
       Int64GetDatum(static_cast<std::int64_t>(is.system)), Int64GetDatum(is.timeline), ObjectIdGetDatum(is.database),
       CStringGetTextDatum(is.files), TimestampTzGetDatum(GetCurrentTimestamp()), ObjectIdGetDatum(GetUserId())});
}

const char* name_of(Doubt doubt) {
  switch (doubt) {
    case Doubt::none:
      break;
    case Doubt::moved:
      return "written elsewhere";
    case Doubt::entries_missing:
      return "entries missing";
    case Doubt::release_unknown:
      return "release unknown";
    case Doubt::carried_changed:
      return "carried entries changed";
    case Doubt::unwatched:
      return "triggers not always enabled";
  }
  return nullptr;
}

void require_none(Doubt doubt) {
  if (doubt == Doubt::none) return;
  const char* detail = "";
  switch (doubt) {
    case Doubt::none:
    case Doubt::moved:
      detail = what_differs();
      break;
    case Doubt::entries_missing:
      detail = "Entries are missing: a number is skipped, or the last one is lower than it was.";
      break;
    case Doubt::release_unknown:
      detail = "There is a release that no entry mentions: entries are missing.";
      break;
    case Doubt::carried_changed:
      detail = "Rows of kind 'carried', or others up to the last compaction, are not those that it has left.";
      break;
    case Doubt::unwatched:
      detail = "A trigger of dp.ledger_entry is not enabled as ALWAYS: who writes there by hand is not seen.";
      break;
  }
  ereport(ERROR, (errcode(pg::kLedgerInDoubt),
                  errmsg("the ledger of pg_dp is in doubt: nothing is charged until a superuser confirms it"),
                  errdetail("%s", detail),
                  errhint("A superuser who has made sure that no charge is lost says SELECT dp.confirm_ledger();")));
}

void define_place_settings() {
  DefineCustomBoolVariable(
      "dp.failover_is_synchronous", "Whether a promoted standby goes on charging without dp.confirm_ledger().",
      "Only for sites where every charge has reached the standby before its answer was shown, and where restores to a "
      "point in time are kept from answering otherwise.",
      &failover_is_synchronous, false, PGC_SIGHUP, 0, nullptr, nullptr, nullptr);
}

}  // namespace dp::budget
