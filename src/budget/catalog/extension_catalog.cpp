#include "budget/catalog/extension_catalog.h"

#include <algorithm>
#include <iterator>

#include "budget/catalog/remembered.h"

namespace dp::budget {
namespace {

constexpr const char* kExtension = "pg_dp";
constexpr const char* kSchema = "dp";
constexpr const char* kInternal = "dp_internal";  // schema of the functions that only private queries call
constexpr const char* kLedger = "ledger_entry";

Tables found;                   // of this backend's database
bool current = false;           // whether `found` holds
const char* missing = nullptr;  // the table that was not there when it was looked for last

// The tables and their names.
constexpr struct {
  Oid Tables::*table;
  const char* name;
} kTables[] = {{&Tables::protected_table, "protected_table"},
               {&Tables::account, "account"},
               {&Tables::declared_range, "declared_range"},
               {&Tables::public_copy, "public_copy"},
               {&Tables::colocated, "colocated"},
               {&Tables::public_domain, "public_domain"},
               {&Tables::answer_policy, "answer_policy"},
               {&Tables::stored_answer, "stored_answer"},
               {&Tables::stored_answer_rows, "stored_answer_rows"},
               {&Tables::stored_answer_shown, "stored_answer_shown"},
               {&Tables::stored_answer_keys, "stored_answer_keys"},
               {&Tables::stored_answer_aggregate, "stored_answer_aggregate"},
               {&Tables::stored_answer_place, "stored_answer_place"},
               {&Tables::ledger_entry, kLedger},
               {&Tables::ledger_total, "ledger_total"},
               {&Tables::ledger_place, "ledger_place"},
               {&Tables::dropped_object, "dropped_object"},
               {&Tables::continued, "continued"},
               {&Tables::ledger_compaction, "ledger_compaction"},
               {&Tables::measured_server, "measured_server"},
               {&Tables::release_part, "release_part"},
               {&Tables::release_aggregate, "release_aggregate"},
               {&Tables::release_keys, "release_keys"},
               {&Tables::release_level, "release_level"},
               {&Tables::release_path, "release_path"},
               {&Tables::release_holding, "release_holding"},
               {&Tables::release_forgotten, "release_forgotten"}};

// Called when a relation changes: dropping one of the tables sends its OID; InvalidOid means that anything may have
// changed.
void invalidate(Datum, Oid relation) {
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
  missing = nullptr;
  // In databases without the extension the search mostly ends here, in a system cache.
  const Oid schema = get_namespace_oid(kSchema, true);
  if (!OidIsValid(schema)) return false;
  const Oid extension = get_extension_oid(kExtension, true);
  if (!OidIsValid(extension)) return false;
  for (const auto& [table, name] : kTables) {
    found.*table = table_of(extension, name, schema);
    if (OidIsValid(found.*table)) continue;
    missing = name;
    return false;
  }
  return true;
}

}  // namespace

const Tables* tables() {
  static bool registered = false;
  if (!registered) {
    CacheRegisterRelcacheCallback(invalidate, 0);
    registered = true;
  }
  if (!current) current = look_up();
  return current ? &found : nullptr;
}

bool is_created() { return OidIsValid(get_extension_oid(kExtension, true)); }

bool is_of_extension(Oid catalog, Oid object) {
  const Oid extension = get_extension_oid(kExtension, true);
  return OidIsValid(extension) && getExtensionOfObject(catalog, object) == extension;
}

void refuse_other_version() {
  ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                  errmsg("extension pg_dp of this database is of another version than its library"),
                  missing != nullptr ? errdetail("It has no table %s.%s.", kSchema, missing) : 0,
                  errhint("Ask a superuser, in this database: ALTER EXTENSION pg_dp UPDATE; Where that has nothing to "
                          "do, a table of the extension was changed by hand, which has to be undone.")));
  pg_unreachable();
}

