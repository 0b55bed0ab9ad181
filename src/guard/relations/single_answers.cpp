#include "guard/relations/single_answers.h"

#include "guard/admission/refusal.h"
#include "guard/relations/join_conditions.h"
#include "guard/relations/protected_reads.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// ---- what refers to nothing around it -------------------------------------------------------------------------------

// `depth`: how many queries within the subquery are around the node, itself among them.
bool reaches_out(Node* node, void* depth) {
  if (node == nullptr) return false;
  auto& within = *static_cast<Index*>(depth);
  if (IsA(node, Query)) {
    ++within;
    const bool found = pg::walk_query(castNode(Query, node), reaches_out, depth, 0);
    --within;
    return found;
  }
  if (IsA(node, Var)) return castNode(Var, node)->varlevelsup >= within;
  if (IsA(node, Aggref) && castNode(Aggref, node)->agglevelsup >= within) return true;
  if (IsA(node, GroupingFunc) && castNode(GroupingFunc, node)->agglevelsup >= within) return true;
  return pg::walk(node, reaches_out, depth);
}

bool reaches_out(const SubLink* link) {
  Index depth = 0;
  return reaches_out(link->subselect, &depth);
}

// Whether it is one value, an array, or a comparison of one value with those of a column, which an array can hold: one
// of arrays has more dimensions, and is compared element by element.
bool is_value_or_list(const SubLink* link) {
  if (link->subLinkType == EXPR_SUBLINK || link->subLinkType == ARRAY_SUBLINK) return true;
  if (link->subLinkType != ANY_SUBLINK && link->subLinkType != ALL_SUBLINK) return false;
  if (!IsA(link->testexpr, OpExpr)) return false;
  Node* const shown = without_relabel(static_cast<Node*>(lsecond(castNode(OpExpr, link->testexpr)->args)));
  return IsA(shown, Param) && !OidIsValid(get_element_type(exprType(shown))) &&
         OidIsValid(get_array_type(exprType(shown)));
}

// Of x IN (SELECT y ... LIMIT n), where rows are asked of each person there is no LIMIT.
bool has_form_of_answer(const SubLink* link) {
  return is_value_or_list(link) &&
         (link->testexpr == nullptr || castNode(Query, link->subselect)->limitCount != nullptr);
}

// ---- parameters -----------------------------------------------------------------------------------------------------

struct Taking {
  List* levels;
  const InnerQueries* inner_queries;
  List** answers;
};

// Before levels are split no answer can be told from other single values of protected rows.
bool is_answer(const SubLink* link, const Taking& here) {
  if (!may_be_single_answer(link, here.levels)) return false;
  return !here.inner_queries->splitting() || !reads_protected(link, here.levels, *here.inner_queries);
}

int number_of(SubLink* link, List* levels, List** answers) {
  ListCell* cell;
  foreach (cell, *answers) {
    if (equal(static_cast<const SingleAnswer*>(lfirst(cell))->link, link)) return foreach_current_index(cell);
  }
  auto* const answer = static_cast<SingleAnswer*>(palloc(sizeof(SingleAnswer)));
  const InnerQueries none;
  *answer = {link, levels, !reads_protected(link, levels, none)};
  *answers = lappend(*answers, answer);
  return list_length(*answers) - 1;
}

Node* parameter_for(SubLink* link, List* levels, List** answers) {
  auto* const value = reinterpret_cast<Node*>(link);
  auto* const parameter = makeNode(Param);
  parameter->paramkind = PARAM_EXEC;
  parameter->paramid = number_of(link, levels, answers);
  parameter->paramtype = exprType(value);
  parameter->paramtypmod = exprTypmod(value);
  parameter->paramcollid = exprCollation(value);
  parameter->location = exprLocation(value);
  return reinterpret_cast<Node*>(parameter);
}

// x IN (SELECT y ...) as x = ANY (ARRAY(SELECT y ...)).
Node* compared_with_array(const SubLink* link, const Taking& here) {
  auto* const array = static_cast<SubLink*>(copyObjectImpl(link));
  array->subLinkType = ARRAY_SUBLINK;
  array->testexpr = nullptr;
  array->operName = NIL;
  const auto* const test = castNode(OpExpr, link->testexpr);
  auto* const comparison = makeNode(ScalarArrayOpExpr);
  comparison->opno = test->opno;
  comparison->opfuncid = test->opfuncid;
  comparison->useOr = link->subLinkType == ANY_SUBLINK;
  comparison->inputcollid = test->inputcollid;
  comparison->location = link->location;
  Node* values = parameter_for(array, here.levels, here.answers);
  // varchar is compared as text.
  if (auto* const value = static_cast<Node*>(lsecond(test->args)); IsA(value, RelabelType)) {
    const Oid type = get_array_type(exprType(value));
    values = reinterpret_cast<Node*>(
        makeRelabelType(reinterpret_cast<Expr*>(values), type, -1, exprCollation(value), COERCE_IMPLICIT_CAST));
  }
  comparison->args = list_make2(copyObjectImpl(linitial(test->args)), values);
  return reinterpret_cast<Node*>(comparison);
}

