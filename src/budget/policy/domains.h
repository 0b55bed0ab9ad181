// The values that a group key can have, where these are public: declared by a curator (dp.public_values), or known from
// the schema.
#pragma once

#include <optional>

#include "budget/policy/grouping_expression.h"
#include "pg/server.h"

namespace dp::budget {

inline constexpr int kMostPublicValues = 100'000;

// What is kept of public values in memory at most, in bytes.
inline constexpr Size kMostPublicBytes = Size{64} << 20;

// Different values of one type, not NULL, ascending in the type's default order. Palloc'd in the current memory
// context. What equals one of them in that order is shown as this one: 1.0 and 1.00 are equal, and which of them a row
// holds is private.
struct Domain {
  Oid type;
  int size;
  Datum* values;
};

// The functions named _size say without reading values whether there is a domain: the least number of its values,
// nothing where there is none. What the domains are stands at the functions below. A foreign key to a table of too many
// rows has none.
std::optional<int> declared_size(Oid relation, const char* expression_text, Oid type);
std::optional<int> natural_size(Oid relation, AttrNumber column, Oid role);
std::optional<int> public_column_size(Oid table, AttrNumber column);

// What dp.public_values says of that expression, as key_text writes it, on a protected table; nothing where it says
// nothing for that type. The values are ordered and told apart in the collation of the expression.
std::optional<Domain> declared_domain(Oid relation, const char* expression_text, Oid type, Oid collation);

// The values of a column of the protected table, or of a table below it, that the schema names: boolean; the labels of
// an enum; what a CHECK constraint lists (checked_values.h); the keys that a foreign key of this single column refers
// to now, in a table of the protected table's owner without row security and protection, at most kMostPublicValues of
// them, where `role`, who asks, may read that column. What says whose a row is has no such keys: who is there is what
// an answer hides. Read with the active snapshot.
std::optional<Domain> natural_domain(Oid relation, AttrNumber column, Oid role);

// The column that a foreign key of this single column refers to; nothing where there is none.
struct Reference {
  Oid relation;
  AttrNumber column;
};
std::optional<Reference> foreign_key_of(Oid relation, AttrNumber column);

// The column that a foreign key as of natural_domain() refers to, whoever may read it; `relation` is InvalidOid where
// there is none.
Reference public_reference(Oid relation, AttrNumber column);

// The values of a column of a table that is not protected: those that its type names, or that it holds now, at most
// kMostPublicValues rows. Read with the active snapshot, whatever the current role may do. Raises DP002 where they take
// more than kMostPublicBytes, as whatever reads values of columns here does.
std::optional<Domain> public_column_domain(Oid table, AttrNumber column);

// What columns of a table that is not protected hold together in its rows, under the same conditions; rows in which all
// of them are NULL are there once. Raises DP002 where there are more of the others. `columns`: int.
struct ColumnRows {
  int count;
  NullableDatum* values;  // of the first row, then of the second, ...
};
ColumnRows public_rows(Oid table, const List* columns);

// Whether a row of the table or of a table below it, as the active snapshot sees it, can hold NULL there.
bool may_be_null(Oid relation, AttrNumber column);

// The values of a type that names them all: enum, boolean, domains over these.
std::optional<Domain> type_domain(Oid type);

// Sorts the values in place and keeps one of those that are equal; nothing for a type without an order.
std::optional<Domain> make_domain(Oid type, Oid collation, Datum* values, int size);

}  // namespace dp::budget
