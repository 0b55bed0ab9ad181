#include "guard/forms/text_parts.h"

#include "pg/nodes.h"
#include "total_functions/regular_expressions.h"

namespace dp::guard {
namespace {

Node* called(Oid function, Oid type, List* arguments, Node* in_place_of) {
  const Oid collation = get_typcollation(TEXTOID);
  FuncExpr* const call = makeFuncExpr(function, type, arguments, type == TEXTOID ? collation : InvalidOid, collation,
                                      COERCE_EXPLICIT_CALL);
  call->location = exprLocation(in_place_of);
  return reinterpret_cast<Node*>(call);
}

// The pattern of a call with a constant one whose groups may be remembered; nullptr for others.
const char* pattern_of(const FuncExpr* call) {
  auto* const pattern = static_cast<Node*>(lsecond(call->args));
  if (!IsA(pattern, Const) || castNode(Const, pattern)->constisnull) return nullptr;
  const char* const written = TextDatumGetCString(castNode(Const, pattern)->constvalue);
  const int length = static_cast<int>(strlen(written));
  return total::is_plain_pattern(written, length, true) && total::has_plain_groups(written, length) ? written : nullptr;
}

Node* substring(const FuncExpr* call, const char* pattern) {
  void* const remembered = pg::text_constant(pattern);
  FuncExpr* const part = makeFuncExpr(F_SUBSTRING_TEXT_TEXT, TEXTOID, list_make2(linitial(call->args), remembered),
                                      get_typcollation(TEXTOID), call->inputcollid, COERCE_EXPLICIT_CALL);
  part->location = call->location;
  return reinterpret_cast<Node*>(part);
}

// (regexp_match(x, 'a(.)b(.)'))[2] as substring(x FROM 'a(?:.)b(.)').
Node* matched_part(const FuncExpr* call, int group) {
  const char* const pattern = pattern_of(call);
  if (pattern == nullptr) return nullptr;
  char changed[total::kLongestChanged + 1];
  if (total::write_with_group(pattern, group, changed)) return substring(call, changed);
  // Without any group the first part is all that was matched.
  return group == 1 ? substring(call, pattern) : nullptr;
}

// (string_to_array(x, '-'))[2].
Node* separated_part(const FuncExpr* call, int number) {
  auto* const separator = static_cast<Node*>(lsecond(call->args));
  if (!IsA(separator, Const) || castNode(Const, separator)->constisnull) return nullptr;
  return part_or_null(static_cast<Node*>(linitial(call->args)),
                      TextDatumGetCString(castNode(Const, separator)->constvalue), number, false);
}

// nullptr where it is none that is known.
Node* element(const SubscriptingRef* part) {
  if (!IsA(part->refexpr, FuncExpr) || part->reflowerindexpr != NIL || list_length(part->refupperindexpr) != 1)
    return nullptr;
  auto* const place = static_cast<Node*>(linitial(part->refupperindexpr));
  if (!IsA(place, Const) || castNode(Const, place)->constisnull) return nullptr;
  const int number = DatumGetInt32(castNode(Const, place)->constvalue);
  const auto* const call = castNode(FuncExpr, part->refexpr);
  if (number < 1) return nullptr;
  if (call->funcid == F_REGEXP_MATCH_TEXT_TEXT) return matched_part(call, number);
  return call->funcid == F_STRING_TO_ARRAY_TEXT_TEXT ? separated_part(call, number) : nullptr;
}

// What PostgreSQL 15 brought.
Node* newer_match(FuncExpr* call) {
  auto* const node = reinterpret_cast<Node*>(call);
  if (call->funcid == F_REGEXP_SUBSTR_TEXT_TEXT) {
    const char* const pattern = pattern_of(call);
    char changed[total::kLongestChanged + 1];
    return pattern != nullptr && total::write_with_group(pattern, 0, changed) ? substring(call, changed) : node;
  }
  bool ignores_case = false;
  if (call->funcid == F_REGEXP_LIKE_TEXT_TEXT_TEXT) {
    auto* const flags = static_cast<Node*>(lthird(call->args));
    if (!IsA(flags, Const) || castNode(Const, flags)->constisnull) return node;
    ignores_case = strcmp(TextDatumGetCString(castNode(Const, flags)->constvalue), "i") == 0;
    if (!ignores_case) return node;
  } else if (call->funcid != F_REGEXP_LIKE_TEXT_TEXT) {
    return node;
  }
  FuncExpr* const match = makeFuncExpr(ignores_case ? F_TEXTICREGEXEQ : F_TEXTREGEXEQ, BOOLOID,
                                       list_make2(linitial(call->args), lsecond(call->args)), InvalidOid,
                                       call->inputcollid, COERCE_EXPLICIT_CALL);
  match->location = call->location;
  return reinterpret_cast<Node*>(match);
}

}  // namespace

Node* part_or_null(Node* value, const char* separator, int number, bool empty_has_one) {
  constexpr int kMost = 50;
  constexpr int kLongest = 10;
  if (*separator == '\0' || strlen(separator) > kLongest || number < 1 || number > kMost) return nullptr;
  StringInfoData pattern;
  initStringInfo(&pattern);
  if (number == 1 && !empty_has_one) appendStringInfoChar(&pattern, '_');
  for (int i = 1; i < number; ++i) {
    appendStringInfoChar(&pattern, '%');
    for (const char* at = separator; *at != '\0'; ++at) {
      if (strchr("\\%_", *at) != nullptr) appendStringInfoChar(&pattern, '\\');
      appendStringInfoChar(&pattern, *at);
    }
  }
  appendStringInfoChar(&pattern, '%');
  Const* const place = pg::int4_constant(number);
  auto* const when = makeNode(CaseWhen);
  when->expr =
      reinterpret_cast<Expr*>(called(F_TEXTLIKE, BOOLOID, list_make2(value, pg::text_constant(pattern.data)), value));
  when->result = reinterpret_cast<Expr*>(
      called(F_SPLIT_PART, TEXTOID, list_make3(copyObjectImpl(value), pg::text_constant(separator), place), value));
  when->location = -1;
  auto* const choice = makeNode(CaseExpr);
  choice->casetype = TEXTOID;
  choice->casecollid = get_typcollation(TEXTOID);
  choice->args = list_make1(when);
  choice->defresult = reinterpret_cast<Expr*>(makeNullConst(TEXTOID, -1, get_typcollation(TEXTOID)));
  choice->location = exprLocation(value);
  return reinterpret_cast<Node*>(choice);
}

Node* matched_by_pattern(Node* node) {
  if (IsA(node, SubscriptingRef)) {
    Node* const part = element(castNode(SubscriptingRef, node));
    return part == nullptr ? node : part;
  }
  return IsA(node, FuncExpr) ? newer_match(castNode(FuncExpr, node)) : node;
}

}  // namespace dp::guard
