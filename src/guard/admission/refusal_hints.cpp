#include "guard/admission/refusal_hints.h"

#include <algorithm>
#include <iterator>

#include "guard/functions/function_facts.h"

namespace dp::guard {
namespace {

struct Known {
  Failure failure;
  Verdict verdict;
};

constexpr Known kFailures[] = {
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

}  // namespace

Verdict known_failure(Oid function) {
  const FunctionFacts* const facts = facts_of(function);
  const auto* const known =
      std::ranges::find(kFailures, facts == nullptr ? Failure::unknown : facts->failure, &Known::failure);
  if (known != std::end(kFailures)) return known->verdict;
  return {"it is not known to give a result for every row",
          "A curator can store its result: ALTER TABLE ... ADD COLUMN y ... GENERATED ALWAYS AS (...) STORED."};
}

}  // namespace dp::guard
