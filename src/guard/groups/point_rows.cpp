// The points of one execution.
#include <algorithm>
#include <string_view>

#include "guard/groups/key_parts.h"
#include "guard/groups/key_points.h"
#include "guard/groups/start_ends.h"
#include "guard/query/value_bytes.h"
#include "pg/errors.h"

namespace dp::guard {
namespace {

NullableDatum* room_for(std::int64_t values) {
  return static_cast<NullableDatum*>(
      palloc_extended(sizeof(NullableDatum) * static_cast<Size>(values + 1), MCXT_ALLOC_HUGE));
}

budget::ColumnRows rows_of_subquery(const PublicRows& rows, const List* columns) {
  NullableDatum* const values = room_for(std::int64_t{rows.count} * list_length(columns));
  NullableDatum* next = values;
  ListCell* cell;
  for (int row = 0; row < rows.count; ++row) {
    foreach (cell, columns) *next++ = rows.at(row, lfirst_int(cell));
  }
  return {rows.count, values};
}

// The zero that equals that value and has a sign; nothing for others.
std::optional<Datum> negative_zero(Oid type, Datum value) {
  if (type == FLOAT8OID && DatumGetFloat8(value) == 0) return Float8GetDatum(-0.0);
  if (type == FLOAT4OID && DatumGetFloat4(value) == 0) return Float4GetDatum(-0.0F);
  return std::nullopt;
}

// `signs`: with either zero where there is one.
budget::ColumnRows rows_of_values(const budget::Domain& domain, bool signs) {
  NullableDatum* const values = room_for(domain.size + std::int64_t{1});
  const Oid type = getBaseType(domain.type);
  int size = 0;
  std::optional<Datum> zero;
  for (int i = 0; i < domain.size; ++i) {
    values[size++] = {domain.values[i], false};
    if (const auto other = negative_zero(type, domain.values[i])) zero = other;
  }
  if (signs && zero) values[size++] = {*zero, false};
  return {size, values};
}

// All that there is, whatever the part's conditions say; nothing where it is public no longer.
// `row`: holds a point, of whose columns the part's begin at `first`.
std::optional<budget::ColumnRows> rows_of(const KeyPart& part, Oid asker, const PublicRows* rows, bool signs, int first,
                                          TupleTableSlot* row, EState* estate) {
  if (part.subquery > 0) return rows_of_subquery(rows[part.subquery - 1], part.columns);
  if (part.of_rows) return budget::public_rows(part.table, part.columns);
  if (part.cells != nullptr) {
    Cells cells = *part.cells;
    narrow_at_start(&cells, part.narrowing, static_cast<AttrNumber>(first + 1), row, estate);
    return rows_of_values(cells.points(), signs);
  }
  const auto column = static_cast<AttrNumber>(linitial_int(part.columns));
  const auto listed = listed_values(part.table, column, OidIsValid(part.subject) ? part.subject : asker);
  return listed ? std::optional(rows_of_values(*listed, signs)) : std::nullopt;
}

struct Row {
  const NullableDatum* values;
  std::string_view bytes;  // the same for the same values in the same form
};

std::string_view bytes_of(const NullableDatum* values, int count, TupleDesc shape, int first) {
  StringInfoData bytes;
  initStringInfo(&bytes);
  for (int i = 0; i < count; ++i) {
    const FormData_pg_attribute& column = *TupleDescAttr(shape, first + i);
    appendStringInfoChar(&bytes, static_cast<char>(values[i].isnull));
    if (!values[i].isnull) append_value(&bytes, values[i].value, column.attlen, column.attbyval);
  }
  return {bytes.data, static_cast<std::size_t>(bytes.len)};
}

}  // namespace

Points::Points(List* columns, List* parts, Oid asker, const PublicRows* rows, EState* estate, bool signs)
    : signs_(signs),
      shape_(CreateTemplateTupleDesc(list_length(columns))),
      part_(static_cast<Part*>(palloc(sizeof(Part) * static_cast<Size>(list_length(parts))))) {
  ListCell* cell;
  foreach (cell, columns) {
    const auto* const column = lfirst_node(Var, cell);
    const auto number = static_cast<AttrNumber>(foreach_current_index(cell) + 1);
    TupleDescInitEntry(shape_, number, nullptr, column->vartype, column->vartypmod, 0);
    TupleDescInitEntryCollation(shape_, number, column->varcollid);
  }
  int first = 0;
  foreach (cell, parts) {
    const KeyPart part = KeyPart::of(static_cast<List*>(lfirst(cell)));
    are_there_ = are_there_ && add(part, first, asker, rows, estate);
    first += list_length(part.columns);
  }
}

// What the columns that tell points apart hold in the rows that the part's conditions let through, each once. Values
// that are equal and look different are both kept, for the key may tell them apart.
bool Points::add(const KeyPart& part, int first, Oid asker, const PublicRows* rows, EState* estate) {
  TupleTableSlot* const slot = new_row();
  const auto found = rows_of(part, asker, rows, signs_, first, slot, estate);
  if (!found) return false;
  const int width = list_length(part.columns);
  const std::int64_t all = std::int64_t{found->count} + part.with_null;
  auto* const missing = static_cast<NullableDatum*>(palloc(sizeof(NullableDatum) * static_cast<Size>(width)));
  std::fill(missing, missing + width, NullableDatum{0, true});
  auto* const kept = static_cast<Row*>(palloc_extended(sizeof(Row) * static_cast<Size>(all + 1), MCXT_ALLOC_HUGE));
  Row* end = kept;
  ExprContext* const context = CreateExprContext(estate);
  context->ecxt_scantuple = slot;
  ExprState* const conditions = ExecPrepareQual(part.conditions, estate);
  for (std::int64_t i = 0; i < all; ++i) {
    CHECK_FOR_INTERRUPTS();
    ResetExprContext(context);
    const NullableDatum* const row = i < found->count ? found->values + i * width : missing;
    for (int column = 0; column < width; ++column) {
      slot->tts_values[first + column] = row[column].value;
      slot->tts_isnull[first + column] = row[column].isnull;
    }
    if (!ExecQual(conditions, context)) continue;
    *end++ = {row, part.of_rows ? bytes_of(row, part.telling, shape_, first) : std::string_view()};
  }
  ExecDropSingleTupleTableSlot(slot);
  FreeExprContext(context, true);
  if (part.of_rows) {
    std::sort(kept, end, [](const Row& one, const Row& other) { return one.bytes < other.bytes; });
    end = std::unique(kept, end, [](const Row& one, const Row& other) { return one.bytes == other.bytes; });
  }
  Part& own = part_[size_++];
  own = {first, part.telling, end - kept, room_for((end - kept) * part.telling)};
  for (const Row* row = kept; row < end; ++row)
    std::copy_n(row->values, part.telling, own.values + (row - kept) * part.telling);
  return true;
}

std::int64_t Points::combinations() const {
  std::int64_t count = 1;
  for (int i = 0; i < size_; ++i) {
    if (__builtin_mul_overflow(count, part_[i].count, &count) || count > kMostKeyPoints) return kMostKeyPoints + 1;
  }
  return count;
}

std::int64_t Points::count(const char* key) const {
  const std::int64_t count = combinations();
  if (count > kMostKeyPoints) {
    ereport(ERROR, (errcode(pg::kNotAdmissible),
                    errmsg("what the columns of %s can hold has more than %lld combinations", key,
                           static_cast<long long>(kMostKeyPoints)),
                    errhint("Group by something coarser, by the columns themselves, or choose fewer rows of the "
                            "public table.")));
  }
  return count;
}

TupleTableSlot* Points::new_row() const {
  TupleTableSlot* const row = MakeSingleTupleTableSlot(shape_, &TTSOpsVirtual);
  ExecStoreAllNullTuple(row);
  return row;
}

void Points::fill(TupleTableSlot* row, std::int64_t point) const {
  for (int i = 0; i < size_; ++i) {
    const Part& part = part_[i];
    const NullableDatum* const values = part.values + point % part.count * part.width;
    point /= part.count;
    for (int column = 0; column < part.width; ++column) {
      row->tts_values[part.first + column] = values[column].value;
      row->tts_isnull[part.first + column] = values[column].isnull;
    }
  }
}

}  // namespace dp::guard
