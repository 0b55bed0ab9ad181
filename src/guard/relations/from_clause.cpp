#include "guard/relations/from_clause.h"

#include <utility>

#include "guard/query/public_rows.h"
#include "guard/relations/constant_rows.h"
#include "guard/relations/first_rows.h"
#include "guard/relations/lateral.h"
#include "guard/relations/nulls.h"
#include "guard/relations/open_lists.h"
#include "guard/relations/over_tables.h"
#include "guard/relations/per_unit_subquery.h"
#include "guard/relations/public_subqueries.h"
#include "guard/relations/row_lists.h"
#include "guard/relations/value_lists.h"
#include "guard/relations/written_values.h"
#include "guard/tree/by_number.h"
#include "guard/tree/entries.h"

namespace dp::guard {
namespace {

// What stands in the way of a function in FROM.
const char* unsupported_reason_of(const RangeTblEntry* entry, List* levels) {
  if (constant_rows(entry, levels) != NIL || open_array(entry) != nullptr) return kUnmatchedList;
  return is_series(entry) ? kOpenSeries : "a function in FROM";
}

// LATERAL stands in the level's FROM.
bool looks_aside(const Query* level) {
  ListCell* cell;
  foreach (cell, level->rtable) {
    if (lfirst_node(RangeTblEntry, cell)->lateral) return true;
  }
  return false;
}

// Neither lists nor anything that may turn out to be one.
bool reads_tables_alone(const Query* level) {
  ListCell* cell;
  foreach (cell, level->rtable) {
    const RTEKind kind = lfirst_node(RangeTblEntry, cell)->rtekind;
    if (kind != RTE_RELATION && kind != RTE_JOIN) return false;
  }
  return true;
}

// Builds the sources of a level from the inside out. Once there is an unsupported reason the rest of the result is not
// used.
class Collector {
 public:
  explicit Collector(bool over_groups) : over_groups_(over_groups) {}

  Sources collect(Query* written, List* levels) {
    Sources sources{};
    sources.catalog_version = budget::catalog_version();
    if (written->commandType == CMD_MERGE) {  // whose conditions read a table that is not in FROM
      sources.unsupported = "MERGE";
      sources.together = together_;
      return sources;
    }
    Query* const level = looks_aside(written) ? without_lateral(written) : written;
    FromExpr* const from =
        reads_tables_alone(level) ? level->jointree : without_value_lists(level, levels, &sources.lists);
    sources.tree = join_all(level, from, levels, sources.lists, &sources.items);
    if (unsupported_ == nullptr) add_where(from->quals, levels, sources.items);
    if (over_groups_ && (grouped_ == nullptr || list_length(tables_) != 1)) obstruct("a grouped subquery");
    if (over_groups_ && preserved_list(sources.lists) > 0) obstruct("a join that keeps the rows of a list");
    sources.grouped = grouped_;
    sources.around_grouped = around_grouped_;
    sources.unsupported = unsupported_;
    sources.too_large = too_large_;
    sources.together = together_;
    if (unsupported_ != nullptr) return sources;
    sources.tables = tables_;
    sources.reads = reads_;
    sources.security_quals = security_quals_;
    sources.conditions = conditions_;
    sources.sublinks = sublinks_;
    sources.around_sublinks = around_sublinks_;
    sources.passed = passed_;
    sources.subqueries = subqueries_;
    sources.subquery_rows = subquery_rows_;
    sources.subquery_about = subquery_about_;
    sources.full = full_;
    sources.per_unit = per_unit_;
    sources.asks_among_columns = asks_among_columns_;
    sources.permissions = permissions_;
    return sources;
  }

 private:
  // As it is now, whatever it goes on to collect.
  Collector kept() const {
    Collector copy = *this;
    for (List** const list : {&copy.tables_, &copy.reads_, &copy.permissions_, &copy.security_quals_, &copy.conditions_,
                              &copy.sublinks_, &copy.around_sublinks_, &copy.passed_, &copy.subqueries_,
                              &copy.subquery_rows_, &copy.subquery_about_, &copy.per_unit_}) {
      *list = list_copy(*list);
    }
    return copy;
  }

  Node* obstruct(const char* unsupported) {
    if (unsupported_ == nullptr) unsupported_ = unsupported;
    return nullptr;
  }

  // An expression over the tables; nullptr where it would be too large.
  Node* placed(Node* expression, List* items, const char* place) {
    const ExpressionSize size = size_over_tables(expression, items);
    if (!size.too_large() && together_->nodes + size.nodes <= ExpressionSize::kMostNodes) {
      together_->nodes += size.nodes;
      return put_over_tables(expression, items);
    }
    too_large_ = place;
    return obstruct(kTooLarge);
  }

