#include "aggregate/unit/shipped_units.h"

#include <algorithm>
#include <utility>

#include "pg/errors.h"

namespace dp::aggregate {
namespace {

// What is shipped: this; and blocks of records or of pages, each behind its size, here or in the process's file.
struct Head {
  std::uint64_t record_bytes;  // 0: nothing, as the units were shipped with another aggregate
  std::uint64_t page_bytes;    // 0: records
  Oid type;                    // of the units
  std::int32_t process;        // whose file it is
  std::uint64_t in_file;       // whether it is there
};

constexpr std::size_t kBlock = 64 * 1024;
constexpr std::size_t kMostInValue = 16 * 1024 * 1024;

[[noreturn]] void refuse_units() {
  ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED), errmsg("privacy units of a parallel worker are not what it sent")));
  pg_unreachable();
}

const char* name_of_file(std::int32_t process) { return psprintf("units of process %d", process); }

class Writer {
 public:
  Writer(const Head& head, FileSet* files)
      : head_(head), files_(files), most_(std::min(get_hash_memory_limit(), kMostInValue)) {
    initStringInfo(&value_);
    value_.len = VARHDRSZ + sizeof(Head);
    grow(kBlock);
  }

  // A place for the next bytes, at most so many and packed::kSlack behind them; they do not go to two blocks.
  char* place(std::size_t most) {
    if (room_ - used_ < most) {
      write_block();
      if (room_ < most) grow(most);
    }
    return block_ + used_;
  }

  // They have been written there, up to here.
  void wrote(const char* end) { used_ = static_cast<std::size_t>(end - block_); }

  bytea* end() {
    write_block();
    head_.in_file = file_ != nullptr;
    if (file_ != nullptr) {
      BufFileExportFileSet(file_);
      BufFileClose(file_);
    }
    auto* const value = reinterpret_cast<bytea*>(value_.data);
    SET_VARSIZE(value, value_.len);
    std::memcpy(VARDATA(value), &head_, sizeof head_);
    return value;
  }

 private:
  void grow(std::size_t room) {
    if (block_ != nullptr) pfree(block_);
    block_ = static_cast<char*>(MemoryContextAllocHuge(CurrentMemoryContext, room + packed::kSlack));
    room_ = room;
  }

  // Puts the block into the value; or into the file, from where the value gets too long on.
  void write_block() {
    CHECK_FOR_INTERRUPTS();
    if (used_ == 0) return;
    const std::uint64_t size = std::exchange(used_, 0);
    if (file_ == nullptr && static_cast<std::size_t>(value_.len) + sizeof size + size <= most_) {
      appendBinaryStringInfo(&value_, reinterpret_cast<const char*>(&size), sizeof size);
      appendBinaryStringInfo(&value_, block_, static_cast<int>(size));
      return;
    }
    if (file_ == nullptr) open_file();
    BufFileWrite(file_, const_cast<std::uint64_t*>(&size), sizeof size);
    BufFileWrite(file_, block_, size);
  }

  void open_file() {
    constexpr int kStart = VARHDRSZ + sizeof(Head);
    file_ = BufFileCreateFileSet(files_, name_of_file(head_.process));
    BufFileWrite(file_, value_.data + kStart, static_cast<std::size_t>(value_.len - kStart));
    value_.len = kStart;
  }

  Head head_;
  FileSet* files_;
  std::size_t most_;
  StringInfoData value_;
  BufFile* file_ = nullptr;
  char* block_ = nullptr;
  std::size_t room_ = 0;
  std::size_t used_ = 0;
};

class Reader {
 public:
  Reader(const Head& head, const bytea* shipped, FileSet* files)
      : from_(VARDATA_ANY(shipped) + sizeof head), end_(VARDATA_ANY(shipped) + VARSIZE_ANY_EXHDR(shipped)) {
    if (head.in_file != 0) file_ = BufFileOpenFileSet(files, name_of_file(head.process), O_RDONLY, false);
  }

