#include "guard/rewrite/rewrite.h"

#include "guard/query/settings.h"
#include "guard/relations/from_clause.h"
#include "guard/rewrite/consistent_levels.h"
#include "guard/rewrite/empty_levels.h"
#include "guard/rewrite/free_levels.h"
#include "guard/rewrite/inner_builder.h"
#include "guard/rewrite/joined_answers.h"
#include "guard/rewrite/level_copies.h"
#include "guard/rewrite/listed_groups.h"
#include "guard/rewrite/modes_by_group.h"
#include "guard/rewrite/outer_query.h"
#include "guard/rewrite/per_unit_below.h"
#include "guard/rewrite/questions_apart.h"
#include "guard/rewrite/rounded_answers.h"
#include "guard/rewrite/single_rows.h"
#include "guard/rewrite/spread_scans.h"
#include "guard/rewrite/steps.h"
#include "guard/rewrite/window_curves.h"
#include "guard/tree/fault.h"
#include "guard/tree/valid_tree.h"
#include "pg/nodes.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

struct Rewriting {
  List* levels;  // the queries around the current node, innermost first
  InnerQueries* inner_queries;
  List* per_unit;                    // Query: of per-unit subqueries, whose aggregates are no answers
  const char* not_fitted = nullptr;  // why answers of grouping sets that are asked apart do not add up, for EXPLAIN
  Price price = Price::numbers;      // of questions that are asked apart
};

// Whether the rows of a level, apart from CTEs, are made of something that the walker finds.
bool rows_hold(const Query* level, bool (*walker)(Node*, void*), void* context) {
  Query rows = *level;
  rows.targetList = rows.cteList = rows.windowClause = NIL;
  rows.havingQual = rows.limitCount = rows.limitOffset = nullptr;
  return pg::walk_query(&rows, walker, context, 0);
}

// What the planner may make several copies of, though it holds an inner query, is kept from that: each copy would be a
// draw and a charge.
void keep_single(Query* query, bool top, InnerQueries* inner_queries) {
  ListCell* cell;
  foreach (cell, query->cteList) {
    auto* const cte = static_cast<CommonTableExpr*>(lfirst(cell));
    if (holds_inner_query(cte->ctequery, inner_queries)) cte->ctematerialized = CTEMaterializeAlways;
  }
  if (top || query->limitOffset != nullptr ||
      !holds_inner_query(reinterpret_cast<Node*>(query->targetList), inner_queries))
    return;
  query->limitOffset = reinterpret_cast<Node*>(pg::int8_constant(0));
}

// Whether the level may have to be looked at again as it was written.
bool is_asked_again(Level* level) {
  const Query* const query = level->query();
  if (has_keys(query) || query->groupingSets != NIL) return true;
  if (!query->hasAggs) return false;
  const LevelAggregates& found = level->aggregates();
  return list_length(found.ours) + list_length(found.ordinary) > 1;
}

// A level whose ordinary aggregates and groups share a price: what it would be split into at the whole one says whether
// they do.
bool shares_price(const PlainLevel& plain, const std::optional<InnerQueryParts>& inner_query) {
  return plain.changed && inner_query && !inner_query->what.selection.zero();
}

// Its CTEs stay: they know who reads them.
void restore(Query* level, const Query& written) {
  List* const ctes = level->cteList;
  *level = written;
  level->cteList = ctes;
}

// Whether the innermost of the levels is what INSERT puts into a table.
bool stores(const List* levels) {
  return list_length(levels) == 2 && static_cast<const Query*>(lsecond(levels))->commandType == CMD_INSERT;
}

void split(Query* query, const Rewriting& here);

// Lists of groups (Query) within a level, which share what the private choice of groups costs.
void split_lists(List* lists, const Rewriting& here) {
  const int count = list_length(lists);
  ListCell *cell, *entry;
  foreach (cell, lists) {
    auto* const list = lfirst_node(Query, cell);
    split(list, {around(list, here.levels), here.inner_queries, here.per_unit});
    keep_single(list, false, here.inner_queries);
    foreach (entry, list->rtable) {
      const Query* const subquery = lfirst_node(RangeTblEntry, entry)->subquery;
      InnerQuery* const what = subquery == nullptr ? nullptr : here.inner_queries->find(subquery);
      if (what != nullptr) what->selection = {what->selection.epsilon / count, what->selection.delta / count};
    }
  }
}

