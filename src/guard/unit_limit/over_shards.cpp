#include "guard/unit_limit/over_shards.h"

#include "aggregate/call/prepare_plan.h"
#include "aggregate/call/server_keys.h"
#include "aggregate/call/shard_aggregates.h"
#include "aggregate/call/shard_groups.h"
#include "guard/tree/columns.h"
#include "guard/tree/entries.h"
#include "guard/unit_limit/contribution_bounds.h"
#include "guard/unit_limit/shard_bounds.h"
#include "guard/unit_limit/shard_joins.h"
#include "guard/unit_limit/unit_aggregates.h"
#include "guard/unit_limit/unit_subquery.h"
#include "pg/nodes.h"
#include "pg/partitions.h"
#include "pg/permissions.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

bool is_made_of_parts(const Aggref* aggregate) {
  // A count that names no epsilon takes that of the session, which another server has not.
  return aggregate::is_private_aggregate(aggregate->aggfnoid) && aggregate::is_made_of_shards(aggregate->aggfnoid) &&
         aggregate->aggdistinct == NIL && aggregate->aggorder == NIL && list_length(aggregate->args) > 1;
}

// What finds the unit and the group of a row (row_of_groups); nullptr where the query has no such column.
Aggref* row_of(const Query* inner) {
  if (inner->targetList == NIL) return nullptr;
  auto* first = reinterpret_cast<Node*>(linitial_node(TargetEntry, inner->targetList)->expr);
  if (IsA(first, RelabelType)) first = reinterpret_cast<Node*>(castNode(RelabelType, first)->arg);
  auto* const row = reinterpret_cast<Aggref*>(first);
  return IsA(first, Aggref) && unit_of_row(row) != nullptr ? row : nullptr;
}

// The aggregate that was asked; nullptr where units are not limited by that one alone.
const Aggref* original_of(const Aggref* answer, const Query* inner, const InnerQuery& what) {
  if (what.limits == NIL) return answer;
  return row_of(inner) != nullptr ? original_of_groups(answer) : taken_apart(answer).original;
}

// Whether no unit of that column has rows in two of the parts, which are read as far as their bounds reach.
bool are_units_whole(const Var* unit, Oid table, const List* parts) {
  if (!IsA(unit, Var) || unit->varno != 1 || unit->varlevelsup != 0 || unit->varattno <= 0) return false;
  if (get_rel_relkind(table) != RELKIND_PARTITIONED_TABLE) return list_length(parts) == 1;
  return is_partitioned_by(table, unit->varattno);
}

// Of units with one row it does not matter. Their column is that of the first answer.
bool has_whole_units(const Query* inner, const InnerQuery& what, Oid table, List* parts) {
  if (what.limits == NIL) return true;
  const Aggref* const row = row_of(inner);
  const auto* const answer = reinterpret_cast<Aggref*>(linitial_node(TargetEntry, inner->targetList)->expr);
  const auto* const unit = reinterpret_cast<const Var*>(row != nullptr ? unit_of_row(row) : taken_apart(answer).unit);
  return are_units_whole(unit, table, parts);
}

// The columns are the group keys, then answers.
bool has_keys_and_answers(const Query* inner, const InnerQuery& what) {
  const int keys = list_length(what.keys);
  const bool by_row = row_of(inner) != nullptr;
  ListCell* cell;
  foreach (cell, inner->targetList) {
    const auto* const entry = lfirst_node(TargetEntry, cell);
    const bool key = foreach_current_index(cell) < keys;
    if (key && !by_row && entry->ressortgroupref == 0) return false;
    if (key) continue;
    const Aggref* const answer =
        IsA(entry->expr, Aggref) ? original_of(castNode(Aggref, entry->expr), inner, what) : nullptr;
    if (answer == nullptr || !is_made_of_parts(answer)) return false;
  }
  return list_length(inner->groupClause) == (by_row ? 0 : keys) && list_length(inner->targetList) > keys;
}

