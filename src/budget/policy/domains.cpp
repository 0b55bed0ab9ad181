#include "budget/policy/domains.h"

#include <algorithm>

#include "budget/catalog/foreign_keys.h"
#include "budget/catalog/public_domain_rows.h"
#include "budget/catalog/unique_indexes.h"
#include "budget/policy/accounts.h"
#include "budget/policy/checked_values.h"
#include "budget/policy/unit_path_columns.h"
#include "pg/access.h"
#include "pg/acl.h"
#include "pg/catalog.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

// The labels of an enum, in their order.
std::optional<Domain> enum_domain(Oid type, Oid named) {
  List* labels = NIL;
  pg::visit_catalog<FormData_pg_enum>(EnumRelationId, EnumTypIdSortOrderIndexId, {{Anum_pg_enum_enumtypid, type}},
                                      [&](const auto& label, HeapTuple) { labels = lappend_oid(labels, label.oid); });
  auto* const values = static_cast<Datum*>(palloc(list_length(labels) * sizeof(Datum)));
  ListCell* cell;
  foreach (cell, labels) values[foreach_current_index(cell)] = ObjectIdGetDatum(lfirst_oid(cell));
  return Domain{named, list_length(labels), values};
}

}  // namespace

std::optional<Reference> foreign_key_of(Oid relation, AttrNumber column) {
  ListCell* cell;
  foreach (cell, foreign_keys_of(relation)) {
    const auto* const key = static_cast<const ForeignKey*>(lfirst(cell));
    if (key->columns == 1 && key->own[0] == column) return Reference{key->referred_table, key->referred[0]};
  }
  return std::nullopt;
}

namespace {

struct Ownership {
  Oid owner;
  bool hides_rows;
};

Ownership ownership_of(Oid relation) {
  Relation const table = table_open(relation, AccessShareLock);
  const Ownership ownership = {table->rd_rel->relowner, table->rd_rel->relrowsecurity};
  table_close(table, NoLock);
  return ownership;
}

// The privileges that PostgreSQL demands for `SELECT column FROM table`.
bool may_read(Oid role, const Reference& what) {
  return pg::may_look_into(get_rel_namespace(what.relation), role) &&
         (pg_class_aclcheck(what.relation, role, ACL_SELECT) == ACLCHECK_OK ||
          pg_attribute_aclcheck(what.relation, what.column, role, ACL_SELECT) == ACLCHECK_OK);
}

// Keys of a protected table are its units. Those of another owner's table, or of one with row security, are not this
// curator's to publish.
bool may_be_published(Oid referenced, Oid relation) {
  const std::optional<Protection> protection = protection_of(relation);
  const Ownership ownership = ownership_of(referenced);
  return ownership.owner == ownership_of(protection ? protection->relation : relation).owner && !ownership.hides_rows &&
         !protection_of(referenced) && !has_protected_child(referenced);
}

// Calls visit(row, columns) on each row of one table, with the numbers of those columns there, for as long as it
// returns true.
template <class Visit>
void visit_rows(Oid relation, const List* names, Visit visit) {
  Relation const table = table_open(relation, AccessShareLock);
  if (RELKIND_HAS_TABLE_AM(table->rd_rel->relkind)) {
    auto* const columns = static_cast<AttrNumber*>(palloc(list_length(names) * sizeof(AttrNumber)));
    ListCell* cell;
    foreach (cell, names) columns[foreach_current_index(cell)] = get_attnum(relation, strVal(lfirst(cell)));
    TupleTableSlot* const slot = table_slot_create(table, nullptr);
    TableScanDesc const scan = pg::begin_scan(table, GetActiveSnapshot());
    for (bool more = true; more && table_scan_getnextslot(scan, ForwardScanDirection, slot);) {
      CHECK_FOR_INTERRUPTS();
      more = visit(slot, columns);
    }
    table_endscan(scan);
    ExecDropSingleTupleTableSlot(slot);
  }
  table_close(table, NoLock);
}

// Copies of values that are kept together.
class Copies {
 public:
  NullableDatum copy_of(TupleTableSlot* row, AttrNumber number) {
    bool null;
    const Datum value = slot_getattr(row, number, &null);
    if (null) return {0, true};
    const FormData_pg_attribute& column = *TupleDescAttr(row->tts_tupleDescriptor, number - 1);
    const Datum copy = column.attlen == -1 ? PointerGetDatum(PG_DETOAST_DATUM_COPY(value))
                                           : datumCopy(value, column.attbyval, column.attlen);
    if (!column.attbyval) bytes_ += datumGetSize(copy, false, column.attlen);
    if (bytes_ > kMostPublicBytes) refuse(column);
    return {copy, false};
  }

 private:
  [[noreturn]] static void refuse(const FormData_pg_attribute& column) {
    ereport(ERROR,
            (errcode(pg::kNotAdmissible),
             errmsg("what column %s of table %s holds takes more than %zu MB, too much to look at",
                    quote_identifier(NameStr(column.attname)), get_rel_name(column.attrelid), kMostPublicBytes >> 20),
             errhint("Join a subquery that shows something shorter: JOIN (SELECT ..., left(%s, 20) AS x FROM %s) AS d.",
                     quote_identifier(NameStr(column.attname)), quote_identifier(get_rel_name(column.attrelid)))));
    pg_unreachable();
  }

