// Paths to the privacy unit: the unit of a row is a column of the row itself, or of a row that foreign keys lead to.
// The unit of an order line is its order's customer: l_orderkey.o_custkey.
//
// A path is steps, then a column. A step is a column with a foreign key of this single column, or the name of a foreign
// key (of several columns); each begins in the table that the one before it leads to. So a row has one unit at most: a
// foreign key is followed by the equality of the unique index that it refers to, and where a part of it is NULL, or no
// such row is there (a deferred constraint), the row belongs to nobody.
//
// What is demanded of a path, when it is declared and at the start of each execution:
// - Each foreign key is validated, refers to columns that no two rows share under the active snapshot, and is as old as
//   that snapshot; its comparison is PostgreSQL's own. It is the one that was meant: step_texts() of the declaration
//   are kept and compared.
// - Each table that it leads to has no row security, its owner is a curator of the protected table, and the protected
//   table's owner may read it: he is its curator where it is protected. Where it is protected, its unit is the rest of
//   the path: a unit is taken away from all of these tables at once.
// - Its rows are those of one table, or of a partitioned one: foreign keys do not hold for tables that inherit.
#pragma once

#include "budget/policy/accounts.h"

namespace dp::budget {

struct UnitStep {
  Oid constraint;
  Oid from, to;
  Oid index;    // of the columns that it refers to; the comparison is this index's, column by column
  int columns;  // of the index, in its order
  AttrNumber own[INDEX_MAX_KEYS], referred[INDEX_MAX_KEYS];
  Oid operators[INDEX_MAX_KEYS];  // referred = own
};

struct UnitPath {
  List* steps;  // UnitStep*; NIL: the column is the table's own
  Oid table;    // where the steps end
  AttrNumber column;
};

// Why there is no such path: the errcode() of what was declared wrongly, a message without the table's name at its
// beginning, a hint.
struct PathObstacle {
  int code;
  const char* message;
  const char* hint;
};

// The path of that text from a protected table, or from one that is to be protected with it; nothing where there is
// none. `table`: the one that is read, itself or a partition of it. Locks the tables on the way.
std::optional<UnitPath> find_unit_path(Oid relation, Oid table, const char* text, PathObstacle* obstacle);

// The path of a policy; nothing where none is declared. Raises DP002 where it cannot be followed now, or is another one
// than was declared, and 40001 where the active snapshot is older than a foreign key of it. Whoever reads the tables on
// the way locks them: what was found before holds until this session hears of a change.
std::optional<UnitPath> unit_path(const Protection& protection, Oid table);

// What the steps are, as text (String), the same in every session.
List* step_texts(const UnitPath& path);

// Whether values of the type tell units apart: by sorting or hashing them, with PostgreSQL's own operators only. Those
// of an extension may fail.
bool tells_units_apart(Oid type);

}  // namespace dp::budget
