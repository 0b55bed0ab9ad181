#include "budget/catalog/known_rows.h"

#include <string_view>

#include "budget/catalog/extension_catalog.h"
#include "pg/catalog.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

constexpr int kMost = 1024;    // lists in memory, those included that nobody finds any more
constexpr int kLongest = 256;  // rows of one list

// One entry of the table of what is known.
struct Entry {
  KnownKey key;
  List* rows;
};
static_assert(sizeof(KnownKey) == 4 * sizeof(std::uint32_t), "compared byte by byte");

HTAB* entries = nullptr;  // in the memory of the lists
MemoryContext memory = nullptr;
int kept = 0;
std::uint64_t changes = 0;

// Of what is looked up. Tables, with what belongs to them, are told of in another way. Who owns the database has the
// privileges of pg_database_owner.
constexpr pg::CacheId kCaches[] = {PROCOID,      TYPEOID, OPEROID,        AMOPOPID,   COLLOID,
                                   NAMESPACEOID, AUTHOID, AUTHMEMROLEMEM, DATABASEOID};

void forget_all() {
  if (memory != nullptr) MemoryContextReset(memory);
  entries = nullptr;
  kept = 0;
}

void prepare() {
  if (memory == nullptr) memory = AllocSetContextCreate(CacheMemoryContext, "pg_dp policies", ALLOCSET_SMALL_SIZES);
  if (entries != nullptr) return;
  HASHCTL control = {};
  control.keysize = sizeof(KnownKey);
  control.entrysize = sizeof(Entry);
  control.hcxt = memory;
  entries = hash_create("pg_dp policies", 64, &control, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

// Called when a relation changes; InvalidOid: any may have. Frees nothing, for what was found is good until the next
// look.
void invalidate(Datum, Oid relation) {
  ++changes;
  ++hearing.version.changes;
  if (entries == nullptr) return;
  HASH_SEQ_STATUS all;
  hash_seq_init(&all, entries);
  while (auto* const entry = static_cast<Entry*>(hash_seq_search(&all))) {
    const Oid table = entry->key.table;
    if (!OidIsValid(relation) || !OidIsValid(table) || table == relation)
      hash_search(entries, &entry->key, HASH_REMOVE, nullptr);
  }
}

void change_object(Datum, pg::CacheId, uint32) { ++hearing.version.changes; }

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
  if (entries == nullptr) return nullptr;
  const auto* const entry = static_cast<const Entry*>(hash_search(entries, &key, HASH_FIND, nullptr));
  return entry == nullptr ? nullptr : &entry->rows;
}

std::uint64_t known_changes() {
  static bool registered = false;
  if (!registered) CacheRegisterRelcacheCallback(invalidate, 0);
  registered = true;
  return changes;
}

void listen() {
  known_changes();
  for (const pg::CacheId cache : kCaches) CacheRegisterSyscacheCallback(cache, change_object, 0);
  hearing.listens = true;
}

void read_by_snapshot() { ++hearing.version.unkept; }

void keep_known(const KnownKey& key, std::uint64_t since, const List* rows, CopyRows copy) {
  if (list_length(rows) > kLongest || !is_watched(key.table) || since != changes) {
    ++hearing.version.unkept;
    return;
  }
  if (kept == kMost) forget_all();
  prepare();
  MemoryContext const outer = MemoryContextSwitchTo(memory);
  List* const copied = copy(rows);
  MemoryContextSwitchTo(outer);
  static_cast<Entry*>(hash_search(entries, &key, HASH_ENTER, nullptr))->rows = copied;
  ++kept;
}

// The plans of statements about the table that a row is about, and about those below it, are made anew: as after a call
// of the function that writes such rows.
static void invalidate_plans_of(Relation policies, HeapTuple row) {
  const int number = SPI_fnumber(RelationGetDescr(policies), "relation");
  if (row == nullptr || number <= 0) return;
  bool is_null;
  const Oid relation = DatumGetObjectId(heap_getattr(row, number, RelationGetDescr(policies), &is_null));
  if (is_null || !relation_exists(relation)) return;
  ListCell* cell;
  foreach (cell, find_all_inheritors(relation, NoLock, nullptr)) {
    if (relation_exists(lfirst_oid(cell))) CacheInvalidateRelcacheByRelid(lfirst_oid(cell));
  }
}

// dp_internal.policy_written() returns trigger: for each row that a statement writes.
DP_SQL_FUNCTION(dp_policy_written) {
  if (!CALLED_AS_TRIGGER(fcinfo)) {
    ereport(ERROR, (errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
                    errmsg("dp_internal.policy_written() was not called as a trigger"),
                    errhint("The tables of pg_dp call it by themselves.")));
  }
  const auto* const written = reinterpret_cast<const TriggerData*>(fcinfo->context);
  rows_changed(written->tg_relation);
  invalidate_plans_of(written->tg_relation, written->tg_trigtuple);
  if (TRIGGER_FIRED_BY_UPDATE(written->tg_event)) invalidate_plans_of(written->tg_relation, written->tg_newtuple);
  PG_RETURN_POINTER(nullptr);
}

}  // namespace dp::budget
