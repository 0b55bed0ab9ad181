#include "guard/reuse/question_text.h"

#include <algorithm>

#include "aggregate/call/prepare_plan.h"
#include "core/mechanism/catalogue.h"
#include "core/mechanism/mechanism_text.h"
#include "guard/admission/values.h"
#include "guard/groups/groups.h"
#include "guard/groups/pruned_groups.h"
#include "guard/query/private_query.h"
#include "guard/reuse/question_bytes.h"
#include "guard/reuse/session_facts.h"
#include "guard/rewrite/private_calls.h"
#include "pg/errors.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// To be raised when other bytes mean what these meant.
constexpr int kFormat = 8;

// ---- aggregates -----------------------------------------------------------------------------------------------------

bool is_private(const TargetEntry* entry) {
  return IsA(entry->expr, Aggref) && aggregate::is_private_aggregate(castNode(Aggref, entry->expr)->aggfnoid);
}

// Puts NULL in the place of the arguments of these names: they are told in another way.
void blank(Aggref* call) {
  HeapTuple const row = SearchSysCache1(PROCOID, ObjectIdGetDatum(call->aggfnoid));
  if (!HeapTupleIsValid(row)) elog(ERROR, "aggregate %u is not there", call->aggfnoid);
  Oid* types;
  char** names;
  char* modes;
  const int count = get_func_arg_info(row, &types, &names, &modes);
  ReleaseSysCache(row);
  for (int i = 0; i < count && i < list_length(call->args); ++i) {
    if (names == nullptr || (strcmp(names[i], "epsilon") != 0 && strcmp(names[i], "mechanism") != 0)) continue;
    auto* const argument = list_nth_node(TargetEntry, call->args, i);
    auto* const value = reinterpret_cast<Node*>(argument->expr);
    argument->expr = reinterpret_cast<Expr*>(makeNullConst(exprType(value), exprTypmod(value), exprCollation(value)));
  }
}

// A function of pg::mutate_query. Below a subquery, too: that which groups by the unit.
Node* put_values_below(Node* node, void* values) {
  if (node != nullptr && IsA(node, Query)) {
    return reinterpret_cast<Node*>(pg::mutate_query(castNode(Query, node), put_values_below, values, 0));
  }
  Node* const put = put_values(node, static_cast<ParamListInfo>(values));
  fix_opfuncids(put);
  return put;
}

// The inner query with values in the place of its parameters.
Query* with_values_of(const Query* question, ParamListInfo values) {
  auto* const query = static_cast<Query*>(copyObjectImpl(question));
  const auto put = [values](auto*& part) {
    part = reinterpret_cast<std::remove_reference_t<decltype(part)>>(put_values(reinterpret_cast<Node*>(part), values));
    fix_opfuncids(reinterpret_cast<Node*>(part));
  };
  put(query->targetList);
  query->jointree->fromlist = static_cast<List*>(copyObjectImpl(query->jointree->fromlist));
  ListCell* cell;
  foreach (cell, query->jointree->fromlist) {
    auto* item = static_cast<Node*>(lfirst(cell));
    put(item);
    lfirst(cell) = item;
  }
  put(query->jointree->quals);
  foreach (cell, query->rtable) {
    auto* const entry = lfirst_node(RangeTblEntry, cell);
    put(entry->securityQuals);
    if (entry->subquery != nullptr) {
      entry->subquery = castNode(Query, put_values_below(reinterpret_cast<Node*>(entry->subquery), values));
    }
  }
  return query;
}

// Its epsilon and mechanism are blank.
std::string_view text_of_aggregate(Aggref* call, const char* mechanism, const mechanism::Contribution& unit) {
  QuestionBytes bytes;
  bytes.session(reinterpret_cast<Node*>(call));
  bytes.tree(call);
  bytes.text(mechanism);
  bytes.unit(unit);
  return budget::digest_of(bytes.view());
}

Node* argument_of(const Aggref* call, int number) {
  return number < list_length(call->args)
             ? reinterpret_cast<Node*>(list_nth_node(TargetEntry, call->args, number)->expr)
             : nullptr;
}

