#include "budget/policy/protectable.h"

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/policy_rows.h"
#include "budget/policy/accounts.h"
#include "budget/policy/shards.h"
#include "pg/catalog.h"

namespace dp::budget {
namespace {

// What is wrong with a table, as the end of the message and the hint; no message where nothing is.
struct Objection {
  const char* message;
  const char* hint;
};

Objection objection_to_kind(char kind) {
  switch (kind) {
    case RELKIND_RELATION:
    case RELKIND_PARTITIONED_TABLE:
    case RELKIND_FOREIGN_TABLE:
      return {};
    case RELKIND_VIEW:
      return {"is a view", "Protect the table that it reads: questions through the view are charged to that table."};
    case RELKIND_MATVIEW:
      return {"is a materialized view", "Protect the table that it reads, or copy it: CREATE TABLE ... AS TABLE ..."};
    default:
      return {"is not a table", "Give an ordinary or a partitioned table, for example dp.protect('visits', 10)."};
  }
}

Objection objection_to(Oid relation, const FormData_pg_class& table) {
  if (relation < FirstNormalObjectId || IsCatalogNamespace(table.relnamespace) ||
      IsToastNamespace(table.relnamespace) || in_own_schema(relation)) {
    return {"is part of a system catalog", "Give a table of people's data, for example dp.protect('visits', 10)."};
  }
  if (const Objection objection = objection_to_kind(table.relkind); objection.message != nullptr) return objection;
  if (table.relkind == RELKIND_FOREIGN_TABLE) {
    const ForeignObstacle obstacle = foreign_obstacle(relation);
    if (obstacle.message != nullptr) return {obstacle.message, obstacle.hint};
  }
  if (table.relpersistence == RELPERSISTENCE_TEMP) {
    return {"is a temporary table", "Protect a permanent table: CREATE TABLE ... AS TABLE ..."};
  }
  if (table.relpersistence == RELPERSISTENCE_UNLOGGED) {
    return {"is an unlogged table", "Make it a permanent one: ALTER TABLE ... SET LOGGED;"};
  }
  if (is_distributed(relation)) {
    return {
        "is distributed by Citus",
        "Questions would be answered on other servers, and not charged. Protect a foreign table of postgres_fdw that "
        "stands for it, best on a server of its own; or a local copy."};
  }
  if (table.relrowsecurity) {
    return {"has row security",
            "Rows would depend on who asks. Use ALTER TABLE ... DISABLE ROW LEVEL SECURITY; and views instead."};
  }
  return {};
}

void require_suitable(Oid relation, Oid top) {
  HeapTuple const row = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
  if (!HeapTupleIsValid(row)) return;  // a child that was dropped meanwhile
  const Objection objection = objection_to(relation, *reinterpret_cast<Form_pg_class>(GETSTRUCT(row)));
  ReleaseSysCache(row);
  if (objection.message == nullptr) return;
  ereport(ERROR, (errcode(ERRCODE_WRONG_OBJECT_TYPE),
                  relation == top ? errmsg("cannot protect %s: it %s", relation_name(top), objection.message)
                                  : errmsg("cannot protect %s: %s below it %s", relation_name(top),
                                           relation_name(relation), objection.message),
                  errhint("%s", objection.hint)));
}

[[noreturn]] void refuse_second(Oid relation, Oid other, const char* where) {
  ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                  errmsg("cannot protect %s: table %s %s it is protected already", relation_name(relation),
                         relation_name(other), where),
                  errdetail("A row can be charged for in one table only."),
                  errhint("Change the limits of that one, or first say SELECT dp.unprotect(%s);",
                          quote_literal_cstr(relation_name(other)))));
  pg_unreachable();
}

// The views whose rule names the relation.
List* views_on(Oid relation) {
  List* views = NIL;
  List* rules = NIL;
  pg::visit_catalog<FormData_pg_depend>(
      DependRelationId, DependReferenceIndexId,
      {{Anum_pg_depend_refclassid, RelationRelationId}, {Anum_pg_depend_refobjid, relation}},
      [&](const auto& dependency, HeapTuple) {
        if (dependency.classid == RewriteRelationId) rules = list_append_unique_oid(rules, dependency.objid);
      });
  ListCell* cell;
  foreach (cell, rules) {
    pg::visit_catalog<FormData_pg_rewrite>(
        RewriteRelationId, RewriteOidIndexId, {{Anum_pg_rewrite_oid, lfirst_oid(cell)}},
        [&](const auto& rule, HeapTuple) { views = lappend_oid(views, rule.ev_class); });
  }
  return views;
}

