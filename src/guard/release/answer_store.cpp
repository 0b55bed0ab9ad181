#include "guard/release/answer_store.h"

namespace dp::guard {
namespace {

TupleDesc with_number(TupleDesc shape) {
  TupleDesc const wider = CreateTemplateTupleDesc(shape->natts + 1);
  for (int i = 1; i <= shape->natts; ++i)
    TupleDescCopyEntry(wider, static_cast<AttrNumber>(i), shape, static_cast<AttrNumber>(i));
  TupleDescInitEntry(wider, static_cast<AttrNumber>(shape->natts + 1), "number", INT8OID, -1, 0);
  return wider;
}

}  // namespace

Answers::Answers(TupleDesc shape, const GroupOrder& order)
    : shape_(with_number(shape)),
      in_(MakeSingleTupleTableSlot(shape_, &TTSOpsVirtual)),
      out_(MakeSingleTupleTableSlot(shape_, &TTSOpsMinimalTuple)) {
  if (order.columns == 0) {
    store_ = tuplestore_begin_heap(true, false, work_mem);
    return;
  }
  auto* const nulls_first = static_cast<bool*>(palloc0(order.columns * sizeof(bool)));
  sort_ = tuplesort_begin_heap(shape_, order.columns, order.numbers, order.operators, order.collations, nulls_first,
                               work_mem, nullptr, TUPLESORT_RANDOMACCESS);
}

void Answers::end() {
  if (sort_ != nullptr) tuplesort_end(sort_);
  if (store_ != nullptr) tuplestore_end(store_);
  ExecDropSingleTupleTableSlot(in_);
  ExecDropSingleTupleTableSlot(out_);
}

void Answers::put(TupleTableSlot* row, std::int64_t number) {
  slot_getallattrs(row);
  ExecClearTuple(in_);
  const int columns = shape_->natts - 1;
  memcpy(in_->tts_values, row->tts_values, columns * sizeof(Datum));
  memcpy(in_->tts_isnull, row->tts_isnull, columns * sizeof(bool));
  in_->tts_values[columns] = Int64GetDatum(number);
  in_->tts_isnull[columns] = false;
  ExecStoreVirtualTuple(in_);
  if (sort_ != nullptr) {
    tuplesort_puttupleslot(sort_, in_);
  } else {
    tuplestore_puttupleslot(store_, in_);
  }
}

void Answers::finish() {
  if (sort_ != nullptr) tuplesort_performsort(sort_);
}

void Answers::rewind() {
  if (sort_ != nullptr) {
    tuplesort_rescan(sort_);
  } else {
    tuplestore_rescan(store_);
  }
}

TupleTableSlot* Answers::next(bool forward) {
  if (sort_ != nullptr) {
    tuplesort_gettupleslot(sort_, forward, false, out_, nullptr);
  } else {
    tuplestore_gettupleslot(store_, forward, false, out_);
  }
  return out_;
}

std::int64_t Answers::number_of(TupleTableSlot* row) const {
  bool is_null;
  return DatumGetInt64(slot_getattr(row, shape_->natts, &is_null));
}

}  // namespace dp::guard
