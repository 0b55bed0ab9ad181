#include "budget/policy/curator.h"

#include "budget/catalog/extension_catalog.h"
#include "budget/policy/accounts.h"

namespace dp::budget {

void refuse_null(const char* argument, const char* example) {
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("%s must not be NULL", argument),
                  errhint("For example %s.", example)));
  pg_unreachable();
}

Oid oid_argument(FunctionCallInfo fcinfo, int number, const char* argument, const char* example) {
  if (PG_ARGISNULL(number) || !OidIsValid(PG_GETARG_OID(number))) refuse_null(argument, example);
  return PG_GETARG_OID(number);
}

void require_curator(Oid relation) {
  if (is_curator(relation, GetUserId())) return;
  ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
                  errmsg("must be a curator of table %s to set its budgets: its owner, or a member of dp_curator",
                         relation_name(relation)),
                  errdetail("Curators are its owner and the members of role dp_curator."),
                  errhint("Ask one of them to do it: who sets budgets should not be who asks under them.")));
}

// Checked before the lock is taken, so that nobody but a curator can make others wait.
void begin_curating(Oid relation, const char* function) {
  PreventCommandIfReadOnly(function);
  PreventCommandIfParallelMode(function);
  PreventCommandDuringRecovery(function);
  own_tables();
  require_curator(relation);
  LockRelationOid(relation, ShareUpdateExclusiveLock);
  require_curator(relation);
}

void require_relation(Oid relation) {
  if (relation_exists(relation)) return;
  ereport(ERROR, (errcode(ERRCODE_UNDEFINED_TABLE), errmsg("there is no table with the number %u", relation),
                  errhint("Give its name, for example dp.protect('visits', 10).")));
}

void invalidate_plans(Oid relation) {
  if (!relation_exists(relation)) return;
  ListCell* cell;
  foreach (cell, find_all_inheritors(relation, NoLock, nullptr)) {
    if (relation_exists(lfirst_oid(cell))) CacheInvalidateRelcacheByRelid(lfirst_oid(cell));
  }
}

void refuse_unprotected(Oid relation) {
  const char* const name = relation_name(relation);
  const std::optional<Protection> above = relation_exists(relation) ? protection_of(relation) : std::nullopt;
  if (above) {
    ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                    errmsg("table %s is protected as a part of table %s", name, relation_name(above->relation)),
                    errhint("Give the name of the whole: %s.", quote_literal_cstr(relation_name(above->relation)))));
  }
  ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE), errmsg("table %s is not protected", name),
                  errhint("Give it a budget first: SELECT dp.protect(%s, 10);", quote_literal_cstr(name))));
  pg_unreachable();
}

}  // namespace dp::budget