bool asks_plainly(const InnerQuery& what) {
  return (what.limits != NIL || what.open == NIL) && what.dependent_keys == NIL && what.path_tables == NIL &&
         what.subqueries == NIL && what.count_column <= 0 && what.set_column <= 0;
}

bool is_plain(const Query* inner, const InnerQuery& what) {
  return asks_plainly(what) && !inner->hasWindowFuncs && !inner->hasSubLinks && reads_one_table(inner);
}

// Whether no row of the partition meets the conditions.
bool is_left_out(Oid part, const Node* conditions) {
  if (conditions == nullptr) return false;
  Relation const opened = table_open(part, NoLock);
  List* const bounds = static_cast<List*>(copyObjectImpl(RelationGetPartitionQual(opened)));
  table_close(opened, NoLock);
  auto* const met = static_cast<Node*>(copyObjectImpl(conditions));
  List* const known = make_ands_implicit(
      reinterpret_cast<Expr*>(canonicalize_qual(reinterpret_cast<Expr*>(eval_const_expressions(nullptr, met)), false)));
  return predicate_refuted_by(bounds, known, false);
}

Query* within_bounds(Query* query, Oid part) {
  Node*& conditions = query->jointree->quals;
  conditions = make_and_qual(conditions, bounds_of(part));
  return query;
}

// All rows of them.
Query* united(List* parts) {
  Query* const query = pg::empty_select();
  const List* const shown = linitial_node(Query, parts)->targetList;
  ListCell* cell;
  foreach (cell, shown) {
    const auto* const entry = lfirst_node(TargetEntry, cell);
    query->targetList = lappend(query->targetList,
                                makeTargetEntry(reinterpret_cast<Expr*>(column_showing(1, entry->resno, entry->expr)),
                                                entry->resno, pstrdup(entry->resname), false));
  }
  foreach (cell, parts) query->rtable = lappend(query->rtable, entry_of_subquery(lfirst_node(Query, cell), "part"));
  query->setOperations = union_all_of(list_length(parts), shown);
  return query;
}

// The subquery that each server runs gets its columns, and the query adds up what they give.
void make_parts(Query* inner, const InnerQuery& what, UnitSubquery* subquery) {
  const int keys = list_length(what.keys);
  List* keyed = NIL;
  ListCell* cell;
  foreach (cell, inner->targetList) {
    if (foreach_current_index(cell) < keys) keyed = lappend(keyed, lfirst_node(TargetEntry, cell)->expr);
  }
  subquery->group_by(keyed);
  subquery->see_keys(keys);
  foreach (cell, inner->targetList) {
    auto* const entry = lfirst_node(TargetEntry, cell);
    if (foreach_current_index(cell) < keys) continue;
    auto* const aggregate = castNode(Aggref, entry->expr);
    const Aggref* const original = original_of(aggregate, inner, what);
    Aggref* const made = what.limits == NIL
                             ? shard_part_of(aggregate)
                             : shard_units_of(aggregate, what.divided_family(foreach_current_index(cell) - keys));
    entry->expr = reinterpret_cast<Expr*>(shard_total_of(original, subquery->column(reinterpret_cast<Expr*>(made))));
  }
}

// The same of groups that are known: there is no GROUP BY, neither there nor here, and the release node asks for the
// answer of each group.
void make_parts_of_groups(Query* inner, InnerQuery* what, UnitSubquery* subquery) {
  const int keys = list_length(what->keys);
  what->parameters = lappend(what->parameters, aggregate::keys_for_servers());
  auto* const groups = makeNode(Param);
  groups->paramkind = PARAM_EXTERN;
  groups->paramid = list_length(what->parameters);
  groups->paramtype = BYTEAOID;
  groups->paramtypmod = groups->location = -1;
  Aggref* const row = row_of(inner);
  auto* const made = reinterpret_cast<Expr*>(shard_row_of(row, reinterpret_cast<Node*>(groups)));
  Var* const row_there = subquery->column(made);
  ListCell* cell;
  foreach (cell, inner->targetList) {
    auto* const entry = lfirst_node(TargetEntry, cell);
    const int number = foreach_current_index(cell) - keys;
    if (number < 0) continue;
    auto* const aggregate = castNode(Aggref, entry->expr);
    const bool open = aggregate::is_open_sum(original_of_groups(aggregate));
    const std::uint32_t rows = open ? 0 : what->contribution(number).rows_per_group;
    Aggref* const part = shard_groups_of(
        aggregate, aggregate::rows_for_servers(rows, what->chooses_limit(number), what->divided_family(number)));
    Var* const part_there = subquery->column(reinterpret_cast<Expr*>(part));
    entry->expr = reinterpret_cast<Expr*>(shard_groups_total_of(aggregate, part_there, row_there));
  }
  *row = *row_of_none(row);
}

