#include "aggregate/call/server_keys.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "pg/errors.h"
#include "pg/nodes.h"

namespace dp::aggregate {
namespace {

// A flag of our own beside PARAM_FLAG_CONST, as those of sent_groups.cpp, unit_files.cpp and collations.cpp.
constexpr uint16 kForServers = 0x0800;

// A modifier that no value of type bytea has.
constexpr int32 kUnknownKeys = 0x6470;

constexpr char kMagic[] = {'d', 'p', 'k', 1};
constexpr std::int64_t kMostGroupsSent = 10'000;
constexpr int kMostBytes = 1 << 24;

ParamExternData* parameter_of(ParamListInfo parameters) {
  for (int i = 0; parameters != nullptr && i < parameters->numParams; ++i) {
    if ((parameters->params[i].pflags & kForServers) != 0) return &parameters->params[i];
  }
  return nullptr;
}

// Values are written and read as postgres_fdw does it, whatever the session says.
class PlainTexts {
 public:
  PlainTexts() : level_(NewGUCNestLevel()) {
    const auto set = [](const char* name, const char* value) {
      set_config_option(name, value, PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
    };
    set("datestyle", "ISO");
    set("intervalstyle", "postgres");
    set("extra_float_digits", "3");
    set("bytea_output", "hex");
  }
  void end() const { AtEOXact_GUC(true, level_); }  // after an error the end of the transaction does it

 private:
  int level_;
};

[[noreturn]] void refuse_keys() {
  ereport(ERROR, (errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
                  errmsg("the group keys of another server's question are not what pg_dp sends"),
                  errhint("Aggregate shard_row is called by other servers alone.")));
  pg_unreachable();
}

// One key's values in the order of this server, with the places that they have on the other one.
struct Key {
  FmgrInfo compare;
  Oid collation;
  int size;
  Datum* values;
  int* places;
  bool with_null;

  int find(const NullableDatum& value) const;
};

int Key::find(const NullableDatum& value) const {
  if (value.isnull) return with_null ? size : -1;
  int low = 0, high = size;
  while (low < high) {
    const int middle = (low + high) / 2;
    const int order =
        DatumGetInt32(FunctionCall2Coll(const_cast<FmgrInfo*>(&compare), collation, values[middle], value.value));
    if (order == 0) return places[middle];
    (order < 0 ? low : high) = order < 0 ? middle + 1 : middle;
  }
  return -1;
}

class ServerPlaces final : public Places {
 public:
  ServerPlaces(const Key* keys, int count) : keys_(keys), count_(count) {}

  std::int64_t place_of(const NullableDatum* row) const override {
    std::int64_t number = 0;
    for (int i = 0; i < count_; ++i) {
      const int place = keys_[i].find(row[i]);
      if (place < 0) return -1;
      number = number * (keys_[i].size + keys_[i].with_null) + place;
    }
    return number;
  }

 private:
  const Key* keys_;
  int count_;
};

// Reads what was sent, from its beginning to its end.
class Reader {
 public:
  explicit Reader(const bytea* sent) : at_(VARDATA_ANY(sent)), end_(at_ + VARSIZE_ANY_EXHDR(sent)) {}

  void magic() {
    if (std::memcmp(bytes(sizeof kMagic), kMagic, sizeof kMagic) != 0) refuse_keys();
  }
  std::int32_t number() {
    std::int32_t value;
    std::memcpy(&value, bytes(sizeof value), sizeof value);
    return value;
  }
  char* text() {
    const std::int32_t size = number();
    if (size < 0) refuse_keys();
    char* const value = pnstrdup(bytes(static_cast<std::size_t>(size)), static_cast<Size>(size));
    if (std::strlen(value) != static_cast<std::size_t>(size)) refuse_keys();
    pg_verify_mbstr(GetDatabaseEncoding(), value, size, false);
    return value;
  }
  bool at_end() const { return at_ == end_; }

 private:
  const char* bytes(std::size_t size) {
    if (static_cast<std::size_t>(end_ - at_) < size) refuse_keys();
    return std::exchange(at_, at_ + size);
  }

