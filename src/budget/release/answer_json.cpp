#include "budget/release/answer_json.h"

#include "aggregate/call/answer_datum.h"

namespace dp::budget {
namespace {

// Answers are finite, so that JSON has a number for each. With all its digits: float8's cast to numeric drops some, and
// its output depends on a setting.
JsonbValue float_value(double number) {
  char* const text = static_cast<char*>(palloc(DOUBLE_SHORTEST_DECIMAL_LEN));
  double_to_shortest_decimal_buf(number, text);
  JsonbValue json;
  json.type = jbvNumeric;
  json.val.numeric = DatumGetNumeric(
      DirectFunctionCall3(numeric_in, CStringGetDatum(text), ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1)));
  return json;
}

JsonbValue number_value(Datum number, Oid type) {
  if (type == FLOAT8OID) return float_value(DatumGetFloat8(number));
  JsonbValue json;
  json.type = jbvNumeric;
  if (type == INT4OID) number = Int64GetDatum(DatumGetInt32(number));
  json.val.numeric =
      type == INT8OID || type == INT4OID ? int64_to_numeric(DatumGetInt64(number)) : DatumGetNumeric(number);
  return json;
}

// Of bigint or float8, which are stored alike. Of two dimensions: an array of its rows.
JsonbValue* array_value(Datum numbers, Oid type) {
  ArrayType* const array = DatumGetArrayTypeP(numbers);
  const int row = ARR_NDIM(array) == 2 ? ARR_DIMS(array)[1] : 0;
  Datum* elements;
  bool* nulls;
  int size;
  deconstruct_array(array, type, sizeof(int64), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE, &elements, &nulls, &size);
  JsonbParseState* state = nullptr;
  pushJsonbValue(&state, WJB_BEGIN_ARRAY, nullptr);
  for (int i = 0; i < size; ++i) {
    JsonbValue element;
    element.type = jbvNull;
    if (!nulls[i]) element = number_value(elements[i], type);
    if (row > 0 && i % row == 0) pushJsonbValue(&state, WJB_BEGIN_ARRAY, nullptr);
    pushJsonbValue(&state, WJB_ELEM, &element);
    if (row > 0 && i % row == row - 1) pushJsonbValue(&state, WJB_END_ARRAY, nullptr);
  }
  return pushJsonbValue(&state, WJB_END_ARRAY, nullptr);
}

// {"name of a column": value, ...}
JsonbValue* row_value(Datum row) {
  HeapTupleHeader const header = DatumGetHeapTupleHeader(row);
  TupleDesc const shape = lookup_rowtype_tupdesc(HeapTupleHeaderGetTypeId(header), HeapTupleHeaderGetTypMod(header));
  JsonbParseState* state = nullptr;
  pushJsonbValue(&state, WJB_BEGIN_OBJECT, nullptr);
  for (int i = 0; i < shape->natts; ++i) {
    const FormData_pg_attribute& column = *TupleDescAttr(shape, i);
    JsonbValue name;
    name.type = jbvString;
    name.val.string.val = pstrdup(NameStr(column.attname));
    name.val.string.len = static_cast<int>(strlen(name.val.string.val));
    pushJsonbValue(&state, WJB_KEY, &name);
    bool null;
    const Datum part = GetAttributeByNum(header, static_cast<AttrNumber>(i + 1), &null);
    JsonbValue value;
    value.type = jbvNull;
    const Oid element = get_element_type(column.atttypid);
    if (!null && OidIsValid(element)) {
      value.type = jbvBinary;
      Jsonb* const array = JsonbValueToJsonb(array_value(part, element));
      value.val.binary = {static_cast<int>(VARSIZE(array) - VARHDRSZ), &array->root};
    } else if (!null) {
      value = number_value(part, column.atttypid);
    }
    pushJsonbValue(&state, WJB_VALUE, &value);
  }
  ReleaseTupleDesc(shape);
  return pushJsonbValue(&state, WJB_END_OBJECT, nullptr);
}

}  // namespace

Datum answer_json(const aggregate::Form& form, Datum answer) {
  const Oid type = aggregate::answer_type(form.kind);
  if (type_is_rowtype(type)) return JsonbPGetDatum(JsonbValueToJsonb(row_value(answer)));
  const Oid element = get_element_type(type);
  if (OidIsValid(element)) return JsonbPGetDatum(JsonbValueToJsonb(array_value(answer, element)));
  JsonbValue value = number_value(answer, type);
  return JsonbPGetDatum(JsonbValueToJsonb(&value));
}

}  // namespace dp::budget
