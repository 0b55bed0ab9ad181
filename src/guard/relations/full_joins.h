// a FULL JOIN b ON a.person = b.person [AND more]: rows of two protected tables, each whether or not it has a partner.
//
// Partners are of one person, so whether a row has any is that person's own affair. Whose a row is stands on either
// side: coalesce(a.person, b.person).
#pragma once

#include "guard/relations/unit_columns.h"

namespace dp::guard {

// The number of the first table of the full join. `first`: of a protected table that is never missing, 0 for none;
// `missing`: int, the other protected ones. Raises DP002 unless both sides are protected, and all protected tables may
// be missing.
int first_of_full(const Sources& sources, int first, List* missing, int location);

// What names the unit of each row. Raises DP002 where the units of both sides are not columns of theirs, of one type or
// types that are one when compared.
Expr* unit_of_full(const Sources& sources, const UnitColumns& units, int location);

// Whether the key is that, in either order of the sides, told apart as it is: also as another type of the same bytes
// and the same equality, which the parser makes of varchar(9) beside text.
bool is_unit_of_full(Node* key, Expr* unit);

// While contributions are limited the unit is a column: its place, of a table that there is not.
class FullUnit {
 public:
  // What names the unit, in the form in which it runs.
  explicit FullUnit(Node* unit);

  const Var* place() const { return place_; }

  // Puts the place where the query's columns have what names the unit.
  void take_from(Query* query) const;

  // Puts back what names the unit, also in the query's subqueries.
  void put_into(Query* query) const;

 private:
  static Node* take(Node* node, void* self);
  static Node* put(Node* node, void* self);

  Node* unit_;
  Var* place_;
};

}  // namespace dp::guard
