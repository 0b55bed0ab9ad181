// What a process of a parallel plan ships of its privacy units: a head, and blocks of records, places or pages, each
// behind its size, in a value or, where that would get too long, in a file of the leader's (unit_files.h).
#pragma once

#include <algorithm>
#include <utility>

#include "core/accumulate/packed_number.h"
#include "pg/errors.h"
#include "pg/server.h"

namespace dp::aggregate {

struct ShippedHead {
  std::uint64_t record_bytes;  // 0: nothing, as the units were shipped with another aggregate
  std::uint64_t page_bytes;    // of a page; 0: no pages
  std::uint64_t place_bytes;   // of a unit's place behind its word; 0: no places. Where neither is there: records
  std::uint64_t slots;         // where places are, and then records of other units: as UnitPlaces has them
  Oid type;                    // of the units
  std::int32_t process;        // whose file it is: -1 for the leader's
  std::uint64_t in_file;       // whether it is there
};

// Raises 22000 (data corrupted): what came is not what was shipped.
[[noreturn]] void refuse_units();

// A value of no units.
bytea* ship_nothing();

// The head of what was shipped. Raises that error.
ShippedHead head_of(const bytea* shipped);

class UnitWriter {
 public:
  UnitWriter(const ShippedHead& head, FileSet* files);

  // A place for the next bytes, at most so many and packed::kSlack behind them; they do not go to two blocks.
  char* place(std::size_t most) {
    if (room_ - used_ < most) {
      write_block();
      if (room_ < most) grow(most);
    }
    return block_ + used_;
  }

  // Ends the blocks: what comes then is read by itself (UnitReader::next).
  void end_part();

  // They have been written there, up to here.
  void wrote(const char* end) { used_ = static_cast<std::size_t>(end - block_); }

  bytea* end();

 private:
  void grow(std::size_t room);
  void write_block();
  void put_block();
  void open_file();

  ShippedHead head_;
  FileSet* files_;
  std::size_t most_;
  StringInfoData value_;
  BufFile* file_ = nullptr;
  char* block_ = nullptr;
  std::size_t room_ = 0;
  std::size_t used_ = 0;
};

class UnitReader {
 public:
  UnitReader(const ShippedHead& head, const bytea* shipped, FileSet* files);

  // The next block, with packed::kSlack behind it, good until the next call; false at the end of a part, and of all.
  bool next(const char** block, const char** block_end);
  void end();

 private:
  std::size_t read(void* into, std::size_t bytes);

  const char* from_;
  const char* end_;
  BufFile* file_ = nullptr;
  char* block_ = nullptr;
  std::size_t room_ = 0;
};

}  // namespace dp::aggregate
