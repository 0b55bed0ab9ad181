#include "guard/relations/protected_tables.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/remembered.h"
#include "budget/catalog/unique_indexes.h"
#include "budget/policy/privacy_unit.h"
#include "budget/policy/protectable.h"
#include "guard/admission/refusal.h"
#include "guard/query/plan_dependencies.h"
#include "guard/relations/fan_out.h"
#include "guard/relations/full_joins.h"
#include "guard/relations/joins.h"
#include "guard/relations/per_unit_subquery.h"
#include "guard/relations/preserved_rows.h"
#include "guard/relations/protected_reads.h"
#include "guard/relations/single_answers.h"
#include "guard/relations/subqueries.h"
#include "guard/relations/value_lists.h"
#include "guard/tree/columns.h"

namespace dp::guard {
namespace {

// Row security chooses rows by who asks, so an answer would not be about the whole table. dp.protect refuses such a
// table, but row security may have been enabled since.
void refuse_row_security(Oid table) {
  HeapTuple const row = SearchSysCache1(RELOID, ObjectIdGetDatum(table));
  if (!HeapTupleIsValid(row)) return;
  const auto* const entry = reinterpret_cast<Form_pg_class>(GETSTRUCT(row));
  const bool secured = entry->relrowsecurity || entry->relforcerowsecurity;
  ReleaseSysCache(row);
  if (!secured) return;
  const char* const name = get_rel_name(table);
  DP_REFUSE(
      -1, errmsg("protected table %s has row security", name),
      errhint("Ask its owner for ALTER TABLE %s DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY; a view can "
              "choose rows instead.",
              quote_identifier(name)));
}

// Citus plans and runs queries on such a table elsewhere, past the release node.
void refuse_distributed(Oid table) {
  if (!budget::is_distributed(table)) return;
  DP_REFUSE(-1,
            errmsg("protected table %s is distributed by Citus, so its questions cannot be charged here",
                   get_rel_name(table)),
            errhint("Ask a curator to protect a foreign table that stands for it, or a local copy."));
}

// Which rows of a unit the table keeps.
void add_kept(InnerQueryTables* inner_query, int number) {
  const RangeTblEntry* const table = inner_query->sources.table(number);
  const budget::UnitPolicy& policy = inner_query->protection(number).unit;
  const AttrNumber column = budget::kept_column(policy, table->relid);
  if (column == InvalidAttrNumber) return;
  Var* const by = column_of_table(number, column, table->relid);
  inner_query->row_choices =
      lappend(inner_query->row_choices, new (palloc(sizeof(RowChoice))) RowChoice{by, policy.latest});
  inner_query->dependencies = with_dependency(inner_query->dependencies, Dependency::column, table->relid, column);
}

// A per-unit subquery has one row of a unit, or such rows as those of the tables that it reads.
void add_per_unit(InnerQueryTables* inner_query, const PerUnitTable& per_unit) {
  const InnerQueryTables& below = per_unit.rows->tables;
  if (per_unit.rows->alone || per_unit.rows->left == 1 || below.one_row) return;
  inner_query->chooses_limits = inner_query->chooses_limits || below.chooses_limits;
  inner_query->limits = inner_query->limits.with(below.limits.with({per_unit.rows->left, 0, 0}));
  if (inner_query->partners == NIL) inner_query->rows_asked = per_unit.rows->left;
  inner_query->one_row = false;
}

// A table in which a unit has at most one row adds no limit, nor does one of which each row of another table has one
// row.
void add_unit(InnerQueryTables* inner_query, int number) {
  if (const PerUnitTable* const per_unit = inner_query->sources.per_unit_at(number))
    return add_per_unit(inner_query, *per_unit);
  const RangeTblEntry* const table = inner_query->sources.table(number);
  const budget::UnitPolicy& policy = inner_query->protection(number).unit;
  const budget::UnitPath* const path = inner_query->units.path_of(number);
  if (path == nullptr) return;
  inner_query->dependencies = with_path(inner_query->dependencies, *path);
  if (bms_is_member(number, inner_query->units.led_to)) return;
  const Oid index = path->steps == NIL ? budget::unique_index(table->relid, path->column, table->inh) : InvalidOid;
  if (OidIsValid(index)) {
    inner_query->dependencies = with_dependency(inner_query->dependencies, Dependency::index, index);
    return;
  }
  inner_query->chooses_limits = inner_query->chooses_limits || !policy.limited();
  inner_query->limits = inner_query->limits.with(ContributionBounds::of(policy));
  add_kept(inner_query, number);
  inner_query->one_row = false;
}

// The table on the other side of a full join, of which the first table is done. Rows of both sides count, so a unit may
// have those of the one and those of the other, and where it has one at most on a side and nothing else is compared,
// those of the other alone. Returns its number.
int add_full(InnerQueryTables* inner_query, int location) {
  const Sources& sources = inner_query->sources;
  const int other = castNode(RangeTblRef, sources.full->rarg)->rtindex;
  const ContributionBounds of_first = std::exchange(inner_query->limits, {});
  const bool first_once = std::exchange(inner_query->one_row, true);
  add_unit(inner_query, other);
  const ContributionBounds of_other = inner_query->limits;
  const bool other_once = inner_query->one_row;
  // An OR of conditions that all compare the units compares more than these.
  const bool bare = IsA(sources.full->quals, OpExpr);
  inner_query->full_unit = unit_of_full(sources, inner_query->units, location);
  inner_query->one_row = first_once && other_once && bare;
  if (inner_query->chooses_limits && !inner_query->one_row) {
    inner_query->limits = {};
  } else if (inner_query->one_row || of_first.groups > 0 || of_other.groups > 0) {
    inner_query->limits = of_first.with(of_other);
  } else if (first_once && other_once) {
    inner_query->limits = {};  // what is joined further may say how many
  } else if (bare && (first_once || other_once)) {
    inner_query->limits.rows = std::max(of_first.rows, of_other.rows);
  } else {
    const int both = (first_once ? 1 : of_first.rows) + (other_once ? 1 : of_other.rows);
    inner_query->limits = {std::min<int>(both, budget::kMostOfUnit), 0, 0};
  }
  return other;
}

// By what the session has set. Where the tables have no limit its own has to be one.
void limit_further(InnerQueryTables* inner_query, int location) {
  ContributionBounds& limits = inner_query->limits;
  // That of another table was declared for its own rows. What the question itself leaves of a unit holds, and which
  // rows are kept is said for so many of them.
  if (inner_query->chooses_limits && inner_query->row_choices == NIL) limits = {inner_query->rows_asked, 0, 0};
  limits = limits.with(set_limits());
  if (limits.rows == 0 && limits.groups == 0 && limits.rows_per_group > 0) {
    DP_REFUSE(location,
              errmsg("dp.max_rows_per_group is %d, and nothing limits in how many groups a privacy unit counts",
                     limits.rows_per_group),
              errhint("SET dp.max_groups_per_unit = 3; as well, or RESET dp.max_rows_per_group;"));
  }
  if (limits.groups > 0 && limits.rows_per_group == 0) limits.rows_per_group = 1;  // as in dp.protect()
  if (limits.rows > 0 || limits.groups > 0) inner_query->chooses_limits = false;
}

List* add_numbers(List* numbers, const budget::Protection& protection, Oid table) {
  const auto path = budget::unit_path(protection, table);
  const budget::UnitPolicy& unit = protection.unit;
  const int type = path ? static_cast<int>(get_atttype(path->table, path->column)) : 0;
  const AttrNumber kept = budget::kept_column(unit, table);
  const int kept_type = kept != InvalidAttrNumber ? static_cast<int>(get_atttype(table, kept)) : 0;
  for (const int number : {path ? int{path->column} : 0, type, unit.rows, unit.groups, unit.rows_per_group, int{kept},
                           kept_type, int{unit.latest}}) {
    numbers = lappend_int(numbers, number);
  }
  ListCell* cell;
  foreach (cell, path ? path->steps : NIL) {
    const auto& step = *static_cast<const budget::UnitStep*>(lfirst(cell));
    for (const Oid number : {step.constraint, step.to, step.index})
      numbers = lappend_int(numbers, static_cast<int>(number));
    for (int i = 0; i < step.columns; ++i) numbers = lappend_int(lappend_int(numbers, step.own[i]), step.referred[i]);
  }
  return numbers;
}

// It; nullptr where there is none.
const budget::Protection* with_one_budget(const budget::Protection* found, Oid table) {
  if (found != nullptr) budget::require_one_budget(*found, table);
  return found;
}

void exchange_cells(List* list, int one, int other) {
  std::swap(list_nth_cell(list, one - 1)->ptr_value, list_nth_cell(list, other - 1)->ptr_value);
}

// Gives table `number` the number 1, and that number to the first.
void put_first(Sources* sources, int number) {
  if (number == 1) return;
  exchange_entries(sources->tree, 1, number);
  exchange_entries(sources->conditions, 1, number);
  exchange_entries(sources->sublinks, 1, number);
  exchange_entries(sources->security_quals, 1, number);
  exchange_cells(sources->tables, 1, number);
  exchange_cells(sources->reads, 1, number);
  exchange_cells(sources->security_quals, 1, number);
  ListCell* cell;
  foreach (cell, sources->items) {
    auto* const item = static_cast<FromItem*>(lfirst(cell));
    if (item->table == 1 || item->table == number) item->table = 1 + number - item->table;
    exchange_entries(item->columns, 1, number);
  }
}

// The protections of the inner query's tables, which are what they were when it was planned.
List* require_same_policy(const InnerQuery& inner_query) {
  List* protections = NIL;
  List* numbers = NIL;
  bool same = true;
  for (int i = 0; same && i < inner_query.protected_tables(); ++i) {
    const ProtectedTable table = inner_query.protected_table(i);
    const budget::Protection* const protection = with_one_budget(ReadTable(table.table).protection(), table.table);
    same = protection != nullptr && protection->relation == table.relation;
    if (same) numbers = add_numbers(numbers, *protection, table.table);
    protections = lappend(protections, const_cast<budget::Protection*>(protection));
  }
  if (!same || !equal(numbers, inner_query.policy)) {
    ereport(ERROR, (errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
                    errmsg("the protection of table %s has changed since the query was planned",
                           get_rel_name(inner_query.first.table)),
                    errhint("Run the query again.")));
  }
  return protections;
}

}  // namespace

List* with_path(List* facts, const budget::UnitPath& path) {
  ListCell* cell;
  foreach (cell, path.steps) {
    const auto& step = *static_cast<const budget::UnitStep*>(lfirst(cell));
    facts = with_dependency(facts, Dependency::tables, step.to, get_rel_relkind(step.to) == RELKIND_PARTITIONED_TABLE);
    facts = with_dependency(facts, Dependency::index, step.index);
  }
  return with_dependency(facts, Dependency::column, path.table, path.column);
}

const budget::Protection* protection_to_ask(const Sources& sources, int number) {
  const Oid table = sources.table(number)->relid;
  const budget::Protection* const protection = with_one_budget(sources.protection(number), table);
  if (protection == nullptr) return nullptr;
  refuse_row_security(table);
  refuse_distributed(table);
  return protection;
}

List* InnerQueryTables::relations() const {
  List* relations = NIL;
  ListCell *cell, *table;
  foreach (cell, sources.tables) {
    const Oid relation = lfirst_node(RangeTblEntry, cell)->relid;
    if (OidIsValid(relation)) relations = lappend_oid(relations, relation);
  }
  foreach (cell, sources.per_unit)
    relations = list_concat(relations, static_cast<const PerUnitTable*>(lfirst(cell))->rows->tables.relations());
  foreach (cell, subqueries) {
    foreach (table, static_cast<const Subquery*>(lfirst(cell))->rows.tables) {
      relations = lappend_oid(relations, lfirst_node(RangeTblEntry, table)->relid);
    }
  }
  return relations;
}

List* InnerQueryTables::all_protected() const {
  List* all = NIL;
  ListCell* cell;
  foreach (cell, lcons_int(1, list_copy(partners))) {
    const int number = lfirst_int(cell);
    if (const PerUnitTable* const per_unit = sources.per_unit_at(number)) {
      all = list_concat(all, per_unit->rows->tables.all_protected());
    } else {
      all = lappend(all, new (palloc(sizeof(AskedTable)))
                             AskedTable{&protection(number), sources.table(number)->relid, sources.subject(number)});
    }
  }
  return list_concat(all, asked);
}

List* InnerQueryTables::path_tables() const {
  List* path_tables = NIL;
  ListCell* cell;
  for_each_from(cell, sources.tables, units.named) path_tables =
      lappend_oid(path_tables, lfirst_node(RangeTblEntry, cell)->relid);
  foreach (cell, sources.per_unit)
    path_tables = list_concat(path_tables, static_cast<const PerUnitTable*>(lfirst(cell))->rows->tables.path_tables());
  return path_tables;
}

List* InnerQueryTables::unit_numbers() const {
  List* numbers = NIL;
  ListCell* cell;
  foreach (cell, all_protected()) {
    const auto& read = *static_cast<const AskedTable*>(lfirst(cell));
    numbers = add_numbers(numbers, *read.protection, read.table);
  }
  return numbers;
}

namespace {

CurrentPrice price_of(const void* protection) {
  const auto& of = *static_cast<const budget::Protection*>(protection);
  return {of.limit, of.selection, of.blocks};
}

struct TableOfPlan {
  std::uint64_t plan;
  int table;

