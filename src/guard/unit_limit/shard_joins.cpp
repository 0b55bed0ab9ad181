#include "guard/unit_limit/shard_joins.h"

#include "budget/catalog/colocated_rows.h"
#include "budget/catalog/owner_rows.h"
#include "budget/policy/colocated.h"
#include "budget/policy/copies.h"
#include "budget/policy/shards.h"
#include "guard/query/plan_dependencies.h"
#include "guard/tree/columns.h"
#include "guard/tree/entries.h"
#include "pg/partitions.h"
#include "pg/permissions.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

bool holds_first(const Node* item) {
  if (is_entry(item, 1)) return true;
  if (!IsA(item, JoinExpr)) return false;
  const auto* const join = reinterpret_cast<const JoinExpr*>(item);
  return holds_first(join->larg) || holds_first(join->rarg);
}

// Whether what comes of the item's joins comes of each row of the table at index 1 by itself.
bool keeps_rows(const Node* item) {
  if (!IsA(item, JoinExpr)) return IsA(item, RangeTblRef);
  const auto* const join = reinterpret_cast<const JoinExpr*>(item);
  if (checkExprHasSubLink(join->quals) || !keeps_rows(join->larg) || !keeps_rows(join->rarg)) return false;
  if (join->jointype == JOIN_INNER) return true;
  return join->jointype == JOIN_LEFT && holds_first(join->larg);
}

// All rows of the table, with those of tables below it, as its partitions and its copies have them; not ONLY its own,
// among which a key may hold that does not hold among all.
bool is_read_whole(const RangeTblEntry* entry) {
  return entry->rtekind == RTE_RELATION && entry->inh && entry->tablesample == nullptr;
}

bool is_public_table(const RangeTblEntry* entry) {
  return is_read_whole(entry) && entry->securityQuals == NIL &&
         (entry->relkind == RELKIND_RELATION || entry->relkind == RELKIND_PARTITIONED_TABLE) &&
         !budget::protection_of(entry->relid);
}

// To which joins another server is not sent for rows that it only lends.
bool has_other_owner(Oid table) {
  const auto protection = budget::protection_of(table);
  return protection && budget::has_other_owner(protection->relation);
}

// Calls visit(relation) for each public table that the level joins, until it returns false; whether it never did.
template <class Visit>
bool all_joined(const Query* level, Visit visit) {
  ListCell* cell;
  foreach (cell, level->rtable) {
    const auto* const entry = lfirst_node(RangeTblEntry, cell);
    if (foreach_current_index(cell) > 0 && entry->rtekind == RTE_RELATION && !visit(entry->relid)) return false;
  }
  return true;
}

RangeTblEntry* entry_of_table(Oid table, bool with_tables_below, List** permissions) {
  auto* const entry = makeNode(RangeTblEntry);
  entry->rtekind = RTE_RELATION;
  entry->relid = table;
  entry->relkind = get_rel_relkind(table);
  entry->rellockmode = AccessShareLock;
  entry->inh = with_tables_below;
  entry->inFromCl = true;
  List* names = NIL;
  Relation const opened = table_open(table, AccessShareLock);
  for (int i = 0; i < RelationGetDescr(opened)->natts; ++i)
    names = lappend(names, makeString(pstrdup(NameStr(TupleDescAttr(RelationGetDescr(opened), i)->attname))));
  table_close(opened, NoLock);
  entry->eref = makeAlias(get_rel_name(table), names);
  pg::ask_nothing_for(permissions, entry);
  return entry;
}

// Columns of tables in the places that they have in those that are read instead. Both lists (oid) have one for each
// entry, in which the entries of joins are of no table.
class InPart final : public Replacement {
 public:
  InPart(const List* whole, const List* part) : whole_(whole), part_(part) {}

  Node* in_place_of(const Var* column) override {
    const Oid whole = list_nth_oid(whole_, column->varno - 1), part = list_nth_oid(part_, column->varno - 1);
    if (whole == part) return nullptr;
    if (column->varattno <= 0) elog(ERROR, "a column of the system in a question to another server");
    const AttrNumber number = get_attnum(part, get_attname(whole, column->varattno, false));
    return reinterpret_cast<Node*>(column_of_table(column->varno, number, part));
  }

 private:
  const List *whole_, *part_;
};

}  // namespace

// Whether it groups rows of FROM, or shows them, and nothing more.
static bool is_of_rows(const Query* level) {
  return level->groupingSets == NIL && level->havingQual == nullptr && !level->hasTargetSRFs && level->cteList == NIL &&
         level->setOperations == nullptr && level->limitCount == nullptr && level->limitOffset == nullptr &&
         level->sortClause == NIL && level->distinctClause == NIL && !checkExprHasSubLink(level->jointree->quals);
}

bool reads_one_table(const Query* level) {
  if (!is_of_rows(level)) return false;
  ListCell* cell;
  foreach (cell, level->rtable) {
    const auto* const entry = lfirst_node(RangeTblEntry, cell);
    if (foreach_current_index(cell) == 0 ? !is_read_whole(entry)
                                         : entry->rtekind != RTE_JOIN && !is_public_table(entry))
      return false;
  }
  bool first = false;
  foreach (cell, level->jointree->fromlist) {
    const auto* const item = static_cast<const Node*>(lfirst(cell));
    if (!keeps_rows(item)) return false;
    first = first || holds_first(item);
  }
  return first;
}