// What rows give, not a constant like '*'.
bool has_values(const Aggref* call) {
  const Node* const first = argument_of(call, 0);
  return first != nullptr && !IsA(first, Const);
}

// What it is about, of an aggregate of one column whose noise has the law of levels, which is one for all of them.
budget::AboutColumn about_column(const Aggref* call, aggregate::Part part, const mechanism::Contribution& unit) {
  const auto digest = [&](std::initializer_list<Node*> trees) {
    QuestionBytes bytes;
    List* all = list_make1(call->aggfilter);
    for (Node* const tree : trees) all = lappend(all, tree);
    bytes.session(reinterpret_cast<Node*>(all));
    bytes.tree(all);
    bytes.unit(unit);
    return budget::digest_of(bytes.view());
  };
  const bool vector = aggregate::name_of_vector(call->aggfnoid) != nullptr;
  budget::AboutColumn about;
  if (part == aggregate::Part::rows || vector) about.rows = digest({});
  if (!has_values(call)) return about;
  Node* const value = without_cast_to_float8(argument_of(call, 0));
  if (aggregate::answers_about_pairs(call->aggfnoid)) {
    about.clamped = digest({value, without_cast_to_float8(argument_of(call, 1)), argument_of(call, 2),
                            argument_of(call, 3), argument_of(call, 4), argument_of(call, 5)});
    return about;
  }
  if (part != aggregate::Part::sum) about.values = digest({value});
  if (part != aggregate::Part::count) about.clamped = digest({value, argument_of(call, 1), argument_of(call, 2)});
  return about;
}

// The aggregate of a question, whose call is changed for it. `chosen`: the limit of a unit is chosen for it. That which
// is chosen for a mean cuts most rows of a unit, which are much alike: no number of rows and no sum is read off it.
budget::QuestionAggregate question_aggregate(Aggref* call, const AnsweredAggregate& answered,
                                             const mechanism::Contribution& unit, bool chosen) {
  blank(call);
  const std::string mechanism = mechanism::format(*answered.mechanism);
  const mechanism::Delta delta = mechanism::delta_of(*answered.mechanism);
  return pg::call([&] {
    const auto part = aggregate::part_of_column(call->aggfnoid, has_values(call));
    const bool column = part != aggregate::Part::whole || aggregate::name_of_vector(call->aggfnoid) != nullptr;
    const bool each_row = call->aggdistinct == NIL && call->aggorder == NIL;
    const bool by_levels = answered.path.exists();
    return budget::QuestionAggregate{
        text_of_aggregate(call, mechanism.c_str(), unit),
        answered.epsilon,
        delta,
        answered.form,
        answered.path,
        column && each_row && by_levels ? about_column(call, part, unit) : budget::AboutColumn{},
        part,
        chosen && aggregate::grows_with_rows(part)};
  });
}

// Takes the private aggregates out of the query. As many as `aggregates` has.
budget::QuestionAggregate* take_aggregates(Query* query, const InnerQuery& inner_query,
                                           std::span<const AnsweredAggregate> aggregates) {
  auto* const taken = static_cast<budget::QuestionAggregate*>(
      pg::call([&] { return palloc(sizeof(budget::QuestionAggregate) * (aggregates.size() + 1)); }));
  List* others = NIL;
  std::size_t count = 0;
  ListCell* cell;
  foreach (cell, query->targetList) {
    auto* const entry = lfirst_node(TargetEntry, cell);
    if (!is_private(entry)) {
      pg::call([&] { others = lappend(others, entry->expr); });
      continue;
    }
    if (count == aggregates.size()) elog(ERROR, "a private query has other aggregates than its question");
    const int number = static_cast<int>(count);
    taken[count] = question_aggregate(castNode(Aggref, entry->expr), aggregates[count],
                                      inner_query.contribution(number), inner_query.chooses_limit(number));
    ++count;
  }
  if (count != aggregates.size()) elog(ERROR, "a private query has other aggregates than its question");
  query->targetList = others;
  return taken;
}

