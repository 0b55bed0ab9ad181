#include "guard/admission/evidence.h"

#include <algorithm>
#include <cstdint>

#include "budget/catalog/extension_catalog.h"
#include "guard/admission/measured_servers.h"
#include "guard/functions/function_facts.h"
#include "pg/catalog.h"
#include "pg/errors.h"

namespace dp::guard {
namespace {

// What dp.measured_server has of a measurement, and in the order of its columns.
MeasuredServer row_of(HeapTuple row, TupleDesc columns) {
  bool null;
  const Datum version = heap_getattr(row, 1, columns, &null), digest = heap_getattr(row, 2, columns, &null);
  return {DatumGetInt32(version), static_cast<std::uint64_t>(DatumGetInt64(digest))};
}

bool is_same(const MeasuredServer& one, const MeasuredServer& other) {
  return one.version == other.version && one.digest == other.digest;
}

std::uint64_t with(std::uint64_t digest, const char* text) {
  return hash_bytes_extended(reinterpret_cast<const unsigned char*>(text), static_cast<int>(strlen(text)), digest);
}

// Everything in the catalog that decides which code a call runs, and when.
std::uint64_t with_function(std::uint64_t digest, Oid function) {
  HeapTuple const row = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
  if (!HeapTupleIsValid(row)) return with(digest, psprintf("no %u", function));
  const auto& is = *reinterpret_cast<Form_pg_proc>(GETSTRUCT(row));
  bool null;
  const Datum source = SysCacheGetAttr(PROCOID, row, Anum_pg_proc_prosrc, &null);
  const char* const described =
      psprintf("%u %s %s %u %u %c %d %d %u", function, NameStr(is.proname), null ? "" : TextDatumGetCString(source),
               is.prolang, is.pronamespace, is.provolatile, is.proisstrict, is.proretset, is.prorettype);
  digest = with(digest, described);
  for (int i = 0; i < is.proargtypes.dim1; ++i) digest = with(digest, psprintf("%u", is.proargtypes.values[i]));
  ReleaseSysCache(row);
  return digest;
}

MeasuredServer this_server() {
  MeasuredServer server{static_cast<int>(strtol(GetConfigOption("server_version_num", false, false), nullptr, 10)), 0};
  for (const FunctionFacts& facts : all_function_facts()) {
    if (facts.total != Total::unknown) server.digest = with_function(server.digest, facts.function);
  }
  return server;
}

bool is_known_here(const MeasuredServer& server) {
  bool known = false;
  Relation const table = table_open(budget::own_tables().measured_server, AccessShareLock);
  SysScanDesc const scan = systable_beginscan(table, InvalidOid, false, nullptr, 0, nullptr);
  for (HeapTuple row; HeapTupleIsValid(row = systable_getnext(scan));) {
    known = known || is_same(row_of(row, RelationGetDescr(table)), server);
  }
  systable_endscan(scan);
  table_close(table, AccessShareLock);
  return known;
}

bool is_measured(const MeasuredServer& server) {
  return std::ranges::any_of(kMeasuredServers, [&](const MeasuredServer& one) { return is_same(one, server); }) ||
         is_known_here(server);
}

[[noreturn]] void refuse_unmeasured() {
  ereport(ERROR,
          (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
           errmsg("private queries are refused on this server: the functions that they may call were not measured on "
                  "PostgreSQL %s",
                  GetConfigOption("server_version", false, false)),
           errdetail("A release may change which of them raise errors, and an error tells about single rows."),
           errhint("Ask a superuser: SELECT dp.measure_functions();")));
  pg_unreachable();
}

}  // namespace

void look_for_evidence() {
  has_evidence = is_measured(this_server());
  if (!has_evidence) refuse_unmeasured();
}

}  // namespace dp::guard

// dp_internal.server_evidence(OUT version integer, OUT digest bigint, OUT measured boolean)
DP_SQL_FUNCTION(dp_server_evidence) {
  return dp::pg::call([fcinfo] {
    const dp::guard::MeasuredServer server = dp::guard::this_server();
    TupleDesc columns;
    if (get_call_result_type(fcinfo, nullptr, &columns) != TYPEFUNC_COMPOSITE)
      elog(ERROR, "return type must be a row type");
    const Datum values[] = {Int32GetDatum(server.version), Int64GetDatum(static_cast<int64>(server.digest)),
                            BoolGetDatum(dp::guard::is_measured(server))};
    const bool nulls[] = {false, false, false};
    return HeapTupleGetDatum(
        heap_form_tuple(BlessTupleDesc(columns), const_cast<Datum*>(values), const_cast<bool*>(nulls)));
  });
}