  // The next block, with packed::kSlack behind it, good until the next call; false at the end.
  bool next(const char** block, const char** block_end) {
    CHECK_FOR_INTERRUPTS();
    std::uint64_t size = 0;
    const std::size_t found = read(&size, sizeof size);
    if (found == 0) return false;
    if (found != sizeof size) refuse_units();
    if (room_ < size) {
      if (block_ != nullptr) pfree(block_);
      room_ = std::max<std::size_t>(size, kBlock);
      block_ = static_cast<char*>(MemoryContextAllocHuge(CurrentMemoryContext, room_ + packed::kSlack));
    }
    if (read(block_, size) != size) refuse_units();
    *block = block_;
    *block_end = block_ + size;
    return true;
  }

  void end() {
    if (file_ != nullptr) BufFileClose(file_);
    if (block_ != nullptr) pfree(block_);
  }

 private:
  std::size_t read(void* into, std::size_t bytes) {
    if (file_ != nullptr) return BufFileRead(file_, into, bytes);
    const std::size_t found = std::min(bytes, static_cast<std::size_t>(end_ - from_));
    std::memcpy(into, from_, found);
    from_ += found;
    return found;
  }

  const char* from_;
  const char* end_;
  BufFile* file_ = nullptr;
  char* block_ = nullptr;
  std::size_t room_ = 0;
};

}  // namespace

bytea* ship_units(UnitGroup* group, FileSet* files) {
  UnitStates* const states = group->states;
  if (states == nullptr) {
    const Head nothing{};
    auto* const value = static_cast<bytea*>(palloc(VARHDRSZ + sizeof nothing));
    SET_VARSIZE(value, VARHDRSZ + sizeof nothing);
    std::memcpy(VARDATA(value), &nothing, sizeof nothing);
    return value;
  }
  if (files == nullptr) elog(ERROR, "a parallel plan over privacy units was not told where its files lie");
  const UnitTable& units = states->units();
  UnitPages* const pages = states->whole_pages();
  const std::size_t page_bytes = pages != nullptr ? states->page_bytes() : 0;
  Writer writer({units.record().bytes(), page_bytes, states->type(), ParallelWorkerNumber, 0}, files);
  if (pages != nullptr) {
    pages->empty_by_page([&writer, page_bytes](std::uint64_t number, const char* places) {
      char* const to = writer.place(sizeof number + page_bytes);
      std::memcpy(to, &number, sizeof number);
      std::memcpy(to + sizeof number, places, page_bytes);
      writer.wrote(to + sizeof number + page_bytes);
    });
  } else {
    const UnitSpill& records = states->records();
    states->read_units();
    while (states->next_units()) {
      units.visit_records([&](const Unit& unit, const State& record) {
        writer.wrote(records.write(writer.place(records.most_bytes(unit)), unit,
                                   [&](char* to) { return units.record().pack(to, record); }));
      });
    }
  }
  bytea* const value = writer.end();
  states->end();
  return value;
}

// Adds what is in a block.
static void receive_pages(UnitStates* states, const char* from, const char* end) {
  const std::size_t bytes = states->page_bytes();
  std::uint64_t number;
  for (; from < end; from += bytes) {
    if (static_cast<std::size_t>(end - from) < sizeof number + bytes) refuse_units();
    std::memcpy(&number, from, sizeof number);
    from += sizeof number;
    states->add_page(number, from);
  }
}

static void receive_records(UnitStates* states, const char* from, const char* end) {
  while (from < end) {
    const UnitEntry entry = states->records().entry_at(from);
    if (entry.bytes > static_cast<std::size_t>(end - from)) refuse_units();
    states->add_record(entry);
    from += entry.bytes;
  }
}

void receive_units(MemoryContext above, UnitGroup* group, const bytea* shipped, FileSet* files) {
  Head head;
  if (VARSIZE_ANY_EXHDR(shipped) < sizeof head) refuse_units();
  std::memcpy(&head, VARDATA_ANY(shipped), sizeof head);
  if (head.record_bytes == 0) return;
  if (group->states == nullptr) UnitStates::make(above, group, head.type);
  UnitStates* const states = group->states;
  if (head.record_bytes != states->units().record().bytes() || head.type != states->type()) refuse_units();
  if (head.page_bytes != 0 && head.page_bytes != states->page_bytes()) refuse_units();
  Reader reader(head, shipped, files);
  const char *from, *end;
  while (reader.next(&from, &end)) {
    if (head.page_bytes != 0) {
      receive_pages(states, from, end);
    } else {
      receive_records(states, from, end);
    }
  }
  reader.end();
}

}  // namespace dp::aggregate
