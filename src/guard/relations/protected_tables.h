// Which tables an inner query reads, under which protection.
#pragma once

#include "budget/policy/accounts.h"
#include "guard/query/private_query.h"
#include "guard/relations/joins.h"
#include "guard/unit_limit/chosen_rows.h"

namespace dp::guard {

// A protected table as a level reads it, or a subquery in its WHERE.
struct AskedTable {
  const budget::Protection* protection;
  Oid table;
  Oid subject;  // whose permissions hold, as in ProtectedTable
};

// const Protection*, of a list of such tables.
inline List* protections_of(const List* asked) {
  List* all = NIL;
  ListCell* cell;
  foreach (cell, asked)
    all = lappend(all, const_cast<budget::Protection*>(static_cast<const AskedTable*>(lfirst(cell))->protection));
  return all;
}

struct InnerQueryTables {
  Sources sources;            // the first table is protected, and never missing but for a full join
  List* protections;          // const Protection*: of each table, nullptr for public ones
  List* partners;             // int: the other protected tables
  const char* unit;           // names the unit of the first, nullptr where each row is one
  ContributionBounds limits;  // that hold for the tables together, in this session; none where they are chosen
  bool chooses_limits;        // nobody has said how many rows of a unit count
  List* row_choices;          // const RowChoice*: which rows of a unit the tables with a limit keep
  UnitColumns units;          // of each
  bool one_row;               // a unit has one row at most
  int rows_asked;             // conditions of the question leave so many rows of a unit; 0: any number
  Expr* full_unit;            // of a full join: names the unit of a row, whichever side is missing; otherwise nullptr
  List* dependencies;         // what that relies on, as guard/query/plan_dependencies.h has it
  budget::CatalogVersion catalog_version;  // what this session had heard of before
  JoinKeys keys;                           // by which rows of public tables are found
  int rows_of_one;                         // so many rows become of each, where each row is a unit; else 1
  List* sublinks;                          // Node: conditions with places for what they ask (subqueries.h)
  List* sublinks_of_groups;                // the same of HAVING, where it groups by the unit (per_unit_conditions.h)
  List* within;      // List: of a subquery in an aggregate or a key, it and its place (subqueries_within.h)
  List* subqueries;  // Subquery*: in these places
  List* asked;       // AskedTable*: what these read
  List* answers;     // SingleAnswer*: what conditions compare with (single_answers.h)

  const budget::Protection& protection(int table) const {
    return *static_cast<const budget::Protection*>(list_nth(protections, table - 1));
  }

  // Whether a table has a unit that a column names, its own or another one's.
  bool names_unit() const {
    ListCell* cell;
    foreach (cell, protections) {
      const auto* const of = static_cast<const budget::Protection*>(lfirst(cell));
      if (of != nullptr && of->unit.declared()) return true;
    }
    return sources.per_unit != NIL;
  }

  // Whether each row is a unit, and becomes one row at most.
  bool counts_rows() const { return units.column_of(1) == nullptr && one_row && rows_of_one <= 1; }

  // Whether conditions do, of WHERE or HAVING.
  bool asks() const { return sublinks != NIL || sublinks_of_groups != NIL; }

  // All tables that are read (oid), also by subqueries.
  List* relations() const;

  // AskedTable*: all protected tables that are read, the first one first; of a per-unit subquery those below it.
  List* all_protected() const;

  // The tables (oid) that are joined beside, also within per-unit subqueries.
  List* path_tables() const;

  // What the policies say of the unit, to be compared with later: its path and the limits of each protected table.
  List* unit_numbers() const;
};

// How the table of that number is protected; nullptr where it is public. Raises DP002 where a protected one cannot be
// asked.
const budget::Protection* protection_to_ask(const Sources& sources, int number);

// Raises DP002: what stands between the level's private aggregates and the protected table that it reads.
[[noreturn]] void refuse_unprotected(const Sources& sources, int location);

// The facts, and those that the path to a unit rests on.
List* with_path(List* facts, const budget::UnitPath& path);

// What of a table's protection the charge of a question goes by.
struct CurrentPrice {
  budget::Limit limit;
  budget::Amount selection;  // as in Protection
  bool blocks;               // likewise
};

// Of the inner query's protected table of that number, as it is now. Raises 40001 where a protection has changed since
// the inner query was made, and DP002 where a unit's column is gone or its path cannot be followed.
CurrentPrice current_price(const InnerQuery& inner_query, int table);

// The tables of a level with those private aggregates; nothing where it reads no protected one below them. Raises DP002
// where it reads one in a way that is not admitted. `sources`: of the level, from which it goes on (rewrite/level.h).
// `answers`: SingleAnswer*, those that its own are to come behind.
std::optional<InnerQueryTables> inner_query_tables(Query* level, List* levels, const Sources& sources, List* aggregates,
                                                   const InnerQueries& inner_queries, List* answers = NIL);

}  // namespace dp::guard
