#include "guard/forms/text_parts.h"

#include "guard/functions/called_functions.h"
#include "guard/functions/calls.h"
#include "guard/functions/function_facts.h"
#include "pg/nodes.h"
#include "total_functions/regular_expressions.h"

namespace dp::guard {
namespace {

// The pattern of a call with a constant one whose groups may be remembered; nullptr for others.
const char* pattern_of(const FuncExpr* call) {
  auto* const pattern = static_cast<Node*>(lsecond(call->args));
  if (!IsA(pattern, Const) || castNode(Const, pattern)->constisnull) return nullptr;
  const char* const written = TextDatumGetCString(castNode(Const, pattern)->constvalue);
  const int length = static_cast<int>(strlen(written));
  return total::is_plain_pattern(written, length, true) && total::has_plain_groups(written, length) ? written : nullptr;
}

Node* with_pattern(const FuncExpr* call, const char* pattern, Oid substring) {
  FuncExpr* const part =
      called(substring, list_make2(linitial(call->args), pg::text_constant(pattern)), call->inputcollid);
  part->funccollid = get_typcollation(TEXTOID);
  part->location = call->location;
  return reinterpret_cast<Node*>(part);
}

// (regexp_match(x, 'a(.)b(.)'))[2] as substring(x FROM 'a(?:.)b(.)').
Node* matched_part(const FuncExpr* call, int group, Oid substring) {
  const char* const pattern = pattern_of(call);
  if (pattern == nullptr) return nullptr;
  char changed[total::kLongestChanged + 1];
  if (total::write_with_group(pattern, group, changed)) return with_pattern(call, changed, substring);
  // Without any group the first part is all that was matched.
  return group == 1 ? with_pattern(call, pattern, substring) : nullptr;
}

// (string_to_array(x, '-'))[2].
Node* separated_part(const FuncExpr* call, int number, Oid split_part) {
  auto* const separator = static_cast<Node*>(lsecond(call->args));
  if (!IsA(separator, Const) || castNode(Const, separator)->constisnull) return nullptr;
  return part_or_null(static_cast<Node*>(linitial(call->args)),
                      TextDatumGetCString(castNode(Const, separator)->constvalue), number, split_part, false);
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
  const WrittenOut out = written_out_as(call->funcid);
  if (out.how == Written::matched_parts) return matched_part(call, number, out.with);
  return out.how == Written::separated_parts ? separated_part(call, number, out.with) : nullptr;
}

}  // namespace

Node* part_or_null(Node* value, const char* separator, int number, Oid split_part, bool empty_has_one) {
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
  const Oid collation = get_typcollation(TEXTOID);
  FuncExpr* const has_part = called(kLike, list_make2(value, pg::text_constant(pattern.data)), collation);
  FuncExpr* const part =
      called(split_part, list_make3(copyObjectImpl(value), pg::text_constant(separator), place), collation);
  has_part->location = part->location = exprLocation(value);
  return pg::case_when(has_part, part, makeNullConst(TEXTOID, -1, collation), exprLocation(value));
}

Node* part_by_pattern(SubscriptingRef* part) {
  Node* const meant = element(part);
  return meant == nullptr ? reinterpret_cast<Node*>(part) : meant;
}

Node* matched_text(FuncExpr* call, Oid substring) {
  const char* const pattern = pattern_of(call);
  char changed[total::kLongestChanged + 1];
  return pattern != nullptr && total::write_with_group(pattern, 0, changed) ? with_pattern(call, changed, substring)
                                                                            : reinterpret_cast<Node*>(call);
}

Node* match(FuncExpr* call, Oid by) {
  if (list_length(call->args) > 2) {
    auto* const flags = static_cast<Node*>(lthird(call->args));
    if (!IsA(flags, Const) || castNode(Const, flags)->constisnull ||
        strcmp(TextDatumGetCString(castNode(Const, flags)->constvalue), "i") != 0)
      return reinterpret_cast<Node*>(call);
  }
  FuncExpr* const match = called(by, list_make2(linitial(call->args), lsecond(call->args)), call->inputcollid);
  match->location = call->location;
  return reinterpret_cast<Node*>(match);
}

}  // namespace dp::guard
