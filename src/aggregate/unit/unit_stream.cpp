#include "aggregate/unit/unit_stream.h"

namespace dp::aggregate {
namespace {

constexpr std::size_t kBlock = 64 * 1024;
constexpr std::size_t kMostInValue = 16 * 1024 * 1024;

const char* name_of_file(std::int32_t process) { return psprintf("units of process %d", process); }

}  // namespace

void refuse_units() {
  ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED), errmsg("privacy units of a parallel worker are not what it sent")));
  pg_unreachable();
}

bytea* ship_nothing() {
  const ShippedHead nothing{};
  auto* const value = static_cast<bytea*>(palloc(VARHDRSZ + sizeof nothing));
  SET_VARSIZE(value, VARHDRSZ + sizeof nothing);
  std::memcpy(VARDATA(value), &nothing, sizeof nothing);
  return value;
}

ShippedHead head_of(const bytea* shipped) {
  ShippedHead head;
  if (VARSIZE_ANY_EXHDR(shipped) < sizeof head) refuse_units();
  std::memcpy(&head, VARDATA_ANY(shipped), sizeof head);
  return head;
}

// ---- writing --------------------------------------------------------------------------------------------------------

UnitWriter::UnitWriter(const ShippedHead& head, FileSet* files)
    : head_(head), files_(files), most_(std::min(get_hash_memory_limit(), kMostInValue)) {
  initStringInfo(&value_);
  value_.len = VARHDRSZ + sizeof(ShippedHead);
  grow(kBlock);
}

bytea* UnitWriter::end() {
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

void UnitWriter::grow(std::size_t room) {
  if (block_ != nullptr) pfree(block_);
  block_ = static_cast<char*>(MemoryContextAllocHuge(CurrentMemoryContext, room + packed::kSlack));
  room_ = room;
}

// Puts the block into the value; or into the file, from where the value gets too long on.
void UnitWriter::write_block() {
  CHECK_FOR_INTERRUPTS();
  if (used_ > 0) put_block();
}

// A block of no bytes.
void UnitWriter::end_part() {
  write_block();
  put_block();
}

void UnitWriter::put_block() {
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

void UnitWriter::open_file() {
  constexpr int kStart = VARHDRSZ + sizeof(ShippedHead);
  file_ = BufFileCreateFileSet(files_, name_of_file(head_.process));
  BufFileWrite(file_, value_.data + kStart, static_cast<std::size_t>(value_.len - kStart));
  value_.len = kStart;
}

// ---- reading --------------------------------------------------------------------------------------------------------

UnitReader::UnitReader(const ShippedHead& head, const bytea* shipped, FileSet* files)
    : from_(VARDATA_ANY(shipped) + sizeof head), end_(VARDATA_ANY(shipped) + VARSIZE_ANY_EXHDR(shipped)) {
  if (head.in_file != 0) file_ = BufFileOpenFileSet(files, name_of_file(head.process), O_RDONLY, false);
}

bool UnitReader::next(const char** block, const char** block_end) {
  CHECK_FOR_INTERRUPTS();
  std::uint64_t size = 0;
  const std::size_t found = read(&size, sizeof size);
  if (found == 0) return false;
  if (found != sizeof size) refuse_units();
  if (size == 0) return false;
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

void UnitReader::end() {
  if (file_ != nullptr) BufFileClose(file_);
  if (block_ != nullptr) pfree(block_);
}

std::size_t UnitReader::read(void* into, std::size_t bytes) {
  if (file_ != nullptr) return BufFileRead(file_, into, bytes);
  const std::size_t found = std::min(bytes, static_cast<std::size_t>(end_ - from_));
  std::memcpy(into, from_, found);
  from_ += found;
  return found;
}

}  // namespace dp::aggregate
