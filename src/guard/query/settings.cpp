#include "guard/query/settings.h"

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "pg/acl.h"
#include "pg/planner.h"

namespace dp::guard {
namespace {

constexpr int kKeepReleases = 1'000'000;

constexpr config_enum_entry kPreviews[] = {
    {"refused", Settings::kRefused, false}, {"empty", Settings::kEmpty, false}, {nullptr, 0, false}};

int reuse_seconds = -1;

constexpr config_enum_entry kExhausted[] = {
    {"error", Settings::kError, false}, {"last", Settings::kLast, false}, {nullptr, 0, false}};

constexpr config_enum_entry kConsistent[] = {{"off", static_cast<int>(Consistent::no), false},
                                             {"on", static_cast<int>(Consistent::yes), false},
                                             {"nonnegative", static_cast<int>(Consistent::nonnegative), false},
                                             {nullptr, 0, false}};

constexpr char kNowRounding[] = "dp.now_rounding";
char* now_rounding_text = nullptr;
int now_rounding_seconds = 0;

// Plans hold what it was when they were made.
void plan_again(int, void*) { ResetPlanCache(); }
void plan_again_on(bool, void*) { ResetPlanCache(); }

// Kept releases take the server's disk for good, so only superusers may allow more of them. What a superuser set for a
// server, a database or a role is not questioned.
bool may_keep(int* wanted, void**, GucSource source) {
  if (*wanted <= kKeepReleases || source < PGC_S_CLIENT || InitializingParallelWorker || superuser()) return true;
  GUC_check_errcode(ERRCODE_INSUFFICIENT_PRIVILEGE);
  GUC_check_errmsg("dp.keep_releases above %d, as %d is, can be set by a superuser only", kKeepReleases, *wanted);
  GUC_check_errhint("Write SET dp.keep_releases = %d; or ask a superuser: ALTER ROLE ... SET dp.keep_releases = %d;",
                    kKeepReleases, *wanted);
  return false;
}

// In seconds: '1 day', '15min', 3600; -1 for what is no whole part of a day.
int part_of_day(const char* text) {
  constexpr struct {
    const char* unit;
    long seconds;
  } kUnits[] = {{"", 1},        {"s", 1},    {"sec", 1},     {"second", 1}, {"min", 60},
                {"minute", 60}, {"h", 3600}, {"hour", 3600}, {"d", 86400},  {"day", 86400}};
  char* end = nullptr;
  errno = 0;
  const long count = strtol(text, &end, 10);
  if (end == text || errno != 0 || count < 0 || count > SECS_PER_DAY) return -1;
  std::string_view unit(end);
  unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
  if (unit.size() > 3 && unit.ends_with('s')) unit.remove_suffix(1);
  for (const auto& known : kUnits) {
    if (unit != known.unit) continue;
    const long seconds = count * known.seconds;
    return seconds == 0 || (seconds <= SECS_PER_DAY && SECS_PER_DAY % seconds == 0) ? static_cast<int>(seconds) : -1;
  }
  return -1;
}

void round_from_now_on(const char* text, void*) {
  now_rounding_seconds = part_of_day(text);
  ResetPlanCache();
}

// A view may show rows by their age: whoever asks of it must not say what now is. Nor do others than a superuser set it
// for a role, unless a superuser lets them.
bool may_round(char** wanted, void**, GucSource source) {
  const int seconds = part_of_day(*wanted);
  if (seconds < 0) {
    GUC_check_errdetail("It is a whole part of a day, or 0, which rounds nothing.");
    GUC_check_errhint("Write '1 day', '1 hour' or '15 min'.");
    return false;
  }
  if (seconds == 0 || source < PGC_S_CLIENT || InitializingParallelWorker || superuser() ||
      pg_parameter_aclcheck(kNowRounding, GetUserId(), ACL_SET) == ACLCHECK_OK)
    return true;
  GUC_check_errcode(ERRCODE_INSUFFICIENT_PRIVILEGE);
  GUC_check_errmsg("%s can be set by a superuser only: it changes what now() is in a question", kNowRounding);
  GUC_check_errhint("Ask a superuser: ALTER ROLE ... SET %s = '1 day'; or GRANT SET ON PARAMETER %s TO ...;",
                    kNowRounding, kNowRounding);
  return false;
}

}  // namespace

std::optional<std::int64_t> reuse_setting() {
  if (reuse_seconds < 0) return std::nullopt;
  return reuse_seconds * USECS_PER_SEC;
}

std::int64_t now_rounding() { return std::int64_t{now_rounding_seconds} * USECS_PER_SEC; }

void define_settings() {
  DefineCustomEnumVariable("dp.preview", "What a query shows of the rows of a protected table that it may not read.",
                           "With 'empty' it shows none, and a warning; otherwise it is refused.", &settings.preview,
                           Settings::kRefused, kPreviews, PGC_USERSET, 0, nullptr, plan_again, nullptr);
  DefineCustomIntVariable("dp.reuse", "How old an answer may be that is shown again to the same question, for nothing.",
                          "At most what the tables' curators say; -1 is what they say, and zero has all asked anew.",
                          &reuse_seconds, -1, -1, INT_MAX, PGC_USERSET, GUC_UNIT_S, nullptr, nullptr, nullptr);
  DefineCustomEnumVariable("dp.on_exhausted", "What a question gets that does not fit the budget any more.",
                           "With 'last' the last answer to it that is stored, and a warning; otherwise an error.",
                           &settings.on_exhausted, Settings::kError, kExhausted, PGC_USERSET, 0, nullptr, nullptr,
                           nullptr);
  DefineCustomStringVariable(
      kNowRounding, "To what now() is rounded down in private questions, so that they stay the same.",
      "A part of a day in the session's time zone, such as '1 day' or '15 min'; 0 rounds nothing.", &now_rounding_text,
      "0", PGC_USERSET, 0, may_round, round_from_now_on, nullptr);
  DefineCustomBoolVariable("dp.round", "Whether a statement shows its private numbers rounded to their error.",
                           "Groups whose counts are within their error are not shown. It costs nothing.",
                           &settings.rounds, false, PGC_USERSET, 0, nullptr, plan_again_on, nullptr);
  DefineCustomEnumVariable(
      "dp.consistent", "Whether counts and sums of ROLLUP, CUBE and GROUPING SETS are made to add up over the levels.",
      "'nonnegative' makes none of them negative, too. Each level gains from what the others say. It costs nothing.",
      &settings.consistent, static_cast<int>(Consistent::no), kConsistent, PGC_USERSET, 0, nullptr, plan_again,
      nullptr);
  DefineCustomIntVariable(
      "dp.keep_releases", "How many noisy numbers of one statement are stored, so that relax_release can refine them.",
      "Zero means that nothing is stored. A statement with more numbers leaves no release.", &settings.keep_releases,
      kKeepReleases, 0, 30'000'000, PGC_USERSET, 0, may_keep, nullptr, nullptr);
}

}  // namespace dp::guard
