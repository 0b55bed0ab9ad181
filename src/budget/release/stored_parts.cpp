#include "budget/release/stored_parts.h"

#include <algorithm>

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/frozen_rows.h"
#include "budget/catalog/joined_tables.h"
#include "budget/ledger/long_work.h"
#include "budget/release/small_part.h"
#include "core/noise/integers.h"

namespace dp::budget {
namespace {

// Columns of dp.release_part and dp.release_level.
enum PartColumn { kRelease = 1, kPart, kMadeAt, kRole, kRelation, kSmall = 11, kPartners };
enum LevelColumn { kLevelRelease = 1, kLevelPart, kNoisy = 6 };

std::span<StoredPart> all_parts(LongWork* work) {
  std::size_t count = 0, room = 1024;
  auto* parts = static_cast<StoredPart*>(palloc(room * sizeof(StoredPart)));
  for (NumberedRows row(own_tables().release_part); row.next();) {
    work->step();
    if (count == room) {
      room *= 2;
      parts = static_cast<StoredPart*>(repalloc_huge(parts, room * sizeof(StoredPart)));
    }
    parts[count++] = {row.whole(kRelease),
                      row.small(kPart),
                      DatumGetObjectId(row.value(kRole)),
                      joined_tables(row, kRelation, kPartners),
                      DatumGetTimestampTz(row.value(kMadeAt)),
                      row.is_null(kSmall) ? 0 : numbers_in_small(row.value(kSmall))};
  }
  return {parts, count};
}

}  // namespace

std::span<StoredPart> stored_parts() {
  LongWork work(Work::counting);
  const std::span<StoredPart> parts = all_parts(&work);
  auto at = parts.begin();  // the first part of a release that is not less than that of the level
  for (NumberedRows row(own_tables().release_level); row.next();) {
    work.step();
    while (at != parts.end() && at->release < row.whole(kLevelRelease)) ++at;
    const auto of_level = std::find_if(at, parts.end(), [&row](const StoredPart& part) {
      return part.release != row.whole(kLevelRelease) || part.number == row.small(kLevelPart);
    });
    if (of_level == parts.end() || of_level->release != row.whole(kLevelRelease)) continue;  // never finished
    // The length stands where the value does not.
    of_level->numbers +=
        static_cast<std::int64_t>((toast_raw_datum_size(row.value(kNoisy)) - VARHDRSZ) / sizeof(noise::Int128));
  }
  work.end();
  for (StoredPart& part : parts) part.numbers = std::max<std::int64_t>(part.numbers, 1);
  return parts;
}

}  // namespace dp::budget
