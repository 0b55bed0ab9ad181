// Where the ledger is written: by which server, on which timeline, in which database, in which files.
//
// A copy that goes on by itself knows nothing of what the original answers from then on, and draws the same releases
// once more. So the place stands in a frozen row of dp.ledger_place, and where it is another one than that row says,
// charges wait for a superuser (dp.confirm_ledger()). The row also says from which entry on none may be missing.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>

#include "pg/server.h"

namespace dp::budget {

// Why nothing is charged until a superuser confirms the ledger.
enum class Doubt : std::uint8_t {
  none,
  moved,            // it was written elsewhere
  entries_missing,  // a number is skipped, or is lower than it was
  release_unknown,  // there is a release that no entry mentions
  carried_changed,  // what entries were folded into is not what it was
  unwatched         // the triggers that tell of direct writes do not always fire
};

struct Place {
  std::uint64_t system;  // what initdb gave the server
  TimeLineID timeline;   // another one after each promotion and each restore to a point in time
  Oid database;
  char files[64];  // what a copy of the data directory changes

  friend bool operator==(const Place& a, const Place& b) {
    return a.system == b.system && a.timeline == b.timeline && a.database == b.database &&
           std::strcmp(a.files, b.files) == 0;
  }
};

// The newest row of dp.ledger_place.
struct Settled {
  Place place;
  std::int64_t seq;      // entries up to this one may be missing
  std::int64_t release;  // releases up to this one may be mentioned by none
};
std::optional<Settled> last_settled();

// Of this session; not in recovery.
Place place_now();

// Whether what was written there may be gone on with here: because it is the same, or because this server was promoted
// in its place and dp.failover_is_synchronous says that nothing was lost then.
bool is_continued(const Place& was, const Place& is);

// Says that the ledger is here from now on. Frozen: in force at once, whatever becomes of the transaction.
void settle(std::int64_t seq, std::int64_t release);

// What it is, in a word or two; nullptr for none.
const char* name_of(Doubt doubt);

// DP007 unless there is none.
void require_none(Doubt doubt);

// Defines dp.failover_is_synchronous. Called once, when the library is loaded at the server's start.
void define_place_settings();

}  // namespace dp::budget
