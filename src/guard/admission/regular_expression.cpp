#include "guard/admission/regular_expression.h"

#include "pg/errors.h"
#include "pg/functions_by_name.h"
#include "total_functions/regular_expressions.h"

namespace dp::guard {

Verdict judge_regular_expression(Node* pattern, bool groups, const Matching& matching) {
  while (IsA(pattern, RelabelType)) pattern = reinterpret_cast<Node*>(castNode(RelabelType, pattern)->arg);
  if (!IsA(pattern, Const)) {
    return {"its pattern is not a constant", "Write the pattern as a literal: x ~ '^a[0-9]+'."};
  }
  const auto* const constant = castNode(Const, pattern);
  if (constant->constisnull) return {nullptr, nullptr};
  if (constant->consttype != TEXTOID) return {"its pattern is of another type", "Cast the pattern to text."};
  const text* const written = DatumGetTextPP(constant->constvalue);
  const char* const pattern_text = VARDATA_ANY(written);
  const int length = static_cast<int>(VARSIZE_ANY_EXHDR(written));
  if (!total::is_plain_pattern(pattern_text, length, true)) {
    return {"its pattern can take very long: it has a back reference, looks ahead, or has a large bound",
            "Write a pattern of at most 200 bytes without \\1, (?= and bounds of groups, or use LIKE."};
  }
  if (!groups && !total::is_plain_pattern(pattern_text, length, false) &&
      !total::has_plain_groups(pattern_text, length)) {
    return {"its pattern can take very long: it remembers a group that is repeated",
            "Write (?: in place of (, or repeat what is in the group: ([0-9]+) in place of ([0-9])+."};
  }
  // What a class of letters has in it, and so what a pattern compiles to, is a matter of collation and case.
  DirectFunctionCall2Coll(matching.ignores_case ? texticregexeq : textregexeq,
                          OidIsValid(matching.collation) ? matching.collation : get_typcollation(TEXTOID),
                          CStringGetTextDatum(""), constant->constvalue);
  return {nullptr, nullptr};
}

Oid pattern_check() {
  const Oid schema = get_namespace_oid("dp_internal", false);
  return pg::function_named("is_plain_pattern", [schema](const FormData_pg_proc& function, std::span<const Oid> types) {
    return function.pronamespace == schema && types.size() == 1 && types[0] == TEXTOID;
  });
}

}  // namespace dp::guard

DP_SQL_FUNCTION(dp_is_plain_pattern) {
  Const* const pattern = makeConst(TEXTOID, -1, PG_GET_COLLATION(), -1, PG_GETARG_DATUM(0), false, false);
  const dp::guard::Verdict verdict =
      dp::guard::judge_regular_expression(reinterpret_cast<Node*>(pattern), false, {PG_GET_COLLATION(), false});
  if (verdict.obstacle == nullptr) PG_RETURN_BOOL(true);
  ereport(ERROR,
          (errcode(dp::pg::kNotAdmissible), errmsg("a regular expression over protected rows: %s", verdict.obstacle),
           errhint("%s", verdict.hint)));
  PG_RETURN_NULL();
}
