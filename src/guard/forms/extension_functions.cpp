#include "guard/forms/extension_functions.h"

#include <algorithm>

namespace dp::guard {
namespace {

constexpr const char* kCitext = "citext";

// The order of the type: not among those that queries call.
constexpr OfCitext kOrder = {ClanguageId, "citext_cmp", 2, CitextMeaning::folded};

bool is_in_library(HeapTuple row) {
  bool null;
  const Datum library = SysCacheGetAttr(PROCOID, row, Anum_pg_proc_probin, &null);
  return !null && strcmp(TextDatumGetCString(library), psprintf("$libdir/%s", kCitext)) == 0;
}

bool has_symbol(HeapTuple row, const char* symbol) {
  bool null;
  const Datum source = SysCacheGetAttr(PROCOID, row, Anum_pg_proc_prosrc, &null);
  return !null && strcmp(TextDatumGetCString(source), symbol) == 0;
}

bool is_as_made(HeapTuple row, const OfCitext& known) {
  const auto& function = *reinterpret_cast<Form_pg_proc>(GETSTRUCT(row));
  if (function.prolang != known.language || function.pronargs != known.arguments || function.prosecdef ||
      function.prokind != PROKIND_FUNCTION || !heap_attisnull(row, Anum_pg_proc_proconfig, nullptr))
    return false;
  if (known.language == SQLlanguageId) return strcmp(NameStr(function.proname), known.symbol) == 0;
  return has_symbol(row, known.symbol) && (known.language != ClanguageId || is_in_library(row));
}

bool is_member(Oid catalog, Oid object, Oid owner) {
  const Oid extension = get_extension_oid(kCitext, true);
  return OidIsValid(extension) && superuser_arg(owner) && getExtensionOfObject(catalog, object) == extension;
}

bool is_known(HeapTuple row, const OfCitext& known) {
  const auto& function = *reinterpret_cast<Form_pg_proc>(GETSTRUCT(row));
  return is_as_made(row, known) && is_member(ProcedureRelationId, function.oid, function.proowner);
}

}  // namespace

const FunctionFacts* made_elsewhere(Oid function) {
  HeapTuple const row = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
  if (!HeapTupleIsValid(row)) return nullptr;
  const auto all = functions_of_citext();
  const auto found = std::ranges::find_if(all, [row](const FunctionFacts* one) { return is_known(row, one->citext); });
  ReleaseSysCache(row);
  return found == all.end() ? nullptr : *found;
}

bool is_operator_of_citext(Oid op) {
  HeapTuple const row = SearchSysCache1(OPEROID, ObjectIdGetDatum(op));
  if (!HeapTupleIsValid(row)) return false;
  const Oid owner = reinterpret_cast<Form_pg_operator>(GETSTRUCT(row))->oprowner;
  ReleaseSysCache(row);
  return is_member(OperatorRelationId, op, owner);
}

bool is_citext(Oid type) {
  const Oid order = lookup_type_cache(type, TYPECACHE_CMP_PROC)->cmp_proc;
  HeapTuple const row = order < FirstNormalObjectId ? nullptr : SearchSysCache1(PROCOID, ObjectIdGetDatum(order));
  if (!HeapTupleIsValid(row)) return false;
  const bool known = is_known(row, kOrder);
  ReleaseSysCache(row);
  return known;
}

}  // namespace dp::guard
