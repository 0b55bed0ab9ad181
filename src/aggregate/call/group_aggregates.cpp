#include "aggregate/call/group_aggregates.h"

#include <algorithm>
#include <cstring>

#include "aggregate/call/limit_choice.h"
#include "aggregate/call/sent_groups.h"
#include "aggregate/call/server_keys.h"
#include "aggregate/call/unit_buckets.h"
#include "aggregate/unit/group_states.h"
#include "aggregate/unit/unit_files.h"
#include "pg/errors.h"
#include "pg/nodes.h"

namespace dp::aggregate {
namespace {

constexpr int kLimits = 3;

// The keys of a row as bytes: equal bytes are equal keys of one type.
class KeyBytes {
 public:
  static constexpr int kMost = 32;

  // False, and nothing is known, where the keys are longer than that.
  bool put(const NullableDatum& key, std::int16_t length, bool by_value) {
    if (key.isnull) return put_bytes("", 1);
    if (by_value) return put_bytes("\1", 1) && put_bytes(&key.value, sizeof key.value);
    if (length > 0) return put_bytes("\1", 1) && put_bytes(DatumGetPointer(key.value), static_cast<Size>(length));
    const auto* const stored = reinterpret_cast<const varlena*>(DatumGetPointer(key.value));
    if (length != -1 || VARATT_IS_EXTERNAL(stored) || VARATT_IS_COMPRESSED(stored)) return false;
    const Size size = VARSIZE_ANY_EXHDR(stored);
    const auto shown = static_cast<unsigned char>(size + 2);  // put_bytes() refuses sizes that this cannot hold
    return put_bytes(&shown, 1) && put_bytes(VARDATA_ANY(stored), size);
  }

  std::uint64_t hash() const {
    std::uint64_t words[kMost / 8];
    std::memcpy(words, bytes_, sizeof words);
    std::uint64_t hash = 0;
    for (int i = 0; 8 * i < size_; ++i) hash = word_of(hash ^ words[i]);
    return hash;
  }

  bool operator==(const KeyBytes& other) const {
    return size_ == other.size_ && std::memcmp(bytes_, other.bytes_, sizeof bytes_) == 0;
  }

 private:
  bool put_bytes(const void* bytes, Size size) {
    if (size > static_cast<Size>(kMost - size_)) return false;
    std::memcpy(bytes_ + size_, bytes, size);
    size_ += static_cast<int>(size);
    return true;
  }

  char bytes_[kMost] = {};  // zeros behind the keys
  int size_ = 0;
};

// A group that was found by its keys.
struct KnownPlace {
  KeyBytes keys;  // of no size at first, as no row's are
  std::int64_t place;
};

// The same where there is one key, which is stored in a Datum.
struct KnownValue {
  Datum key;
  std::int64_t place;
  bool is_known;
};

struct KeyForm {
  std::int16_t length;
  bool by_value;
};

struct RowCall : Call {
  const RowCall* above;      // in the leader of a parallel plan, of what adds rows: what combines
  ParamListInfo parameters;  // of the plan
  List* calls;               // const Call*: of the other aggregates of the node
  int keys;
  int sent;  // the argument of shard_row() that says which groups there are; 0: it is units_row()
  KeyForm* key_forms;
  const Places* places;
  std::uint64_t known_places;  // a power of 2
  KnownPlace* known;
  KnownValue* known_values;  // nullptr where there are more keys, or long ones

  // The argument of that key: the unit stands behind the first.
  static int argument(int key) { return key == 0 ? 1 : key + 2; }

