#include "guard/settings.h"

#include "pg/server.h"

namespace dp::guard {
namespace {

int keep_releases = 1'000'000;

}  // namespace

std::int64_t kept_draws() { return keep_releases; }

void define_settings() {
  DefineCustomIntVariable("dp.keep_releases",
                          "How many noisy numbers of one statement are stored, so that relax_release can refine them.",
                          "Zero means that nothing is stored. A statement with more numbers leaves no release.", &keep_releases,
                          1'000'000, 0, 30'000'000, PGC_USERSET, 0, nullptr, nullptr, nullptr);
}

}  // namespace dp::guard
