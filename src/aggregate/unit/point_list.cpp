#include "aggregate/unit/point_list.h"

#include <algorithm>
#include <utility>

#include "pg/errors.h"

namespace dp::aggregate {

// Runs of ascending points, one behind the other; one of all of them once they are merged.
struct PointFile {
  BufFile* file;
  List* ends;  // std::uint64_t*: of each run, in points from the beginning of the file
  std::uint64_t size;
};

namespace {

constexpr std::uint64_t kFirst = 8, kLeastRun = 8192;

// Points that are read at once.
constexpr std::uint64_t kBlock = 2048;

void seek(BufFile* file, std::uint64_t point) {
  if (BufFileSeek(file, 0, static_cast<off_t>(point * sizeof(std::uint32_t)), SEEK_SET) != 0)
    elog(ERROR, "could not find a point in a temporary file");
}

void read(BufFile* file, std::uint64_t point, std::uint32_t* into, std::uint64_t count) {
  seek(file, point);
  const std::size_t bytes = count * sizeof(std::uint32_t);
  if (BufFileRead(file, into, bytes) != bytes) elog(ERROR, "unexpected end of a temporary file of points");
}

void write(PointFile* to, std::span<const std::uint32_t> points) {
  BufFileWrite(to->file, const_cast<std::uint32_t*>(points.data()), points.size_bytes());
  to->size += points.size();
}

PointFile* make_file(MemoryContext memory) {
  MemoryContext const outer = MemoryContextSwitchTo(memory);
  auto* const made = static_cast<PointFile*>(palloc0(sizeof(PointFile)));
  made->file = BufFileCreateTemp(false);
  MemoryContextSwitchTo(outer);
  return made;
}

void end_run(MemoryContext memory, PointFile* file) {
  MemoryContext const outer = MemoryContextSwitchTo(memory);
  auto* const end = static_cast<std::uint64_t*>(palloc(sizeof(std::uint64_t)));
  *end = file->size;
  file->ends = lappend(file->ends, end);
  MemoryContextSwitchTo(outer);
}

PointsState* make_list(MemoryContext memory, std::uint64_t room) {
  auto* const list = static_cast<PointsState*>(MemoryContextAllocHuge(memory, PointsState::bytes(room)));
  list->tag = Tag::points;
  list->used = 0;
  list->room = room;
  list->file = nullptr;
  return list;
}

// Room for some points more, in memory or by moving what is there to the file.
PointsState* with_room(MemoryContext memory, PointsState* list, PointFile** made) {
  if (list == nullptr) return make_list(memory, kFirst);
  if (list->used < list->room) return list;
  const std::uint64_t room = std::max(2 * list->room, kFirst);
  const std::size_t more = PointsState::bytes(room) - PointsState::bytes(list->room);
  if (list->used < kLeastRun || MemoryContextMemAllocated(memory, true) + more <= get_hash_memory_limit()) {
    auto* const larger = static_cast<PointsState*>(repalloc_huge(list, PointsState::bytes(room)));
    larger->room = room;
    return larger;
  }
  if (list->file == nullptr) {
    list->file = make_file(memory);
    if (made != nullptr) *made = list->file;
  }
  sort_points(list->points());
  seek(list->file->file, list->file->size);
  write(list->file, list->points());
  end_run(memory, list->file);
  list->used = 0;
  return list;
}

// What is left of a run that is read.
struct Run {
  std::uint64_t next;
  std::uint64_t end;
  std::uint32_t* block;
  std::uint64_t used;
  std::uint64_t filled;

  std::uint32_t point() const { return block[used]; }

