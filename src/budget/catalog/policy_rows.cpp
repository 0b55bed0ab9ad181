#include "budget/catalog/policy_rows.h"

#include <span>

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/known_rows.h"
#include "budget/catalog/own_rows.h"
#include "budget/catalog/owner_rows.h"

namespace dp::budget {
namespace {

// Both tables: the columns of the primary key (relation; relation and role), then the three of a limit. In a protected
// table's row two more for the selection of groups and four for the privacy unit, in an account's row one for
// allow_leaks; then in both one for answer_epsilon, in a protected table's row one for min_query_epsilon; in both one
// for max_charges, and in a protected table's row two for the retention of releases, one for the steps to the unit and
// two for which of its rows are kept; in both one for answer_mechanism, in a protected table's row one for the
// accountant, and in both one for conversion_delta and two for the period; last, in a protected table's row, one for
// blocks and one for max_blocks_per_unit.
constexpr int kMostColumns = 25;

constexpr char kLatest[] = "latest";
constexpr char kRenyi[] = "renyi";

struct Table {
  Oid oid;
  int keys;
  int columns;
};

Table protected_tables(const Tables& own) { return {own.protected_table, 1, 25}; }
Table accounts(const Tables& own) { return {own.account, 2, 12}; }

// A text array as a list of String.
List* texts_of(Datum array) {
  Datum* elements;
  int size;
  deconstruct_array(DatumGetArrayTypeP(array), TEXTOID, -1, false, TYPALIGN_INT, &elements, nullptr, &size);
  List* texts = NIL;
  for (int i = 0; i < size; ++i) texts = lappend(texts, makeString(TextDatumGetCString(elements[i])));
  return texts;
}

Datum array_of(List* texts) {
  auto* const elements = static_cast<Datum*>(palloc(sizeof(Datum) * static_cast<Size>(list_length(texts) + 1)));
  ListCell* cell;
  foreach (cell, texts) elements[foreach_current_index(cell)] = CStringGetTextDatum(strVal(lfirst(cell)));
  return PointerGetDatum(construct_array(elements, list_length(texts), TEXTOID, -1, false, TYPALIGN_INT));
}

Policy policy_of(const Table& table, Relation relation, HeapTuple row) {
  Datum values[kMostColumns];
  bool nulls[kMostColumns];
  if (RelationGetDescr(relation)->natts != table.columns) refuse_other_version();
  heap_deform_tuple(row, RelationGetDescr(relation), values, nulls);
  const auto number = [&](int column) { return nulls[column] ? 0 : DatumGetInt64(values[column]); };
  const int limit = table.keys;
  Policy policy = {
      DatumGetObjectId(values[0]), InvalidOid, {{number(limit), number(limit + 1)}, number(limit + 2)}, {}, {}};
  if (table.keys == 2) {
    policy.role = DatumGetObjectId(values[1]);
    policy.allow_leaks = DatumGetBool(values[limit + 3]);
  } else {
    policy.selection = {number(limit + 3), number(limit + 4)};
    policy.no_selection = !nulls[limit + 3] && policy.selection.zero();
    if (!nulls[limit + 5]) policy.unit.path = TextDatumGetCString(values[limit + 5]);
    policy.unit.rows = static_cast<std::int32_t>(number(limit + 6));
    policy.unit.groups = static_cast<std::int32_t>(number(limit + 7));
    policy.unit.rows_per_group = static_cast<std::int32_t>(number(limit + 8));
  }
  policy.answer_epsilon = number(table.keys == 2 ? limit + 4 : limit + 9);
  policy.limit.charges = number(table.keys == 2 ? limit + 5 : limit + 11);
  policy.limit.conversion = number(limit + (table.keys == 2 ? 7 : 19));
  const int period = limit + (table.keys == 2 ? 8 : 20);
  if (!nulls[period]) policy.limit.period.length = *DatumGetIntervalP(values[period]);
  policy.limit.period.sliding = !nulls[period + 1] && DatumGetBool(values[period + 1]);
  const int mechanism = table.keys == 2 ? limit + 6 : limit + 17;
  if (!nulls[mechanism]) policy.answer_mechanism = TextDatumGetCString(values[mechanism]);
  if (table.keys == 2) return policy;
  policy.blocks = !nulls[limit + 22] && DatumGetBool(values[limit + 22]);
  policy.unit.blocks = static_cast<std::int32_t>(number(limit + 23));
  const int accountant = limit + 18;
  if (!nulls[accountant] && strcmp(TextDatumGetCString(values[accountant]), kRenyi) == 0)
    policy.limit.accountant = Accountant::renyi;
  policy.limit.min_epsilon = number(limit + 10);
  if (!nulls[limit + 12]) policy.retention.age = *DatumGetIntervalP(values[limit + 12]);
  policy.retention.numbers = number(limit + 13);
  if (!nulls[limit + 14]) policy.unit.steps = texts_of(values[limit + 14]);
  if (!nulls[limit + 15] && !nulls[limit + 16]) {
    policy.unit.latest = strcmp(TextDatumGetCString(values[limit + 15]), kLatest) == 0;
    policy.unit.kept_by = TextDatumGetCString(values[limit + 16]);
  }
  return policy;
}

List* list(const Table& table, std::span<const Oid> key) {
  List* rows = NIL;
  visit_rows(table.oid, key, AccessShareLock, [&](Relation relation, HeapTuple row) {
    rows = lappend(rows, new (palloc(sizeof(Policy))) Policy(policy_of(table, relation, row)));
    return true;
  });
  return rows;
}

List* copied_rows(const List* rows) {
  List* copied = NIL;
  ListCell* cell;
  foreach (cell, rows) {
    auto* const policy = new (palloc(sizeof(Policy))) Policy(*static_cast<const Policy*>(lfirst(cell)));
    if (policy->unit.path != nullptr) policy->unit.path = pstrdup(policy->unit.path);
    if (policy->unit.kept_by != nullptr) policy->unit.kept_by = pstrdup(policy->unit.kept_by);
    if (policy->answer_mechanism != nullptr) policy->answer_mechanism = pstrdup(policy->answer_mechanism);
    policy->unit.steps = static_cast<List*>(copyObjectImpl(policy->unit.steps));
    copied = lappend(copied, policy);
  }
  return copied;
}

std::optional<Policy> first_of(const List* rows) {
  return rows == NIL ? std::nullopt : std::optional(*static_cast<const Policy*>(linitial(rows)));
}

// Whether nothing that the first row points to has to be copied with it.
bool is_flat(const List* rows) {
  if (rows == NIL) return true;
  const auto& policy = *static_cast<const Policy*>(linitial(rows));
  return policy.unit.path == nullptr && policy.unit.kept_by == nullptr && policy.unit.steps == NIL &&
         policy.answer_mechanism == nullptr;
}

// Of the whole primary key.
std::optional<Policy> find(Known kind, const Table& table, std::span<const Oid> key) {
  const KnownKey known{kind, table.oid, key[0], key.size() > 1 ? key[1] : InvalidOid};
  if (List* const* const found = find_known(known); found != nullptr && is_flat(*found)) return first_of(*found);
  List* const rows = known_rows(known, copied_rows, [&] { return list(table, key); });
  return first_of(rows);
}

}  // namespace

bool can_read_policies() {
  const Tables* const own = tables();
  if (own == nullptr) return !is_created();
  const Table table = protected_tables(*own);
  Relation const opened = table_open(table.oid, AccessShareLock);
  const bool as_known = RelationGetDescr(opened)->natts == table.columns;
  table_close(opened, AccessShareLock);
  return as_known;
}

std::optional<Policy> protected_policy(Oid relation) {
  const Tables* const own = tables();
  return own != nullptr ? find(Known::protected_table, protected_tables(*own), {&relation, 1}) : std::nullopt;
}

std::optional<Limit> account_limit(Oid relation, Oid account) {
  const Tables* const own = tables();
  if (own == nullptr) return std::nullopt;
  const auto policy = OidIsValid(account) ? account_policy(relation, account) : protected_policy(relation);
  return policy ? std::optional(policy->limit) : std::nullopt;
}

std::optional<Policy> account_policy(Oid relation, Oid role) {
  const Tables* const own = tables();
  if (own == nullptr) return std::nullopt;
  const Oid key[] = {relation, role};
  return find(Known::account, accounts(*own), key);
}

void store(const Policy& policy) {
  const Table table = OidIsValid(policy.role) ? accounts(own_tables()) : protected_tables(own_tables());
  const Oid key[] = {policy.relation, policy.role};
  Datum values[kMostColumns];
  bool nulls[kMostColumns] = {};
  int column = 0;
  const auto put = [&](std::int64_t number, bool null) {
    nulls[column] = null;
    values[column++] = Int64GetDatum(number);
  };
  const auto put_text = [&](const char* text) {
    nulls[column] = text == nullptr;
    values[column++] = text != nullptr ? CStringGetTextDatum(text) : Datum{0};
  };
  while (column < table.keys) {
    values[column] = ObjectIdGetDatum(key[column]);
    ++column;
  }
  put(policy.limit.total.epsilon, false);
  put(policy.limit.total.delta, false);
  put(policy.limit.query_epsilon, policy.limit.query_epsilon == 0);
  if (OidIsValid(policy.role)) {
    values[column++] = BoolGetDatum(policy.allow_leaks);
  } else {
    const bool nothing_said = policy.selection.zero() && !policy.no_selection;
    put(policy.selection.epsilon, nothing_said);
    put(policy.selection.delta, nothing_said);
    put_text(policy.unit.path);
    for (const std::int32_t most : {policy.unit.rows, policy.unit.groups, policy.unit.rows_per_group})
      put(most, most == 0);
  }
  put(policy.answer_epsilon, policy.answer_epsilon == 0);
  if (!OidIsValid(policy.role)) put(policy.limit.min_epsilon, policy.limit.min_epsilon == 0);
  put(policy.limit.charges, policy.limit.charges == 0);
  Interval age = policy.retention.age;
  if (!OidIsValid(policy.role)) {
    nulls[column] = !policy.retention.by_age();
    values[column++] = IntervalPGetDatum(&age);
    put(policy.retention.numbers, policy.retention.numbers == 0);
    nulls[column] = policy.unit.steps == NIL;
    values[column++] = array_of(policy.unit.steps);
    const bool kept = policy.unit.kept_by != nullptr;
    put_text(kept ? (policy.unit.latest ? kLatest : "first") : nullptr);
    put_text(policy.unit.kept_by);
  }
  put_text(policy.answer_mechanism);
  if (!OidIsValid(policy.role)) put_text(policy.limit.accountant == Accountant::renyi ? kRenyi : nullptr);
  put(policy.limit.conversion, policy.limit.conversion == 0);
  Period period = policy.limit.period;
  nulls[column] = nulls[column + 1] = !period.exists();
  values[column++] = IntervalPGetDatum(&period.length);
  values[column++] = BoolGetDatum(period.sliding);
  if (!OidIsValid(policy.role)) {
    nulls[column] = !policy.blocks;
    values[column++] = BoolGetDatum(policy.blocks);
    put(policy.unit.blocks, policy.unit.blocks == 0);
  }

  bool stored = false;
  visit_rows(table.oid, {key, static_cast<std::size_t>(table.keys)}, RowExclusiveLock,
             [&](Relation relation, HeapTuple row) {
               HeapTuple const changed = heap_form_tuple(RelationGetDescr(relation), values, nulls);
               CatalogTupleUpdate(relation, &row->t_self, changed);
               rows_changed(relation);
               stored = true;
               return false;
             });
  if (stored) {
    CommandCounterIncrement();
  } else {
    insert_row(table.oid, values, nulls);
  }
}

bool remove_protected(Oid relation) {
  set_other_owner(relation, false);
  return remove_rows(own_tables().protected_table, {&relation, 1}, all_rows);
}

bool remove_account(Oid relation, Oid role) {
  const Oid key[] = {relation, role};
  set_lent(relation, role, false);
  return remove_rows(own_tables().account, key, all_rows);
}

void remove_accounts(Oid relation) {
  end_lending(relation);
  remove_rows(own_tables().account, {&relation, 1}, all_rows);
}

// Where a row lies says nothing: messages name the first that is found.
List* all_protected() {
  if (tables() == nullptr && !is_created()) return NIL;
  List* const found = list(protected_tables(own_tables()), {});
  list_sort(found, [](const ListCell* a, const ListCell* b) {
    const Oid one = static_cast<const Policy*>(lfirst(a))->relation;
    const Oid other = static_cast<const Policy*>(lfirst(b))->relation;
    return one < other ? -1 : static_cast<int>(one > other);
  });
  return found;
}

List* accounts_on(Oid relation) {
  const Table table = accounts(own_tables());
  return known_rows({Known::accounts_of_table, table.oid, relation}, copied_rows, [&] {
    return list(table, {&relation, 1});
  });
}

List* accounts_of(Oid role) {
  if (tables() == nullptr) return NIL;
  List* of_role = NIL;
  ListCell* cell;
  foreach (cell, list(accounts(own_tables()), {})) {
    if (static_cast<const Policy*>(lfirst(cell))->role == role) of_role = lappend(of_role, lfirst(cell));
  }
  return of_role;
}

}  // namespace dp::budget
