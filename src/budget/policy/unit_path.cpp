#include "budget/policy/unit_path.h"

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/foreign_keys.h"
#include "budget/catalog/remembered.h"
#include "budget/catalog/unique_indexes.h"
#include "budget/policy/privacy_unit.h"
#include "budget/policy/protectable.h"
#include "budget/policy/shards.h"
#include "budget/policy/unit_path_text.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

bool is_built_in(Oid op) { return OidIsValid(op) && op < FirstUnpinnedObjectId; }

struct Ownership {
  Oid owner;
  char kind;
  bool hides_rows;
};

Ownership ownership_of(Oid relation) {
  Relation const table = table_open(relation, AccessShareLock);
  const FormData_pg_class& what = *table->rd_rel;
  const Ownership ownership = {what.relowner, what.relkind, what.relrowsecurity || what.relforcerowsecurity};
  table_close(table, NoLock);
  return ownership;
}

// Column by column of the index that is referred to. False where that is not unique for all rows, or the comparison is
// not its own and PostgreSQL's.
bool read_index(const ForeignKey& key, UnitStep* step) {
  if (!are_reliably_unique(key.index) || !has_older_links(key.referred_table)) return false;
  Relation const index = index_open(key.index, AccessShareLock);
  bool fits = index->rd_rel->relam == BTREE_AM_OID || index->rd_rel->relkind == RELKIND_PARTITIONED_INDEX;
  fits = fits && index->rd_index->indnkeyatts == key.columns;
  for (int i = 0; fits && i < key.columns; ++i) {
    int at = 0;
    while (at < key.columns && key.referred[at] != index->rd_index->indkey.values[i]) ++at;
    fits = at < key.columns && is_built_in(key.operators[at]) &&
           get_op_opfamily_strategy(key.operators[at], index->rd_opfamily[i]) == BTEqualStrategyNumber;
    if (!fits) break;
    step->own[i] = key.own[at];
    step->referred[i] = key.referred[at];
    step->operators[i] = key.operators[at];
  }
  index_close(index, AccessShareLock);
  return fits;
}

const char* columns_text(Oid table, int count, const AttrNumber* columns) {
  StringInfoData text;
  initStringInfo(&text);
  for (int i = 0; i < count; ++i) {
    appendStringInfo(&text, "%s%s", i == 0 ? "" : ", ", quote_identifier(get_attname(table, columns[i], false)));
  }
  return text.data;
}

char* text_of(const UnitStep& step) {
  return psprintf("(%s) REFERENCES %s (%s)", columns_text(step.from, step.columns, step.own),
                  quote_qualified_identifier(get_namespace_name(get_rel_namespace(step.to)), get_rel_name(step.to)),
                  columns_text(step.to, step.columns, step.referred));
}

// Follows the parts of a path, and stops at the first obstacle.
class Follower {
 public:
  Follower(Oid relation, PathObstacle* obstacle) : relation_(relation), obstacle_(obstacle) {}

  std::optional<UnitPath> follow(List* parts) {
    UnitPath path{NIL, relation_, InvalidAttrNumber};
    if (has_children(relation_)) {
      return stop(ERRCODE_INVALID_PARAMETER_VALUE,
                  psprintf("tables inherit from %s, for which its foreign keys do not hold", relation_name(relation_)),
                  "Make partitions of them, or name a column of the table itself.");
    }
    if (list_length(parts) > 1 && foreign_tables_of(relation_) != NIL) {
      return stop(ERRCODE_INVALID_PARAMETER_VALUE,
                  psprintf("rows of table %s are on other servers, where a foreign key of this one does not hold",
                           relation_name(relation_)),
                  "Name a column of the table itself, for example privacy_unit => 'patient_id'.");
    }
    for (int i = 0; i < list_length(parts) - 1; ++i) {
      const UnitStep* const step = next_step(path.table, static_cast<const char*>(list_nth(parts, i)));
      if (step == nullptr) return std::nullopt;
      path.steps = lappend(path.steps, const_cast<UnitStep*>(step));
      path.table = step->to;
    }
    const char* const column = static_cast<const char*>(llast(parts));
    path.column = get_attnum(path.table, column);
    if (path.column <= 0) {
      return stop(ERRCODE_UNDEFINED_COLUMN,
                  psprintf("table %s has no column \"%s\"", relation_name(path.table), column),
                  "A path is foreign key columns, then the column that names the unit: visit_id.patient_id.");
    }
    if (!tells_units_apart(get_atttype(path.table, path.column))) {
      return stop(ERRCODE_INVALID_PARAMETER_VALUE,
                  psprintf("column \"%s\" is of type %s, which has no built-in order", column,
                           format_type_be(get_atttype(path.table, path.column))),
                  "End the path in a column of a built-in type.");
    }
    return is_unit_of_all(path) ? std::optional(path) : std::nullopt;
  }

