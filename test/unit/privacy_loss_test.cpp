// What every mechanism really loses, from the probabilities of its law alone: never more than asked, and no less than
// 99% of it where the scale is claimed to be exact.
#include "core/planning/privacy_loss.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/mechanism/mechanism_text.h"
#include "support/errors.h"

namespace dp::test {
namespace {

using mechanism::Epsilon;

double loss(const std::string& text, double epsilon, const std::vector<double>& changes) {
  return planning::privacy_loss(mechanism::parse(text), Epsilon::from(epsilon), changes);
}

const char* const kExact[] = {"geometric",
                              "laplace",
                              "staircase",
                              "staircase(metric=l2)",
                              "staircase(metric=usefulness, gamma=2)",
                              "rounded_geometric(step=2)",
                              "gaussian(delta=1e-6)",
                              "gaussian(delta=0.05)",
                              "gg(p=1, delta=0.01)",
                              "gg(p=3, delta=1e-6, definition=approximate)",
                              "truncated_gg(p=1, lower=0, upper=60)",
                              "truncated_gg(p=2, lower=-30, upper=30)",
                              "truncated_gg(p=5, lower=0, upper=40)",
                              "bit_gg(p=1, lower=0, upper=60)",
                              "bit_gg(p=4, lower=0, upper=40)",
                              "r2dp(gamma=1)",
                              "r2dp(metric=l1)",
                              "r2dp(metric=l2)",
                              "r2dp(gamma=0.5, family=uniform)",
                              "auto"};

TEST(PrivacyLoss, OneCoordinateLosesEpsilon) {
  for (const std::string text : kExact) {
    const bool approximate =
        text.starts_with("gg(p=1");  // probabilistic: its epsilon holds, the approximate one is smaller
    for (const double epsilon : {0.2, 1.0, 4.0}) {
      for (const double sensitivity : {2.0, 10.0}) {
        SCOPED_TRACE(text + " epsilon " + std::to_string(epsilon) + " sensitivity " + std::to_string(sensitivity));
        const double lost = loss(text, epsilon, {sensitivity});
        EXPECT_LE(lost, epsilon * (1 + 1e-12));
        EXPECT_GE(lost, approximate ? 0 : epsilon * 0.99);
      }
    }
  }
}

TEST(PrivacyLoss, LargeSensitivitiesToo) {
  for (const std::string text :
       {"geometric", "laplace", "staircase", "r2dp(metric=l2)", "rounded_geometric(step=100)"}) {
    const double lost = loss(text, 3, {1e6});
    EXPECT_LE(lost, 3 * (1 + 1e-12)) << text;
    EXPECT_GE(lost, 3 * 0.99) << text;
  }
}

TEST(PrivacyLoss, SeveralCoordinatesStayWithinEpsilon) {
  for (const std::string text : {"geometric", "laplace", "staircase", "rounded_geometric(step=1)", "r2dp(metric=l2)",
                                 "auto", "gaussian(delta=1e-3)", "gg(p=3, delta=1e-3, definition=approximate)"}) {
    for (const double epsilon : {1.0, 5.0}) {
      SCOPED_TRACE(text + " epsilon " + std::to_string(epsilon));
      EXPECT_LE(loss(text, epsilon, {1, 2}), epsilon * (1 + 1e-12));
      EXPECT_LE(loss(text, epsilon, {1, 0, 3}), epsilon * (1 + 1e-12));
    }
  }
}

// The ratio of a staircase is reached by a shift of one: at the joint l1 norm a pair would lose twice epsilon.
TEST(PrivacyLoss, SeesWhatACalibrationToTheWrongSetWouldLose) {
  const auto law = mechanism::calibrate(mechanism::parse("staircase"), Epsilon::from(2), mechanism::Changes::one(4),
                                        mechanism::Lattice::integer);
  EXPECT_TRUE(std::holds_alternative<noise::Staircase>(law.law));
  EXPECT_NEAR(loss("staircase", 2, {4}) + loss("staircase", 2, {4}), 4, 1e-9);
  EXPECT_NEAR(loss("staircase", 2, {2, 2}), 2, 1e-9);
}

TEST(PrivacyLoss, BadChangesAreRefusedByName) {
  const auto message = [](const std::vector<double>& changes) {
    return message_of([&] { loss("geometric", 1, changes); });
  };
  EXPECT_NE(message({0.5}).find("0.5"), std::string::npos);
  EXPECT_NE(message({-1}).find("-1"), std::string::npos);
  EXPECT_NE(message({std::nan("")}).find("NaN"), std::string::npos);
  EXPECT_NE(message({0, 0}).find("no change"), std::string::npos);
  EXPECT_NE(message({}).find("no change"), std::string::npos);
  EXPECT_THROW(loss("gaussian(delta=1e-6)", 1e-6, {1000}), Error);  // too wide to enumerate
}

}  // namespace
}  // namespace dp::test
