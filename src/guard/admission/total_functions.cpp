#include "guard/admission/total_functions.h"

#include "guard/admission/bounded_arithmetic.h"
#include "guard/admission/objects.h"
#include "guard/admission/refusal_hints.h"
#include "guard/admission/total_conditions.h"
#include "guard/functions/function_facts.h"
#include "total_functions/registry.h"

namespace dp::guard {
namespace {

constexpr Verdict kTotal{nullptr, nullptr};

// The verdict on a function that is on no list.
Verdict obstacle_of(Oid function) {
  const bool somebodys = function >= FirstNormalObjectId && !is_pinned_or_ours(ProcedureRelationId, function);
  const Oid extension = somebodys ? getExtensionOfObject(ProcedureRelationId, function) : InvalidOid;
  if (OidIsValid(extension)) {
    return {
        psprintf("it is of the extension %s, and only functions of PostgreSQL and of pg_dp are admitted",
                 get_extension_name(extension)),
        "Cast the value to a built-in type: x::text, or lower(x::text) of a citext. A curator can store what else is "
        "wanted: ALTER TABLE ... ADD COLUMN y ... GENERATED ALWAYS AS (...) STORED."};
  }
  if (function >= FirstGenbkiObjectId) {
    return {"only functions of PostgreSQL and of pg_dp are admitted",
            "A curator can store its result: ALTER TABLE ... ADD COLUMN y ... GENERATED ALWAYS AS (...) STORED."};
  }
  if (get_func_retset(function)) return {"it returns a set", "Use functions that return one value."};
  if (func_volatile(function) == PROVOLATILE_VOLATILE) {
    return {"it is volatile", "Use functions whose result depends on the row alone."};
  }
  if (is_ordering_support(function)) {
    return {"it is made for sorting, and its result can depend on where a value lies in memory",
            "Compare the values: x < y."};
  }
  return known_failure(function);
}

}  // namespace

bool is_always_total(Oid function) {
  const FunctionFacts* const facts = facts_of(function);
  return facts != nullptr && facts->total == Total::always;
}

bool is_total_order(Oid function, Oid type) {
  const FunctionFacts* const facts = facts_of(function);
  if (facts == nullptr || !facts->orders_parts) return is_ordering_support(function);
  const Oid base = getBaseType(type);
  const Oid part = type_is_range(base)        ? get_range_subtype(base)
                   : type_is_multirange(base) ? get_multirange_range(base)
                                              : get_element_type(base);
  return OidIsValid(part) && is_total_order(lookup_type_cache(part, TYPECACHE_CMP_PROC)->cmp_proc, part);
}

bool is_total_part(const SubscriptingRef* part) {
  if (part->refassgnexpr != nullptr) return false;
  const Oid handler = get_typsubscript(getBaseType(part->refcontainertype), nullptr);
  return handler == F_ARRAY_SUBSCRIPT_HANDLER || handler == F_JSONB_SUBSCRIPT_HANDLER;
}

Verdict judge_order(Oid type) {
  const Oid comparison = lookup_type_cache(type, TYPECACHE_CMP_PROC)->cmp_proc;
  if (!OidIsValid(comparison)) return {"there is none", ""};
  return is_total_order(comparison, type) ? kTotal : obstacle_of(comparison);
}

Verdict judge_call(Oid function, List* arguments, Oid collation) {
  if (is_always_total(function) || total::is_total(function)) return kTotal;
  if (cannot_overflow(function, arguments)) return kTotal;
  const FunctionFacts* const facts = facts_of(function);
  if (facts == nullptr || facts->total == Total::unknown) return obstacle_of(function);
  return judge_condition(facts->total, function, arguments, collation);
}

}  // namespace dp::guard
