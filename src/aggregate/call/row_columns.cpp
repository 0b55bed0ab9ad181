#include "aggregate/call/row_columns.h"

#include <algorithm>
#include <iterator>

namespace dp::aggregate {

bool RowColumns::find_form(Oid type, Form* form) {
  std::int16_t length;
  bool by_value;
  get_typlenbyval(type, &length, &by_value);
  if (by_value) {
    *form = length == 8 ? Form::bytes_8 : Form::bytes_4;
    return length == 4 || length == 8;
  }
  *form = length == -1 ? Form::of_any_width : Form::elsewhere;
  return length >= -1;
}

bool RowColumns::begin(const List* arguments) {
  for (int i = 0; i < list_length(arguments); ++i) {
    auto* const expression = reinterpret_cast<Node*>(castNode(TargetEntry, list_nth(arguments, i))->expr);
    if (i == 0 && IsA(expression, Const)) continue;
    if (!IsA(expression, Var) || count_ == std::ssize(columns_)) return false;
    const Var* const column = castNode(Var, expression);
    Form form;
    if (column->varno != OUTER_VAR || column->varattno <= 0 || !find_form(column->vartype, &form)) return false;
    columns_[count_++] = {i + 1, column->varattno, form, 0, 0};
  }
  return count_ > 0;
}

void RowColumns::find_places(TupleDesc layout) {
  layout_ = layout;
  least_columns_ = 0;
  for (int i = 0; i < count_; ++i) {
    Column& column = columns_[i];
    std::uint32_t end = 0;
    for (int number = 1; number <= column.number; ++number) {
      const Form_pg_attribute attribute = TupleDescAttr(layout, number - 1);
      // What stands behind one that is as wide as its value has no fixed place.
      if (attribute->attlen <= 0 && (number < column.number || column.form != Form::of_any_width)) {
        least_columns_ = MaxHeapAttributeNumber + 1;
        return;
      }
      column.unaligned = end;
      column.place = static_cast<std::uint32_t>(att_align_nominal(end, attribute->attalign));
      end = column.place + static_cast<std::uint32_t>(attribute->attlen);
    }
    least_columns_ = std::max<int>(least_columns_, column.number);
  }
}

void RowColumns::take_apart(FunctionCallInfo fcinfo, TupleTableSlot* row) const {
  for (int i = 0; i < count_; ++i) {
    NullableDatum& argument = fcinfo->args[columns_[i].argument];
    argument.value = slot_getattr(row, columns_[i].number, &argument.isnull);
  }
}

}  // namespace dp::aggregate