// Questions (Query) within a level that stand in the place of calls of mode().
void split_modes(List* questions, const Rewriting& here) {
  ListCell* cell;
  foreach (cell, questions) {
    auto* const question = lfirst_node(Query, cell);
    split(question, {around(question, here.levels), here.inner_queries, here.per_unit});
    keep_single(question, false, here.inner_queries);
  }
}

// A level that is asked as several questions, at that price.
void split_apart(Query* level, const InnerQueryParts& tried, const Rewriting& here, Price price) {
  const bool fits = level->groupingSets != NIL && makes_consistent() != Consistent::no;
  const char* const not_fitted = fits ? "each level is a question with limits of its own" : nullptr;
  const QuestionsApart apart =
      ask_apart(level, here.levels, tried, rows_hold(level, holds_inner_query, here.inner_queries));
  ListCell* cell;
  foreach (cell, apart.questions) {
    auto* const question = lfirst_node(Query, cell);
    split(question, {around(question, apart.levels), here.inner_queries, here.per_unit, not_fitted, price});
    keep_single(question, false, here.inner_queries);
  }
}

// Puts an inner query and an outer one in the place of a private query; leaves another one as it is.
void split(Query* query, const Rewriting& here) {
  const auto made_by = [&here](const Query* tree, const char* step) {
    assert_valid(tree, TreeAround::within(here.levels, 1), step);
  };
  Query* const level = pg::flattened(query);
  made_by(level, "columns of joins written out");
  JoinedAnswers joined{};
  if (reads_subquery(level)) {
    take_single_rows(level, here.levels, *here.inner_queries);
    made_by(level, "take_single_rows");
    joined = take_joined_answers(level, here.levels, *here.inner_queries);
    if (joined.entries == NIL) made_by(level, "take_joined_answers");
  }
  List* const modes = joined.entries == NIL && may_ask_modes(level) ? ask_modes_by_group(level, here.levels) : NIL;
  if (modes != NIL) {
    split_modes(modes, here);
    made_by(level, "ask_modes_by_group");
    *query = *level;
    if (!level->hasAggs) return;
  }
  // What the statement itself shows, and not what something else is made of.
  const bool shows = list_length(here.levels) == 1;
  const bool rounds = shows && rounds_answers();
  const bool fits = (shows || stores(here.levels)) && joined.entries == NIL && level->groupingSets != NIL &&
                    makes_consistent() != Consistent::no;
  Level read(level, here.levels);
  const Query* written = rounds || is_asked_again(&read) ? static_cast<Query*>(copyObjectImpl(level)) : nullptr;
  PlainLevel plain = make_aggregates_private(&read, *here.inner_queries, here.price);
  if (joined.entries == NIL) made_by(level, "make_aggregates_private");
  if (plain.depends_on_role) here.inner_queries->note_role();
  auto inner_query = make_inner_query(&read, plain, *here.inner_queries);
  const char* fitted = fits && inner_query ? why_not_fitted(inner_query->what) : here.not_fitted;
  bool marked = false;
  if (inner_query && (rounds || fits)) {
    restore(level, *written);
    if (rounds) round_answers(level);
    if (rounds) made_by(level, "round_answers");
    marked = fits && fitted == nullptr && inner_query->apart == Apart::no && mark_to_fit(level);
    if (marked) made_by(level, "mark_to_fit");
    written = static_cast<Query*>(copyObjectImpl(level));
    Level rounded(level, here.levels);
    plain = make_aggregates_private(&rounded, *here.inner_queries, here.price);
    inner_query = make_inner_query(&rounded, plain, *here.inner_queries);
  }
  const bool groups_first = inner_query && inner_query->groups_first;
  const auto ask_questions_apart = [&](Price price) {
    restore(level, *written);
    split_apart(level, *inner_query, here, price);
    made_by(level, "ask_apart");
    *query = *level;
  };
  if (inner_query && inner_query->apart != Apart::no && !groups_first) return ask_questions_apart(here.price);
  if (written != nullptr && (shares_price(plain, inner_query) || groups_first)) {
    const Price price = shares_price(plain, inner_query) ? Price::numbers_and_groups : Price::numbers;
    restore(level, *written);
    if (groups_first) {
      split_lists(list_groups(level, here.levels, *inner_query, *here.inner_queries), here);
      made_by(level, "list_groups");
      written = static_cast<Query*>(copyObjectImpl(level));
    }
    Level priced(level, here.levels);
    plain = make_aggregates_private(&priced, *here.inner_queries, price);
    inner_query = make_inner_query(&priced, plain, *here.inner_queries);
    if (inner_query && inner_query->apart != Apart::no) return ask_questions_apart(price);
  }
  if (!inner_query) {
    if (plain.changed && joined.entries == NIL) *query = *level;
    return;
  }
  if (inner_query->groups_first) refuse_groups_first(*inner_query);
  if (inner_query->apart != Apart::no) raise_tree_fault("a question whose answers are limited in several ways");
  assert_valid(inner_query->query, TreeAround::with_parameters(inner_query->what.parameters), "make_inner_query");
  release_ctes(level, here.levels);
  make_outer_query(level, *inner_query);
  if (joined.entries == NIL && level->windowClause != NIL) find_curves(level, &*inner_query);
  if (marked) {
    fit_levels(level, *inner_query);
    inner_query->what.fitted = fitted_text(inner_query->what);
  } else if (fitted != nullptr) {
    inner_query->what.fitted = psprintf("no: %s", fitted);
  }
  if (joined.entries == NIL) made_by(level, "make_outer_query");
  if (joined.entries != NIL) join_answers(level, joined, *inner_query);
  made_by(level, "join_answers");
  *query = *level;
  if (inner_query->what.subqueries != NIL) stop_at_last_elements(inner_query->query, inner_query->what);
  assert_valid(inner_query->query, TreeAround::with_parameters(inner_query->what.parameters), "stop_at_last_elements");
  here.inner_queries->add(inner_query->query, inner_query->what);
  ListCell* cell;
  foreach (cell, inner_query->moved) {
    const auto* const moved = static_cast<const MovedAnswers*>(lfirst(cell));
    moved->of->answers = moved->answers;
  }
}

