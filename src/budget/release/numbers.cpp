#include "budget/release/numbers.h"

#include <algorithm>
#include <bit>

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/frozen_rows.h"
#include "budget/release/small_part.h"

namespace dp::budget {
namespace {

using noise::Int128;

static_assert(std::endian::native == std::endian::little, "stored numbers are little-endian");

// A chunk is written when it has so many bytes of keys or of one aggregate's numbers.
constexpr int kChunkBytes = 32768;

namespace key_column {
enum { release = 1, part, first_group, keys };
}
namespace level_column {
enum { release = 1, part, aggregate, level_id, first_group, noisy, noise };
}

constexpr const char* kMissing = "Not all of its numbers are there.";

// Raw bytes as a bytea to be stored; palloc'd.
Datum bytes_of(const void* data, std::size_t size) {
  auto* const bytes = static_cast<bytea*>(palloc(VARHDRSZ + size));
  SET_VARSIZE(bytes, VARHDRSZ + size);
  memcpy(VARDATA(bytes), data, size);
  return PointerGetDatum(bytes);
}

void append_numbers(const ReleasePart& part, int aggregate, std::int64_t level_id, std::int64_t first_group,
                    Datum noisy, Datum noise) {
  append_frozen(own_tables().release_level,
                {Int64GetDatum(part.release), Int32GetDatum(part.number), Int32GetDatum(aggregate),
                 Int64GetDatum(level_id), Int64GetDatum(first_group), noisy, noise});
  pfree(DatumGetPointer(noisy));
  pfree(DatumGetPointer(noise));
}

void append_number(StringInfo numbers, Int128 number) {
  appendBinaryStringInfo(numbers, reinterpret_cast<const char*>(&number), sizeof number);
}

}  // namespace

GroupWriter::GroupWriter(ReleasePart* part, const GroupKeyWriter& keys)
    : part_(part),
      key_writer_(keys),
      noisy_(static_cast<StringInfo>(palloc(sizeof(StringInfoData) * (part->size + 1)))),
      noise_(static_cast<StringInfo>(palloc(sizeof(StringInfoData) * (part->size + 1)))) {
  part_->groups = 0;
  initStringInfo(&keys_);
  for (int i = 0; i < part->size; ++i) {
    initStringInfo(&noisy_[i]);
    initStringInfo(&noise_[i]);
  }
}

void GroupWriter::begin_group() {
  bool full = keys_.len >= kChunkBytes;
  for (int i = 0; i < part_->size; ++i) full = full || noisy_[i].len >= kChunkBytes;
  if (full) {
    appendStringInfoChar(&keys_, ']');
    write_chunk();
  }
  appendStringInfoChar(&keys_, keys_.len == 0 ? '[' : ',');
  ++part_->groups;
}

void GroupWriter::add(TupleTableSlot* row, const Draw* draws) {
  begin_group();
  key_writer_.append(&keys_, row);
  for (int i = 0; i < part_->size; ++i) {
    const Draw* const end = draws + part_->aggregates[i].coordinates;
    for (; draws < end; ++draws) {
      if (!part_->aggregates[i].relaxable()) continue;
      append_number(&noisy_[i], draws->noisy);
      append_number(&noise_[i], draws->noise);
    }
  }
}

void GroupWriter::finish() {
  if (part_->groups > 0) appendStringInfoChar(&keys_, ']');
  if (first_group_ == 0) part_->small = form_small(*part_, keys_, noisy_, noise_);
  if (part_->small == nullptr && keys_.len > 0) write_chunk();
}

void GroupWriter::write_chunk() {
  CHECK_FOR_INTERRUPTS();
  text* const keys = cstring_to_text_with_len(keys_.data, keys_.len);
  append_frozen(own_tables().release_keys, {Int64GetDatum(part_->release), Int32GetDatum(part_->number),
                                            Int64GetDatum(first_group_), PointerGetDatum(keys)});
  pfree(keys);
  for (int i = 0; i < part_->size; ++i) {
    if (!part_->aggregates[i].relaxable()) continue;
    append_numbers(*part_, i, 0, first_group_, bytes_of(noisy_[i].data, noisy_[i].len),
                   bytes_of(noise_[i].data, noise_[i].len));
    resetStringInfo(&noisy_[i]);
    resetStringInfo(&noise_[i]);
  }
  resetStringInfo(&keys_);
  first_group_ = part_->groups;
}

int KeyReader::by_first_group(const ListCell* a, const ListCell* b) {
  const std::int64_t x = static_cast<Chunk*>(lfirst(a))->first_group, y = static_cast<Chunk*>(lfirst(b))->first_group;
  return static_cast<int>(x > y) - static_cast<int>(x < y);
}

KeyReader::KeyReader(const ReleasePart& part)
    : part_(part), memory_(AllocSetContextCreate(CurrentMemoryContext, "released keys", ALLOCSET_DEFAULT_SIZES)) {
  if (part.small != nullptr) {
    auto* const chunk = static_cast<Chunk*>(palloc(sizeof(Chunk)));
    *chunk = {0, read_small(part).keys};
    if (chunk->json != nullptr) chunks_ = lappend(NIL, chunk);
    return;
  }
  for (NumberedRows row(own_tables().release_keys, part.release); row.next();) {
    if (row.small(key_column::part) != part.number) continue;
    auto* const chunk = static_cast<Chunk*>(palloc(sizeof(Chunk)));
    *chunk = {row.whole(key_column::first_group), DatumGetTextPCopy(row.value(key_column::keys))};
    chunks_ = lappend(chunks_, chunk);
  }
  list_sort(chunks_, by_first_group);
}

void KeyReader::next_chunk() {
  if (chunks_ == NIL || static_cast<Chunk*>(linitial(chunks_))->first_group != group_) refuse_damaged(part_, kMissing);
  auto* const chunk = static_cast<Chunk*>(linitial(chunks_));
  chunks_ = list_delete_first(chunks_);
  MemoryContextReset(memory_);
  MemoryContext const outer = MemoryContextSwitchTo(memory_);
  const Datum array = DirectFunctionCall1(jsonb_in, CStringGetDatum(text_to_cstring(chunk->json)));
  iterator_ = JsonbIteratorInit(&DatumGetJsonbP(array)->root);
  MemoryContextSwitchTo(outer);
  pfree(chunk->json);
}

Datum KeyReader::next() {
  for (;;) {
    JsonbValue value;
    const JsonbIteratorToken token = iterator_ == nullptr ? WJB_DONE : JsonbIteratorNext(&iterator_, &value, true);
    if (token == WJB_DONE) next_chunk();
    if (token != WJB_ELEM) continue;
    ++group_;
    MemoryContext const outer = MemoryContextSwitchTo(memory_);
    const Datum key = JsonbPGetDatum(JsonbValueToJsonb(&value));
    MemoryContextSwitchTo(outer);
    return key;
  }
}

Draw* read_level(const ReleasePart& part, int aggregate, std::int64_t level_id) {
  if (part.small != nullptr && level_id == 0) return read_small(part).draws(aggregate, part.groups);
  const std::int64_t per_group = part.aggregates[aggregate].coordinates;
  const std::int64_t all = part.groups * per_group;
  auto* const draws = static_cast<Draw*>(MemoryContextAllocHuge(CurrentMemoryContext, sizeof(Draw) * (all + 1)));
  std::int64_t found = 0;
  for (NumberedRows row(own_tables().release_level, part.release); row.next();) {
    if (row.small(level_column::part) != part.number || row.small(level_column::aggregate) != aggregate) continue;
    if (row.whole(level_column::level_id) != level_id) continue;
    CHECK_FOR_INTERRUPTS();
    MemoryContext const outer = MemoryContextSwitchTo(row.memory());
    const bytea* const noisy = DatumGetByteaPP(row.value(level_column::noisy));
    const bytea* const noise = DatumGetByteaPP(row.value(level_column::noise));
    MemoryContextSwitchTo(outer);
    const auto count = static_cast<std::int64_t>(VARSIZE_ANY_EXHDR(noisy) / sizeof(Int128));
    const std::int64_t first = row.whole(level_column::first_group) * per_group;
    if (VARSIZE_ANY_EXHDR(noise) != VARSIZE_ANY_EXHDR(noisy)) refuse_damaged(part, kMissing);
    if (first < 0 || first > all || count > all - first) refuse_damaged(part, kMissing);
    for (std::int64_t i = 0; i < count; ++i) {
      Draw& draw = draws[first + i];
      memcpy(&draw.noisy, VARDATA_ANY(noisy) + i * sizeof draw.noisy, sizeof draw.noisy);
      memcpy(&draw.noise, VARDATA_ANY(noise) + i * sizeof draw.noise, sizeof draw.noise);
    }
    found += count;
  }
  if (found != all) refuse_damaged(part, kMissing);
  return draws;
}

void write_level(const ReleasePart& part, int aggregate, std::int64_t level_id, const Draw* draws) {
  const std::int64_t per_group = part.aggregates[aggregate].coordinates;
  const std::int64_t groups_at_once = std::max<std::int64_t>(1, kChunkBytes / (per_group * sizeof(Int128)));
  StringInfoData noisy, noise;
  initStringInfo(&noisy);
  initStringInfo(&noise);
  for (std::int64_t first = 0; first < part.groups; first += groups_at_once) {
    CHECK_FOR_INTERRUPTS();
    resetStringInfo(&noisy);
    resetStringInfo(&noise);
    const std::int64_t end = std::min(first + groups_at_once, part.groups) * per_group;
    for (std::int64_t i = first * per_group; i < end; ++i) {
      append_number(&noisy, draws[i].noisy);
      append_number(&noise, draws[i].noise);
    }
    append_numbers(part, aggregate, level_id, first, bytes_of(noisy.data, noisy.len), bytes_of(noise.data, noise.len));
  }
  pfree(noisy.data);
  pfree(noise.data);
}

}  // namespace dp::budget
