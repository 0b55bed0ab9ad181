// Groups by what a subquery shows that is run by itself: keys are computed in its rows.
#include "guard/groups/groups.h"
#include "guard/groups/key_images.h"

namespace dp::guard {

// Also of a row that finds none, where all columns are NULL.
std::optional<budget::Domain> Groups::domain_in_rows(const GroupKey& described, Key* key, const PublicRows& rows,
                                                     EState* estate) {
  const int all = rows.count + described.may_be_null();
  auto* const values = static_cast<Datum*>(palloc(sizeof(Datum) * static_cast<Size>(all + 1)));
  ExprContext* const context = CreateExprContext(estate);
  TupleTableSlot* const slot = MakeSingleTupleTableSlot(rows.shape, &TTSOpsVirtual);
  ExecStoreAllNullTuple(slot);
  context->ecxt_scantuple = slot;
  ExprState* const value = ExecPrepareExpr(static_cast<Expr*>(linitial(described.row)), estate);
  ExprState* const conditions = ExecPrepareQual(static_cast<List*>(lsecond(described.row)), estate);
  int16 length;
  bool by_value;
  get_typlenbyval(key->type, &length, &by_value);
  int size = 0;
  KeptValues kept{described.text};
  key->with_null = false;
  for (int row = 0; row < all; ++row) {
    CHECK_FOR_INTERRUPTS();
    ResetExprContext(context);
    for (int column = 1; column <= rows.shape->natts; ++column) {
      const NullableDatum shown = row < rows.count ? rows.at(row, column) : NullableDatum{0, true};
      slot->tts_values[column - 1] = shown.value;
      slot->tts_isnull[column - 1] = shown.isnull;
    }
    if (!ExecQual(conditions, context)) continue;
    bool is_null;
    const Datum result = ExecEvalExprSwitchContext(value, context, &is_null);
    key->with_null = key->with_null || is_null;
    if (!is_null) values[size++] = own_copy(result, length, by_value, &kept);
  }
  ExecDropSingleTupleTableSlot(slot);
  FreeExprContext(context, true);
  return budget::make_domain(key->type, key->collation, values, size);
}

}  // namespace dp::guard
