#include "guard/unit_limit/units.h"

#include <algorithm>

#include "aggregate/call/limit_choice.h"
#include "aggregate/call/prepare_plan.h"
#include "aggregate/unit/unit_states.h"
#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/unique_indexes.h"
#include "budget/policy/domains.h"
#include "guard/functions/aggregates.h"
#include "guard/unit_limit/chosen_rows.h"
#include "guard/unit_limit/divided_arms.h"
#include "guard/unit_limit/listed_values.h"
#include "guard/unit_limit/over_shards.h"
#include "guard/unit_limit/private_counts.h"
#include "guard/unit_limit/taken_values.h"
#include "guard/unit_limit/unit_aggregates.h"
#include "guard/unit_limit/unit_subquery.h"
#include "guard/unit_limit/weighed_units.h"
#include "pg/nodes.h"

namespace dp::guard {
namespace {

// Groups that one query may keep in its aggregates: one unit may be in all of them, and has a state in each, of each
// aggregate. These are in memory, whatever work_mem says.
constexpr std::int64_t kMostGroups = 10'000;
constexpr std::int64_t kMostStates = 100'000;

// The keys that units_row can take: beside them it has its state, the unit and three limits.
constexpr int kMostKeys = FUNC_MAX_ARGS - 5;

Node* node(void* any) { return static_cast<Node*>(any); }

// Whose rows they are, each with one, for EXPLAIN.
char* unique_text(const LimitedUnit& limited) {
  return limited.path == nullptr ? pstrdup("each row") : psprintf("%s: unique", limited.path);
}

class Limiter {
 public:
  Limiter(InnerQueryParts* inner_query, const LimitedUnit& limited, Var* unit)
      : what_(inner_query->what), query_(inner_query->query), limited_(limited), unit_(unit) {
    ListCell* cell;
    foreach (cell, query_->targetList) {
      if (foreach_current_index(cell) == list_length(inner_query->keys)) break;
      keys_ = lappend(keys_, lfirst_node(TargetEntry, cell)->expr);
    }
    shared_ = counts_share(query_, what_.count_column);
    if (!limited.one_row) arms_.take_from(&what_);
    visit_private(query_, what_.count_column, [this](const Aggref* aggregate, int number) {
      if (aggregate::is_open_sum(aggregate)) open_ = lappend_int(open_, number);
    });
    chooses_limits_ = !limited.one_row && (limited.chooses_limits || open_ != NIL);
    if (!chooses_limits_) limits_ = limited.one_row ? ContributionBounds{0, 0, 1} : limited.limits;
  }

  // Whether there are sums whose values have no bounds: for them a limit is chosen, whatever else is declared.
  bool has_open() const { return open_ != NIL; }

  // Tries the way "tables" and returns whether it served.
  bool limit_by_tables() {
    contribute();
    find_once();
    what_.distinct = most_distinct(query_, what_.count_column, what_.parameters);
    const bool shares = shared_ && !chooses_limits_ && !limited_.one_row;
    const bool known = limited_.row_choices == NIL && query_->groupingSets == NIL && what_.count_column == 0 &&
                       !shares && !merges_parts() && made_of_parts() &&
                       aggregate::are_told_by_bytes(unit_->vartype, unit_->varcollid);
    if (!known || (keys_ == NIL ? !samples_fit() : !groups_fit())) return false;
    if ((chooses_limits_ || has_open()) && keeps_rows() && !is_histogram()) keep_one_row();
    if (chooses_limits_) arms_.limit_together(query_);
    tell(true);
    if (keys_ == NIL) {
      by_tables();
    } else {
      keep_groups(query_, unit_, keys_, one_group() ? ContributionBounds{0, 0, limits_.rows_of_one_group()} : limits_);
    }
    return true;
  }

