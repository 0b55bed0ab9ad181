#include "budget/release/group_key.h"

namespace dp::budget {

GroupKeyWriter::GroupKeyWriter(TupleDesc rows, List* names, int set_column)
    : count_(list_length(names)),
      set_column_(set_column),
      columns_(static_cast<Column*>(palloc0(sizeof(Column) * (list_length(names) + 1)))) {
  for (int i = 0; i < count_; ++i) {
    StringInfoData name;
    initStringInfo(&name);
    escape_json(&name, strVal(list_nth(names, i)));
    const Oid type = getBaseType(TupleDescAttr(rows, i)->atttypid);
    Oid output;
    bool varlena;
    getTypeOutputInfo(type, &output, &varlena);
    columns_[i] = {name.data, type, kind_of(type), {}};
    fmgr_info(output, &columns_[i].output);
  }
}

GroupKeyWriter::Kind GroupKeyWriter::kind_of(Oid type) {
  switch (type) {
    case INT2OID:
    case INT4OID:
    case INT8OID:
      return Kind::whole;
    case FLOAT4OID:
    case FLOAT8OID:
    case NUMERICOID:
      return Kind::number;
    case BOOLOID:
      return Kind::boolean;
    case DATEOID:
    case TIMESTAMPOID:
    case TIMESTAMPTZOID:
      return Kind::moment;
    case JSONOID:
    case JSONBOID:
      return Kind::json;
    default:
      return Kind::text;
  }
}

void GroupKeyWriter::append_value(StringInfo json, const Column& column, Datum value) {
  if (column.kind == Kind::boolean) return appendStringInfoString(json, DatumGetBool(value) ? "true" : "false");
  if (column.kind == Kind::moment) {
    char text[MAXDATELEN + 1];
    JsonEncodeDateTime(text, value, column.type, nullptr);
    return appendStringInfo(json, "\"%s\"", text);
  }
  char* const text = OutputFunctionCall(const_cast<FmgrInfo*>(&column.output), value);
  // JSON has no numbers for NaN and the infinities: they are quoted.
  const bool bare = column.kind == Kind::whole || column.kind == Kind::json ||
                    (column.kind == Kind::number && strpbrk(text, "NIni") == nullptr);
  if (bare) {
    appendStringInfoString(json, text);
  } else {
    escape_json(json, text);
  }
  pfree(text);
}

void GroupKeyWriter::append(StringInfo json, TupleTableSlot* row) const {
  slot_getallattrs(row);
  // The mask has bits for the last 32 keys only. Of more keys, the first ones are written as null where they are not in
  // the set.
  const uint32 left_out = set_column_ > 0 ? DatumGetUInt32(row->tts_values[set_column_ - 1]) : 0;
  char separator = '{';
  for (int i = 0; i < count_; ++i) {
    const int place = count_ - 1 - i;
    if (place < 32 && (left_out >> place & 1) != 0) continue;
    appendStringInfoChar(json, separator);
    separator = ',';
    appendStringInfo(json, "%s:", columns_[i].name);
    if (row->tts_isnull[i]) {
      appendStringInfoString(json, "null");
    } else {
      append_value(json, columns_[i], row->tts_values[i]);
    }
  }
  if (separator == '{') appendStringInfoChar(json, '{');
  appendStringInfoChar(json, '}');
}

}  // namespace dp::budget
