#include "guard/rewrite/inner_builder.h"

#include "aggregate/call/prepare_plan.h"
#include "guard/admission/admission.h"
#include "guard/admission/growth.h"
#include "guard/admission/objects.h"
#include "guard/admission/refusal.h"
#include "guard/admission/row_limits.h"
#include "guard/admission/values.h"
#include "guard/forms/admitted_form.h"
#include "guard/forms/extension_forms.h"
#include "guard/groups/groups.h"
#include "guard/groups/pruned_groups.h"
#include "guard/groups/too_many.h"
#include "guard/groups/unknown_groups.h"
#include "guard/relations/per_unit_query.h"
#include "guard/relations/single_answers.h"
#include "guard/relations/subqueries_within.h"
#include "guard/rewrite/aggregate_calls.h"
#include "guard/rewrite/aggregate_text.h"
#include "guard/rewrite/distinct_values.h"
#include "guard/rewrite/error_calls.h"
#include "guard/rewrite/grouping_calls.h"
#include "guard/rewrite/key_descriptions.h"
#include "guard/rewrite/limited_query.h"
#include "guard/rewrite/list_keys.h"
#include "guard/rewrite/numbered.h"
#include "guard/rewrite/own_subqueries.h"
#include "guard/rewrite/per_unit_below.h"
#include "guard/rewrite/private_calls.h"
#include "guard/rewrite/public_columns.h"
#include "guard/rewrite/question.h"
#include "guard/rewrite/row_bounds.h"
#include "guard/tree/by_number.h"
#include "guard/unit_limit/unit_aggregates.h"
#include "pg/nodes.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

class Builder {
 public:
  // `per_unit`: what the level reads in place of the tables; nullptr: the tables.
  Builder(Query* level, List* levels, const InnerQueries& inner_queries, const InnerQueryTables& tables,
          const PerUnitBelow* per_unit)
      : level_(level),
        levels_(levels),
        inner_queries_(inner_queries),
        tables_(tables),
        per_unit_(per_unit),
        sources_(per_unit == nullptr ? tables.sources : per_unit->rows),
        answers_(list_copy(tables.answers)) {
    List* const all = tables.all_protected();
    const auto& first = *static_cast<const AskedTable*>(linitial(all));
    parts_.what.first = {first.protection->relation, first.table, first.subject};
    parts_.what.policy = tables.unit_numbers();
    parts_.what.dependencies = tables.dependencies;
    parts_.what.catalog_version = tables.catalog_version;
    ListCell* cell;
    parts_.what.protections = protections_of(all);
    for_each_from(cell, all, 1) {
      const auto& partner = *static_cast<const AskedTable*>(lfirst(cell));
      for (const Oid part : {partner.protection->relation, partner.table, partner.subject})
        parts_.what.partners = lappend_oid(parts_.what.partners, part);
    }
    parts_.what.path_tables = tables.path_tables();
    parts_.query = query_ = makeNode(Query);
    if (tables.sources.subqueries != NIL) add_subqueries(&parts_.what, tables);
  }

  // `plain`: nobody wrote its private aggregates.
  InnerQueryParts build(const LevelAggregates& aggregates, bool plain) {
    query_->commandType = CMD_SELECT;
    query_->querySource = level_->querySource;
    query_->canSetTag = true;
    ListCell* cell;
    parts_.what.declared = declared_objects(tables_.relations());
    add_tables();
    add_keys();
    if (pays_for_choice(level_, tables_.protection(1).selection, sources_))
      leave_too_many(&parts_.what, level_->groupingSets == NIL && !tables_.chooses_limits);
    add_sets();
    asked_ = list_length(aggregates.ours);
    add_aggregates(aggregates.ours);
    if (!tables_.counts_rows() || tables_.full_unit != nullptr) name_units(&parts_, tables_, per_unit_);
    foreach (cell, aggregates.groupings) {
      auto* const grouping = static_cast<Node*>(lfirst(cell));
      add_answer(grouping, over_running_keys(castNode(GroupingFunc, below(grouping, "GROUPING")), query_->targetList));
      describe_grouping(castNode(GroupingFunc, grouping));
    }
    if (query_->groupingSets != NIL) add_set_column();
    needs_count_ = needs_count_ || (tables_.protection(1).selection.epsilon > 0 && may_be_too_many(parts_.what) &&
                                    !chooses_limits(parts_, tables_, per_unit_, true));
    if (needs_count_) add_count_column();
    query_->hasAggs = aggregates.ours != NIL || needs_count_;
    parts_.what.conditions = conditions_on_keys(query_, checked_keys_, sources_.shows_all);
    ask();
    parts_.what.question = question_of(query_, sources_.shows_all, parts_.what);
    if (per_unit_ != nullptr || !tables_.counts_rows() || sums_openly_ || list_length(calls_) > 1)
      limit_by_unit(&parts_, tables_, per_unit_, plain ? calls_ : NIL);
    add_errors(aggregates.errors);
    if (answers_ != NIL) parts_.what.answers = answers_within(levels_, answers_, inner_queries_, &parts_.moved);
    return parts_;
  }