List* tables_that_make_parts(const Query* level) {
  const Oid table = linitial_node(RangeTblEntry, level->rtable)->relid;
  const bool joins = !all_joined(level, [](Oid) { return false; });
  if (joins && has_other_owner(table)) return NIL;
  List* found = NIL;
  bool elsewhere = false;
  ListCell* cell;
  foreach (cell, find_all_inheritors(table, AccessShareLock, nullptr)) {
    const Oid part = lfirst_oid(cell);
    const char kind = get_rel_relkind(part);
    if (kind == RELKIND_PARTITIONED_TABLE) continue;
    if (kind != RELKIND_FOREIGN_TABLE && kind != RELKIND_RELATION) return NIL;
    const auto is_beside = [part](Oid joined) { return OidIsValid(budget::copy_beside(joined, part)); };
    if (is_elsewhere(part) && (!budget::makes_parts(part) || budget::is_spread(part))) return NIL;
    if (is_elsewhere(part) && !all_joined(level, is_beside)) return NIL;
    elsewhere = elsewhere || kind == RELKIND_FOREIGN_TABLE;
    found = lappend_oid(found, part);
  }
  return elsewhere ? found : NIL;
}

Query* over_part(const Query* subquery, Oid part) {
  auto* const query = static_cast<Query*>(copyObjectImpl(subquery));
  List *whole = NIL, *read = NIL, *permissions = NIL;
  ListCell* cell;
  foreach (cell, query->rtable) {
    const auto* const entry = lfirst_node(RangeTblEntry, cell);
    const bool joined = foreach_current_index(cell) > 0 && entry->rtekind == RTE_RELATION;
    Oid instead = foreach_current_index(cell) == 0 ? part : entry->relid;
    if (joined && is_elsewhere(part)) instead = budget::copy_beside(entry->relid, part);
    whole = lappend_oid(whole, entry->relid);
    read = lappend_oid(read, instead);
  }
  InPart in_part(whole, read);
  replace_in_level(query, &in_part);
  foreach (cell, query->rtable) {
    const auto* const entry = lfirst_node(RangeTblEntry, cell);
    if (entry->rtekind != RTE_RELATION) continue;
    const Oid instead = list_nth_oid(read, foreach_current_index(cell));
    const bool same = foreach_current_index(cell) > 0 && instead == entry->relid;
    lfirst(cell) = entry_of_table(instead, same && entry->inh, &permissions);
  }
  pg::set_permissions(query, permissions);
  return query;
}

static void rely_on_copy(Oid copy, InnerQuery* what) {
  if (list_member_oid(what->tables, copy)) return;
  what->tables = lappend_oid(what->tables, copy);
  what->dependencies = with_dependency(what->dependencies, Dependency::tables, copy);
}

void rely_on_copies(const Query* subquery, const List* parts, InnerQuery* what) {
  ListCell* cell;
  foreach (cell, parts) {
    if (!is_elsewhere(lfirst_oid(cell))) continue;
    all_joined(subquery, [&](Oid joined) {
      rely_on_copy(budget::copy_beside(joined, lfirst_oid(cell)), what);
      return true;
    });
  }
}

// One of the protected tables that the level reads, where these lie side by side on one server, which has copies of all
// else that it joins; else InvalidOid.
static Oid first_beside(const Query* level) {
  Oid first = InvalidOid;
  ListCell* cell;
  foreach (cell, level->rtable) {
    const auto* const entry = lfirst_node(RangeTblEntry, cell);
    if (entry->rtekind != RTE_RELATION || !is_elsewhere(entry->relid)) continue;
    if (!budget::are_colocated(OidIsValid(first) ? first : entry->relid, entry->relid)) return InvalidOid;
    first = entry->relid;
  }
  foreach (cell, level->rtable) {
    const auto* const entry = lfirst_node(RangeTblEntry, cell);
    if (!OidIsValid(first) || entry->rtekind == RTE_JOIN ||
        (entry->rtekind == RTE_RELATION && is_elsewhere(entry->relid)))
      continue;
    if (!is_public_table(entry) || !OidIsValid(budget::copy_beside(entry->relid, first))) return InvalidOid;
  }
  return first;
}

Oid table_side_by_side(const Query* level) {
  const Oid first = is_of_rows(level) ? first_beside(level) : InvalidOid;
  return OidIsValid(first) && budget::makes_parts(first) ? first : InvalidOid;
}

void read_copies_beside(Query* level, InnerQuery* what) {
  ListCell* cell;
  foreach (cell, level->rtable) {
    const auto* const entry = lfirst_node(RangeTblEntry, cell);
    if (entry->rtekind == RTE_SUBQUERY) read_copies_beside(entry->subquery, what);
  }
  const Oid first = first_beside(level);
  if (!OidIsValid(first)) return;
  List *read = NIL, *whole = NIL, *copies = NIL;
  foreach (cell, level->rtable) {
    const auto* const entry = lfirst_node(RangeTblEntry, cell);
    Oid instead = entry->relid;
    if (entry->rtekind == RTE_RELATION && !is_elsewhere(entry->relid)) {
      instead = budget::copy_beside(entry->relid, first);
      copies = lappend_oid(copies, instead);
    }
    whole = lappend_oid(whole, entry->relid);
    read = lappend_oid(read, instead);
  }
  if (copies == NIL) return;
  InPart beside(whole, read);
  replace_in_level(level, &beside);
  foreach (cell, level->rtable) {
    const int place = foreach_current_index(cell);
    if (place == list_length(read)) break;
    auto* const entry = lfirst_node(RangeTblEntry, cell);
    if (list_nth_oid(read, place) == entry->relid) continue;
    add_entry(level, entry);  // for which permissions are asked still
    List* permissions = pg::checked_permissions(level);
    list_nth_cell(level->rtable, place)->ptr_value = entry_of_table(list_nth_oid(read, place), false, &permissions);
    pg::set_permissions(level, permissions);
  }
  foreach (cell, copies) rely_on_copy(lfirst_oid(cell), what);
}

}  // namespace dp::guard
