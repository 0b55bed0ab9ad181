// P(|noise| <= t), |E e^{it noise}| and what follows from them, against reference values computed elsewhere (closed
// form and quadrature; ../shared/reference/losses.json, copied here) and against sums over the pmf.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "mechanism/error.h"
#include "mechanism/gaussian_shape.h"
#include "mechanism/text.h"
#include "planning/accuracy.h"

namespace dp::planning {
namespace {

using mechanism::Epsilon;
using mechanism::Lattice;

constexpr Lattice kInteger = Lattice::integer;
constexpr Lattice kFine = Lattice::fine;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Noise noise_of(const char* mechanism, double sensitivity, Lattice lattice) {
  return {mechanism::parse(mechanism), sensitivity, lattice};
}

void expect_close(double got, double wanted, double tolerance, const std::string& what) {
  EXPECT_LE(std::abs(got - wanted), tolerance * std::abs(wanted) + 1e-14) << what << ": " << got << ", not " << wanted;
}

struct Row {
  const char* mechanism;
  double epsilon;
  double sensitivity;
  Lattice lattice;
  double within[4];  // 0 (integer) or 0.5 (fine), 1, 2, 10
  double phi_tenth;
  double phi_one;
};

constexpr Row kRows[] = {
    {"laplace",
     0.1,
     1,
     kFine,
     {0.048770575499285984, 0.09516258196404048, 0.18126924692201818, 0.6321205588285577},
     0.5,
     0.009900990099009901},
    {"geometric",
     0.1,
     1,
     kInteger,
     {0.049958374957880004, 0.14036678897020097, 0.22217170487383553, 0.6504992178898962},
     0.5004166665757278,
     0.010768556063549265},
    {"staircase",
     0.1,
     1,
     kFine,
     {0.04990185792621235, 0.09516258196404048, 0.18126924692201823, 0.6321205588285579},
     0.5002083159882251,
     0.010325728710945253},
    {"staircase(metric=l2)",
     0.1,
     1,
     kFine,
     {0.04992070504545778, 0.09516258196404048, 0.18126924692201823, 0.6321205588285579},
     0.5002083593379708,
     0.010325812140843802},
    {"staircase",
     0.1,
     4,
     kInteger,
     {0.012647556582988486, 0.03794266974896546, 0.060830634634995474, 0.2310731582269397},
     0.05917715964065599,
     0.001287181554095141},
    {"staircase(metric=l2)",
     0.1,
     4,
     kInteger,
     {0.012647556582988486, 0.03794266974896546, 0.060830634634995474, 0.2310731582269397},
     0.05917715964065599,
     0.001287181554095141},
    {"staircase",
     0.1,
     10,
     kInteger,
     {0.005020921202193314, 0.015062763606579942, 0.025104606010966573, 0.09970569934079505},
     0.01032118643443216,
     0.0004825824783984709},
    {"staircase(metric=l2)",
     0.1,
     10,
     kInteger,
     {0.005020921202193314, 0.015062763606579942, 0.025104606010966573, 0.09970569934079505},
     0.01032118643443216,
     0.0004825824783984709},
    {"gaussian(delta=1e-5)",
     0.1,
     1,
     kFine,
     {0.01297334405652295, 0.025943258485335408, 0.0518590962637433, 0.2549762249739347},
     0.008846980306215817,
     4.780860275877985e-206},
    {"gaussian(delta=1e-6)",
     0.1,
     1,
     kFine,
     {0.010988378206376659, 0.021974672401399387, 0.04393267982480631, 0.21702677854639352},
     0.0013738301160521158,
     6.21302700943695e-287},
    {"gaussian(delta=1e-5)",
     0.1,
     1,
     kInteger,
     {0.01297479949196287, 0.03891067806885173, 0.06480543893587393, 0.267277720812427},
     0.008852679612945807,
     1.214306433183765e-17},
    {"gaussian(delta=1e-6)",
     0.1,
     1,
     kInteger,
     {0.010988544362076648, 0.0329572978484117, 0.05490106458430172, 0.22758942173672808},
     0.001373531523764111,
     1.3877787807814457e-17},
    {"laplace",
     1.0,
     1,
     kFine,
     {0.3934693402873666, 0.6321205588285577, 0.8646647167633873, 0.9999546000702375},
     0.9900990099009901,
     0.5},
    {"geometric",
     1.0,
     1,
     kInteger,
     {0.46211715726000974, 0.8021239603971055, 0.9272054731296692, 0.9999755801567191},
     0.990884785245036,
     0.5415759586522645},
    {"staircase",
     1.0,
     1,
     kFine,
     {0.4404203090464559, 0.6321205588285578, 0.8646647167633874, 0.9999546000702378},
     0.9904967398118533,
     0.5206742242379875},
    {"staircase(metric=l2)",
     1.0,
     1,
     kFine,
     {0.44794401338745515, 0.6321205588285577, 0.8646647167633874, 0.9999546000702375},
     0.990504550701615,
     0.5210568448079874},
    {"staircase",
     1.0,
     4,
     kInteger,
     {0.13061968917605904, 0.3918590675281771, 0.4879636640483293, 0.9307034174465432},
     0.8679806606769779,
     0.12974857164663142},
    {"staircase(metric=l2)",
     1.0,
     4,
     kInteger,
     {0.13061968917605904, 0.3918590675281771, 0.4879636640483293, 0.9307034174465432},
     0.8679806606769779,
     0.12974857164663142},
    {"staircase",
     1.0,
     10,
     kInteger,
     {0.05364940950934147, 0.1609482285280244, 0.26824704754670736, 0.6518570736180318},
     0.5201081605006702,
     0.010963277578104405},
    {"staircase(metric=l2)",
     1.0,
     10,
     kInteger,
     {0.04845070597735034, 0.14535211793205102, 0.24225352988675172, 0.6499445774678672},
     0.5209693713097545,
     0.04508924894395244},
    {"gaussian(delta=1e-5)",
     1.0,
     1,
     kFine,
     {0.10661763845210115, 0.21134003254346856, 0.4081121123360879, 0.9926490202562791},
     0.9327779874972775,
     0.0009502302851303873},
    {"gaussian(delta=1e-6)",
     1.0,
     1,
     kFine,
     {0.09421139396256761, 0.18711386374581052, 0.3640784196205483, 0.9820691896943095},
     0.914626440707755,
     0.00013316043760382596},
    {"gaussian(delta=1e-5)",
     1.0,
     1,
     kInteger,
     {0.10665523640572888, 0.31247730284531705, 0.497374872059908, 0.9951297878691705},
     0.9324347257473173,
     0.0009158912607749731},
    {"gaussian(delta=1e-6)",
     1.0,
     1,
     kInteger,
     {0.09429523345234256, 0.27769055779085233, 0.44634346403835995, 0.9871392172329823},
     0.914390597858306,
     0.00012977026201324224},
    {"laplace",
     3.0,
     1,
     kFine,
     {0.7768698398515702, 0.950212931632136, 0.9975212478233336, 0.9999999999999064},
     0.9988901220865706,
     0.8999999999999999},
    {"geometric",
     3.0,
     1,
     kInteger,
     {0.9051482536448665, 0.9952776096194058, 0.9997648860272617, 0.9999999999999913},
     0.999449352679743,
     0.9517497282464602},
    {"staircase",
     3.0,
     1,
     kFine,
     {0.8442023498270423, 0.9502129316321362, 0.9975212478233337, 0.9999999999999064},
     0.9992009807665401,
     0.9287348136667865},
    {"staircase(metric=l2)",
     3.0,
     1,
     kFine,
     {0.8705031581637537, 0.9502129316321359, 0.9975212478233336, 0.9999999999999063},
     0.9992375455740058,
     0.9318998957024813},
    {"staircase",
     3.0,
     4,
     kInteger,
     {0.7046394161324054, 0.774803277703757, 0.8449671392751086, 0.9996157119590234},
     0.986275189597841,
     0.6043351536379385},
    {"staircase(metric=l2)",
     3.0,
     4,
     kInteger,
     {0.29246901881838994, 0.8774070564551698, 0.9065294065259564, 0.9997683095629721},
     0.9875633108947794,
     0.5578005843708351},
    {"staircase",
     3.0,
     10,
     kInteger,
     {0.24704082580214412, 0.7411224774064323, 0.7657213543741622, 0.962512370116001},
     0.925031349140022,
     0.467638660699853},
    {"staircase(metric=l2)",
     3.0,
     10,
     kInteger,
     {0.16534626841637542, 0.49603880524912625, 0.8267313420818772, 0.958445037602153},
     0.9322659837439359,
     0.194683303244441},
    {"gaussian(delta=1e-5)",
     3.0,
     1,
     kFine,
     {0.2808228399026057, 0.5279314344666525, 0.8496325756499378, 0.9999999999993576},
     0.9903778412790296,
     0.3802694947649507},
    {"gaussian(delta=1e-6)",
     3.0,
     1,
     kFine,
     {0.2539584436787867, 0.482838158555986, 0.8048360163126668, 0.9999999999066002},
     0.9881531922328347,
     0.3036881159298662},
    {"gaussian(delta=1e-5)",
     3.0,
     1,
     kInteger,
     {0.2951146074215912, 0.7440600581785057, 0.9416260522665763, 0.9999999999999973},
     0.9909045092592468,
     0.40103333489840887},
    {"gaussian(delta=1e-6)",
     3.0,
     1,
     kInteger,
     {0.25540564830471146, 0.6715647842751394, 0.8966029883542997, 0.9999999999912293},
     0.9878749699149577,
     0.2952556194802349},
};

TEST(PlanningAccuracy, AgreesWithTheReference) {
  for (const Row& row : kRows) {
    const std::string what = std::string(row.mechanism) + " epsilon " + mechanism::decimal(row.epsilon) +
                             " sensitivity " + mechanism::decimal(row.sensitivity);
    const Noise asked = noise_of(row.mechanism, row.sensitivity, row.lattice);
    const double distances[] = {row.lattice == kInteger ? 0 : 0.5, 1, 2, 10};
    for (int i = 0; i < 4; ++i) {
      expect_close(usefulness(asked, Epsilon::from(row.epsilon), distances[i]), row.within[i], 1e-6, what);
    }
    const mechanism::Description description = asked.at(Epsilon::from(row.epsilon));
    expect_close(description.phi(0.1), row.phi_tenth, 1e-6, what + " phi(0.1)");
    expect_close(description.phi(1), row.phi_one, 1e-6, what + " phi(1)");
  }
}

// Adds a symmetric law on the integers up from its weights at 0, 1, 2, ... in any scale.
using Function = std::function<double(double)>;
void expect_sums(const std::string& what, const Function& within, const Function& phi,
                 const std::function<long double(double)>& weight) {
  long double total = weight(0);
  double last = 0;
  while (last < 100 || weight(last) > weight(0) * 1e-22L) total += 2 * weight(++last);
  for (const double t : {0.0, 0.9, 1.0, 3.7, 20.0, 1000.0}) {
    long double sum = weight(0);
    for (double x = 1; x <= std::min(t, last); ++x) sum += 2 * weight(x);
    expect_close(within(t), static_cast<double>(sum / total), 1e-9, what + " within " + mechanism::decimal(t));
  }
  for (const double t : {0.0, 1e-3, 0.3, 2.0, 3.1415926535, 6.2831853071, 50.0}) {
    long double sum = weight(0);
    for (double x = last; x >= 1; --x) sum += 2 * weight(x) * std::cos(static_cast<long double>(x) * t);
    EXPECT_NEAR(phi(t), static_cast<double>(std::abs(sum / total)), 1e-9) << what << " phi " << t;
  }
}

void expect_sums(const Noise& asked, Epsilon epsilon, const std::function<long double(double)>& weight) {
  const mechanism::Description description = asked.at(epsilon);
  const std::string what = mechanism::format(asked.mechanism) + " epsilon " + mechanism::decimal(epsilon.value()) +
                           " sensitivity " + mechanism::decimal(asked.sensitivity);
  expect_sums(what, description.within, description.phi, weight);
}

TEST(PlanningAccuracy, IntegerLawsAgreeWithTheirSums) {
  for (const double epsilon : {0.05, 1.0, 6.0, 40.0}) {
    for (const double sensitivity : {1.0, 3.0, 40.0}) {
      const long double rate = static_cast<long double>(epsilon) / sensitivity;
      const Epsilon e = Epsilon::from(epsilon);
      expect_sums(noise_of("geometric", sensitivity, kInteger), e, [&](double x) { return std::exp(-rate * x); });
      expect_sums(noise_of("laplace", sensitivity, kInteger), e, [&](double x) {
        return x == 0 ? -std::expm1(-rate / 2) : std::exp(-rate * (x - 0.5L)) * -std::expm1(-rate) / 2;
      });
      for (const char* text : {"staircase", "staircase(metric=l2)"}) {
        const Noise staircase = noise_of(text, sensitivity, kInteger);
        const double step = staircase.at(e).loss.scale;
        expect_sums(staircase, e, [&](double x) {
          const double stair = std::floor(x / sensitivity);
          return std::exp(-static_cast<long double>(epsilon) * (stair + (x - stair * sensitivity < step ? 0 : 1)));
        });
      }
      const Noise gaussian = noise_of("gaussian(delta=1e-3)", sensitivity, kInteger);
      const long double sigma = gaussian.at(e).loss.scale;
      expect_sums(gaussian, e, [&](double x) { return std::exp(-x * x / (2 * sigma * sigma)); });
    }
  }
}

// Where sums end and formulas begin: at a variance of 1 for phi, of 10^4 for within.
TEST(PlanningAccuracy, TheGaussianFormulaJoinsTheSums) {
  for (const double variance : {0.1, 0.9999, 1.0001, 9999.99, 10000.01}) {
    int exponent;
    const double fraction = std::frexp(variance, &exponent);
    const auto law =
        noise::DiscreteGaussian::with_variance(static_cast<std::uint64_t>(std::ldexp(fraction, 53)), exponent - 53);
    const mechanism::GaussianShape shape = mechanism::discrete_shape(law);
    expect_sums("variance " + mechanism::decimal(variance), shape.within, shape.phi,
                [&](double x) { return std::exp(-static_cast<long double>(x) * x / (2 * variance)); });
  }
}

TEST(PlanningAccuracy, ProbabilitiesStayProbabilitiesAtTheEnds) {
  for (const char* text :
       {"geometric", "laplace", "staircase", "staircase(metric=l2)", "gaussian(delta=1e-6)", "auto"}) {
    for (const Lattice lattice : {kInteger, kFine}) {
      for (const double epsilon : {1e-9, 1e6}) {
        const mechanism::Description description = noise_of(text, 1, lattice).at(Epsilon::from(epsilon));
        double before = 0;
        for (const double t : {0.0, 1e-9, 1.0, 1e9, 1e15, 1e100}) {
          const double within = description.within(t);
          EXPECT_TRUE(within >= before && within <= 1 + 1e-15) << text << " " << epsilon << " " << t << " " << within;
          before = within;
        }
        EXPECT_DOUBLE_EQ(before, 1) << text;
        EXPECT_DOUBLE_EQ(description.phi(0), 1) << text << " " << epsilon;
        EXPECT_TRUE(description.phi(1) >= 0 && description.phi(1) <= 1) << text;
      }
    }
  }
}

TEST(PlanningAccuracy, UsefulnessOfLaplaceIsTheTextbookOne) {
  EXPECT_DOUBLE_EQ(usefulness(noise_of("laplace", 1, kFine), Epsilon::from(5), 0.1), -std::expm1(-0.5));  // .393469
  EXPECT_DOUBLE_EQ(usefulness(noise_of("laplace", 2, kFine), Epsilon::from(0.5), 0), 0);
}

TEST(PlanningAccuracy, HalfWidthIsTheInterval95OfDescribe) {
  for (const char* text :
       {"geometric", "laplace", "staircase", "staircase(metric=l2)", "gaussian(delta=1e-6)", "auto"}) {
    for (const Lattice lattice : {kInteger, kFine}) {
      for (const double epsilon : {0.01, 0.3, 1.0, 5.0}) {
        const Noise asked = noise_of(text, 7, lattice);
        const double wanted = asked.at(Epsilon::from(epsilon)).loss.interval95;
        const double got = half_width(asked, Epsilon::from(epsilon), 0.95);
        EXPECT_NEAR(got, wanted, 1e-9 * wanted) << text << " " << epsilon;
        if (lattice == kInteger) {
          EXPECT_EQ(got, std::floor(got)) << text;
        }
      }
    }
  }
}

TEST(PlanningAccuracy, HalfWidthIsTheSmallest) {
  const Noise laplace = noise_of("laplace", 1, kFine);
  EXPECT_NEAR(half_width(laplace, Epsilon::from(1), 0.5), std::log(2.0), 1e-15);
  EXPECT_EQ(half_width(noise_of("geometric", 1, kInteger), Epsilon::from(1), 0.46), 0);  // P(0) = tanh(1/2) = .46212
  EXPECT_EQ(half_width(noise_of("geometric", 1, kInteger), Epsilon::from(1), 0.47), 1);
  EXPECT_EQ(quantile([](double) { return 0.5; }, 0.9), kInfinity);
}

// 1 - e^{-eps error / sensitivity} = confidence
TEST(PlanningAccuracy, EpsilonForLaplaceIsItsClosedFormRoundedUp) {
  for (const double error : {0.01, 1.0, 12.5, 1e4}) {
    for (const double confidence : {0.5, 0.95, 0.999}) {
      const double exact = -std::log1p(-confidence) * 3 / error;
      const double got = epsilon_for(noise_of("laplace", 3, kFine), error, confidence).value();
      EXPECT_NEAR(got, exact, 1.001e-9 + 1e-13 * exact) << error << " " << confidence;
    }
  }
}

TEST(PlanningAccuracy, EpsilonForIsTheTurningPoint) {
  for (const char* text :
       {"geometric", "laplace", "staircase", "staircase(metric=l2)", "gaussian(delta=1e-6)", "auto"}) {
    for (const Lattice lattice : {kInteger, kFine}) {
      const Noise asked = noise_of(text, 4, lattice);
      const Epsilon found = epsilon_for(asked, 10, 0.9);
      EXPECT_GE(usefulness(asked, found, 10), 0.9) << text;
      EXPECT_LT(usefulness(asked, {found.nano - 1}, 10), 0.9) << text;
    }
  }
  EXPECT_EQ(epsilon_for(noise_of("geometric", 1, kInteger), 1e12, 0.5).nano, 1u);
}

template <class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_FALSE(error.hint().empty());
    return error.what();
  }
  return "no error";
}

TEST(PlanningAccuracy, BadValuesAreNamed) {
  const Noise laplace = noise_of("laplace", 1, kFine);
  const Epsilon one = Epsilon::from(1);
  EXPECT_EQ(message_of([&] { usefulness(laplace, one, -1); }), "gamma must be a finite number from 0, not -1");
  EXPECT_EQ(message_of([&] { usefulness(laplace, one, kNan); }), "gamma must be a finite number from 0, not NaN");
  EXPECT_EQ(message_of([&] { epsilon_for(laplace, kInfinity, 0.9); }),
            "error must be a finite number from 0, not Infinity");
  for (const double confidence : {0.0, 1.0, -0.5, kNan}) {
    const std::string wanted = "confidence must be a number between 0 and 1, not " + mechanism::decimal(confidence);
    EXPECT_EQ(message_of([&] { half_width(laplace, one, confidence); }), wanted);
    EXPECT_EQ(message_of([&] { epsilon_for(laplace, 1, confidence); }), wanted);
  }
  EXPECT_EQ(message_of([&] { epsilon_for(laplace, 0, 0.9); }),
            "no epsilon up to 1e6 keeps the error of laplace within 0 with confidence 0.9");
}

}  // namespace
}  // namespace dp::planning
