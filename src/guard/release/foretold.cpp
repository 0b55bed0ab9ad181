#include "guard/release/foretold.h"

#include "guard/query/permissions.h"
#include "guard/release/release_node.h"
#include "guard/release/reuse_steps.h"
#include "guard/release/statement.h"
#include "pg/execution.h"

namespace dp::guard {
namespace {

bool moves_levels(const ReleaseNode& node) {
  return node.reuse != nullptr && (node.reuse->way == Reuse::Way::finer || node.reuse->way == Reuse::Way::shared);
}

// Whether `earlier`, which makes the same stored answer more accurate, brings that aggregate to what is asked.
bool brings(const ReleaseNode& earlier, const ReleaseNode& node, int aggregate) {
  const int place = node.reuse->answer->places[aggregate].aggregate;
  for (int i = 0; i < earlier.question->size; ++i) {
    if (earlier.reuse->answer->places[i].aggregate == place && asked_of(earlier, i) >= asked_of(node, aggregate))
      return true;
  }
  return false;
}

enum class Beside : std::uint8_t { nothing, part, all };

// How much of its price another node of the statement pays.
Beside paid_beside(const ReleaseNode& node) {
  if (!moves_levels(node)) return Beside::nothing;
  bool any = false;
  ListCell* cell;
  foreach (cell, release_nodes(node.css.ss.ps.state)) {
    const auto& earlier = *static_cast<const ReleaseNode*>(lfirst(cell));
    if (&earlier == &node) break;
    if (!moves_levels(earlier) || earlier.reuse->answer->id != node.reuse->answer->id) continue;
    any = true;
    bool all = earlier.reuse->way == Reuse::Way::finer && node.reuse->way == Reuse::Way::finer;
    for (int i = 0; all && i < node.question->size; ++i) all = brings(earlier, node, i);
    if (all) return Beside::all;
  }
  return any ? Beside::part : Beside::nothing;
}

}  // namespace

bool may_foretell(const InnerQuery& inner_query, const EState* estate, int flags) {
  return inner_query.quiet && pg::is_given_parameters(flags) && !is_asked_as_another(estate->es_plannedstmt);
}

Foretold foretold(const ReleaseNode* node) {
  const Beside beside = paid_beside(*node);
  if (beside == Beside::all) return {node->entries("reuse", {}, {}, 0), false};
  const bool unknown = (node->waits() || !node->knows_rows) && !node->is_free() && may_be_answered_again(*node);
  return {node->charges(0), unknown || beside == Beside::part};
}

budget::Amount price_in(const Foretold& foretold) {
  budget::Amount sum;
  const budget::Payer& first = static_cast<const budget::Entry*>(linitial(foretold.charges))->payer;
  ListCell* cell;
  foreach (cell, foretold.charges) {
    const auto& entry = *static_cast<const budget::Entry*>(lfirst(cell));
    if (entry.payer.books() == first.books() && entry.payer.account == first.account) sum += entry.account;
  }
  return sum;
}

void refuse_forgotten() {
  ereport(ERROR, (errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
                  errmsg("an answer that the query compares with was forgotten while its price was looked for"),
                  errhint("Run it again.")));
  pg_unreachable();
}

}  // namespace dp::guard