  // `levels`: the queries around the conditions, the level in front.
  void add_where(Node* where, List* levels, List* items) {
    ListCell* cell;
    foreach (cell, make_ands_implicit(reinterpret_cast<Expr*>(where))) {
      auto* const written = static_cast<Node*>(lfirst(cell));
      Node* const condition =
          placed(checkExprHasSubLink(written) ? with_written_values(written) : written, items, "WHERE");
      const bool asks = condition != nullptr && checkExprHasSubLink(condition);
      List*& kept = asks ? sublinks_ : conditions_;
      kept = lappend(kept, condition);
      if (asks) around_sublinks_ = lappend(around_sublinks_, levels);
    }
  }

  // The columns of a subquery as expressions over the tables. One that would be too large is left out, and is an
  // unsupported reason only if it is used.
  List* placed_columns(List* columns, List* items, ExpressionSize** sizes) {
    List* placed = NIL;
    *sizes = static_cast<ExpressionSize*>(
        palloc0(sizeof(ExpressionSize) * static_cast<std::size_t>(list_length(columns) + 1)));
    ListCell* cell;
    foreach (cell, columns) {
      auto* const entry = flatCopyTargetEntry(lfirst_node(TargetEntry, cell));
      ExpressionSize& size = (*sizes)[foreach_current_index(cell)];
      size = size_over_tables(reinterpret_cast<Node*>(entry->expr), items);
      if (together_->nodes + size.nodes > ExpressionSize::kMostNodes) size.nodes = ExpressionSize::kMostNodes + 1;
      if (!size.too_large()) {
        together_->nodes += size.nodes;
        entry->expr = reinterpret_cast<Expr*>(put_over_tables(reinterpret_cast<Node*>(entry->expr), items));
      } else {
        entry->expr = nullptr;
      }
      placed = lappend(placed, entry);
    }
    return placed;
  }

  // All of a level's FROM as one tree. `lists`: what was taken out of it.
  Node* join_all(Query* level, const FromExpr* from, List* levels, List* lists, List** items) {
    if (from == nullptr || from->fromlist == NIL) return obstruct(kNoTable);
    Node* tree = nullptr;
    ListCell* cell;
    foreach (cell, from->fromlist) {
      Node* const next = build(level, levels, static_cast<Node*>(lfirst(cell)), items, false);
      if (next == nullptr) return nullptr;
      tree = tree == nullptr ? next : join(JOIN_INNER, tree, next, nullptr);
    }
    List* const tables = list_copy(*items);
    foreach (cell, lists) {
      auto& list = *static_cast<ValueList*>(lfirst(cell));
      auto* const item = static_cast<FromItem*>(palloc0(sizeof(FromItem)));
      item->index = list.number;
      item->entry = list.entry;
      item->columns = list.columns = placed_columns(list.columns, tables, &item->sizes);
      *items = lappend(*items, item);
    }
    return tree;
  }

  static Node* join(JoinType type, Node* left, Node* right, Node* condition) {
    return reinterpret_cast<Node*>(joined(type, left, right, condition));
  }

  // `nullable`: rows may come without this one, as NULLs.
  Node* build(Query* level, List* levels, Node* from, List** items, bool nullable) {
    if (IsA(from, RangeTblRef)) return build_item(level, levels, castNode(RangeTblRef, from)->rtindex, items, nullable);
    const auto* const original = castNode(JoinExpr, from);
    const bool mirrored = original->jointype == JOIN_RIGHT;
    if (nullable) return obstruct(kMissingJoin);
    if (original->jointype == JOIN_FULL) return build_full(level, levels, original, items);
    const bool outer = original->jointype != JOIN_INNER;
    Node* const left = build(level, levels, mirrored ? original->rarg : original->larg, items, false);
    if (left == nullptr) return nullptr;
    List* const before = conditions_;
    if (outer) conditions_ = NIL;
    Node* const right = build(level, levels, mirrored ? original->larg : original->rarg, items, outer);
    if (right == nullptr) return nullptr;
    Node* condition = placed(original->quals, *items, "JOIN");
    if (outer) {
      // What a view or subquery chooses there is what may be joined.
      condition = make_and_qual(
          condition, conditions_ == NIL ? nullptr : reinterpret_cast<Node*>(make_ands_explicit(conditions_)));
      conditions_ = before;
    }
    return join(outer ? JOIN_LEFT : JOIN_INNER, left, right, condition);
  }