  // Otherwise.
  void limit() {
    if (counts_once()) return tell_once();
    if (chooses_limits_) {
      if (what_.aggregates == NIL && what_.count_column == 0) return;  // a list of groups that are known
      if (what_.aggregates == NIL && query_->groupingSets == NIL && limited_.row_choices == NIL) {
        what_.unit_text = weigh_units(query_, what_.count_column, unit_, keys_, limited_.path);
        what_.weighed = true;
        return;
      }
      refuse_to_choose(what_.first.relation, not_chosen());
    }
    const bool all = limited_.row_choices == NIL && made_of_parts();
    tell(all);
    if (all) {
      by_parts();
    } else if (takes_values()) {
      take_values(rows());
    } else {
      arms_.divide_counts(query_);
      choose_rows(rows(), limited_.row_choices);
    }
  }

  // Why a limit is not chosen, in the words of who asks.
  const char* not_chosen() const {
    if (limited_.row_choices != NIL) return "rows of which the first or latest are kept (rows_kept)";
    if (query_->groupingSets != NIL) return "GROUPING SETS, ROLLUP and CUBE";
    if (what_.count_column != 0) return "groups that are chosen privately";
    if (!aggregate::are_told_by_bytes(unit_->vartype, unit_->varcollid))
      return psprintf("units of type %s", format_type_be(unit_->vartype));
    return made_of_parts() && (!keeps_rows() || is_histogram()) ? "so many groups" : "DISTINCT values and the like";
  }

 private:
  void tell_once() { what_.unit_text = psprintf("%s: once", limited_.path); }

  // Says in EXPLAIN's words what counts of a unit: rows chosen at random, or all rows, limited.
  void tell(bool all) {
    const char* in = "";
    if (limited_.one_row) {
      what_.unit_text = psprintf("%s, sums without bounds limited to an amount that is chosen for a quarter of epsilon",
                                 unique_text(limited_));
      return;
    }
    if (chooses_limits_) {
      const bool once = list_length(what_.once) == list_length(what_.aggregates) && what_.families == NIL;
      const char* how = once ? "once" : "all its rows, limited to a number that is chosen for a quarter of epsilon";
      const char* const kept = keeps_rows() && !is_histogram() ? "; in quantiles one row, chosen at random" : "";
      what_.unit_text = psprintf("%s: %s%s", limited_.path, how, kept);
      return;
    }
    if (counts_once()) return tell_once();
    if (limits_.groups == 0 && limits_.rows > 0 && limits_.rows == limited_.rows_asked) {
      what_.unit_text = psprintf("%s: all its rows, %d at most%s", limited_.path, limits_.rows, distinct_text(what_));
      return;
    }
    if (!one_group() && limits_.groups > 0) {
      in = limits_.both_kinds() ? psprintf(" in all, %d in each of %d groups", limits_.rows_per_group, limits_.groups)
                                : psprintf(" in each of %d groups", limits_.groups);
    }
    if (!all && takes_values()) {
      what_.unit_text = psprintf("%s: %d value%s that no other has taken%s%s", limited_.path, first_limit(),
                                 first_limit() == 1 ? "" : "s", in, distinct_text(what_));
      return;
    }
    if (!all || (keeps_rows() && !keeps_states())) {
      const char* const which =
          limited_.row_choices == NIL ? "chosen at random" : text_of_choices(limited_.row_choices, query_->rtable);
      what_.unit_text = psprintf("%s: %d row%s%s, %s%s", limited_.path, first_limit(), first_limit() == 1 ? "" : "s",
                                 in, which, distinct_text(what_));
      return;
    }
    const char* const kept = keeps_rows() ? "; in histograms and quantiles as many, chosen at random" : "";
    what_.unit_text = psprintf("%s: all its rows, limited to %d%s%s%s", limited_.path, first_limit(), in,
                               shared_ ? ", shared by the counts" : "", kept);
  }