bool rewrite_below(Node* node, void* context) {
  if (node == nullptr) return false;
  if (!IsA(node, Query)) return pg::walk(node, rewrite_below, context);
  auto* const query = castNode(Query, node);
  if (may_be_empty(query)) empty_certainly(query);
  const auto& outer = *static_cast<const Rewriting*>(context);
  Rewriting inner{around(query, outer.levels), outer.inner_queries, outer.per_unit};
  // CTEs first, so that they are rewritten before the levels that read them.
  rewrite_below(reinterpret_cast<Node*>(query->cteList), &inner);
  pg::walk_query(query, rewrite_below, &inner, QTW_IGNORE_CTE_SUBQUERIES);
  if ((query->hasAggs || has_keys(query)) && !list_member_ptr(inner.per_unit, query)) split(query, inner);
  keep_single(query, outer.levels == NIL, inner.inner_queries);
  return false;
}

}  // namespace

namespace {

struct Writing {
  List* levels;
  const InnerQueries* none;
  List* per_unit;  // as Rewriting has it
  List** written;  // Query: in which private calls have been written
  Price price = Price::numbers;
};

// Whether private calls have been written in it.
bool holds_private_calls(Node* node, void*) {
  if (node == nullptr) return false;
  if (!IsA(node, Query)) return pg::walk(node, holds_private_calls, nullptr);
  auto* const query = castNode(Query, node);
  return aggregates_of(query).ours != NIL || pg::walk_query(query, holds_private_calls, nullptr, 0);
}

bool write(Query* level, const Writing& here);

void write_apart(Query* level, const InnerQueryParts& tried, bool of_answers, const Writing& here, Price price) {
  const QuestionsApart apart = ask_apart(level, here.levels, tried, of_answers);
  ListCell* cell;
  foreach (cell, apart.questions) {
    auto* const question = lfirst_node(Query, cell);
    write(question, {around(question, apart.levels), here.none, here.per_unit, here.written, price});
  }
}

// Private calls in the place of the level's ordinary ones. The level shows what is joined to its answers where it is
// written: among its tables.
bool write(Query* level, const Writing& here) {
  if (reads_subquery(level)) take_single_rows(level, here.levels, *here.none);
  Query without = *level;
  const bool joined = take_written_answers(&without, here.levels, *here.written);
  const bool of_answers = rows_hold(&without, holds_private_calls, nullptr);
  List* const modes = !joined && may_ask_modes(&without) ? ask_modes_by_group(&without, here.levels) : NIL;
  if (modes != NIL) *level = without;
  ListCell* cell;
  foreach (cell, modes) {
    auto* const question = lfirst_node(Query, cell);
    write(question, {around(question, here.levels), here.none, here.per_unit, here.written});
  }
  if (modes != NIL && !level->hasAggs) return true;
  Level read(&without, here.levels);
  const Query* const written = is_asked_again(&read) ? static_cast<Query*>(copyObjectImpl(&without)) : nullptr;
  const PlainLevel plain = make_aggregates_private(&read, *here.none, here.price);
  if (!plain.changed) return false;
  if (written != nullptr) {
    Level tried(static_cast<Query*>(copyObjectImpl(&without)), here.levels);
    const auto inner_query = make_inner_query(&tried, plain, *here.none);
    const bool groups_first = inner_query && inner_query->groups_first;
    if (inner_query && inner_query->apart != Apart::no && !groups_first) {
      *level = *written;
      write_apart(level, *inner_query, of_answers, here, here.price);
      return true;
    }
    if (shares_price(plain, inner_query) || groups_first) {
      const Price price = shares_price(plain, inner_query) ? Price::numbers_and_groups : Price::numbers;
      without = *written;
      if (groups_first) list_groups(&without, here.levels, *inner_query, *here.none);
      if (groups_first && inner_query->apart != Apart::no) {
        *level = without;
        write_apart(level, *inner_query, of_answers, here, price);
        return true;
      }
      Level priced(&without, here.levels);
      make_aggregates_private(&priced, *here.none, price);
    }
  }
  if (joined) {
    without.rtable = level->rtable;
    without.jointree = level->jointree;
  }
  *level = without;
  return true;
}

bool write_below(Node* node, void* context) {
  if (node == nullptr) return false;
  if (!IsA(node, Query)) return pg::walk(node, write_below, context);
  auto* const query = castNode(Query, node);
  if (may_be_empty(query)) empty_certainly(query);
  const auto& outer = *static_cast<const Writing*>(context);
  Writing inner{around(query, outer.levels), outer.none, outer.per_unit, outer.written};
  // As they are split.
  write_below(reinterpret_cast<Node*>(query->cteList), &inner);
  pg::walk_query(query, write_below, &inner, QTW_IGNORE_CTE_SUBQUERIES);
  if (!query->hasAggs || list_member_ptr(inner.per_unit, query)) return false;
  Query* const level = pg::flattened(query);
  if (!write(level, inner)) return false;
  *query = *level;
  *inner.written = lappend(*inner.written, query);
  return false;
}

// The per-unit subqueries in it.
List* per_unit_within(Query* statement, Traits traits, const InnerQueries& inner_queries) {
  return traits.has_any(Trait::queries) ? all_per_unit(statement, inner_queries) : NIL;
}

}  // namespace

void write_private_calls(Query* query) {
  forget_query_ids(query);
  const Traits traits = take_steps_to_show(query);
  const InnerQueries none;
  List* written = NIL;
  Writing outermost{NIL, &none, per_unit_within(query, traits, none), &written};
  write_below(reinterpret_cast<Node*>(query), &outermost);
}

void rewrite_private_queries(Query* query, Traits traits, InnerQueries* inner_queries) {
  forget_query_ids(query);
  const Traits then = take_steps(query, traits);
  Rewriting outermost{NIL, inner_queries, per_unit_within(query, then, *inner_queries)};
  inner_queries->begin_splitting();
  rewrite_below(reinterpret_cast<Node*>(query), &outermost);
  if (!inner_queries->empty()) take_last_steps(query, then, *inner_queries);
}

}  // namespace dp::guard