  static bool is_full(Node* side) { return IsA(side, JoinExpr) && castNode(JoinExpr, side)->jointype == JOIN_FULL; }

  // Of two tables. What a view or subquery chooses of one of them is chosen before.
  Node* build_full(Query* level, List* levels, const JoinExpr* original, List** items) {
    if (full_ != nullptr || is_full(original->larg) || is_full(original->rarg)) return obstruct(kFullJoins);
    Node* sides[2];
    for (int i = 0; i < 2; ++i) {
      List* const before = std::exchange(conditions_, NIL);
      sides[i] = build(level, levels, i == 0 ? original->larg : original->rarg, items, true);
      if (sides[i] == nullptr) return nullptr;
      test_first(castNode(RangeTblRef, sides[i])->rtindex);
      conditions_ = before;
    }
    Node* const condition = placed(original->quals, *items, "JOIN");
    Node* const tree = join(JOIN_FULL, sides[0], sides[1], condition);
    full_ = castNode(JoinExpr, tree);
    return tree;
  }

  // The conditions so far are to be tested before all others of the table.
  void test_first(int table) {
    if (conditions_ == NIL) return;
    ListCell* const security_quals = list_nth_cell(security_quals_, table - 1);
    lfirst(security_quals) = lappend(static_cast<List*>(lfirst(security_quals)), make_ands_explicit(conditions_));
    conditions_ = NIL;
  }

  Node* build_item(Query* level, List* levels, int index, List** items, bool nullable) {
    RangeTblEntry* const entry = entry_numbered(index, level->rtable);
    if (entry->tablesample != nullptr) return obstruct("TABLESAMPLE");
    if (entry->lateral) return obstruct(kLateral);
    auto* const item = static_cast<FromItem*>(palloc0(sizeof(FromItem)));
    item->index = index;
    item->entry = entry;
    const bool may_run_alone = unsupported_ == nullptr && !over_groups_;
    const Collector before = kept();
    Node* tree = build_entry(level, levels, item, nullable);
    // As a whole also where only a part has to be: its columns are columns then.
    const bool is_plain = tree != nullptr && list_length(subqueries_) == list_length(before.subqueries_);
    Query* const query = may_run_alone && !is_plain ? public_query(entry, levels, &unsupported_) : nullptr;
    if (query != nullptr) {
      *this = before;
      tree = as_public_rows(query, levels, item);
    }
    *items = lappend(*items, item);
    return tree;
  }

  Node* build_entry(Query* level, List* levels, FromItem* item, bool nullable) {
    RangeTblEntry* const entry = item->entry;
    switch (entry->rtekind) {
      case RTE_RELATION:
        return add_table(pg::entry_for(&permissions_, level, entry), item);
      case RTE_SUBQUERY:
        return through(entry->subquery, entry->security_barrier, levels, nullable, item);
      case RTE_CTE: {
        List* outer = NIL;
        CommonTableExpr* const cte = find_cte(entry, levels, &outer);
        if (cte == nullptr || cte->cterecursive) return obstruct("a recursive query");
        if (over_groups_ && is_read_elsewhere(cte, entry, level)) return obstruct("a CTE that is read elsewhere, too");
        return through(castNode(Query, cte->ctequery), false, outer, nullable, item);
      }
      case RTE_FUNCTION:
        return obstruct(unsupported_reason_of(entry, levels));
      case RTE_VALUES:
        return obstruct(kUnmatchedList);
      default:
        return obstruct("something that is not a table in FROM");
    }
  }

  Node* add_table(RangeTblEntry* table, FromItem* item) {
    tables_ = lappend(tables_, table);
    reads_ = lappend(reads_, new (palloc(sizeof(ReadTable))) ReadTable(table->relid));
    security_quals_ = lappend(security_quals_, NIL);
    item->table = list_length(tables_);
    return item_of(item->table);
  }

  Node* as_public_rows(Query* query, List* levels, FromItem* item) {
    subqueries_ = lappend(subqueries_, query);
    const int written = list_length(constant_rows(item->entry, levels));
    const int rows = finds_one(query) ? kFindsOne : rows_found(query, written);
    subquery_rows_ = lappend_int(subquery_rows_, rows);
    subquery_about_ = lappend_int(subquery_about_, rows == 0 ? rows_about(query) : 0);
    return add_table(entry_of_public_rows(item->entry, query, list_length(subqueries_)), item);
  }

