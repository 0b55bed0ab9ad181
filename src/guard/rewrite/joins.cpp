#include "guard/rewrite/joins.h"

#include "budget/catalog/unique_indexes.h"
#include "budget/policy/accounts.h"
#include "budget/policy/privacy_unit.h"
#include "guard/admission/refusal.h"

namespace dp::guard {
namespace {

const char* name_of(const RangeTblEntry* table) { return get_rel_name(table->relid); }

// What an equality says: a column of one table has the value of an expression over others.
struct Equality {
  const OpExpr* op;
  const Var* column;
  Node* value;
};

Node* without_relabel(Node* node) {
  while (IsA(node, RelabelType)) node = reinterpret_cast<Node*>(castNode(RelabelType, node)->arg);
  return node;
}

// The condition as an equality of a bare column of that table; column nullptr where it is none. `side`: 0 or 1. Not an
// equality that is merely stable: one between times with and without zone follows the setting TimeZone, and where
// clocks change one moment equals two local times.
Equality equality_of(Node* condition, int table, int side) {
  if (!IsA(condition, OpExpr)) return {};
  const auto* const op = castNode(OpExpr, condition);
  if (list_length(op->args) != 2 || op_volatile(op->opno) != PROVOLATILE_IMMUTABLE) return {};
  Node* const column = without_relabel(static_cast<Node*>(list_nth(op->args, side)));
  if (!IsA(column, Var) || castNode(Var, column)->varno != table || castNode(Var, column)->varlevelsup > 0) return {};
  return {op, castNode(Var, column), static_cast<Node*>(list_nth(op->args, 1 - side))};
}

class Joins {
 public:
  Joins(const Sources& sources, List* partners, int location)
      : sources_(sources), partners_(partners), location_(location), inner_(sources.conditions) {
    left_ = static_cast<List**>(palloc0(sizeof(List*) * static_cast<Size>(list_length(sources.tables) + 1)));
    missing_ = bms_make_singleton(0);
    collect(sources.tree);
  }

  // Tables are bound one after the other: each by equalities with expressions over tables that are bound already.
  List* check() {
    Bitmapset* bound = bms_make_singleton(1);
    for (bool changed = true; changed;) {
      changed = false;
      for (int table = 1; table <= list_length(sources_.tables); ++table) {
        if (bms_is_member(table, bound) || !binds(table, bound)) continue;
        bound = bms_add_member(bound, table);
        changed = true;
      }
    }
    for (int table = 1; table <= list_length(sources_.tables); ++table) {
      if (!bms_is_member(table, bound)) refuse_unbound(table);
    }
    return indexes_;
  }

 private:
  bool is_partner(int table) const { return list_member_int(partners_, table); }

  void collect(Node* tree) {
    if (IsA(tree, RangeTblRef)) return;
    const auto* const join = castNode(JoinExpr, tree);
    List* const conditions = make_ands_implicit(reinterpret_cast<Expr*>(join->quals));
    collect(join->larg);
    if (join->jointype == JOIN_INNER) {
      inner_ = list_concat(list_copy(inner_), conditions);
      return collect(join->rarg);
    }
    const int table = castNode(RangeTblRef, join->rarg)->rtindex;
    left_[table] = conditions;
    missing_ = bms_add_member(missing_, table);
  }

  List* conditions_on(int table) const { return bms_is_member(table, missing_) ? left_[table] : inner_; }

  // Calls visit(equality) for each equality of a bare column of the table, until it returns true.
  template <class Visit>
  bool any_equality(int table, Visit visit) const {
    ListCell *condition, *part;
    foreach (condition, conditions_on(table)) {
      foreach (part, make_ands_implicit(static_cast<Expr*>(lfirst(condition)))) {
        for (int side = 0; side < 2; ++side) {
          const Equality equality = equality_of(static_cast<Node*>(lfirst(part)), table, side);
          if (equality.column != nullptr && visit(equality)) return true;
        }
      }
    }
    return false;
  }

  bool binds(int table, const Bitmapset* bound) {
    return is_partner(table) ? is_joined_on_unit(table, bound) : is_joined_on_key(table, bound);
  }

  static AttrNumber unit_of(const RangeTblEntry* table) {
    return budget::unit_column(budget::protection_of(table->relid)->unit, table->relid);
  }

  bool is_joined_on_unit(int table, const Bitmapset* bound) const {
    const AttrNumber unit = unit_of(sources_.table(table));
    return unit > 0 && any_equality(table, [&](const Equality& equality) {
             Node* const other = without_relabel(equality.value);
             if (equality.column->varattno != unit || !IsA(other, Var)) return false;
             const auto* const var = castNode(Var, other);
             if (!bms_is_member(var->varno, bound) || (var->varno != 1 && !is_partner(var->varno))) return false;
             return var->varattno > 0 && var->varattno == unit_of(sources_.table(var->varno)) &&
                    is_equality_of(equality.op, equality.column->vartype) && is_equality_of(equality.op, var->vartype);
           });
  }