  const char* at_;
  const char* end_;
};

void put_in_order(Key* key) {
  std::sort(key->places, key->places + key->size, [key](int one, int other) {
    return DatumGetInt32(FunctionCall2Coll(&key->compare, key->collation, key->values[one], key->values[other])) < 0;
  });
  auto* const ordered = static_cast<Datum*>(palloc(sizeof(Datum) * static_cast<Size>(key->size + 1)));
  for (int i = 0; i < key->size; ++i) ordered[i] = key->values[key->places[i]];
  key->values = ordered;
}

Key read(Reader* reader, const KeyType& of) {
  Key key{};
  const TypeCacheEntry* const type = lookup_type_cache(of.type, TYPECACHE_CMP_PROC_FINFO);
  if (!OidIsValid(type->cmp_proc_finfo.fn_oid)) refuse_keys();
  fmgr_info_copy(&key.compare, const_cast<FmgrInfo*>(&type->cmp_proc_finfo), CurrentMemoryContext);
  key.collation = of.collation;
  key.size = reader->number();
  key.with_null = reader->number() != 0;
  if (key.size < 0 || key.size > kMostGroupsSent) refuse_keys();
  key.values = static_cast<Datum*>(palloc(sizeof(Datum) * static_cast<Size>(key.size + 1)));
  key.places = static_cast<int*>(palloc(sizeof(int) * static_cast<Size>(key.size + 1)));
  Oid input, of_element;
  getTypeInputInfo(of.type, &input, &of_element);
  for (int i = 0; i < key.size; ++i) {
    key.values[i] = OidInputFunctionCall(input, reader->text(), of_element, -1);
    key.places[i] = i;
  }
  put_in_order(&key);
  return key;
}

void put_text(StringInfo to, const char* value) {
  const auto size = static_cast<std::int32_t>(std::strlen(value));
  appendBinaryStringInfo(to, reinterpret_cast<const char*>(&size), sizeof size);
  appendBinaryStringInfo(to, value, size);
}

[[noreturn]] void refuse_many() {
  ereport(ERROR,
          (errcode(pg::kNotAdmissible), errmsg("the values of the group keys are too many to be sent to other servers"),
           errdetail("More than %lld groups, or more than %d MB of values.", static_cast<long long>(kMostGroupsSent),
                     kMostBytes >> 20),
           errhint("Ask for fewer groups: WHERE ward IN ('north', 'south').")));
  pg_unreachable();
}

}  // namespace

Node* keys_for_servers() { return reinterpret_cast<Node*>(makeNullConst(BYTEAOID, kUnknownKeys, InvalidOid)); }

bool are_keys_for_servers(const Node* value) {
  if (!IsA(value, Const)) return false;
  const auto* const constant = reinterpret_cast<const Const*>(value);
  return constant->consttype == BYTEAOID && constant->consttypmod == kUnknownKeys && constant->constisnull;
}

void reserve_keys_for_servers(ParamExternData* parameter) {
  *parameter = {Datum{0}, true, PARAM_FLAG_CONST | kForServers, BYTEAOID};
}

bool asks_servers_for_groups(ParamListInfo parameters) { return parameter_of(parameters) != nullptr; }

void send_keys_to_servers(ParamListInfo parameters, std::span<const SentKey> keys) {
  ParamExternData* const parameter = parameter_of(parameters);
  if (parameter == nullptr) return;
  StringInfoData sent;
  initStringInfo(&sent);
  appendStringInfoSpaces(&sent, VARHDRSZ);
  appendBinaryStringInfo(&sent, kMagic, sizeof kMagic);
  std::int64_t groups = 1;
  const PlainTexts plain;
  for (const SentKey& key : keys) {
    groups *= key.places();
    if (groups > kMostGroupsSent) refuse_many();
    const std::int32_t head[] = {key.size, key.with_null};
    appendBinaryStringInfo(&sent, reinterpret_cast<const char*>(head), sizeof head);
    Oid output;
    bool is_varlena;
    getTypeOutputInfo(key.type, &output, &is_varlena);
    for (int i = 0; i < key.size; ++i) {
      put_text(&sent, OidOutputFunctionCall(output, key.values[i]));
      if (sent.len > kMostBytes) refuse_many();
    }
  }
  plain.end();
  SET_VARSIZE(sent.data, sent.len);
  parameter->value = PointerGetDatum(sent.data);
  parameter->isnull = false;
}

PlacesOfServer sent_to_server(const bytea* sent, std::span<const KeyType> types) {
  Reader reader(sent);
  reader.magic();
  auto* const keys = static_cast<Key*>(palloc0(sizeof(Key) * types.size()));
  std::int64_t groups = 1;
  const PlainTexts plain;
  for (std::size_t i = 0; i < types.size(); ++i) {
    keys[i] = read(&reader, types[i]);
    groups *= keys[i].size + keys[i].with_null;
    if (groups > kMostGroupsSent) refuse_keys();
  }
  plain.end();
  if (!reader.at_end()) refuse_keys();
  return {new (palloc(sizeof(ServerPlaces))) ServerPlaces(keys, static_cast<int>(types.size())), groups};
}

}  // namespace dp::aggregate
