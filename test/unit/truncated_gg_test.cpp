// truncated_gg: the scale on the reals against reference values, the loss of the integer law by brute force, the
// sampler.
#include <cmath>

#include "range_checks.h"

namespace dp::test {
namespace {

constexpr ScaleRow kScales[] = {{1, 10, 0.5, 1, 3.5278709448163266},
                                {3, 10, 0.5, 1, 7.583857401921281},
                                {1, 10, 1, 1, 1.6115601044179808},
                                {3, 10, 1, 1, 6.153214177502521},
                                {1, 10, 2, 1, 0.69745631653672},
                                {3, 10, 2, 1, 4.97376310347765},
                                {1, 10, 0.5, 2, 6.802440709941886},
                                {3, 10, 0.5, 2, 9.08931781165038},
                                {1, 10, 1, 2, 3.177876213211946},
                                {3, 10, 1, 2, 7.352155438412607},
                                {1, 10, 2, 2, 1.3940041927417244},
                                {3, 10, 2, 2, 5.958786468183791},
                                {1, 100, 0.5, 1, 3.559608083989505},
                                {3, 100, 0.5, 1, 38.296030670896634},
                                {1, 100, 1, 1, 1.612605395905182},
                                {3, 100, 1, 1, 30.606444553404536},
                                {1, 100, 2, 1, 0.6974566675320322},
                                {3, 100, 2, 1, 24.398780491121574},
                                {1, 100, 0.5, 2, 7.119215368990409},
                                {3, 100, 0.5, 2, 47.579136205177264},
                                {1, 100, 1, 2, 3.225210791810329},
                                {3, 100, 1, 2, 38.17559479679641},
                                {1, 100, 2, 2, 1.3949133350640643},
                                {3, 100, 2, 2, 30.509158081201896},
                                {2, 10, 1, 1, 3.90079}};

TEST(TruncatedScale, AgreesWithReferenceOnTheReals) { expect_reference_scales(Cut::truncated, kScales); }

TEST(TruncatedScale, KeepsEpsilonOnTheIntegers) { expect_epsilon_is_kept(Cut::truncated, 0.01, 2e-4); }

TEST(TruncatedScale, CertificateIsAnUpperBound) { expect_certificate_is_an_upper_bound(Cut::truncated); }

// The continuous formula is unsafe for whole numbers: p = 3, W = 10, epsilon = 1 loses 1.0114.
TEST(TruncatedScale, ContinuousScaleIsUnsafeOnTheIntegers) {
  const double b = mechanism::continuous_range_scale(Cut::truncated, 3, 10, 1, mechanism::Epsilon::from(1));
  EXPECT_NEAR(static_cast<double>(true_range_loss(Cut::truncated, 3, b, 10, 1)), 1.0114, 5e-5);
}

TEST(TruncatedScale, ApproachesTheContinuousOne) { expect_the_continuous_scale_on_fine_steps(Cut::truncated); }

// Both ways of proposing, an answer in the middle, at an end and outside.
constexpr SamplerCase kTruncatedCases[] = {{1, 4, 0, -1, 1, 0, 0.1},   {3, 5, 0, 2, 5, 3, 0.1},
                                           {3, 5, 0, 2, 5, -100, 0.1}, {2, 9, -1, 0, 3, 7, 0.1},
                                           {1, 3, -1, -2, 2, 0, 0.5},  {2, 1, 0, 0, 2, 2, 0.7}};

TEST(TruncatedSampler, HasItsLaw) {
  expect_sampler_has_its_law<noise::TruncatedGeneralisedGaussian>(Cut::truncated, kTruncatedCases);
}

TEST(TruncatedSampler, AnswersOutsideCountAsTheNearestEnd) {
  expect_answers_outside_count_as_the_nearest_end<noise::TruncatedGeneralisedGaussian>();
}

}  // namespace
}  // namespace dp::test
