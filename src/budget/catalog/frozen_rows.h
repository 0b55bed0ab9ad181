// Frozen rows in the extension's own tables: in force at once, and surviving a ROLLBACK. They are found by the number
// in their first column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "pg/access.h"

namespace dp::budget {

// From when on a row is there, and whether it stays.
enum class Lasting : std::uint8_t {
  at_once,          // frozen: whatever becomes of the transaction
  with_transaction  // as every row of a statement
};

// A table of the extension, open for rows that are inserted frozen, each with its index entries. Opened before a lock
// of ours is taken, so that nobody waits for a table under it, and closed at once: an idle transaction must not block
// others. An error closes it with its transaction.
class FrozenTable {
 public:
  explicit FrozenTable(Oid table);

  // In a parallel operation wide values, which are stored out of line, cannot be.
  void insert(HeapTuple row, Lasting lasting = Lasting::at_once);
  void close();

  // Whether a row, be it dead, has that number in the first column: its index alone is asked.
  bool has(std::int64_t number) const;

  Relation relation() const { return table_; }

 private:
  static constexpr int kMostIndexes = 16;

  struct Index {
    Relation relation;
    IndexInfo* info;
  };

  Relation table_;
  Index indexes_[kMostIndexes];
  int count_ = 0;
};

// While it lives, append_row() and has_number() open a table once: opening costs as much as inserting. Not several
// at a time. What follows an error closes them; it is made where an error of PostgreSQL does not jump over it.
class OpenTables {
 public:
  OpenTables();
  ~OpenTables();
  OpenTables(const OpenTables&) = delete;
  OpenTables& operator=(const OpenTables&) = delete;

  FrozenTable* table(Oid table);

  // At the end, where there was no error.
  void close();

 private:
  static constexpr int kMost = 12;

  FrozenTable* tables_[kMost];
  int count_ = 0;
};

// What tells a row from every other one that its table has had, as long as nobody had the number of its transaction
// before.
struct RowPlace {
  BlockNumber block;
  OffsetNumber offset;
  TransactionId made;

  bool operator==(const RowPlace&) const = default;
};

// Inserts a row and its index entries. Not inside a parallel operation: wide values are stored out of line.
void append_row(Oid table, const Datum* values, const bool* nulls, Lasting lasting);

// The same, frozen and without a NULL, but for the column `null_at`.
template <std::size_t n>
void append_frozen(Oid table, const Datum (&values)[n], std::size_t null_at = n) {
  bool nulls[n] = {};
  if (null_at < n) nulls[null_at] = true;
  append_row(table, values, nulls, Lasting::at_once);
}

// The index by which rows are found by the number in their first column, opened; nullptr where there is none that can
// be used.
Relation number_index(Relation table);

// The rows of a table whose first column is that number, or all of them by that column, up or down, whatever the
// snapshot of the transaction. Use:
//
//   for (NumberedRows rows(table, number); rows.next();) rows.value(2) ...
//
// to the end: the scan is closed there. Who leaves earlier says close() first. An error closes it with its transaction.
class NumberedRows {
 public:
  struct Second {
    std::int64_t number;
  };

  explicit NumberedRows(Oid table, std::optional<std::int64_t> number = std::nullopt,
                        ScanDirection direction = ForwardScanDirection)
      : NumberedRows(table, number, std::optional<Second>(), direction) {}

  // Those that have a number in their second column, which is that of the index, too.
  NumberedRows(Oid table, std::int64_t number, Second second)
      : NumberedRows(table, number, second, ForwardScanDirection) {}

  // false: that was the last one. What value() gave before is gone.
  bool next();

  // Once, instead of going to the end.
  void close();

  // Column 1, 2, ... of the row. Values passed by reference are good until the next row.
  Datum value(int column) const { return values_[column - 1]; }
  bool is_null(int column) const { return nulls_[column - 1]; }
  std::int64_t whole(int column) const { return DatumGetInt64(value(column)); }
  int small(int column) const { return DatumGetInt32(value(column)); }

  RowPlace place() const;

  // Deletes the row, as every statement would: others see it until the transaction commits. Under a RowExclusiveLock on
  // the table.
  void remove() { simple_heap_delete(table_, &slot_->tts_tid); }

  // The same, unless somebody else is doing so already.
  void try_to_remove() { pg::try_to_delete(table_, &slot_->tts_tid); }

  struct Change {
    int column;
    Datum value;  // not NULL
  };

  // Gives the row other values, once, as a statement would. Under a RowExclusiveLock on the table.
  void replace(std::span<const Change> changes);

  // For what is read out of line, and everything else that may go with the row.
  MemoryContext memory() const { return memory_; }

  // The end of the write-ahead log that the rows so far need on disk to survive a crash. A frozen row is seen before
  // that is so.
  XLogRecPtr written() const { return written_; }

 private:
  static constexpr int kMostColumns = 16;

  NumberedRows(Oid table, std::optional<std::int64_t> number, std::optional<Second> second, ScanDirection direction);

  MemoryContext memory_;
  Relation table_;
  Relation index_;
  IndexScanDesc scan_;
  ScanDirection direction_;
  TupleTableSlot* slot_;
  XLogRecPtr written_ = InvalidXLogRecPtr;
  Datum values_[kMostColumns];
  bool nulls_[kMostColumns];
};

// Whether a row of the table, be it dead, has that number in the first column.
bool has_number(Oid table, std::int64_t number);

// The highest number in the first column of a table, 0 where it has no rows.
std::int64_t highest_number(Oid table);

}  // namespace dp::budget
