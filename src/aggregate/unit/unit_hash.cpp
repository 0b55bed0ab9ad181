// dp_internal.unit_key and dp_internal.unit_hash: which rows or groups of a privacy unit count, where it has too many;
// dp_internal.unit_of_row: what tells rows apart of which each is a unit; dp_internal.group_weight: how much a unit is
// worth in each of its groups.
//
// The choice must not depend on other units, so neither on where a row is stored nor on when it is read. It is made by
// a hash of the unit and the row's own values, under a key that is drawn for each execution. Privacy does not need an
// unpredictable choice; the key is fresh so that different rows count each time, and so that nobody can craft rows that
// always count. Values are hashed as bytes: no code of their types runs.
#include <algorithm>

#include "core/accumulate/unit_state.h"
#include "core/mechanism/group_selection.h"
#include "pg/errors.h"
#include "pg/random_bits.h"
#include "pg/server.h"

namespace dp::aggregate {
namespace {

std::uint64_t hash_bytes_on(std::uint64_t hash, const void* bytes, std::size_t size) {
  return hash_bytes_extended(static_cast<const unsigned char*>(bytes), static_cast<int>(size), hash);
}

std::uint64_t hash_value(std::uint64_t hash, Datum value, Oid type) {
  const int length = get_typlen(type);
  if (get_typbyval(type)) return hash_bytes_on(hash, &value, sizeof value);
  if (length > 0) return hash_bytes_on(hash, DatumGetPointer(value), static_cast<std::size_t>(length));
  if (length == -2) return hash_bytes_on(hash, DatumGetCString(value), strlen(DatumGetCString(value)));
  auto* const stored = reinterpret_cast<varlena*>(DatumGetPointer(value));
  varlena* const plain = PG_DETOAST_DATUM_PACKED(value);
  const std::uint64_t result = hash_bytes_on(hash, VARDATA_ANY(plain), VARSIZE_ANY_EXHDR(plain));
  if (plain != stored) pfree(plain);
  return result;
}

}  // namespace

DP_SQL_FUNCTION(dp_unit_key) { PG_RETURN_INT64(static_cast<std::int64_t>(pg::random_bits().bits(64))); }

// No two rows that processes of one server read at a time have the same.
DP_SQL_FUNCTION(dp_unit_of_row) {
  constexpr int kCounted = 40;  // bits
  static std::uint64_t rows = 0;
  rows = (rows + 1) & ((std::uint64_t{1} << kCounted) - 1);
  PG_RETURN_INT64(static_cast<std::int64_t>(static_cast<std::uint64_t>(MyProcPid) << kCounted | rows));
}

DP_SQL_FUNCTION(dp_unit_hash) {
  if (PG_ARGISNULL(0)) PG_RETURN_NULL();
  auto hash = static_cast<std::uint64_t>(PG_GETARG_INT64(0));
  for (int i = 1; i < PG_NARGS(); ++i) {
    constexpr char kNull = '\0';
    hash = PG_ARGISNULL(i) ? hash_bytes_on(hash, &kNull, 1)
                           : hash_value(hash, PG_GETARG_DATUM(i), get_fn_expr_argtype(fcinfo->flinfo, i));
  }
  PG_RETURN_INT64(static_cast<std::int64_t>(hash));
}

// dp_internal.group_weight(groups) returns bigint
DP_SQL_FUNCTION(dp_group_weight) {
  using Selection = mechanism::WeightedSelection;
  const std::int64_t groups = std::clamp<std::int64_t>(PG_GETARG_INT64(0), 1, Selection::kMostGroups);
  PG_RETURN_INT64(Selection::weight(groups));
}

// dp_internal.unit_rows(key, most, rows, up_to, all_rows) returns bigint. Rows 1 to all_rows of a unit lie group by
// group; every all_rows/most-th one counts, from a random place on. So a group has most * rows/all_rows on average, and
// they are `most` together.
DP_SQL_FUNCTION(dp_unit_rows) {
  const auto key = static_cast<std::uint64_t>(PG_GETARG_INT64(0));
  PG_RETURN_INT64(share_of_rows(key, PG_GETARG_INT64(1), PG_GETARG_INT64(2), PG_GETARG_INT64(3), PG_GETARG_INT64(4)));
}

}  // namespace dp::aggregate
