// Bounds of what a subquery computes of each person, or of the row's own person.
#include <algorithm>

#include "budget/catalog/unique_indexes.h"
#include "budget/policy/accounts.h"
#include "budget/policy/unit_path.h"
#include "guard/functions/aggregates.h"
#include "guard/functions/constants.h"
#include "guard/relations/per_unit_subquery.h"
#include "guard/relations/per_unit_windows.h"
#include "guard/rewrite/value_finder.h"
#include "guard/tree/by_number.h"
#include "guard/unit_limit/contribution_bounds.h"

namespace dp::guard {

using bounds::Bounds;

static Node* of_argument(const WindowFunc* call, int number) {
  return folded(static_cast<Node*>(list_nth(call->args, number)));
}

Node* Finder::computed_per_unit(const Var* column, const Sources** below) const {
  const PerUnitTable* const joined = sources_->per_unit_at(column->varno);
  *below = joined == nullptr ? sources_->below : joined->below;
  Query* const grouped = joined == nullptr ? sources_->grouped : joined->grouped;
  if (*below == nullptr || grouped == nullptr) return nullptr;
  const Query* const level = pg::flattened(grouped);
  auto* const shown = reinterpret_cast<Node*>(target_numbered(level->targetList, column->varattno)->expr);
  return folded((*below)->over_tables(with_rises(shown, level), "SELECT"));
}

Bounds Finder::of_per_unit(Var* column) {
  const Sources* below;
  Node* const computed = computed_per_unit(column, &below);
  Bounds bounds = computed == nullptr ? narrowed(column, std::nullopt) : of_computed(column, computed, *below, false);
  if (!bounds && computed != nullptr && by_limits_) bounds = of_computed(column, computed, *below, true);
  if (!bounds && found_.open == nullptr) found_.open = column;
  return bounds;
}

Bounds Finder::of_computed(Var* column, Node* computed, const Sources& below, bool by_limits) {
  Finder finder(nullptr, below, NIL);
  const ValueBounds found =
      by_limits ? finder.find_by_limits(computed) : ValueBounds{finder.of(computed), finder.found_.sources};
  Bounds bounds = found.bounds.fact();
  if (bounds) found_.sources = list_concat_unique(found_.sources, found.sources);
  if (!bounds && is_never_negative(reinterpret_cast<Node*>(column))) bounds = bounds::make(0, kEndless);
  bounds = narrowed(column, bounds);
  return bounds && bounds->upper < kEndless ? bounds : std::nullopt;
}

Bounds Finder::of_aggregate(const Aggref* aggregate) {
  if (is_count(aggregate)) return of_count(aggregate);
  const char* const name = name_of_values(aggregate);
  if (name == nullptr) return std::nullopt;
  const Bounds value = of(folded(value_of(aggregate)));
  return strcmp(name, "sum") == 0 ? of_sum(value) : value;
}

Bounds Finder::of_sum(const Bounds& value) {
  const int rows = value ? rows_of_unit() : 0;
  if (rows == 0) return std::nullopt;
  return bounds::make(std::min(value->lower, rows * value->lower), std::max(value->upper, rows * value->upper));
}

// row_number(), rank(), count(x): which row it is, or how many.
static bool counts_rows(const WindowFunc* call) {
  const Window kind = kind_of_window(call->winfnoid);
  return is_plain_count(call->winfnoid) || kind == Window::row_number || kind == Window::rank ||
         kind == Window::dense_rank;
}

Bounds Finder::of_window(const WindowFunc* call) {
  const auto argument = [call](int number) { return of_argument(call, number); };
  if (counts_rows(call)) {
    const int rows = rows_of_unit();
    if (rows == 0) return std::nullopt;
    return bounds::make(call->winagg ? 0 : 1, rows);
  }
  switch (kind_of_window(call->winfnoid)) {
    case Window::percent_rank:
    case Window::cume_dist:
      return bounds::make(0, 1);
    case Window::ntile:
      return bounds::either(bounds::make(1, 1), of(argument(0)));
    case Window::lag:
    case Window::lead:
      if (list_length(call->args) == 3) return of_one(list_make2(argument(0), argument(2)));
      break;
    default:
      break;
  }
  if (call->args == NIL) return std::nullopt;
  const char* const name = get_func_name(call->winfnoid);
  const Bounds value = of(argument(0));
  return call->winagg && strcmp(name, "sum") == 0 ? of_sum(value) : value;
}

Bounds Finder::of_count(const Aggref* count) {
  const int rows = rows_of_unit();
  if (rows == 0) return std::nullopt;
  const bool of_all = grouped_ && count->args == NIL && count->aggfilter == nullptr;  // each group has a row
  return bounds::make(of_all ? 1 : 0, rows);
}

static bool has_one_row(const RangeTblEntry* table, const budget::Protection& protection) {
  const auto path = budget::unit_path(protection, table->relid);
  return path && path->steps == NIL && OidIsValid(budget::unique_index(table->relid, path->column, table->inh));
}

// How many rows of one person a subquery reads, as far as limits of its tables and the session say; 0: that is unknown.
static int rows_by_limits(const Query* level, const Sources& read) {
  const bool alone =
      list_length(level->jointree->fromlist) == 1 && IsA(linitial(level->jointree->fromlist), RangeTblRef);
  int most = 0;
  const bool unknown = read.read().any_table([&](const Sources& sources, int table) {
    const budget::Protection* const protection = sources.protection(table);
    if (protection == nullptr) return false;
    const budget::UnitPolicy& unit = protection->unit;
    const bool one_row = alone && (!unit.declared() || has_one_row(sources.table(table), *protection));
    const int rows = one_row ? 1 : ContributionBounds::of(unit).with(set_limits()).rows_of_all_groups();
    most = std::max(most, rows);
    return rows == 0;
  });
  return unknown ? 0 : most;
}

Bounds Finder::of_subquery(const SubLink* link) {
  Query* const level = pg::flattened(castNode(Query, link->subselect));
  if (!level->hasAggs || level->groupClause != NIL || level->groupingSets != NIL) return std::nullopt;
  Sources read = sources_of(level, list_make1(level));
  if (read.tables == NIL) return std::nullopt;
  read.rows_of_unit = rows_by_limits(level, read);
  auto* const shown = reinterpret_cast<Node*>(linitial_node(TargetEntry, level->targetList)->expr);
  Finder finder(nullptr, read, NIL);
  finder.grouped_ = false;
  finder.by_limits_ = by_limits_;
  const Bounds bounds = finder.of(folded(read.over_tables(shown, "SELECT")));
  if (bounds) found_.sources = list_concat_unique(found_.sources, finder.found_.sources);
  return bounds;
}

int Finder::rows_of_unit() {
  const int rows = sources_ == nullptr || !by_limits_ ? 0 : sources_->rows_of_unit;
  char* const text = psprintf("rows of each person 0 .. %d (limits of the privacy unit)", rows);
  if (rows > 0 && !list_member(found_.sources, makeString(text)))
    found_.sources = lappend(found_.sources, makeString(text));
  return rows;
}

Node* Finder::value_of(const Aggref* aggregate) {
  return reinterpret_cast<Node*>(linitial_node(TargetEntry, aggregate->args)->expr);
}

const char* Finder::name_of_values(const Aggref* aggregate) {
  if (aggregate->aggfnoid >= FirstGenbkiObjectId || list_length(aggregate->args) != 1) return nullptr;
  const char* const name = get_func_name(aggregate->aggfnoid);
  for (const char* const known : {"min", "max", "avg", "sum"}) {
    if (strcmp(name, known) == 0) return name;
  }
  return nullptr;
}

bool Finder::is_count(const Aggref* aggregate) { return is_plain_count(aggregate->aggfnoid); }

bool Finder::is_never_negative(Node* node) {
  check_stack_depth();
  if (IsA(node, Aggref)) {
    const auto* const aggregate = castNode(Aggref, node);
    return is_count(aggregate) ||
           (name_of_values(aggregate) != nullptr && is_never_negative(folded(value_of(aggregate))));
  }
  if (IsA(node, WindowFunc)) {
    const auto* const call = castNode(WindowFunc, node);
    const bool has_default = list_length(call->args) > 2;
    return counts_rows(call) || (call->args != NIL && is_never_negative(of_argument(call, 0)) &&
                                 (!has_default || is_never_negative(of_argument(call, 2))));
  }
  if (IsA(node, Var)) {
    const auto* const column = castNode(Var, node);
    if (sources_ == nullptr || column->varlevelsup > 0 || column->varattno <= 0) return false;
    if (number_range(column).lower >= 0) return true;
    const Sources* below = nullptr;
    Node* const computed =
        sources_->table(column->varno)->rtekind == RTE_SUBQUERY ? computed_per_unit(column, &below) : nullptr;
    if (computed != nullptr) return Finder(nullptr, *below, NIL).is_never_negative(computed);
  }
  const Bounds bounds = of(node);
  return bounds && bounds->lower >= 0;
}

}  // namespace dp::guard