namespace {

bool has_schema = false;
bool schema_known = false;  // as long as no schema changes
std::uint64_t schema_changes = 0;

void change_schemas(Datum, int, uint32) {
  schema_known = false;
  ++schema_changes;
}

void look_for_schema() {
  static bool registered = false;
  if (!registered) CacheRegisterSyscacheCallback(NAMESPACENAME, change_schemas, 0);
  registered = true;
  const std::uint64_t before = schema_changes;
  has_schema = OidIsValid(get_namespace_oid(kSchema, true));
  schema_known = before == schema_changes;
}

}  // namespace

bool is_absent() {
  if (!schema_known) look_for_schema();
  return !has_schema;
}

const Tables& own_tables() {
  const Tables* const own = tables();
  if (own == nullptr && is_created()) refuse_other_version();
  if (own == nullptr) {
    ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                    errmsg("extension pg_dp is not created in this database"), errhint("CREATE EXTENSION pg_dp;")));
  }
  return *own;
}

const char* extension_version() {
  const char* version = "";
  Relation const extensions = table_open(ExtensionRelationId, AccessShareLock);
  ScanKeyData key;
  ScanKeyInit(&key, Anum_pg_extension_extname, BTEqualStrategyNumber, F_NAMEEQ, CStringGetDatum(kExtension));
  SysScanDesc const scan = systable_beginscan(extensions, ExtensionNameIndexId, true, nullptr, 1, &key);
  if (HeapTuple const row = systable_getnext(scan); HeapTupleIsValid(row)) {
    bool is_null;
    const Datum number = heap_getattr(row, Anum_pg_extension_extversion, RelationGetDescr(extensions), &is_null);
    if (!is_null) version = TextDatumGetCString(number);
  }
  systable_endscan(scan);
  table_close(extensions, AccessShareLock);
  return version;
}

bool is_ledger(Oid relation) {
  const Oid schema = get_namespace_oid(kSchema, true);
  if (!OidIsValid(schema) || get_rel_namespace(relation) != schema) return false;
  return table_of(get_extension_oid(kExtension, true), kLedger, schema) == relation;
}

bool is_own_table(Oid relation) {
  return tables() != nullptr && std::any_of(std::begin(kTables), std::end(kTables),
                                            [relation](const auto& own) { return found.*own.table == relation; });
}

bool in_own_schema(Oid relation) {
  return tables() != nullptr && get_rel_namespace(relation) == get_rel_namespace(found.ledger_entry);
}

namespace {

Oid look_up_function(const char* name, std::initializer_list<Oid> types) {
  // Without USAGE of the schema, which nobody has.
  const Oid schema = get_namespace_oid(kInternal, true);
  const oidvector* const arguments = buildoidvector(types.begin(), static_cast<int>(types.size()));
  const Oid function = GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid, CStringGetDatum(name),
                                       PointerGetDatum(arguments), ObjectIdGetDatum(schema));
  if (!OidIsValid(function) ||
      getExtensionOfObject(ProcedureRelationId, function) != get_extension_oid(kExtension, false)) {
    ereport(ERROR,
            (errcode(ERRCODE_UNDEFINED_FUNCTION), errmsg("extension pg_dp has no function %s.%s here", kInternal, name),
             errhint("The library is newer than the extension in this database: ALTER EXTENSION pg_dp UPDATE;")));
  }
  return function;
}

struct Signature {
  NameData name;
  Oid types[5];

  bool operator==(const Signature& other) const {
    return std::equal(types, std::end(types), other.types) && strcmp(name.data, other.name.data) == 0;
  }
};

}  // namespace

Oid internal_function(const char* name, std::initializer_list<Oid> types) {
  static Remembered<Signature, Oid, 32> functions;
  Signature signature{};
  Assert(types.size() <= std::size(signature.types));
  namestrcpy(&signature.name, name);
  std::copy(types.begin(), types.end(), signature.types);
  return functions.get(signature, [=] { return look_up_function(name, types); });
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