// What reads the subquery over the table reads that of each part instead. The inner query is left to ask for the
// permissions on the tables, which nothing reads any more. `bounded`: no part's rows belong to another one.
void read_parts(Query* inner, Query* reader, InnerQuery* what, const List* parts, bool bounded) {
  auto* const read = linitial_node(RangeTblEntry, reader->rtable);
  Query* const whole = read->subquery;
  rely_on_copies(whole, parts, what);
  List* queries = NIL;
  ListCell* cell;
  foreach (cell, parts) {
    Query* const query = over_part(whole, lfirst_oid(cell));
    const bool last = queries == NIL && lnext(parts, cell) == nullptr;  // one has to be asked, be it for nothing
    if (last || !is_left_out(lfirst_oid(cell), query->jointree->quals))
      queries =
          lappend(queries, bounded && is_elsewhere(lfirst_oid(cell)) ? within_bounds(query, lfirst_oid(cell)) : query);
  }
  read->subquery = list_length(queries) == 1 ? linitial_node(Query, queries) : united(queries);
  foreach (cell, whole->rtable)
    if (lfirst_node(RangeTblEntry, cell)->rtekind == RTE_RELATION) add_entry(inner, lfirst_node(RangeTblEntry, cell));
  pg::move_permissions(whole, inner);
}

// ---- units whose rows are on several servers ------------------------------------------------------------------------

// The level that groups rows of tables by unit, below those that limit these; nullptr where there is none.
Query* level_of_units(Query* inner) {
  Query* level = inner;
  while (list_length(level->rtable) == 1 && linitial_node(RangeTblEntry, level->rtable)->rtekind == RTE_SUBQUERY)
    level = linitial_node(RangeTblEntry, level->rtable)->subquery;
  return level != inner && level->groupClause != NIL ? level : nullptr;
}

// So many rows of a unit cost as much as the part that another server makes of them.
constexpr std::int64_t kRowsOfPart = 8;

// Whether a unit may have as many rows in each table of another server.
bool are_worth_it(const InnerQuery& what, const List* parts) {
  if (what.limits == NIL || what.keys != NIL) return false;
  const ContributionBounds limits{linitial_int(what.limits), lsecond_int(what.limits), lthird_int(what.limits)};
  std::int64_t tables = 0;
  ListCell* cell;
  foreach (cell, parts) tables += is_elsewhere(lfirst_oid(cell)) ? 1 : 0;
  return limits.rows_of_one_group() >= kRowsOfPart * tables;
}

// The tables whose servers make parts of each unit: those among which the rows of the level's only table are divided,
// or one of several that lie side by side, as Citus spreads them also one alone. NIL: there are none.
struct TablesOfUnits {
  List* tables;
  bool divided;
};

TablesOfUnits tables_of_units(const Query* level) {
  List* const parts = reads_one_table(level) ? tables_that_make_parts(level) : NIL;
  if (parts != NIL) return {parts, true};
  const Oid one = table_side_by_side(level);
  return {OidIsValid(one) ? list_make1_oid(one) : NIL, false};
}