  // False where the run is at its end.
  bool advance(BufFile* file) {
    if (++used < filled) return true;
    return fill(file);
  }
  bool fill(BufFile* file) {
    CHECK_FOR_INTERRUPTS();
    used = 0;
    filled = std::min(kBlock, end - next);
    if (filled == 0) return false;
    read(file, next, block, filled);
    next += filled;
    return true;
  }
};

// Makes one run of all of them.
void merge_runs(PointFile* runs) {
  const int count = list_length(runs->ends);
  if (count <= 1) return;
  auto* const heap = static_cast<Run*>(palloc(static_cast<Size>(count) * sizeof(Run)));
  std::uint64_t begin = 0;
  int left = 0;
  ListCell* cell;
  foreach (cell, runs->ends) {
    const std::uint64_t end = *static_cast<std::uint64_t*>(lfirst(cell));
    auto* const block = static_cast<std::uint32_t*>(palloc(kBlock * sizeof(std::uint32_t)));
    heap[left] = {begin, end, block, 0, 0};
    if (heap[left].fill(runs->file)) ++left;
    begin = end;
  }
  const auto is_later = [](const Run& one, const Run& other) { return one.point() > other.point(); };
  std::make_heap(heap, heap + left, is_later);
  MemoryContext const memory = GetMemoryChunkContext(runs);
  PointFile* const merged = make_file(memory);
  std::uint32_t out[kBlock];
  std::uint64_t used = 0;
  while (left > 0) {
    std::pop_heap(heap, heap + left, is_later);
    Run& least = heap[left - 1];
    out[used++] = least.point();
    if (used == kBlock) write(merged, {out, std::exchange(used, 0)});
    if (least.advance(runs->file)) {
      std::push_heap(heap, heap + left, is_later);
    } else {
      --left;
    }
  }
  write(merged, {out, used});
  BufFileClose(runs->file);
  runs->file = merged->file;
  runs->ends = NIL;
  end_run(memory, runs);
  pfree(merged);
}

class PointsInFile final : public SortedPoints {
 public:
  explicit PointsInFile(PointFile* file) : file_(file) {}
  std::uint64_t size() const override { return file_->size; }
  std::uint32_t at(std::uint64_t row) const override {
    const std::uint64_t first = row / kBlock * kBlock;
    if (first != first_) {
      pg::call([&] {
        CHECK_FOR_INTERRUPTS();
        read(file_->file, first, block_, std::min(kBlock, file_->size - first));
      });
      first_ = first;
    }
    return block_[row - first];
  }

 private:
  PointFile* file_;
  mutable std::uint64_t first_ = ~std::uint64_t{0};
  mutable std::uint32_t block_[kBlock];
};

}  // namespace

PointsState* add_points(MemoryContext memory, PointsState* list, std::span<const std::uint32_t> more,
                        PointFile** made) {
  if (list == nullptr) list = make_list(memory, std::max<std::uint64_t>(more.size(), kFirst));
  while (!more.empty()) {
    list = with_room(memory, list, made);
    const std::uint64_t fits = std::min<std::uint64_t>(list->room - list->used, more.size());
    std::copy_n(more.begin(), fits, reinterpret_cast<std::uint32_t*>(list + 1) + list->used);
    list->used += fits;
    more = more.subspan(fits);
  }
  return list;
}

std::uint64_t size_of(const PointsState& list) { return list.used + (list.file == nullptr ? 0 : list.file->size); }

const PointsState* whole_points(const PointsState* list) {
  if (list->file == nullptr) return list;
  const std::uint64_t size = size_of(*list), in_file = list->file->size;
  PointsState* const whole = make_list(CurrentMemoryContext, size);
  whole->used = size;
  for (std::uint64_t first = 0; first < in_file; first += kBlock) {
    CHECK_FOR_INTERRUPTS();
    read(list->file->file, first, whole->points().data() + first, std::min(kBlock, in_file - first));
  }
  std::copy(list->points().begin(), list->points().end(),
            whole->points().begin() + static_cast<std::ptrdiff_t>(in_file));
  return whole;
}

const SortedPoints* sorted_points(PointsState* list) {
  if (list == nullptr) return new (palloc(sizeof(PointsInMemory))) PointsInMemory({});
  sort_points(list->points());
  if (list->file == nullptr) return new (palloc(sizeof(PointsInMemory))) PointsInMemory(list->points());
  PointFile* const file = list->file;
  seek(file->file, file->size);
  write(file, list->points());
  end_run(GetMemoryChunkContext(file), file);
  list->used = 0;
  merge_runs(file);
  return new (palloc(sizeof(PointsInFile))) PointsInFile(file);
}

void end_points(PointFile* file) {
  if (file == nullptr) return;
  if (file->file != nullptr) BufFileClose(file->file);
  file->file = nullptr;
}

}  // namespace dp::aggregate
