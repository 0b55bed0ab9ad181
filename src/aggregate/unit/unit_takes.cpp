// dp_internal.unit_takes: which values of privacy units count where each is counted once
// (core/accumulate/taken_values.h).
//
// A window function over the rows of a group, unit after unit and in the order of the values' hashes. What it keeps
// lives as long as the group.
#include "core/accumulate/taken_values.h"
#include "pg/errors.h"
#include "pg/windows.h"

namespace dp::aggregate {
namespace {

struct Argument {
  Datum value;
  bool null;
};

Argument argument(WindowObject window, int number) {
  Argument read{};
  read.value = WinGetFuncArgCurrent(window, number, &read.null);
  return read;
}

struct Taking {
  bool begun;
  TakenValues values;
  TypeCacheEntry* type;  // of units
  Datum unit;
};

Taking* begin(Taking* taking, Oid type) {
  taking->values = TakenValues();
  taking->type = lookup_type_cache(type, TYPECACHE_EQ_OPR_FINFO);
  taking->begun = true;
  return taking;
}

bool is_same_unit(const Taking& taking, Datum unit, Oid collation) {
  return DatumGetBool(FunctionCall2Coll(&taking.type->eq_opr_finfo, collation, taking.unit, unit));
}

// Copies the unit into the memory of the group.
void begin_unit(Taking* taking, Datum unit, int64 most, bool first) {
  if (!first && !taking->type->typbyval) pfree(DatumGetPointer(taking->unit));
  MemoryContext const before = MemoryContextSwitchTo(GetMemoryChunkContext(taking));
  taking->unit = datumCopy(unit, taking->type->typbyval, taking->type->typlen);
  MemoryContextSwitchTo(before);
  taking->values.begin_unit(most);
}

bool take(Taking* taking, std::uint64_t hash) {
  if (const std::size_t bytes = taking->values.bytes_needed(); bytes > 0) {
    void* const old = taking->values.move_to(
        MemoryContextAllocExtended(GetMemoryChunkContext(taking), bytes, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO));
    if (old != nullptr) pfree(old);
  }
  return taking->values.take(hash);
}

}  // namespace

DP_SQL_FUNCTION(dp_unit_takes) {
  WindowObject const window = PG_WINDOW_OBJECT();
  WinSetMarkPosition(window, WinGetCurrentPosition(window));  // it does not look back
  const Argument unit = argument(window, 0), value = argument(window, 1), hash = argument(window, 2),
                 most = argument(window, 3);
  if (unit.null || value.null || hash.null || most.null) PG_RETURN_BOOL(false);
  auto* const taking = static_cast<Taking*>(WinGetPartitionLocalMemory(window, sizeof(Taking)));
  const bool first = !taking->begun;
  if (first) begin(taking, get_fn_expr_argtype(fcinfo->flinfo, 0));
  if (first || !is_same_unit(*taking, unit.value, PG_GET_COLLATION()))
    begin_unit(taking, unit.value, DatumGetInt64(most.value), first);
  PG_RETURN_BOOL(take(taking, static_cast<std::uint64_t>(DatumGetInt64(hash.value))));
}

}  // namespace dp::aggregate
