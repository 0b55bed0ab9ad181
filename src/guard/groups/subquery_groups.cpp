// Groups by what a subquery shows that is run by itself: keys are computed in its rows. By several keys they are those
// that its rows have, not all combinations.
#include "guard/groups/groups.h"
#include "guard/groups/key_images.h"

namespace dp::guard {

// Also of a row that finds none, where all columns are NULL.
std::optional<budget::Domain> Groups::domain_in_rows(const InnerQuery& inner_query, int key, const PublicRows& rows,
                                                     EState* estate) {
  const auto* const computed = static_cast<List*>(list_nth(inner_query.key_rows, key));
  const int all = rows.count + (list_nth_int(inner_query.key_nulls, key) != 0);
  auto* const in_rows = static_cast<NullableDatum*>(palloc(sizeof(NullableDatum) * static_cast<Size>(all + 1)));
  auto* const left_out = static_cast<bool*>(palloc0(static_cast<Size>(all + 1)));
  auto* const values = static_cast<Datum*>(palloc(sizeof(Datum) * static_cast<Size>(all + 1)));
  ExprContext* const context = CreateExprContext(estate);
  TupleTableSlot* const slot = MakeSingleTupleTableSlot(rows.shape, &TTSOpsVirtual);
  ExecStoreAllNullTuple(slot);
  context->ecxt_scantuple = slot;
  ExprState* const value = ExecPrepareExpr(static_cast<Expr*>(linitial(computed)), estate);
  ExprState* const conditions = ExecPrepareQual(static_cast<List*>(lsecond(computed)), estate);
  int16 length;
  bool by_value;
  get_typlenbyval(key_[key].type, &length, &by_value);
  int size = 0;
  KeptValues kept{strVal(list_nth(inner_query.key_texts, key))};
  key_[key].with_null = false;
  for (int row = 0; row < all; ++row) {
    CHECK_FOR_INTERRUPTS();
    ResetExprContext(context);
    for (int column = 1; column <= rows.shape->natts; ++column) {
      const NullableDatum shown = row < rows.count ? rows.at(row, column) : NullableDatum{0, true};
      slot->tts_values[column - 1] = shown.value;
      slot->tts_isnull[column - 1] = shown.isnull;
    }
    left_out[row] = !ExecQual(conditions, context);
    if (left_out[row]) continue;
    in_rows[row].value = ExecEvalExprSwitchContext(value, context, &in_rows[row].isnull);
    key_[key].with_null = key_[key].with_null || in_rows[row].isnull;
    if (!in_rows[row].isnull)
      values[size++] = in_rows[row].value = own_copy(in_rows[row].value, length, by_value, &kept);
  }
  ExecDropSingleTupleTableSlot(slot);
  FreeExprContext(context, true);
  key_[key].in_rows = in_rows;
  key_[key].left_out = left_out;
  return budget::make_domain(key_[key].type, key_[key].collation, values, size);
}

// The place of a row's keys among the combinations of all that are of that subquery. key_place(number): of a key.
template <class KeyPlace>
std::int64_t Groups::part_of(const Set& set, int subquery, KeyPlace key_place) const {
  std::int64_t part = 0;
  for (int i = 0; i < keys_; ++i) {
    if (has(set, i) && key_[i].subquery == subquery) part = part * key_[i].size() + key_place(i);
  }
  return part;
}

void Groups::exclude_without_rows(const InnerQuery& inner_query, const PublicRows* rows) {
  auto* const places = static_cast<int*>(palloc(sizeof(int) * static_cast<Size>(keys_ + 1)));
  for (int s = 0; s < sets_; ++s) {
    const Set& set = set_[s];
    if (!set.is_public) continue;
    for (int subquery = 1; subquery <= list_length(inner_query.subqueries); ++subquery) {
      int keys = 0;
      bool may_miss = false;
      std::int64_t parts = 1;
      for (int i = 0; i < keys_; ++i) {
        if (!has(set, i) || key_[i].subquery != subquery) continue;
        ++keys;
        parts *= key_[i].size();
        may_miss = list_nth_int(inner_query.key_nulls, i) != 0;
      }
      if (keys < 2) continue;
      auto* const there = static_cast<bool*>(palloc0(static_cast<Size>(parts) + 1));
      const int all = rows[subquery - 1].count + may_miss;
      for (int row = 0; row < all; ++row) {
        CHECK_FOR_INTERRUPTS();
        bool is_left_out = false;
        for (int i = 0; i < keys_; ++i)
          is_left_out = is_left_out || (has(set, i) && key_[i].subquery == subquery && key_[i].left_out[row]);
        if (is_left_out) continue;
        there[part_of(set, subquery, [&](int i) {
          return key_[i].find(key_[i].in_rows[row].value, key_[i].in_rows[row].isnull);
        })] = true;
      }
      for (std::int64_t combination = 0; combination < set.size; ++combination) {
        std::int64_t left = combination;
        for (int i = keys_ - 1; i >= 0; --i) {
          if (!has(set, i)) continue;
          places[i] = static_cast<int>(left % key_[i].size());
          left /= key_[i].size();
        }
        if (!there[part_of(set, subquery, [&](int i) { return places[i]; })]) set.seen[combination] = kExcluded;
      }
      pfree(there);
    }
  }
}

}  // namespace dp::guard