 private:
  std::nullopt_t stop(int code, const char* message, const char* hint) {
    *obstacle_ = {code, message, hint};
    return std::nullopt;
  }

  static bool has_children(Oid table) {
    return get_rel_relkind(table) == RELKIND_RELATION && list_length(find_all_inheritors(table, NoLock, nullptr)) > 1;
  }

  // The foreign key of that single column, or of that name; nullptr where there is none, or there are several.
  const ForeignKey* find_key(Oid table, const char* name) {
    const AttrNumber column = get_attnum(table, name);
    const ForeignKey *by_column = nullptr, *by_name = nullptr;
    ListCell* cell;
    foreach (cell, foreign_keys_of(table)) {
      const auto* const key = static_cast<const ForeignKey*>(lfirst(cell));
      if (strcmp(NameStr(key->name), name) == 0) by_name = key;
      if (key->columns != 1 || key->own[0] != column) continue;
      if (by_column != nullptr) {
        stop(ERRCODE_INVALID_PARAMETER_VALUE,
             psprintf("column \"%s\" of table %s has several foreign keys", name, relation_name(table)),
             psprintf("Name one of them, for example %s.", quote_identifier(NameStr(key->name))));
        return nullptr;
      }
      by_column = key;
    }
    if (by_column != nullptr || by_name != nullptr) return by_column != nullptr ? by_column : by_name;
    stop(ERRCODE_UNDEFINED_OBJECT,
         psprintf("table %s has no column \"%s\" with a foreign key, nor a foreign key of that name",
                  relation_name(table), name),
         "Name a column that refers to a unique column by a foreign key, or the foreign key itself.");
    return nullptr;
  }

  // The first such collation of the columns that a key compares; InvalidOid: each compares by bytes. Under one the row
  // that a key refers to has another key, and what tells rows of two persons apart would depend on who compares them.
  static Oid nondeterministic(const ForeignKey& key, Oid table) {
    for (int i = 0; i < key.columns; ++i) {
      const struct {
        Oid table;
        AttrNumber column;
      } compared[] = {{table, key.own[i]}, {key.referred_table, key.referred[i]}};
      for (const auto& [of, column] : compared) {
        Oid type, collation;
        int32 modifier;
        get_atttypetypmodcoll(of, column, &type, &modifier, &collation);
        if (OidIsValid(collation) && !get_collation_isdeterministic(collation)) return collation;
      }
    }
    return InvalidOid;
  }

  const UnitStep* next_step(Oid table, const char* name) {
    const ForeignKey* const key = find_key(table, name);
    if (key == nullptr) return nullptr;
    const char* const label =
        psprintf("foreign key %s of table %s", quote_identifier(NameStr(key->name)), relation_name(table));
    if (!key->validated) {
      stop(ERRCODE_INVALID_PARAMETER_VALUE, psprintf("%s is not validated", label),
           psprintf("Ask the table's owner: ALTER TABLE %s VALIDATE CONSTRAINT %s.", relation_name(table),
                    quote_identifier(NameStr(key->name))));
      return nullptr;
    }
    if (is_younger_than_snapshot(key->made)) {
      stop(ERRCODE_T_R_SERIALIZATION_FAILURE, psprintf("%s is younger than the transaction's snapshot", label),
           "Begin another transaction.");
      return nullptr;
    }
    auto* const step = static_cast<UnitStep*>(palloc0(sizeof(UnitStep)));
    *step = {key->constraint, table, key->referred_table, key->index, key->columns, {}, {}, {}};
    if (!may_be_followed(step->to)) return nullptr;
    if (const Oid odd = nondeterministic(*key, table); OidIsValid(odd)) {
      stop(ERRCODE_INVALID_PARAMETER_VALUE,
           psprintf("%s compares texts under the nondeterministic collation %s", label, get_collation_name(odd)),
           "Give its columns a collation under which equal texts are the same: ALTER TABLE ... ALTER ... TYPE text "
           "COLLATE \"C\".");
      return nullptr;
    }
    if (read_index(*key, step)) return step;
    stop(ERRCODE_INVALID_PARAMETER_VALUE,
         psprintf("%s does not refer to a unique index by PostgreSQL's own equality", label),
         "Let it refer to a primary key, or to a unique constraint, on columns of built-in types.");
    return nullptr;
  }

