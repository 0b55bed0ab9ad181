// dp_internal.concat, concat_ws, lpad, rpad, repeat, replace, overlay, ascii, chr, encode, to_char of numbers,
// to_number, to_date, to_timestamp: what PostgreSQL's functions of these names give, and NULL where these raise an
// error and for what would be longer than 1 MB.
#include "total_functions/attempt.h"
#include "total_functions/digits.h"

namespace {

constexpr int64 kLongest = 1 << 20;

int64 bytes_of(FunctionCallInfo fcinfo, int argument) {
  return static_cast<int64>(toast_raw_datum_size(PG_GETARG_DATUM(argument))) - VARHDRSZ;
}

// Their output functions read nothing but the value and settings, and write no more than 1 MB of what has no length.
bool is_written_shortly(Oid type, Datum value) {
  switch (getBaseType(type)) {
    case TEXTOID:
    case VARCHAROID:
    case BPCHAROID:
      return static_cast<int64>(toast_raw_datum_size(value)) - VARHDRSZ <= kLongest;
    case BOOLOID:
    case INT2OID:
    case INT4OID:
    case INT8OID:
    case FLOAT4OID:
    case FLOAT8OID:
    case NUMERICOID:
    case DATEOID:
    case TIMEOID:
    case TIMESTAMPOID:
    case TIMESTAMPTZOID:
    case INTERVALOID:
    case UUIDOID:
      return true;
    default:
      return false;
  }
}

// Bytes of an argument in a text, where its type does not bound them to a few.
int64 length_of(FunctionCallInfo fcinfo, int argument, Oid type) {
  if (type == UNKNOWNOID) return static_cast<int64>(strlen(PG_GETARG_CSTRING(argument)));  // a literal
  if (getBaseType(type) == NUMERICOID) return static_cast<int64>(dp::total::digits_of(PG_GETARG_NUMERIC(argument)));
  return get_typlen(type) == -1 ? bytes_of(fcinfo, argument) : 0;
}

// Arguments one by one; an array in their place (VARIADIC) is of none of these types. So many of them are separators,
// which stand between all the others.
bool are_written_shortly(FunctionCallInfo fcinfo, int separators) {
  if (get_fn_expr_variadic(fcinfo->flinfo)) return false;
  int64 sum = 0;
  for (int i = 0; i < PG_NARGS(); ++i) {
    if (PG_ARGISNULL(i)) continue;
    const Oid type = get_fn_expr_argtype(fcinfo->flinfo, i);
    if (type != UNKNOWNOID && !is_written_shortly(type, PG_GETARG_DATUM(i))) return false;
    sum += length_of(fcinfo, i, type) * (i < separators ? PG_NARGS() : 1);
  }
  return sum <= kLongest;
}

// Nothing is repeated as often as it is asked for, too.
bool is_short_repeated(int64 bytes, int32 times) {
  return times <= kLongest && (times <= 0 || bytes * times <= kLongest);
}

// At most four bytes for a character.
bool is_short_padding(int32 length) { return length <= kLongest / 4; }

}  // namespace

#define DP_TOTAL_FORM_IF(name, condition, function) \
  DP_TOTAL_FUNCTION(name) {                         \
    if (!(condition)) PG_RETURN_NULL();             \
    DP_RETURN_ATTEMPT(function(fcinfo));            \
  }

DP_TOTAL_FORM_IF(dp_concat_any, are_written_shortly(fcinfo, 0), text_concat)
DP_TOTAL_FORM_IF(dp_concat_ws_any, are_written_shortly(fcinfo, 1), text_concat_ws)
DP_TOTAL_FORM_IF(dp_lpad, is_short_padding(PG_GETARG_INT32(1)), lpad)
DP_TOTAL_FORM_IF(dp_rpad, is_short_padding(PG_GETARG_INT32(1)), rpad)
DP_TOTAL_FORM_IF(dp_repeat, is_short_repeated(bytes_of(fcinfo, 0), PG_GETARG_INT32(1)), repeat)
DP_TOTAL_FORM_IF(dp_replace, bytes_of(fcinfo, 0) * (bytes_of(fcinfo, 2) + 1) <= kLongest, replace_text)
DP_TOTAL_FORM_IF(dp_overlay_two, bytes_of(fcinfo, 0) + bytes_of(fcinfo, 1) <= kLongest, textoverlay_no_len)
DP_TOTAL_FORM_IF(dp_overlay_three, bytes_of(fcinfo, 0) + bytes_of(fcinfo, 1) <= kLongest, textoverlay)
DP_TOTAL_FORM_IF(dp_encode, 2 * bytes_of(fcinfo, 0) <= kLongest, binary_encode)
DP_TOTAL_FORM(dp_ascii, ascii)
DP_TOTAL_FORM(dp_chr, chr)

// ---- numbers and moments as texts ---------------------------------------------------------------------------------

namespace {

bool is_short_pattern(FunctionCallInfo fcinfo) {
  constexpr int64 kLongestPattern = 200;
  return bytes_of(fcinfo, 1) <= kLongestPattern;
}

bool are_short(FunctionCallInfo fcinfo) { return is_short_pattern(fcinfo) && bytes_of(fcinfo, 0) <= kLongest; }

}  // namespace

DP_TOTAL_FORM_IF(dp_to_char_int4, is_short_pattern(fcinfo), int4_to_char)
DP_TOTAL_FORM_IF(dp_to_char_int8, is_short_pattern(fcinfo), int8_to_char)
DP_TOTAL_FORM_IF(dp_to_char_float4, is_short_pattern(fcinfo), float4_to_char)
DP_TOTAL_FORM_IF(dp_to_char_float8, is_short_pattern(fcinfo), float8_to_char)
DP_TOTAL_FORM_IF(dp_to_char_numeric, is_short_pattern(fcinfo), numeric_to_char)
DP_TOTAL_FORM_IF(dp_to_number, are_short(fcinfo), numeric_to_number)
DP_TOTAL_FORM_IF(dp_to_date, are_short(fcinfo), to_date)
DP_TOTAL_FORM_IF(dp_to_timestamp_text, are_short(fcinfo), to_timestamp)
