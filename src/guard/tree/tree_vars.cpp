#include "guard/tree/tree_check.h"

namespace dp::guard {
namespace {

// The columns of a set operation have the types that its leaves have in common, which those of its first leaf, by whose
// number they are named, need not have.
std::optional<ColumnType> column_of_set_operation(const Query* query, int number) {
  const auto* const all = castNode(SetOperationStmt, query->setOperations);
  if (number < 1 || number > list_length(all->colTypes)) return std::nullopt;
  return ColumnType{list_nth_oid(all->colTypes, number - 1), list_nth_int(all->colTypmods, number - 1),
                    list_nth_oid(all->colCollations, number - 1), true};
}

}  // namespace

const char* name_of(const RangeTblEntry* entry) { return entry->eref == nullptr ? "" : entry->eref->aliasname; }

const CommonTableExpr* cte_of(const Query* level, const char* name, int* place) {
  ListCell* cell;
  foreach (cell, level->cteList) {
    const auto* const cte = lfirst_node(CommonTableExpr, cell);
    *place = foreach_current_index(cell);
    if (strcmp(cte->ctename, name) == 0) return cte;
  }
  return nullptr;
}

bool TreeCheck::column(const Var* var) {
  TreeLevel* const level = up(var->varlevelsup);
  if (level == nullptr)
    return wrong("column %d of entry %d of a level %u up, where there is none", var->varattno, var->varno,
                 var->varlevelsup);
  if (var->varno < 1 || var->varno > list_length(level->query->rtable))
    return wrong("column %d of entry %d of %d, %u up", var->varattno, var->varno, list_length(level->query->rtable),
                 var->varlevelsup);
  if (!level->sees_all && (!bms_is_member(var->varno, level->visible) || var->varno == level->entry))
    return wrong("column %d of entry %d (%s), %u up, which is not read there", var->varattno, var->varno,
                 name_of(rt_fetch(var->varno, level->query->rtable)), var->varlevelsup);
  return is_of_entry(var, level);
}

bool TreeCheck::is_of_entry(const Var* var, TreeLevel* level) {
  const RangeTblEntry* const entry = rt_fetch(var->varno, level->query->rtable);
  if (var->varattno == 0) {
    if (is_row_of_entry(entry, var)) return false;
    return wrong("rows of entry %d (%s), %u up, as of type %u", var->varno, name_of(entry), var->varlevelsup,
                 var->vartype);
  }
  if (entry->rtekind == RTE_JOIN && is_of_join(var, entry, level)) return true;
  const std::optional<ColumnType> column = type_of(var, entry, level);
  if (!column)
    return wrong("column %d of entry %d (%s), %u up, which it does not have", var->varattno, var->varno, name_of(entry),
                 var->varlevelsup);
  if (column->is_of(var)) return false;
  return wrong("column %d of entry %d (%s), %u up, as of type %u, modifier %d, collation %u in place of %u, %d, %u",
               var->varattno, var->varno, name_of(entry), var->varlevelsup, var->vartype, var->vartypmod,
               var->varcollid, column->type, column->modifier, column->collation);
}

// What the join's column stands for is of the level, and read there.
bool TreeCheck::is_of_join(const Var* var, const RangeTblEntry* join, TreeLevel* level) {
  if (var->varattno < 1 || var->varattno > list_length(join->joinaliasvars)) return false;  // type_of() finds none
  TreeLevel* const here = level_;
  const Bitmapset* const visible = level->visible;
  level_ = level;
  level->visible = level->read;
  const bool is_wrong = below(list_nth(join->joinaliasvars, var->varattno - 1));
  level->visible = visible;
  level_ = here;
  return is_wrong;
}

std::optional<ColumnType> TreeCheck::type_of(const Var* var, const RangeTblEntry* entry, TreeLevel* level) {
  const int number = var->varattno;
  if (level->query->setOperations != nullptr && entry->rtekind == RTE_SUBQUERY &&
      bms_is_member(var->varno, level->read))
    return column_of_set_operation(level->query, number);
  if (entry->rtekind != RTE_JOIN) return column_of_entry(entry, number);
  if (number < 1 || number > list_length(entry->joinaliasvars)) return std::nullopt;
  const auto* const stands_for = static_cast<const Node*>(list_nth(entry->joinaliasvars, number - 1));
  if (stands_for == nullptr) return std::nullopt;  // a column that was dropped
  return ColumnType{exprType(stands_for), exprTypmod(stands_for), exprCollation(stands_for), true};
}

}  // namespace dp::guard