 private:
  Node* below(Node* expression, const char* place) const { return sources_.over_tables(expression, place); }

  Node* compared(Node* expression) {
    return checkExprHasSubLink(expression) ? with_single_answers(expression, levels_, inner_queries_, &answers_)
                                           : expression;
  }

  // With parameters in the place of the answers that its value and its filter compare with.
  Node* compared(Aggref* aggregate) {
    auto* const filter = reinterpret_cast<Node*>(aggregate->aggfilter);
    aggregate->aggfilter = reinterpret_cast<Expr*>(compared(filter));
    if (aggregate->args != NIL) {
      auto* const value = linitial_node(TargetEntry, aggregate->args);
      value->expr = reinterpret_cast<Expr*>(compared(reinterpret_cast<Node*>(value->expr)));
    }
    return reinterpret_cast<Node*>(aggregate);
  }

  // The expression of an aggregate or a key, over the tables, in the form in which it runs. `total`: as admitted_form()
  // has it.
  Node* checked_with_subqueries(Node* expression, const char* place, Node** total) {
    if (tables_.within == NIL) return admitted_form(expression, place, &parts_.what, total);
    Node* const runs = put_subqueries(admitted_form(with_places(expression, tables_), place, &parts_.what, total),
                                      tables_, &parts_.what);
    query_->hasSubLinks = query_->hasSubLinks || checkExprHasSubLink(runs);
    return runs;
  }

  Node* checked(Node* expression, const char* place) {
    return expression == nullptr ? nullptr : admitted_form(expression, place, &parts_.what);
  }

  // What WHERE asks. What is asked of each person is in the subquery that groups (per_unit_query.h).
  void ask() {
    if (per_unit_ == nullptr && tables_.asks()) ask_subqueries(query_, tables_, &parts_.what);
  }

  void add_tables() {
    ListCell *source, *security_quals;
    forboth(source, sources_.tables, security_quals, sources_.security_quals) {
      auto* const table = static_cast<RangeTblEntry*>(copyObjectImpl(lfirst(source)));
      table->inFromCl = true;
      table->securityQuals = reinterpret_cast<List*>(checked(static_cast<Node*>(lfirst(security_quals)), "WHERE"));
      query_->rtable = lappend(query_->rtable, table);
    }
    names_ = ColumnNames(list_copy_head(query_->rtable, per_unit_ == nullptr ? tables_.units.named : 1));
    if (per_unit_ != nullptr || sources_.per_unit != NIL) read_per_unit();
    query_->rtable = list_concat(query_->rtable, sources_.passed);
    pg::set_permissions(query_, sources_.permissions);
    Node* const condition =
        sources_.conditions == NIL ? nullptr : reinterpret_cast<Node*>(make_ands_explicit(sources_.conditions));
    check_joined(sources_.tree);
    query_->jointree = makeFromExpr(list_make1(sources_.tree), checked(condition, "WHERE"));
  }

  // The conditions of joins.
  void check_joined(Node* tree) {
    if (IsA(tree, RangeTblRef)) return;
    auto* const join = castNode(JoinExpr, tree);
    check_joined(join->larg);
    check_joined(join->rarg);
    join->quals = checked(join->quals, "JOIN");
  }

