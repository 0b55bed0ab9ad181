#include "core/mechanism/gg/range_family.h"

#include <cmath>
#include <string>

#include "core/mechanism/error.h"
#include "core/mechanism/gg/power_keys.h"
#include "core/mechanism/gg/power_shape.h"

namespace dp::mechanism {
namespace {

noise::Power power(const Mechanism& m) { return required_power(m, 0); }
double lower(const Mechanism& m) { return required_number(m, 1); }
double upper(const Mechanism& m) { return required_number(m, 2); }

std::string shown(const Mechanism& m) { return decimal(lower(m)) + " to " + decimal(upper(m)); }

Description describe_shape(const Mechanism& m, PowerShape shape) {
  return {m, shape.loss, std::move(shape.within), std::move(shape.phi)};
}

}  // namespace

const Key kRangeKeys[3] = {{"p", Key::Type::number}, {"lower", Key::Type::number}, {"upper", Key::Type::number}};

void check_range(const Mechanism& m) {
  power(m);
  if (lower(m) < upper(m)) return;
  throw Error("lower " + decimal(lower(m)) + " must be below upper " + decimal(upper(m)),
              "They are the least and the greatest answer, for example " + std::string(m.family->example) + ".");
}

CalibratedRange calibrate_range(RangeLaw law, const Mechanism& m, Epsilon epsilon, const Changes& changes,
                                Lattice lattice) {
  if (changes.coordinates != 1) {
    throw Error("mechanism \"" + std::string(m.family->name) + "\" needs an answer that is a single number",
                "Use it for a count or a sum; here use laplace, or gg(p=2, delta=1e-6).");
  }
  const double low = std::ceil(std::ldexp(lower(m), -lattice.exponent));
  const double high = std::floor(std::ldexp(upper(m), -lattice.exponent));
  if (!(low < high)) {
    throw Error(
        "range " + shown(m) + " holds less than two possible answers",
        "Widen the range; the answers are whole multiples of " + decimal(std::ldexp(1.0, lattice.exponent)) + ".");
  }
  if (low < -0x1p110 || high > 0x1p110) {
    throw Error("range " + shown(m) + " is too wide for the data's bounds",
                "Give the range in which the answer really lies.");
  }
  const auto first = static_cast<noise::Int128>(low), last = static_cast<noise::Int128>(high);
  const auto width = static_cast<noise::Uint128>(last - first);
  return {certified_range_scale(law, power(m), width, changes.linf, epsilon), first, last};
}

Description describe_range(RangeLaw law, const Mechanism& m, Epsilon epsilon, double sensitivity, Lattice lattice) {
  if (lattice == Lattice::integer) {
    const auto changes = Changes::one(static_cast<noise::Uint128>(sensitivity));
    const CalibratedRange range = calibrate_range(law, m, epsilon, changes, lattice);
    const auto width = static_cast<double>(range.high - range.low);
    return describe_shape(m, integer_range_shape(law, power(m), range.noise.scale(), width));
  }
  const double width = upper(m) - lower(m);
  if (!std::isfinite(width)) {
    throw Error("range " + shown(m) + " is too wide", "Give the range in which the answer really lies.");
  }
  const double b = continuous_range_scale(law, power(m), width, sensitivity, epsilon);
  return describe_shape(m, continuous_range_shape(law, power(m), b, width));
}

}  // namespace dp::mechanism
