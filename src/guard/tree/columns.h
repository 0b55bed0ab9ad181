// References to columns (Var): the guard makes, moves and replaces them here and nowhere else (a rule of the house), so
// that none of them can lead to an entry that is not there or to a column of another type.
//
// "Of a level" is a column of one of the entries of that query's own range table, wherever it stands: in the query
// itself or, so many queries further in, in a LATERAL subquery or one of a condition (Var.varlevelsup). The walks go by
// PostgreSQL's own list of the parts of a query, which names every place where a column can stand.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// ---- making them ----------------------------------------------------------------------------------------------------

// Column `number` of an entry which shows this expression there. `up`: seen from so many queries further in.
Var* column_showing(int entry, int number, const void* expression, int up = 0);

// The same column as one of another entry, which has it in the same place.
inline Var* column_of(int entry, const Var* column, int up = 0) {
  Var* const same =
      makeVar(entry, column->varattno, column->vartype, column->vartypmod, column->varcollid, static_cast<Index>(up));
  same->location = column->location;
  return same;
}

// Column `number` of an entry that is this table.
Var* column_of_table(int entry, AttrNumber number, Oid table);

// Column `number` of an entry, by type, modifier and collation: for what is no expression yet.
inline Var* column_of_type(int entry, int number, Oid type, int32 modifier, Oid collation) {
  return makeVar(entry, static_cast<AttrNumber>(number), type, modifier, collation, 0);
}

// ---- seen from another query, as a copy or in place -----------------------------------------------------------------

// As an expression of the query around, which its columns of that one already are. None may be of its own query.
Node* one_level_up(const void* expression);

// In place: as an expression of a query so many further in.
void put_further_in(void* expression, int by);

// The same by one of what it has that is so many queries around the one that it stands in, or further.
void put_out_further_in(void* expression, int from);

// The same of a query, as one that stands in another query so many further in.
void put_subquery_further_in(Query* subquery, int by);

// In place: what is `by` queries around the one that it stands in, or further, is that much nearer.
void come_nearer_by(void* expression, int by);

// The same by one, but for CTEs, which are left where they are found by the queries that are around.
void come_nearer_but_ctes(void* expression);

// The same of a query: columns of the one around it become its own, CTEs stay those of the queries that are around.
void take_columns_of_level_around(Query* subquery);

// ---- moving and replacing them --------------------------------------------------------------------------------------

// In place: the columns of one entry become those of another, which has the same ones.
void renumber(void* expression, int from, int to);

// In place: two entries change their numbers, in a tree of FROM as well.
void exchange_entries(void* tree, int one, int other);

// In place: of a query whose entries are `above` ones of the query around, and behind these its own: columns of the
// former become ones of the query around, and its own begin with 1. No node may be shared.
void split_off(Query* query, int above);

// In place: columns of the level are printed by what they are, not by the names of joins that they were written with.
void forget_how_written(Query* level);

// In place: the columns of all entries become those of the entries that so much higher numbers have.
void renumber_all(void* expression, int by);

// What takes the place of a column of the level: an expression of the level, which is put where the column stood;
// nullptr leaves it.
class Replacement {
 public:
  virtual Node* in_place_of(const Var* column) = 0;

 protected:
  ~Replacement() = default;
};

// A copy of an expression of the level with the columns replaced, at any depth.
Node* with_replaced(const void* expression, Replacement* replacement);

// The same of all of the level, in place. The level must be of its own (a flat copy): its parts are not written to.
void replace_in_level(Query* level, Replacement* replacement);

// ---- who refers to an entry -----------------------------------------------------------------------------------------

// How a level, or an expression of it, uses an entry. What the entries of joins say of their columns is no use: in a
// level that is pg::flattened() nobody refers to these.
struct Uses {
  Bitmapset* columns = nullptr;  // by number, at any depth
  bool whole = false;            // also as a whole: its row, a system column, FOR UPDATE
  bool further_in = false;       // also in queries of the level

  bool any() const { return whole || columns != nullptr; }
};

Uses uses_of(const Query* level, int entry);
Uses uses_in(const void* expression, int entry);

}  // namespace dp::guard
