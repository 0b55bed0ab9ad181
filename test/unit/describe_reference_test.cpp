// The figures of dp_describe against reference values: closed form, quadrature and a second method, computed elsewhere
// (another program, in high precision; its numbers are copied here).
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/mechanism/mechanism_text.h"

namespace dp::mechanism {
namespace {

constexpr Lattice kInteger = Lattice::integer;
constexpr Lattice kFine = Lattice::fine;
constexpr double kAny = std::numeric_limits<double>::quiet_NaN();  // no reference

struct Row {
  const char* mechanism;
  double epsilon;
  double sensitivity;
  Lattice lattice;
  double scale;
  double expected_abs;
  double expected_sq;
  double entropy_bits;
};

constexpr Row kRows[] = {
    {"laplace", 0.1, 1, kFine, 10.0, 10.0, 200.0, 5.764623135776326},
    {"geometric", 0.1, 1, kInteger, 10.0, 9.983352757296103, 199.83341663360923, 5.7634229913769115},
    {"laplace", 0.1, 1, kInteger, 10.0, 9.995834548290834, kAny, kAny},
    {"staircase", 0.1, 1, kFine, kAny, 9.995834548290834, 199.9166979053029, 5.763421115275863},
    {"staircase(metric=l2)", 0.1, 1, kFine, kAny, 9.99583541528646, 199.91668056105902, 5.763421490633597},
    {"staircase", 0.1, 1, kInteger, 1.0, 9.983352757296103, 199.8334166336092, 5.7634229913769115},
    {"staircase(metric=l2)", 0.1, 1, kInteger, 1.0, 9.983352757296103, 199.8334166336092, 5.7634229913769115},
    {"staircase", 0.1, 4, kInteger, 2.0, 39.98273755276823, 3198.8030472462897, 7.763507039344183},
    {"staircase(metric=l2)", 0.1, 4, kInteger, 2.0, 39.98273755276823, 3198.8030472462897, 7.763507039344183},
    {"staircase", 0.1, 10, kInteger, 5.0, 99.9577964176956, 19991.75881816108, 9.085357151847385},
    {"staircase(metric=l2)", 0.1, 10, kInteger, 5.0, 99.9577964176956, 19991.75881816108, 9.085357151847385},
    {"gaussian(delta=1e-5)", 0.1, 1, kFine, 30.74956613197755, 24.53460406809157, 945.5358173048608, 6.989589734628489},
    {"gaussian(delta=1e-5)", 0.1, 1, kInteger, 30.74747171611817, 24.53077038505011, 945.4070169334871,
     6.9894914663710015},
    {"gaussian(delta=1e-6)", 0.1, 1, kFine, 36.30469042619627, 28.966951975789602, 1318.0305469419468,
     7.22917963097411},
    {"gaussian(delta=1e-6)", 0.1, 1, kInteger, 36.305289149876025, 28.96559819462975, 1318.0740202561062,
     7.22920342317702},
    {"laplace", 1.0, 1, kFine, 1.0, 1.0, 2.0, 2.442695040888964},
    {"geometric", 1.0, 1, kInteger, 1.0, 0.8509181282393219, 1.8413471884155856, 2.3412848045254044},
    {"laplace", 1.0, 1, kInteger, 1.0, 0.9595173756674719, kAny, kAny},
    {"staircase", 1.0, 1, kFine, kAny, 0.9595173756674723, 1.9196817591494506, 2.3246717967067405},
    {"staircase(metric=l2)", 1.0, 1, kFine, kAny, 0.960286557978211, 1.9181035312355257, 2.3281050754447037},
    {"staircase", 1.0, 1, kInteger, 1.0, 0.8509181282393219, 1.8413471884155856, 2.3412848045254044},
    {"staircase(metric=l2)", 1.0, 1, kInteger, 1.0, 0.8509181282393219, 1.8413471884155856, 2.3412848045254044},
    {"staircase", 1.0, 4, kInteger, 2.0, 3.80542807077307, 30.635005791709215, 4.324521815637606},
    {"staircase(metric=l2)", 1.0, 4, kInteger, 2.0, 3.80542807077307, 30.635005791709215, 4.324521815637606},
    {"staircase", 1.0, 10, kInteger, 4.0, 9.585830649978412, 192.1936707088835, 5.645491779619304},
    {"staircase(metric=l2)", 1.0, 10, kInteger, 5.0, 9.608499419259507, 191.83528219293228, 5.654432697267629},
    {"gaussian(delta=1e-5)", 1.0, 1, kFine, 3.7306316348159387, 2.976613383462391, 13.917612394689444,
     3.9465154996476555},
    {"gaussian(delta=1e-5)", 1.0, 1, kInteger, 3.7404847042278355, 2.9666350502250163, 13.991225822562397,
     3.9503208165439063},
    {"gaussian(delta=1e-6)", 1.0, 1, kFine, 4.224678889326848, 3.370806060143689, 17.847911717923928,
     4.125937273940842},
    {"gaussian(delta=1e-6)", 1.0, 1, kInteger, 4.23077886119303, 3.3599130660712406, 17.899489772317786,
     4.1280188645412075},
    {"laplace", 3.0, 1, kFine, 0.3333333333333333, 0.3333333333333333, 0.2222222222222222, 0.8577325401678072},
    {"geometric", 3.0, 1, kInteger, 0.3333333333333333, 0.09982156966882275, 0.11028201100411952, 0.5758102358585511},
    {"laplace", 3.0, 1, kInteger, 0.3333333333333333, 0.2348212202976123, kAny, kAny},
    {"staircase", 3.0, 1, kFine, kAny, 0.23482122029761227, 0.1599974950275638, -0.07403907718856827},
    {"staircase(metric=l2)", 3.0, 1, kFine, kAny, 0.24443257809730273, 0.15267364520928792, 0.08519412888437047},
    {"staircase", 3.0, 1, kInteger, 1.0, 0.0998215696688227, 0.1102820110041195, 0.5758102358585512},
    {"staircase(metric=l2)", 3.0, 1, kInteger, 1.0, 0.0998215696688227, 0.1102820110041195, 0.5758102358585512},
    {"staircase", 3.0, 4, kInteger, 1.0, 0.8003039537002128, 2.7982742196024932, 1.8503684810236414},
    {"staircase(metric=l2)", 3.0, 4, kInteger, 2.0, 1.0397067106914641, 2.533339629019938, 2.33203775539289},
    {"staircase", 3.0, 10, kInteger, 2.0, 2.3124262294846853, 16.82927196518437, 3.196329010040453},
    {"staircase(metric=l2)", 3.0, 10, kInteger, 3.0, 2.3823778650014265, 15.19405932438849, 3.3856517680559888},
    {"gaussian(delta=1e-5)", 3.0, 1, kFine, 1.390593456674534, 1.109533049434099, 1.9337501617460289,
     2.5227962913539788},
    {"gaussian(delta=1e-5)", 3.0, 1, kInteger, 1.3518215309197368, 1.027968685149582, 1.827421451458124,
     2.4820002830636803},
    {"gaussian(delta=1e-6)", 3.0, 1, kFine, 1.5438614177756416, 1.231823189262407, 2.3835080772962143,
     2.673638842410436},
    {"gaussian(delta=1e-6)", 3.0, 1, kInteger, 1.5619947446325657, 1.2028055940605327, 2.4398275822597544,
     2.6904851846878763},
};

void expect_close(double got, double reference, const char* figure) {
  if (std::isnan(reference)) return;
  EXPECT_LE(std::fabs(got - reference), 1e-6 * std::fabs(reference))
      << figure << " is " << got << ", not " << reference;
}

TEST(Describe, AgreesWithTheReference) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(testing::Message() << row.mechanism << " epsilon " << row.epsilon << " sensitivity " << row.sensitivity
                                    << (row.lattice == kInteger ? " integer" : ""));
    const Description used = describe(parse(row.mechanism), Epsilon::from(row.epsilon), row.sensitivity, row.lattice);
    EXPECT_EQ(format(used.mechanism), row.mechanism);
    expect_close(used.loss.scale, row.scale, "scale");
    expect_close(used.loss.expected_abs, row.expected_abs, "expected_abs");
    expect_close(used.loss.expected_sq, row.expected_sq, "expected_sq");
    expect_close(used.loss.entropy_bits, row.entropy_bits, "entropy_bits");
  }
}

}  // namespace
}  // namespace dp::mechanism