  Node* through(Query* subquery, bool barrier, List* levels, bool nullable, FromItem* item) {
    if (over_groups_ && may_be_per_unit(subquery)) return as_grouped(subquery, levels, item);
    if (!over_groups_ && is_marked_as_per_unit(subquery)) return as_per_unit(subquery, levels, item);
    const bool asks = !barrier && !nullable && asks_among_columns(subquery);
    if (const char* const unsupported = more_than_a_choice(subquery); unsupported != nullptr && !asks)
      return obstruct(unsupported);
    asks_among_columns_ = asks_among_columns_ || asks;
    if (nullable && (subquery->hasSubLinks || !is_null_without_row(subquery->targetList)))
      return obstruct(kMissingAsks);
    Query* const flat = pg::flattened(subquery);
    Query* const level = looks_aside(flat) ? without_lateral(flat) : flat;
    List* const outer_conditions = conditions_;
    conditions_ = NIL;
    List* items = NIL;
    List* lists = NIL;
    FromExpr* const from =
        reads_tables_alone(level) ? level->jointree : without_value_lists(level, around(subquery, levels), &lists);
    Node* const tree = join_all(level, from, around(subquery, levels), lists, &items);
    if (tree == nullptr) return nullptr;
    if (nullable && lists != NIL) return obstruct("a list of values on the side of an outer join that may be missing");
    if (preserved_list(lists) > 0) return obstruct("a subquery that keeps the rows of a list");
    if (nullable && !IsA(tree, RangeTblRef)) return obstruct(kMissingJoin);
    if (barrier && checkExprHasSubLink(from->quals)) return obstruct("a security_barrier view that asks");
    add_where(from->quals, around(subquery, levels), items);
    if (barrier && conditions_ != NIL) {
      if (!IsA(tree, RangeTblRef)) return obstruct("a security_barrier view with a join");
      test_first(castNode(RangeTblRef, tree)->rtindex);
    }
    conditions_ = list_concat(list_copy(outer_conditions), conditions_);
    item->columns = placed_columns(level->targetList, items, &item->sizes);
    keep_passed(level);
    return tree;
  }

  // A view's own range-table entries are not read from, but the permissions on the view are checked by them.
  void keep_passed(Query* level) { passed_ = list_concat(passed_, named_only(level, &permissions_)); }

  Node* as_table(Query* subquery, FromItem* item) {
    RangeTblEntry* const entry = entry_of_subquery(subquery, static_cast<Alias*>(copyObjectImpl(item->entry->eref)));
    keep_passed(pg::flattened(subquery));
    return add_table(entry, item);
  }

  Node* as_grouped(Query* subquery, List* levels, FromItem* item) {
    grouped_ = subquery;
    around_grouped_ = around(subquery, levels);
    return as_table(subquery, item);
  }

  Node* as_per_unit(Query* subquery, List* levels, FromItem* item) {
    Query* const grouped = pg::flattened(subquery);
    List* const inside = around(subquery, levels);
    const Sources below = sources_of(grouped, inside);
    if (below.tables == NIL) return obstruct(below.unsupported);
    Node* const tree = as_table(subquery, item);
    auto* const per_unit = static_cast<PerUnitTable*>(palloc0(sizeof(PerUnitTable)));
    per_unit->entry = static_cast<RangeTblEntry*>(llast(tables_));
    per_unit->grouped = grouped;
    per_unit->around = inside;
    per_unit->below = new (palloc(sizeof(Sources))) Sources(below);
    per_unit_ = lappend(per_unit_, per_unit);
    return tree;
  }

  bool over_groups_;
  Query* grouped_ = nullptr;
  List* around_grouped_ = NIL;
  List* per_unit_ = NIL;
  bool asks_among_columns_ = false;
  List* tables_ = NIL;
  List* reads_ = NIL;
  List* permissions_ = NIL;
  List* security_quals_ = NIL;
  List* conditions_ = NIL;
  List* sublinks_ = NIL;
  List* around_sublinks_ = NIL;
  List* passed_ = NIL;
  List* subqueries_ = NIL;
  List* subquery_rows_ = NIL;
  List* subquery_about_ = NIL;
  JoinExpr* full_ = nullptr;
  const char* unsupported_ = nullptr;
  const char* too_large_ = nullptr;
  ExpressionSize* together_ = static_cast<ExpressionSize*>(palloc0(sizeof(ExpressionSize)));
};

}  // namespace

Sources sources_of(Query* level, List* levels) { return Collector(false).collect(level, levels); }

Sources sources_over_groups(Query* level, List* levels) { return Collector(true).collect(level, levels); }

}  // namespace dp::guard
