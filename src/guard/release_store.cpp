#include "guard/release_store.h"

#include "budget/group_key_sql.h"
#include "budget/releases_sql.h"
#include "mechanism/text.h"
#include "pg/errors.h"

namespace dp::guard {
namespace {

// The sensitivity by which the aggregate's noise can be relaxed; 0 where its law has no path.
noise::Uint128 relaxable_sensitivity(const aggregate::Call& call) {
  if (call.coordinates == 0 || !std::holds_alternative<noise::DiscreteLaplace>(call.calibration.law)) return 0;
  return call.changes.times(noise::Uint128{1} << call.calibration.refinement).l1;
}

budget::ReleasedAggregate describe(const aggregate::Call& call, const char* name) {
  const std::string text = mechanism::format(call.coordinates > 0 ? call.calibration.mechanism : call.mechanism);
  char* const mechanism = pg::call([&text] { return pstrdup(text.c_str()); });
  return {name,
          mechanism,
          static_cast<std::int64_t>(call.epsilon.nano),
          relaxable_sensitivity(call),
          call.coordinates,
          call.form};
}

budget::ReleasePart describe(const ReleaseNode& node, std::int64_t release, int number) {
  budget::ReleasePart part{release, number, GetCurrentTimestamp(), node.role, node.core.relation, node.core.sets(), 0, node.query,
                           node.gate->size(), nullptr};
  part.aggregates =
      static_cast<budget::ReleasedAggregate*>(palloc(sizeof(budget::ReleasedAggregate) * static_cast<Size>(part.size)));
  for (int i = 0; i < part.size; ++i) part.aggregates[i] = describe(node.gate->call(i), strVal(list_nth(node.core.aggregates, i)));
  return part;
}

}  // namespace

void store_part(ReleaseNode* node, std::int64_t release, int number) {
  const ReleaseGate& gate = *node->gate;
  const budget::ReleasePart part = describe(*node, release, number);
  const budget::GroupKeyWriter keys(ExecGetResultType(node->core_plan), node->core.keys, node->core.set_column);
  budget::PartWriter writer(part);
  node->answers->rewind();
  for (TupleTableSlot* row = node->answers->next(true); !TupIsNull(row); row = node->answers->next(true)) {
    keys.append(writer.key(), row);
    const Draw* draws = gate.draws(node->answers->number_of(row));
    for (int i = 0; i < part.size; ++i) {
      if (part.aggregates[i].relaxable()) writer.add(i, draws);
      draws += part.aggregates[i].coordinates;
    }
  }
  writer.finish();
}

}  // namespace dp::guard
