// The tables that a query level reads, seen through joins and through views, subqueries and CTEs that only choose rows
// and columns.
//
// An inner query has base tables at range-table indexes 1, 2, ... whatever tools wrapped around them. The protected
// table whose rows are counted is the first; the others only add columns. So everything that looks at an inner query
// (admission, names of aggregates, permissions) has one simple form to look at.
#pragma once

#include "budget/catalog/known_rows.h"
#include "guard/admission/expression_size.h"
#include "guard/relations/read_table.h"
#include "guard/tree/by_number.h"
#include "pg/joins.h"
#include "pg/permissions.h"

namespace dp::guard {

// What a subquery must not do, if it is to be no more than a choice of rows and columns; nullptr: it does not.
const char* more_than_a_choice(const Query* query);

// Whether all that it does beyond that is to ask subqueries among its columns, of protected rows, which read no CTEs:
// they are then in the place of the columns.
bool asks_among_columns(const Query* query);

// Whether the query groups, by GROUP BY or by DISTINCT, takes the first row of each, or has window functions, and is a
// choice of rows and columns otherwise.
bool may_be_per_unit(const Query* query);

// The queries around a query, innermost first, and itself in front of them; a list of its own.
inline List* around(Query* query, List* levels) { return lcons(query, list_copy(levels)); }

// The CTE that an entry reads, and in `outer` the queries around it; nullptr for one that reads itself. `levels`: the
// queries around the entry, innermost first.
CommonTableExpr* find_cte(const RangeTblEntry* entry, List* levels, List** outer);

// Whether others read the CTE than this level, of whose entries this is one.
bool is_read_elsewhere(const CommonTableExpr* cte, const RangeTblEntry* entry, const Query* level);

// What an item of a level's FROM shows of the tables.
struct FromItem {
  int index;  // in the level's range table
  RangeTblEntry* entry;
  int table;              // the number of the table that it is; 0: it is a subquery or CTE that shows `columns`
  List* columns;          // TargetEntry, over the tables; without an expression where that would be too large
  ExpressionSize* sizes;  // of each of these
};

// What a message calls the table, and a column of it.
const char* name_of_table(const RangeTblEntry* table);
char* name_of_column(const RangeTblEntry* table, AttrNumber column);

// Of a subquery that is joined so that a row finds one of its rows at most.
inline constexpr int kFindsOne = -1;

// The unsupported reason of a level without FROM.
inline constexpr char kNoTable[] = "no table";

// The unsupported reason of a list of constants of which a row of a table may find several rows.
inline constexpr char kUnmatchedList[] = "a list of values that is not joined on a key of its own";

// The unsupported reason of a subquery that could be run by itself if it were sure to give the same rows each time.
inline constexpr char kVolatile[] = "a subquery or function in FROM that is volatile";

// The unsupported reason of LATERAL that lateral.h cannot write otherwise.
inline constexpr char kLateral[] = "LATERAL";

// The unsupported reasons of joins that have rows without a partner.
inline constexpr char kMissingJoin[] = "a join on the side of an outer join that may be missing";
inline constexpr char kMissingAsks[] =
    "a view or subquery that asks or computes, on the side of an outer join that may be missing";
inline constexpr char kFullJoins[] = "several FULL JOINs";

// The unsupported reason of one that is not known before a row is read, or too long.
inline constexpr char kOpenSeries[] = "a list that cannot be read off the query";

// The unsupported reason of an expression that takes too many parts to be put over the tables.
inline constexpr char kTooLarge[] = "a large expression";

struct PerUnitSubquery;
struct Sources;

// A table of those sources.
struct TableRead {
  const Sources* of;
  int number;
};

// A subquery that groups by the privacy unit, where it stands beside other tables, as one of them
// (per_unit_subquery.h).
struct PerUnitTable {
  const RangeTblEntry* entry;  // among the tables
  Query* grouped;              // it, flattened
  List* around;                // the queries around its parts, innermost first, itself in front
  const Sources* below;        // what it reads
  PerUnitSubquery* rows;       // what it asks; nullptr until that is known (find_per_unit)
};

struct Sources {
  budget::CatalogVersion catalog_version;  // what this session had heard of before they were collected
  List* tables;  // RangeTblEntry: RTE_RELATIONs, and what stands for `subqueries`; NIL: there is an unsupported reason
  List* reads;   // ReadTable*: of each of these
  List* security_quals;   // List*, one for each table: conditions to be tested before all others, over the tables
  Node* tree;             // the joins of the tables: RangeTblRefs and JoinExprs, with conditions over the tables
  JoinExpr* full;         // the one full join in it, of two tables, which are not joined before; nullptr: there is none
  List* conditions;       // of the level and of the subqueries in between, over the tables
  List* sublinks;         // Node: those of them that hold subqueries (subqueries.h)
  List* around_sublinks;  // List*: of each of these the queries around it, innermost first
  List* passed;           // RangeTblEntry: views on the way, whose permissions are still to be checked
  List* permissions;      // of the tables and of these, as a query has them (pg/permissions.h)
  List* items;            // FromItem*: of the level
  List* lists;            // ValueList*: of the level, their columns over the tables (value_lists.h)
  List* subqueries;       // Query: those that are run by themselves, and are tables (query/public_rows.h)
  List* subquery_rows;    // int: of each of these how many rows are written there; 0: that is not known, or kFindsOne;
                          // -n: a row finds some of the first n
  List* subquery_about;   // int: how many there are about, where that is not known; 0: that is not known either
  const char* unsupported;   // where there are no tables: what stands in the way, for a message
  const char* too_large;     // where that is kTooLarge: the place of the expression that is
  ExpressionSize* together;  // what has been put over the tables so far
  Query* grouped;            // where a grouped subquery may be read: the one that is; it is the only table then
  List* around_grouped;      // the queries around it, innermost first, itself in front
  List* per_unit;            // PerUnitTable*: those among the tables
  bool asks_among_columns;   // what stands for columns may hold subqueries

