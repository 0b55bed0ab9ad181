#include "guard/tree/tree_check.h"

#include "guard/tree/fault.h"
#include "pg/walk.h"

namespace dp::guard {

bool TreeCheck::wrong(const char* what, ...) {
  StringInfoData text;
  initStringInfo(&text);
  for (;;) {
    va_list arguments;
    va_start(arguments, what);
    const int needed = appendStringInfoVA(&text, what, arguments);
    va_end(arguments);
    if (needed == 0) break;
    enlargeStringInfo(&text, needed);
  }
  fault_ = text.data;
  return true;
}

TreeLevel* TreeCheck::up(Index levels) const {
  TreeLevel* level = level_;
  for (; level != nullptr && levels > 0; --levels) level = level->around;
  return level;
}

bool TreeCheck::walk_below(Node* node, void* check) { return static_cast<TreeCheck*>(check)->expression(node); }

bool TreeCheck::below(const void* node) { return expression(static_cast<Node*>(const_cast<void*>(node))); }

bool TreeCheck::each(const List* nodes) {
  ListCell* cell;
  foreach (cell, nodes) {
    if (expression(static_cast<Node*>(lfirst(cell)))) return true;
  }
  return false;
}

// What most of a tree is made of is walked here, which takes half of what PostgreSQL's walk does.
bool TreeCheck::expression(Node* node) {
  if (node == nullptr) return false;
  switch (nodeTag(node)) {
    case T_Const:
      return false;
    case T_List:
      return each(castNode(List, node));
    case T_TargetEntry:
      return below(castNode(TargetEntry, node)->expr);
    case T_OpExpr:
      check_stack_depth();
      return each(castNode(OpExpr, node)->args);
    case T_FuncExpr:
      check_stack_depth();
      return each(castNode(FuncExpr, node)->args);
    case T_Var:
      return column(castNode(Var, node));
    case T_Aggref:
      return aggregate(castNode(Aggref, node));
    case T_GroupingFunc:
      return grouping(castNode(GroupingFunc, node));
    case T_WindowFunc:
      return window(castNode(WindowFunc, node));
    case T_SubLink:
      return sublink(castNode(SubLink, node));
    case T_Param:
      return parameter(castNode(Param, node));
    case T_Query:
      return query(castNode(Query, node));
    default:
      return pg::walk(node, walk_below, this);
  }
}

bool TreeCheck::is_above_rows(Index up_to, const char* what) {
  const TreeLevel* const level = up(up_to);
  if (level == nullptr) return wrong("%s of a level %u up, where there is none", what, up_to);
  if (!level->above_rows) return wrong("%s below the rows of its level, %u up", what, up_to);
  if (level->in_aggregate) return wrong("%s within an aggregate of its level, %u up", what, up_to);
  return false;
}

bool TreeCheck::aggregate(const Aggref* aggregate) {
  if (is_above_rows(aggregate->agglevelsup, "an aggregate")) return true;
  TreeLevel* const level = up(aggregate->agglevelsup);
  if (!level->query->hasAggs) return wrong("an aggregate of a level that says that it has none");
  Bitmapset* references = nullptr;
  ListCell* cell;
  foreach (cell, aggregate->args) {
    const auto* const argument = lfirst_node(TargetEntry, cell);
    if (argument->ressortgroupref != 0)
      references = bms_add_member(references, static_cast<int>(argument->ressortgroupref));
  }
  if (refer(aggregate->aggorder, references, "ORDER BY of an aggregate")) return true;
  if (refer(aggregate->aggdistinct, references, "DISTINCT of an aggregate")) return true;
  const SubLink* const outer = compared_;
  compared_ = nullptr;
  level->in_aggregate = true;
  const bool is_wrong = each(aggregate->aggdirectargs) || each(aggregate->args) || below(aggregate->aggfilter);
  level->in_aggregate = false;
  compared_ = outer;
  return is_wrong;
}

// Its arguments are keys, which stand for nothing but themselves.
bool TreeCheck::grouping(const GroupingFunc* grouping) {
  if (is_above_rows(grouping->agglevelsup, "GROUPING")) return true;
  const Query* const query = up(grouping->agglevelsup)->query;
  if (!query->hasAggs && query->groupClause == NIL) return wrong("GROUPING of a level that has no groups");
  ListCell *reference, *clause;
  foreach (reference, grouping->refs) {
    bool found = false;
    foreach (clause, query->groupClause)
      found =
          found || lfirst_node(SortGroupClause, clause)->tleSortGroupRef == static_cast<Index>(lfirst_int(reference));
    if (!found) return wrong("GROUPING of key %d, which its level does not group by", lfirst_int(reference));
  }
  return each(grouping->args);
}

bool TreeCheck::window(const WindowFunc* function) {
  if (is_above_rows(0, "a window function")) return true;
  if (!level_->query->hasWindowFuncs) return wrong("a window function of a level that says that it has none");
  bool found = false;
  ListCell* cell;
  foreach (cell, level_->query->windowClause)
    found = found || lfirst_node(WindowClause, cell)->winref == function->winref;
  if (!found) return wrong("a function over window %u, which is not there", function->winref);
  return pg::walk(reinterpret_cast<Node*>(const_cast<WindowFunc*>(function)), walk_below, this);
}

bool TreeCheck::sublink(const SubLink* link) {
  if (level_ == nullptr || !level_->query->hasSubLinks)
    return wrong("a subquery in an expression of a level that says that it has none");
  if (link->subselect == nullptr || !IsA(link->subselect, Query)) return wrong("a subquery that is no query");
  const SubLink* const outer = compared_;
  compared_ = link;
  const bool is_wrong = below(link->testexpr);
  compared_ = nullptr;
  const bool either = is_wrong || query(castNode(Query, link->subselect));
  compared_ = outer;
  return either;
}

bool TreeCheck::parameter(const Param* param) {
  switch (param->paramkind) {
    case PARAM_EXEC:
      if (param->paramid >= 0 && param->paramid < answers_) return false;
      return wrong("parameter %d of the executor, which nobody computes", param->paramid);
    case PARAM_EXTERN:
      if (!around_.has_parameters) return false;
      if (param->paramid < 1 || param->paramid > list_length(around_.parameters))
        return wrong("parameter %d of %d", param->paramid, list_length(around_.parameters));
      if (param->paramtype != exprType(static_cast<const Node*>(list_nth(around_.parameters, param->paramid - 1))))
        return wrong("parameter %d as of type %u", param->paramid, param->paramtype);
      return false;
    case PARAM_SUBLINK: {
      if (compared_ == nullptr && around_.unfinished) return false;
      if (compared_ == nullptr) return wrong("column %d of a subquery that nothing is compared with", param->paramid);
      const TargetEntry* const shown = shown_column(castNode(Query, compared_->subselect), param->paramid);
      if (shown == nullptr) return wrong("column %d of a subquery that shows less", param->paramid);
      const auto* const expression = reinterpret_cast<const Node*>(shown->expr);
      if (param->paramtype != exprType(expression) || param->paramcollid != exprCollation(expression))
        return wrong("column %d of a subquery as of type %u", param->paramid, param->paramtype);
      return false;
    }
    case PARAM_MULTIEXPR:
      return false;
  }
  return wrong("a parameter of kind %d", static_cast<int>(param->paramkind));
}

// ---- what a Var names -----------------------------------------------------------------------------------------------

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

// ---- clauses --------------------------------------------------------------------------------------------------------

// Statements that write number their entries as the columns that they write.
bool TreeCheck::target_list(const TreeLevel& level) {
  if (level.query->commandType != CMD_SELECT) return false;
  ListCell* cell;
  foreach (cell, level.query->targetList) {
    const int number = foreach_current_index(cell) + 1;
    const auto* const entry = lfirst_node(TargetEntry, cell);
    if (entry->resno != number) return wrong("target entry %d in place %d", entry->resno, number);
    if (entry->expr == nullptr) return wrong("target entry %d without expression", number);
  }
  return false;
}

bool TreeCheck::refer(const List* clauses, const Bitmapset* references, const char* what) {
  ListCell* cell;
  foreach (cell, clauses) {
    const Index reference = lfirst_node(SortGroupClause, cell)->tleSortGroupRef;
    if (!bms_is_member(static_cast<int>(reference), references))
      return wrong("%s of reference %u, which no target entry has", what, reference);
  }
  return false;
}

bool TreeCheck::clauses(const TreeLevel& level) {
  const Query* const query = level.query;
  if (query->groupClause == NIL && query->distinctClause == NIL && query->sortClause == NIL &&
      query->windowClause == NIL && query->rowMarks == NIL && query->groupingSets == NIL)
    return false;
  Bitmapset* references = nullptr;
  ListCell* cell;
  foreach (cell, query->targetList) {
    const auto reference = static_cast<int>(lfirst_node(TargetEntry, cell)->ressortgroupref);
    if (reference == 0) continue;
    if (bms_is_member(reference, references)) return wrong("two target entries with reference %d", reference);
    references = bms_add_member(references, reference);
  }
  if (refer(query->groupClause, references, "GROUP BY") || refer(query->distinctClause, references, "DISTINCT") ||
      refer(query->sortClause, references, "ORDER BY"))
    return true;
  foreach (cell, query->windowClause) {
    const auto* const window = lfirst_node(WindowClause, cell);
    if (refer(window->partitionClause, references, "PARTITION BY") ||
        refer(window->orderClause, references, "ORDER BY of a window"))
      return true;
  }
  foreach (cell, query->rowMarks) {
    const Index marked = lfirst_node(RowMarkClause, cell)->rti;
    if (marked < 1 || marked > static_cast<Index>(list_length(query->rtable)))
      return wrong("FOR UPDATE of entry %u of %d", marked, list_length(query->rtable));
  }
  bms_free(references);
  return false;
}

// ---- queries --------------------------------------------------------------------------------------------------------

bool TreeCheck::query(const Query* query) {
  if (query->commandType == CMD_UTILITY) return false;
  TreeLevel level{query, level_};
  level.with = list_length(query->cteList);
  TreeLevel* const outer = level_;
  level_ = &level;
  const bool is_wrong = parts(&level);
  level_ = outer;
  bms_free(level.read);
  return is_wrong;
}

// The entries that a statement may name beside what it reads.
static const Bitmapset* with_written(const TreeLevel& level) {
  const Query* const query = level.query;
  if (query->commandType == CMD_SELECT && !pg::has_groups(query)) return level.read;
  Bitmapset* all = bms_copy(level.read);
  if (query->resultRelation > 0) all = bms_add_member(all, query->resultRelation);
  if (pg::merge_target(query) > 0) all = bms_add_member(all, pg::merge_target(query));
  if (query->onConflict != nullptr && query->onConflict->exclRelIndex > 0)
    all = bms_add_member(all, query->onConflict->exclRelIndex);
  ListCell* cell;
  foreach (cell, query->rtable) {
    if (pg::grouped_expressions(lfirst_node(RangeTblEntry, cell)) != NIL)
      all = bms_add_member(all, foreach_current_index(cell) + 1);
  }
  return all;
}

bool TreeCheck::parts(TreeLevel* level) {
  const Query* const query = level->query;
  if (read_all(level)) return true;
  if (with(level) || entries(level)) return true;
  if (target_list(*level) || clauses(*level)) return true;
  const Bitmapset* const written = with_written(*level);
  level->visible = query->commandType == CMD_SELECT ? level->read : written;
  if (query->jointree != nullptr && below(query->jointree->quals)) return true;
  level->visible = written;
  if (below(pg::merge_condition(query)) || below(query->withCheckOptions) || below(query->onConflict) ||
      below(query->mergeActionList) || below(query->returningList))
    return true;
  level->above_rows = true;
  if (below(query->targetList) || below(query->havingQual)) return true;
  level->above_rows = false;
  level->visible = nullptr;
  ListCell* cell;
  foreach (cell, query->windowClause) {
    const auto* const window = lfirst_node(WindowClause, cell);
    if (below(window->startOffset) || below(window->endOffset)) return true;
  }
  return below(query->limitOffset) || below(query->limitCount);
}

// ---- roots ----------------------------------------------------------------------------------------------------------

// The levels around are taken as they are; in which part of them the tree is, is not known.
const char* TreeCheck::of_tree(const Query* tree) {
  const int count = list_length(around_.levels);
  auto* const levels = static_cast<TreeLevel*>(palloc0(sizeof(TreeLevel) * static_cast<Size>(count + 1)));
  for (int i = count - 1; i >= around_.skipped; --i) {
    TreeLevel* const level = new (&levels[i]) TreeLevel{list_nth_node(Query, around_.levels, i), level_};
    level->with = list_length(level->query->cteList);
    level->above_rows = true;
    level_ = level;
    collecting_ = true;
    if (read_all(level)) return fault_;
    collecting_ = false;
    level->visible = with_written(*level);
  }
  return query(tree) ? fault_ : nullptr;
}

const char* TreeCheck::of_parameters(const List* parameters, int answers) {
  around_.unfinished = true;
  answers_ = answers;
  return below(parameters) ? fault_ : nullptr;
}

const char* fault_of_tree(const Query* tree, const TreeAround& around) {
  TreeCheck check(around);
  return check.of_tree(tree);
}

const char* fault_of_parameters(const List* parameters, int answers) {
  TreeCheck check(TreeAround{});
  return check.of_parameters(parameters, answers);
}

void require_valid(const Query* tree, const TreeAround& around, const char* step) {
  if (const char* const fault = fault_of_tree(tree, around)) raise_tree_fault(psprintf("%s (%s)", fault, step));
}

void require_valid_parameters(const List* parameters, int answers, const char* step) {
  if (const char* const fault = fault_of_parameters(parameters, answers))
    raise_tree_fault(psprintf("%s (%s)", fault, step));
}

}  // namespace dp::guard
