#include "guard/rewrite/plain_aggregates.h"

#include <optional>

#include "guard/query/permissions.h"
#include "guard/relations/protected_tables.h"
#include "guard/rewrite/case_filters.h"
#include "guard/rewrite/empty_levels.h"
#include "guard/rewrite/free_levels.h"
#include "guard/rewrite/per_unit_below.h"
#include "guard/rewrite/plain_calls.h"
#include "guard/rewrite/private_calls.h"
#include "guard/rewrite/unused_answers.h"

namespace dp::guard {

PlainLevel make_aggregates_private(Level* here, const InnerQueries& inner_queries, Price price) {
  Query* const level = here->query();
  List* const levels = here->around();
  const bool keys_alone = !here->calls_aggregates();
  if (keys_alone && !has_keys(level)) return {};
  const bool is_within = list_length(levels) > 1;
  const auto nothing_to_do = [&] {
    return !keys_alone && here->aggregates().ordinary == NIL && !has_incomplete(here->aggregates());
  };
  // Of a level around which nothing stands no answer is unused.
  if (!is_within && nothing_to_do()) return {};
  Sources sources = here->sources();
  bool one_row_counts = false;
  if (sources.tables == NIL) {
    if (nothing_to_do()) return {};
    const auto per_unit = reads_subquery(level) ? per_unit_below(level, levels, inner_queries) : std::nullopt;
    if (!per_unit && here->aggregates().ordinary != NIL && names_denied(level)) refuse_unprotected(sources, -1);
    if (!per_unit) return {};
    sources = per_unit->rows;
    one_row_counts = per_unit->alone;
  }
  const bool denied = reads_denied(sources.read());
  const bool dropped = denied && is_within && drop_unused_answers(level, levels, !inner_queries.splitting());
  PlainLevel made;
  if (dropped) here->shows_others();
  if (dropped) level->hasAggs = here->calls_aggregates();
  if (dropped && !level->hasAggs && empty_certainly(level)) {
    made.changed = true;
    return made;
  }
  if (denied && here->aggregates().of_computed_values && filter_by_cases(level, here->aggregates().ordinary))
    here->shows_others();
  const LevelAggregates aggregates = here->aggregates();
  const bool ordinary = aggregates.ordinary != NIL, incomplete = has_incomplete(aggregates);
  if (!dropped && !ordinary && !incomplete && !keys_alone) return made;
  int most_rows = most_rows_of_unit(sources);
  made.depends_on_role = most_rows > 0;
  // Elsewhere columns of joins could not be put back.
  if (!denied && (!incomplete || (!made.depends_on_role && has_joins(level)))) return made;
  made.changed = true;
  if (sources.per_unit != NIL) {
    find_limits(&sources, inner_queries);
    most_rows = most_rows_of_unit(sources);
  }
  one_row_counts = one_row_counts || most_rows <= 1;
  const PrivateForms forms =
      make_calls_private(level, sources, {aggregates, denied, one_row_counts, inner_queries.splitting(), price});
  here->shows(forms.shown);
  made.bounds = forms.bounds;
  made.shared = forms.shared;
  made.rewritten = made.bounds != NIL || (denied && (ordinary || keys_alone));
  if (!denied || forms.shown.ours != NIL) return made;
  level->hasAggs = false;
  made.grouped = has_keys(level);  // sets without any key have a row each, whatever there is
  if (made.grouped) {
    group_by_distinct(level);
  } else {
    read_nothing(level, levels, sources);
  }
  return made;
}

}  // namespace dp::guard
