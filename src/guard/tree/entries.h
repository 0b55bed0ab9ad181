// The entries of a level's FROM: taken out, put in, joined. What refers to them is in columns.h.
//
// An entry that was taken out of FROM stays in the range table, so that the others keep their numbers, as one that
// nothing can be read from. The levels must be pg::flattened(): columns of joins are columns of the tables below.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Whether the item of FROM is that entry.
bool is_entry(const Node* item, int entry);

// A reference to it, as an item of FROM.
inline Node* item_of(int entry) {
  auto* const item = makeNode(RangeTblRef);
  item->rtindex = entry;
  return reinterpret_cast<Node*>(item);
}

// Appends an entry to the range table, which is copied, and returns its number; nothing reads it yet.
int add_entry(Query* level, RangeTblEntry* entry);

// The query as an entry of FROM, with the names by which it shows its columns; or with these.
RangeTblEntry* entry_of_subquery(Query* query, const char* name);
RangeTblEntry* entry_of_subquery(Query* query, Alias* names);

// Names the columns that were added to its subquery.
void name_added_columns(RangeTblEntry* entry);

// The query as a CTE of that name that is materialized and read once; and an entry that reads it, so many queries
// further in.
CommonTableExpr* as_cte(Query* query, const char* name);
RangeTblEntry* entry_of_cte(const CommonTableExpr* cte, int up);

// UNION ALL of the entries 1 to `entries`, which have the columns that are shown (TargetEntry), in a tree that leans to
// the left, as the parser makes it: what Query.setOperations holds.
Node* union_all_of(int entries, const List* shown);

// left JOIN right
JoinExpr* joined(JoinType type, Node* left, Node* right, Node* condition);

// A condition as the list of those that are connected by AND, and the other way round; nullptr is NIL.
List* conditions_in(const Node* condition);
Node* all_of(List* conditions);

// The conditions, lists of them and what is connected by AND in these, as one list.
List* parts_of(const List* conditions);

// Takes an entry out of FROM, which is a copy, where it stands in a list or in inner joins alone; their conditions are
// appended to the list. False, and nothing changed, below an outer join.
bool take_out_of_from(FromExpr* from, int entry, List** conditions);

// Makes an entry that FROM no longer holds unreadable, and the entries of joins that went with it. Raises a fault where
// something refers to it.
void leave_unread(Query* level, int entry);

// Adds conditions that join the entry at the lowest of its joins that has the tables which they read; to WHERE where no
// join has. FROM is a copy. False, and nothing changed, where an outer join that lacks one of the tables may miss the
// entry.
bool add_join_conditions(FromExpr* from, int entry, List* conditions);

}  // namespace dp::guard
