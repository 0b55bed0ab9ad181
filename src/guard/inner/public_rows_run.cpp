#include "guard/inner/public_rows_run.h"

#include <algorithm>

#include "guard/admission/modifier.h"
#include "guard/admission/row_limits.h"
#include "guard/query/permissions.h"
#include "guard/query/value_bytes.h"
#include "pg/errors.h"
#include "pg/execution.h"

namespace dp::guard {
namespace {

// ---- reading --------------------------------------------------------------------------------------------------------

[[noreturn]] void refuse_too_many(const char* name) {
  ereport(ERROR, (errcode(pg::kNotAdmissible), errmsg("%s in FROM has more than %d rows", name, kMostPublicRows),
                  errhint("Join the public table itself, on its unique key.\nOr choose fewer rows.")));
  pg_unreachable();
}

[[noreturn]] void refuse_too_large(const char* name) {
  ereport(ERROR, (errcode(pg::kNotAdmissible),
                  errmsg("the rows of subquery %s have more than %zu MB", name, kMostPublicBytes >> 20),
                  errdetail("They are kept in memory, to be known before anything is charged."),
                  errhint("Let the subquery show the columns alone that the query reads, and shorter values.")));
  pg_unreachable();
}

[[noreturn]] void refuse_value(const char* name, const FormData_pg_attribute& column) {
  ereport(ERROR,
          (errcode(pg::kNotAdmissible),
           errmsg("column %s of %s in FROM holds a value that is no %s", NameStr(column.attname), name,
                  format_type_with_typemod(column.atttypid, column.atttypmod)),
           errdetail("PostgreSQL does not look at the lengths and digits in the list of columns of a function "
                     "that returns records, nor where such columns go into a table."),
           errhint("Leave them out of that list, (x numeric), or cast twice: SELECT x::numeric::numeric(10,2) AS x.")));
  pg_unreachable();
}

// A row of the inner query can have one of each.
[[noreturn]] void refuse_long_rows(Size bytes) {
  ereport(ERROR, (errcode(pg::kNotAdmissible),
                  errmsg("the longest rows of the subqueries in FROM have %zu MB together, and may have %lld",
                         bytes >> 20, static_cast<long long>(kMostRowBytes >> 20)),
                  errhint("Let the subqueries show the columns alone that the query reads, and shorter values.")));
  pg_unreachable();
}

// The rows of the store, in memory.
void read_back(PublicRows* rows, const char* name) {
  rows->count = static_cast<int>(tuplestore_tuple_count(rows->store));
  const int columns = rows->shape->natts;
  rows->values = static_cast<NullableDatum*>(palloc_extended(
      sizeof(NullableDatum) * static_cast<Size>(rows->count) * static_cast<Size>(columns) + 1, MCXT_ALLOC_HUGE));
  NullableDatum* next = rows->values;
  Size bytes = 0;
  TupleTableSlot* const row = MakeSingleTupleTableSlot(rows->shape, &TTSOpsMinimalTuple);
  while (tuplestore_gettupleslot(rows->store, true, false, row)) {
    CHECK_FOR_INTERRUPTS();
    slot_getallattrs(row);
    const Size before = bytes;
    for (int i = 0; i < columns; ++i, ++next) {
      const FormData_pg_attribute& column = *TupleDescAttr(rows->shape, i);
      *next = {row->tts_values[i], row->tts_isnull[i]};
      if (next->isnull || column.attbyval) continue;
      if (!is_within_modifier(next->value, column.atttypid, column.atttypmod)) refuse_value(name, column);
      bytes += datumGetSize(next->value, false, column.attlen);
      if (bytes > kMostPublicBytes) refuse_too_large(name);
      next->value = datumCopy(next->value, false, column.attlen);
    }
    rows->longest = std::max(rows->longest, bytes - before);
  }
  ExecDropSingleTupleTableSlot(row);
}

// ---- one row at most ------------------------------------------------------------------------------------------------

struct Keys {
  const PublicRows* rows;
  const PublicSubquery* of;
  FmgrInfo* compare;  // of each column

  bool any_null(int row) const {
    ListCell* cell;
    foreach (cell, of->columns) {
      if (rows->at(row, lfirst_int(cell)).isnull) return true;
    }
    return false;
  }