  Size bytes_ = 0;
};

// The same on the table and its partitions. `columns`: int, as the table has them. Returns of how many rows visit said
// that they count; nothing, and stops, where these are too many.
template <class Visit>
std::optional<int> visit_all(Oid relation, const List* columns, Visit visit) {
  int count = 0;
  List* names = NIL;
  ListCell* cell;
  foreach (cell, columns) {
    names = lappend(names, makeString(get_attname(relation, static_cast<AttrNumber>(lfirst_int(cell)), false)));
  }
  foreach (cell, find_all_inheritors(relation, AccessShareLock, nullptr)) {
    if (lfirst_oid(cell) != relation && !get_rel_relispartition(lfirst_oid(cell))) continue;
    visit_rows(lfirst_oid(cell), names, [&](TupleTableSlot* row, const AttrNumber* numbers) {
      if (count <= kMostPublicValues) count += visit(row, numbers, count);
      return count <= kMostPublicValues;
    });
  }
  return count > kMostPublicValues ? std::nullopt : std::optional(count);
}

// How many values the column has, NULLs apart; nothing where these are too many.
std::optional<int> rows_of(const Reference& where) {
  return visit_all(
      where.relation, list_make1_int(where.column),
      [](TupleTableSlot* row, const AttrNumber* columns, int) { return !slot_attisnull(row, columns[0]); });
}

// What a column holds now, in that type and collation; nothing where it has too many rows.
std::optional<Domain> values_of(const Reference& where, Oid type, Oid collation) {
  const std::optional<int> most = rows_of(where);
  if (!most) return std::nullopt;
  auto* const values = static_cast<Datum*>(palloc(static_cast<Size>(*most) * sizeof(Datum)));
  Copies copies;
  // The second scan finds the same values: it uses the same snapshot.
  const auto size = visit_all(where.relation, list_make1_int(where.column),
                              [&](TupleTableSlot* row, const AttrNumber* columns, int place) {
                                const NullableDatum value = copies.copy_of(row, columns[0]);
                                if (!value.isnull) values[place] = value.value;
                                return !value.isnull;
                              });
  return make_domain(type, collation, values, *size);
}

// The column that this one refers to; nothing where `role` may not read it.
std::optional<Reference> readable_reference(Oid relation, AttrNumber column, Oid role) {
  const Reference reference = public_reference(relation, column);
  if (!OidIsValid(reference.relation) || !may_read(role, reference)) return std::nullopt;
  return reference;
}

}  // namespace

std::optional<Domain> type_domain(Oid type) {
  // What a domain's conditions leave out is in no row.
  const Oid base = getBaseType(type);
  if (type_is_enum(base)) return enum_domain(base, type);
  if (base != BOOLOID) return std::nullopt;
  auto* const values = static_cast<Datum*>(palloc(2 * sizeof(Datum)));
  values[0] = BoolGetDatum(false);
  values[1] = BoolGetDatum(true);
  return Domain{type, 2, values};
}

// -0 equals 0 and is shown as it, whichever of them came first.
static Datum without_sign_of_zero(Oid base, Datum value) {
  if (base == FLOAT8OID) return Float8GetDatum(DatumGetFloat8(value) + 0.0);
  if (base == FLOAT4OID) return Float4GetDatum(DatumGetFloat4(value) + 0.0F);
  return value;
}

std::optional<Domain> make_domain(Oid type, Oid collation, Datum* values, int size) {
  TypeCacheEntry* const cache = lookup_type_cache(type, TYPECACHE_CMP_PROC_FINFO);
  FmgrInfo* const compare = &cache->cmp_proc_finfo;
  if (!OidIsValid(compare->fn_oid)) return std::nullopt;
  const auto order = [&](Datum a, Datum b) { return DatumGetInt32(FunctionCall2Coll(compare, collation, a, b)); };
  std::sort(values, values + size, [&](Datum a, Datum b) { return order(a, b) < 0; });
  Datum* const end = std::unique(values, values + size, [&](Datum a, Datum b) { return order(a, b) == 0; });
  const Oid base = getBaseType(type);
  std::transform(values, end, values, [base](Datum value) { return without_sign_of_zero(base, value); });
  return Domain{type, static_cast<int>(end - values), values};
}

Reference public_reference(Oid relation, AttrNumber column) {
  const std::optional<Reference> reference = column > 0 ? foreign_key_of(relation, column) : std::nullopt;
  const std::optional<Protection> protection = protection_of(relation);
  if (!reference || (protection && says_whose(*protection, relation, column)) ||
      !may_be_published(reference->relation, relation) ||
      !IsBinaryCoercible(get_atttype(reference->relation, reference->column), get_atttype(relation, column))) {
    return {InvalidOid, InvalidAttrNumber};
  }
  return *reference;
}

