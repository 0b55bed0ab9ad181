#include "guard/groups/key_points.h"

#include "budget/policy/accounts.h"
#include "budget/policy/domains.h"
#include "budget/policy/ranges.h"
#include "guard/functions/moment_fields.h"
#include "guard/groups/computed_columns.h"
#include "guard/groups/equal_values.h"
#include "guard/groups/key_parts.h"
#include "guard/groups/key_steps.h"
#include "guard/groups/pruned_groups.h"
#include "guard/groups/values_from_quals.h"
#include "guard/query/permissions.h"
#include "guard/relations/joins.h"
#include "guard/relations/nulls.h"
#include "guard/tree/columns.h"
#include "pg/nodes.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

List* columns_in(Node* expression) {
  List* columns = NIL;
  ListCell* cell;
  foreach (cell, pull_vars_of_level(expression, 0)) columns = list_append_unique(columns, lfirst(cell));
  return columns;
}

bool is_known_only_inside(Node* node, void*) {
  if (node == nullptr) return false;
  if (IsA(node, SubLink) || (IsA(node, Param) && castNode(Param, node)->paramkind != PARAM_EXTERN)) return true;
  return pg::walk(node, is_known_only_inside, nullptr);
}

// Each by itself, as far as they read rows and could be seen from these.
List* single_conditions(List* conditions, const Sources& sources) {
  List* found = NIL;
  ListCell* cell;
  foreach (cell, conditions) {
    auto* const condition = static_cast<Node*>(lfirst(cell));
    if (condition == nullptr) continue;
    if (IsA(condition, List)) {
      found = list_concat(found, single_conditions(castNode(List, condition), sources));
    } else if (is_andclause(condition)) {
      found = list_concat(found, single_conditions(castNode(BoolExpr, condition)->args, sources));
    } else if (contain_var_clause(condition) && !is_known_only_inside(condition, nullptr) &&
               respects_equality(condition, sources)) {
      found = lappend(found, condition);
    }
  }
  return found;
}

List* keys_in(Node* key) { return IsA(key, List) ? castNode(List, key) : list_make1(key); }

// Those that leave groups out as they are written: without them the key has the same values otherwise.
List* not_made_of(Node* key, List* conditions) {
  List* found = NIL;
  ListCell* cell;
  foreach (cell, conditions) {
    if (!is_made_of_keys(static_cast<Node*>(lfirst(cell)), keys_in(key))) found = lappend(found, lfirst(cell));
  }
  return found;
}

Node* or_not_null(Node* condition, Var* column) {
  Node* const known = pg::is_not_null(column);
  return reinterpret_cast<Node*>(makeBoolExpr(OR_EXPR, list_make2(known, condition), -1));
}

class Collector {
 public:
  // `finer`: cells are as small as conditions need that are constant in cells.
  Collector(Node* key, const Sources& sources, List* conditions, bool finer)
      : key_(key),
        sources_(sources),
        conditions_(single_conditions(conditions, sources)),
        beside_(not_made_of(key, conditions_)),
        finer_(finer) {}

  std::optional<KeyPoints> collect() {
    ListCell* cell;
    foreach (cell, columns_in(key_)) {
      if (!add(lfirst_node(Var, cell))) return std::nullopt;
    }
    List* const across = conditions_across();
    foreach (cell, parts_) {
      auto& part = *static_cast<KeyPart*>(lfirst(cell));
      part.telling = list_length(part.columns);
    }
    add_own_conditions();
    return points(across);
  }