  // Whether a value is the same for all rows of a unit. Where a unit has several forms (1.0 and 1.00), only the unit
  // itself is: what is computed from it can tell them apart.
  bool is_of_unit(Node* expression) const {
    if (equal(expression, unit_)) return true;
    if (!budget::equals_have_same_bytes(unit_->vartype, unit_->varcollid)) return !contain_var_clause(expression);
    ListCell* cell;
    foreach (cell, pull_var_clause(expression, PVC_RECURSE_AGGREGATES)) {
      if (!equal(lfirst(cell), unit_)) return false;
    }
    return true;
  }

  bool one_group() const {
    if (limited_.one_row) return true;
    ListCell* cell;
    foreach (cell, keys_) {
      if (!is_of_unit(node(lfirst(cell)))) return false;
    }
    return true;
  }

  void contribute() {
    if (limited_.one_row) {
      what_.open = open_;
      return;
    }
    const auto one = static_cast<std::uint32_t>(limits_.rows_of_one_group()),
               all = static_cast<std::uint32_t>(limits_.rows_of_all_groups());
    what_.limits = list_make3_int(limits_.rows, limits_.groups, limits_.rows_per_group);
    if (chooses_limits_) {
      what_.unit = {0, one_group() ? 1u : 0u, 0};
    } else if (one_group()) {
      what_.unit = {one, 1, one};
    } else if (limits_.groups == 0) {
      what_.unit = {all, all, all};
    } else {
      // Groups that are different by all keys may be one group in a grouping set with fewer keys.
      what_.unit = {all, static_cast<std::uint32_t>(limits_.groups), query_->groupingSets == NIL ? one : all};
    }
  }

  // The limit that holds first: of the rows in all where there is one, else of those in one group.
  std::int32_t first_limit() const {
    if (one_group()) return limits_.rows_of_one_group();
    return limits_.rows > 0 ? limits_.rows : limits_.rows_per_group;
  }

  bool samples_fit() const { return !keeps_rows() || limits_.rows_of_one_group() <= aggregate::most_kept_in_tables(); }

  // Whether the aggregates can keep the groups: these are known, and few.
  bool groups_fit() const {
    if (keeps_rows() && !(chooses_limits_ && is_histogram())) return false;
    if (what_.aggregates == NIL || what_.groupings != NIL) return false;
    if (counts_once() || list_length(keys_) > kMostKeys) return false;
    std::int64_t groups = 1;
    ListCell* cell;
    foreach (cell, what_.keys) {
      const auto& key = *static_cast<const GroupKey*>(lfirst(cell));
      if (!key.is_public()) return false;
      groups = std::min<std::int64_t>(groups * (key.least + key.may_be_null()), kMostGroups + 1);
    }
    // Where limits are chosen, groups are counted when their values are read (aggregate/call/limit_choice.h).
    if (!chooses_limits_ && !has_open()) groups = limited_.groups;
    return groups <= kMostGroups && groups * list_length(what_.aggregates) <= kMostStates;
  }

  // Whether servers send the states of units in place of rows.
  bool merges_parts() const {
    return !chooses_limits_ && !has_open() && !limited_.one_row && !keeps_rows() && !shared_ &&
           merges_parts_of_units(query_, what_, unit_);
  }

  // Whether it is a histogram by itself: where limits are chosen the aggregates know a unit by its buckets
  // (aggregate/call/unit_buckets.h).
  bool is_histogram() const {
    return list_length(what_.aggregates) == 1 &&
           has_aggregate([](const Aggref* aggregate) { return aggregate::counts_buckets(aggregate->aggfnoid); });
  }

  // Beside chosen limits one row of a unit counts in quantiles, as by said_limits(). A histogram is asked by itself there
  // (rewrite/questions_apart.h).
  void keep_one_row() {
    visit_private(query_, what_.count_column, [this](const Aggref* aggregate, int number) {
      if (aggregate::keeps_rows(aggregate)) what_.once = list_append_unique_int(what_.once, number);
    });
  }

  // Whether nothing needs a limit: a unit has one value in one group.
  bool counts_once() const {
    return list_length(what_.once) == list_length(what_.aggregates) && one_group() && what_.count_column == 0;
  }

