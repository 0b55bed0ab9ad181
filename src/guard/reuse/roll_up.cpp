#include "guard/reuse/roll_up.h"

#include <optional>

#include "budget/policy/ranges.h"
#include "guard/groups/groups.h"
#include "guard/groups/key_images.h"
#include "guard/groups/pruned_groups.h"
#include "guard/query/plan_dependencies.h"
#include "guard/tree/by_number.h"
#include "pg/errors.h"

namespace dp::guard {
namespace {

// Between which values the columns of the keys lie: values of keys that are computed were found from that when the
// question was planned.
void append_ranges(StringInfo bytes, const GroupedBy& by) {
  ListCell* cell;
  foreach (cell, pull_var_clause(reinterpret_cast<Node*>(by.keys), 0)) {
    const auto* const column = lfirst_node(Var, cell);
    const RangeTblEntry* const table = entry_numbered(column->varno, by.tables);
    const auto range = table->rtekind == RTE_RELATION && column->varattno > 0
                           ? budget::range_of_column(table->relid, column->varattno)
                           : std::nullopt;
    appendStringInfo(bytes, "%d.%d:%d ", column->varno, column->varattno, range.has_value());
    if (!range) continue;
    append_value(bytes, range->lower, range->type);
    append_value(bytes, range->upper, range->type);
  }
}

std::string_view contents_of(const Groups& groups, const GroupedBy& by) {
  StringInfoData bytes;
  initStringInfo(&bytes);
  groups.write_contents(&bytes);
  append_ranges(&bytes, by);
  return budget::digest_of({bytes.data, static_cast<std::size_t>(bytes.len)});
}

// The groups that the keys have now; nothing where they have become too many, or are not public any more.
const Groups* groups_now(const InnerQuery& stored, Oid asker, const Groups& asked, EState* estate) {
  try {
    return pg::call([&] {
      auto* const groups = new (palloc(sizeof(Groups))) Groups(stored, asked.selection());
      groups->load(stored, asker, nullptr, estate, false);
      return groups;
    });
  } catch (const pg::PostgresError& error) {
    if (error.data->sqlerrcode != pg::kNotAdmissible && error.data->sqlerrcode != ERRCODE_T_R_SERIALIZATION_FAILURE)
      throw;
    return nullptr;
  }
}

int position_of(List* keys, Node* key) {
  ListCell* cell;
  foreach (cell, keys) {
    if (equal(lfirst(cell), key)) return foreach_current_index(cell);
  }
  return -1;
}

// The keys and what describes them, as keys_to_store() wrote it.
List* read_keys(const char* text, InnerQuery* stored) {
  auto* const parts = static_cast<List*>(stringToNode(text));
  ListCell* cell;
  foreach (cell, static_cast<List*>(lsecond(parts)))
    stored->keys = lappend(stored->keys, GroupKey::of(static_cast<List*>(lfirst(cell))));
  stored->dependent_keys = static_cast<List*>(lthird(parts));
  stored->dependencies = static_cast<List*>(lfourth(parts));
  stored->masks = list_make1_int(0);
  return static_cast<List*>(linitial(parts));
}

// As far as the keys go; nullptr where one is missing, or there is none beside them.
RollUp* by_keys(List* stored, List* asked) {
  if (list_length(stored) <= list_length(asked)) return nullptr;
  auto* const places = static_cast<int*>(palloc(sizeof(int) * static_cast<Size>(list_length(asked) + 1)));
  ListCell* cell;
  foreach (cell, asked) {
    int& place = places[foreach_current_index(cell)];
    place = position_of(stored, static_cast<Node*>(lfirst(cell)));
    if (place < 0) return nullptr;
  }
  return new (palloc(sizeof(RollUp))) RollUp{stored, places, nullptr};
}

// Of the groups by these keys those in which all the conditions hold, as InnerQuery::conditions has them; false where
// one is not made of the keys.
bool take_conditions(List* conditions, List* keys, InnerQuery* finer) {
  ListCell* cell;
  foreach (cell, conditions) {
    if (!is_made_of_keys(static_cast<Node*>(lfirst(cell)), keys)) return false;
  }
  Query rows{};
  rows.jointree = makeFromExpr(NIL, reinterpret_cast<Node*>(conditions));
  finer->conditions = conditions_on_keys(&rows, keys, nullptr);
  return true;
}

}  // namespace

bool has_disjoint_groups(const InnerQuery& inner_query, const Groups& groups) {
  return inner_query.sets() == 1 && inner_query.set_column == 0 && inner_query.groupings == NIL &&
         inner_query.limits_each_aggregate() && groups.are_public();
}

budget::QuestionKeys keys_to_store(const InnerQuery& inner_query, const GroupedBy& by, const Groups& groups,
                                   std::string_view rows) {
  if (inner_query.keys == NIL) return {};
  List* keys = NIL;
  ListCell* cell;
  foreach (cell, inner_query.keys) {
    const auto& key = *static_cast<const GroupKey*>(lfirst(cell));
    // The rows of a subquery are known to the question that runs it.
    if (key.subquery > 0 || is_of_subqueries(key.image)) return {};
    keys = lappend(keys, key.as_list());
  }
  const char* const text =
      nodeToString(list_make4(by.keys, keys, inner_query.dependent_keys, inner_query.dependencies));
  // Numbers of parameters mean something else in another question. In texts a brace has a backslash before it.
  if (strstr(text, "{PARAM ") != nullptr) return {};
  return {rows, text, contents_of(groups, by)};
}

const RollUp* roll_up(const budget::QuestionKeys& stored, const InnerQuery& asked, const GroupedBy& by, List* dropped,
                      Oid asker, const Groups& groups, EState* estate) {
  InnerQuery finer{};
  List* keys = NIL;
  RollUp* found = nullptr;
  pg::call([&] {
    keys = read_keys(stored.keys, &finer);
    found = by_keys(keys, by.keys);
    if (found != nullptr && !(are_same(finer.dependencies) && take_conditions(dropped, keys, &finer))) found = nullptr;
  });
  if (found == nullptr) return nullptr;
  finer.first = asked.first;
  const Groups* const now = groups_now(finer, asker, groups, estate);
  if (now == nullptr) return nullptr;
  if (dropped != NIL) found->groups = now;
  return pg::call([&]() -> const RollUp* {
    return contents_of(*now, {keys, by.tables}) == stored.groups ? found : nullptr;
  });
}

}  // namespace dp::guard