struct Merging {
  UnitSubquery* parts;  // nullptr: it is only asked whether there can be any
  List* groups;         // by which both levels group
  bool units = false;   // there are states of units
  bool others = false;  // or what is not made of parts
};

Node* merged(Node* node, void* context) {
  if (node == nullptr) return nullptr;
  auto& merging = *static_cast<Merging*>(context);
  if (IsA(node, Aggref)) {
    const Aggref* const original = original_of_part(castNode(Aggref, node));
    const bool made = original != nullptr && is_made_of_parts(original);
    (made ? merging.units : merging.others) = true;
    if (merging.parts == nullptr || !made) return node;
    Var* const part = merging.parts->column(reinterpret_cast<Expr*>(shard_part_of(original)));
    return reinterpret_cast<Node*>(unit_of_parts(original, part));
  }
  ListCell* cell;
  foreach (cell, merging.groups) {
    if (!equal(lfirst(cell), node)) continue;
    return merging.parts == nullptr ? node
                                    : reinterpret_cast<Node*>(merging.parts->column(static_cast<Expr*>(lfirst(cell))));
  }
  return pg::mutate(node, merged, context);
}

// In place: each server makes the parts of units, which are added up before units are limited. Whether there are such.
bool merge_units(Query* inner, InnerQuery* what) {
  Query* const level = level_of_units(inner);
  if (level == nullptr || !asks_plainly(*what)) return false;
  const auto [parts, divided] = tables_of_units(level);
  if (parts == NIL || !are_worth_it(*what, parts)) return false;
  Merging merging{nullptr, NIL};
  ListCell* cell;
  foreach (cell, level->groupClause) {
    const auto* const clause = lfirst_node(SortGroupClause, cell);
    merging.groups =
        lappend(merging.groups,
                copyObjectImpl(get_sortgroupclause_expr(const_cast<SortGroupClause*>(clause), level->targetList)));
  }
  merged(reinterpret_cast<Node*>(level->targetList), &merging);
  if (!merging.units || merging.others) return false;
  UnitSubquery subquery(level);
  subquery.group_by(merging.groups);
  merging.parts = &subquery;
  foreach (cell, level->targetList) {
    auto* const entry = lfirst_node(TargetEntry, cell);
    entry->expr = reinterpret_cast<Expr*>(merged(reinterpret_cast<Node*>(entry->expr), &merging));
  }
  subquery.finish();
  linitial_node(RangeTblEntry, level->rtable)->subquery->hasSubLinks = false;
  divided ? read_parts(inner, level, what, parts, false) : read_copies_beside(level, what);
  return true;
}

}  // namespace

bool merges_parts_of_units(const Query* query, const InnerQuery& what, const Var* unit) {
  if (!asks_plainly(what)) return false;
  const auto [parts, divided] = tables_of_units(query);
  if (parts == NIL || !are_worth_it(what, parts)) return false;
  return !divided || !are_units_whole(unit, linitial_node(RangeTblEntry, query->rtable)->relid, parts);
}

// Whether the answers are made of parts.
static bool make_all_of_parts(Query* inner, InnerQuery* what) {
  if (!is_plain(inner, *what) || !has_keys_and_answers(inner, *what)) return merge_units(inner, what);
  const Oid table = linitial_node(RangeTblEntry, inner->rtable)->relid;
  List* const parts = tables_that_make_parts(inner);
  if (parts == NIL || !has_whole_units(inner, *what, table, parts)) return false;
  const bool bounded = what->limits != NIL && get_rel_relkind(table) == RELKIND_PARTITIONED_TABLE;
  UnitSubquery subquery(inner);
  if (row_of(inner) != nullptr) {
    make_parts_of_groups(inner, what, &subquery);
  } else {
    make_parts(inner, *what, &subquery);
  }
  subquery.finish();
  read_parts(inner, inner, what, parts, bounded);
  return true;
}

void add_up_shards(Query* inner, InnerQuery* what) {
  if (!make_all_of_parts(inner, what)) read_copies_beside(inner, what);
}

}  // namespace dp::guard