  // Finds aggregates over DISTINCT values of the unit itself: a unit has one such value in a group, however many rows.
  void find_once() {
    visit_private(query_, what_.count_column, [this](const Aggref* aggregate, int number) {
      if (aggregate->aggdistinct != NIL && is_of_unit(node(linitial_node(TargetEntry, aggregate->args)->expr))) {
        what_.once = lappend_int(what_.once, number);
      }
    });
  }

  bool made_of_parts() const {
    bool all = true;
    visit_private(query_, what_.count_column, [&](const Aggref* aggregate, int) {
      const bool counts_units = aggregate->aggdistinct != NIL && query_->groupingSets == NIL &&
                                aggregate::is_count(aggregate->aggfnoid) &&
                                equal(linitial_node(TargetEntry, aggregate->args)->expr, unit_);
      const bool plain = aggregate->aggdistinct == NIL && aggregate->aggorder == NIL;
      List* const parameters = list_copy_tail(aggregate->args, values_of(aggregate));
      all = all && (plain || counts_units) && aggregate::answers_by_unit(aggregate->aggfnoid) &&
            !contain_var_clause(node(parameters));
    });
    return all;
  }

  LimitedRows rows() const { return {query_, what_.count_column, unit_, keys_, one_group(), limits_}; }
  bool takes_values() const { return limited_.row_choices == NIL && can_take_values(rows()); }

  // Whether there is an aggregate that counts rows of a unit which are chosen at random, and one that counts all.
  bool keeps_rows() const { return has_aggregate(aggregate::keeps_rows); }
  bool keeps_states() const {
    return has_aggregate([](const Aggref* aggregate) { return !aggregate::keeps_rows(aggregate); });
  }

  template <class Is>
  bool has_aggregate(Is is) const {
    bool found = false;
    visit_private(query_, what_.count_column, [&](const Aggref* aggregate, int) { found = found || is(aggregate); });
    return found;
  }

  List* unit_and_keys() const { return lcons(unit_, list_copy(keys_)); }

  // ---- tables -----------------------------------------------------------------------------------------------------

  void by_tables() {
    int number = 0;
    ListCell* cell;
    foreach (cell, query_->targetList) {
      auto* const entry = lfirst_node(TargetEntry, cell);
      if (!IsA(entry->expr, Aggref)) continue;
      // None where it is chosen.
      const bool chosen = list_member_int(what_.open, number);
      const int most = list_member_int(what_.once, number++) ? 1 : chosen ? 0 : limits_.rows_of_one_group();
      entry->expr = reinterpret_cast<Expr*>(over_units(castNode(Aggref, entry->expr), unit_, most));
    }
  }

  // ---- parts ------------------------------------------------------------------------------------------------------

  // Where a unit has too many groups, some are left out; where it has too many rows in those that are left, each gets a
  // share of them. With limits for both, the second needs a subquery around the first.
  void by_parts() {
    UnitSubquery inner(query_);
    inner.group_by(unit_and_keys());
    inner.see_keys(list_length(keys_));
    const bool chosen = limits_.groups > 0 && !one_group();
    List* const order = random_order(unit_and_keys(), keys_);
    if (chosen) inner.keep_first(inner.number(kRowNumber, list_make1(unit_), order), limits_.groups);
    if (chosen && limits_.rows > 0) {
      UnitSubquery outer(query_);
      outer.see_keys(list_length(keys_));
      make_totals(&outer, [&inner](Expr* expression) { return column(&inner, expression); });
      outer.finish();
    } else {
      make_totals(&inner, [](Expr* expression) { return expression; });
    }
    inner.finish();
  }

