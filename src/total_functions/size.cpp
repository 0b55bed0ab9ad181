// Values below the noise that stay short: dp_internal.capped and dp_internal.jsonb_text give NULL for what is longer
// than 1 MB.
#include "total_functions/digits.h"

namespace {

constexpr Size kLongest = 1 << 20;

// A string as JSON writes it: a control character as backslash, u and four digits.
Size size_of_string(const char* string, int length) {
  Size size = 2;
  for (int i = 0; i < length; ++i) {
    const auto letter = static_cast<unsigned char>(string[i]);
    size += letter < ' ' ? 6 : letter == '"' || letter == '\\' ? 2 : 1;
  }
  return size;
}

Size size_of_scalar(const JsonbValue& value) {
  if (value.type == jbvString) return size_of_string(value.val.string.val, value.val.string.len);
  return value.type == jbvNumeric ? dp::total::digits_of(value.val.numeric) : 5;
}

// Whether a container is written in that many bytes.
bool fits(JsonbContainer* container) {
  JsonbIterator* iterator = JsonbIteratorInit(container);
  JsonbValue value;
  Size size = 0;
  for (;;) {
    const JsonbIteratorToken token = JsonbIteratorNext(&iterator, &value, false);
    if (token == WJB_DONE) return true;
    size += 2;  // a bracket, or what stands between two
    if (token == WJB_KEY || token == WJB_VALUE || token == WJB_ELEM) size += size_of_scalar(value);
    if (size > kLongest) return false;
  }
}

Datum text_of_scalar(const JsonbValue& value, bool* is_null) {
  *is_null = false;
  switch (value.type) {
    case jbvString:
      return PointerGetDatum(cstring_to_text_with_len(value.val.string.val, value.val.string.len));
    case jbvBool:
      return CStringGetTextDatum(value.val.boolean ? "true" : "false");
    case jbvNumeric:
      return CStringGetTextDatum(DatumGetCString(DirectFunctionCall1(numeric_out, NumericGetDatum(value.val.numeric))));
    default:
      *is_null = true;
      return Datum{0};
  }
}

}  // namespace

// dp_internal.capped(x anyelement) returns anyelement: x; NULL where it is longer, which is found without reading it.
DP_TOTAL_FUNCTION(dp_capped) {
  if (fcinfo->flinfo->fn_extra == nullptr) {
    auto* const length = static_cast<int16*>(MemoryContextAlloc(fcinfo->flinfo->fn_mcxt, sizeof(int16)));
    *length = get_typlen(get_fn_expr_argtype(fcinfo->flinfo, 0));
    fcinfo->flinfo->fn_extra = length;
  }
  const Datum value = PG_GETARG_DATUM(0);
  if (*static_cast<int16*>(fcinfo->flinfo->fn_extra) == -1 && toast_raw_datum_size(value) > kLongest + VARHDRSZ)
    PG_RETURN_NULL();
  PG_RETURN_DATUM(value);
}

// dp_internal.jsonb_text(part jsonb) returns text: as ->> gives a part; NULL where that would be longer.
DP_TOTAL_FUNCTION(dp_jsonb_text) {
  Jsonb* const part = PG_GETARG_JSONB_P(0);
  JsonbValue scalar;
  if (JsonbExtractScalar(&part->root, &scalar)) {
    bool is_null;
    const Datum shown = text_of_scalar(scalar, &is_null);
    if (is_null) PG_RETURN_NULL();
    return shown;
  }
  if (VARSIZE(part) > kLongest || !fits(&part->root)) PG_RETURN_NULL();
  PG_RETURN_TEXT_P(cstring_to_text(JsonbToCString(nullptr, &part->root, VARSIZE(part))));
}
