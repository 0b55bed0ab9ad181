#include "budget/catalog/extension_catalog.h"

namespace dp::budget {
namespace {

constexpr const char* kExtension = "pg_dp";
constexpr const char* kSchema = "dp";
constexpr const char* kLedger = "ledger_entry";

Tables found;          // of this backend's database
bool current = false;  // whether `found` holds

// The tables and their names.
constexpr struct {
  Oid Tables::*table;
  const char* name;
} kTables[] = {{&Tables::protected_table, "protected_table"}, {&Tables::account, "account"},
               {&Tables::public_domain, "public_domain"},     {&Tables::declared_range, "declared_range"},
               {&Tables::ledger_entry, kLedger},
               {&Tables::release_part, "release_part"},       {&Tables::release_aggregate, "release_aggregate"},
               {&Tables::release_keys, "release_keys"},       {&Tables::release_level, "release_level"},
               {&Tables::release_path, "release_path"},       {&Tables::release_holding, "release_holding"}};

// Called when a relation changes: dropping one of the tables sends its OID; InvalidOid means that anything may have
// changed.
void forget(Datum, Oid relation) {
  if (relation == InvalidOid) current = false;
  for (const auto& [table, name] : kTables) {
    if (relation == found.*table) current = false;
  }
}

Oid table_of(Oid extension, const char* name, Oid schema) {
  const Oid table = get_relname_relid(name, schema);
  return OidIsValid(table) && OidIsValid(extension) && getExtensionOfObject(RelationRelationId, table) == extension
             ? table
             : InvalidOid;
}

bool look_up() {
  // In databases without the extension the search mostly ends here, in a system cache.
  const Oid schema = get_namespace_oid(kSchema, true);
  if (!OidIsValid(schema)) return false;
  const Oid extension = get_extension_oid(kExtension, true);
  if (!OidIsValid(extension)) return false;
  for (const auto& [table, name] : kTables) {
    found.*table = table_of(extension, name, schema);
    if (!OidIsValid(found.*table)) return false;
  }
  return true;
}

}  // namespace

const Tables* tables() {
  static bool registered = false;
  if (!registered) {
    CacheRegisterRelcacheCallback(forget, 0);
    registered = true;
  }
  if (!current) current = look_up();
  return current ? &found : nullptr;
}

const Tables& own_tables() {
  const Tables* const own = tables();
  if (own == nullptr) {
    ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                    errmsg("extension pg_dp is not created in this database"), errhint("CREATE EXTENSION pg_dp;")));
  }
  return *own;
}

bool is_ledger(Oid relation) {
  const Oid schema = get_namespace_oid(kSchema, true);
  if (!OidIsValid(schema) || get_rel_namespace(relation) != schema) return false;
  return table_of(get_extension_oid(kExtension, true), kLedger, schema) == relation;
}

bool in_own_schema(Oid relation) {
  return tables() != nullptr && get_rel_namespace(relation) == get_rel_namespace(found.ledger_entry);
}

Oid own_function(const char* name, std::initializer_list<Oid> types) {
  List* const path = list_make2(makeString(pstrdup(kSchema)), makeString(pstrdup(name)));
  const Oid function = LookupFuncName(path, static_cast<int>(types.size()), types.begin(), false);
  if (getExtensionOfObject(ProcedureRelationId, function) != get_extension_oid(kExtension, false)) {
    elog(ERROR, "function %s.%s is not that of the extension", kSchema, name);
  }
  return function;
}

Oid curator_role() { return get_role_oid("dp_curator", true); }

bool relation_exists(Oid relation) { return SearchSysCacheExists1(RELOID, ObjectIdGetDatum(relation)); }

bool role_exists(Oid role) { return SearchSysCacheExists1(AUTHOID, ObjectIdGetDatum(role)); }

const char* relation_name(Oid relation) {
  return DatumGetCString(DirectFunctionCall1(regclassout, ObjectIdGetDatum(relation)));
}

const char* role_name(Oid role) {
  const char* const name = GetUserNameFromId(role, true);
  return name != nullptr ? name : psprintf("%u", role);
}

}  // namespace dp::budget