  std::int64_t place_of(FunctionCallInfo fcinfo) const;
  std::int64_t look_up(FunctionCallInfo fcinfo) const;
};

std::int64_t RowCall::look_up(FunctionCallInfo fcinfo) const {
  auto* const row = static_cast<NullableDatum*>(palloc(static_cast<Size>(keys) * sizeof(NullableDatum)));
  for (int i = 0; i < keys; ++i) row[i] = fcinfo->args[argument(i)];
  return places->place_of(row);
}

std::int64_t RowCall::place_of(FunctionCallInfo fcinfo) const {
  if (known_values != nullptr && !fcinfo->args[argument(0)].isnull) {
    const Datum key = fcinfo->args[argument(0)].value;
    KnownValue& slot = known_values[word_of(key) & (known_places - 1)];
    if (!slot.is_known || slot.key != key) slot = {key, look_up(fcinfo), true};
    return slot.place;
  }
  KeyBytes bytes;
  for (int i = 0; i < keys; ++i) {
    if (!bytes.put(fcinfo->args[argument(i)], key_forms[i].length, key_forms[i].by_value)) return look_up(fcinfo);
  }
  KnownPlace& slot = known[bytes.hash() & (known_places - 1)];
  if (!(slot.keys == bytes)) slot = {bytes, look_up(fcinfo)};
  return slot.place;
}

// How many groups that were found by their keys are known, where there are so many.
void know_groups(RowCall* row, std::int64_t count) {
  row->known_places = 16;
  while (row->known_places < 4096 && static_cast<std::int64_t>(row->known_places) < 8 * count) row->known_places *= 2;
  row->known = static_cast<KnownPlace*>(palloc(row->known_places * sizeof(KnownPlace)));
  for (std::uint64_t i = 0; i < row->known_places; ++i) new (&row->known[i]) KnownPlace{};
  if (row->keys == 1 && row->key_forms[0].by_value)
    row->known_values = static_cast<KnownValue*>(palloc0(row->known_places * sizeof(KnownValue)));
}

// Those that another server has sent.
void find_groups_of_server(RowCall* row, FunctionCallInfo fcinfo) {
  if (PG_ARGISNULL(row->sent)) elog(ERROR, "another server did not say which groups there are");
  auto* const types = static_cast<KeyType*>(palloc(static_cast<Size>(row->keys) * sizeof(KeyType)));
  const auto* const aggref = AggGetAggref(fcinfo);
  for (int i = 0; i < row->keys; ++i) {
    const auto* const key = list_nth_node(TargetEntry, aggref->args, RowCall::argument(i) - 1);
    types[i] = {exprType(reinterpret_cast<Node*>(key->expr)), exprCollation(reinterpret_cast<Node*>(key->expr))};
  }
  const auto* const sent = reinterpret_cast<const bytea*>(PG_DETOAST_DATUM_COPY(PG_GETARG_DATUM(row->sent)));
  const PlacesOfServer found = sent_to_server(sent, {types, static_cast<std::size_t>(row->keys)});
  set_groups(*row, *found.places, found.groups);
}

// Below a node that combines: the groups of the leader's, or those that were sent to a worker.
void find_groups(RowCall* row, FunctionCallInfo fcinfo) {
  MemoryContext const outer = MemoryContextSwitchTo(castNode(AggState, fcinfo->context)->ss.ps.state->es_query_cxt);
  if (row->sent > 0) {
    find_groups_of_server(row, fcinfo);
    MemoryContextSwitchTo(outer);
    return;
  }
  constexpr std::int64_t kMany = 1000;
  row->places = row->above != nullptr ? row->above->places : sent_places(row->parameters);
  if (row->places == nullptr) elog(ERROR, "a parallel plan over groups of privacy units was not told which there are");
  know_groups(row, kMany);
  MemoryContextSwitchTo(outer);
}

[[noreturn]] void refuse_row() {
  ereport(ERROR, (errcode(ERRCODE_INVALID_FUNCTION_DEFINITION),
                  errmsg("aggregate units_row is called in another way than pg_dp does"),
                  errhint("Use the aggregates of pg_dp, for example dp_sum(x, 0, 100, 0.5).")));
  pg_unreachable();
}

Expr* argument_of(const Aggref* aggref, int position) {
  return castNode(TargetEntry, list_nth(aggref->args, position))->expr;
}

std::uint32_t limit_of(const Aggref* aggref, int position) {
  const auto* const limit = reinterpret_cast<const Const*>(argument_of(aggref, position));
  if (!IsA(limit, Const) || limit->consttype != INT8OID || limit->constisnull) refuse_row();
  const std::int64_t number = DatumGetInt64(limit->constvalue);
  if (number < 0 || number > PG_INT32_MAX) refuse_row();
  return static_cast<std::uint32_t>(number);
}

const RowCall& row_of(const Call& call) { return *static_cast<const RowCall*>(call.units->row_call); }

}  // namespace

Call* prepare_units_row(const Aggref* aggref, Gate* gate, const Call* above, bool for_server) {
  const int keys = list_length(aggref->args) - 1 - kLimits - (for_server ? 1 : 0);
  if (keys < 1 || aggref->aggorder != NIL || aggref->aggdistinct != NIL || aggref->aggfilter != nullptr) refuse_row();
  auto* const call = make_call<RowCall>();
  call->gate = gate;
  call->above = static_cast<const RowCall*>(above);
  call->keys = keys;
  call->sent = for_server ? list_length(aggref->args) : 0;
  call->key_forms = static_cast<KeyForm*>(palloc(static_cast<Size>(keys) * sizeof(KeyForm)));
  for (int i = 0; i < keys; ++i) {
    const Oid type = exprType(reinterpret_cast<Node*>(argument_of(aggref, RowCall::argument(i) - 1)));
    get_typlenbyval(type, &call->key_forms[i].length, &call->key_forms[i].by_value);
  }
  if (for_server && exprType(reinterpret_cast<Node*>(argument_of(aggref, call->sent - 1))) != BYTEAOID) refuse_row();
  auto* const units = static_cast<UnitGroup*>(palloc0(sizeof(UnitGroup)));
  units->limits = {limit_of(aggref, keys + 1), limit_of(aggref, keys + 2), limit_of(aggref, keys + 3)};
  units->row_call = call;
  call->units = units;
  return call;
}

void keep_groups_together(Call* row, List* calls, ParamListInfo parameters) {
  share_units(row->units, calls);
  row->units->sent = sent_unit_files(parameters);
  static_cast<RowCall*>(row)->parameters = parameters;
  static_cast<RowCall*>(row)->calls = calls;
}

bool is_by_group(const Call& call) { return call.units != nullptr && call.units->row_call != nullptr; }

void set_groups(const Call& call, const Places& places, std::int64_t count) {
  UnitGroup* const group = call.units;
  auto& row = const_cast<RowCall&>(row_of(call));
  row.places = &places;
  know_groups(&row, count);
  group->groups = static_cast<std::uint64_t>(count);
  make_totals(group, group->groups);
  make_limit_choices(row.calls, group->groups);
}

Datum answer_to_group(const Call& call, std::int64_t group) {
  if (!is_by_group(call)) return answer_to_no_rows(call);
  if (call.units->group_states != nullptr) elog(ERROR, "an answer of a group is asked before all rows are read");
  pg::entry([&call] { choose_limit_of(call); });
  LOCAL_FCINFO(fcinfo, 1);
  InitFunctionCallInfoData(*fcinfo, const_cast<FmgrInfo*>(call.final), 1, InvalidOid, nullptr, nullptr);
  const State* const state = call.by_bucket ? counts_of_group(call, static_cast<std::uint64_t>(group))
                                            : &call.units->shares[call.share].by_group[group].state;
  fcinfo->args[0] = {PointerGetDatum(state), false};
  return call.support->final(fcinfo);
}

// dp_units_row_add(internal, anyelement, VARIADIC "any") returns internal: the first key, the unit, and further keys
DP_SQL_FUNCTION(dp_units_row_add) {
  const auto& call = call_of<RowCall>(fcinfo);
  UnitGroup* const units = call.units;
  constexpr int kUnit = 2;
  units->row = nullptr;
  units->place = -1;
  if (PG_ARGISNULL(kUnit)) return same_state(fcinfo);
  if (call.places == nullptr) find_groups(const_cast<RowCall*>(&call), fcinfo);
  const std::int64_t place = call.place_of(fcinfo);
  if (place < 0) return same_state(fcinfo);
  if (units->group_states == nullptr)
    GroupStates::make(state_memory(fcinfo), units, get_fn_expr_argtype(fcinfo->flinfo, kUnit));
  if (units->buckets > 0) {
    units->unit = PG_GETARG_DATUM(kUnit);
    units->place = place;
    PG_RETURN_POINTER(units);
  }
  units->row = units->group_states->record_of(PG_GETARG_DATUM(kUnit), static_cast<std::uint64_t>(place));
  PG_RETURN_POINTER(units);
}

// dp_units_row_answer(internal, anyelement, VARIADIC "any") returns anyelement: NULL
DP_SQL_FUNCTION(dp_units_row_answer) {
  const auto& call = call_of<RowCall>(fcinfo);
  if (call.units->group_states != nullptr) call.units->group_states->finish();
  PG_RETURN_NULL();
}

// dp_groups_add(internal, VARIADIC "any") returns internal
DP_SQL_FUNCTION(dp_groups_add) {
  const auto& call = call_of<Call>(fcinfo);
  if (call.by_bucket) {
    if (call.units->place < 0) return same_state(fcinfo);
    fcinfo->args[0] = {PointerGetDatum(call.units), false};
    return call.support->transition(fcinfo);
  }
  char* const record = call.units->row;
  if (record == nullptr) return same_state(fcinfo);
  fcinfo->args[0] = {PointerGetDatum(record + call.units->shares[call.share].offset), false};
  (call.row != nullptr ? call.row : call.support->transition)(fcinfo);
  PG_RETURN_POINTER(call.units);
}

// dp_groups_answer(internal) returns bigint, numeric or float8: NULL, for the answers are those of groups
DP_SQL_FUNCTION(dp_groups_answer) {
  call_of<Call>(fcinfo);
  PG_RETURN_NULL();
}

}  // namespace dp::aggregate
