#include "core/mechanism/catalogue.h"

namespace dp::mechanism {

std::span<const Family* const> catalogue() {
  static constexpr const Family* kFamilies[] = {
      &kAuto, &kGeometric,   &kLaplace, &kStaircase, &kRoundedGeometric, &kGaussian,
      &kGg,   &kTruncatedGg, &kBitGg,   &kR2dp,      &kExponential,      &kPermuteAndFlip};
  return kFamilies;
}

bool is_joint(const Family& family) {
  return &family == &kAuto || &family == &kGeometric || &family == &kLaplace || &family == &kGaussian;
}

}  // namespace dp::mechanism
