#include "guard/query/settings.h"

#include "pg/planner.h"

namespace dp::guard {
namespace {

constexpr int kKeepReleases = 1'000'000;

int keep_releases = kKeepReleases;

enum Preview : int { kRefused, kEmpty };
constexpr config_enum_entry kPreviews[] = {{"refused", kRefused, false}, {"empty", kEmpty, false}, {nullptr, 0, false}};

int preview = kRefused;

int reuse_seconds = -1;

enum Exhausted : int { kError, kLast };
constexpr config_enum_entry kExhausted[] = {{"error", kError, false}, {"last", kLast, false}, {nullptr, 0, false}};

int on_exhausted = kError;

// Plans hold what it was when they were made.
void plan_again(int, void*) { ResetPlanCache(); }

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

}  // namespace

std::int64_t kept_draws() { return keep_releases; }

bool previews_are_empty() { return preview == kEmpty; }

std::optional<std::int64_t> reuse_setting() {
  if (reuse_seconds < 0) return std::nullopt;
  return reuse_seconds * USECS_PER_SEC;
}

bool shows_last_answers() { return on_exhausted == kLast; }

void define_settings() {
  DefineCustomEnumVariable("dp.preview", "What a query shows of the rows of a protected table that it may not read.",
                           "With 'empty' it shows none, and a warning; otherwise it is refused.", &preview, kRefused,
                           kPreviews, PGC_USERSET, 0, nullptr, plan_again, nullptr);
  DefineCustomIntVariable("dp.reuse", "How old an answer may be that is shown again to the same question, for nothing.",
                          "At most what the tables' curators say; -1 is what they say, and zero has all asked anew.",
                          &reuse_seconds, -1, -1, INT_MAX, PGC_USERSET, GUC_UNIT_S, nullptr, nullptr, nullptr);
  DefineCustomEnumVariable("dp.on_exhausted", "What a question gets that does not fit the budget any more.",
                           "With 'last' the last answer to it that is stored, and a warning; otherwise an error.",
                           &on_exhausted, kError, kExhausted, PGC_USERSET, 0, nullptr, nullptr, nullptr);
  DefineCustomIntVariable("dp.keep_releases",
                          "How many noisy numbers of one statement are stored, so that relax_release can refine them.",
                          "Zero means that nothing is stored. A statement with more numbers leaves no release.",
                          &keep_releases, kKeepReleases, 0, 30'000'000, PGC_USERSET, 0, may_keep, nullptr, nullptr);
}

}  // namespace dp::guard
