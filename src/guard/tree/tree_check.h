// The walk behind valid_tree.h. Its parts: levels, expressions, what a Var names and clauses (tree_check.cpp), FROM and
// the range table (tree_entries.cpp).
#pragma once

#include <optional>

#include "guard/tree/entry_columns.h"
#include "guard/tree/valid_tree.h"
#include "pg/trees.h"

namespace dp::guard {

// A query around the place where the walk is. What may stand there changes while the walk goes through its parts.
struct TreeLevel {
  const Query* query;
  TreeLevel* around;
  Bitmapset* read = nullptr;           // the entries of the join tree, joins too, or the leaves of set operations
  const Bitmapset* visible = nullptr;  // what a column may be of
  bool sees_all = false;               // where the walk is in an entry that nobody reads
  bool above_rows = false;             // where aggregates and windows of the level may stand
  bool in_aggregate = false;
  int with = -1;  // where in its WITH; as many as there are: not there
  int entry = 0;  // in which entry
};

class TreeCheck {
 public:
  explicit TreeCheck(const TreeAround& around) : around_(around) {}

  const char* of_tree(const Query* tree);
  const char* of_parameters(const List* parameters, int answers);

 private:
  // All of these return true where something is wrong, having written down what.
  static bool walk_below(Node* node, void* check);
  bool below(const void* node);
  bool each(const List* nodes);
  bool wrong(const char* what, ...) pg_attribute_printf(2, 3);

  bool query(const Query* query);
  bool parts(TreeLevel* level);
  bool expression(Node* node);
  bool aggregate(const Aggref* aggregate);
  bool grouping(const GroupingFunc* grouping);
  bool window(const WindowFunc* function);
  bool sublink(const SubLink* link);
  bool parameter(const Param* param);
  bool is_above_rows(Index up, const char* what);

  bool column(const Var* var);
  bool is_of_entry(const Var* var, TreeLevel* level);
  bool is_of_join(const Var* var, const RangeTblEntry* join, TreeLevel* level);
  std::optional<ColumnType> type_of(const Var* var, const RangeTblEntry* entry, TreeLevel* level);

  bool target_list(const TreeLevel& level);
  bool clauses(const TreeLevel& level);
  bool refer(const List* clauses, const Bitmapset* references, const char* what);

  bool read_all(TreeLevel* level);
  bool from(const Node* tree, TreeLevel* level, Bitmapset** below);
  bool joined(const JoinExpr* join, TreeLevel* level, Bitmapset** below);
  bool condition(Node* quals, TreeLevel* level, const Bitmapset* visible);
  bool read_entry(int number, bool is_join, TreeLevel* level);
  bool set_operation(const Node* tree, TreeLevel* level);
  bool with(TreeLevel* level);
  bool entries(TreeLevel* level);
  bool entry(const RangeTblEntry* entry, TreeLevel* level);
  bool cte(const RangeTblEntry* entry);

  TreeLevel* up(Index levels) const;

  TreeAround around_;
  TreeLevel* level_ = nullptr;
  const SubLink* compared_ = nullptr;  // the subquery whose comparison the walk is in
  bool collecting_ = false;            // what levels around read; their conditions are not looked at
  bool unread_ = false;                // the walk is in what the planner leaves out, because nobody reads it
  int answers_ = 0;
  const char* fault_ = nullptr;
};

// What the entry is called, for the server's log.
const char* name_of(const RangeTblEntry* entry);

// The CTE of that name; nullptr where the level has none.
const CommonTableExpr* cte_of(const Query* level, const char* name, int* place);

}  // namespace dp::guard
