#include "guard/relations/unit_columns.h"

#include "guard/relations/per_unit_subquery.h"
#include "guard/tree/columns.h"
#include "guard/tree/entries.h"

namespace dp::guard {
namespace {

Var* column_at(int table, Oid relation, AttrNumber column) { return column_of_table(table, column, relation); }

// Whether the entry reads the table that a step leads to, all of it and nothing else: tables that inherit from it have
// keys of their own.
bool reads_referred(const RangeTblEntry* entry, Oid referred) {
  if (entry->relid != referred) return false;
  return get_rel_relkind(referred) == RELKIND_PARTITIONED_TABLE || !entry->inh || !has_subclass(referred);
}

// Whether a row of `from` and one of `to` are joined along the step, where `table`, one of them, is not missing.
bool is_joined(const JoinConditions& conditions, const budget::UnitStep& step, int from, int to, int table) {
  Relation const index = index_open(step.index, AccessShareLock);
  bool joined = true;
  for (int i = 0; joined && i < step.columns; ++i) {
    const Var* const own = column_at(from, step.from, step.own[i]);
    const Var* const referred = column_at(to, step.to, step.referred[i]);
    joined = conditions.are_equal(table, *own, *referred, index, i);
  }
  index_close(index, AccessShareLock);
  return joined;
}

class Finder {
 public:
  Finder(Sources* sources, JoinConditions* conditions, List* protections)
      : sources_(sources), conditions_(conditions), protections_(protections) {
    found_.named = list_length(sources->tables);
  }

  UnitColumns find() {
    for (int table = 1; table <= found_.named; ++table) {
      const PerUnitTable* const per_unit = sources_->per_unit_at(table);
      found_.columns = lappend(found_.columns, per_unit == nullptr ? nullptr : per_unit->rows->unit_at(table));
      found_.entries = lappend(found_.entries, NIL);
      found_.paths = lappend(found_.paths, path_of(table));
    }
    // Those that may be missing come last: what is joined beside a missing row would take the whole row away.
    for (const bool missing : {false, true}) {
      for (int table = 1; table <= found_.named; ++table) {
        if (found_.path_of(table) != nullptr && conditions_->may_miss(table) == missing) follow(table);
      }
    }
    Bitmapset* all = nullptr;
    for (int table = 1; table <= found_.named; ++table) all = bms_add_member(all, table);
    for (int table = 1; table <= found_.named; ++table) {
      if (found_.path_of(table) != nullptr && found_.is_bound_by_step(*conditions_, *sources_, table, all))
        found_.led_to = bms_add_member(found_.led_to, table);
    }
    return found_;
  }

 private:
  budget::UnitPath* path_of(int table) const {
    if (list_nth(protections_, table - 1) == nullptr || sources_->per_unit_at(table) != nullptr) return nullptr;
    return const_cast<budget::UnitPath*>(sources_->read_at(table).unit_path());
  }

  void follow(int table) {
    const budget::UnitPath& path = *found_.path_of(table);
    List* entries = list_make1_int(table);
    int at = table;
    ListCell* cell;
    foreach (cell, path.steps) {
      const auto& step = *static_cast<const budget::UnitStep*>(lfirst(cell));
      int next = joined_along(step, at, table);
      if (next == 0 && conditions_->may_miss(table)) return;
      if (next == 0) next = join_beside(step, at);
      if (next <= found_.named) found_.led_to = bms_add_member(found_.led_to, next);
      entries = lappend_int(entries, next);
      at = next;
    }
    lfirst(list_nth_cell(found_.entries, table - 1)) = entries;
    lfirst(list_nth_cell(found_.columns, table - 1)) = column_at(at, path.table, path.column);
  }

  // The table that the level joins along the step, for every row in which `table` is not missing; 0: none. It may stand
  // where a row may be missing: where its key is equal to something it is there.
  int joined_along(const budget::UnitStep& step, int from, int table) const {
    for (int other = 1; other <= list_length(sources_->tables); ++other) {
      if (other != from && reads_referred(sources_->table(other), step.to) &&
          is_joined(*conditions_, step, from, other, table)) {
        return other;
      }
    }
    return 0;
  }

