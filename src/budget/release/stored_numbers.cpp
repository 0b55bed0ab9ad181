#include "budget/release/stored_numbers.h"

#include <algorithm>
#include <limits>

#include "budget/catalog/extension_catalog.h"
#include "budget/ledger/shared_database.h"
#include "budget/release/stored_parts.h"

namespace dp::budget {
namespace {

constexpr int kMostOfStatement = 30'000'000;

int most_of_statement = kMostOfStatement;
int most_of_role = -1;

struct Stored {
  Oid relation;
  Oid account;  // the role that made them
  std::int64_t numbers;
};
using StoredNumbers = Slots<Stored>;

// What is stored meanwhile is missing until the next time.
void count(Database* here) {
  MemoryContext const memory = AllocSetContextCreate(CurrentMemoryContext, "stored numbers", ALLOCSET_DEFAULT_SIZES);
  MemoryContext const outer = MemoryContextSwitchTo(memory);
  StoredNumbers* all = StoredNumbers::make(64);
  for (const StoredPart& part : stored_parts())
    StoredNumbers::enter(&all, linitial_oid(part.tables), part.role)->numbers += part.numbers;
  dsa_pointer fresh = shared_copy(*all);
  MemoryContextSwitchTo(outer);
  MemoryContextDelete(memory);
  LWLockAcquire(&here->stored_lock, LW_EXCLUSIVE);
  std::swap(fresh, here->stored);
  here->stored_known = true;
  LWLockRelease(&here->stored_lock);
  free_shared(fresh);
}

StoredNumbers* stored_of(const Database& here) { return static_cast<StoredNumbers*>(shared_address(here.stored)); }

std::int64_t stored_by(Oid role) {
  Database& here = this_database();
  LWLockAcquire(&here.stored_lock, LW_SHARED);
  if (!here.stored_known) {
    LWLockRelease(&here.stored_lock);
    count(&here);
    LWLockAcquire(&here.stored_lock, LW_SHARED);
  }
  std::int64_t numbers = 0;
  stored_of(here)->visit([&](const Stored& stored) {
    if (stored.account == role) numbers += stored.numbers;
  });
  LWLockRelease(&here.stored_lock);
  return numbers;
}

}  // namespace

std::int64_t room_for_numbers(Oid role) {
  const std::int64_t of_role =
      most_of_role < 0 ? most_of_statement : std::max<std::int64_t>(0, most_of_role - stored_by(role));
  return std::min<std::int64_t>(most_of_statement, of_role);
}

void require_room_for_numbers(Oid role, std::int64_t numbers) {
  if (numbers <= room_for_numbers(role)) return;
  const bool of_statement = numbers > most_of_statement;
  ereport(ERROR,
          (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
           of_statement ? errmsg("a level of %lld numbers cannot be stored: a statement stores %d at most",
                                 static_cast<long long>(numbers), most_of_statement)
                        : errmsg("a level of %lld numbers cannot be stored: role \"%s\" has stored %lld of %d",
                                 static_cast<long long>(numbers), role_name(role),
                                 static_cast<long long>(stored_by(role)), most_of_role),
           errhint("Nothing was charged. A curator forgets old releases: SELECT dp.forget_releases('90 days'); a "
                   "superuser raises %s.",
                   of_statement ? "dp.max_numbers_per_statement" : "dp.max_numbers_per_role")));
}

void add_stored(Oid relation, Oid role, std::int64_t numbers) {
  Database& here = this_database();
  if (!here.stored_known) return;  // most sites have no limit: nobody counts
  LWLockAcquire(&here.stored_lock, LW_EXCLUSIVE);
  if (here.stored_known) {
    make_room<Stored>(&here.stored, 1);
    stored_of(here)->enter(relation, role)->numbers += std::max<std::int64_t>(numbers, 1);
  }
  LWLockRelease(&here.stored_lock);
}

void count_stored_anew() {
  if (!databases_installed()) return;
  Database& here = this_database();
  LWLockAcquire(&here.stored_lock, LW_EXCLUSIVE);
  here.stored_known = false;
  LWLockRelease(&here.stored_lock);
}

void define_number_settings() {
  DefineCustomIntVariable("dp.max_numbers_per_statement",
                          "How many noisy numbers of one statement may be stored, whatever dp.keep_releases says.",
                          "A statement with more numbers is answered and leaves no release. 32 bytes each.",
                          &most_of_statement, kMostOfStatement, 0, kMostOfStatement, PGC_SUSET, 0, nullptr, nullptr,
                          nullptr);
  DefineCustomIntVariable(
      "dp.max_numbers_per_role", "How many noisy numbers may be stored of what one role has asked in this database.",
      "Beyond that its statements are answered and leave no release. -1: as many as there are.", &most_of_role, -1, -1,
      std::numeric_limits<int>::max(), PGC_SUSET, 0, nullptr, nullptr, nullptr);
}

}  // namespace dp::budget
