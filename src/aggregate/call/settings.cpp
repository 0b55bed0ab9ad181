#include "aggregate/call/settings.h"

#include "pg/server.h"

namespace dp::aggregate {
namespace {

double epsilon = 0;

}  // namespace

void define_settings() {
  DefineCustomRealVariable("dp.epsilon", "Epsilon of dp_count(*), from 1e-9 to 1e6.",
                           "Read once at the start of each execution. Zero means that it is not set.", &epsilon, 0, 0,
                           1e6, PGC_USERSET, 0, nullptr, nullptr, nullptr);
}

double epsilon_setting() { return epsilon; }

}  // namespace dp::aggregate
