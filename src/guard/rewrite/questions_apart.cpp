#include "guard/rewrite/questions_apart.h"

#include "aggregate/call/prepare_plan.h"
#include "guard/functions/aggregates.h"
#include "guard/relations/from_clause.h"
#include "guard/rewrite/aggregate_calls.h"
#include "guard/rewrite/error_calls.h"
#include "guard/rewrite/known_aggregates.h"
#include "guard/rewrite/level_copies.h"
#include "guard/rewrite/outer_query.h"
#include "guard/tree/by_number.h"
#include "guard/tree/columns.h"
#include "guard/tree/entries.h"
#include "guard/tree/fault.h"
#include "guard/tree/query_marks.h"
#include "guard/unit_limit/private_counts.h"
#include "pg/errors.h"
#include "pg/nodes.h"

namespace dp::guard {
namespace {

Index reference_of(const void* clause) { return static_cast<const SortGroupClause*>(clause)->tleSortGroupRef; }

void show(Query* query, void* shown, const char* name) {
  const auto number = static_cast<AttrNumber>(list_length(query->targetList) + 1);
  query->targetList =
      lappend(query->targetList, makeTargetEntry(static_cast<Expr*>(shown), number, pstrdup(name), false));
}

// What GROUPING says of that set (List of int).
Const* grouping_of(const GroupingFunc* grouping, const List* set) {
  std::int32_t bits = 0;
  ListCell* cell;
  foreach (cell, grouping->refs) bits = bits << 1 | (list_member_int(set, lfirst_int(cell)) ? 0 : 1);
  return pg::int4_constant(bits);
}

// The level's keys and some of its answers for the groups of that set (List of int: references of clauses).
Query* question_about(const Query* level, const List* answers, const List* set) {
  Query* const question = copy_of_rows(level);
  List* const written = question->targetList;
  question->targetList = NIL;
  ListCell* cell;
  foreach (cell, level->groupClause) {
    auto* const clause = static_cast<SortGroupClause*>(copyObjectImpl(lfirst(cell)));
    const TargetEntry* const key = get_sortgroupref_tle(reference_of(clause), written);
    auto* const value = reinterpret_cast<Node*>(key->expr);
    const char* const name = key->resname == nullptr ? "key" : key->resname;
    if (!list_member_int(set, static_cast<int>(reference_of(clause)))) {
      show(question, makeNullConst(exprType(value), exprTypmod(value), exprCollation(value)), name);
      continue;
    }
    show(question, value, name);
    llast_node(TargetEntry, question->targetList)->ressortgroupref = reference_of(clause);
    question->groupClause = lappend(question->groupClause, clause);
  }
  foreach (cell, answers) {
    auto* const answer = static_cast<Node*>(lfirst(cell));
    show(question,
         IsA(answer, GroupingFunc) ? static_cast<void*>(grouping_of(castNode(GroupingFunc, answer), set))
                                   : copyObjectImpl(answer),
         psprintf("answer_%d", foreach_current_index(cell) + 1));
  }
  question->hasAggs = true;
  return question;
}

// A query that reads the questions, and shows nothing of them yet.
Query* query_over(List* questions) {
  Query* const query = pg::empty_select();
  ListCell* cell;
  foreach (cell, questions)
    query->rtable = lappend(query->rtable, entry_of_subquery(lfirst_node(Query, cell), "question"));
  return query;
}

// The column that shows this entry, of that question.
Expr* column_of_question(int question, const TargetEntry* shown) {
  return reinterpret_cast<Expr*>(column_showing(question, shown->resno, shown->expr));
}

// The questions, which have the same columns, one below the other.
Query* all_rows_of(List* questions) {
  Query* const all = query_over(questions);
  all->jointree = makeFromExpr(NIL, nullptr);
  const List* const shown = linitial_node(Query, questions)->targetList;
  ListCell* cell;
  foreach (cell, shown) {
    const auto* const first = lfirst_node(TargetEntry, cell);
    show(all, column_of_question(1, first), first->resname);
  }
  all->setOperations = union_all_of(list_length(questions), shown);
  mark(all, Mark::sets);
  return all;
}

// Of the first question and this one: NOT a IS DISTINCT FROM b, or a = b where neither can be NULL.
Node* same_key(int question, const TargetEntry* key, bool may_be_null) {
  auto* const value = reinterpret_cast<Node*>(key->expr);
  const Oid equals = lookup_type_cache(exprType(value), TYPECACHE_EQ_OPR)->eq_opr;
  Oid left, right;
  op_input_types(equals, &left, &right);
  const auto side = [&](int of, Oid type) {
    auto* const column = reinterpret_cast<Node*>(column_of_question(of, key));
    if (exprType(column) == type || IsPolymorphicType(type)) return reinterpret_cast<Expr*>(column);
    return reinterpret_cast<Expr*>(
        makeRelabelType(reinterpret_cast<Expr*>(column), type, -1, exprCollation(column), COERCE_IMPLICIT_CAST));
  };
  auto* const equal = castNode(OpExpr, make_opclause(equals, BOOLOID, false, side(1, left), side(question, right),
                                                     InvalidOid, exprCollation(value)));
  set_opfuncid(equal);
  if (!may_be_null) return reinterpret_cast<Node*>(equal);
  NodeSetTag(equal, T_DistinctExpr);
  return reinterpret_cast<Node*>(makeBoolExpr(NOT_EXPR, list_make1(equal), -1));
}

// Questions whose first columns are the same keys and whose groups are the same, beside each other.
Query* joined_by_keys(List* questions, const InnerQuery& what) {
  Query* const all = query_over(questions);
  const int keys = list_length(what.keys);
  Node* condition = nullptr;
  List* from = NIL;
  for (int question = 1; question <= list_length(questions); ++question) {
    ListCell* cell;
    foreach (cell, list_nth_node(Query, questions, question - 1)->targetList) {
      const auto* const shown = lfirst_node(TargetEntry, cell);
      const bool key = shown->resno <= keys;
      if (key && question > 1) {
        const bool may_be_null = what.key(shown->resno - 1).may_be_null();
        condition = make_and_qual(condition, same_key(question, shown, may_be_null));
      } else {
        show(all, column_of_question(question, shown), shown->resname);
      }
    }
    entry_numbered(question, all->rtable)->inFromCl = true;
    from = lappend(from, item_of(question));
  }
  all->jointree = makeFromExpr(from, condition);
  return all;
}

// Whether some spread of the question has no bounds: then all of them are asked as quantiles are.
bool has_open_spread(const InnerQueryParts& tried) {
  bool found = false;
  visit_private(tried.query, tried.what.count_column,
                [&found](const Aggref* call, int) { found = found || aggregate::is_open_spread(call); });
  return found;
}

// How much of a unit counts in an answer, where that is chosen.
enum class Kind : std::uint8_t { limited, one_row, values, histogram };

// Whether it is a quantile, or the like.
bool is_scale_free(const Aggref* call, bool spreads) {
  // PostgreSQL's own quantiles, and mode(), stand before the columns that they order; min and max are one of an end,
  // where that is not declared.
  if (AGGKIND_IS_ORDERED_SET(call->aggkind) || extreme_of(call->aggfnoid) != 0) return true;
  const char* const form = bounded_form(call->aggfnoid);
  const bool spread = form != nullptr && (strncmp(form, "dp_var", 6) == 0 || strncmp(form, "dp_stddev", 9) == 0);
  return (spreads && spread) || aggregate::is_scale_free(call);
}

Kind kind_of(const Aggref* call, const InnerQueryParts& tried, bool spreads) {
  if (call->aggdistinct != NIL && extreme_of(call->aggfnoid) == 0) {
    const bool counts = is_plain_count(call->aggfnoid) || aggregate::is_count(call->aggfnoid);
    const bool units = counts && list_member(tried.counted_units, linitial_node(TargetEntry, call->args)->expr);
    return units ? Kind::limited : Kind::values;
  }
  if (is_scale_free(call, spreads)) return Kind::one_row;
  return counts_buckets(call) ? Kind::histogram : Kind::limited;
}

// The answers of a level that are one question, errors with what they are errors of.
struct Together {
  Kind kind;
  const Aggref* histogram;  // each is alone
  List* answers;
};

// List of Together*.
List* by_kind(const LevelAggregates& found, const InnerQueryParts& tried) {
  const bool spreads = has_open_spread(tried);
  List* all = NIL;
  ListCell *cell, *known;
  for (List* const some : {found.ours, found.ordinary, found.errors, found.groupings}) {
    foreach (cell, some) {
      auto* const answer = static_cast<Node*>(lfirst(cell));
      const Aggref* const call = is_error_call(answer) ? asked_error(castNode(FuncExpr, answer)).aggregate
                                 : IsA(answer, Aggref) ? castNode(Aggref, answer)
                                                       : nullptr;
      const Kind kind = call == nullptr ? Kind::limited : kind_of(call, tried, spreads);
      Together* place = nullptr;
      foreach (known, all) {
        auto* const one = static_cast<Together*>(lfirst(known));
        const bool fits = one->kind == kind && (kind != Kind::histogram || equal(one->histogram, call));
        if (fits || call == nullptr) place = one;
      }
      if (place == nullptr) {
        place = new (palloc(sizeof(Together))) Together{kind, call, NIL};
        all = lappend(all, place);
      }
      place->answers = lappend(place->answers, answer);
    }
  }
  return all;
}

List* all_references(const Query* level) {
  List* references = NIL;
  ListCell* cell;
  foreach (cell, level->groupClause) references = lappend_int(references, static_cast<int>(reference_of(lfirst(cell))));
  return references;
}

[[noreturn]] void refuse_over_answers(Oid table, bool sets) {
  const char* const name = get_rel_name(table);
  ereport(ERROR,
          (errcode(pg::kNotAdmissible),
           errmsg("limits for table %s cannot be chosen for %s over other answers", name,
                  sets ? "each level of GROUPING SETS, ROLLUP or CUBE" : "answers that are limited in several ways"),
           errdetail("Each would be a question of its own, which draws the other answers anew."),
           errhint("Say the limits: sum(greatest(0, least(100, x))) of a value without a range, and where persons have "
                   "several rows SET dp.max_rows_per_unit = 5; or ask the other answers first.")));
  pg_unreachable();
}

}  // namespace

QuestionsApart ask_apart(Query* level, List* levels, const InnerQueryParts& tried, bool of_answers) {
  const bool sets = tried.apart == Apart::sets;
  const LevelAggregates found = aggregates_of(level);
  List *answers = NIL, *questions = NIL;
  ListCell* cell;
  if (sets) {
    for (List* const some : {found.ours, found.ordinary, found.errors, found.groupings})
      answers = list_concat(answers, some);
    foreach (cell, expand_grouping_sets(level->groupingSets, level->groupDistinct, -1))
      questions = lappend(questions, question_about(level, answers, static_cast<List*>(lfirst(cell))));
  } else {
    List* const set = all_references(level);
    foreach (cell, by_kind(found, tried)) {
      const auto& together = *static_cast<const Together*>(lfirst(cell));
      questions = lappend(questions, question_about(level, together.answers, set));
      answers = list_concat(answers, together.answers);
    }
    if (list_length(questions) < 2) raise_tree_fault("nothing is asked apart");  // it would be asked again and again
  }
  const bool alone = list_length(questions) == 1;
  if (!alone && of_answers) refuse_over_answers(tried.what.first.relation, sets);

  InnerQueryParts core{};
  foreach (cell, level->groupClause)
    core.keys = lappend(core.keys, get_sortgroupclause_expr(lfirst_node(SortGroupClause, cell), level->targetList));
  core.answers = answers;
  for (int i = 1; i <= list_length(core.answers); ++i)
    core.columns = lappend_int(core.columns, list_length(core.keys) + i);
  core.query = alone  ? linitial_node(Query, questions)
               : sets ? all_rows_of(questions)
                      : joined_by_keys(questions, tried.what);
  List* const within = alone ? levels : around(core.query, levels);
  foreach (cell, questions) put_within_level(lfirst_node(Query, cell), within, alone ? 1 : 2);
  release_ctes(level, levels);
  make_outer_query(level, core);
  return {questions, within};
}

}  // namespace dp::guard