  bool may_be_followed(Oid table) {
    const Ownership whole = ownership_of(relation_), ownership = ownership_of(table);
    const char* const name = relation_name(table);
    const char* obstacle = nullptr;
    const char* hint = "Let one role own all tables of the path, or make their owners members of dp_curator.";
    if (table == relation_) {
      obstacle = "the path comes back to the table itself";
      hint = "End it before.";
    } else if (ownership.hides_rows) {
      obstacle = psprintf("table %s has row security", name);
      hint = "Ask its owner to disable it: ALTER TABLE ... DISABLE ROW LEVEL SECURITY.";
    } else if (is_distributed(table)) {
      obstacle = psprintf("table %s is distributed by Citus", name);
      hint = "Keep the tables of the path on this server.";
    } else if (!is_curator(relation_, ownership.owner)) {
      obstacle = psprintf("the owner of table %s is no curator of table %s", name, relation_name(relation_));
    } else if (protection_of(table) ? !is_curator(table, whole.owner)
                                    : pg_class_aclcheck(table, whole.owner, ACL_SELECT) != ACLCHECK_OK) {
      obstacle = psprintf("the owner of table %s %s table %s", relation_name(relation_),
                          protection_of(table) ? "is no curator of" : "may not read", name);
    }
    if (obstacle != nullptr) stop(ERRCODE_INVALID_PARAMETER_VALUE, obstacle, hint);
    return obstacle == nullptr;
  }

  // What the path is from that step on.
  static char* rest_of(const UnitPath& path, int first) {
    StringInfoData text;
    initStringInfo(&text);
    ListCell* cell;
    for_each_from(cell, path.steps, first) {
      const auto& step = *static_cast<const UnitStep*>(lfirst(cell));
      const char* const name =
          step.columns == 1 ? get_attname(step.from, step.own[0], false) : get_constraint_name(step.constraint);
      appendStringInfo(&text, "%s.", quote_identifier(name));
    }
    appendStringInfoString(&text, quote_identifier(get_attname(path.table, path.column, false)));
    return text.data;
  }

  // Whether each protected table on the way has the rest of the path as its unit.
  bool is_unit_of_all(const UnitPath& path) {
    List* texts = step_texts(path);
    ListCell* cell;
    foreach (cell, path.steps) {
      const auto& step = *static_cast<const UnitStep*>(lfirst(cell));
      texts = list_delete_first(texts);
      const auto protection = protection_of(step.to);
      if (!protection || has_unit(protection->unit, texts, path)) continue;
      stop(ERRCODE_INVALID_PARAMETER_VALUE,
           psprintf("table %s is protected, and its privacy unit is not the rest of the path", relation_name(step.to)),
           psprintf("Give it the same unit, from there on: SELECT dp.protect(%s, ..., privacy_unit => %s);",
                    quote_literal_cstr(get_rel_name(step.to)),
                    quote_literal_cstr(rest_of(path, foreach_current_index(cell) + 1))));
      return false;
    }
    return true;
  }

  static bool has_unit(const UnitPolicy& unit, List* texts, const UnitPath& path) {
    if (!unit.declared() || !equal(unit.steps, texts)) return false;
    List* const parts = unit.steps == NIL ? NIL : path_parts(unit.path);
    return get_attnum(path.table, parts == NIL ? unit.path : static_cast<const char*>(llast(parts))) == path.column;
  }

  Oid relation_;
  PathObstacle* obstacle_;
};

// The path as the table below the protected one has it.
UnitPath seen_from(Oid table, UnitPath path) {
  if (path.steps == NIL) return path;
  auto* const first = static_cast<UnitStep*>(linitial(path.steps));
  for (int i = 0; i < first->columns && first->from != table; ++i) {
    first->own[i] = get_attnum(table, get_attname(first->from, first->own[i], false));
  }
  first->from = table;
  return path;
}

