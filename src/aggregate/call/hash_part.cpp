#include "aggregate/call/hash_part.h"

#include "pg/errors.h"
#include "pg/partitions.h"

namespace dp::aggregate {
namespace {

const TypeCacheEntry* hashed_type(FunctionCallInfo fcinfo) {
  FmgrInfo* const function = fcinfo->flinfo;
  if (function->fn_extra != nullptr) return static_cast<const TypeCacheEntry*>(function->fn_extra);
  const Oid type = get_fn_expr_argtype(function, 2);
  TypeCacheEntry* const known =
      OidIsValid(type) ? lookup_type_cache(type, TYPECACHE_HASH_EXTENDED_PROC_FINFO) : nullptr;
  if (known == nullptr || !OidIsValid(known->hash_extended_proc)) {
    ereport(ERROR, (errcode(ERRCODE_UNDEFINED_FUNCTION),
                    errmsg("values of type %s have no hash by which a table is partitioned", format_type_be(type))));
  }
  function->fn_extra = known;
  return known;
}

}  // namespace

// dp_internal.in_hash_part(modulus, remainder, value) returns boolean
DP_ROW_FUNCTION(dp_in_hash_part) {
  const TypeCacheEntry* const type = hashed_type(fcinfo);
  const int32 modulus = PG_GETARG_INT32(0), remainder = PG_GETARG_INT32(1);
  if (modulus < 1) {
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("modulus must be positive, not %d", modulus)));
  }
  auto* const hash = const_cast<FmgrInfo*>(&type->hash_extended_proc_finfo);
  const std::uint64_t of_value = DatumGetUInt64(
      FunctionCall2Coll(hash, PG_GET_COLLATION(), PG_GETARG_DATUM(2), UInt64GetDatum(HASH_PARTITION_SEED)));
  PG_RETURN_BOOL(hash_combine64(0, of_value) % static_cast<std::uint64_t>(modulus) ==
                 static_cast<std::uint64_t>(remainder));
}

}  // namespace dp::aggregate
