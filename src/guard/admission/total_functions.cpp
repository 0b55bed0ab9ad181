#include "guard/admission/total_functions.h"

#include <algorithm>
#include <iterator>

#include "guard/admission/objects.h"
#include "guard/admission/total_conditions.h"
#include "guard/facts/proven_numbers.h"
#include "guard/functions/function_facts.h"
#include "total_functions/registry.h"

namespace dp::guard {
namespace {

constexpr Verdict kTotal{nullptr, nullptr};

// ---- what functions that are asked for often fail on ----------------------------------------------------------------

struct Hint {
  Failure failure;
  Verdict verdict;
};

constexpr Hint kHints[] = {
    {Failure::sum, {"it fails on overflow", "Use dp_add(x, y), which gives NULL there."}},
    {Failure::difference, {"it fails on overflow", "Use dp_sub(x, y), which gives NULL there."}},
    {Failure::product, {"it fails on overflow", "Use dp_mul(x, y), which gives NULL there."}},
    {Failure::quotient, {"it fails on division by zero and on overflow", "Use dp_div(x, y), which gives NULL there."}},
    {Failure::remainder, {"it fails on division by zero", "Use dp_mod(x, y), which gives NULL there."}},
    {Failure::smallest_integer,
     {"it fails on the smallest integer", "Use dp_sub(0, x), which gives NULL there; abs(x::numeric) cannot fail."}},
    {Failure::domain,
     {"it fails outside its domain and on overflow", "Compare its argument: x > 100 in place of ln(x) > ln(100)."}},
    {Failure::to_integer, {"it fails on numbers out of range", "Use dp_try_int(x), which gives NULL there."}},
    {Failure::narrower,
     {"it fails on numbers out of range", "Leave the number as it is: comparisons and dp_ functions take it."}},
    {Failure::precision, {"it fails on numbers with too many digits", "Use dp_round(x, 2), or dp_try_numeric(x)."}},
    {Failure::from_json,
     {"it fails on other kinds of values", "Use dp_try_numeric(x ->> 'key'), dp_try_int(...) or dp_try_float(...)."}},
    {Failure::moved_moment,
     {"it fails on infinite dates and on overflow", "Use dp_add(x, y) or dp_sub(x, y), which give NULL there."}},
    {Failure::moment_cast,
     {"it fails on moments out of range",
      "Use dp_try_timestamp(x), which gives NULL there; dates and timestamps compare without a cast."}},
    {Failure::time_zone,
     {"it fails on moments out of range",
      "Use date_trunc('day', x, 'Europe/Berlin'), which takes the zone; stored timestamps compare with zones without "
      "it."}},
    {Failure::part_of_date,
     {"it fails on dates beyond the range of timestamps", "Write extract(year FROM x), which reads the date itself."}},
    {Failure::truncated_moment,
     {"it can fail on moments out of range", "Use dp_trunc('hour', x), which gives NULL there."}},
    {Failure::bucket,
     {"it fails on NaN",
      "Use dp_bucket(x, 10) for multiples of 10, or width_bucket(x, ARRAY[0, 18, 65]) for steps of your own."}},
    {Failure::joined_text,
     {"its result can be longer than PostgreSQL allows", "Use dp_concat(x, y), which gives NULL there."}},
    {Failure::shown_moment,
     {"it can fail on its format", "Use extract(year FROM x), or dp_trunc('month', x); format the answer."}},
    {Failure::shown_number, {"it can fail on its format", "Leave the number as it is; format the answer."}},
    {Failure::read_moment,
     {"it fails on what is no date", "Use dp_try_date(x) or dp_try_timestamp(x), which give NULL there."}},
    {Failure::read_number, {"it fails on what is no number", "Use dp_try_numeric(x), which gives NULL there."}},
    {Failure::digest, {"it fails where the server's cryptography refuses MD5", "Compare the value itself."}},
    {Failure::regular_expression,
     {"some regular expressions take very long",
      "Use x ~ 'pattern', or substring(x FROM 'pattern') and regexp_replace(x, 'pattern', 'by') with a constant "
      "pattern in which no group is repeated that is remembered: (?:ab)* in place of (ab)*.\nOr use LIKE: x LIKE "
      "'%a%'."}},
};

// Why a function that is not known to be total is not, and what to write instead.
Verdict known_failure(Oid function) {
  const FunctionFacts* const facts = facts_of(function);
  const auto* const hint =
      std::ranges::find(kHints, facts == nullptr ? Failure::unknown : facts->failure, &Hint::failure);
  if (hint != std::end(kHints)) return hint->verdict;
  return {"it is not known to give a result for every row",
          "A curator can store its result: ALTER TABLE ... ADD COLUMN y ... GENERATED ALWAYS AS (...) STORED."};
}

// ---- verdicts -------------------------------------------------------------------------------------------------------

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
  const FunctionFacts* const facts = facts_of(function);
  if ((facts != nullptr && facts->total == Total::always) || total::is_total(function)) return kTotal;
  if (cannot_overflow(function, arguments)) return kTotal;
  if (facts == nullptr || facts->total == Total::unknown) return obstacle_of(function);
  return judge_condition(facts->total, function, arguments, collation);
}

}  // namespace dp::guard