  JoinExpr* shows_all = nullptr;  // that was a left join and leaves no group out (preserved_rows.h)

  const Sources* below = nullptr;  // of the grouped subquery, where that is known to be per-unit (per_unit_below.h)
  int rows_of_unit = 0;            // of what a per-unit subquery reads: so many rows of each count at most; 0: unknown
  List* computed = NIL;  // ComputedColumn*: what a subquery computes of each person (groups/computed_columns.h)
  int above = 0;         // of a subquery in WHERE: so many tables of the level above it have the numbers before its own

  // Those whose tables are read in the end.
  const Sources& read() const { return below == nullptr ? *this : *below; }

  RangeTblEntry* table(int number) const { return entry_numbered(number, tables); }

  const ReadTable& read_at(int number) const { return *static_cast<const ReadTable*>(list_nth(reads, number - 1)); }

  // nullptr: public rows, or what is computed per unit.
  const budget::Protection* protection(int number) const { return read_at(number).protection(); }

  // nullptr for another table.
  PerUnitTable* per_unit_at(int number) const { return per_unit == NIL ? nullptr : per_unit_among(number); }

  // Calls visit(sources, number) for each table that is read in the end, those below a per-unit subquery in its
  // place, until it returns true.
  template <class Visit>
  bool any_table(const Visit& visit) const {
    const bool here = per_unit == NIL;
    const List* const all = here ? tables : tables_read();
    for (int i = 0; i < list_length(all); ++i) {
      const TableRead read = here ? TableRead{this, i + 1} : *static_cast<const TableRead*>(list_nth(all, i));
      if (visit(*read.of, read.number)) return true;
    }
    return false;
  }

  // Whose permissions hold for the table: the view's owner where a view names it, otherwise InvalidOid.
  Oid subject(int number) const { return pg::permissions_in(permissions, table(number))->checkAsUser; }

  // An expression of the level, over the tables. Raises DP002 where it is too large; `place` names it.
  Node* over_tables(Node* expression, const char* place) const;

 private:
  List* tables_read() const;  // TableRead*, as any_table() visits them
  PerUnitTable* per_unit_among(int number) const;
};

// `levels` are the queries around it, innermost first, starting with the level itself: CTEs are looked up in them.
// The level must be pg::flattened. Leaves the query as it is. The permissions on views that the level names itself are
// those of the caller (named_only).
Sources sources_of(Query* level, List* levels);

// The same of a level that reads one grouped subquery, which counts as a table; no tables where it does not.
Sources sources_over_groups(Query* level, List* levels);

// The range-table entries that a level names without reading them: for views, on which permissions are checked. These
// are appended to the list.
List* named_only(Query* level, List** permissions);

// The level is to read its tables directly: the CTEs that its FROM items read, also through subqueries, lose these
// references (cterefcount).
void release_ctes(Query* level, List* levels);

// The range-table indexes of the items that the level reads from.
List* from_indexes(const Query* level);

}  // namespace dp::guard
