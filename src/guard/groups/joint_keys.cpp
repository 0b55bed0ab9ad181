#include "guard/groups/joint_keys.h"

#include "budget/policy/accounts.h"
#include "guard/functions/moment_fields.h"
#include "guard/groups/equal_values.h"
#include "guard/groups/key_parts.h"
#include "guard/groups/key_points.h"
#include "guard/groups/key_steps.h"
#include "guard/groups/pruned_groups.h"

namespace dp::guard {
namespace {

// Between two points of a column of numbers with digits a boundary may be rounded to either side, by each key to
// another one, if anything is calculated before.
bool are_certain(Node* keys, const KeyPoints& points) {
  ListCell* cell;
  int first = 0;
  foreach (cell, points.parts) {
    const KeyPart part = KeyPart::of(static_cast<List*>(lfirst(cell)));
    const auto* const column = list_nth_node(Var, points.columns, first);
    if (!part.is_exact() && !is_timestamp(part.cells->type) && !rounds_as_it_is(keys, column)) return false;
    first += list_length(part.columns);
  }
  return true;
}

std::optional<KeyPoints> points_together(Node* keys, const Sources& sources, List* conditions) {
  const auto points = points_of_key(keys, sources, conditions);
  return points && are_certain(keys, *points) ? points : std::nullopt;
}

bool has_points(Node* key, const Sources& sources, List* conditions) {
  return contain_var_clause(key) && !checkExprHasSubLink(key) && respects_equality(key, sources) &&
         points_together(key, sources, conditions).has_value();
}

// What the rows of a public table, or of a subquery that is run by itself, hold belongs together.
bool is_of_rows(int table, const Sources& sources) {
  const RangeTblEntry* const entry = sources.table(table);
  if (number_of_public_rows(entry) > 0) return true;
  return entry->rtekind == RTE_RELATION && sources.protection(table) == nullptr;
}

bool depend(Node* one, Node* other, const Sources& sources) {
  ListCell *left, *right;
  foreach (left, pull_var_clause(one, 0)) {
    foreach (right, pull_var_clause(other, 0)) {
      const int table = lfirst_node(Var, left)->varno;
      if (equal(lfirst(left), lfirst(right))) return true;
      if (table == lfirst_node(Var, right)->varno && is_of_rows(table, sources)) return true;
    }
  }
  return false;
}

// Those that are made of keys leave out groups in any case, and a question without them has the same ones otherwise.
List* conditions_beside(List* conditions, List* keys) {
  List* beside = NIL;
  ListCell *cell, *one;
  foreach (cell, conditions) {
    foreach (one, make_ands_implicit(static_cast<Expr*>(lfirst(cell)))) {
      if (!is_made_of_keys(static_cast<Node*>(lfirst(one)), keys)) beside = lappend(beside, lfirst(one));
    }
  }
  return beside;
}

// The numbers of the keys that depend on the one of that number, which are marked; ascending.
List* set_with(int first, List* keys, bool* taken, const Sources& sources) {
  List* set = list_make1_int(first);
  taken[first] = true;
  ListCell* cell;
  foreach (cell, set) {
    for (int i = 0; i < list_length(keys); ++i) {
      if (taken[i] ||
          !depend(static_cast<Node*>(list_nth(keys, lfirst_int(cell))), static_cast<Node*>(list_nth(keys, i)), sources))
        continue;
      set = lappend_int(set, i);
      taken[i] = true;
    }
  }
  list_sort(set, list_int_cmp);
  return set;
}

List* as_joint_keys(List* numbers, List* keys, const Sources& sources, List* conditions) {
  List* together = NIL;
  ListCell* cell;
  foreach (cell, numbers) together = lappend(together, list_nth(keys, lfirst_int(cell)));
  const auto points = points_together(reinterpret_cast<Node*>(together), sources, conditions);
  if (!points) return NIL;
  auto* const values = reinterpret_cast<List*>(over_point(reinterpret_cast<Node*>(together), points->columns));
  if (values == NIL) return NIL;
  return JointKeys{numbers, values, points->columns, points->parts, points->conditions}.as_list();
}

}  // namespace

JointKeys JointKeys::of(const List* list) {
  const auto part = [list](int i) { return static_cast<List*>(list_nth(list, i)); };
  return {part(0), part(1), part(2), part(3), part(4), part(5)};
}

List* dependent_keys(List* keys, const Sources& sources, List* conditions) {
  if (list_length(keys) < 2) return NIL;
  List* const beside = conditions_beside(conditions, keys);
  auto* const taken = static_cast<bool*>(palloc0(static_cast<Size>(list_length(keys))));
  for (int i = 0; i < list_length(keys); ++i)
    taken[i] = !has_points(static_cast<Node*>(list_nth(keys, i)), sources, beside);
  List* all = NIL;
  for (int i = 0; i < list_length(keys); ++i) {
    if (taken[i]) continue;
    List* const set = set_with(i, keys, taken, sources);
    List* const joint = list_length(set) < 2 ? NIL : as_joint_keys(set, keys, sources, beside);
    if (joint != NIL) all = lappend(all, joint);
  }
  return all;
}

List* keys_of_rows(List* rows) {
  List* numbers = NIL;
  for (int i = 1; i < list_length(static_cast<List*>(linitial(rows))); ++i) numbers = lappend_int(numbers, i - 1);
  return list_make1((JointKeys{numbers, NIL, NIL, NIL, NIL, rows}.as_list()));
}

}  // namespace dp::guard
