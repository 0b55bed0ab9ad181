#include "guard/relations/joins.h"

#include <algorithm>

#include "budget/catalog/unique_indexes.h"
#include "budget/policy/accounts.h"
#include "budget/policy/privacy_unit.h"
#include "guard/admission/refusal.h"
#include "guard/query/public_rows.h"
#include "guard/relations/full_joins.h"
#include "guard/relations/per_unit_subquery.h"

namespace dp::guard {
namespace {

const char* name_of(const RangeTblEntry* table) { return name_of_table(table); }

class Joins {
 public:
  Joins(const Sources& sources, const JoinConditions& conditions, const UnitColumns& units, List* partners,
        int location)
      : sources_(sources), conditions_(conditions), units_(units), partners_(partners), location_(location) {}

  JoinKeys check() {
    JoinKeys keys{};
    for (int i = 0; i < list_length(sources_.subqueries); ++i) {
      keys.columns = lappend(keys.columns, NIL);
      keys.in = lappend(keys.in, NIL);
    }
    Bitmapset* bound = bms_make_singleton(1);
    keys.rows = keys.about = 1;
    const auto join = [&](bool all, bool several) {
      return bind(&bound, [&](int table, const Bitmapset* others) {
        if (is_partner(table)) return is_joined_on_unit(table, others);
        const int subquery = number_of_public_rows(sources_.table(table));
        if (subquery > 0) return joins_rows(table, subquery, others, all, &keys);
        if (is_joined_on_key(table, others)) return true;
        if (several && is_in_range(table, others)) note_several(table, 0, &keys);
        return several && is_in_range(table, others);
      });
    };
    // By as many columns of a subquery as are compared; only then by those that can be had.
    int unbound = join(true, false);
    if (unbound > 0) unbound = join(false, false);
    if (unbound > 0) unbound = join(false, true);
    if (unbound > 0) refuse_unbound(unbound);
    find_several(&keys);
    keys.indexes = indexes_;
    return keys;
  }

  int somebody_elses(int above) {
    Bitmapset* bound = first(above);
    return bind(&bound, [this](int table, const Bitmapset* bound) {
      return !is_partner(table) || is_joined_on_unit(table, bound);
    });
  }

  bool finds_one_row(int above, List** indexes) {
    Bitmapset* bound = first(above);
    const bool finds =
        bind(&bound, [this](int table, const Bitmapset* bound) { return is_joined_on_key(table, bound); }) == 0;
    *indexes = list_concat(*indexes, indexes_);
    return finds;
  }

 private:
  // Tables are bound one after the other: each by equalities with expressions over tables that are bound already.
  // Returns the first that is not; 0: all are.
  template <class Binds>
  int bind(Bitmapset** bound, Binds binds) {
    for (bool changed = true; changed;) {
      changed = false;
      for (int table = 1; table <= units_.named; ++table) {
        if (bms_is_member(table, *bound) || !binds(table, *bound)) continue;
        *bound = bms_add_member(*bound, table);
        changed = true;
      }
    }
    for (int table = 1; table <= units_.named; ++table) {
      if (!bms_is_member(table, *bound)) return table;
    }
    return 0;
  }

  static Bitmapset* first(int tables) { return bms_add_range(nullptr, 1, tables); }

  bool is_partner(int table) const { return list_member_int(partners_, table); }

  // The unit of each is named by a column that equals that of one which is bound, or is the same one; or the table is
  // where a step from one that is bound leads to.
  bool is_joined_on_unit(int table, const Bitmapset* bound) const {
    if (units_.is_bound_by_step(conditions_, sources_, table, bound)) return true;
    const Var* const unit = units_.column_of(table);
    if (unit == nullptr) return false;
    if (is_unit_of_bound(unit, bound)) return true;
    return conditions_.any_equality(unit->varno, [&](const Equality& equality) {
      if (equality.column->varattno != unit->varattno || !is_equality_of(equality.op, equality.column->vartype))
        return false;
      Node* const other = without_relabel(equality.value);
      if (!IsA(other, Var))
        return is_unit_of_full_join(equality.value) && is_equality_of(equality.op, exprType(equality.value));
      return is_unit_of_bound(castNode(Var, other), bound) &&
             is_equality_of(equality.op, castNode(Var, other)->vartype);
    });
  }

  // Whether it is what names the unit of the rows of the full join, whose two tables are joined on the unit or refused.
  bool is_unit_of_full_join(Node* value) const {
    return sources_.full != nullptr && is_unit_of_full(value, unit_of_full(sources_, units_, location_));
  }

