#include "budget/releases_sql.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "aggregate/reader_sql.h"
#include "budget/catalog_sql.h"
#include "budget/frozen_rows_sql.h"
#include "budget/ledger_rows_sql.h"

namespace dp::budget {
namespace {

static_assert(std::endian::native == std::endian::little, "stored numbers are little-endian");

// A chunk is written when it has so many bytes of keys or of one aggregate's numbers.
constexpr int kChunkBytes = 32768;

constexpr const char* kForms[] = {"bigint", "numeric", "float8", "mean", "variance", "stddev", "bigints"};

Datum form_text(aggregate::Form::Kind kind) { return CStringGetTextDatum(kForms[static_cast<int>(kind)]); }

aggregate::Form::Kind form_kind(Datum stored) {
  const char* const name = TextDatumGetCString(stored);
  const auto* const found =
      std::find_if(std::begin(kForms), std::end(kForms), [name](const char* form) { return strcmp(form, name) == 0; });
  if (found == std::end(kForms)) elog(ERROR, "stored form \"%s\" is not known", name);
  return static_cast<aggregate::Form::Kind>(found - std::begin(kForms));
}

noise::Uint128 whole_number(Datum numeric) {
  noise::Uint128 number = 0;
  for (const char* digit = DatumGetCString(DirectFunctionCall1(numeric_out, numeric)); *digit != '\0'; ++digit) {
    if (*digit < '0' || *digit > '9') elog(ERROR, "stored sensitivity is not a whole number");
    number = number * 10 + static_cast<unsigned>(*digit - '0');
  }
  return number;
}

Datum bytes_datum(const void* data, std::size_t size) {
  auto* const bytes = static_cast<bytea*>(palloc(VARHDRSZ + size));
  SET_VARSIZE(bytes, VARHDRSZ + size);
  memcpy(VARDATA(bytes), data, size);
  return PointerGetDatum(bytes);
}

template <std::size_t n>
void append_row(Oid table_id, Datum (&&values)[n], std::size_t null_at = n) {
  bool nulls[n] = {};
  if (null_at < n) nulls[null_at] = true;
  Relation const table = table_open(table_id, RowExclusiveLock);
  append_frozen(table, values, nulls);
  table_close(table, RowExclusiveLock);
}

void append_numbers(const ReleasePart& part, int aggregate, std::int64_t level_id, std::int64_t first_group, Datum noisy,
                    Datum noise) {
  append_row(own_tables().release_level,
             {Int64GetDatum(part.release), Int32GetDatum(part.number), Int32GetDatum(aggregate), Int64GetDatum(level_id),
              Int64GetDatum(first_group), noisy, noise});
  pfree(DatumGetPointer(noisy));
  pfree(DatumGetPointer(noise));
}

}  // namespace

PartWriter::PartWriter(const ReleasePart& part)
    : part_(part),
      noisy_(static_cast<StringInfo>(palloc(sizeof(StringInfoData) * (part.size + 1)))),
      noise_(static_cast<StringInfo>(palloc(sizeof(StringInfoData) * (part.size + 1)))) {
  part_.groups = 0;
  initStringInfo(&keys_);
  for (int i = 0; i < part.size; ++i) {
    initStringInfo(&noisy_[i]);
    initStringInfo(&noise_[i]);
  }
}

StringInfo PartWriter::key() {
  bool full = keys_.len >= kChunkBytes;
  for (int i = 0; i < part_.size; ++i) full = full || noisy_[i].len >= kChunkBytes;
  if (full) flush();
  appendStringInfoChar(&keys_, keys_.len == 0 ? '[' : ',');
  ++part_.groups;
  return &keys_;
}

void PartWriter::add(int aggregate, const Draw* draws) {
  for (int i = 0; i < part_.aggregates[aggregate].coordinates; ++i) {
    appendBinaryStringInfo(&noisy_[aggregate], reinterpret_cast<const char*>(&draws[i].noisy), sizeof draws[i].noisy);
    appendBinaryStringInfo(&noise_[aggregate], reinterpret_cast<const char*>(&draws[i].noise), sizeof draws[i].noise);
  }
}

void PartWriter::flush() {
  if (keys_.len == 0) return;
  CHECK_FOR_INTERRUPTS();
  appendStringInfoChar(&keys_, ']');
  append_row(own_tables().release_keys, {Int64GetDatum(part_.release), Int32GetDatum(part_.number), Int64GetDatum(first_group_),
                                         PointerGetDatum(cstring_to_text_with_len(keys_.data, keys_.len))});
  for (int i = 0; i < part_.size; ++i) {
    if (!part_.aggregates[i].relaxable()) continue;
    append_numbers(part_, i, 0, first_group_, bytes_datum(noisy_[i].data, noisy_[i].len),
                   bytes_datum(noise_[i].data, noise_[i].len));
    resetStringInfo(&noisy_[i]);
    resetStringInfo(&noise_[i]);
  }
  resetStringInfo(&keys_);
  first_group_ = part_.groups;
}

void PartWriter::finish() {
  flush();
  for (int i = 0; i < part_.size; ++i) {
    const ReleasedAggregate& a = part_.aggregates[i];
    constexpr std::size_t kSensitivity = 6;
    append_row(own_tables().release_aggregate,
               {Int64GetDatum(part_.release), Int32GetDatum(part_.number), Int32GetDatum(i), CStringGetTextDatum(a.name),
                CStringGetTextDatum(a.mechanism), Int64GetDatum(a.epsilon),
                NumericGetDatum(aggregate::to_numeric(static_cast<noise::Int128>(a.sensitivity))), Int32GetDatum(a.coordinates),
                form_text(a.form.kind), Int32GetDatum(a.form.refinement), Int32GetDatum(a.form.exponent),
                Float8GetDatum(a.form.lower), Int64GetDatum(a.form.range)},
               a.relaxable() ? SIZE_MAX : kSensitivity);
  }
  append_row(own_tables().release_part,
             {Int64GetDatum(part_.release), Int32GetDatum(part_.number), TimestampTzGetDatum(part_.made_at),
              ObjectIdGetDatum(part_.role), ObjectIdGetDatum(part_.relation), Int32GetDatum(part_.sets),
              Int64GetDatum(part_.groups), ledger_text(part_.query)});
}

namespace {

int by_number(const ListCell* a, const ListCell* b) {
  return static_cast<ReleasePart*>(lfirst(a))->number - static_cast<ReleasePart*>(lfirst(b))->number;
}

void read_aggregates(ReleasePart* part) {
  Datum values[13];
  bool nulls[13];
  part->aggregates = nullptr;
  NumberedRows rows(own_tables().release_aggregate, part->release);
  while (rows.next(values, nulls)) {
    if (DatumGetInt32(values[1]) != part->number) continue;
    const int number = DatumGetInt32(values[2]);
    if (number >= part->size) {
      const Size bytes = sizeof(ReleasedAggregate) * (number + 1);
      part->aggregates = static_cast<ReleasedAggregate*>(part->aggregates == nullptr ? palloc(bytes) : repalloc(part->aggregates, bytes));
      part->size = number + 1;
    }
    part->aggregates[number] = {TextDatumGetCString(values[3]),
                                TextDatumGetCString(values[4]),
                                DatumGetInt64(values[5]),
                                nulls[6] ? 0 : whole_number(values[6]),
                                DatumGetInt32(values[7]),
                                {form_kind(values[8]), static_cast<std::uint8_t>(DatumGetInt32(values[9])),
                                 DatumGetInt32(values[10]), DatumGetFloat8(values[11]), DatumGetInt64(values[12])}};
  }
}

}  // namespace

List* read_parts(std::int64_t release) {
  List* parts = NIL;
  Datum values[8];
  bool nulls[8];
  NumberedRows rows(own_tables().release_part, release);
  while (rows.next(values, nulls)) {
    auto* const part = static_cast<ReleasePart*>(palloc0(sizeof(ReleasePart)));
    *part = {release,
             DatumGetInt32(values[1]),
             DatumGetTimestampTz(values[2]),
             DatumGetObjectId(values[3]),
             DatumGetObjectId(values[4]),
             DatumGetInt32(values[5]),
             DatumGetInt64(values[6]),
             nulls[7] ? nullptr : TextDatumGetCString(values[7]),
             0,
             nullptr};
    parts = lappend(parts, part);
  }
  list_sort(parts, by_number);
  ListCell* cell;
  foreach (cell, parts) read_aggregates(static_cast<ReleasePart*>(lfirst(cell)));
  return parts;
}

List* read_release_numbers() {
  List* numbers = NIL;
  Relation const table = table_open(own_tables().release_part, AccessShareLock);
  SysScanDesc const scan = systable_beginscan(table, InvalidOid, false, SnapshotSelf, 0, nullptr);
  for (HeapTuple row = systable_getnext(scan); HeapTupleIsValid(row); row = systable_getnext(scan)) {
    bool is_null;
    const std::int64_t number = DatumGetInt64(heap_getattr(row, 1, RelationGetDescr(table), &is_null));
    // The first part stands for the release.
    if (DatumGetInt32(heap_getattr(row, 2, RelationGetDescr(table), &is_null)) != 0) continue;
    auto* const kept = static_cast<std::int64_t*>(palloc(sizeof number));
    *kept = number;
    numbers = lappend(numbers, kept);
  }
  systable_endscan(scan);
  table_close(table, AccessShareLock);
  list_sort(numbers, [](const ListCell* a, const ListCell* b) {
    const std::int64_t x = *static_cast<std::int64_t*>(lfirst(a)), y = *static_cast<std::int64_t*>(lfirst(b));
    return static_cast<int>(x > y) - static_cast<int>(x < y);
  });
  return numbers;
}

Datum* read_keys(const ReleasePart& part) {
  auto* const keys = static_cast<Datum*>(palloc0(sizeof(Datum) * (part.groups + 1)));
  Datum values[4];
  bool nulls[4];
  NumberedRows rows(own_tables().release_keys, part.release);
  while (rows.next(values, nulls)) {
    if (DatumGetInt32(values[1]) != part.number) continue;
    std::int64_t group = DatumGetInt64(values[2]);
    char* const json = TextDatumGetCString(values[3]);
    Jsonb* const array = DatumGetJsonbP(DirectFunctionCall1(jsonb_in, CStringGetDatum(json)));
    JsonbIterator* iterator = JsonbIteratorInit(&array->root);
    JsonbValue value;
    JsonbIteratorToken token;
    while ((token = JsonbIteratorNext(&iterator, &value, true)) != WJB_DONE) {
      if (token != WJB_ELEM || group >= part.groups) continue;
      keys[group++] = JsonbPGetDatum(JsonbValueToJsonb(&value));
    }
  }
  return keys;
}

Draw* read_level(const ReleasePart& part, int aggregate, std::int64_t level_id) {
  const std::int64_t per_group = part.aggregates[aggregate].coordinates;
  const std::int64_t all = part.groups * per_group;
  auto* const draws = static_cast<Draw*>(MemoryContextAllocHuge(CurrentMemoryContext, sizeof(Draw) * (all + 1)));
  std::int64_t found = 0;
  Datum values[7];
  bool nulls[7];
  NumberedRows rows(own_tables().release_level, part.release);
  while (rows.next(values, nulls)) {
    if (DatumGetInt32(values[1]) != part.number || DatumGetInt32(values[2]) != aggregate) continue;
    if (DatumGetInt64(values[3]) != level_id) continue;
    CHECK_FOR_INTERRUPTS();
    const bytea* const noisy = DatumGetByteaPP(values[5]);
    const bytea* const noise = DatumGetByteaPP(values[6]);
    const auto count = static_cast<std::int64_t>(VARSIZE_ANY_EXHDR(noisy) / sizeof(noise::Int128));
    const std::int64_t first = DatumGetInt64(values[4]) * per_group;
    if (VARSIZE_ANY_EXHDR(noise) != VARSIZE_ANY_EXHDR(noisy) || first < 0 || first + count > all) {
      elog(ERROR, "release %lld is damaged", static_cast<long long>(part.release));
    }
    for (std::int64_t i = 0; i < count; ++i) {
      Draw& draw = draws[first + i];
      memcpy(&draw.noisy, VARDATA_ANY(noisy) + i * sizeof draw.noisy, sizeof draw.noisy);
      memcpy(&draw.noise, VARDATA_ANY(noise) + i * sizeof draw.noise, sizeof draw.noise);
    }
    found += count;
  }
  if (found != all) elog(ERROR, "release %lld is damaged", static_cast<long long>(part.release));
  return draws;
}

void write_level(const ReleasePart& part, int aggregate, std::int64_t level_id, const Draw* draws) {
  const std::int64_t per_group = part.aggregates[aggregate].coordinates;
  const std::int64_t groups_at_once = std::max<std::int64_t>(1, kChunkBytes / (per_group * sizeof(noise::Int128)));
  for (std::int64_t first = 0; first < part.groups; first += groups_at_once) {
    CHECK_FOR_INTERRUPTS();
    const std::int64_t count = std::min(groups_at_once, part.groups - first) * per_group;
    auto* const noisy = static_cast<noise::Int128*>(palloc(count * sizeof(noise::Int128)));
    auto* const noise = static_cast<noise::Int128*>(palloc(count * sizeof(noise::Int128)));
    for (std::int64_t i = 0; i < count; ++i) {
      noisy[i] = draws[first * per_group + i].noisy;
      noise[i] = draws[first * per_group + i].noise;
    }
    append_numbers(part, aggregate, level_id, first, bytes_datum(noisy, count * sizeof *noisy), bytes_datum(noise, count * sizeof *noise));
    pfree(noisy);
    pfree(noise);
  }
}

List* read_holdings(std::int64_t release) {
  List* holdings = NIL;
  Datum values[6];
  bool nulls[6];
  NumberedRows rows(own_tables().release_holding, release);
  while (rows.next(values, nulls)) {
    auto* const holding = static_cast<Holding*>(palloc(sizeof(Holding)));
    *holding = {DatumGetInt32(values[1]), DatumGetInt32(values[2]), DatumGetObjectId(values[3]), DatumGetInt64(values[4]),
                DatumGetInt64(values[5])};
    holdings = lappend(holdings, holding);
  }
  return holdings;
}

void write_holding(std::int64_t release, const Holding& holding) {
  append_row(own_tables().release_holding,
             {Int64GetDatum(release), Int32GetDatum(holding.part), Int32GetDatum(holding.aggregate),
              ObjectIdGetDatum(holding.role), Int64GetDatum(holding.epsilon), Int64GetDatum(holding.level_id)});
}

}  // namespace dp::budget