void warn_about_view(Oid view, Oid relation) {
  Relation const opened = try_relation_open(view, AccessShareLock);
  if (opened == nullptr) return;
  const Oid owner = opened->rd_rel->relowner;
  const bool copy = opened->rd_rel->relkind == RELKIND_MATVIEW;
  const bool as_owner = copy || (opened->rd_rel->relkind == RELKIND_VIEW && !RelationHasSecurityInvoker(opened));
  relation_close(opened, AccessShareLock);
  if (!as_owner || pg_class_aclcheck(relation, owner, ACL_SELECT) != ACLCHECK_OK) return;
  const char* const view_name = relation_name(view);
  ereport(WARNING,
          (errmsg("%s %s reads table %s with the privileges of its owner \"%s\"", copy ? "materialized view" : "view",
                  view_name, relation_name(relation), role_name(owner)),
           errdetail("A role that may SELECT from the view is not fenced."),
           copy ? errhint("Revoke what others have on it: REVOKE ALL ON %s FROM PUBLIC;", view_name)
                : errhint("Revoke what others have on it, or let it read with their privileges: ALTER VIEW %s SET "
                          "(security_invoker = true);",
                          view_name)));
}

}  // namespace

bool is_distributed(Oid relation) {
  const Oid list = get_relname_relid("pg_dist_partition", PG_CATALOG_NAMESPACE);
  if (!OidIsValid(list)) return false;
  Relation const distributed = table_open(list, AccessShareLock);
  const AttrNumber column = get_attnum(list, "logicalrelid");
  bool found = false;
  if (column != InvalidAttrNumber) {
    ScanKeyData key;
    ScanKeyInit(&key, column, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(relation));
    SysScanDesc const scan = systable_beginscan(distributed, InvalidOid, false, nullptr, 1, &key);
    found = HeapTupleIsValid(systable_getnext(scan));
    systable_endscan(scan);
  }
  table_close(distributed, AccessShareLock);
  return found;
}

void require_protectable(Oid relation) {
  ListCell* cell;
  require_suitable(relation, relation);  // first, because only a table can have tables below it
  // The locks last until the end of the transaction: whoever protects one of these tables at the same time waits, and
  // then finds this one protected.
  foreach (cell, find_all_inheritors(relation, ShareUpdateExclusiveLock, nullptr)) {
    const Oid below = lfirst_oid(cell);
    require_suitable(below, relation);
    if (below != relation && protected_policy(below)) refuse_second(relation, below, "below");
  }
  const std::optional<Protection> above = protection_of(relation);
  if (above && above->relation != relation) refuse_second(relation, above->relation, "above");
}

void warn_about_parents(Oid relation) {
  const char* const name = relation_name(relation);
  ListCell* cell;
  foreach (cell, parents_of(relation)) {
    const char* const parent = relation_name(lfirst_oid(cell));
    ereport(WARNING, (errmsg("table %s is a part of table %s, which is not protected", name, parent),
                      errdetail("Whoever may read table %s reads these rows through it, and is not fenced.", parent),
                      errhint("Protect the whole in place of the part: SELECT dp.unprotect(%s); SELECT dp.protect(%s, "
                              "...); or revoke what others have on it: REVOKE ALL ON %s FROM PUBLIC;",
                              quote_literal_cstr(name), quote_literal_cstr(parent), parent)));
  }
}

void warn_about_views(Oid relation) {
  ListCell* cell;
  foreach (cell, find_all_inheritors(relation, NoLock, nullptr)) {
    ListCell* view;
    foreach (view, views_on(lfirst_oid(cell))) warn_about_view(lfirst_oid(view), lfirst_oid(cell));
  }
}

}  // namespace dp::budget