  static bool is_equality_of(const OpExpr* op, Oid type) {
    const Oid family = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
    return OidIsValid(family) && get_op_opfamily_strategy(op->opno, family) == BTEqualStrategyNumber;
  }

  bool is_joined_on_key(int table, const Bitmapset* bound) {
    const RangeTblEntry* const entry = sources_.table(table);
    return budget::visit_unique_indexes(entry->relid, entry->inh, [&](Relation index) {
      for (int i = 0; i < index->rd_index->indnkeyatts; ++i) {
        const bool given = any_equality(table, [&](const Equality& equality) {
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

  [[noreturn]] void refuse_unbound(int table) const {
    const char* const name = name_of(sources_.table(table));
    const char* const first = name_of(sources_.table(1));
    if (is_partner(table)) {
      DP_REFUSE(location_, errmsg("protected tables %s and %s are not joined on their privacy unit", first, name),
                errhint("Both must have a privacy_unit, and the join an equality of the two columns: ON a.patient_id = "
                        "b.patient_id."));
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
  List* partners_;
  int location_;
  List* inner_;         // conditions that hold for every row
  List** left_;         // by table: the conditions of the left join that it is on the right of
  Bitmapset* missing_;  // those tables
  List* indexes_ = NIL;
};

[[noreturn]] void refuse_table(const RangeTblEntry* entry, const char* obstacle, const RangeTblEntry* first,
                               int location) {
  DP_REFUSE(location, errmsg("table %s cannot be joined to a protected one: %s", name_of(entry), obstacle),
            errhint("Ask for the answers alone, and join them: ... JOIN (SELECT k, dp_count('*', %s) FROM %s GROUP BY "
                    "k) AS answers "
                    "USING (k).",
                    example_epsilon(), quote_identifier(name_of(first))));
  pg_unreachable();
}

// A table that only adds columns.
void check_public(const RangeTblEntry* entry, Oid subject, const RangeTblEntry* first, int location) {
  Relation const table = table_open(entry->relid, AccessShareLock);
  const FormData_pg_class& what = *table->rd_rel;
  const char* obstacle = nullptr;
  if (what.relkind != RELKIND_RELATION && what.relkind != RELKIND_PARTITIONED_TABLE &&
      what.relkind != RELKIND_MATVIEW) {
    obstacle = "it is not a table";
  } else if (what.relrowsecurity || what.relforcerowsecurity) {
    obstacle = "it has row security";
  }
  table_close(table, NoLock);
  if (obstacle != nullptr) refuse_table(entry, obstacle, first, location);
  // PostgreSQL checks privileges again later, by column. They are checked here too because the table's values are about
  // to be read to find the public groups.
  const Oid role = OidIsValid(subject) ? subject : GetUserId();
  if (pg_class_aclcheck(entry->relid, role, ACL_SELECT) != ACLCHECK_OK &&
      pg_attribute_aclcheck_all(entry->relid, role, ACL_SELECT, ACLMASK_ANY) != ACLCHECK_OK) {
    aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_TABLE, name_of(entry));
  }
}

// A table's owner sees in its statistics, and in those of its partitions, how many rows were looked up.
bool is_owned_by_curators(const RangeTblEntry* entry, Oid of) {
  ListCell* cell;
  foreach (cell,
           entry->inh ? find_all_inheritors(entry->relid, AccessShareLock, nullptr) : list_make1_oid(entry->relid)) {
    Relation const table = table_open(lfirst_oid(cell), AccessShareLock);
    const Oid owner = table->rd_rel->relowner;
    table_close(table, NoLock);
    if (!budget::is_curator(of, owner)) return false;
  }
  return true;
}

void check_owners(const Sources& sources, List* partners, int table, int location) {
  const RangeTblEntry* const entry = sources.table(table);
  ListCell* cell;
  foreach (cell, lcons_int(1, list_copy(partners))) {
    const int other = lfirst_int(cell);
    if (other == table) continue;
    if (is_owned_by_curators(entry, budget::protection_of(sources.table(other)->relid)->relation)) continue;
    refuse_table(entry, "its owner, who would see how many protected rows it is joined to, is no curator of these",
                 sources.table(table == 1 ? other : 1), location);
  }
}

}  // namespace

List* check_joins(const Sources& sources, List* partners, int location) {
  for (int table = 1; table <= list_length(sources.tables); ++table) {
    if (table > 1 && !list_member_int(partners, table))
      check_public(sources.table(table), sources.subject(table), sources.table(1), location);
    check_owners(sources, partners, table, location);
  }
  return Joins(sources, partners, location).check();
}

bool may_be_missing(Node* tree, int table) {
  if (IsA(tree, RangeTblRef)) return false;
  const auto* const join = castNode(JoinExpr, tree);
  if (join->jointype == JOIN_LEFT && castNode(RangeTblRef, join->rarg)->rtindex == table) return true;
  return may_be_missing(join->larg, table) || may_be_missing(join->rarg, table);
}

}  // namespace dp::guard