  // Whether the column names the unit of a protected table that is bound, for every row in which the column is not
  // NULL.
  bool is_unit_of_bound(const Var* column, const Bitmapset* bound) const {
    for (int table = 1; table <= units_.named; ++table) {
      const Var* const unit = units_.column_of(table);
      if (unit != nullptr && bms_is_member(table, bound) && unit->varno == column->varno &&
          unit->varattno == column->varattno && column->varlevelsup == 0 &&
          units_.is_named_always(conditions_, table)) {
        return true;
      }
    }
    return false;
  }

  bool is_joined_on_key(int table, const Bitmapset* bound) {
    const RangeTblEntry* const entry = sources_.table(table);
    return budget::visit_unique_indexes(entry->relid, entry->inh, [&](Relation index) {
      for (int i = 0; i < index->rd_index->indnkeyatts; ++i) {
        const bool given = conditions_.any_equality(table, [&](const Equality& equality) {
          return equality.column->varattno == index->rd_index->indkey.values[i] &&
                 get_op_opfamily_strategy(equality.op->opno, index->rd_opfamily[i]) == BTEqualStrategyNumber &&
                 equality.op->inputcollid == index->rd_indcollation[i] &&
                 bms_is_subset(pull_varnos(nullptr, equality.value), bound);
        });
        if (!given) return false;
      }
      indexes_ = lappend_oid(indexes_, RelationGetRelid(index));
      return true;
    });
  }

  // Notes the columns of a subquery that is run by itself by which a row of the tables that are bound finds its rows,
  // each by the equality of its type. `all`: false where one of the columns is compared with another table.
  bool joins_rows(int table, int subquery, const Bitmapset* bound, bool all, JoinKeys* keys) const {
    List *columns = NIL, *collations = NIL;
    bool waits = false;
    conditions_.any_equality(table, [&](const Equality& equality) {
      const AttrNumber column = equality.column->varattno;
      const Bitmapset* const read = pull_varnos(nullptr, equality.value);
      if (column <= 0 || !is_equality_of(equality.op, equality.column->vartype) || bms_is_member(table, read))
        return false;
      if (!bms_is_subset(read, bound)) {
        waits = true;
      } else if (!list_member_int(columns, column)) {
        columns = lappend_int(columns, column);
        collations = lappend_oid(collations, equality.op->inputcollid);
      }
      return false;
    });
    if (all && (waits || columns == NIL)) return false;
    lfirst(list_nth_cell(keys->columns, subquery - 1)) = columns;
    lfirst(list_nth_cell(keys->in, subquery - 1)) = collations;
    return true;
  }

  // Whether the rows of the table are those that begin or end before or behind something in the other tables.
  bool is_in_range(int table, const Bitmapset* bound) const {
    return conditions_.any_equality(table, [&](const Equality& comparison) {
      const Bitmapset* const read = pull_varnos(nullptr, comparison.value);
      const int range = pg::range_of(comparison.op->opno, false);
      const bool overlaps = type_is_range(comparison.column->vartype) && comparison.op->opno < FirstGenbkiObjectId;
      return ((range != 0 && range != BTEqualStrategyNumber) || overlaps) && !bms_is_empty(read) &&
             bms_is_subset(read, bound) && !bms_is_member(table, read);
    });
  }

  // `rows`: 0: any number.
  void note_several(int table, int rows, JoinKeys* keys) const {
    if (keys->fan_out == nullptr) keys->fan_out = sources_.table(table);
    keys->rows = std::min<std::int64_t>(keys->rows * rows, budget::kMostOfUnit + 1);
    keys->about = std::min<std::int64_t>(keys->about * rows, budget::kMostOfUnit);
  }

  void note_open(int table, int subquery, JoinKeys* keys) const {
    keys->open = lappend_int(keys->open, subquery);
    if (keys->fan_out_open == nullptr) keys->fan_out_open = sources_.table(table);
    const std::int64_t about = keys->about * list_nth_int(sources_.subquery_about, subquery - 1);
    keys->about = std::min<std::int64_t>(about, budget::kMostOfUnit);
  }

  // Of the subqueries that are run by themselves: of lists that nothing joins each row is found. Of those that are
  // joined by a range, or by no equality that is the same in every session, there may be any number.
  void find_several(JoinKeys* keys) const {
    for (int table = 1; table <= units_.named; ++table) {
      const int subquery = number_of_public_rows(sources_.table(table));
      if (subquery == 0) continue;
      const int known = list_nth_int(sources_.subquery_rows, subquery - 1);
      const int written = known < kFindsOne ? -known : known;
      if (known < kFindsOne) keys->first = written;
      const bool in_range = is_in_range(table, bms_del_member(first(units_.named), table));
      const bool all = list_nth(keys->columns, subquery - 1) == NIL && written > 1;
      if (written == kFindsOne || all || (in_range && written > 1)) {
        keys->several = lappend_int(keys->several, subquery);
        if (written != kFindsOne) note_several(table, written, keys);
      } else if (in_range ||
                 (list_nth(keys->columns, subquery - 1) == NIL && written == 0 && compares_in_zone(sources_, table))) {
        note_open(table, subquery, keys);
      }
    }
  }

