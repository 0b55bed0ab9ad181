#include "budget/answers/answer_rows.h"

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/frozen_rows.h"

namespace dp::budget {
namespace {

// A chunk is written when it has so many bytes.
constexpr int kChunkBytes = 32768;

constexpr std::int32_t kNull = -1;

namespace column {
enum { answer = 1, first_row, count, chunk };
}

struct Chunk {
  std::int64_t first_row;
  bytea* bytes;
};

int by_first_row(const ListCell* a, const ListCell* b) {
  const std::int64_t x = static_cast<Chunk*>(lfirst(a))->first_row, y = static_cast<Chunk*>(lfirst(b))->first_row;
  return static_cast<int>(x > y) - static_cast<int>(x < y);
}

}  // namespace

void refuse_damaged_answer() {
  ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED), errmsg("a stored answer is damaged: ask a curator to forget it"),
                  errhint("SELECT dp.forget_answers('visits');")));
  pg_unreachable();
}

AnswerWriter::AnswerWriter(std::int64_t answer, const ColumnForm* columns, int count)
    : answer_(answer), columns_(columns), count_(count) {
  initStringInfo(&chunk_);
}

void AnswerWriter::put(const Datum* values, const bool* nulls) {
  if (chunk_.len >= kChunkBytes) flush();
  const auto append = [this](const void* data, std::int32_t size) {
    appendBinaryStringInfo(&chunk_, reinterpret_cast<const char*>(&size), sizeof size);
    if (size > 0) appendBinaryStringInfo(&chunk_, static_cast<const char*>(data), size);
  };
  for (int i = 0; i < count_; ++i) {
    if (nulls[i]) {
      append(nullptr, kNull);
    } else if (columns_[i].by_value) {
      append(&values[i], sizeof(Datum));
    } else if (columns_[i].length == -1) {
      auto* const plain = reinterpret_cast<varlena*>(PG_DETOAST_DATUM(values[i]));
      append(plain, static_cast<std::int32_t>(VARSIZE(plain)));
      if (PointerGetDatum(plain) != values[i]) pfree(plain);
    } else if (columns_[i].length > 0) {
      append(DatumGetPointer(values[i]), columns_[i].length);
    } else {
      append(DatumGetCString(values[i]), static_cast<std::int32_t>(strlen(DatumGetCString(values[i])) + 1));
    }
  }
  ++rows_;
}

void AnswerWriter::flush() {
  if (rows_ == first_row_) return;
  CHECK_FOR_INTERRUPTS();
  auto* const bytes = static_cast<bytea*>(palloc(VARHDRSZ + chunk_.len));
  SET_VARSIZE(bytes, VARHDRSZ + chunk_.len);
  memcpy(VARDATA(bytes), chunk_.data, chunk_.len);
  append_frozen(own_tables().stored_answer_rows, {Int64GetDatum(answer_), Int64GetDatum(first_row_),
                                                  Int64GetDatum(rows_ - first_row_), PointerGetDatum(bytes)});
  pfree(bytes);
  bytes_ += chunk_.len;
  resetStringInfo(&chunk_);
  first_row_ = rows_;
}

std::int64_t AnswerWriter::finish() {
  flush();
  pfree(chunk_.data);
  return bytes_;
}

AnswerReader::AnswerReader(std::int64_t answer, std::int64_t rows) : answer_(answer) {
  List* chunks = NIL;
  std::int64_t found = 0;
  for (NumberedRows row(own_tables().stored_answer_rows, answer); row.next();) {
    auto* const chunk = static_cast<Chunk*>(palloc(sizeof(Chunk)));
    *chunk = {row.whole(column::first_row), DatumGetByteaPCopy(row.value(column::chunk))};
    chunks = lappend(chunks, chunk);
    found += row.whole(column::count);
  }
  list_sort(chunks, by_first_row);
  ListCell* cell;
  foreach (cell, chunks) chunks_ = lappend(chunks_, static_cast<Chunk*>(lfirst(cell))->bytes);
  complete_ = found == rows;
}

void AnswerReader::next(const ColumnForm* columns, int count, Datum* values, bool* nulls) {
  if (at_ == end_) {
    if (chunks_ == NIL) refuse_damaged_answer();
    auto* const bytes = static_cast<bytea*>(linitial(chunks_));
    chunks_ = list_delete_first(chunks_);
    at_ = VARDATA(bytes);
    end_ = at_ + (VARSIZE(bytes) - VARHDRSZ);
  }
  for (int i = 0; i < count; ++i) {
    std::int32_t size;
    if (end_ - at_ < static_cast<std::ptrdiff_t>(sizeof size)) refuse_damaged_answer();
    memcpy(&size, at_, sizeof size);
    at_ += sizeof size;
    nulls[i] = size == kNull;
    values[i] = 0;
    if (nulls[i]) continue;
    if (size < 0 || size > end_ - at_) refuse_damaged_answer();
    const ColumnForm& form = columns[i];
    if (form.length == 0) {
      nulls[i] = true;
      at_ += size;
      continue;
    }
    if (form.by_value ? size != sizeof(Datum) : form.length > 0 && size != form.length) refuse_damaged_answer();
    if (form.by_value) {
      memcpy(&values[i], at_, sizeof(Datum));
    } else {
      auto* const value = static_cast<char*>(palloc(Max(size, static_cast<std::int32_t>(sizeof(Datum)))));
      memcpy(value, at_, size);
      if (form.length == -1 && (size < VARHDRSZ || VARSIZE(value) != static_cast<Size>(size))) refuse_damaged_answer();
      if (form.length == -2 && (size == 0 || value[size - 1] != '\0')) refuse_damaged_answer();
      values[i] = PointerGetDatum(value);
    }
    at_ += size;
  }
}

}  // namespace dp::budget