 private:
  bool add(Var* column) {
    if (column->varattno <= 0 || column->varlevelsup > 0) return false;
    if (KeyPart* const part = part_of_rows(column->varno)) {
      part->columns = lappend(part->columns, column);
      return part->subquery > 0 || budget::public_column_size(part->table, column->varattno).has_value();
    }
    const RangeTblEntry* const entry = sources_.table(column->varno);
    const int subquery = number_of_public_rows(entry);
    const ComputedColumn* const computed = computed_column(column, sources_);
    if (subquery == 0 && computed == nullptr && entry->rtekind != RTE_RELATION) return false;
    const bool is_public = subquery == 0 && computed == nullptr && sources_.protection(column->varno) == nullptr;
    KeyPart part{entry->relid, InvalidOid, subquery, false, true, list_make1(column), 0, NIL, nullptr, NIL};
    if (subquery > 0 || (is_public && budget::public_column_size(entry->relid, column->varattno))) {
      part.with_null = may_be_missing(sources_.tree, column->varno);
    } else if (computed != nullptr) {
      part.of_rows = false;
      part.with_null = computed->may_be_null;
      if (!find_cells(&part, column, computed->range)) return false;
    } else {
      part.of_rows = false;
      part.subject = sources_.subject(column->varno);
      part.with_null = may_be_null(reinterpret_cast<Node*>(column), sources_.tables, sources_.tree);
      if (!find_values(&part, column)) return false;
    }
    parts_ = lappend(parts_, new (palloc(sizeof(KeyPart))) KeyPart(part));
    tables_ = lappend_int(tables_, column->varno);
    return true;
  }

  bool find_values(KeyPart* part, Var* column) {
    if (const auto values = listed_size(part->table, column->varattno, planning_role(part->subject)))
      return count(*part, *values);
    auto range = budget::range_of_column(part->table, column->varattno);
    if (!range) range = range_from_quals(reinterpret_cast<Node*>(column), sources_.conditions);
    return range && find_cells(part, column, *range);
  }

  bool find_cells(KeyPart* part, const Var* column, const budget::ColumnRange& range) {
    // Between two points of numbers with digits key and condition may round a boundary to different sides.
    List* const settled = finer_ && is_timestamp(range.type) ? conditions_with_steps(key_, column, beside_) : NIL;
    auto* const together = reinterpret_cast<Node*>(list_make2(key_, settled));
    const auto cells = cells_of(together, column, range, conditions_);
    if (!cells) return false;
    part->cells = new (palloc(sizeof(Cells))) Cells(*cells);
    settled_ = list_concat(settled_, settled);
    return count(*part, cells->most());
  }

  bool count(const KeyPart& part, std::int64_t size) {
    return !__builtin_mul_overflow(most_, Max(size + part.with_null, 1), &most_) && most_ <= kMostKeyPoints;
  }

  KeyPart* part_of_rows(int table) const {
    ListCell *part, *number;
    forboth(part, parts_, number, tables_) {
      if (lfirst_int(number) == table && static_cast<KeyPart*>(lfirst(part))->of_rows)
        return static_cast<KeyPart*>(lfirst(part));
    }
    return nullptr;
  }

  // The part that holds the column, or could.
  KeyPart* part_with(const Var* column) const {
    if (column->varlevelsup > 0 || column->varattno <= 0) return nullptr;
    if (KeyPart* const part = part_of_rows(column->varno)) return part;
    ListCell* cell;
    foreach (cell, parts_) {
      auto* const part = static_cast<KeyPart*>(lfirst(cell));
      if (equal(linitial(part->columns), column) && part->is_exact()) return part;
    }
    return nullptr;
  }

  // The parts that a condition reads; NIL where one of its columns is of none.
  List* parts_read(Node* condition) const {
    List* parts = NIL;
    ListCell* cell;
    foreach (cell, columns_in(condition)) {
      KeyPart* const part = part_with(lfirst_node(Var, cell));
      if (part == nullptr) return NIL;
      parts = list_append_unique_ptr(parts, part);
    }
    return parts;
  }

  void take_columns(Node* condition) {
    ListCell* cell;
    foreach (cell, columns_in(condition)) {
      KeyPart* const part = part_with(lfirst_node(Var, cell));
      part->columns = list_append_unique(part->columns, lfirst(cell));
    }
  }

  List* conditions_across() {
    List* across = NIL;
    ListCell* cell;
    foreach (cell, conditions_) {
      auto* const condition = static_cast<Node*>(lfirst(cell));
      if (list_length(parts_read(condition)) < 2) continue;
      take_columns(condition);
      across = lappend(across, condition);
    }
    return across;
  }

  void add_own_conditions() {
    ListCell* cell;
    foreach (cell, conditions_) {
      auto* const condition = static_cast<Node*>(lfirst(cell));
      List* const read = parts_read(condition);
      if (list_length(read) != 1) continue;
      take_columns(condition);
      auto& part = *static_cast<KeyPart*>(linitial(read));
      part.conditions = lappend(part.conditions, condition);
    }
    foreach (cell, parts_) {
      auto& part = *static_cast<KeyPart*>(lfirst(cell));
      if (!part.is_exact()) add_conditions_on_cells(&part);
    }
  }

