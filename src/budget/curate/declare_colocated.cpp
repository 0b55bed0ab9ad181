// What curators say about protected tables that lie side by side on another server: dp.declare_colocated.
#include "budget/catalog/colocated_rows.h"
#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/owner_rows.h"
#include "budget/policy/colocated.h"
#include "budget/policy/curator.h"
#include "pg/errors.h"
#include "pg/relation_owner.h"

namespace dp::budget {
namespace {

constexpr const char* kExample = "dp.declare_colocated('visits', 'people')";

void require_foreign_table_of_units(Oid relation) {
  if (has_other_owner(relation)) {
    ereport(ERROR, (errcode(ERRCODE_WRONG_OBJECT_TYPE),
                    errmsg("rows of %s are lent by another owner, and are joined on this server alone",
                           relation_name(relation)),
                    errhint("Name tables whose rows are of one owner: %s.", kExample)));
  }
  if (get_rel_relkind(relation) == RELKIND_FOREIGN_TABLE && colocated_by(relation) != InvalidAttrNumber) return;
  ereport(ERROR, (errcode(ERRCODE_WRONG_OBJECT_TYPE),
                  errmsg("%s is not a protected foreign table whose privacy unit is one of its columns",
                         relation_name(relation)),
                  errhint("Name such tables, which are joined by their units: %s.", kExample)));
}

void require_beside(Oid relation, Oid first) {
  if (are_colocated(first, relation)) return;
  ereport(ERROR, (errcode(ERRCODE_WRONG_OBJECT_TYPE),
                  errmsg("%s and %s are not joined on another server: they are not on the same one, or not of the same "
                         "owner",
                         relation_name(first), relation_name(relation)),
                  errhint("Name foreign tables of one server and one owner: %s.", kExample)));
}

void require_same_places(Oid first) {
  const ForeignObstacle found = difference_of_places(colocated_with(first), pg::owner_of(first));
  if (found.message == nullptr) return;
  ereport(ERROR, (errcode(ERRCODE_FDW_INCONSISTENT_DESCRIPTOR_INFORMATION),
                  errmsg("rows of %s and the other tables are not side by side on server %s", relation_name(first),
                         quote_identifier(server_name(first))),
                  errdetail("%s", found.message), errhint("%s", found.hint)));
}

}  // namespace

// dp.declare_colocated(relation regclass, VARIADIC others regclass[]) returns void
DP_SQL_FUNCTION(dp_declare_colocated) {
  const Oid relation = oid_argument(fcinfo, 0, "relation", kExample);
  if (PG_ARGISNULL(1)) refuse_null("others", kExample);
  Datum* others;
  bool* nulls;
  int count;
  deconstruct_array(PG_GETARG_ARRAYTYPE_P(1), REGCLASSOID, sizeof(Oid), true, TYPALIGN_INT, &others, &nulls, &count);
  List* all = list_make1_oid(relation);
  for (int i = 0; i < count; ++i) {
    if (nulls[i]) refuse_null("others", kExample);
    all = list_append_unique_oid(all, DatumGetObjectId(others[i]));
  }
  ListCell* cell;
  foreach (cell, all) {
    const Oid table = lfirst_oid(cell);
    require_relation(table);
    begin_curating(table, "dp.declare_colocated()");
    require_relation(table);
    ListCell* before;
    foreach (before, colocated_with(table)) invalidate_plans(lfirst_oid(before));
    remove_colocated(table);
  }
  foreach (cell, all) {
    if (count == 0) break;
    const Oid table = lfirst_oid(cell);
    require_foreign_table_of_units(table);
    add_colocated(table, relation, false);
    require_beside(table, relation);
    invalidate_plans(table);
  }
  if (count == 0) PG_RETURN_VOID();
  require_same_places(relation);
  if (!has_citus(relation, pg::owner_of(relation))) PG_RETURN_VOID();
  remove_colocated(relation);
  foreach (cell, all) add_colocated(lfirst_oid(cell), relation, true);
  PG_RETURN_VOID();
}

}  // namespace dp::budget