  int order(int one, int other) const {
    ListCell *column, *collation;
    forboth(column, of->columns, collation, of->collations) {
      const int result = DatumGetInt32(FunctionCall2Coll(&compare[foreach_current_index(column)], lfirst_oid(collation),
                                                         rows->at(one, lfirst_int(column)).value,
                                                         rows->at(other, lfirst_int(column)).value));
      if (result != 0) return result;
    }
    return 0;
  }
};

char* text_of(const PublicRows& rows, const PublicSubquery& subquery, int row) {
  StringInfoData text;
  initStringInfo(&text);
  ListCell* cell;
  foreach (cell, subquery.columns) {
    const FormData_pg_attribute& column = *TupleDescAttr(rows.shape, lfirst_int(cell) - 1);
    Oid output;
    bool is_varlena;
    getTypeOutputInfo(column.atttypid, &output, &is_varlena);
    appendStringInfo(&text, "%s%s = %s", text.len == 0 ? "" : ", ", NameStr(column.attname),
                     OidOutputFunctionCall(output, rows.at(row, lfirst_int(cell)).value));
  }
  return text.data;
}

[[noreturn]] void refuse_several(const PublicRows& rows, const PublicSubquery& subquery, int row) {
  if (subquery.columns == NIL) {
    ereport(
        ERROR,
        (errcode(pg::kNotAdmissible),
         errmsg("%s in FROM has %d rows, and no equality of its columns joins it to the other tables", subquery.name,
                rows.count),
         errdetail("A protected row could be counted more than once."),
         errhint("Compare columns that tell its rows apart, each as a bare column: ... ON %s.id = t.id. What is "
                 "computed is made a column first: JOIN (SELECT x::date AS id FROM ...) AS %s.\nOr, of a table with "
                 "a privacy unit, say how many rows of a person are to count: SET dp.max_rows_per_unit = %d.",
                 subquery.name, subquery.name, rows.count)));
  }
  ereport(ERROR, (errcode(pg::kNotAdmissible),
                  errmsg("%s in FROM has several rows with %s", subquery.name, text_of(rows, subquery, row)),
                  errdetail("A protected row could be counted more than once."),
                  errhint("Let it have one row for all that it is joined by: GROUP BY these columns, or "
                          "SELECT DISTINCT ON them.")));
  pg_unreachable();
}

// NULL is joined to nothing.
void require_one_row(const PublicRows& rows, const PublicSubquery& subquery) {
  if (subquery.columns == NIL && rows.count > 1) refuse_several(rows, subquery, 0);
  Keys keys{&rows, &subquery, nullptr};
  keys.compare =
      static_cast<FmgrInfo*>(palloc(sizeof(FmgrInfo) * static_cast<Size>(list_length(subquery.columns) + 1)));
  ListCell* cell;
  foreach (cell, subquery.columns) {
    const Oid type = TupleDescAttr(rows.shape, lfirst_int(cell) - 1)->atttypid;
    TypeCacheEntry* const entry = lookup_type_cache(type, TYPECACHE_CMP_PROC_FINFO);
    fmgr_info_copy(&keys.compare[foreach_current_index(cell)], &entry->cmp_proc_finfo, CurrentMemoryContext);
  }
  auto* const places = static_cast<int*>(palloc(sizeof(int) * static_cast<Size>(rows.count + 1)));
  int known = 0;
  for (int row = 0; row < rows.count; ++row) {
    if (!keys.any_null(row)) places[known++] = row;
  }
  std::sort(places, places + known, [&](int one, int other) { return keys.order(one, other) < 0; });
  for (int i = 1; i < known; ++i) {
    if (keys.order(places[i - 1], places[i]) == 0) refuse_several(rows, subquery, places[i]);
  }
}

// Those without NULL among the columns by which they are joined.
void keep_joined(PublicRows* rows, const PublicSubquery& subquery) {
  const Keys keys{rows, &subquery, nullptr};
  const auto columns = static_cast<std::size_t>(rows->shape->natts);
  int kept = 0;
  for (int row = 0; row < rows->count; ++row) {
    if (keys.any_null(row)) continue;
    std::copy_n(rows->values + row * columns, columns, rows->values + kept++ * columns);
  }
  rows->count = kept;
}

// ---- what they are --------------------------------------------------------------------------------------------------

constexpr int kDigest = 32;

struct Digest {
  char bytes[kDigest];
};

Digest digest_of(const char* data, int size) {
  bytea* const bytes = static_cast<bytea*>(palloc(static_cast<Size>(size) + VARHDRSZ));
  SET_VARSIZE(bytes, size + VARHDRSZ);
  memcpy(VARDATA(bytes), data, static_cast<std::size_t>(size));
  auto* const result = DatumGetByteaPP(DirectFunctionCall1(sha256_bytea, PointerGetDatum(bytes)));
  Digest digest;
  memcpy(digest.bytes, VARDATA_ANY(result), kDigest);
  pfree(bytes);
  return digest;
}

// The same for the same rows in any order.
bytea* digest_of(const PublicRows& rows) {
  auto* const each = static_cast<Digest*>(palloc(sizeof(Digest) * static_cast<Size>(rows.count + 1)));
  // Compressed values are longer than what is kept of them.
  MemoryContext const memory = AllocSetContextCreate(CurrentMemoryContext, "DpPublicRow", ALLOCSET_DEFAULT_SIZES);
  MemoryContext const outer = MemoryContextSwitchTo(memory);
  for (int row = 0; row < rows.count; ++row) {
    CHECK_FOR_INTERRUPTS();
    MemoryContextReset(memory);
    StringInfoData bytes;
    initStringInfo(&bytes);
    for (int column = 1; column <= rows.shape->natts; ++column) {
      const FormData_pg_attribute& attribute = *TupleDescAttr(rows.shape, column - 1);
      const NullableDatum& value = rows.at(row, column);
      appendStringInfoChar(&bytes, static_cast<char>(value.isnull));
      if (!value.isnull) append_value(&bytes, value.value, attribute.attlen, attribute.attbyval);
    }
    each[row] = digest_of(bytes.data, bytes.len);
  }
  MemoryContextSwitchTo(outer);
  MemoryContextDelete(memory);
  std::sort(each, each + rows.count,
            [](const Digest& one, const Digest& other) { return memcmp(one.bytes, other.bytes, kDigest) < 0; });
  const Digest all = digest_of(reinterpret_cast<const char*>(each), rows.count * kDigest);
  pfree(each);
  auto* const result = static_cast<bytea*>(palloc(kDigest + VARHDRSZ));
  SET_VARSIZE(result, kDigest + VARHDRSZ);
  memcpy(VARDATA(result), all.bytes, kDigest);
  return result;
}

// Through the executor's hooks, as any statement that the asker sends: what it may do is decided there.
PublicRows run_one(const InnerQuery& inner_query, const PublicSubquery& subquery, const EState* outer, bool runs) {
  PublicRows rows{nullptr, 0, nullptr, tuplestore_begin_heap(true, false, work_mem), 0};
  DestReceiver* const into = CreateDestReceiver(DestTuplestore);
  SetTuplestoreDestReceiverParams(into, rows.store, CurrentMemoryContext, true, nullptr, nullptr);
  PlannedStmt* const plan = with_permissions(castNode(PlannedStmt, subquery.query), inner_query, outer->es_plannedstmt);
  QueryDesc* const query = CreateQueryDesc(plan, outer->es_sourceText, outer->es_snapshot, InvalidSnapshot, into,
                                           outer->es_param_list_info, nullptr, 0);
  PushActiveSnapshot(outer->es_snapshot);
  ExecutorStart(query, runs ? 0 : EXEC_FLAG_EXPLAIN_ONLY);
  rows.shape = CreateTupleDescCopy(query->tupDesc);
  if (runs) {
    pg::run_rows(query, kMostPublicRows + 1);
    ExecutorFinish(query);
  }
  PopActiveSnapshot();
  ExecutorEnd(query);
  FreeQueryDesc(query);
  into->rDestroy(into);
  if (tuplestore_tuple_count(rows.store) > kMostPublicRows) refuse_too_many(subquery.name);
  read_back(&rows, subquery.name);
  return rows;
}

}  // namespace

PublicRows* run_public_subqueries(const InnerQuery& inner_query, const EState* outer, bool runs) {
  const int count = list_length(inner_query.subqueries);
  auto* const all = static_cast<PublicRows*>(palloc0(sizeof(PublicRows) * static_cast<Size>(count)));
  Size longest = 0;
  ListCell* cell;
  foreach (cell, inner_query.subqueries) {
    const PublicSubquery subquery = PublicSubquery::of(static_cast<List*>(lfirst(cell)));
    PublicRows& rows = all[foreach_current_index(cell)];
    rows = run_one(inner_query, subquery, outer, runs);
    longest += rows.longest;
    if (longest > static_cast<Size>(kMostRowBytes)) refuse_long_rows(longest);
    if (!subquery.several) require_one_row(rows, subquery);
    if (!subquery.preserved) keep_joined(&rows, subquery);
  }
  return all;
}

void tell_rows_to(ParamListInfo values, const InnerQuery& inner_query, const PublicRows* rows) {
  ListCell* cell;
  foreach (cell, inner_query.subqueries) {
    const int value = PublicSubquery::of(static_cast<List*>(lfirst(cell))).value;
    bytea* const digest = digest_of(rows[foreach_current_index(cell)]);
    values->params[value - 1] = {PointerGetDatum(digest), false, PARAM_FLAG_CONST, BYTEAOID};
  }
}

void end_public_rows(const PublicRows* rows, const InnerQuery& inner_query) {
  for (int i = 0; i < list_length(inner_query.subqueries); ++i) tuplestore_end(rows[i].store);
}

}  // namespace dp::guard
