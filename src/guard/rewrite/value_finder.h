// What is known of the leaves of an expression whose bounds are looked for (facts/evaluator.h): of columns in
// value_bounds.cpp, of what is computed of each person in per_unit_bounds.cpp.
#pragma once

#include "budget/policy/ranges.h"
#include "guard/facts/evaluator.h"
#include "guard/rewrite/declared_bounds.h"
#include "guard/rewrite/value_bounds.h"

namespace dp::guard {

class Finder final : public Evaluator {
 public:
  Finder(Node* filter, const Sources& sources, List* known)
      : Evaluator(Sound::declared), sources_(&sources), known_(known) {
    add_conditions(reinterpret_cast<Node*>(sources.conditions));
    add_conditions(filter);
  }

  // Of columns that are known, and of no tables.
  explicit Finder(List* known) : Evaluator(Sound::declared), sources_(nullptr), known_(known) {}

  // What the question says itself goes before what limits of the privacy unit say of a person. The second asks these,
  // where it says nothing.
  ValueBounds find(Node* expression);
  ValueBounds find_by_limits(Node* expression);

  // Conditions that all hold, each by itself.
  void add_conditions(Node* node);
  bounds::Bounds of(Node* node) override;

  // What comparisons of the column with constants leave.
  NumberRange number_range(const Var* column) const;

  std::optional<budget::Domain> values_of(Var* column) override;

 private:
  bounds::Bounds of_leaf(Node* leaf) override;
  bounds::Bounds of_endless(Node* node) override;
  bounds::Bounds declared(Node* node) const {
    return sources_ == nullptr ? std::nullopt : bounds_of_declared(node, *sources_);
  }

  const KnownColumn* known_of(const Node* node) const;
  bounds::Bounds of_column(Var* column);

  // What a subquery computes of each person; nullptr for a column of another one. `below`: what it reads.
  Node* computed_per_unit(const Var* column, const Sources** below) const;
  bounds::Bounds of_per_unit(Var* column);
  bounds::Bounds of_computed(Var* column, Node* computed, const Sources& below, bool by_limits);

  // The least, the greatest and the mean of a person's values lie where these do; those that count are so many as the
  // limits of the privacy unit say.
  bounds::Bounds of_aggregate(const Aggref* aggregate);
  bounds::Bounds of_count(const Aggref* count);

  // The same of what a window shows of its rows: a value of one of them, or what an aggregate makes of some.
  bounds::Bounds of_window(const WindowFunc* call);
  bounds::Bounds of_sum(const bounds::Bounds& value);

  // What is computed of the rows of the same person: avg((SELECT count(*) FROM stays AS s WHERE s.person = p.id)).
  bounds::Bounds of_subquery(const SubLink* link);

  // 0: that is not known, or not asked.
  int rows_of_unit();
  static Node* value_of(const Aggref* aggregate);

  // The name of an aggregate that is made of one value of each row; nullptr for another one.
  static const char* name_of_values(const Aggref* aggregate);
  static bool is_count(const Aggref* aggregate);

  // Whether it is 0 or more, or NULL, where it may have no upper bound.
  bool is_never_negative(Node* node);

  void note(const Var* column, Oid table, const budget::ColumnRange& range);

  // What these leave of the bounds.
  bounds::Bounds narrowed(const Var* column, bounds::Bounds bounds) const;

  // x IS NULL of a column that cannot be NULL.
  bool is_never(Node* condition) override;

  const Sources* sources_;  // nullptr: there is no more than
  List* known_;             // KnownColumn*
  bool grouped_ = true;     // aggregates are those of groups, which have rows
  bool by_limits_ = false;  // limits of the privacy unit say how many rows a person has
  List* conditions_ = NIL;
  ValueBounds found_;
};

}  // namespace dp::guard
