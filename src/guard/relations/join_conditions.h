// What the joins of a level say of the columns of its tables: equalities of bare columns.
#pragma once

#include "guard/relations/from_clause.h"

namespace dp::guard {

// A column of one table has the value of an expression over others.
struct Equality {
  const OpExpr* op;
  const Var* column;
  Node* value;
};

Node* without_relabel(Node* node);

// Whether the operator is equality in the order of that type.
bool is_equality_of(const OpExpr* op, Oid type);

// Whether a condition compares the table with another one by what the session's time zone says: two of its moments may
// be one local time.
bool compares_in_zone(const Sources& sources, int table);

class JoinConditions {
 public:
  explicit JoinConditions(const Sources& sources);

  // The table stands on the right of a left join, or on either side of a full one.
  bool may_miss(int table) const { return bms_is_member(table, missing_); }

  // A condition that holds for every row from now on.
  void add(Node* condition) { inner_ = lappend(list_copy(inner_), condition); }

  // Calls visit(equality) for each equality of a bare column of the table that its rows fulfil where it is not missing,
  // until it returns true: those of its left join, or those that hold for every row.
  template <class Visit>
  bool any_equality(int table, Visit visit) const {
    return any_in(may_miss(table) ? left_[table] : inner_, table, visit);
  }

  // Whether, where that table is not missing, the two columns are equal by that column of the index, directly or by way
  // of others. `table`: that of one of the two.
  bool are_equal(int table, const Var& one, const Var& other, Relation index, int column) const;

 private:
  // Not an equality that is merely stable: one between times with and without zone follows the setting TimeZone, and
  // where clocks change one moment equals two local times.
  static Equality equality_of(Node* condition, int table, int side);

  template <class Visit>
  static bool any_in(List* conditions, int table, Visit visit) {
    ListCell *condition, *part;
    foreach (condition, conditions) {
      foreach (part, implied_by(static_cast<Node*>(lfirst(condition)))) {
        for (int side = 0; side < 2; ++side) {
          const Equality equality = equality_of(static_cast<Node*>(lfirst(part)), table, side);
          if (equality.column != nullptr && visit(equality)) return true;
        }
      }
    }
    return false;
  }

  void collect(Node* tree);

  // The conditions that hold where that one does: the parts of an AND, and what stands in each part of an OR.
  static List* implied_by(Node* condition);

  List* inner_;         // conditions that hold for every row
  List** left_;         // by table: the conditions of the left or full join that it is on the right of
  Bitmapset* missing_;  // those tables
};

}  // namespace dp::guard
