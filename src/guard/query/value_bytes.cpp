#include "guard/query/value_bytes.h"

namespace dp::guard {

void append_value(StringInfo bytes, Datum value, int16 length, bool by_value) {
  if (by_value) return appendBinaryStringInfo(bytes, reinterpret_cast<const char*>(&value), sizeof value);
  const bool is_varlena = length == -1;
  const void* data = DatumGetPointer(value);
  auto size = static_cast<int64>(is_varlena ? 0 : datumGetSize(value, by_value, length));
  if (is_varlena) {
    const auto* const plain = reinterpret_cast<const varlena*>(PG_DETOAST_DATUM_PACKED(value));
    data = VARDATA_ANY(plain);
    size = static_cast<int64>(VARSIZE_ANY_EXHDR(plain));
  }
  appendBinaryStringInfo(bytes, reinterpret_cast<const char*>(&size), sizeof size);
  appendBinaryStringInfo(bytes, static_cast<const char*>(data), static_cast<int>(size));
}

void append_value(StringInfo bytes, Datum value, Oid type) {
  int16 length;
  bool by_value;
  get_typlenbyval(type, &length, &by_value);
  append_value(bytes, value, length, by_value);
}

}  // namespace dp::guard
