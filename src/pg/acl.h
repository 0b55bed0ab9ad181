// Privileges on objects that are no tables, and ownership. Since 16 one function asks for all kinds of objects.
#pragma once

#include "pg/server.h"

extern "C" {
#include "commands/event_trigger.h"
}

namespace dp::pg {

inline bool owns_relation(Oid relation, Oid role) {
#if PG_VERSION_NUM >= 160000
  return object_ownercheck(RelationRelationId, relation, role);
#else
  return pg_class_ownercheck(relation, role);
#endif
}

inline bool may_call(Oid function, Oid role) {
#if PG_VERSION_NUM >= 160000
  return object_aclcheck(ProcedureRelationId, function, role, ACL_EXECUTE) == ACLCHECK_OK;
#else
  return pg_proc_aclcheck(function, role, ACL_EXECUTE) == ACLCHECK_OK;
#endif
}

// Whether the role may run VACUUM, ANALYZE or REINDEX on the relation: as the owner of it or of the database, and since
// 17 by a privilege of its own, which pg_maintain has on all of them.
inline bool may_maintain(Oid relation, Oid role) {
#if PG_VERSION_NUM >= 160000
  const bool owns_database = object_ownercheck(DatabaseRelationId, MyDatabaseId, role);
#else
  const bool owns_database = pg_database_ownercheck(MyDatabaseId, role);
#endif
#if PG_VERSION_NUM >= 170000
  if (pg_class_aclcheck(relation, role, ACL_MAINTAIN) == ACLCHECK_OK) return true;
#endif
  return owns_database || owns_relation(relation, role);
}

inline bool may_connect(Oid database, Oid role) {
#if PG_VERSION_NUM >= 160000
  return object_aclcheck(DatabaseRelationId, database, role, ACL_CONNECT) == ACLCHECK_OK;
#else
  return pg_database_aclcheck(database, role, ACL_CONNECT) == ACLCHECK_OK;
#endif
}

inline bool may_look_into(Oid schema, Oid role) {
#if PG_VERSION_NUM >= 160000
  return object_aclcheck(NamespaceRelationId, schema, role, ACL_USAGE) == ACLCHECK_OK;
#else
  return pg_namespace_aclcheck(schema, role, ACL_USAGE) == ACLCHECK_OK;
#endif
}

}  // namespace dp::pg
