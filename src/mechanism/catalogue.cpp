#include "mechanism/catalogue.h"

namespace dp::mechanism {

std::span<const Family* const> catalogue() {
  static constexpr const Family* kFamilies[] = {&kAuto, &kGeometric, &kLaplace, &kStaircase, &kGaussian};
  return kFamilies;
}

}  // namespace dp::mechanism
