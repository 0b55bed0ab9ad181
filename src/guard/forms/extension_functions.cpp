#include "guard/forms/extension_functions.h"

#include <algorithm>
#include <iterator>

namespace dp::guard {
namespace {

constexpr const char* kCitext = "citext";

constexpr KnownFunction kKnown[] = {
    // The library compares both sides in small letters, those of the database's collation, byte by byte where it is
    // about equality and by the operator's collation where it is about order.
    {kCitext, ClanguageId, "citext_eq", 2, F_TEXTEQ, ExtensionMeaning::folded},
    {kCitext, ClanguageId, "citext_ne", 2, F_TEXTNE, ExtensionMeaning::folded},
    {kCitext, ClanguageId, "citext_lt", 2, F_TEXT_LT, ExtensionMeaning::folded},
    {kCitext, ClanguageId, "citext_le", 2, F_TEXT_LE, ExtensionMeaning::folded},
    {kCitext, ClanguageId, "citext_gt", 2, F_TEXT_GT, ExtensionMeaning::folded},
    {kCitext, ClanguageId, "citext_ge", 2, F_TEXT_GE, ExtensionMeaning::folded},
    {kCitext, ClanguageId, "citext_pattern_lt", 2, F_TEXT_PATTERN_LT, ExtensionMeaning::folded},
    {kCitext, ClanguageId, "citext_pattern_le", 2, F_TEXT_PATTERN_LE, ExtensionMeaning::folded},
    {kCitext, ClanguageId, "citext_pattern_gt", 2, F_TEXT_PATTERN_GT, ExtensionMeaning::folded},
    {kCitext, ClanguageId, "citext_pattern_ge", 2, F_TEXT_PATTERN_GE, ExtensionMeaning::folded},
    {kCitext, INTERNALlanguageId, "texticlike", 2, F_TEXTICLIKE, ExtensionMeaning::same},
    {kCitext, INTERNALlanguageId, "texticnlike", 2, F_TEXTICNLIKE, ExtensionMeaning::same},
    {kCitext, INTERNALlanguageId, "texticregexeq", 2, F_TEXTICREGEXEQ, ExtensionMeaning::same},
    {kCitext, INTERNALlanguageId, "texticregexne", 2, F_TEXTICREGEXNE, ExtensionMeaning::same},
    {kCitext, INTERNALlanguageId, "rtrim1", 1, F_TEXT_BPCHAR, ExtensionMeaning::same},
    {kCitext, INTERNALlanguageId, "booltext", 1, F_TEXT_BOOL, ExtensionMeaning::same},
    {kCitext, INTERNALlanguageId, "network_show", 1, F_TEXT_INET, ExtensionMeaning::same},
    {kCitext, SQLlanguageId, "strpos", 2, F_STRPOS, ExtensionMeaning::folded},
    {kCitext, SQLlanguageId, "regexp_replace", 3, F_REGEXP_REPLACE_TEXT_TEXT_TEXT_TEXT, ExtensionMeaning::ignoring},
    {kCitext, SQLlanguageId, "translate", 3, F_TRANSLATE, ExtensionMeaning::translation},
    {kCitext, SQLlanguageId, "split_part", 3, F_SPLIT_PART, ExtensionMeaning::part},
};

// The order of the type: not among those that queries call.
constexpr KnownFunction kOrder = {kCitext, ClanguageId, "citext_cmp", 2, InvalidOid, ExtensionMeaning::folded};

bool is_in_library(HeapTuple row, const char* extension) {
  bool null;
  const Datum library = SysCacheGetAttr(PROCOID, row, Anum_pg_proc_probin, &null);
  return !null && strcmp(TextDatumGetCString(library), psprintf("$libdir/%s", extension)) == 0;
}

bool has_symbol(HeapTuple row, const char* symbol) {
  bool null;
  const Datum source = SysCacheGetAttr(PROCOID, row, Anum_pg_proc_prosrc, &null);
  return !null && strcmp(TextDatumGetCString(source), symbol) == 0;
}

bool is_as_made(HeapTuple row, const KnownFunction& known) {
  const auto& function = *reinterpret_cast<Form_pg_proc>(GETSTRUCT(row));
  if (function.prolang != known.language || function.pronargs != known.arguments || function.prosecdef ||
      function.prokind != PROKIND_FUNCTION || !heap_attisnull(row, Anum_pg_proc_proconfig, nullptr))
    return false;
  if (known.language == SQLlanguageId) return strcmp(NameStr(function.proname), known.symbol) == 0;
  return has_symbol(row, known.symbol) && (known.language != ClanguageId || is_in_library(row, known.extension));
}

bool is_member(Oid catalog, Oid object, Oid owner, const char* name) {
  const Oid extension = get_extension_oid(name, true);
  return OidIsValid(extension) && superuser_arg(owner) && getExtensionOfObject(catalog, object) == extension;
}

bool is_known(HeapTuple row, const KnownFunction& known) {
  const auto& function = *reinterpret_cast<Form_pg_proc>(GETSTRUCT(row));
  return is_as_made(row, known) && is_member(ProcedureRelationId, function.oid, function.proowner, known.extension);
}

}  // namespace

const KnownFunction* known_function(Oid function) {
  if (function < FirstNormalObjectId) return nullptr;
  HeapTuple const row = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
  if (!HeapTupleIsValid(row)) return nullptr;
  const auto* const found =
      std::ranges::find_if(kKnown, [row](const KnownFunction& one) { return is_known(row, one); });
  ReleaseSysCache(row);
  return found == std::end(kKnown) ? nullptr : found;
}

bool is_operator_of(Oid op, const KnownFunction& function) {
  HeapTuple const row = SearchSysCache1(OPEROID, ObjectIdGetDatum(op));
  if (!HeapTupleIsValid(row)) return false;
  const Oid owner = reinterpret_cast<Form_pg_operator>(GETSTRUCT(row))->oprowner;
  ReleaseSysCache(row);
  return is_member(OperatorRelationId, op, owner, function.extension);
}

bool ignores_case(Oid type) {
  if (type < FirstNormalObjectId) return false;
  const Oid order = lookup_type_cache(type, TYPECACHE_CMP_PROC)->cmp_proc;
  HeapTuple const row = order < FirstNormalObjectId ? nullptr : SearchSysCache1(PROCOID, ObjectIdGetDatum(order));
  if (!HeapTupleIsValid(row)) return false;
  const bool known = is_known(row, kOrder);
  ReleaseSysCache(row);
  return known;
}

}  // namespace dp::guard