  bool has_path(int table) const {
    const budget::UnitPath* const path = units_.path_of(table);
    return path != nullptr && path->steps != NIL;
  }

  // "visits.id", as the query names the table.
  char* text_of(const Var* column) const {
    const RangeTblEntry* const entry = sources_.table(column->varno);
    return psprintf("%s.%s", quote_identifier(entry->eref->aliasname),
                    quote_identifier(name_of_column(entry, column->varattno)));
  }

  // For a hint: a protected table and the first one.
  const char* how_to_join(int table) const {
    if (has_path(table) || has_path(1)) {
      const auto& step =
          *static_cast<const budget::UnitStep*>(linitial(units_.path_of(has_path(table) ? table : 1)->steps));
      return psprintf(
          "Join the tables of a path along it, column by column: ON %s.%s = %s.%s.",
          quote_identifier(get_rel_name(step.from)), quote_identifier(get_attname(step.from, step.own[0], false)),
          quote_identifier(get_rel_name(step.to)), quote_identifier(get_attname(step.to, step.referred[0], false)));
    }
    const Var *const unit = units_.column_of(table), *const first = units_.column_of(1);
    if (unit != nullptr && first != nullptr)
      return psprintf("Let the join be an equality of the two columns: ON %s = %s.", text_of(first), text_of(unit));
    return "Both must have a privacy_unit, and the join an equality of the two columns: ON a.patient_id = "
           "b.patient_id.";
  }

  [[noreturn]] void refuse_unbound(int table) const {
    const char* const name = name_of(sources_.table(table));
    const char* const first = name_of(sources_.table(1));
    if (is_partner(table)) {
      DP_REFUSE(location_, errmsg("protected tables %s and %s are not joined on their privacy unit", first, name),
                errhint("%s", how_to_join(table)));
    }
    DP_REFUSE(location_, errmsg("table %s is not joined to %s on a unique key of its own", name, first),
              errdetail("A row of %s could be counted more than once.", first),
              errhint("Join on all columns of a unique index of %s, each compared as a bare column by its own "
                      "equality: ... JOIN %s AS "
                      "other ON other.id = ...",
                      name, quote_identifier(name)));
    pg_unreachable();
  }

