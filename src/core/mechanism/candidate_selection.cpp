// exponential and permute_and_flip: the choice of one candidate by its utility.
//
// They are in the catalogue so that they can be named wherever a mechanism is named. They add no noise: what asks them
// for a law of noise is told so.
#include "core/mechanism/candidate_selection.h"

#include <string>

#include "core/mechanism/catalogue.h"
#include "core/mechanism/error.h"
#include "core/mechanism/mechanism_text.h"

namespace dp::mechanism {
namespace {

[[noreturn]] void refuse_noise(const Mechanism& m) {
  throw Error(
      "mechanism " + format(m) + " selects among categories; it adds no noise",
      "Use it in dp_mode, dp_quantile or dp_median; elsewhere write geometric or laplace, or leave the mechanism out.");
}

Calibration no_calibration(const Mechanism& m, Epsilon, const Changes&, Lattice) { refuse_noise(m); }

Description no_description(const Mechanism& m, Epsilon, double, Lattice) { refuse_noise(m); }

}  // namespace

const Family kExponential{"exponential", "exponential", {}, accept_keys, no_calibration, no_description};
const Family kPermuteAndFlip{"permute_and_flip", "permute_and_flip", {}, accept_keys, no_calibration, no_description};

void require_choice(const Mechanism& m) {
  if (m.family == &kAuto || m.family == &kExponential || m.family == &kPermuteAndFlip) return;
  throw Error("mechanism " + format(m) + " adds noise; it does not select among categories",
              "Write exponential or permute_and_flip, or leave the mechanism out.");
}

Mechanism choice_of_divergences(const Mechanism& m) { return m.family == &kAuto ? Mechanism{&kExponential} : m; }

std::size_t choose(const Mechanism& m, std::span<const noise::Utility> utilities, const noise::Ratio& rate,
                   noise::BitSource& bits) {
  return m.family == &kExponential ? noise::exponential_mechanism(bits, utilities, rate)
                                   : noise::permute_and_flip(bits, utilities, rate);
}

}  // namespace dp::mechanism
