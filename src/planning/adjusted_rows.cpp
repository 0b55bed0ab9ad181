#include "planning/adjusted_rows.h"

#include <cmath>
#include <limits>

#include "pg/errors.h"

namespace dp::planning {
namespace {

// Numerics become whole numbers below this one: of large ones the last digits are left out.
constexpr double kMostWhole = 4e18, kMost = 1e100;

[[noreturn]] void refuse(const char* message, const char* hint) {
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("%s", message), errhint("%s", hint)));
  pg_unreachable();
}

struct Argument {
  Datum value;
  bool null;
};

Argument argument(WindowObject window, int number, int64 row) {
  Argument read{};
  bool outside = false;
  read.value =
      WinGetFuncArgInPartition(window, number, static_cast<int>(row), WINDOW_SEEK_HEAD, false, &read.null, &outside);
  return read;
}

template <class T>
T* zeroed(MemoryContext memory, Size count) {
  return static_cast<T*>(
      MemoryContextAllocExtended(memory, (count + 1) * sizeof(T), MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO));
}

// ---- answers --------------------------------------------------------------------------------------------------------

int digits_behind_point(const char* text) {
  const char* const point = strchr(text, '.');
  return point == nullptr ? 0 : static_cast<int>(strlen(point + 1));
}

// The number in units of which 10 to the power of `digits` are one, rounded. It fits.
int64 in_units(const char* text, int digits) {
  const bool negative = *text == '-';
  if (negative) ++text;
  int left = static_cast<int>(strcspn(text, ".")) + digits;  // digits that are taken
  int64 whole = 0;
  int next = '0';
  for (; left > 0; --left) {
    if (*text == '.') ++text;
    whole = whole * 10 + (*text == '\0' ? 0 : *text++ - '0');
  }
  if (*text == '.') ++text;
  if (left == 0 && *text != '\0') next = *text;
  if (next >= '5') ++whole;
  return negative ? -whole : whole;
}

void read_numerics(AdjustedRows* rows, char** texts) {
  double most = 0;
  for (int64 row = 0; row < rows->count; ++row) {
    if (!rows->known[row]) continue;
    rows->digits = Max(rows->digits, digits_behind_point(texts[row]));
    most = Max(most, std::fabs(strtod(texts[row], nullptr)));
  }
  if (most >= kMost) refuse("answers of 1e100 and more are not made to add up", "Divide them by 1e10, for example.");
  while (rows->digits > 18 || most * std::pow(10.0, rows->digits) >= kMostWhole) --rows->digits;
  for (int64 row = 0; row < rows->count; ++row)
    if (rows->known[row]) rows->whole[row] = in_units(texts[row], rows->digits);
}

bool read_number(AdjustedRows* rows, int64 row, Datum value) {
  switch (rows->type) {
    case INT2OID:
      rows->whole[row] = DatumGetInt16(value);
      return true;
    case INT4OID:
      rows->whole[row] = DatumGetInt32(value);
      return true;
    case INT8OID:
      rows->whole[row] = DatumGetInt64(value);
      return true;
    case FLOAT4OID:
      rows->real[row] = static_cast<double>(DatumGetFloat4(value));
      return std::isfinite(rows->real[row]);
    default:
      rows->real[row] = DatumGetFloat8(value);
      return std::isfinite(rows->real[row]);
  }
}

void read_answers(AdjustedRows* rows, WindowObject window) {
  char** const texts =
      rows->type == NUMERICOID ? zeroed<char*>(CurrentMemoryContext, static_cast<Size>(rows->count)) : nullptr;
  for (int64 row = 0; row < rows->count; ++row) {
    const Argument answer = argument(window, 0, row);
    if (answer.null) continue;
    if (texts == nullptr) {
      rows->known[row] = read_number(rows, row, answer.value);
    } else if (Numeric const number = DatumGetNumeric(answer.value);
               !numeric_is_nan(number) && !numeric_is_inf(number)) {
      texts[row] = DatumGetCString(DirectFunctionCall1(numeric_out, NumericGetDatum(number)));
      rows->known[row] = true;
    }
  }
  if (texts != nullptr) read_numerics(rows, texts);
}

void read_errors(AdjustedRows* rows, WindowObject window) {
  for (int64 row = 0; row < rows->count; ++row) {
    const Argument error = argument(window, 1, row);
    const double given = error.null ? std::numeric_limits<double>::infinity() : DatumGetFloat8(error.value);
    if (!(given >= 0))
      refuse(psprintf("the error of an answer must be a number from 0 up, not %g", given),
             "Give dp_error(...) of the answer; 0 keeps it as it is.");
    rows->error[row] = given;
    rows->any_error = rows->any_error || !std::isinf(given);
  }
}

// ---- what tells rows apart ------------------------------------------------------------------------------------------

void read_levels(AdjustedRows* rows, WindowObject window, int place) {
  for (int64 row = 0; row < rows->count; ++row) {
    const Argument level = argument(window, place, row);
    const int64 given = level.null ? -1 : DatumGetInt32(level.value);
    if (given < 0 || (rows->keys < 31 && given >> rows->keys != 0))
      refuse(psprintf("the level of an answer by %d keys must be from 0 to %lld, not %s", rows->keys,
                      static_cast<long long>((INT64CONST(1) << Min(rows->keys, 31)) - 1),
                      level.null ? "NULL" : psprintf("%d", DatumGetInt32(level.value))),
             "It is GROUPING(...) of the keys: dp_consistent(n, error, GROUPING(a, b), a, b).");
    rows->level[row] = static_cast<std::uint32_t>(given);
  }
}