  void add_keys() {
    ListCell* cell;
    if (per_unit_ == nullptr && sources_.lists != NIL) preserved_ = preserved_rows(level_, sources_);
    foreach (cell, preserved_) lfirst(cell) = checked(below(static_cast<Node*>(lfirst(cell)), "GROUP BY"), "GROUP BY");
    foreach (cell, level_->groupClause) {
      auto* const clause = static_cast<SortGroupClause*>(copyObjectImpl(lfirst(cell)));
      const TargetEntry* const entry = get_sortgroupclause_tle(clause, level_->targetList);
      Node* const written = compared(below(reinterpret_cast<Node*>(entry->expr), "GROUP BY"));
      Node* const key = checked_with_subqueries(in_one_case(written), "GROUP BY", &total_);
      checked_keys_ = lappend(checked_keys_, shown_as(key, written));
      if (expression_returns_set(key)) {
        DP_REFUSE(exprLocation(key), errmsg("GROUP BY of a private query must not call a set-returning function"),
                  errhint("Group by a value of the row itself."));
      }
      // Ascending, whatever ORDER BY made of the clause: groups leave the node in this order.
      const TypeCacheEntry* const type = lookup_type_cache(exprType(key), TYPECACHE_LT_OPR | TYPECACHE_EQ_OPR);
      if (!OidIsValid(type->lt_opr) || !OidIsValid(type->eq_opr)) {
        DP_REFUSE(exprLocation(key),
                  errmsg("a private query cannot group by type %s, which has no order", format_type_be(exprType(key))),
                  errhint("Group by its text: GROUP BY x::text."));
      }
      for (const Oid op : {type->lt_opr, type->eq_opr}) admit_comparison(op, key, "GROUP BY");
      pg::order_by(clause, type, false);
      query_->groupClause = lappend(query_->groupClause, clause);
      char* const name = name_of_key(entry, written);
      add_column(key, name, clause->tleSortGroupRef);
      parts_.keys = lappend(parts_.keys, entry->expr);
      GroupKey* const described = describe(written, key);
      described->name = name;
      parts_.what.keys = lappend(parts_.what.keys, described);
      last_reference_ = Max(last_reference_, clause->tleSortGroupRef);
    }
    require_short_together(query_->targetList);
    if (per_unit_ == nullptr) describe_dependence(preserved_, query_, sources_, &parts_.what);
    if (Node* const rows = sources_.lists == NIL ? nullptr : rows_of_lists(level_, sources_); rows != nullptr)
      query_->jointree->quals = make_and_qual(query_->jointree->quals, checked(below(rows, "JOIN"), "JOIN"));
  }

  GroupKey* describe(Node* written, Node* runs) {
    Node* const where = query_->jointree->quals;
    const KeyForms forms{written, runs, total_, values_of_key(preserved_, list_length(parts_.keys)), query_->rtable};
    if (const int table = per_unit_read_by(written, sources_, per_unit_); table > 0) {
      const PerUnitTable* const joined = sources_.per_unit_at(table);
      const auto& per_unit = joined == nullptr ? static_cast<const PerUnitSubquery&>(*per_unit_) : *joined->rows;
      const Query* const as_run = entry_numbered(table, query_->rtable)->subquery;
      const bool missing = may_be_missing(sources_.tree, table);
      return describe_per_unit_key(forms, per_unit, table, as_run, missing, where, &parts_.what.dependencies);
    }
    if (per_unit_ != nullptr) return describe_computed_key(forms, sources_, names_, where, &parts_.what.dependencies);
    if (checkExprHasSubLink(written)) return describe_sublink_key(forms, sources_, names_, &parts_.what.dependencies);
    return describe_key(forms, sources_, names_, where, &parts_.what.dependencies);
  }

  // The grouping sets, each as the value of GROUPING() over all keys; without grouping sets there is one with all keys.
  void add_sets() {
    query_->groupDistinct = level_->groupDistinct;
    query_->groupingSets = static_cast<List*>(copyObjectImpl(level_->groupingSets));
    List* sets = list_make1(NIL);
    if (query_->groupingSets != NIL) require_few_keys(query_->groupClause);
    if (query_->groupingSets != NIL) sets = expand_grouping_sets(query_->groupingSets, query_->groupDistinct, -1);
    ListCell *set, *clause;
    foreach (set, sets) {
      int mask = 0;
      foreach (clause, query_->groupClause) {
        const auto* const key = static_cast<SortGroupClause*>(lfirst(clause));
        const bool in = query_->groupingSets == NIL ||
                        list_member_int(static_cast<List*>(lfirst(set)), static_cast<int>(key->tleSortGroupRef));
        mask = mask << 1 | !in;
        if (in) need_domain(foreach_current_index(clause));
      }
      parts_.what.masks = lappend_int(parts_.what.masks, mask);
    }
  }