  int join_beside(const budget::UnitStep& step, int from) {
    auto* const entry = makeNode(RangeTblEntry);
    entry->rtekind = RTE_RELATION;
    entry->relid = step.to;
    entry->relkind = get_rel_relkind(step.to);
    entry->rellockmode = AccessShareLock;
    entry->inh = entry->relkind == RELKIND_PARTITIONED_TABLE;
    entry->inFromCl = true;
    Relation const table = table_open(step.to, AccessShareLock);
    List* names = NIL;
    for (int i = 0; i < RelationGetDescr(table)->natts; ++i) {
      const FormData_pg_attribute& column = *TupleDescAttr(RelationGetDescr(table), i);
      names = lappend(names, makeString(column.attisdropped ? pstrdup("") : pstrdup(NameStr(column.attname))));
    }
    table_close(table, NoLock);
    entry->eref = makeAlias(get_rel_name(step.to), names);
    pg::ask_nothing_for(&sources_->permissions, entry);
    sources_->tables = lappend(sources_->tables, entry);
    sources_->reads = lappend(sources_->reads, new (palloc(sizeof(ReadTable))) ReadTable(step.to));
    sources_->security_quals = lappend(sources_->security_quals, NIL);
    const int number = list_length(sources_->tables);
    List* equalities = NIL;
    for (int i = 0; i < step.columns; ++i) equalities = lappend(equalities, equality(step, i, from, number));
    JoinExpr* const join = joined(JOIN_INNER, sources_->tree, item_of(number), all_of(equalities));
    sources_->tree = reinterpret_cast<Node*>(join);
    conditions_->add(join->quals);
    return number;
  }

  // Not one that takes two NULLs for equal: a key of which a part is NULL refers to nobody.
  static Expr* equality(const budget::UnitStep& step, int i, int from, int to) {
    Oid left, right;
    op_input_types(step.operators[i], &left, &right);
    Relation const index = index_open(step.index, AccessShareLock);
    const Oid collation = index->rd_indcollation[i];
    index_close(index, AccessShareLock);
    Expr* const condition =
        make_opclause(step.operators[i], BOOLOID, false, converted(column_at(to, step.to, step.referred[i]), left),
                      converted(column_at(from, step.from, step.own[i]), right), InvalidOid, collation);
    set_opfuncid(castNode(OpExpr, condition));
    return condition;
  }

  static Expr* converted(Var* column, Oid type) {
    if (IsPolymorphicType(type)) return reinterpret_cast<Expr*>(column);
    return reinterpret_cast<Expr*>(coerce_to_target_type(nullptr, reinterpret_cast<Node*>(column), column->vartype,
                                                         type, -1, COERCION_IMPLICIT, COERCE_IMPLICIT_CAST, -1));
  }

  Sources* sources_;
  JoinConditions* conditions_;
  List* protections_;
  UnitColumns found_;
};

}  // namespace

bool UnitColumns::is_bound_by_step(const JoinConditions& conditions, const Sources& sources, int table,
                                   const Bitmapset* bound) const {
  for (int from = 1; from <= named; ++from) {
    const budget::UnitPath* const path = path_of(from);
    auto* const at = static_cast<List*>(list_nth(entries, from - 1));
    if (path == nullptr || at == NIL || from == table || !bms_is_member(from, bound)) continue;
    for (int i = 0; i < list_length(path->steps); ++i) {
      // Where a table is missing, those to which its path leads may be there, and are anybody's.
      if (i > 0 && conditions.may_miss(from)) break;
      const auto& step = *static_cast<const budget::UnitStep*>(list_nth(path->steps, i));
      if (reads_referred(sources.table(table), step.to) &&
          is_joined(conditions, step, list_nth_int(at, i), table, table)) {
        return true;
      }
    }
  }
  return false;
}

UnitColumns find_unit_columns(Sources* sources, JoinConditions* conditions, List* protections) {
  return Finder(sources, conditions, protections).find();
}

}  // namespace dp::guard
