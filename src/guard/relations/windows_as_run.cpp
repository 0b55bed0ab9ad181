// Windows within one person in the form in which they run.
#include "guard/admission/admission.h"
#include "guard/admission/refusal.h"
#include "guard/admission/total_aggregates.h"
#include "guard/admission/total_windows.h"
#include "guard/forms/extension_forms.h"
#include "guard/functions/aggregates.h"
#include "guard/functions/constants.h"
#include "guard/relations/per_unit_windows.h"
#include "guard/unit_limit/unit_subquery.h"
#include "pg/nodes.h"

namespace dp::guard {
namespace {

class Windows {
 public:
  Windows(const Query* level, Query* query) : level_(level), query_(query) {}

  void put() {
    ListCell* cell;
    List* const calls = window_calls(query_->targetList);
    query_->hasWindowFuncs = calls != NIL;
    foreach (cell, calls) {
      auto* const call = lfirst_node(WindowFunc, cell);
      call->winref = put_window(call)->winref;
    }
    put_distinct();
  }

 private:
  // The clause of a key, by the order of its type, in the direction that is written.
  SortGroupClause* ordered(const SortGroupClause* written, const char* place) const {
    auto* const clause = static_cast<SortGroupClause*>(copyObjectImpl(written));
    auto* const key = reinterpret_cast<Node*>(get_sortgroupclause_tle(clause, query_->targetList)->expr);
    const TypeCacheEntry* const type =
        lookup_type_cache(exprType(key), TYPECACHE_LT_OPR | TYPECACHE_GT_OPR | TYPECACHE_EQ_OPR);
    if (in_one_case(key) != key) {
      DP_REFUSE(exprLocation(key), errmsg("%s of a private query is of citext, whose case is not fixed", place),
                errhint("Write lower(x::text)."));
    }
    const bool descending = OidIsValid(clause->sortop) && clause->sortop == type->gt_opr;
    if (!OidIsValid(type->lt_opr) || (OidIsValid(clause->sortop) && clause->sortop != type->lt_opr && !descending)) {
      DP_REFUSE(exprLocation(key), errmsg("%s of a private query is by another order than that of its type", place),
                errhint("Write ORDER BY x or ORDER BY x DESC, for types without an order of x::text."));
    }
    const bool nulls_first = clause->nulls_first;
    pg::order_by(clause, type, descending);
    clause->nulls_first = nulls_first;
    for (const Oid op : {clause->sortop, clause->eqop}) admit_comparison(op, key, place);
    return clause;
  }

  List* all_ordered(List* written, const char* place) const {
    List* clauses = NIL;
    ListCell* cell;
    foreach (cell, written) clauses = lappend(clauses, ordered(lfirst_node(SortGroupClause, cell), place));
    return clauses;
  }

  TargetEntry* add_column(Expr* value, const char* name) const {
    const auto number = static_cast<AttrNumber>(list_length(query_->targetList) + 1);
    TargetEntry* const entry = makeTargetEntry(value, number, pstrdup(name), false);
    query_->targetList = lappend(query_->targetList, entry);
    assignSortGroupRef(entry, query_->targetList);
    return entry;
  }

  // By all that is shown of a row; of a group, by what it is told apart by.
  SortGroupClause* order_of_ties() {
    if (ties_ == nullptr) {
      List* const seen = query_->groupClause != NIL
                             ? get_sortgrouplist_exprs(query_->groupClause, query_->targetList)
                             : pull_var_clause(reinterpret_cast<Node*>(query_->targetList), PVC_RECURSE_WINDOWFUNCS);
      const TargetEntry* const entry = add_column(keyed_hash(list_concat_unique(NIL, seen)), "ties");
      query_->hasSubLinks = true;
      ties_ = makeNode(SortGroupClause);
      ties_->tleSortGroupRef = entry->ressortgroupref;
      pg::order_by(ties_, lookup_type_cache(INT8OID, TYPECACHE_LT_OPR | TYPECACHE_EQ_OPR), false);
    }
    return static_cast<SortGroupClause*>(copyObjectImpl(ties_));
  }

  // The window of that call as it runs, which calls share.
  WindowClause* put_window(const WindowFunc* call) {
    auto* const window = static_cast<WindowClause*>(copyObjectImpl(window_of(call, level_->windowClause)));
    window->name = window->refname = nullptr;
    window->copiedOrder = false;
    window->partitionClause = all_ordered(window->partitionClause, "PARTITION BY");
    window->orderClause = all_ordered(window->orderClause, "ORDER BY of a window");
    put_frame(window);
    if (takes_rows_in_order(call, window->frameOptions)) {
      take_rows_in_order(call, window);
      window->orderClause = lappend(window->orderClause, order_of_ties());
    }
    ListCell* cell;
    foreach (cell, query_->windowClause) {
      auto* const known = lfirst_node(WindowClause, cell);
      window->winref = known->winref;
      if (equal(known, window)) return known;
    }
    window->winref = static_cast<Index>(list_length(query_->windowClause) + 1);
    query_->windowClause = lappend(query_->windowClause, window);
    return window;
  }

