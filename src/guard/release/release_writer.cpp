#include "guard/release/release_writer.h"

#include "budget/release/numbers.h"
#include "budget/release/stored_numbers.h"
#include "core/mechanism/mechanism_text.h"
#include "pg/errors.h"

namespace dp::guard {
namespace {

budget::ReleasedAggregate describe(const ReleaseGate& gate, int number, const char* name) {
  const aggregate::Call& call = gate.call(number);
  const std::string text = mechanism::format(call.coordinates > 0 ? call.calibration.mechanism : call.mechanism);
  char* const mechanism = pg::call([&text] { return pstrdup(text.c_str()); });
  return {name, mechanism, call.epsilon, gate.path_of(number), call.coordinates, call.form};
}

// All that was charged, where it is not the tables themselves.
List* books_of(const ReleaseNode& node, const List* tables) {
  List* books = NIL;
  ListCell* cell;
  foreach (cell, node.blocks) books = list_concat_unique_oid(books, static_cast<List*>(lfirst(cell)));
  return list_difference_oid(books, tables) == NIL ? NIL : books;
}

budget::ReleasePart* describe(const ReleaseNode& node, std::int64_t release, int number) {
  List* const tables = node.inner_query.protected_relations();
  auto* const part = static_cast<budget::ReleasePart*>(palloc(sizeof(budget::ReleasePart)));
  *part = {release,
           number,
           node.made_at,
           node.roles[0],
           tables,
           node.inner_query.sets(),
           0,
           node.cost_of_choices(),
           node.query,
           node.gate->size(),
           nullptr,
           nullptr,
           books_of(node, tables)};
  part->aggregates = static_cast<budget::ReleasedAggregate*>(
      palloc(sizeof(budget::ReleasedAggregate) * static_cast<Size>(part->size)));
  for (int i = 0; i < part->size; ++i) {
    part->aggregates[i] = describe(*node.gate, i, strVal(list_nth(node.inner_query.aggregates, i)));
  }
  return part;
}

void store_groups(ReleaseNode* node, budget::ReleasePart* part) {
  ReleaseGate& gate = *node->gate;
  const budget::GroupKeyWriter keys(node->shape, node->inner_query.key_names(), node->inner_query.set_column);
  budget::GroupWriter writer(part, keys);
  node->answers->rewind();
  for (TupleTableSlot* row = node->answers->next(true); !TupIsNull(row); row = node->answers->next(true))
    writer.add(row, gate.draws(node->answers->number_of(row)));
  writer.finish();
}

}  // namespace

bool store_release(List* nodes, const budget::Amount& lists, std::int64_t release) {
  if (budget::number_taken(release)) return false;
  const budget::FrozenWrites release_rows;
  List* parts = NIL;
  ListCell* cell;
  foreach (cell, nodes) {
    auto* const node = static_cast<ReleaseNode*>(lfirst(cell));
    budget::ReleasePart* const part = describe(*node, release, foreach_current_index(cell));
    part->selection += lists;
    store_groups(node, part);
    parts = lappend(parts, part);
  }
  budget::write_parts(parts);
  foreach (cell, parts) {
    const auto& part = *static_cast<const budget::ReleasePart*>(lfirst(cell));
    budget::add_stored(part.first_table(), part.role, part.numbers());
  }
  release_rows.need_no_flush();  // a crash may take a release, not its charge
  return true;
}

}  // namespace dp::guard
