#include "guard/groups/groups.h"

namespace dp::guard {
namespace {

template <class T>
void append(StringInfo bytes, T number) {
  appendBinaryStringInfo(bytes, reinterpret_cast<const char*>(&number), sizeof number);
}

}  // namespace

void Groups::write_contents(StringInfo bytes) const {
  append(bytes, keys_);
  append(bytes, sets_);
  append(bytes, selection_.epsilon);
  append(bytes, selection_.delta);
  append(bytes, dependence_);
  for (int i = 0; i < sets_; ++i) {
    append(bytes, set_[i].mask);
    append(bytes, set_[i].times);
  }
  for (int i = 0; i < keys_; ++i) {
    const Key& key = key_[i];
    append(bytes, key.type);
    append(bytes, key.collation);
    append(bytes, key.is_public);
    append(bytes, key.with_null);
    append(bytes, key.domain.size);
    int16 length;
    bool by_value;
    get_typlenbyval(key.type, &length, &by_value);
    for (int value = 0; value < key.domain.size; ++value)
      append_value(bytes, key.domain.values[value], length, by_value);
  }
}

}  // namespace dp::guard