  void put_frame(WindowClause* window) {
    for (Node** const offset : {&window->startOffset, &window->endOffset}) {
      if (*offset != nullptr) *offset = folded(*offset);
    }
    if (!is_total_frame(window->frameOptions, window->startOffset, window->endOffset, window->startInRangeFunc,
                        window->endInRangeFunc)) {
      DP_REFUSE(
          exprLocation(window->startOffset != nullptr ? window->startOffset : window->endOffset),
          errmsg("a window frame below private aggregates has an offset that can fail"),
          errhint("Write a constant that is not negative: ROWS 3 PRECEDING, RANGE 7 PRECEDING of whole numbers and "
                  "float8, RANGE '30 days' PRECEDING of dates and timestamps, up to a thousand years."));
    }
    if ((window->frameOptions & FRAMEOPTION_RANGE) == 0 ||
        (window->startOffset == nullptr && window->endOffset == nullptr))
      return;
    // By RANGE with an offset the window is ordered by one value.
    auto* const clause = linitial_node(SortGroupClause, window->orderClause);
    Expr* const value = get_sortgroupclause_tle(clause, query_->targetList)->expr;
    const Oid type = exprType(reinterpret_cast<Node*>(value));
    if (type == DATEOID || type == TIMESTAMPOID || type == TIMESTAMPTZOID) {
      clause->tleSortGroupRef =
          add_column(within_far_ends(static_cast<Expr*>(copyObjectImpl(value))), "within")->ressortgroupref;
    }
  }

  // The frame of a window whose rows come one after the other, and no longer those together that ORDER BY does not tell
  // apart.
  static void take_rows_in_order(const WindowFunc* call, WindowClause* window) {
    const int frame = window->frameOptions;
    const Window kind = kind_of_window(call->winfnoid);
    const bool of_frame = kind == Window::first_value || kind == Window::last_value || kind == Window::nth_value;
    if (!call->winagg && !of_frame) {
      window->frameOptions = FRAMEOPTION_DEFAULTS;
      window->startOffset = window->endOffset = nullptr;
      window->startInRangeFunc = window->endInRangeFunc = InvalidOid;
      return;
    }
    if ((frame & FRAMEOPTION_ROWS) != 0) return;
    constexpr int kAll = FRAMEOPTION_START_UNBOUNDED_PRECEDING | FRAMEOPTION_END_UNBOUNDED_FOLLOWING;
    const bool excludes = (frame & FRAMEOPTION_EXCLUSION) != 0;
    // Without ORDER BY the current row stands for all.
    const bool from_first = (frame & FRAMEOPTION_START_UNBOUNDED_PRECEDING) != 0 ||
                            (window->orderClause == NIL && (frame & FRAMEOPTION_START_CURRENT_ROW) != 0);
    const bool to_last = (frame & FRAMEOPTION_END_UNBOUNDED_FOLLOWING) != 0 ||
                         (window->orderClause == NIL && (frame & FRAMEOPTION_END_CURRENT_ROW) != 0);
    const bool to_current = (frame & FRAMEOPTION_END_CURRENT_ROW) != 0;
    if (!excludes && from_first && (to_last || (to_current && kind == Window::first_value))) {
      window->frameOptions = FRAMEOPTION_NONDEFAULT | FRAMEOPTION_ROWS | FRAMEOPTION_BETWEEN | kAll;
      return;
    }
    if (adds_floats(call->winfnoid)) {
      DP_REFUSE(call->location,
                errmsg("%s of floating numbers below private aggregates depends on the order of rows that ORDER BY "
                       "does not tell apart, which is any",
                       get_func_name(call->winfnoid)),
                errhint("Write its frame in rows, OVER (... ROWS UNBOUNDED PRECEDING), or take exact numbers: "
                        "%s(x::numeric) OVER (...).",
                        get_func_name(call->winfnoid)));
    }
    DP_REFUSE(
        call->location,
        errmsg("%s below private aggregates takes the last of the rows that ORDER BY does not tell apart, which is "
               "any of them",
               get_func_name(call->winfnoid)),
        errhint("Write its frame in rows: %s(...) OVER (... ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED "
                "FOLLOWING).",
                get_func_name(call->winfnoid)));
  }

  void put_distinct() {
    query_->hasDistinctOn = level_->hasDistinctOn;
    query_->distinctClause = all_ordered(level_->distinctClause, "DISTINCT");
    if (!level_->hasDistinctOn) return;
    query_->sortClause = all_ordered(level_->sortClause, "ORDER BY");
    ListCell* cell;
    foreach (cell, query_->distinctClause) {
      if (!is_among(lfirst_node(SortGroupClause, cell), query_->sortClause))
        query_->sortClause = lappend(query_->sortClause, copyObjectImpl(lfirst(cell)));
    }
    query_->sortClause = lappend(query_->sortClause, order_of_ties());
  }

  static bool is_among(const SortGroupClause* clause, List* clauses) {
    ListCell* cell;
    foreach (cell, clauses) {
      if (lfirst_node(SortGroupClause, cell)->tleSortGroupRef == clause->tleSortGroupRef) return true;
    }
    return false;
  }

  const Query* level_;
  Query* query_;
  SortGroupClause* ties_ = nullptr;
};

}  // namespace

void put_windows(const Query* level, Query* query) { Windows(level, query).put(); }

}  // namespace dp::guard
