#include "budget/policy/shards.h"

#include <algorithm>

#include "budget/catalog/colocated_rows.h"
#include "budget/catalog/copy_rows.h"
#include "budget/catalog/extension_catalog.h"
#include "budget/policy/copies.h"
#include "pg/catalog.h"
#include "pg/errors.h"
#include "pg/foreign.h"
#include "pg/relation_owner.h"

namespace dp::budget {
namespace {

bool is_on(const List* options, const char* name) {
  ListCell* cell;
  foreach (cell, options) {
    auto* const element = lfirst_node(DefElem, cell);
    if (strcmp(element->defname, name) == 0) return defGetBoolean(element);
  }
  return false;
}

// The wrapper that comes with PostgreSQL, by whatever name it was given.
bool is_postgres_fdw(const ForeignServer* server) {
  const Oid handler = GetForeignDataWrapper(server->fdwid)->fdwhandler;
  const Oid extension = get_extension_oid("postgres_fdw", true);
  return OidIsValid(handler) && OidIsValid(extension) &&
         getExtensionOfObject(ProcedureRelationId, handler) == extension;
}

// Types whose values mean something on one server alone (numbers of objects, a currency), or are read by a setting.
bool is_of_one_server(Oid type) {
  constexpr Oid kTypes[] = {REGPROCOID,      REGPROCEDUREOID, REGOPEROID,      REGOPERATOROID, REGCLASSOID,
                            REGTYPEOID,      REGROLEOID,      REGNAMESPACEOID, REGCONFIGOID,   REGDICTIONARYOID,
                            REGCOLLATIONOID, MONEYOID,        XMLOID};
  return std::find(std::begin(kTypes), std::end(kTypes), type) != std::end(kTypes);
}

bool can_be_fetched(Oid type) {
  const Oid element = get_element_type(type);
  if (OidIsValid(element)) return can_be_fetched(element);
  const char kind = get_typtype(type);
  if (kind == TYPTYPE_BASE) return !is_of_one_server(type);
  return kind == TYPTYPE_ENUM || (type < FirstNormalObjectId && (kind == TYPTYPE_RANGE || kind == TYPTYPE_MULTIRANGE));
}

struct Told {
  const char* name;   // what is told
  const char* value;  // to be compared
  const char* shown;  // as a message shows it
};

const char* collation_text(Oid collation) {
  if (!OidIsValid(collation)) return "";
  HeapTuple const row = SearchSysCache1(COLLOID, ObjectIdGetDatum(collation));
  if (!HeapTupleIsValid(row)) return "?";
  const auto& found = *reinterpret_cast<Form_pg_collation>(GETSTRUCT(row));
  const char* const text = psprintf("%s.%s", get_namespace_name(found.collnamespace), NameStr(found.collname));
  ReleaseSysCache(row);
  return text;
}

// The labels of an enum in their order, each behind a slash.
const char* labels_of(Oid type) {
  StringInfoData labels;
  initStringInfo(&labels);
  pg::visit_catalog<FormData_pg_enum>(
      EnumRelationId, EnumTypIdSortOrderIndexId, {{Anum_pg_enum_enumtypid, type}},
      [&](const auto& label, HeapTuple) { appendStringInfo(&labels, "/%s", NameStr(label.enumlabel)); });
  return labels.data;
}

const char* type_text(Oid type, int32 modifier, Oid collation) {
  HeapTuple const row = SearchSysCache1(TYPEOID, ObjectIdGetDatum(type));
  if (!HeapTupleIsValid(row)) elog(ERROR, "cache lookup failed for type %u", type);
  const auto& found = *reinterpret_cast<Form_pg_type>(GETSTRUCT(row));
  const char* const text = psprintf("%s.%s %d %s%s", get_namespace_name(found.typnamespace), NameStr(found.typname),
                                    modifier, collation_text(collation), labels_of(type));
  ReleaseSysCache(row);
  return text;
}

const char* database_text() {
  HeapTuple const row = SearchSysCache1(DATABASEOID, ObjectIdGetDatum(MyDatabaseId));
  if (!HeapTupleIsValid(row)) elog(ERROR, "cache lookup failed for database %u", MyDatabaseId);
  const auto text_of = [row](AttrNumber column) {
    bool is_null;
    const Datum value = SysCacheGetAttr(DATABASEOID, row, column, &is_null);
    return is_null ? "" : TextDatumGetCString(value);
  };
  const char* const text = psprintf("%s, LC_COLLATE %s, LC_CTYPE %s", GetDatabaseEncodingName(),
                                    text_of(Anum_pg_database_datcollate), text_of(Anum_pg_database_datctype));
  ReleaseSysCache(row);
  return text;
}

// What is here: a Told for the database and each column, under its name on the server.
List* told_here(Oid table) {
  const char* const database = database_text();
  List* all = lappend(NIL, new (palloc(sizeof(Told))) Told{"database", database, database});
  Relation const opened = table_open(table, AccessShareLock);
  for (int i = 0; i < RelationGetDescr(opened)->natts; ++i) {
    const FormData_pg_attribute& column = *TupleDescAttr(RelationGetDescr(opened), i);
    if (column.attisdropped) continue;
    const char* const name = name_on_server(table, column.attnum);
    all = lappend(
        all, new (palloc(sizeof(Told))) Told{
                 psprintf("column \"%s\"", name), type_text(column.atttypid, column.atttypmod, column.attcollation),
                 psprintf("%s%s%s", format_type_with_typemod(column.atttypid, column.atttypmod),
                          OidIsValid(column.attcollation) ? " COLLATE " : "", collation_text(column.attcollation))});
  }
  table_close(opened, NoLock);
  return all;
}

// The same on the server, and of the table itself. It runs under search_path = pg_catalog.
const char* question_to_server(Oid table) {
  const ForeignTable* const foreign = GetForeignTable(table);
  const char* schema = pg::option_of(foreign->options, "schema_name");
  const char* name = pg::option_of(foreign->options, "table_name");
  if (schema == nullptr) schema = get_namespace_name(get_rel_namespace(table));
  if (name == nullptr) name = get_rel_name(table);
  return psprintf(
      "WITH t AS (SELECT c.* FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
      "WHERE n.nspname = %s AND c.relname = %s) "
      "SELECT 'version'::text, current_setting('server_version_num'), current_setting('server_version') "
      "UNION ALL SELECT 'database', format('%%s, LC_COLLATE %%s, LC_CTYPE %%s', pg_encoding_to_char(encoding), "
      "datcollate, datctype), format('%%s, LC_COLLATE %%s, LC_CTYPE %%s', pg_encoding_to_char(encoding), datcollate, "
      "datctype) FROM pg_database WHERE datname = current_database() "
      "UNION ALL SELECT 'kind', relkind::text, CASE relkind WHEN 'v' THEN 'a view' WHEN 'm' THEN 'a materialized view' "
      "WHEN 'f' THEN 'a foreign table' ELSE 'no table' END FROM t "
      "UNION ALL SELECT 'pg_dp', concat(e.extversion, CASE WHEN current_setting('dp.keep_releases', true) IS NULL THEN "
      "', not preloaded' END, CASE WHEN NOT has_schema_privilege('dp_internal', 'USAGE') THEN "
      "', without USAGE on dp_internal' END), '' FROM pg_extension e WHERE e.extname = 'pg_dp' "
      "UNION ALL SELECT 'citus', '', '' FROM pg_extension e WHERE e.extname = 'citus' "
      "UNION ALL SELECT 'row security', relrowsecurity::text, '' FROM t "
      "UNION ALL SELECT format('column \"%%s\"', a.attname), concat(tn.nspname, '.', y.typname, ' ', a.atttypmod, ' ', "
      "cn.nspname || '.' || o.collname, (SELECT string_agg('/' || e.enumlabel, '' ORDER BY e.enumsortorder) "
      "FROM pg_enum e WHERE e.enumtypid = y.oid)), format_type(a.atttypid, a.atttypmod) || coalesce(' COLLATE ' || "
      "cn.nspname || '.' || o.collname, '') FROM t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT "
      "a.attisdropped JOIN pg_type y ON y.oid = a.atttypid JOIN pg_namespace tn ON tn.oid = y.typnamespace "
      "LEFT JOIN pg_collation o ON o.oid = a.attcollation LEFT JOIN pg_namespace cn ON cn.oid = o.collnamespace",
      quote_literal_cstr(schema), quote_literal_cstr(name));
}

const Told* find(List* told, const char* name) {
  ListCell* cell;
  foreach (cell, told) {
    const auto* const one = static_cast<const Told*>(lfirst(cell));
    if (strcmp(one->name, name) == 0) return one;
  }
  return nullptr;
}

constexpr const char* kAlterForeign = "Let the foreign table say what the table there is, or change that one.";

const char* own_version() {
  const char* version = "?";
  pg::visit_catalog<FormData_pg_extension>(ExtensionRelationId, [&](const auto& extension, HeapTuple row) {
    if (strcmp(NameStr(extension.extname), "pg_dp") != 0) return;
    Relation const extensions = table_open(ExtensionRelationId, AccessShareLock);
    bool is_null;
    const Datum told = heap_getattr(row, Anum_pg_extension_extversion, RelationGetDescr(extensions), &is_null);
    if (!is_null) version = TextDatumGetCString(told);
    table_close(extensions, AccessShareLock);
  });
  return version;
}

// Where parts are made there.
ForeignObstacle compare_extensions(const Told* there) {
  const char* const here = own_version();
  if (there == nullptr) {
    return {"pg_dp is not there, which its option extensions says.",
            "CREATE EXTENSION pg_dp there, or take it out of the server's option extensions.", true};
  }
  if (strcmp(there->value, here) == 0) return {};
  return {psprintf("pg_dp is there as %s, and here as %s.", there->value, here),
          "The same version has to be preloaded there, and GRANT USAGE ON SCHEMA dp_internal given to who reads; or "
          "take it "
          "out of the server's option extensions.",
          true};
}

ForeignObstacle compare(Oid table, List* here, List* there) {
  const Told* const version = find(there, "version");
  const Told* const kind = find(there, "kind");
  const Told* const security = find(there, "row security");
  if (version == nullptr || kind == nullptr || security == nullptr)
    return {"There is no such table there.", "Look at the options schema_name and table_name of the foreign table."};
  if (pg_strtoint32(version->value) / 10000 > pg::kMajor) {
    return {psprintf("That server runs PostgreSQL %s, and this one %s: it may have values that are not known here.",
                     version->shown, PG_VERSION),
            "Upgrade this server first."};
  }
  if (makes_parts(table) && find(there, "citus") != nullptr && !is_spread(table) && !OidIsValid(original_of(table))) {
    return {
        "It has Citus, which makes parts of answers only by the unit that it spreads rows by.",
        "Say that it does, also of one table: SELECT dp.declare_colocated('visits', 'visits'); or take pg_dp out of "
        "the server's option extensions.",
        true};
  }
  if (makes_parts(table)) {
    const ForeignObstacle found = compare_extensions(find(there, "pg_dp"));
    if (found.message != nullptr) return found;
  }
  if (strcmp(kind->value, "r") != 0 && strcmp(kind->value, "p") != 0) {
    return {psprintf("It is %s there, whose functions may fail on a row and say so.", kind->shown),
            "Let the foreign table stand for the table itself."};
  }
  if (strcmp(security->value, "false") != 0) {
    return {"It has row security there: rows would depend on who asks.",
            "ALTER TABLE ... DISABLE ROW LEVEL SECURITY; there."};
  }
  ListCell* cell;
  foreach (cell, here) {
    const auto* const mine = static_cast<const Told*>(lfirst(cell));
    const Told* const other = find(there, mine->name);
    if (other == nullptr) return {psprintf("It has no %s there.", mine->name), kAlterForeign};
    if (strcmp(mine->value, other->value) == 0) continue;
    if (strcmp(mine->name, "database") == 0) {
      return {psprintf("The database is %s there, and %s here.", other->shown, mine->shown),
              "Text is compared and read as the database says: make a database there that is as this one."};
    }
    if (strcmp(mine->shown, other->shown) == 0)
      return {
          psprintf("The type of %s, %s, has other values or stands in another schema there.", mine->name, mine->shown),
          kAlterForeign};
    return {psprintf("Its %s is %s there, and %s here.", mine->name, other->shown, mine->shown), kAlterForeign};
  }
  return {};
}

}  // namespace

List* foreign_tables_of(Oid relation) {
  List* found = NIL;
  ListCell* cell;
  if (get_rel_relkind(relation) == RELKIND_FOREIGN_TABLE) found = list_make1_oid(relation);
  if (!has_subclass(relation)) return found;
  foreach (cell, find_all_inheritors(relation, NoLock, nullptr)) {
    if (get_rel_relkind(lfirst_oid(cell)) == RELKIND_FOREIGN_TABLE)
      found = list_append_unique_oid(found, lfirst_oid(cell));
  }
  return found;
}

const char* server_name(Oid table) { return GetForeignServer(GetForeignTable(table)->serverid)->servername; }

bool makes_parts(Oid table) {
  const char* const names = pg::option_of(GetForeignServer(GetForeignTable(table)->serverid)->options, "extensions");
  List* extensions = NIL;
  if (names == nullptr || !SplitIdentifierString(pstrdup(names), ',', &extensions)) return false;
  ListCell* cell;
  foreach (cell, extensions)
    if (strcmp(static_cast<const char*>(lfirst(cell)), "pg_dp") == 0) return true;
  return false;
}

ForeignObstacle foreign_obstacle(Oid table) {
  const ForeignTable* const foreign = GetForeignTable(table);
  const ForeignServer* const server = GetForeignServer(foreign->serverid);
  if (!is_postgres_fdw(server)) {
    return {psprintf("is a foreign table of the wrapper %s", GetForeignDataWrapper(server->fdwid)->fdwname),
            "Rows are fetched by postgres_fdw alone. Copy the table: CREATE TABLE ... AS TABLE ..."};
  }
  for (const List* options : {server->options, foreign->options}) {
    if (!is_on(options, "use_remote_estimate")) continue;
    return {psprintf("asks server %s for estimates while a question is planned, before it is charged",
                     quote_identifier(server->servername)),
            psprintf("ALTER %s %s OPTIONS (SET use_remote_estimate 'false');",
                     options == server->options ? "SERVER" : "FOREIGN TABLE",
                     options == server->options ? quote_identifier(server->servername) : relation_name(table))};
  }
  ForeignObstacle found{};
  Relation const opened = table_open(table, AccessShareLock);
  for (int i = 0; found.message == nullptr && i < RelationGetDescr(opened)->natts; ++i) {
    const FormData_pg_attribute& column = *TupleDescAttr(RelationGetDescr(opened), i);
    if (column.attisdropped || can_be_fetched(column.atttypid)) continue;
    found = {
        psprintf("has column \"%s\" of type %s, whose values another server may write and this one not read",
                 NameStr(column.attname), format_type_be(column.atttypid)),
        psprintf("A foreign table need not have all columns: ALTER FOREIGN TABLE %s DROP COLUMN %s; or give it the "
                 "type that lies below, there too.",
                 relation_name(table), quote_identifier(NameStr(column.attname)))};
  }
  table_close(opened, NoLock);
  return found;
}

namespace {

// Of a copy of that public table, where it is as it is declared.
ForeignObstacle compare_copy(Oid table, Oid original, List* there) {
  List* names = NIL;
  ListCell* cell;
  foreach (cell, there) names = lappend(names, const_cast<char*>(static_cast<const Told*>(lfirst(cell))->name));
  const char* const lacking = lacking_constraint(original, table, names);
  if (lacking == nullptr) return {};
  return {psprintf("It has no %s there, which its original %s has and questions rely on.", lacking,
                   relation_name(original)),
          psprintf("Add it there, or declare other copies: dp.declare_copies(%s, ...).",
                   quote_literal_cstr(relation_name(original)))};
}

}  // namespace

ForeignObstacle difference_on_server(Oid table, Oid reader) {
  const Oid original = original_of(table);
  const char* question = question_to_server(table);
  if (OidIsValid(original)) question = psprintf("%s%s", question, kConstraintsOnServer);
  List* there = NIL;
  ListCell* cell;
  foreach (cell, pg::remote_rows(table, reader, question, 3)) {
    auto* const row = static_cast<List*>(lfirst(cell));
    const auto* const value = static_cast<const char*>(lsecond(row));
    const auto* const shown = static_cast<const char*>(lthird(row));
    there =
        lappend(there, new (palloc(sizeof(Told))) Told{static_cast<const char*>(linitial(row)),
                                                       value == nullptr ? "" : value, shown == nullptr ? "" : shown});
  }
  const ForeignObstacle found = compare(table, told_here(table), there);
  return found.message == nullptr && OidIsValid(original) ? compare_copy(table, original, there) : found;
}

void require_same_on_server(Oid table, Oid reader, const char* what_for) {
  const ForeignObstacle found = difference_on_server(table, reader);
  if (found.message == nullptr) return;
  ereport(ERROR, (errcode(ERRCODE_FDW_INCONSISTENT_DESCRIPTOR_INFORMATION),
                  errmsg("cannot %s: server %s has another table than foreign table %s stands for", what_for,
                         quote_identifier(server_name(table)), relation_name(table)),
                  errdetail("%s", found.message), errhint("%s", found.hint)));
}

void require_same_on_servers(Oid relation) {
  ListCell* cell;
  foreach (cell, foreign_tables_of(relation))
    require_same_on_server(lfirst_oid(cell), pg::owner_of(relation), psprintf("protect %s", relation_name(relation)));
}

std::uint32_t hash_of_server(Oid table) {
  const ForeignTable* const foreign = GetForeignTable(table);
  const ForeignServer* const server = GetForeignServer(foreign->serverid);
  StringInfoData text;
  initStringInfo(&text);
  appendStringInfo(&text, "%u", server->serverid);
  for (const List* options : {server->options, foreign->options}) {
    ListCell* cell;
    foreach (cell, options) {
      auto* const element = lfirst_node(DefElem, cell);
      appendStringInfo(&text, "/%s=%s", element->defname, defGetString(element));
    }
    appendStringInfoChar(&text, ';');
  }
  return hash_bytes(reinterpret_cast<const unsigned char*>(text.data), text.len);
}

}  // namespace dp::budget