  const Sources& sources_;
  const JoinConditions& conditions_;
  const UnitColumns& units_;
  List* partners_;
  int location_;
  List* indexes_ = NIL;
};

[[noreturn]] void refuse_table(const char* table, const char* unsupported, const RangeTblEntry* first, int location) {
  DP_REFUSE(location, errmsg("table %s cannot be joined to a protected one: %s", table, unsupported),
            errhint("Ask for the answers alone, and join them: ... JOIN (SELECT k, dp_count('*', %s) FROM %s GROUP BY "
                    "k) AS answers "
                    "USING (k).",
                    example_epsilon(), quote_identifier(name_of(first))));
  pg_unreachable();
}

// A table that only adds columns.
void check_public(const RangeTblEntry* entry, Oid subject, const RangeTblEntry* first, int location) {
  refuse_protected_part(entry, location);
  Relation const table = table_open(entry->relid, AccessShareLock);
  const FormData_pg_class& what = *table->rd_rel;
  const char* unsupported = nullptr;
  if (what.relkind != RELKIND_RELATION && what.relkind != RELKIND_PARTITIONED_TABLE &&
      what.relkind != RELKIND_MATVIEW) {
    unsupported = "it is not a table";
  } else if (what.relrowsecurity || what.relforcerowsecurity) {
    unsupported = "it has row security";
  }
  table_close(table, NoLock);
  if (unsupported != nullptr) refuse_table(name_of(entry), unsupported, first, location);
  // PostgreSQL checks privileges again later, by column. They are checked here too because the table's values are about
  // to be read to find the public groups.
  const Oid role = OidIsValid(subject) ? subject : GetUserId();
  if (pg_class_aclcheck(entry->relid, role, ACL_SELECT) != ACLCHECK_OK &&
      pg_attribute_aclcheck_all(entry->relid, role, ACL_SELECT, ACLMASK_ANY) != ACLCHECK_OK) {
    aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_TABLE, name_of(entry));
  }
}

// A table's owner sees in its statistics, and in those of its partitions, how many rows were looked up.
bool is_owned_by_curators(Oid relation, bool with_tables_below, Oid of) {
  ListCell* cell;
  foreach (cell,
           with_tables_below ? find_all_inheritors(relation, AccessShareLock, nullptr) : list_make1_oid(relation)) {
    Relation const table = table_open(lfirst_oid(cell), AccessShareLock);
    const Oid owner = table->rd_rel->relowner;
    table_close(table, NoLock);
    if (!budget::is_curator(of, owner)) return false;
  }
  return true;
}

// Of what stands there, a table or those below a per-unit subquery, the first (oid) whose owner is no curator.
Oid table_of_others(const Sources& sources, int table, Oid of) {
  const RangeTblEntry* const entry = sources.table(table);
  const PerUnitTable* const per_unit = sources.per_unit_at(table);
  if (per_unit == nullptr) return is_owned_by_curators(entry->relid, entry->inh, of) ? InvalidOid : entry->relid;
  ListCell* cell;
  foreach (cell, per_unit->rows->tables.relations()) {
    if (!is_owned_by_curators(lfirst_oid(cell), true, of)) return lfirst_oid(cell);
  }
  return InvalidOid;
}

Oid table_of_others_at(const Sources& sources, int table, int guarded) {
  const PerUnitTable* const per_unit = sources.per_unit_at(guarded);
  if (per_unit == nullptr) return table_of_others(sources, table, sources.protection(guarded)->relation);
  Oid found = InvalidOid;
  ListCell* cell;
  foreach (cell, per_unit->rows->tables.all_protected()) {
    if (!OidIsValid(found))
      found = table_of_others(sources, table, static_cast<const AskedTable*>(lfirst(cell))->protection->relation);
  }
  return found;
}

void check_owners(const Sources& sources, List* guarded, int table, int location) {
  ListCell* cell;
  foreach (cell, guarded) {
    const int other = lfirst_int(cell);
    if (other == table) continue;
    const Oid found = table_of_others_at(sources, table, other);
    if (!OidIsValid(found)) continue;
    refuse_table(get_rel_name(found),
                 "its owner, who would see how many protected rows it is joined to, is no curator of these",
                 sources.table(table == 1 ? other : 1), location);
  }
}

}  // namespace

void refuse_protected_part(const RangeTblEntry* entry, int location) {
  if (!entry->inh || !budget::has_protected_child(entry->relid)) return;
  const char* const name = name_of(entry);
  DP_REFUSE(
      location, errmsg("table %s is not protected, but a table below it is", name),
      errhint(
          "Ask the protected part by its own name, or ask a curator to protect the whole: SELECT dp.protect(%s, 10);",
          quote_literal_cstr(name)));
}

JoinKeys check_joins(const Sources& sources, const JoinConditions& conditions, const UnitColumns& units, List* partners,
                     int location) {
  for (int table = 1; table <= list_length(sources.tables); ++table) {
    if (number_of_public_rows(sources.table(table)) > 0) continue;  // nobody's, and read beforehand
    if (table > 1 && table <= units.named && !list_member_int(partners, table))
      check_public(sources.table(table), sources.subject(table), sources.table(1), location);
    check_owners(sources, lcons_int(1, list_copy(partners)), table, location);
  }
  return Joins(sources, conditions, units, partners, location).check();
}

void check_asked(const Sources& sources, List* guarded, int above, int location) {
  for (int table = 1; table <= list_length(sources.tables); ++table) {
    if (number_of_public_rows(sources.table(table)) > 0) continue;
    if (table > above && !list_member_int(guarded, table))
      check_public(sources.table(table), sources.subject(table), sources.table(1), location);
    check_owners(sources, guarded, table, location);
  }
}

int somebody_elses(const Sources& sources, const JoinConditions& conditions, const UnitColumns& units, List* guarded,
                   int above) {
  return Joins(sources, conditions, units, guarded, -1).somebody_elses(above);
}

bool finds_one_row(const Sources& sources, const JoinConditions& conditions, const UnitColumns& units, int above,
                   List** indexes) {
  return Joins(sources, conditions, units, NIL, -1).finds_one_row(above, indexes);
}

bool may_be_missing(Node* tree, int table) {
  if (IsA(tree, RangeTblRef)) return false;
  const auto* const join = castNode(JoinExpr, tree);
  const bool outer = join->jointype == JOIN_LEFT || join->jointype == JOIN_FULL;
  if (outer && castNode(RangeTblRef, join->rarg)->rtindex == table) return true;
  if (join->jointype == JOIN_FULL && castNode(RangeTblRef, join->larg)->rtindex == table) return true;
  return may_be_missing(join->larg, table) || may_be_missing(join->rarg, table);
}

}  // namespace dp::guard
