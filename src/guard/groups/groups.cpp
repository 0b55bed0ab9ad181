#include "guard/groups/groups.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "aggregate/call/sent_groups.h"
#include "aggregate/call/server_keys.h"
#include "guard/admission/refusal.h"
#include "guard/groups/joint_keys.h"
#include "guard/groups/key_images.h"
#include "guard/groups/unknown_groups.h"
#include "pg/ordered_values.h"
#include "pg/random_bits.h"

namespace dp::guard {
namespace {

// Calls of_expression(table, text) on a key whose values may be declared, of_column(table, column) on a column of a
// protected table and of_public(table, column) on one of a public table; the first that gives a result decides.
template <class Result, class OfExpression, class OfColumn, class OfPublic>
std::optional<Result> look_up(const GroupKey& key, OfExpression of_expression, OfColumn of_column, OfPublic of_public) {
  const auto column = static_cast<AttrNumber>(key.column);
  if (!OidIsValid(key.table)) return std::nullopt;
  if (!OidIsValid(key.policy)) return column > 0 ? of_public(key.table, column) : std::nullopt;
  if (auto declared = of_expression(key.policy, key.text)) return declared;
  return column > 0 ? of_column(key.table, column) : std::nullopt;
}

// Whether the key is a computed boolean: its values are public by its type.
bool is_truth(const GroupKey& key) { return key.column <= 0 && key.type == BOOLOID; }

// Whose permissions hold for the key's table.
Oid role_of(const GroupKey& key, Oid asker) { return OidIsValid(key.subject) ? key.subject : asker; }

bool holds_null(Oid table, AttrNumber column) {
  const budget::ColumnRows rows = budget::public_rows(table, list_make1_int(column));
  return std::any_of(rows.values, rows.values + rows.count, [](const NullableDatum& value) { return value.isnull; });
}

// `with_null` becomes false where the key cannot be NULL.
std::optional<budget::Domain> domain_of(const GroupKey& key, Oid asker, const PublicRows* rows, EState* estate,
                                        bool* with_null) {
  const Oid role = role_of(key, asker);
  const auto found = look_up<budget::Domain>(
      key,
      [&](Oid relation, const char* text) { return budget::declared_domain(relation, text, key.type, key.collation); },
      [role](Oid table, AttrNumber column) { return budget::natural_domain(table, column, role); },
      [&](Oid table, AttrNumber column) {
        if (key.nulls == GroupKey::Nulls::in_rows) *with_null = holds_null(table, column);
        return budget::public_column_domain(table, column);
      });
  if (found) return found;
  if (key.image != NIL) {
    const auto computed = compute_image(key.image, key.text, asker, rows, estate);
    if (!computed) return std::nullopt;
    *with_null = *with_null && computed->with_null;
    return computed->values;
  }
  if (!is_truth(key)) return std::nullopt;
  return budget::type_domain(BOOLOID);
}

template <class Float>
Float one_form(Float value) {
  return std::isnan(value) ? std::numeric_limits<Float>::quiet_NaN() : value + Float{0};
}

TupleDesc shape_of_keys(const InnerQuery& inner_query) {
  const int keys = list_length(inner_query.keys);
  TupleDesc const shape = CreateTemplateTupleDesc(keys);
  for (int i = 0; i < keys; ++i) {
    const auto number = static_cast<AttrNumber>(i + 1);
    const GroupKey& key = inner_query.key(i);
    TupleDescInitEntry(shape, number, key.name, key.type, -1, 0);
    TupleDescInitEntryCollation(shape, number, key.collation);
  }
  return shape;
}

// Raised where a key was public when the query was planned and is not now. The role may have changed since then, too.
[[noreturn]] void refuse_gone(const InnerQuery& inner_query, const GroupKey& key) {
  const auto column = static_cast<AttrNumber>(key.column);
  if (column > 0 && OidIsValid(budget::public_reference(key.table, column).relation))
    refuse_unknown_groups(inner_query, key, nullptr, NIL);
  ereport(ERROR, (errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
                  errmsg("the public values of %s have changed since the query was planned; run it again", key.text),
                  errhint("Run the query again.")));
  pg_unreachable();
}

int size_for(const GroupKey& key, Oid asker) {
  if (key.subquery > 0) return 0;
  const Oid role = role_of(key, asker);
  const auto size = look_up<int>(
      key, [&](Oid relation, const char* text) { return budget::declared_size(relation, text, key.type); },
      [role](Oid table, AttrNumber column) { return budget::natural_size(table, column, role); },
      [](Oid table, AttrNumber column) { return budget::public_column_size(table, column); });
  if (size) return *size;
  if (key.image != NIL && has_image(key.image, asker)) return 0;
  return is_truth(key) ? 2 : -1;
}

}  // namespace

int size_of_domain(const GroupKey& key) { return size_for(key, GetUserId()); }

void require_settled(const GroupKey& key, Node* expression) {
  if (!OidIsValid(key.policy) || !budget::declared_size(key.policy, key.text, key.type)) return;
  if (budget::is_settled(expression)) return;
  DP_REFUSE(
      exprLocation(expression),
      errmsg("public values are declared for %s, but which values it has depends on settings of the session, such as "
             "TimeZone",
             key.text),
      errhint("Ask a curator to withdraw them, SELECT dp.withdraw(%s, %s), and to declare them for another "
              "form: %s.",
              quote_literal_cstr(get_rel_name(key.policy)), quote_literal_cstr(key.text), budget::kSettledForms));
}

int Groups::Key::find(Datum value, bool is_null) const {
  if (is_null) return with_null ? domain.size : -1;
  return pg::find_ordered(domain.values, domain.size, compare, collation, value);
}

Groups::Groups(const InnerQuery& inner_query, const budget::Amount& selection)
    : keys_(list_length(inner_query.keys)),
      set_column_(inner_query.set_column),
      count_column_(inner_query.count_column),
      groupings_(inner_query.groupings),
      key_(static_cast<Key*>(palloc0(sizeof(Key) * (list_length(inner_query.keys) + 1)))),
      place_(static_cast<int*>(palloc0(sizeof(int) * (list_length(inner_query.keys) + 1)))),
      set_(static_cast<Set*>(palloc0(sizeof(Set) * (list_length(inner_query.masks) + 1)))),
      selection_(selection) {
  for (int i = 0; i < keys_; ++i) {
    const GroupKey& key = inner_query.key(i);
    key_[i].type = getBaseType(key.type);
    key_[i].least = key.least;
    key_[i].is_public = key.is_public();
    key_[i].with_null = key.may_be_null();
    key_[i].collation = key.collation;
  }
  ListCell *cell, *number;
  foreach (cell, inner_query.dependent_keys) {
    foreach (number, JointKeys::of(static_cast<List*>(lfirst(cell))).numbers) key_[lfirst_int(number)].depends = true;
  }
  foreach (cell, inner_query.masks) {
    int known = 0;
    while (known < sets_ && set_[known].mask != lfirst_int(cell)) ++known;
    Set& set = set_[known];
    if (++set.times > 1) {
      if (!set.is_public) ++tested_;
      continue;
    }
    ++sets_;
    set.mask = lfirst_int(cell);
    int unknown = -1;
    for (int i = 0; i < keys_; ++i) {
      if (has(set, i) && !key_[i].is_public) unknown = i;
    }
    set.is_public = unknown < 0;
    if (!set.is_public) {
      if (selection.epsilon == 0 || inner_query.count_column == 0)
        refuse_unknown_groups(inner_query, inner_query.key(unknown), nullptr, NIL);
      ++tested_;
      continue;
    }
    ++public_sets_;
  }
  settle_sizes(inner_query, true);
  if (tested_ > 0) make_test(inner_query);
}

void Groups::require_public(const InnerQuery& inner_query, Oid asker) const {
  if (asker == GetUserId()) return;
  for (int i = 0; i < keys_; ++i) {
    const GroupKey& key = inner_query.key(i);
    if (key_[i].is_public && size_for(key, asker) < 0) refuse_gone(inner_query, key);
  }
}

// The combinations are counted after each key, so that no further values are read once there are too many.
void Groups::load(const InnerQuery& inner_query, Oid asker, const PublicRows* rows, EState* estate, bool may_choose) {
  for (int i = 0; i < keys_; ++i) {
    if (!key_[i].is_public) continue;
    const GroupKey& key = inner_query.key(i);
    const auto domain = key.subquery > 0 ? domain_in_rows(key, &key_[i], rows[key.subquery - 1], estate)
                                         : domain_of(key, asker, rows, estate, &key_[i].with_null);
    if (!domain) refuse_gone(inner_query, key);
    const TypeCacheEntry* const type = lookup_type_cache(key.type, TYPECACHE_CMP_PROC_FINFO);
    fmgr_info_copy(&key_[i].compare, const_cast<FmgrInfo*>(&type->cmp_proc_finfo), CurrentMemoryContext);
    key_[i].domain = *domain;
    settle_sizes(inner_query, may_choose);
  }
  add_dimensions(inner_query, asker, rows, estate);
  settle_sizes(inner_query, may_choose);
  for (int i = 0; i < sets_; ++i) {
    Set& set = set_[i];
    if (set.is_public)
      set.seen = static_cast<std::uint16_t*>(palloc0(static_cast<Size>(set.size) * sizeof(std::uint16_t)));
  }
  exclude(inner_query, estate);
}

// Whether those keys (numbered from 1) are all in the set.
bool Groups::is_below(const Set& set, const List* keys) const {
  ListCell* cell;
  foreach (cell, keys) {
    if (!has(set, lfirst_int(cell) - 1)) return false;
  }
  return true;
}

void Groups::exclude(const InnerQuery& inner_query, EState* estate) {
  if (inner_query.conditions == NIL) return;
  ExprContext* const context = CreateExprContext(estate);
  TupleTableSlot* const row = MakeSingleTupleTableSlot(shape_of_keys(inner_query), &TTSOpsVirtual);
  ExecStoreAllNullTuple(row);
  context->ecxt_scantuple = row;
  for (int i = 0; i < sets_; ++i) {
    const Set& set = set_[i];
    if (!set.is_public) continue;
    List* conditions = NIL;
    ListCell* cell;
    foreach (cell, inner_query.conditions) {
      auto* const condition = static_cast<List*>(lfirst(cell));
      if (is_below(set, static_cast<List*>(linitial(condition)))) conditions = lappend(conditions, lsecond(condition));
    }
    if (conditions == NIL) continue;
    ExprState* const state = ExecPrepareQual(conditions, estate);
    for (std::int64_t combination = 0; combination < set.size; ++combination) {
      CHECK_FOR_INTERRUPTS();
      fill_keys(row, set, combination);
      if (!ExecQual(state, context)) set.seen[combination] = kExcluded;
      ResetExprContext(context);
    }
  }
  ExecDropSingleTupleTableSlot(row);
  FreeExprContext(context, true);
}

Groups::Set& Groups::set_of(TupleTableSlot* row) {
  const int32 mask = set_column_ > 0 ? DatumGetInt32(row->tts_values[set_column_ - 1]) : 0;
  for (int i = 0; i < sets_; ++i) {
    if (set_[i].mask == mask) return set_[i];
  }
  elog(ERROR, "a private query has no grouping set %d", mask);
  pg_unreachable();
}

// Gives keys that are not public one form for all equal values: 0 for -0, NaN without a sign, numerics without a scale
// without trailing zeros, texts of char without a length without trailing blanks. Values are copied out of their stored
// form, because whether a value is compressed depends on the rest of its row.
void Groups::show_one_form(TupleTableSlot* row) const {
  for (int i = 0; i < keys_; ++i) {
    if (key_[i].is_public || row->tts_isnull[i]) continue;
    Datum& value = row->tts_values[i];
    if (key_[i].type == FLOAT8OID) value = Float8GetDatum(one_form(DatumGetFloat8(value)));
    if (key_[i].type == FLOAT4OID) value = Float4GetDatum(one_form(DatumGetFloat4(value)));
    const Form_pg_attribute column = TupleDescAttr(row->tts_tupleDescriptor, i);
    if (key_[i].type == NUMERICOID && column->atttypmod < 0) value = DirectFunctionCall1(numeric_trim_scale, value);
    if (key_[i].type == BPCHAROID && column->atttypmod < 0) value = DirectFunctionCall1(rtrim1, value);
    if (column->attlen == -1) value = PointerGetDatum(PG_DETOAST_DATUM(value));
  }
}

bool Groups::lets_pass(TupleTableSlot* row) {
  slot_getallattrs(row);
  Set& set = set_of(row);
  for (int i = 0; i < keys_; ++i) {
    if (!has(set, i) || !key_[i].is_public) continue;
    place_[i] = key_[i].find(row->tts_values[i], row->tts_isnull[i]);
    if (place_[i] < 0) return false;
    if (!row->tts_isnull[i]) row->tts_values[i] = key_[i].domain.values[place_[i]];
  }
  if (set.is_public) {
    const std::int64_t combination = combination_of(set);
    if (combination < 0) return false;
    ++set.seen[combination];
    return true;
  }
  show_one_form(row);
  const std::int64_t units = DatumGetInt64(row->tts_values[count_column_ - 1]);
  return std::visit([units](const auto& test) { return test.keeps(pg::random_bits(), units); }, test_);
}

std::int64_t Groups::place_of(const TupleTableSlot* row) const {
  for (int i = 0; i < keys_; ++i) place_[i] = key_[i].find(row->tts_values[i], row->tts_isnull[i]);
  return combination_of(set_[0]);
}

std::int64_t Groups::place_of(const NullableDatum* keys) const {
  for (int i = 0; i < keys_; ++i) place_[i] = key_[i].find(keys[i].value, keys[i].isnull);
  return combination_of(set_[0]);
}

bool Groups::send_keys(ParamListInfo values) const {
  if (set_[0].dimensions != keys_) {  // some depend on each other
    if (aggregate::asks_servers_for_groups(values)) elog(ERROR, "other servers are asked about keys that depend");
    return false;
  }
  auto* const keys = static_cast<aggregate::SentKey*>(palloc(sizeof(aggregate::SentKey) * static_cast<Size>(keys_)));
  for (int i = 0; i < keys_; ++i)
    keys[i] = {key_[i].type, key_[i].collation, key_[i].domain.size, key_[i].domain.values, key_[i].with_null};
  const std::span<const aggregate::SentKey> sent(keys, static_cast<std::size_t>(keys_));
  aggregate::send_keys_to_servers(values, sent);
  return aggregate::send_keys(values, sent);
}

void Groups::fill(TupleTableSlot* row, const Set& set, std::int64_t combination) const {
  fill_keys(row, set, combination);
  ListCell *grouping, *key;
  foreach (grouping, groupings_) {
    int32 bits = 0;
    const auto* const numbers = static_cast<List*>(lfirst(grouping));
    for_each_from(key, numbers, 1) bits = bits << 1 | !has(set, lfirst_int(key));
    row->tts_values[linitial_int(numbers) - 1] = Int32GetDatum(bits);
    row->tts_isnull[linitial_int(numbers) - 1] = false;
  }
}

}  // namespace dp::guard