std::optional<int> declared_size(Oid relation, const char* expression_text, Oid type) {
  const std::optional<DeclaredDomain> stored = declaration_of(relation, expression_text);
  return stored && stored->type == type ? std::optional(stored->size) : std::nullopt;
}

std::optional<int> natural_size(Oid relation, AttrNumber column, Oid role) {
  if (column <= 0) return std::nullopt;
  if (const auto named = type_domain(get_atttype(relation, column))) return named->size;
  if (const auto checked = checked_values(relation, column)) return checked->size;
  const auto reference = readable_reference(relation, column, role);
  return reference ? rows_of(*reference) : std::nullopt;
}

std::optional<int> public_column_size(Oid table, AttrNumber column) {
  if (const auto named = type_domain(get_atttype(table, column))) return named->size;
  return rows_of({table, column}) ? std::optional(0) : std::nullopt;  // they may all be equal
}

std::optional<Domain> declared_domain(Oid relation, const char* expression_text, Oid type, Oid collation) {
  const std::optional<PublicDomain> stored = public_domain(relation, expression_text);
  if (!stored || stored->type != type) return std::nullopt;
  Datum* values;
  int size;
  deconstruct_array(stored->values, TEXTOID, -1, false, TYPALIGN_INT, &values, nullptr, &size);
  Oid input, parameter;
  getTypeInputInfo(type, &input, &parameter);
  FmgrInfo call;
  fmgr_info(input, &call);
  for (int i = 0; i < size; ++i) values[i] = InputFunctionCall(&call, TextDatumGetCString(values[i]), parameter, -1);
  return make_domain(type, collation, values, size);
}

std::optional<Domain> natural_domain(Oid relation, AttrNumber column, Oid role) {
  if (column <= 0) return std::nullopt;
  Oid type, collation;
  int32 modifier;
  get_atttypetypmodcoll(relation, column, &type, &modifier, &collation);
  if (auto named = type_domain(type)) return named;
  if (auto checked = checked_values(relation, column)) return checked;
  const auto reference = readable_reference(relation, column, role);
  return reference ? values_of(*reference, type, collation) : std::nullopt;
}

std::optional<Domain> public_column_domain(Oid table, AttrNumber column) {
  Oid type, collation;
  int32 modifier;
  get_atttypetypmodcoll(table, column, &type, &modifier, &collation);
  if (auto named = type_domain(type)) return named;
  return values_of({table, column}, type, collation);
}

ColumnRows public_rows(Oid table, const List* columns) {
  const int width = list_length(columns);
  bool any_empty = false;
  const auto holds_something = [width](TupleTableSlot* row, const AttrNumber* numbers) {
    return !std::all_of(numbers, numbers + width, [row](AttrNumber number) { return slot_attisnull(row, number); });
  };
  const std::optional<int> count = visit_all(table, columns, [&](TupleTableSlot* row, const AttrNumber* numbers, int) {
    const bool counts = holds_something(row, numbers);
    any_empty = any_empty || !counts;
    return counts;
  });
  if (!count) {
    ereport(ERROR, (errcode(pg::kNotAdmissible),
                    errmsg("table %s has more than %d rows, too many to look at what they hold", get_rel_name(table),
                           kMostPublicValues),
                    errhint("Join a subquery that has fewer: JOIN (SELECT DISTINCT ... FROM %s WHERE ...) AS d.",
                            quote_identifier(get_rel_name(table)))));
  }
  const Size values = static_cast<Size>(*count + any_empty) * static_cast<Size>(width);
  ColumnRows rows{*count + any_empty, static_cast<NullableDatum*>(palloc(values * sizeof(NullableDatum) + 1))};
  std::fill(rows.values, rows.values + values, NullableDatum{0, true});
  Copies copies;
  visit_all(table, columns, [&](TupleTableSlot* row, const AttrNumber* numbers, int place) {
    if (!holds_something(row, numbers)) return false;
    for (int i = 0; i < width; ++i) rows.values[place * width + i] = copies.copy_of(row, numbers[i]);
    return true;
  });
  return rows;
}

bool may_be_null(Oid relation, AttrNumber column) {
  if (column < 0) return false;
  const char* const name = get_attname(relation, column, false);
  // A child of an inherited table may have dropped the constraint, and of a foreign table it is a mere declaration.
  ListCell* cell;
  foreach (cell, find_all_inheritors(relation, NoLock, nullptr)) {
    const Oid below = lfirst_oid(cell);
    HeapTuple const row = SearchSysCacheAttName(below, name);
    const bool sure = HeapTupleIsValid(row) && reinterpret_cast<Form_pg_attribute>(GETSTRUCT(row))->attnotnull &&
                      !is_younger_than_snapshot(row);
    if (HeapTupleIsValid(row)) ReleaseSysCache(row);
    if (!sure || get_rel_relkind(below) == RELKIND_FOREIGN_TABLE) return true;
  }
  return false;
}

}  // namespace dp::budget
