#include "guard/release/answer_store.h"

#include "guard/admission/row_limits.h"

namespace dp::guard {
namespace {

// What stands behind the columns of a row.
enum { kNumber = 1, kNoisy, kBehind = kNoisy };
static_assert(kBehind == kBehindAnswers);

TupleDesc with_number(TupleDesc shape) {
  TupleDesc const wider = CreateTemplateTupleDesc(shape->natts + kBehind);
  for (int i = 1; i <= shape->natts; ++i)
    TupleDescCopyEntry(wider, static_cast<AttrNumber>(i), shape, static_cast<AttrNumber>(i));
  TupleDescInitBuiltinEntry(wider, static_cast<AttrNumber>(shape->natts + kNumber), "number", INT8OID, -1, 0);
  TupleDescInitEntry(wider, static_cast<AttrNumber>(shape->natts + kNoisy), "noisy", BYTEAOID, -1, 0);
  return wider;
}

Datum bytes_of(noise::Int128View noisy) {
  const Size size = VARHDRSZ + noisy.size * sizeof(noise::Int128);
  auto* const bytes = static_cast<bytea*>(palloc(size));
  SET_VARSIZE(bytes, size);
  memcpy(VARDATA(bytes), noisy.values, noisy.size * sizeof(noise::Int128));
  return PointerGetDatum(bytes);
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

void Answers::put(TupleTableSlot* row, std::int64_t number, noise::Int128View noisy) {
  slot_getallattrs(row);
  ExecClearTuple(in_);
  const int columns = shape_->natts - kBehind;
  memcpy(in_->tts_values, row->tts_values, columns * sizeof(Datum));
  memcpy(in_->tts_isnull, row->tts_isnull, columns * sizeof(bool));
  in_->tts_values[columns + kNumber - 1] = Int64GetDatum(number);
  in_->tts_isnull[columns + kNumber - 1] = false;
  in_->tts_values[columns + kNoisy - 1] = noisy.size == 0 ? 0 : bytes_of(noisy);
  in_->tts_isnull[columns + kNoisy - 1] = noisy.size == 0;
  ExecStoreVirtualTuple(in_);
  if (sort_ != nullptr) {
    tuplesort_puttupleslot(sort_, in_);
  } else {
    tuplestore_puttupleslot(store_, in_);
  }
  if (noisy.size > 0) pfree(DatumGetPointer(in_->tts_values[columns + kNoisy - 1]));
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
  return DatumGetInt64(slot_getattr(row, shape_->natts - kBehind + kNumber, &is_null));
}

void Answers::noisy_of(TupleTableSlot* row, noise::Int128* noisy) const {
  bool is_null;
  const Datum bytes = slot_getattr(row, shape_->natts - kBehind + kNoisy, &is_null);
  if (is_null) return;
  const auto* const packed = reinterpret_cast<const varlena*>(DatumGetPointer(bytes));
  memcpy(static_cast<void*>(noisy), VARDATA_ANY(packed), VARSIZE_ANY_EXHDR(packed));
}

}  // namespace dp::guard
