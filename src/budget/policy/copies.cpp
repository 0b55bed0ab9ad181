#include "budget/policy/copies.h"

#include "budget/catalog/copy_rows.h"
#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/unique_indexes.h"
#include "budget/policy/grouping_expression.h"
#include "pg/catalog.h"
#include "pg/foreign.h"
#include "pg/relation_owner.h"

namespace dp::budget {
namespace {

const char* quoted_there(Oid relation, Oid copy, AttrNumber column) {
  const AttrNumber number = get_attnum(copy, get_attname(relation, column, false));
  return quote_identifier(number == InvalidAttrNumber ? "" : name_on_server(copy, number));
}

// As the statement below writes a key: its columns in the order of their names.
const char* key_text(Relation index, Oid relation, Oid copy) {
  List* names = NIL;
  for (int i = 0; i < index->rd_index->indnkeyatts; ++i)
    names = lappend(names, const_cast<char*>(quoted_there(relation, copy, index->rd_index->indkey.values[i])));
  list_sort(names, [](const ListCell* one, const ListCell* other) {
    return strcmp(static_cast<const char*>(lfirst(one)), static_cast<const char*>(lfirst(other)));
  });
  StringInfoData text;
  initStringInfo(&text);
  ListCell* cell;
  foreach (cell, names)
    appendStringInfo(&text, "%s%s", text.len == 0 ? "unique key (" : ", ", static_cast<const char*>(lfirst(cell)));
  appendStringInfoChar(&text, ')');
  return text.data;
}

// Of the table and of those below it, which are read with it.
List* constraints_here(Oid relation, Oid copy) {
  List* found = NIL;
  visit_unique_indexes(relation, true, [&](Relation index) {
    found = lappend(found, const_cast<char*>(key_text(index, relation, copy)));
    return false;
  });
  Relation const opened = table_open(relation, AccessShareLock);
  for (int i = 0; i < RelationGetDescr(opened)->natts; ++i) {
    const FormData_pg_attribute& column = *TupleDescAttr(RelationGetDescr(opened), i);
    if (column.attisdropped || !column.attnotnull) continue;
    found = lappend(found, psprintf("NOT NULL of column %s", quoted_there(relation, copy, column.attnum)));
  }
  table_close(opened, NoLock);
  pg::visit_catalog<FormData_pg_constraint>(
      ConstraintRelationId, ConstraintRelidTypidNameIndexId, {{Anum_pg_constraint_conrelid, relation}},
      [&](const auto& constraint, HeapTuple) {
        if (constraint.contype != CONSTRAINT_CHECK || !constraint.convalidated) return;
        const Datum written = DirectFunctionCall1(pg_get_constraintdef, ObjectIdGetDatum(constraint.oid));
        found = lappend(found, TextDatumGetCString(written));
      });
  return found;
}

}  // namespace

// Keys are those of indexes that hold for all rows that the table shows, by the equality of the columns' types.
const char* const kConstraintsOnServer =
    " UNION ALL SELECT format('unique key (%s)', (SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY "
    "quote_ident(a.attname) COLLATE \"C\") FROM unnest(i.indkey) WITH ORDINALITY k (number, place) JOIN pg_attribute a "
    "ON a.attrelid = t.oid AND a.attnum = k.number WHERE k.place <= i.indnkeyatts)), '', '' FROM t JOIN pg_index i ON "
    "i.indrelid = t.oid WHERE i.indisunique AND i.indisvalid AND i.indisready AND i.indislive AND i.indimmediate AND "
    "i.indpred IS NULL AND i.indexprs IS NULL AND (t.relkind = 'p' OR NOT t.relhassubclass) AND NOT EXISTS (SELECT "
    "FROM pg_opclass o WHERE o.oid = ANY (i.indclass) AND NOT o.opcdefault) AND NOT EXISTS (SELECT FROM pg_collation l "
    "WHERE l.oid = ANY (i.indcollation) AND NOT l.collisdeterministic) "
    "UNION ALL SELECT format('NOT NULL of column %I', a.attname), '', '' FROM t JOIN pg_attribute a ON a.attrelid = "
    "t.oid AND a.attnum > 0 AND a.attnotnull AND NOT a.attisdropped "
    "UNION ALL SELECT pg_get_constraintdef(c.oid), '', '' FROM t JOIN pg_constraint c ON c.conrelid = t.oid WHERE "
    "c.contype = 'c' AND c.convalidated";

const char* name_on_server(Oid foreign_table, AttrNumber column) {
  const char* const said = pg::option_of(GetForeignColumnOptions(foreign_table, column), "column_name");
  return said != nullptr ? said : get_attname(foreign_table, column, false);
}

const char* differing_column(Oid relation, Oid copy) {
  const char* found = nullptr;
  Relation const opened = table_open(relation, AccessShareLock);
  for (int i = 0; found == nullptr && i < RelationGetDescr(opened)->natts; ++i) {
    const FormData_pg_attribute& column = *TupleDescAttr(RelationGetDescr(opened), i);
    if (column.attisdropped) continue;
    const AttrNumber number = get_attnum(copy, NameStr(column.attname));
    Oid type = InvalidOid, collation = InvalidOid;
    int32 modifier = -1;
    if (number != InvalidAttrNumber) get_atttypetypmodcoll(copy, number, &type, &modifier, &collation);
    if (type != column.atttypid || modifier != column.atttypmod || collation != column.attcollation)
      found = pstrdup(NameStr(column.attname));
  }
  table_close(opened, NoLock);
  return found;
}

Oid copy_beside(Oid relation, Oid foreign_table) {
  const Oid server = GetForeignTable(foreign_table)->serverid;
  ListCell* cell;
  foreach (cell, copies_of(relation)) {
    const Oid copy = lfirst_oid(cell);
    if (get_rel_relkind(copy) == RELKIND_FOREIGN_TABLE && GetForeignTable(copy)->serverid == server &&
        pg::owner_of(copy) == pg::owner_of(foreign_table) && differing_column(relation, copy) == nullptr)
      return copy;
  }
  return InvalidOid;
}

const char* lacking_constraint(Oid relation, Oid copy, const List* there) {
  const int level = begin_stable_text();
  List* const here = constraints_here(relation, copy);
  end_stable_text(level);
  ListCell *cell, *told;
  foreach (cell, here) {
    const auto* const one = static_cast<const char*>(lfirst(cell));
    bool found = false;
    foreach (told, there) found = found || strcmp(static_cast<const char*>(lfirst(told)), one) == 0;
    if (!found) return one;
  }
  return nullptr;
}

// As texts, which show all that a value is: equal ones may look different.
void require_same_rows(Oid relation, Oid copy) {
  StringInfoData columns;
  initStringInfo(&columns);
  Relation const opened = table_open(relation, AccessShareLock);
  for (int i = 0; i < RelationGetDescr(opened)->natts; ++i) {
    const FormData_pg_attribute& column = *TupleDescAttr(RelationGetDescr(opened), i);
    if (column.attisdropped) continue;
    appendStringInfo(&columns, "%s%s", columns.len == 0 ? "" : ", ", quote_identifier(NameStr(column.attname)));
  }
  table_close(opened, NoLock);
  const int level = begin_stable_text();
  const char* const here = relation_name(relation);
  const char* const there = relation_name(copy);
  const char* const query = psprintf(
      "WITH here AS (SELECT ROW(%s)::text FROM %s), there AS (SELECT ROW(%s)::text FROM %s) "
      "SELECT (SELECT count(*) FROM (TABLE here EXCEPT ALL TABLE there) d), "
      "(SELECT count(*) FROM (TABLE there EXCEPT ALL TABLE here) d)",
      columns.data, here, columns.data, there);
  SPI_connect();
  if (SPI_execute(query, true, 1) != SPI_OK_SELECT) elog(ERROR, "could not compare %s and %s", here, there);
  bool null;
  const int64 lacking = DatumGetInt64(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &null));
  const int64 more = DatumGetInt64(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 2, &null));
  SPI_finish();
  end_stable_text(level);
  if (lacking == 0 && more == 0) return;
  ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION),
                  errmsg("foreign table %s is no copy of table %s: it lacks %lld of its rows, and has %lld others",
                         relation_name(copy), relation_name(relation), static_cast<long long>(lacking),
                         static_cast<long long>(more)),
                  errhint("Copy the rows there first, then declare it.")));
}

}  // namespace dp::budget
