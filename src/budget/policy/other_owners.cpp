#include "budget/policy/other_owners.h"

#include "budget/catalog/extension_catalog.h"
#include "budget/policy/accounts.h"
#include "budget/policy/copies.h"
#include "budget/policy/shards.h"
#include "pg/errors.h"
#include "pg/foreign.h"
#include "pg/relation_owner.h"

namespace dp::budget {
namespace {

const char* literal_there(Oid table) { return quote_literal_cstr(name_there(table)); }

// The name of the privacy unit there, as SQL.
const char* unit_there(Oid table, const UnitPolicy& unit) {
  if (!unit.declared() || unit.steps != NIL) return "NULL";
  const AttrNumber number = get_attnum(table, unit.path);
  return quote_literal_cstr(number > 0 ? name_on_server(table, number) : unit.path);
}

// The one value that a statement gives.
const char* value_of(Oid table, Oid reader, const char* sql) {
  List* const rows = pg::remote_rows(table, reader, sql, 1);
  return rows == NIL ? nullptr : static_cast<const char*>(linitial(static_cast<List*>(linitial(rows))));
}

bool is(const char* value, const char* sought) { return value != nullptr && strcmp(value, sought) == 0; }

// Whether pg_dp of this version is there.
bool has_extension(Oid table, Oid reader) {
  const char* const version =
      value_of(table, reader, "SELECT extversion FROM pg_catalog.pg_extension WHERE extname = 'pg_dp'");
  return version != nullptr && strcmp(version, extension_version()) == 0;
}

bool may_be_read(Oid table, Oid reader) {
  return is(value_of(table, reader,
                     psprintf("SELECT (has_table_privilege(%s, 'SELECT') OR has_any_column_privilege(%s, "
                              "'SELECT'))::text",
                              literal_there(table), literal_there(table))),
            "true");
}

bool is_lent_there(Oid table, Oid reader, const UnitPolicy& unit) {
  if (!has_extension(table, reader)) return false;
  return is(value_of(table, reader,
                     psprintf("SELECT dp.charge_rows(%s, %s, NULL, NULL, NULL, NULL, NULL, NULL)", literal_there(table),
                              unit_there(table, unit))),
            "lent");
}

[[noreturn]] void refuse_unread(Oid relation, Oid table) {
  ereport(ERROR,
          (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
           errmsg("cannot protect %s: server %s does not let the owner's user mapping read table %s",
                  relation_name(relation), quote_identifier(server_name(table)), name_there(table)),
           errhint("There, GRANT SELECT on it to that role. Where the table is another owner's, protected there by the "
                   "same version of pg_dp, that owner says dp.grant_budget() and dp.lend_rows() for that role.")));
  pg_unreachable();
}

[[noreturn]] void refuse_mixture(Oid relation, Oid lent, Oid own) {
  ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
                  errmsg("cannot protect %s: rows of %s are another owner's, and those of %s are not",
                         relation_name(relation), relation_name(lent), relation_name(own)),
                  errhint("Let all foreign tables below it be of another owner, or none.")));
  pg_unreachable();
}

}  // namespace

const char* name_there(Oid table) {
  const List* const options = GetForeignTable(table)->options;
  const char* schema = pg::option_of(options, "schema_name");
  const char* name = pg::option_of(options, "table_name");
  if (schema == nullptr) schema = get_namespace_name(get_rel_namespace(table));
  if (name == nullptr) name = get_rel_name(table);
  return quote_qualified_identifier(schema, name);
}

bool find_other_owner(Oid relation, const UnitPolicy& unit) {
  List* const tables = foreign_tables_of(relation);
  const Oid reader = pg::owner_of(relation);
  Oid lent = InvalidOid, own = InvalidOid;
  ListCell* cell;
  foreach (cell, tables) {
    const Oid table = lfirst_oid(cell);
    if (is_lent_there(table, reader, unit)) {
      lent = table;
      continue;
    }
    own = table;
    if (may_be_read(table, reader)) continue;
    refuse_unread(relation, table);
  }
  if (OidIsValid(lent) && OidIsValid(own)) refuse_mixture(relation, lent, own);
  if (OidIsValid(lent))
    ereport(NOTICE, (errmsg("questions about table %s are charged on server %s, too, to the budget that the owner of "
                            "table %s there has given to this server",
                            relation_name(relation), quote_identifier(server_name(lent)), name_there(lent))));
  return OidIsValid(lent);
}

const char* new_question() {
  constexpr int kBytes = 8;
  unsigned char random[kBytes];
  if (!pg_strong_random(random, sizeof(random))) elog(ERROR, "could not generate a number for the question");
  StringInfoData digits;
  initStringInfo(&digits);
  for (const unsigned char byte : random) appendStringInfo(&digits, "%02x", byte);
  return digits.data;
}

void charge_there(const ChargeThere& charge, const Cost& cost, const char* question, const char* query) {
  const auto protection = protection_of(charge.table);
  StringInfoData sql;
  initStringInfo(&sql);
  appendStringInfo(&sql, "SELECT dp.charge_rows(%s, %s, %lld, %lld, %s, %s, %s, ARRAY[", literal_there(charge.table),
                   unit_there(charge.table, protection->unit), static_cast<long long>(cost.epsilon),
                   static_cast<long long>(cost.delta), quote_literal_cstr(text_of(cost.losses).text),
                   quote_literal_cstr(question), quote_literal_cstr(query));
  ListCell* cell;
  foreach (cell, charge.statements)
    appendStringInfo(&sql, "%s%s", foreach_current_index(cell) > 0 ? ", " : "",
                     quote_literal_cstr(strVal(lfirst(cell))));
  appendStringInfoString(&sql, "])");
  const char* const told = value_of(charge.table, charge.reader, sql.data);
  if (is(told, "charged")) return;
  if (told != nullptr && strncmp(told, "DP001 ", 6) == 0)
    ereport(ERROR, (errcode(pg::kBudgetExhausted), errmsg("%s", told + 6)));
  ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
                  errmsg("rows of table %s are not lent to this server: %s", name_there(charge.table),
                         told != nullptr ? told : "no word"),
                  errhint("A curator says dp.protect(%s) again, which finds out what holds there now.",
                          quote_literal_cstr(relation_name(protection->relation)))));
}

bool withdraw_there(const ChargeThere& charge, const char* question) {
  return is(value_of(charge.table, charge.reader,
                     psprintf("SELECT dp.withdraw_rows(%s)::text", quote_literal_cstr(question))),
            "true");
}

}  // namespace dp::budget
