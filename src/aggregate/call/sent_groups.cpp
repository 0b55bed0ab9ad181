#include "aggregate/call/sent_groups.h"

#include <cstring>

#include "aggregate/unit/group_states.h"
#include "pg/errors.h"
#include "pg/ordered_values.h"

namespace dp::aggregate {
namespace {

// A flag of our own beside PARAM_FLAG_CONST, as those of unit_files.cpp and guard/admission/collations.cpp.
constexpr uint16 kSentKeys = 0x1000;

constexpr Size kMostBytes = 1 << 20;

struct Head {
  Oid type;
  Oid collation;
  std::int32_t size;
  std::int32_t with_null;
};

ParamExternData* parameter_of(ParamListInfo parameters) {
  for (int i = 0; parameters != nullptr && i < parameters->numParams; ++i) {
    ParamExternData& sent = parameters->params[i];
    if ((sent.pflags & kSentKeys) != 0 && sent.ptype == BYTEAOID) return &sent;
  }
  return nullptr;
}

// Finds keys among values, as the leader's groups do.
class SentPlaces final : public Places {
 public:
  explicit SentPlaces(const bytea* sent) {
    auto* at = const_cast<char*>(VARDATA_ANY(sent));
    const char* const end = at + VARSIZE_ANY_EXHDR(sent);
    std::memcpy(&keys_, at, sizeof keys_);
    at += sizeof keys_;
    key_ = static_cast<Key*>(palloc0(sizeof(Key) * static_cast<Size>(keys_)));
    for (int i = 0; i < keys_; ++i) read(&key_[i], &at);
    if (at != end) elog(ERROR, "the group keys of a parallel worker are not what was sent");
  }

  std::int64_t place_of(const NullableDatum* keys) const override {
    std::int64_t number = 0;
    for (int i = 0; i < keys_; ++i) {
      const int place = find(key_[i], keys[i]);
      if (place < 0) return -1;
      number = number * key_[i].values.places() + place;
    }
    return number;
  }

 private:
  struct Key {
    SentKey values;
    FmgrInfo compare;
  };

  static void read(Key* key, char** at) {
    Head head;
    std::memcpy(&head, *at, sizeof head);
    *at += sizeof head;
    auto* const values = static_cast<Datum*>(palloc(sizeof(Datum) * static_cast<Size>(head.size + 1)));
    bool is_null;
    for (int i = 0; i < head.size; ++i) values[i] = datumRestore(at, &is_null);
    key->values = {head.type, head.collation, head.size, values, head.with_null != 0};
    const TypeCacheEntry* const type = lookup_type_cache(head.type, TYPECACHE_CMP_PROC_FINFO);
    fmgr_info_copy(&key->compare, const_cast<FmgrInfo*>(&type->cmp_proc_finfo), CurrentMemoryContext);
  }

  static int find(const Key& key, const NullableDatum& value) {
    if (value.isnull) return key.values.with_null ? key.values.size : -1;
    return pg::find_ordered(key.values.values, key.values.size, key.compare, key.values.collation, value.value);
  }

  int keys_ = 0;
  Key* key_;
};

// Whether the numbers of all combinations fit a record of the workers'.
bool can_be_numbered(std::span<const SentKey> keys) {
  std::uint64_t combinations = 1;
  for (const SentKey& key : keys) {
    combinations *= static_cast<std::uint64_t>(key.places());
    if (combinations > kMostGroupNumbers) return false;
  }
  return true;
}

}  // namespace

void reserve_sent_keys(ParamExternData* parameter) {
  *parameter = {Datum{0}, true, PARAM_FLAG_CONST | kSentKeys, BYTEAOID};
}

bool send_keys(ParamListInfo parameters, std::span<const SentKey> keys) {
  ParamExternData* const parameter = parameter_of(parameters);
  if (parameter == nullptr || !can_be_numbered(keys)) return false;
  Size bytes = VARHDRSZ + sizeof(int);
  for (const SentKey& key : keys) {
    int16 length;
    bool by_value;
    get_typlenbyval(key.type, &length, &by_value);
    bytes += sizeof(Head);
    for (int i = 0; i < key.size && bytes <= kMostBytes; ++i)
      bytes += datumEstimateSpace(key.values[i], false, by_value, length);
    if (bytes > kMostBytes) return false;
  }
  auto* const sent = static_cast<bytea*>(palloc0(bytes));
  SET_VARSIZE(sent, bytes);
  char* at = VARDATA(sent);
  const auto count = static_cast<int>(keys.size());
  std::memcpy(at, &count, sizeof count);
  at += sizeof count;
  for (const SentKey& key : keys) {
    int16 length;
    bool by_value;
    get_typlenbyval(key.type, &length, &by_value);
    const Head head{key.type, key.collation, key.size, key.with_null};
    std::memcpy(at, &head, sizeof head);
    at += sizeof head;
    for (int i = 0; i < key.size; ++i) datumSerialize(key.values[i], false, by_value, length, &at);
  }
  parameter->value = PointerGetDatum(sent);
  parameter->isnull = false;
  return true;
}

const Places* sent_places(ParamListInfo parameters) {
  const ParamExternData* const parameter = parameter_of(parameters);
  if (parameter == nullptr || parameter->isnull) return nullptr;
  return new (palloc(sizeof(SentPlaces))) SentPlaces(DatumGetByteaPP(parameter->value));
}

}  // namespace dp::aggregate
