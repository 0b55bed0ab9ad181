#include "guard/relations/per_unit_windows.h"

#include "guard/admission/refusal.h"
#include "guard/relations/first_rows.h"
#include "guard/tree/by_number.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

bool collect_calls(Node* node, void* calls) {
  if (node == nullptr || IsA(node, Query)) return false;
  if (IsA(node, WindowFunc)) *static_cast<List**>(calls) = lappend(*static_cast<List**>(calls), node);
  return pg::walk(node, collect_calls, calls);
}

bool is_named_in(const Bitmapset* names, const SortGroupClause* clause) {
  return bms_is_member(static_cast<int>(clause->tleSortGroupRef), names);
}

// The reference of the first clause that names the unit; 0: none does.
Index unit_among(List* clauses, const Bitmapset* names) {
  ListCell* cell;
  foreach (cell, clauses) {
    const auto* const clause = lfirst_node(SortGroupClause, cell);
    if (is_named_in(names, clause)) return clause->tleSortGroupRef;
  }
  return 0;
}

// ---- refusals -------------------------------------------------------------------------------------------------------

struct NamedColumn {
  const RangeTblEntry* entry;
  AttrNumber number;
};

// The column where the statement names it: behind the subquery around which first_rows.h makes a level.
NamedColumn as_written(NamedColumn column, const Query* level) {
  if (!finds_one(level)) return column;
  const Query* const written = column.entry->subquery;
  const auto* const shown = reinterpret_cast<const Var*>(target_numbered(written->targetList, column.number)->expr);
  if (!IsA(shown, Var)) return column;
  return {entry_numbered(static_cast<int>(shown->varno), written->rtable), shown->varattno};
}

// What names the unit, as it can be written in that level, or behind it where the table that does is to be joined;
// nullptr where no table has a unit.
const char* written_unit(const Query* level, const InnerQueryTables& tables, const char** join) {
  for (int table = 1; table <= tables.units.named; ++table) {
    const Var* const unit = tables.units.column_of(table);
    if (unit == nullptr) continue;
    const NamedColumn named{tables.sources.table(static_cast<int>(unit->varno)), unit->varattno};
    const auto [entry, number] = as_written(named, level);
    const char* const column = quote_identifier(name_of_column(entry, number));
    if (static_cast<int>(unit->varno) > tables.units.named)
      *join = psprintf("joined along %s", tables.unit);
    else if (tables.units.named == 1)
      return column;
    return psprintf("%s.%s", quote_identifier(*join == nullptr ? entry->eref->aliasname : get_rel_name(entry->relid)),
                    column);
  }
  return nullptr;
}

const char* text_of_keys(List* clauses, const Query* level) {
  StringInfoData text;
  initStringInfo(&text);
  ListCell* cell;
  foreach (cell, clauses) {
    const TargetEntry* const entry = get_sortgroupclause_tle(lfirst_node(SortGroupClause, cell), level->targetList);
    const auto* const key = reinterpret_cast<const Var*>(entry->expr);
    const char* name = entry->resname;
    if (IsA(key, Var) && key->varlevelsup == 0) {
      const auto [table, number] =
          as_written({entry_numbered(static_cast<int>(key->varno), level->rtable), key->varattno}, level);
      name = column_name(table, number);
    }
    appendStringInfo(&text, "%s%s", text.len > 0 ? ", " : "", name == nullptr ? "expression" : name);
  }
  return text.data;
}

// `what`: the call or the clause that looks at them; `keys`: what rows are told apart by.
[[noreturn]] void refuse_several_units(const char* what, const char* written, List* keys, const Query* level,
                                       const InnerQueryTables& tables, int location) {
  const char* join = nullptr;
  const char* const unit = written_unit(level, tables, &join);
  const char* const by = keys == NIL ? "all rows" : psprintf("all rows with the same %s", text_of_keys(keys, level));
  const char* const answers = "SELECT k, count(*), rank() OVER (ORDER BY count(*) DESC) FROM t GROUP BY k";
  if (unit == nullptr) {
    DP_REFUSE(location, errmsg("%s looks at %s below private aggregates, and each row is somebody else's", what, by),
              errhint("Rank and compare answers: %s.\nOr ask a curator to declare whose the rows are, dp.protect(..., "
                      "privacy_unit => 'person').",
                      answers));
  }
  DP_REFUSE(
      location, errmsg("%s looks at %s below private aggregates, whosever they are", what, by),
      errdetail("One person would change what is computed in rows of others."),
      errhint("Look at the rows of one person: %s%s%s.\nOr rank and compare answers: %s.", psprintf(written, unit),
              join == nullptr ? "" : ", with its table ", join == nullptr ? "" : join, answers));
  pg_unreachable();
}

[[noreturn]] void refuse_first_of_several(List* keys, const Query* level, const InnerQueryTables& tables) {
  refuse_several_units("LATERAL (... LIMIT 1)", "WHERE %s = ... LIMIT 1", keys, level, tables, -1);
}

}  // namespace

List* window_calls(List* columns) {
  List* calls = NIL;
  collect_calls(reinterpret_cast<Node*>(columns), &calls);
  return calls;
}

WindowClause* window_of(const WindowFunc* call, List* windows) {
  ListCell* cell;
  foreach (cell, windows) {
    if (lfirst_node(WindowClause, cell)->winref == call->winref) return lfirst_node(WindowClause, cell);
  }
  elog(ERROR, "the window of a call is not there");
}

bool are_all(List* clauses, const Bitmapset* names) {
  ListCell* cell;
  foreach (cell, clauses) {
    if (!is_named_in(names, lfirst_node(SortGroupClause, cell))) return false;
  }
  return true;
}

bool looks_within_partitions(const Query* level) { return level->hasWindowFuncs || level->hasDistinctOn; }

AttrNumber unit_of_partitions(const Query* level, const Bitmapset* names, const InnerQueryTables& tables, bool* alone) {
  const bool groups = level->groupClause != NIL;
  if (!groups && level->hasAggs) return InvalidAttrNumber;
  if (groups && unit_among(level->groupClause, names) == 0) return InvalidAttrNumber;
  Index unit = 0;
  ListCell* cell;
  foreach (cell, window_calls(level->targetList)) {
    const auto* const call = lfirst_node(WindowFunc, cell);
    List* const partition = window_of(call, level->windowClause)->partitionClause;
    unit = unit_among(partition, names);
    if (unit == 0 && finds_one(level)) refuse_first_of_several(partition, level, tables);
    if (unit == 0)
      refuse_several_units(psprintf("window function %s", get_func_name(call->winfnoid)),
                           "OVER (PARTITION BY %s ORDER BY ...)", partition, level, tables, call->location);
  }
  *alone = groups && are_all(level->groupClause, names);
  if (level->distinctClause != NIL) {
    unit = unit_among(level->distinctClause, names);
    const char* const what = level->hasDistinctOn ? "DISTINCT ON" : "DISTINCT";
    const char* const written = level->hasDistinctOn ? "DISTINCT ON (%s)" : "SELECT DISTINCT %s, ...";
    if (unit == 0 && is_first_of_each(level)) refuse_first_of_several(level->distinctClause, level, tables);
    if (unit == 0) refuse_several_units(what, written, level->distinctClause, level, tables, -1);
    *alone = *alone || are_all(level->distinctClause, names);
  }
  return get_sortgroupref_tle(unit, level->targetList)->resno;
}

}  // namespace dp::guard
