// Columns that an aggregate reads out of the row itself.
//
// PostgreSQL's executor takes a row apart, up to the last column that is asked for, before an aggregate is called: for
// the number of a privacy unit that takes longer than counting the row. Where all columns before one have a fixed
// width, that one stands at the same place in each row that has no NULL, be it as wide as its value. So it is read from
// there, and the expressions of the node ask for no column any more. Any other row (with a NULL, or written before the
// column was added) and what is no row of a table's page (computed, sorted, joined) is taken apart as ever.
#pragma once

#include <cstdint>

#include "pg/server.h"

namespace dp::aggregate {

// A scan reads the rows of a page one behind the other, towards its begin. Places of units in between keep the
// processor from noticing: it waited for the first bytes of a row twice as long as where rows are only counted.
inline void fetch_rows_ahead(const HeapTupleHeaderData* row) {
  constexpr int kAhead = 320;  // bytes, of some rows
  __builtin_prefetch(reinterpret_cast<const char*>(row) - kAhead);
}

// The row of a table's page that the node of a transition works on; nullptr where its rows are made otherwise.
inline const HeapTupleHeaderData* row_of_page(const TupleTableSlot* row) {
  if (row == nullptr || row->tts_ops != &TTSOpsBufferHeapTuple) return nullptr;
  const HeapTupleData* const tuple = reinterpret_cast<const BufferHeapTupleTableSlot*>(row)->base.tuple;
  return tuple == nullptr ? nullptr : tuple->t_data;
}

inline TupleTableSlot* current_row(FunctionCallInfo fcinfo) {
  return reinterpret_cast<AggState*>(fcinfo->context)->tmpcontext->ecxt_outertuple;
}

// Lives in a memory context, without a destructor.
class RowColumns {
 public:
  // Of a transition with these arguments behind its state: columns of the row below, stored in a Datum as 4 or 8 bytes,
  // or elsewhere; the first one may be a constant. Where one is something else, this cannot be used, and the answer is
  // false.
  bool begin(const List* arguments);

  // Puts the columns of the current row into the arguments of that call.
  void read(FunctionCallInfo fcinfo) {
    TupleTableSlot* const row = current_row(fcinfo);
    const HeapTupleHeaderData* const header = row_of_page(row);
    if (header == nullptr) return take_apart(fcinfo, row);
    fetch_rows_ahead(header);
    if (row->tts_tupleDescriptor != layout_) [[unlikely]]
      find_places(row->tts_tupleDescriptor);
    const bool has_null = (header->t_infomask & HEAP_HASNULL) != 0;
    if (has_null || HeapTupleHeaderGetNatts(header) < least_columns_) return take_apart(fcinfo, row);
    const char* const values = reinterpret_cast<const char*>(header) + header->t_hoff;
    for (int i = 0; i < count_; ++i) {
      const Column& column = columns_[i];
      fcinfo->args[column.argument] = {value_at(values, column), false};
    }
  }

 private:
  enum class Form : std::uint8_t { bytes_4, bytes_8, elsewhere, of_any_width };
  struct Column {
    int argument;  // the state stands at 0
    AttrNumber number;
    Form form;
    std::uint32_t place;
    std::uint32_t unaligned;  // where one of any width stands that needs no alignment
  };

  static Datum value_at(const char* values, const Column& column) {
    const char* const place = values + column.place;
    switch (column.form) {
      case Form::bytes_4:
        return Int32GetDatum(*reinterpret_cast<const int32*>(place));
      case Form::bytes_8:
        return *reinterpret_cast<const Datum*>(place);
      case Form::elsewhere:
        break;
      case Form::of_any_width:
        if (VARATT_NOT_PAD_BYTE(values + column.unaligned)) return PointerGetDatum(values + column.unaligned);
        break;
    }
    return PointerGetDatum(place);
  }
  static bool find_form(Oid type, Form* form);
  void find_places(TupleDesc layout);
  [[gnu::noinline]] void take_apart(FunctionCallInfo fcinfo, TupleTableSlot* row) const;

  TupleDesc layout_ = nullptr;  // of the rows whose places are known
  int least_columns_ = 0;       // of a row in which the columns have these places
  int count_ = 0;
  Column columns_[2] = {};
};

}  // namespace dp::aggregate