[[noreturn]] void refuse(const Protection& protection, const PathObstacle& obstacle) {
  const char* const name = relation_name(protection.relation);
  const bool younger = obstacle.code == ERRCODE_T_R_SERIALIZATION_FAILURE;
  ereport(
      ERROR,
      (errcode(younger ? obstacle.code : pg::kNotAdmissible),
       errmsg("the privacy unit %s of table %s cannot be followed: %s", protection.unit.path, name, obstacle.message),
       younger ? errhint("%s", obstacle.hint)
               : errhint("%s\nOr ask a curator to declare it again: SELECT dp.protect(%s, ..., privacy_unit => ...);",
                         obstacle.hint, quote_literal_cstr(name))));
  pg_unreachable();
}

}  // namespace

bool tells_units_apart(Oid type) {
  const TypeCacheEntry* const known = lookup_type_cache(type, TYPECACHE_LT_OPR | TYPECACHE_EQ_OPR);
  return is_built_in(known->lt_opr) && is_built_in(known->eq_opr);
}

std::optional<UnitPath> find_unit_path(Oid relation, Oid table, const char* text, PathObstacle* obstacle) {
  List* const parts = path_parts(text);
  if (parts == NIL) {
    *obstacle = {ERRCODE_INVALID_PARAMETER_VALUE, "it is not a path",
                 "Write names with dots between them, a name that holds a dot in double quotes: visit_id.patient_id."};
    return std::nullopt;
  }
  const auto path = Follower(relation, obstacle).follow(parts);
  return path ? std::optional(seen_from(table, *path)) : std::nullopt;
}

namespace {

// With its steps: the path as the table has it.
UnitPath follow(const Protection& protection, Oid table) {
  PathObstacle obstacle{};
  const auto path = find_unit_path(protection.relation, protection.relation, protection.unit.path, &obstacle);
  if (!path) refuse(protection, obstacle);
  if (!equal(step_texts(*path), protection.unit.steps)) {
    refuse(protection, {ERRCODE_INVALID_PARAMETER_VALUE, "its foreign keys are others than when it was declared",
                        "Where it leads now may be somebody else."});
  }
  return seen_from(table, *path);
}

struct Declared {
  Oid relation;
  Oid table;
  std::uint64_t unit;  // a digest of what is declared: who asks may have looked it up before it was changed

  bool operator==(const Declared&) const = default;
};

Declared declared(const Protection& protection, Oid table) {
  std::uint64_t digest = 0;
  const auto add = [&digest](const char* text) {
    digest = hash_bytes_extended(reinterpret_cast<const unsigned char*>(text), static_cast<int>(strlen(text)), digest);
  };
  add(protection.unit.path);
  ListCell* cell;
  foreach (cell, protection.unit.steps) add(strVal(lfirst(cell)));
  return {protection.relation, table, digest};
}

constexpr int kMostKeptSteps = 4;  // a longer path is followed each time

struct KeptPath {
  int steps;
  UnitStep step[kMostKeptSteps];
  Oid table;
  AttrNumber column;
};

UnitPath path_of(const KeptPath& kept) {
  UnitPath path{NIL, kept.table, kept.column};
  for (int i = 0; i < kept.steps; ++i)
    path.steps = lappend(path.steps, new (palloc(sizeof(UnitStep))) UnitStep(kept.step[i]));
  return path;
}

KeptPath kept_of(const UnitPath& path) {
  KeptPath kept{list_length(path.steps), {}, path.table, path.column};
  for (int i = 0; i < kept.steps; ++i) kept.step[i] = *static_cast<const UnitStep*>(list_nth(path.steps, i));
  return kept;
}

}  // namespace

std::optional<UnitPath> unit_path(const Protection& protection, Oid table) {
  static Remembered<Declared, KeptPath> paths;
  if (!protection.unit.declared()) return std::nullopt;
  if (protection.unit.steps == NIL) return UnitPath{NIL, table, unit_column(protection.unit, table)};
  if (list_length(protection.unit.steps) > kMostKeptSteps) return follow(protection, table);
  return path_of(paths.get(declared(protection, table), [&] { return kept_of(follow(protection, table)); }));
}

List* step_texts(const UnitPath& path) {
  List* texts = NIL;
  ListCell* cell;
  foreach (cell, path.steps) {
    texts = lappend(texts, makeString(text_of(*static_cast<const UnitStep*>(lfirst(cell)))));
  }
  return texts;
}

}  // namespace dp::budget