// All but the aggregates. Where a limit of what counts of a unit is declared, they may share it: then all of them
// belong to it.
std::string_view text_of_rest(Query* query, const InnerQuery& inner_query, const Oid* roles, const Groups& groups,
                              std::span<const budget::QuestionAggregate> aggregates) {
  QuestionBytes bytes;
  bytes.number(kFormat);
  bytes.number(pg::kMajorVersion);
  bytes.text(own_version());
  bytes.session(reinterpret_cast<Node*>(query));
  bytes.tables(inner_query, roles);
  bytes.circumstances(inner_query);
  bytes.tree(query);
  StringInfoData contents;
  initStringInfo(&contents);
  groups.write_contents(&contents);
  bytes.part(contents.data, static_cast<std::size_t>(contents.len));
  if (!inner_query.limits_each_aggregate()) {
    for (const budget::QuestionAggregate& one : aggregates) bytes.part(one.text.data(), one.text.size());
  }
  return budget::digest_of(bytes.view());
}

// ---- roll-ups -------------------------------------------------------------------------------------------------------

// Over the same tables and conditions, of which the latter may be taken away from the question later.
Query* without_keys(const Query* query) {
  auto* const rows = new (palloc(sizeof(Query))) Query(*query);
  rows->targetList = rows->groupClause = NIL;
  rows->jointree = makeFromExpr(query->jointree->fromlist, query->jointree->quals);
  return rows;
}

// Distinct values of several groups may be the same.
bool counts_distinct(const Query* query) {
  ListCell* cell;
  foreach (cell, query->targetList) {
    const auto* const entry = lfirst_node(TargetEntry, cell);
    if (is_private(entry) && castNode(Aggref, entry->expr)->aggdistinct != NIL) return true;
  }
  return false;
}

// ---- wider questions ------------------------------------------------------------------------------------------------

// With more conditions than that, only the question without any of them is looked for.
constexpr int kMostConditions = 3;

// Whether the groups of a question without a condition on keys are, where the condition is true, those of the question
// with it, as roll_up.h has it: each row is in one group, which is shown whether or not there are rows, and counts
// there by itself, or as far as the limit goes that was chosen for all of them.
bool has_separate_groups(const InnerQuery& inner_query, const Groups& groups) {
  return inner_query.sets() == 1 && inner_query.set_column == 0 && inner_query.keys != NIL &&
         inner_query.limits_each_aggregate() && groups.are_public();
}

List* keys_of(const Query* query, const InnerQuery& inner_query) {
  return list_copy_head(query->targetList, list_length(inner_query.keys));
}

Node* without(List* conditions, List* dropped) {
  List* const left = list_difference_ptr(conditions, dropped);
  return left == NIL ? nullptr : reinterpret_cast<Node*>(make_ands_explicit(left));
}

// Those whose bit is set; of more than kMostConditions all.
List* chosen(List* conditions, unsigned bits) {
  if (list_length(conditions) > kMostConditions) return conditions;
  List* some = NIL;
  ListCell* cell;
  foreach (cell, conditions) {
    if ((bits >> foreach_current_index(cell) & 1U) != 0) some = lappend(some, lfirst(cell));
  }
  return some;
}

List* wider_questions(Query* query, const InnerQuery& inner_query, const Oid* roles, const Groups& groups,
                      const budget::Question& asked) {
  if (!has_separate_groups(inner_query, groups)) return NIL;
  List* const conditions = make_ands_implicit(reinterpret_cast<Expr*>(query->jointree->quals));
  List* const keys = keys_of(query, inner_query);
  List* on_keys = NIL;
  ListCell* cell;
  foreach (cell, conditions) {
    if (is_made_of_keys(static_cast<Node*>(lfirst(cell)), keys)) on_keys = lappend(on_keys, lfirst(cell));
  }
  List* wider = NIL;
  const int count = list_length(on_keys);
  for (unsigned bits = count > kMostConditions ? 1 : (1U << count) - 1; bits > 0; --bits) {
    query->jointree->quals = without(conditions, chosen(on_keys, bits));
    wider = lappend(
        wider, new (palloc(sizeof(budget::Question))) budget::Question{
                   asked.tables, text_of_rest(query, inner_query, roles, groups, {}), asked.aggregates, asked.size});
  }
  return wider;
}

}  // namespace

