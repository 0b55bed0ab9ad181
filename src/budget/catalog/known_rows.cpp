#include "budget/catalog/known_rows.h"

#include <string_view>

#include "pg/errors.h"

namespace dp::budget {
namespace {

constexpr int kPlaces = 256;   // a power of two
constexpr int kMost = 1024;    // lists in memory, those included that nobody finds any more
constexpr int kLongest = 256;  // rows of one list

struct Place {
  bool taken;
  KnownKey key;
  List* rows;
};

Place places[kPlaces];
MemoryContext memory = nullptr;
int kept = 0;
std::uint64_t changes = 0;

Place& place_of(const KnownKey& key) {
  const std::uint32_t mixed = key.relation * 31 + key.role * 7 + static_cast<std::uint32_t>(key.kind) * 61;
  return places[mixed % kPlaces];
}

void forget_all() {
  for (Place& place : places) place.taken = false;
  if (memory != nullptr) MemoryContextReset(memory);
  kept = 0;
}

// Called when a relation changes; InvalidOid: any may have.
void invalidate(Datum, Oid relation) {
  ++changes;
  if (kept == 0) return;
  if (!OidIsValid(relation)) return forget_all();
  for (Place& place : places) {
    if (place.key.table == relation || !OidIsValid(place.key.table)) place.taken = false;
  }
}

// Whether all statements that write to the table make themselves known.
bool is_watched(Oid table) {
  if (!OidIsValid(table)) return true;
  Relation const opened = table_open(table, AccessShareLock);
  const TriggerDesc* const triggers = opened->trigdesc;
  bool watched = false;
  for (int i = 0; triggers != nullptr && i < triggers->numtriggers; ++i) {
    const Trigger& trigger = triggers->triggers[i];
    const bool ours = std::string_view(trigger.tgname) == "policy_written";
    watched = watched || (ours && trigger.tgenabled == TRIGGER_FIRES_ALWAYS);
  }
  table_close(opened, AccessShareLock);
  return watched;
}

}  // namespace

List* const* find_known(const KnownKey& key) {
  AcceptInvalidationMessages();
  const Place& place = place_of(key);
  return place.taken && place.key == key ? &place.rows : nullptr;
}

std::uint64_t known_changes() { return changes; }

void keep_known(const KnownKey& key, std::uint64_t since, const List* rows, CopyRows copy) {
  static bool registered = false;
  if (!registered) {
    // What was read before this is not kept: its changes were not heard of.
    CacheRegisterRelcacheCallback(invalidate, 0);
    registered = true;
    return;
  }
  if (list_length(rows) > kLongest || !is_watched(key.table) || since != changes) return;
  if (memory == nullptr) memory = AllocSetContextCreate(CacheMemoryContext, "pg_dp policies", ALLOCSET_SMALL_SIZES);
  if (kept == kMost) forget_all();
  MemoryContext const outer = MemoryContextSwitchTo(memory);
  Place& place = place_of(key);
  place = {false, key, copy(rows)};
  place.taken = true;
  ++kept;
  MemoryContextSwitchTo(outer);
}

// dp_internal.policy_written() returns trigger: for each row that a statement writes.
DP_SQL_FUNCTION(dp_policy_written) {
  if (!CALLED_AS_TRIGGER(fcinfo)) {
    ereport(ERROR, (errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
                    errmsg("dp_internal.policy_written() was not called as a trigger"),
                    errhint("The tables of pg_dp call it by themselves.")));
  }
  rows_changed(reinterpret_cast<const TriggerData*>(fcinfo->context)->tg_relation);
  PG_RETURN_POINTER(nullptr);
}

}  // namespace dp::budget
