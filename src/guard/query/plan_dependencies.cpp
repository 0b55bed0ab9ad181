#include "guard/query/plan_dependencies.h"

#include <optional>

#include "budget/catalog/copy_rows.h"
#include "budget/catalog/public_domain_rows.h"
#include "budget/catalog/remembered.h"
#include "budget/catalog/unique_indexes.h"
#include "budget/policy/accounts.h"
#include "budget/policy/domains.h"
#include "budget/policy/shards.h"

namespace dp::guard {
namespace {

// A dependency is a list of three: what was looked at (oid: kind, relation, number), a text beside it or nullptr, and
// what was seen (oid).
List* question_of(List* dependency) { return static_cast<List*>(linitial(dependency)); }

const char* text_of(List* dependency) { return lsecond(dependency) == nullptr ? nullptr : strVal(lsecond(dependency)); }

List* add_table(List* seen, Oid table) {
  HeapTuple const row = SearchSysCache1(RELOID, ObjectIdGetDatum(table));
  if (!HeapTupleIsValid(row)) return lappend_oid(seen, InvalidOid);
  const auto& entry = *reinterpret_cast<Form_pg_class>(GETSTRUCT(row));
  const Oid flags = entry.relrowsecurity | entry.relforcerowsecurity << 1 | entry.relispartition << 2;
  seen = lappend_oid(
      lappend_oid(lappend_oid(lappend_oid(seen, table), static_cast<Oid>(entry.relkind)), entry.relowner), flags);
  if (entry.relkind == RELKIND_FOREIGN_TABLE)
    seen = lappend_oid(lappend_oid(seen, budget::hash_of_server(table)), budget::original_of(table));
  ReleaseSysCache(row);
  return seen;
}

List* see_tables(Oid table, bool with_tables_below, Oid what_is_protected) {
  List* seen = list_make1_oid(what_is_protected);
  if (!with_tables_below) return add_table(seen, table);
  // Without ever having had one below it, as most tables, it need not be looked for.
  if (!has_subclass(table)) return lappend_oid(lappend_oid(add_table(seen, table), Oid{false}), Oid{true});
  ListCell* cell;
  foreach (cell, find_all_inheritors(table, NoLock, nullptr)) seen = add_table(seen, lfirst_oid(cell));
  seen = lappend_oid(seen, budget::has_protected_child(table));
  return lappend_oid(seen, budget::has_older_links(table));
}

List* see_index(Oid index) {
  List* seen = NIL;
  ListCell* cell;
  foreach (cell, find_all_inheritors(index, NoLock, nullptr)) {
    seen = lappend_oid(lappend_oid(seen, lfirst_oid(cell)), budget::is_reliably_unique(lfirst_oid(cell)));
  }
  return seen;
}

List* see_reference(Oid relation, AttrNumber column) {
  const budget::Reference reference = budget::public_reference(relation, column);
  return list_make2_oid(reference.relation, static_cast<Oid>(reference.column));
}

List* see_declaration(Oid relation, const char* text) {
  const auto declaration = budget::declaration_of(relation, text);
  return declaration ? list_make2_oid(declaration->type, declaration->made) : NIL;
}

List* see(Dependency kind, Oid relation, int number, const char* text) {
  const auto column = static_cast<AttrNumber>(number);
  switch (kind) {
    case Dependency::tables: {
      const auto protection = budget::protection_of(relation);
      return see_tables(relation, number != 0, protection ? protection->relation : InvalidOid);
    }
    case Dependency::index:
      return see_index(relation);
    case Dependency::column:
      return list_make1_oid(budget::may_be_null(relation, column));
    case Dependency::reference:
      return see_reference(relation, column);
    case Dependency::declaration:
      return see_declaration(relation, text);
  }
  pg_unreachable();
}

// What is there no more has not stayed the same; a name for it is the inner query's table.
bool is_same(List* dependency) {
  const List* const question = question_of(dependency);
  const Oid relation = list_nth_oid(question, 1);
  if (!SearchSysCacheExists1(RELOID, ObjectIdGetDatum(relation))) return false;
  const auto kind = static_cast<Dependency>(list_nth_oid(question, 0));
  return equal(see(kind, relation, static_cast<int>(list_nth_oid(question, 2)), text_of(dependency)),
               lthird(dependency));
}

budget::Remembered<std::uint64_t, bool> same_dependencies;  // by the number of the plan

void require_same(const InnerQuery& inner_query) {
  ListCell* cell;
  foreach (cell, inner_query.dependencies) {
    auto* const dependency = static_cast<List*>(lfirst(cell));
    if (is_same(dependency)) continue;
    const Oid relation = list_nth_oid(question_of(dependency), 1);
    const char* name =
        get_rel_relkind(relation) == RELKIND_INDEX || get_rel_relkind(relation) == RELKIND_PARTITIONED_INDEX
            ? get_rel_name(IndexGetRelation(relation, true))
            : get_rel_name(relation);
    if (name == nullptr) name = get_rel_name(inner_query.first.table);
    ereport(
        ERROR,
        (errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
         errmsg("table %s has changed since the query was planned; run it again", name),
         errdetail(
             "The answer was to rely on its columns, keys and partitions as they were, for all rows that it reads."),
         errhint("Run the query again; where the transaction is REPEATABLE READ or SERIALIZABLE, begin another one "
                 "first.")));
  }
}

List* with_seen(List* dependencies, Dependency kind, Oid relation, int number, const char* text, List* seen) {
  List* const question = list_make3_oid(static_cast<Oid>(kind), relation, static_cast<Oid>(number));
  Node* const beside = text == nullptr ? nullptr : reinterpret_cast<Node*>(makeString(pstrdup(text)));
  return lappend(dependencies, list_make3(question, beside, seen));
}

}  // namespace

List* with_dependency(List* dependencies, Dependency kind, Oid relation, int number, const char* text) {
  return with_seen(dependencies, kind, relation, number, text, see(kind, relation, number, text));
}

List* with_tables(List* dependencies, Oid table, bool with_tables_below, const budget::Protection* protection) {
  const Oid what = protection != nullptr ? protection->relation : InvalidOid;
  return with_seen(dependencies, Dependency::tables, table, with_tables_below, nullptr,
                   see_tables(table, with_tables_below, what));
}

bool are_same(List* dependencies) {
  ListCell* cell;
  foreach (cell, dependencies) {
    if (!is_same(static_cast<List*>(lfirst(cell)))) return false;
  }
  return true;
}

void remember_dependencies(const InnerQuery& inner_query) {
  same_dependencies.put(inner_query.number, true, inner_query.catalog_version);
}

void require_same_dependencies(const InnerQuery& inner_query) {
  if (inner_query.number == 0) return require_same(inner_query);
  same_dependencies.get(inner_query.number, [&] {
    require_same(inner_query);
    return true;
  });
}

}  // namespace dp::guard
