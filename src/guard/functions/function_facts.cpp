#include "guard/functions/function_facts.h"

#include <iterator>

#include "guard/functions/comparison_functions.h"
#include "guard/functions/container_functions.h"
#include "guard/functions/moment_functions.h"
#include "guard/functions/number_functions.h"
#include "guard/functions/sorting_functions.h"
#include "guard/functions/text_functions.h"
#include "pg/catalog.h"
#include "total_functions/registry.h"

namespace dp::guard {
namespace {

template <std::size_t size>
consteval std::array<FunctionFacts, size> sorted(std::array<FunctionFacts, size> rows) {
  std::ranges::sort(rows, {}, &FunctionFacts::function);
  return rows;
}

constexpr auto kFacts = sorted(together(kComparisonFunctions, kContainerFunctions, kMomentFunctions, kNumberFunctions,
                                        kSortingFunctions, kTextFunctions));
static_assert(std::ranges::adjacent_find(kFacts, {}, &FunctionFacts::function) == kFacts.end(),
              "a function has one row");

bool constexpr stands_for_citext(const FunctionFacts& facts) { return facts.citext.symbol != nullptr; }

constexpr auto kOfCitext = [] {
  std::array<const FunctionFacts*, std::ranges::count_if(kFacts, stands_for_citext)> found{};
  auto* next = found.begin();
  for (const FunctionFacts& facts : kFacts) {
    if (stands_for_citext(facts)) *next++ = &facts;
  }
  return found;
}();

// ---- our own functions ----------------------------------------------------------------------------------------------

// Those that stand for none of PostgreSQL's, or read a text.
struct OwnMeaning {
  const char* name;
  Meaning meaning;
  bool null_if_endless = false;
};
constexpr OwnMeaning kOwnMeanings[] = {{"capped", Meaning::capped},
                                       {"dp_bucket", Meaning::dp_bucket, true},
                                       {"dp_try_date", Meaning::cast},
                                       {"dp_try_numeric", Meaning::cast},
                                       {"try_timestamptz", Meaning::cast}};

// What was found of our functions. Emptied after any change of a function.
struct Own {
  Oid function;
  Meaning meaning;
  bool never_null, null_if_endless;
};
Own known[128];

// What the function of PostgreSQL means that one of ours stands for: of the same arguments, or else any of that form,
// of which then all must have a value.
Own standing_for_another(Oid own, const char* name) {
  Oid* types;
  int count;
  get_func_signature(own, &types, &count);
  Own found{own, Meaning::none, true, false};
  for (const FunctionFacts& facts : kFacts) {
    if (facts.form.name == nullptr || strcmp(facts.form.name, name) != 0) continue;
    Oid* like;
    int like_count;
    get_func_signature(facts.function, &like, &like_count);
    if (std::equal(types, types + count, like, like + like_count))
      return {own, facts.meaning, facts.form.never_null, facts.null_if_endless};
    if (found.meaning == Meaning::none) found.meaning = facts.meaning;
    found.never_null = found.never_null && facts.form.never_null;
  }
  found.never_null = found.never_null && found.meaning != Meaning::none;
  return found;
}

void invalidate_known(Datum, pg::CacheId, uint32) { std::ranges::fill(known, Own{}); }

Own looked_up(Oid function) {
  if (!total::is_total(function)) return {function, Meaning::none, false, false};
  const char* const name = get_func_name(function);
  const auto* const own =
      std::ranges::find_if(kOwnMeanings, [name](const OwnMeaning& one) { return strcmp(one.name, name) == 0; });
  if (own != std::end(kOwnMeanings)) return {function, own->meaning, false, own->null_if_endless};
  return standing_for_another(function, name);
}

const Own& own(Oid function) {
  static bool watching = false;
  if (!watching) {
    CacheRegisterSyscacheCallback(PROCOID, invalidate_known, Datum{0});
    watching = true;
  }
  Own& place = known[function % std::size(known)];
  if (place.function != function) place = looked_up(function);
  return place;
}

}  // namespace

const FunctionFacts* facts_of(Oid function) {
  if (function >= FirstGenbkiObjectId) return nullptr;
  const auto row = std::ranges::lower_bound(kFacts, function, {}, &FunctionFacts::function);
  return row == kFacts.end() || row->function != function ? nullptr : &*row;
}

WrittenOut written_out_as(Oid function) {
  const FunctionFacts* const facts = facts_of(function);
  return facts == nullptr ? WrittenOut{} : facts->written_out;
}

bool may_have_total_form(Oid function) {
  const FunctionFacts* const facts = facts_of(function);
  return facts != nullptr &&
         (facts->form.name != nullptr || OidIsValid(facts->as_wider) || facts->longer.lacking != Lacking::nothing);
}

std::span<const FunctionFacts> all_function_facts() { return kFacts; }

std::span<const FunctionFacts* const> functions_of_citext() { return kOfCitext; }

Meaning meaning_of(Oid function) {
  if (function >= FirstNormalObjectId) return own(function).meaning;
  const FunctionFacts* const facts = facts_of(function);
  return facts == nullptr ? Meaning::none : facts->meaning;
}

Growth growth_of(Oid function) {
  const FunctionFacts* const facts = facts_of(function);
  return facts == nullptr ? kOwn : facts->growth;
}

bool is_never_null(Oid function, bool finite) {
  if (function >= FirstNormalObjectId) return own(function).never_null || (finite && own(function).null_if_endless);
  const FunctionFacts* const facts = facts_of(function);
  return facts != nullptr && (facts->never_null || (finite && facts->null_if_endless));
}

}  // namespace dp::guard
