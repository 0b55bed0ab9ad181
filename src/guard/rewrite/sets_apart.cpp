#include "guard/rewrite/sets_apart.h"

#include "guard/rewrite/aggregate_calls.h"
#include "guard/rewrite/level_copies.h"
#include "guard/rewrite/outer_query.h"
#include "guard/tables/from_clause.h"
#include "guard/tree/columns.h"
#include "guard/tree/entries.h"
#include "guard/unit_limit/limits.h"
#include "pg/nodes.h"

namespace dp::guard {
namespace {

Index reference_of(const void* clause) { return static_cast<const SortGroupClause*>(clause)->tleSortGroupRef; }

// What GROUPING says of that set (List of int).
Node* grouping_of(const GroupingFunc* grouping, const List* set) {
  std::int32_t bits = 0;
  ListCell* cell;
  foreach (cell, grouping->refs) bits = bits << 1 | (list_member_int(set, lfirst_int(cell)) ? 0 : 1);
  return reinterpret_cast<Node*>(
      makeConst(INT4OID, -1, InvalidOid, sizeof(std::int32_t), Int32GetDatum(bits), false, true));
}

void show(Query* question, Node* shown, const char* name) {
  const auto number = static_cast<AttrNumber>(list_length(question->targetList) + 1);
  question->targetList =
      lappend(question->targetList, makeTargetEntry(reinterpret_cast<Expr*>(shown), number, pstrdup(name), false));
}

// The level's keys and answers for the groups of that set (List of int: references of clauses).
Query* question_of_set(const Query* level, const List* answers, const List* set) {
  Query* const question = copy_of_rows(level);
  const List* const written = question->targetList;
  question->targetList = NIL;
  ListCell* cell;
  foreach (cell, level->groupClause) {
    auto* const clause = static_cast<SortGroupClause*>(copyObjectImpl(lfirst(cell)));
    const auto* const key = get_sortgroupref_tle(reference_of(clause), const_cast<List*>(written));
    auto* const value = reinterpret_cast<Node*>(key->expr);
    const bool grouped = list_member_int(set, static_cast<int>(reference_of(clause)));
    const char* const name = key->resname == nullptr ? "key" : key->resname;
    if (!grouped) {
      show(question, reinterpret_cast<Node*>(makeNullConst(exprType(value), exprTypmod(value), exprCollation(value))),
           name);
      continue;
    }
    show(question, value, name);
    llast_node(TargetEntry, question->targetList)->ressortgroupref = reference_of(clause);
    question->groupClause = lappend(question->groupClause, clause);
  }
  foreach (cell, answers) {
    auto* const answer = static_cast<Node*>(lfirst(cell));
    show(question,
         IsA(answer, GroupingFunc) ? grouping_of(castNode(GroupingFunc, answer), set)
                                   : static_cast<Node*>(copyObjectImpl(answer)),
         psprintf("answer_%d", foreach_current_index(cell) + 1));
  }
  question->hasAggs = true;
  return question;
}

RangeTblEntry* entry_of(Query* question) {
  auto* const entry = makeNode(RangeTblEntry);
  entry->rtekind = RTE_SUBQUERY;
  entry->subquery = question;
  List* names = NIL;
  ListCell* cell;
  foreach (cell, question->targetList)
    names = lappend(names, makeString(pstrdup(lfirst_node(TargetEntry, cell)->resname)));
  entry->eref = makeAlias("set", names);
  return entry;
}

// The questions, which have the same columns, one below the other.
Query* all_rows_of(List* questions) {
  auto* const all = makeNode(Query);
  all->commandType = CMD_SELECT;
  all->querySource = QSRC_ORIGINAL;
  all->canSetTag = true;
  all->jointree = makeFromExpr(NIL, nullptr);
  List *types = NIL, *modifiers = NIL, *collations = NIL;
  ListCell* cell;
  foreach (cell, linitial_node(Query, questions)->targetList) {
    const auto* const first = lfirst_node(TargetEntry, cell);
    auto* const value = reinterpret_cast<Node*>(first->expr);
    types = lappend_oid(types, exprType(value));
    modifiers = lappend_int(modifiers, exprTypmod(value));
    collations = lappend_oid(collations, exprCollation(value));
    auto* const column = reinterpret_cast<Expr*>(column_showing(1, first->resno, value));
    all->targetList = lappend(all->targetList, makeTargetEntry(column, first->resno, pstrdup(first->resname), false));
  }
  foreach (cell, questions) {
    all->rtable = lappend(all->rtable, entry_of(lfirst_node(Query, cell)));
    Node* const read = item_of(list_length(all->rtable));
    if (all->setOperations == nullptr) {
      all->setOperations = read;
      continue;
    }
    auto* const both = makeNode(SetOperationStmt);
    both->op = SETOP_UNION;
    both->all = true;
    both->larg = all->setOperations;
    both->rarg = read;
    both->colTypes = types;
    both->colTypmods = modifiers;
    both->colCollations = collations;
    all->setOperations = reinterpret_cast<Node*>(both);
  }
  return all;
}

}  // namespace

SetsApart ask_sets_apart(Query* level, List* levels, const InnerQueryParts& tried, const InnerQueries& inner_queries) {
  const LevelAggregates found = aggregates_of(level);
  InnerQueryParts sets{};
  for (List* const some : {found.ours, found.ordinary, found.errors, found.groupings})
    sets.answers = list_concat(sets.answers, some);
  ListCell* cell;
  foreach (cell, level->groupClause)
    sets.keys = lappend(sets.keys, get_sortgroupclause_expr(lfirst_node(SortGroupClause, cell), level->targetList));
  for (int i = 1; i <= list_length(sets.answers); ++i)
    sets.columns = lappend_int(sets.columns, list_length(sets.keys) + i);

  List* questions = NIL;
  foreach (cell, expand_grouping_sets(level->groupingSets, level->groupDistinct, -1))
    questions = lappend(questions, question_of_set(level, sets.answers, static_cast<List*>(lfirst(cell))));
  if (list_length(questions) > 1 && reads_answers(linitial_node(Query, questions), inner_queries))
    refuse_to_choose(tried.what.first.relation, "GROUPING SETS, ROLLUP and CUBE over other answers");
  // A set operation has two sides at least.
  const bool alone = list_length(questions) == 1;
  sets.query = alone ? linitial_node(Query, questions) : all_rows_of(questions);
  List* const within = alone ? levels : around(sets.query, levels);
  foreach (cell, questions) put_within_level(lfirst_node(Query, cell), within, alone ? 1 : 2);
  release_ctes(level, levels);
  make_outer_query(level, sets);
  return {questions, within};
}

}  // namespace dp::guard