  void need_domain(int number) {
    const GroupKey& key = parts_.what.key(number);
    if (key.is_public()) return;
    Node* const written = below(static_cast<Node*>(list_nth(parts_.keys, number)), "GROUP BY");
    needs_count_ = true;
    require_one_form(key, written, target_numbered(query_->targetList, number + 1));
    const bool of_one_person = is_of_one_person(key);
    if (tables_.protection(1).selection.epsilon > 0) {
      if (of_one_person) refuse_groups_of_one(parts_.what, key, written);
      return;
    }
    if (!of_one_person) parts_.what.selection = selection_by_itself(sources_);
    if (!parts_.what.selection.zero()) return;
    refuse_unknown_groups(parts_.what, key, written, sources_.tables);
  }

  // Adds the number of rows of a group, for the private choice of groups alone: the release node does not let it out.
  void add_count_column() {
    add_column(reinterpret_cast<Node*>(count_rows()), pstrdup("rows"), ++last_reference_);
    parts_.what.count_column = list_length(query_->targetList);
  }

  // The name that the query gives the key, else the column's name, else the expression. No name is used twice.
  char* name_of_key(const TargetEntry* entry, Node* key) const {
    char* name = entry->resname;
    if (name == nullptr && IsA(key, Var) && per_unit_ == nullptr) {
      const auto* const column = castNode(Var, key);
      name = name_of_column(entry_numbered(column->varno, query_->rtable), column->varattno);
    }
    if (name != nullptr && !list_member(parts_.what.key_names(), makeString(name))) return pstrdup(name);
    return text_of_call(key, names_);
  }

  // Calls that are the same once constants are folded are one aggregate: one draw, one charge. Different ones are kept
  // from being merged by the planner, which could find them the same only for the parameters at hand.
  void add_aggregates(List* aggregates) {
    List* columns = NIL;
    ListCell* cell;
    foreach (cell, aggregates) {
      auto* const original = static_cast<Node*>(lfirst(cell));
      Node* const aggregate = compared(castNode(Aggref, below(original, "an aggregate")));
      auto* const call = castNode(Aggref, aggregate);
      if (has_bounds_of_rows(call)) note_row_bounds(call, names_, sources_, &parts_.what);
      auto* const counted = reinterpret_cast<Node*>(call->aggdistinct == NIL ? call : of_public_values(call, sources_));
      Node* const runs = eval_const_expressions(nullptr, checked_with_subqueries(counted, "an aggregate", nullptr));
      // Compared without the values of parameters: a plan for particular values must not charge less than a generic
      // one. One alone is not compared.
      const bool alone = list_length(aggregates) == 1;
      Node* const folded = alone ? aggregate : eval_const_expressions(nullptr, aggregate);
      const int known = position_in(calls_, folded);
      if (known >= 0) {
        parts_.answers = lappend(parts_.answers, original);
        parts_.columns = lappend_int(parts_.columns, list_nth_int(columns, known));
        continue;
      }
      parts_.what.aggregates = lappend(parts_.what.aggregates, makeString(text_of_call(aggregate, names_)));
      calls_ = lappend(calls_, folded);
      sums_openly_ = sums_openly_ || aggregate::is_open_sum(castNode(Aggref, runs));
      if (!alone) keep_apart(castNode(Aggref, runs), castNode(Aggref, folded), list_length(calls_));
      add_answer(original, runs);
      columns = lappend_int(columns, list_length(query_->targetList));
    }
  }

  // GROUPING over all keys: rows of different sets with the same keys (NULLs) are told apart by it.
  void add_set_column() {
    GroupingFunc* const grouping = grouping_of_keys(query_->groupClause, query_->targetList);
    add_column(reinterpret_cast<Node*>(grouping), pstrdup("grouping"), ++last_reference_);
    parts_.what.set_column = list_length(query_->targetList);
    describe_grouping(grouping);
  }

  // Per-unit subqueries in the form in which they run. Expressions are written with the names that they had.
  void read_per_unit() {
    names_.look_up();
    if (per_unit_ == nullptr) return put_all_per_unit(query_->rtable, sources_, &parts_.what);
    put_per_unit(linitial_node(RangeTblEntry, query_->rtable), *per_unit_, &parts_.what);
  }