  bool operator==(const TableOfPlan&) const = default;
};

}  // namespace

CurrentPrice current_price(const InnerQuery& inner_query, int table) {
  static budget::Remembered<TableOfPlan, CurrentPrice> prices;
  if (inner_query.number == 0) return price_of(list_nth(require_same_policy(inner_query), table));
  return prices.get({inner_query.number, table}, [&] {
    const budget::CatalogVersion catalog_version = budget::catalog_version();
    const bool are_same = inner_query.protections != NIL && inner_query.catalog_version == catalog_version;
    List* const protections = are_same ? inner_query.protections : require_same_policy(inner_query);
    // Those of its other tables are asked for next.
    ListCell* cell;
    foreach (cell, protections) {
      const int other = foreach_current_index(cell);
      if (other != table) prices.put({inner_query.number, other}, price_of(lfirst(cell)), catalog_version);
    }
    return price_of(list_nth(protections, table));
  });
}

std::optional<InnerQueryTables> inner_query_tables(Query* level, List* levels, const Sources& read, List* aggregates,
                                                   const InnerQueries& inner_queries, List* answers) {
  budget::own_tables();  // without them no table would count as protected
  InnerQueryTables inner_query{.sources = read,
                               .protections = NIL,
                               .partners = NIL,
                               .unit = nullptr,
                               .limits = {},
                               .chooses_limits = false,
                               .row_choices = NIL,
                               .units = {},
                               .one_row = true,
                               .rows_asked = 0,
                               .full_unit = nullptr,
                               .dependencies = NIL,
                               .catalog_version = read.catalog_version,
                               .keys = {},
                               .rows_of_one = 1,
                               .sublinks = NIL,
                               .sublinks_of_groups = NIL,
                               .within = NIL,
                               .subqueries = NIL,
                               .asked = NIL,
                               .answers = answers};
  if (read.sublinks != NIL) take_single_answers(&inner_query.sources, inner_queries, &inner_query.answers);
  const int location = aggregates == NIL ? -1 : exprLocation(static_cast<Node*>(linitial(aggregates)));
  if (read.per_unit != NIL) find_per_unit(&inner_query, inner_queries, location);
  int first = 0;
  List* missing = NIL;
  ListCell* cell;
  foreach (cell, inner_query.sources.tables) {
    const auto* const table = lfirst_node(RangeTblEntry, cell);
    if (table->rtekind != RTE_RELATION) continue;
    const budget::Protection* const protection = inner_query.sources.protection(foreach_current_index(cell) + 1);
    inner_query.dependencies = with_tables(inner_query.dependencies, table->relid, table->inh, protection);
  }
  foreach (cell, inner_query.sources.tables) {
    const int number = foreach_current_index(cell) + 1;
    const PerUnitTable* const per_unit = inner_query.sources.per_unit_at(number);
    const budget::Protection* const protection =
        per_unit != nullptr
            ? &per_unit->rows->tables.protection(1)
            : with_one_budget(inner_query.sources.protection(number), lfirst_node(RangeTblEntry, cell)->relid);
    inner_query.protections = lappend(inner_query.protections, const_cast<budget::Protection*>(protection));
    if (protection == nullptr) continue;
    const bool may_miss = may_be_missing(inner_query.sources.tree, number);
    if (first == 0 && !may_miss) first = number;
    if (may_miss) missing = lappend_int(missing, number);
  }
  if (inner_query.sources.full != nullptr && (first != 0 || missing != NIL)) {
    first = first_of_full(inner_query.sources, first, missing, location);
  } else if (first == 0 && missing != NIL) {
    first = linitial_int(missing);
    drop_preserved_rows(level, &inner_query.sources, first, missing, aggregates, location);
  }
  if (first == 0) {
    if (reads_protected(level, levels, aggregates, inner_queries)) refuse_unprotected(inner_query.sources, location);
    return std::nullopt;
  }
  if (const int list = preserved_list(inner_query.sources.lists); list > 0)
    check_preserved_list(level, list, aggregates, location);
  put_first(&inner_query.sources, first);
  std::swap(linitial(inner_query.protections), lfirst(list_nth_cell(inner_query.protections, first - 1)));
  foreach (cell, inner_query.protections) {
    if (lfirst(cell) == nullptr) continue;
    const int number = foreach_current_index(cell) + 1;
    if (inner_query.sources.per_unit_at(number) == nullptr) {
      refuse_row_security(inner_query.sources.table(number)->relid);
      refuse_distributed(inner_query.sources.table(number)->relid);
    }
    if (number > 1) inner_query.partners = lappend_int(inner_query.partners, number);
  }
  JoinConditions conditions(inner_query.sources);
  inner_query.units = inner_query.names_unit()
                          ? find_unit_columns(&inner_query.sources, &conditions, inner_query.protections)
                          : UnitColumns::of_none(list_length(inner_query.sources.tables));
  inner_query.keys = check_joins(inner_query.sources, conditions, inner_query.units, inner_query.partners, location);
  foreach (cell, inner_query.keys.indexes) {
    inner_query.dependencies = with_dependency(inner_query.dependencies, Dependency::index, lfirst_oid(cell));
  }
  inner_query.unit = inner_query.protection(1).unit.path;
  add_unit(&inner_query, 1);
  const int other = inner_query.sources.full == nullptr ? 0 : add_full(&inner_query, location);
  foreach (cell, inner_query.partners) {
    if (lfirst_int(cell) != other) add_unit(&inner_query, lfirst_int(cell));
  }
  // One row of each side of a full join.
  ContributionBounds& limits = inner_query.limits;
  if (!inner_query.one_row && !inner_query.chooses_limits && limits.rows == 0 && limits.groups == 0) limits.rows = 2;
  if (inner_query.keys.fan_out != nullptr || inner_query.keys.open != NIL) count_fan_out(&inner_query, location);
  const Sources& sources = inner_query.sources;
  if (sources.sublinks != NIL)
    inner_query.sublinks = find_subqueries(&inner_query, sources.sublinks, sources.around_sublinks, inner_queries);
  if (!inner_query.one_row) limit_further(&inner_query, location);
  return inner_query;
}

}  // namespace dp::guard
