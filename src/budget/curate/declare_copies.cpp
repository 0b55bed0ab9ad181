// What curators say about copies of public tables: dp.declare_copies.
#include "budget/catalog/copy_rows.h"
#include "budget/catalog/extension_catalog.h"
#include "budget/policy/accounts.h"
#include "budget/policy/copies.h"
#include "budget/policy/curator.h"
#include "budget/policy/shards.h"
#include "pg/errors.h"
#include "pg/foreign.h"
#include "pg/relation_owner.h"

namespace dp::budget {
namespace {

constexpr const char* kExample = "dp.declare_copies('wards', 'wards_1', 'wards_2')";

void require_public_table(Oid relation) {
  const char kind = get_rel_relkind(relation);
  const bool table = kind == RELKIND_RELATION || kind == RELKIND_PARTITIONED_TABLE;
  if (table && !protection_of(relation) && !has_protected_child(relation)) return;
  ereport(ERROR, (errcode(ERRCODE_WRONG_OBJECT_TYPE),
                  errmsg("%s is %s, of which there are no copies to be declared", relation_name(relation),
                         table ? "a protected table" : "no table"),
                  errhint("Name a table that is not protected, and foreign tables that stand for copies of it: %s.",
                          kExample)));
}

void require_copy(Oid relation, Oid copy) {
  const auto refuse = [&](int sqlstate, const char* why, const char* hint) {
    ereport(ERROR, (errcode(sqlstate),
                    errmsg("%s cannot be a copy of table %s: it %s", relation_name(copy), relation_name(relation), why),
                    errhint("%s", hint)));
  };
  if (get_rel_relkind(copy) != RELKIND_FOREIGN_TABLE)
    return refuse(ERRCODE_WRONG_OBJECT_TYPE, "is no foreign table", psprintf("For example %s.", kExample));
  require_curator(copy);
  if (protection_of(copy))
    return refuse(ERRCODE_WRONG_OBJECT_TYPE, "is protected", "dp.unprotect() it first: rows of copies are public.");
  const ForeignObstacle obstacle = foreign_obstacle(copy);
  if (obstacle.message != nullptr) return refuse(ERRCODE_WRONG_OBJECT_TYPE, obstacle.message, obstacle.hint);
  if (const char* const column = differing_column(relation, copy)) {
    return refuse(ERRCODE_DATATYPE_MISMATCH,
                  psprintf(get_attnum(copy, column) == InvalidAttrNumber ? "has no column \"%s\""
                                                                         : "has another type of column \"%s\"",
                           column),
                  "Let it have the columns that the table has, with the same types.");
  }
  require_same_on_server(copy, pg::owner_of(copy), psprintf("declare copies of table %s", relation_name(relation)));
}

}  // namespace

// dp.declare_copies(relation regclass, VARIADIC copies regclass[]) returns void
DP_SQL_FUNCTION(dp_declare_copies) {
  const Oid relation = oid_argument(fcinfo, 0, "relation", kExample);
  if (PG_ARGISNULL(1)) refuse_null("copies", kExample);
  Datum* copies;
  bool* nulls;
  int count;
  deconstruct_array(PG_GETARG_ARRAYTYPE_P(1), REGCLASSOID, sizeof(Oid), true, TYPALIGN_INT, &copies, &nulls, &count);
  require_relation(relation);
  begin_curating(relation, "dp.declare_copies()");
  require_relation(relation);
  require_public_table(relation);
  ListCell* cell;
  foreach (cell, copies_of(relation)) invalidate_plans(lfirst_oid(cell));
  remove_copies(relation);
  for (int i = 0; i < count; ++i) {
    if (nulls[i]) refuse_null("copies", kExample);
    const Oid copy = DatumGetObjectId(copies[i]);
    require_relation(copy);
    add_copy(relation, copy);
    require_copy(relation, copy);
    require_same_rows(relation, copy);
    invalidate_plans(copy);
  }
  invalidate_plans(relation);
  PG_RETURN_VOID();
}

}  // namespace dp::budget