  // The aggregates from the parts of the units' groups. `read`: an expression over the rows of a unit's group, as the
  // last subquery sees it.
  template <class Read>
  void make_totals(UnitSubquery* last, Read read) {
    Expr* const unit = read(reinterpret_cast<Expr*>(unit_));
    List* keys = NIL;
    ListCell* cell;
    foreach (cell, keys_) keys = lappend(keys, read(static_cast<Expr*>(lfirst(cell))));
    const bool shares = limits_.rows > 0 && !one_group();
    Expr* const rows =
        shares ? share_of_rows(last, unit, keys, read(rows_of_group()), limits_.rows) : whole(first_limit());
    Expr* const seen = shares ? column(last, rows) : rows;
    int number = 0;
    foreach (cell, query_->targetList) {
      auto* const entry = lfirst_node(TargetEntry, cell);
      if (!IsA(entry->expr, Aggref)) continue;
      auto* const aggregate = castNode(Aggref, entry->expr);
      if (entry->resno != what_.count_column) {
        Var* const part = last->column(read(reinterpret_cast<Expr*>(part_of(aggregate, limits_.rows_of_one_group()))));
        const bool once = list_member_int(what_.once, number);
        Expr* limit = once ? whole(1) : seen;
        if (shared_ && counts_by_condition(aggregate)) {
          Expr* const key = column(last, key_of_counts(lcons(unit, list_copy(keys))));
          const auto rows_of = [&](Aggref* count) { return column(last, read(reinterpret_cast<Expr*>(count))); };
          Expr* const counted = rows_of(count_where(counted_value(aggregate), aggregate->aggfilter));
          Expr* const up_to = arms_.divide(number) ? rows_of(arms_.rows_up_to(number, aggregate)) : counted;
          limit = unit_rows(list_make5(key, seen, counted, up_to, rows_of(count_rows())));
        }
        ++number;
        entry->expr = reinterpret_cast<Expr*>(total_of(aggregate, part, limit));
      } else if (query_->groupingSets != NIL) {
        entry->expr = reinterpret_cast<Expr*>(count_different(last->column(unit)));
      } else if (weighs_groups(what_.unit.groups)) {
        what_.weighed = true;
        weigh(last, entry, list_make1(unit), what_.unit.groups);
      }
    }
    if (shares) last->keep_from(castNode(Var, seen), 1);
  }

  // The rows of a unit in a group, as far as one group may have them.
  Expr* rows_of_group() const {
    auto* const rows = reinterpret_cast<Expr*>(count_rows());
    if (limits_.groups == 0) return rows;
    return unit_rows(list_make5(whole(0), whole(limits_.rows_per_group), rows, rows, rows));
  }

  static Expr* column(UnitSubquery* inner, Expr* expression) {
    return reinterpret_cast<Expr*>(inner->column(expression));
  }

  static Expr* whole(int number) { return reinterpret_cast<Expr*>(pg::int8_constant(number)); }

  InnerQuery& what_;
  Query* query_;
  const LimitedUnit& limited_;
  ContributionBounds limits_;    // none where they are chosen
  bool chooses_limits_ = false;  // of all aggregates; where a unit has one row of those in `open_`
  List* open_ = NIL;             // int, as visit_private() numbers them
  Var* unit_;
  List* keys_ = NIL;
  bool shared_ = false;  // counts_share()
  DividedArms arms_;
};

}  // namespace

const char* limit_units(InnerQueryParts* inner_query, const LimitedUnit& limited) {
  auto* const column = static_cast<Var*>(copyObjectImpl(limited.column));
  Limiter limiter(inner_query, limited, column);
  if (limited.one_row && limited.path != nullptr) inner_query->what.unit_text = unique_text(limited);
  const bool open = limiter.has_open();
  if ((open || !limited.one_row) && limiter.limit_by_tables()) return nullptr;  // these skip rows whose unit is NULL
  if (open) return limiter.not_chosen();
  if (limited.nullable) {
    Node* const known = pg::is_not_null(column);
    Node*& conditions = inner_query->query->jointree->quals;
    conditions = make_and_qual(conditions, known);
  }
  if (!limited.one_row) limiter.limit();
  return nullptr;
}

}  // namespace dp::guard