  // A point stands for its cell. What may change within it rules out NULL alone.
  void add_conditions_on_cells(KeyPart* part) {
    auto* const column = linitial_node(Var, part->columns);
    ListCell* cell;
    foreach (cell, beside_) {
      auto* const condition = static_cast<Node*>(lfirst(cell));
      if (!reads_alone(condition, column)) continue;
      part->narrowing = lappend(part->narrowing, condition);
      const bool settled = list_member_ptr(settled_, condition);
      part->conditions = lappend(part->conditions, settled ? condition : or_not_null(condition, column));
    }
  }

  // Their numbers are known now.
  KeyPoints points(List* across) {
    List* all = NIL;
    ListCell *cell, *column;
    foreach (cell, parts_) all = list_concat(all, static_cast<KeyPart*>(lfirst(cell))->columns);
    List* lists = NIL;
    foreach (cell, parts_) {
      auto& part = *static_cast<KeyPart*>(lfirst(cell));
      part.conditions = over(part.conditions, all);
      part.narrowing = over(part.narrowing, all);
      List* numbers = NIL;
      foreach (column, part.columns) numbers = lappend_int(numbers, lfirst_node(Var, column)->varattno);
      part.columns = numbers;
      lists = lappend(lists, part.as_list());
    }
    return {all, lists, over(across, all)};
  }

  static List* over(List* conditions, List* columns) {
    List* over = NIL;
    ListCell* cell;
    foreach (cell, conditions) over = lappend(over, over_point(static_cast<Node*>(lfirst(cell)), columns));
    return over;
  }

  Node* key_;
  const Sources& sources_;
  List* conditions_;
  List* beside_;  // those of them that are not made of the key
  bool finer_;
  List* settled_ = NIL;  // those that are constant in the cells
  List* parts_ = NIL;    // KeyPart*
  List* tables_ = NIL;   // int: of each its number in FROM
  std::int64_t most_ = 1;
};

struct Substitution {
  List* columns;
  bool fails = false;
};

Node* put_columns(Node* node, void* context) {
  if (node == nullptr) return nullptr;
  auto* const here = static_cast<Substitution*>(context);
  if (IsA(node, Var)) {
    ListCell* cell;
    foreach (cell, here->columns) {
      if (!equal(lfirst(cell), node)) continue;
      const auto* const column = castNode(Var, node);
      const auto number = static_cast<AttrNumber>(foreach_current_index(cell) + 1);
      return reinterpret_cast<Node*>(column_showing(1, number, column));
    }
    here->fails = true;
    return node;
  }
  if (IsA(node, Param) && castNode(Param, node)->paramkind != PARAM_EXTERN) here->fails = true;
  return here->fails ? node : pg::mutate(node, put_columns, context);
}

}  // namespace

Node* over_point(Node* expression, List* columns) {
  Substitution substitution{columns};
  Node* const over = put_columns(expression, &substitution);
  return substitution.fails ? nullptr : over;
}

std::optional<KeyPoints> points_of_key(Node* key, const Sources& sources, List* conditions) {
  const auto points = Collector(key, sources, conditions, true).collect();
  return points ? points : Collector(key, sources, conditions, false).collect();  // smaller cells may be too many
}

bool are_public(List* parts, Oid asker) {
  ListCell* cell;
  foreach (cell, parts) {
    const KeyPart part = KeyPart::of(static_cast<List*>(lfirst(cell)));
    if (part.of_rows || part.cells != nullptr) continue;
    const Oid role = OidIsValid(part.subject) ? part.subject : asker;
    if (!listed_size(part.table, static_cast<AttrNumber>(linitial_int(part.columns)), role)) return false;
  }
  return true;
}

bool are_of_subqueries(List* parts) {
  ListCell* cell;
  foreach (cell, parts) {
    if (KeyPart::of(static_cast<List*>(lfirst(cell))).subquery > 0) return true;
  }
  return false;
}

}  // namespace dp::guard
