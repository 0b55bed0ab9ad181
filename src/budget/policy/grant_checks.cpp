#include "budget/policy/grant_checks.h"

#include <algorithm>
#include <array>

#include "budget/catalog/extension_catalog.h"
#include "budget/policy/harden.h"
#include "pg/catalog.h"

namespace dp::budget {
namespace {

// The role and those that it can become by SET ROLE, whether it inherits their privileges or not.
List* guises_of(Oid role) {
  List* guises = list_make1_oid(role);
  pg::visit_catalog<FormData_pg_authid>(AuthIdRelationId, [&](const auto& other, HeapTuple) {
    if (is_member_of_role_nosuper(role, other.oid)) guises = list_append_unique_oid(guises, other.oid);
  });
  return guises;
}

int revoke_hint(Oid relation, Oid role) {
  return errhint("Revoke them, from PUBLIC and the roles it belongs to as well: REVOKE ALL ON %s FROM %s, PUBLIC;",
                 relation_name(relation), quote_identifier(role_name(role)));
}

// Rows can be counted without SELECT too: by what INSERT ... ON CONFLICT, DELETE or a trigger says, or in a partition.
void require_no_privilege(Oid relation, Oid role, Oid guise) {
  ListCell* cell;
  foreach (cell, find_all_inheritors(relation, NoLock, nullptr)) {
    const Oid below = lfirst_oid(cell);
    if (!has_any_privilege(below, guise)) continue;
    ereport(ERROR,
            (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
             errmsg("role \"%s\" has privileges on table %s, but may not SELECT all of %s", role_name(role),
                    relation_name(below), relation_name(relation)),
             errdetail("It would see private data beside the answers that it pays for."), revoke_hint(below, guise)));
  }
}

void require_no_leak(Oid role, Oid guise) {
  const Oid leak = open_leak(guise);
  if (!OidIsValid(leak)) return;
  const char* const name = role_name(role);
  const bool to_all = OidIsValid(open_leak(ACL_ID_PUBLIC));
  ereport(ERROR,
          (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
           to_all ? errmsg("this database is not hardened: role \"%s\" would see sizes and counters of tables", name)
                  : errmsg("role \"%s\" sees sizes and counters of tables", name),
           errdetail("For example it may call %s.", format_procedure(leak)),
           to_all ? errhint("Ask a superuser: SELECT dp.harden(); or accept that: "
                            "dp.grant_budget(..., allow_leaks => true).")
                  : errhint("Revoke that, or its membership in pg_monitor or pg_read_all_stats; or accept it: "
                            "dp.grant_budget(..., allow_leaks => true).")));
}

// A cache of roles that were found to see no sizes and counters, emptied after any change of a function or a role. The
// oldest entry is replaced.
std::array<Oid, 16> sealed;
std::size_t next_sealed = 0;

void invalidate_sealed(Datum, pg::CacheId, uint32) { sealed.fill(InvalidOid); }

bool is_sealed(Oid role) {
  static bool registered = false;
  if (!registered) {
    for (const pg::CacheId cache : {PROCOID, AUTHOID, AUTHMEMROLEMEM, DATABASEOID})
      CacheRegisterSyscacheCallback(cache, invalidate_sealed, 0);
    registered = true;
  }
  return std::find(sealed.begin(), sealed.end(), role) != sealed.end();
}

[[noreturn]] void refuse_unsealed(Oid role, Oid leak) {
  const bool to_all = OidIsValid(open_leak(ACL_ID_PUBLIC));
  const char* const name = role_name(role);
  ereport(
      ERROR,
      (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
       to_all
           ? errmsg(
                 "this database is not hardened any more: role \"%s\" waits until a superuser says SELECT dp.harden();",
                 name)
           : errmsg("role \"%s\" may see sizes and counters of tables now, and has no answers until that is revoked",
                    name),
       errdetail("For example it may call %s.", format_procedure(leak)),
       errhint("A curator who accepts that says SELECT dp.grant_budget(..., allow_leaks => true);")));
  pg_unreachable();
}

}  // namespace

bool has_any_privilege(Oid relation, Oid role) {
  return pg_class_aclmask(relation, role, ACL_ALL_RIGHTS_RELATION, ACLMASK_ANY) != 0 ||
         pg_attribute_aclcheck_all(relation, role, ACL_ALL_RIGHTS_COLUMN, ACLMASK_ANY) == ACLCHECK_OK;
}

void require_sealed(Oid role) {
  if (is_sealed(role)) return;
  ListCell* cell;
  foreach (cell, guises_of(role)) {
    const Oid leak = open_leak(lfirst_oid(cell));
    if (OidIsValid(leak)) refuse_unsealed(role, leak);
  }
  sealed[next_sealed++ % sealed.size()] = role;
}

void require_fence(Oid relation, Oid role, bool allow_leaks) {
  List* const guises = guises_of(role);
  ListCell* cell;
  foreach (cell, guises) {
    if (pg_class_aclcheck(relation, lfirst_oid(cell), ACL_SELECT) != ACLCHECK_OK) continue;
    ereport(WARNING, (errmsg("role \"%s\" has privileges on table %s: it is charged but not fenced", role_name(role),
                             relation_name(relation)),
                      revoke_hint(relation, lfirst_oid(cell))));
    return;
  }
  foreach (cell, guises) {
    require_no_privilege(relation, role, lfirst_oid(cell));
    if (!allow_leaks) require_no_leak(role, lfirst_oid(cell));
  }
}

}  // namespace dp::budget