struct Key {
  Datum value;
  bool null;
  int64 row;
};

struct Order {
  FmgrInfo* compare;
  Oid collation;
};

int compare_keys(const void* one, const void* other, void* by) {
  const auto &left = *static_cast<const Key*>(one), &right = *static_cast<const Key*>(other);
  const auto& order = *static_cast<const Order*>(by);
  if (left.null || right.null) return static_cast<int>(left.null) - static_cast<int>(right.null);
  return DatumGetInt32(FunctionCall2Coll(order.compare, order.collation, left.value, right.value));
}

// Numbers its values from 0 on.
void read_key(AdjustedRows* rows, WindowObject window, Node* written, int place, int key) {
  const Oid type = exprType(written);
  const TypeCacheEntry* const known = lookup_type_cache(type, TYPECACHE_CMP_PROC_FINFO);
  if (!OidIsValid(known->cmp_proc_finfo.fn_oid))
    refuse(psprintf("values of type %s, which has no order, tell no groups apart", format_type_be(type)),
           "Give the text of the key: x::text.");
  Key* const keys = zeroed<Key>(CurrentMemoryContext, static_cast<Size>(rows->count));
  for (int64 row = 0; row < rows->count; ++row) {
    const Argument read = argument(window, place, row);
    keys[row] = {read.null ? Datum{0} : datumCopy(read.value, known->typbyval, known->typlen), read.null, row};
  }
  Order order{const_cast<FmgrInfo*>(&known->cmp_proc_finfo), exprCollation(written)};
  qsort_arg(keys, static_cast<std::size_t>(rows->count), sizeof(Key), compare_keys, &order);
  std::int32_t number = 0;
  for (int64 i = 0; i < rows->count; ++i) {
    if (i > 0 && compare_keys(&keys[i - 1], &keys[i], &order) != 0) ++number;
    rows->values[keys[i].row * rows->keys + key] = number;
  }
  pfree(keys);
}

bool is_number(Oid type) {
  return type == INT2OID || type == INT4OID || type == INT8OID || type == NUMERICOID || type == FLOAT4OID ||
         type == FLOAT8OID;
}

}  // namespace

AdjustedRows* rows_of_partition(WindowObject window, FunctionCallInfo fcinfo, int level, int keys) {
  auto** const kept = static_cast<AdjustedRows**>(WinGetPartitionLocalMemory(window, sizeof(AdjustedRows*)));
  if (*kept != nullptr) return *kept;
  List* const arguments = castNode(WindowFunc, fcinfo->flinfo->fn_expr)->args;
  MemoryContext const memory = GetMemoryChunkContext(kept);
  auto* const rows = zeroed<AdjustedRows>(memory, 1);
  rows->type = getBaseType(exprType(static_cast<Node*>(linitial(arguments))));
  if (!is_number(rows->type))
    refuse(psprintf("answers of type %s are no numbers that add up", format_type_be(rows->type)),
           "Give a count or a sum.");
  rows->count = WinGetPartitionRowCount(window);
  rows->keys = keys == 0 ? 0 : list_length(arguments) - keys;
  if (rows->keys > 31)
    refuse(psprintf("answers by %d keys have no level: there are 31 at most", rows->keys), "Group by fewer keys.");
  const auto count = static_cast<Size>(rows->count);
  rows->known = zeroed<bool>(memory, count);
  rows->whole = zeroed<int64>(memory, count);
  rows->real = zeroed<double>(memory, count);
  rows->error = zeroed<double>(memory, count);
  rows->after = zeroed<double>(memory, count);
  rows->level = zeroed<std::uint32_t>(memory, count);
  rows->values = zeroed<std::int32_t>(memory, count * static_cast<Size>(rows->keys));
  read_answers(rows, window);
  read_errors(rows, window);
  if (level > 0) read_levels(rows, window, level);
  for (int key = 0; key < rows->keys; ++key)
    read_key(rows, window, static_cast<Node*>(list_nth(arguments, keys + key)), keys + key, key);
  *kept = rows;
  return rows;
}

static Datum numeric_of(int64 units, int digits) {
  if (digits >= 0) return NumericGetDatum(int64_div_fast_to_numeric(units, digits));
  Datum const unit = DirectFunctionCall3(numeric_in, CStringGetDatum(psprintf("1e%d", -digits)),
                                         ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
  return DirectFunctionCall2(numeric_mul, NumericGetDatum(int64_to_numeric(units)), unit);
}

Datum answer_of(const AdjustedRows& rows, int64 row) {
  const int64 whole = rows.whole[row];
  switch (rows.type) {
    case INT2OID:
      return Int16GetDatum(static_cast<int16>(Max(PG_INT16_MIN, Min(PG_INT16_MAX, whole))));
    case INT4OID:
      return Int32GetDatum(static_cast<int32>(Max(PG_INT32_MIN, Min(PG_INT32_MAX, whole))));
    case INT8OID:
      return Int64GetDatum(whole);
    case NUMERICOID:
      return numeric_of(whole, rows.digits);
    case FLOAT4OID:
      return Float4GetDatum(static_cast<float>(rows.real[row]));
    default:
      return Float8GetDatum(rows.real[row]);
  }
}

}  // namespace dp::planning