Node* in_place_of(SubLink* link, const Taking& here) {
  return link->testexpr != nullptr ? compared_with_array(link, here) : parameter_for(link, here.levels, here.answers);
}

Node* put_parameters(Node* node, void* context) {
  if (node == nullptr) return nullptr;
  const auto& here = *static_cast<const Taking*>(context);
  if (!IsA(node, SubLink) || !is_answer(castNode(SubLink, node), here))
    return pg::mutate(node, put_parameters, context);
  return in_place_of(castNode(SubLink, node), here);
}

// ---- where they go --------------------------------------------------------------------------------------------------

struct Moving {
  const SingleAnswer* answer;
  List* levels;  // among which it is going to be, innermost first
  int depth;     // how many queries within the answer's subquery are around the node
  const InnerQueries* inner_queries;
  List** moved;
};

void read_again(Query* holder, const char* name) {
  ListCell* cell;
  foreach (cell, holder->cteList) {
    auto* const cte = lfirst_node(CommonTableExpr, cell);
    if (strcmp(cte->ctename, name) == 0) ++cte->cterefcount;
  }
}

bool move_ctes(Node* node, void* context) {
  if (node == nullptr) return false;
  auto& here = *static_cast<Moving*>(context);
  if (IsA(node, Query)) {
    ++here.depth;
    if (InnerQuery* const inner = here.inner_queries->find(castNode(Query, node)); inner != nullptr) {
      auto* const answers = static_cast<List*>(copyObjectImpl(inner->answers));
      if (answers != NIL) pg::walk(reinterpret_cast<Node*>(answers), move_ctes, context);
      *here.moved = lappend(*here.moved, new (palloc(sizeof(MovedAnswers))) MovedAnswers{inner, answers});
    }
    pg::walk_query(castNode(Query, node), move_ctes, context, QTW_EXAMINE_RTES_BEFORE);
    --here.depth;
    return false;
  }
  if (!IsA(node, RangeTblEntry)) return pg::walk(node, move_ctes, context);
  auto* const entry = castNode(RangeTblEntry, node);
  if (entry->rtekind != RTE_CTE || static_cast<int>(entry->ctelevelsup) < here.depth) return false;
  const void* const holder = list_nth(here.answer->around, static_cast<int>(entry->ctelevelsup) - here.depth);
  ListCell* cell;
  foreach (cell, here.levels) {
    if (lfirst(cell) != holder) continue;
    entry->ctelevelsup = static_cast<Index>(here.depth + 1 + foreach_current_index(cell));
    if (here.answer->is_public) read_again(static_cast<Query*>(lfirst(cell)), entry->ctename);
    return false;
  }
  DP_REFUSE(here.answer->link->location,
            errmsg("a subquery in WHERE that is an answer reads %s of a subquery in FROM", entry->ctename),
            errhint("Write WITH %s AS (...) at the start of the statement.", quote_identifier(entry->ctename)));
}

}  // namespace

bool may_be_single_answer(const SubLink* link, List* levels) {
  if (!has_form_of_answer(link)) return false;
  const InnerQueries none;
  return !reaches_out(link) && reads_protected(link, levels, none);
}

Node* with_single_answers(Node* expression, List* levels, const InnerQueries& inner_queries, List** answers) {
  Taking here{levels, &inner_queries, answers};
  return put_parameters(expression, &here);
}

Node* as_public_value(SubLink* link, List* levels, List** answers) {
  const InnerQueries none;
  if (!is_value_or_list(link) || reaches_out(link) || reads_protected(link, levels, none)) return nullptr;
  return in_place_of(link, {levels, &none, answers});
}

void take_single_answers(Sources* sources, const InnerQueries& inner_queries, List** answers) {
  List *sublinks = NIL, *around = NIL;
  ListCell *condition, *levels;
  forboth(condition, sources->sublinks, levels, sources->around_sublinks) {
    auto* const queries = static_cast<List*>(lfirst(levels));
    Node* const put = with_single_answers(static_cast<Node*>(lfirst(condition)), queries, inner_queries, answers);
    if (!checkExprHasSubLink(put)) {
      sources->conditions = lappend(sources->conditions, put);
      continue;
    }
    sublinks = lappend(sublinks, put);
    around = lappend(around, queries);
  }
  sources->sublinks = sublinks;
  sources->around_sublinks = around;
}

List* answers_within(List* levels, List* answers, const InnerQueries& inner_queries, List** moved) {
  List* links = NIL;
  ListCell* cell;
  foreach (cell, answers) {
    const auto* const answer = static_cast<const SingleAnswer*>(lfirst(cell));
    auto* const link = static_cast<SubLink*>(copyObjectImpl(answer->link));
    Moving moving{answer, levels, 0, &inner_queries, moved};
    move_ctes(link->subselect, &moving);
    links = lappend(links, link);
  }
  return links;
}

}  // namespace dp::guard