  // The columns of errors are no part of the question: the release node fills them in.
  void add_errors(List* errors) {
    ListCell* cell;
    foreach (cell, errors) {
      auto* const call = lfirst_node(FuncExpr, cell);
      const auto [aggregate, field] = asked_error(call);
      const int answer = list_nth_int(parts_.columns, position_in(parts_.answers, reinterpret_cast<Node*>(aggregate)));
      auto* const written = static_cast<Node*>(copyObjectImpl(confidence_of_error(call)));
      if (reads_row(written) || contain_agg_clause(written)) {
        DP_REFUSE(call->location, errmsg("the confidence of dp_error must be a constant or a parameter"),
                  errhint("For example dp_error(count(*), 0.95)."));
      }
      Node* const confidence = admitted_form(written, "dp_error", &parts_.what);
      add_answer(reinterpret_cast<Node*>(call), reinterpret_cast<Node*>(makeNullConst(FLOAT8OID, -1, InvalidOid)));
      parts_.what.errors =
          lappend(parts_.what.errors, list_make5(makeInteger(list_length(query_->targetList)), makeInteger(answer),
                                                 makeInteger(field), confidence, makeInteger(asks_bias(call))));
    }
  }

  // Of the last column.
  void describe_grouping(const GroupingFunc* grouping) {
    List* const column = list_make1_int(list_length(query_->targetList));
    parts_.what.groupings = lappend(parts_.what.groupings, with_keys_of(column, grouping, query_->groupClause));
  }

  static int position_in(List* list, Node* node) {
    ListCell* cell;
    foreach (cell, list)
      if (equal(lfirst(cell), node)) return foreach_current_index(cell);
    return -1;
  }

  void add_answer(Node* original, Node* expression) {
    // A column with a reference is not dropped by the planner, even where nobody reads it.
    add_column(expression, psprintf("answer%d", list_length(query_->targetList) + 1), ++last_reference_);
    parts_.answers = lappend(parts_.answers, original);
    parts_.columns = lappend_int(parts_.columns, list_length(query_->targetList));
  }

  void add_column(Node* expression, char* name, Index reference) {
    // Before they are compared with each other, and before there are more than numbers of columns.
    const int columns = list_length(query_->targetList) + 1;
    if (columns + kBehindAnswers > kMostColumns)
      refuse_columns(asked_, Max(columns, list_length(parts_.keys) + asked_) + kBehindAnswers);
    const auto number = static_cast<AttrNumber>(columns);
    TargetEntry* const entry = makeTargetEntry(reinterpret_cast<Expr*>(expression), number, name, false);
    entry->ressortgroupref = reference;
    query_->targetList = lappend(query_->targetList, entry);
  }

  Query* level_;
  List* levels_;
  const InnerQueries& inner_queries_;
  const InnerQueryTables& tables_;
  const PerUnitBelow* per_unit_;
  const Sources& sources_;
  ColumnNames names_{};
  Query* query_;
  InnerQueryParts parts_{};
  List* answers_;             // SingleAnswer*: what it compares with
  Node* total_ = nullptr;     // the last key, in its total form
  List* preserved_ = NIL;     // List, as preserved_rows() has it, in the form in which it runs
  List* checked_keys_ = NIL;  // Node: in the form in which they run
  Index last_reference_ = 0;
  List* calls_ = NIL;  // Aggref: the aggregates, over the tables
  int asked_ = 0;      // aggregates, equal ones included
  bool needs_count_ = false;
  bool sums_openly_ = false;  // values without bounds
};

}  // namespace

std::optional<InnerQueryParts> make_inner_query(Level* here, const PlainLevel& plain,
                                                const InnerQueries& inner_queries) {
  Query* const level = here->query();
  List* const levels = here->around();
  const LevelAggregates& aggregates = here->aggregates();
  if ((!level->hasAggs || aggregates.ours == NIL) && !plain.grouped) return std::nullopt;
  const auto per_unit = reads_subquery(level) ? per_unit_below(level, levels, inner_queries) : std::nullopt;
  auto tables = per_unit ? std::optional(per_unit->tables)
                         : inner_query_tables(level, levels, here->sources(), aggregates.ours, inner_queries);
  if (!tables) return std::nullopt;
  if (aggregates.ordinary != NIL) refuse_ordinary(linitial_node(Aggref, aggregates.ordinary));
  if (list_length(level->groupClause) > 1) drop_dependent_keys(level);
  if (!per_unit && (level->hasSubLinks || tables->sources.asks_among_columns))
    find_subqueries_within(&*tables, level, levels, aggregates.ours, inner_queries);
  Builder builder(level, levels, inner_queries, *tables, per_unit ? &*per_unit : nullptr);
  InnerQueryParts parts = builder.build(aggregates, plain.rewritten);
  parts.what.plain = plain.rewritten;
  parts.what.bounds = plain.bounds;
  parts.what.shared = plain.shared;
  return parts;
}

}  // namespace dp::guard