Questions write_questions(const InnerQuery& inner_query, ParamListInfo values, const Oid* roles, const Groups& groups,
                          std::span<const AnsweredAggregate> aggregates) {
  Query* const query = pg::call([&] { return with_values_of(inner_query.question, values); });
  const bool distinct = counts_distinct(query);
  budget::QuestionAggregate* const taken = take_aggregates(query, inner_query, aggregates);
  return pg::call([&] {
    const bool disjoint = has_disjoint_groups(inner_query, groups);
    const GroupedBy by{keys_of(query, inner_query), query->rtable};
    Query* const rows = without_keys(query);
    const budget::Question asked{inner_query.protected_relations(),
                                 text_of_rest(query, inner_query, roles, groups, {taken, aggregates.size()}), taken,
                                 static_cast<int>(aggregates.size())};
    return Questions{
        asked, wider_questions(query, inner_query, roles, groups, asked), disjoint, disjoint && !distinct, by, rows};
  });
}

namespace {

List* conditions_of(const Questions& questions) {
  return make_ands_implicit(reinterpret_cast<Expr*>(questions.rows->jointree->quals));
}

// What the rows of the question are, but for its conditions.
std::string_view text_of_tables(const Questions& questions, const InnerQuery& inner_query, const Oid* roles) {
  Query* const rows = without_keys(questions.rows);
  rows->jointree->quals = nullptr;
  QuestionBytes bytes;
  bytes.number(kFormat);
  bytes.number(pg::kMajorVersion);
  bytes.text(own_version());
  bytes.settings();
  bytes.session(reinterpret_cast<Node*>(rows));
  bytes.tables(inner_query, roles);
  bytes.unit(inner_query.unit);
  bytes.tree(inner_query.policy);
  bytes.tree(rows);
  return budget::digest_of(bytes.view());
}

std::string_view text_of_rows(std::string_view tables, List* conditions) {
  QuestionBytes bytes;
  bytes.part(tables.data(), tables.size());
  ListCell* cell;
  foreach (cell, conditions) {
    bytes.session(static_cast<Node*>(lfirst(cell)));
    bytes.tree(lfirst(cell));
  }
  return budget::digest_of(bytes.view());
}

}  // namespace

Questions& marked(const Questions& questions, const char* mark) {
  auto* const own = new (palloc(sizeof(Questions))) Questions(questions);
  StringInfoData text;
  initStringInfo(&text);
  appendStringInfoString(&text, mark);
  appendBinaryStringInfo(&text, questions.asked.text.data(), static_cast<int>(questions.asked.text.size()));
  own->asked.text = budget::digest_of({text.data, static_cast<std::size_t>(text.len)});
  own->asked.seen = nullptr;
  own->wider = NIL;
  own->rolls = own->disjoint = false;
  return *own;
}

std::string_view text_of_rows(const Questions& questions, const InnerQuery& inner_query, const Oid* roles) {
  return text_of_rows(text_of_tables(questions, inner_query, roles), conditions_of(questions));
}

List* wider_rows(const Questions& questions, const InnerQuery& inner_query, const Oid* roles) {
  List* const conditions = conditions_of(questions);
  if (conditions == NIL) return NIL;
  List* choices = NIL;  // List: those that are dropped
  ListCell* cell;
  if (list_length(conditions) <= kMostConditions) {
    foreach (cell, conditions) choices = lappend(choices, list_make1(lfirst(cell)));
  }
  if (list_length(choices) != 1) choices = lappend(choices, conditions);
  const std::string_view tables = text_of_tables(questions, inner_query, roles);
  List* wider = NIL;
  foreach (cell, choices) {
    auto* const dropped = static_cast<List*>(lfirst(cell));
    const std::string_view text = text_of_rows(tables, list_difference_ptr(conditions, dropped));
    wider = lappend(wider, new (palloc(sizeof(WiderRows))) WiderRows{text, dropped});
  }
  return wider;
}

}  // namespace dp::guard
