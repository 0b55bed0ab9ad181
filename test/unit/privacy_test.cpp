// epsilon and delta as integers: what a person typed is what is charged, and what cannot be charged is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "core/mechanism/epsilon_delta.h"
#include "support/errors.h"

namespace dp::mechanism {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// `read` is Epsilon::from and its like.
template <class Read>
void expect_refused_by(Read read, double value, const std::string& shown) {
  const Error error = test::error_of([&] { read(value); });
  EXPECT_EQ(error.code(), ErrorCode::invalid_parameter_value);
  EXPECT_TRUE(std::string(error.what()).ends_with(", not " + shown)) << error.what();
  EXPECT_FALSE(error.hint().empty());
}

template <class Parameter>
void expect_refused(double value, const std::string& shown) {
  expect_refused_by([](double refused) { return Parameter::from(refused); }, value, shown);
}

template <class Parameter>
void expect_no_limit(double value, const std::string& shown) {
  expect_refused_by([](double limit) { return Parameter::limit(limit); }, value, shown);
}

TEST(Epsilon, TypedDecimalsAreExact) {
  EXPECT_EQ(Epsilon::from(0.1).nano, 100'000'000u);
  EXPECT_EQ(Epsilon::from(0.3).nano, 300'000'000u);  // the double lies below three tenths
  EXPECT_EQ(Epsilon::from(0.7).nano, 700'000'000u);
  EXPECT_EQ(Epsilon::from(1).nano, 1'000'000'000u);
  EXPECT_EQ(Epsilon::from(1e-9).nano, 1u);
  EXPECT_EQ(Epsilon::from(3e-9).nano, 3u);
  EXPECT_EQ(Epsilon::from(1e6).nano, 1'000'000'000'000'000u);
  EXPECT_EQ(Epsilon::from(999999.999999999).nano, 999'999'999'999'999u);
  EXPECT_EQ(Epsilon::from(123456.789012345).nano, 123'456'789'012'345u);
}

TEST(Epsilon, TenTimesATenthIsOne) {
  std::uint64_t charged = 0;
  for (int i = 0; i < 10; ++i) charged += Epsilon::from(0.1).nano;
  EXPECT_EQ(charged, Epsilon::from(1).nano);
}

// Rounding up would charge more than the noise was made for, or make noise for more than was allowed.
TEST(Epsilon, WhatLiesBetweenTwoQuantaIsCutDown) {
  EXPECT_EQ(Epsilon::from(0.1 + 0.2).nano, 300'000'000u);  // 0.30000000000000004
  EXPECT_EQ(Epsilon::from(1.9e-9).nano, 1u);
  EXPECT_EQ(Epsilon::from(1.9999999999).nano, 1'999'999'999u);
  EXPECT_EQ(Epsilon::from(0.1234567899).nano, 123'456'789u);
  EXPECT_EQ(Epsilon::from(std::nextafter(1.0, 0.0)).nano, 999'999'999u);
  EXPECT_EQ(Epsilon::from(std::nextafter(1.0, 2.0)).nano, 1'000'000'000u);
}

// Every multiple of a quantum with at most 15 digits survives the way through a double.
TEST(Epsilon, EveryMultipleOfTheQuantumReadsBack) {
  std::uint64_t nano = 1;
  for (int i = 0; i < 20'000; ++i) {
    const double typed = std::stod(std::to_string(nano / Epsilon::kPerUnit) + "." +
                                   std::to_string(Epsilon::kPerUnit + nano % Epsilon::kPerUnit).substr(1));
    ASSERT_EQ(Epsilon::from(typed).nano, nano);
    ASSERT_EQ(Epsilon::from(Epsilon{nano}.value()).nano, nano);
    nano = nano * 6'364'136'223'846'793'005u % 999'999'999'999'989u + 1;
  }
}

TEST(Epsilon, BadValuesAreRefusedByName) {
  expect_refused<Epsilon>(0.0, "0");
  expect_refused<Epsilon>(-0.0, "-0");
  expect_refused<Epsilon>(-1, "-1");
  expect_refused<Epsilon>(kNaN, "NaN");
  expect_refused<Epsilon>(kInf, "Infinity");
  expect_refused<Epsilon>(-kInf, "-Infinity");
  expect_refused<Epsilon>(1e-300, "1e-300");
  expect_refused<Epsilon>(1e308, "1e+308");
  expect_refused<Epsilon>(1e-10, "1e-10");
  expect_refused<Epsilon>(9.99e-10, "9.99e-10");
  expect_refused<Epsilon>(1e6 + 1, "1000001");
  expect_refused<Epsilon>(std::nextafter(1e6, kInf), decimal(std::nextafter(1e6, kInf)));
  expect_refused<Epsilon>(std::numeric_limits<double>::denorm_min(), "5e-324");
}

TEST(Epsilon, RateIsTheExactRatio) {
  const noise::Ratio tenth = Epsilon::from(0.1).per(1);
  EXPECT_TRUE(tenth.num == 1 && tenth.den == 10);
  const noise::Ratio smallest = Epsilon::from(1e-9).per(noise::Uint128{1} << 64);
  EXPECT_TRUE(smallest.num == 1 && smallest.den == (noise::Uint128{1'000'000'000} << 64));
  const noise::Ratio largest = Epsilon::from(1e6).per(1);
  EXPECT_TRUE(largest.num == 1'000'000 && largest.den == 1);
  EXPECT_THROW(Epsilon::from(1).per(~noise::Uint128{0}), std::overflow_error);
}

TEST(Delta, TypedDecimalsAreExact) {
  EXPECT_EQ(Delta::from(1e-18).atto, 1u);
  EXPECT_EQ(Delta::from(1e-6).atto, 1'000'000'000'000u);
  EXPECT_EQ(Delta::from(0.1).atto, 100'000'000'000'000'000u);
  EXPECT_EQ(Delta::from(0.3).atto, 300'000'000'000'000'000u);
  EXPECT_EQ(Delta::from(std::nextafter(1.0, 0.0)).atto, 999'999'999'999'999'900u);  // 0.9999999999999999
  EXPECT_EQ(Delta::from(1.9e-18).atto, 1u);
  EXPECT_EQ(Delta::from(1.23456789e-15).atto, 1234u);
}

TEST(Delta, BadValuesAreRefusedByName) {
  expect_refused<Delta>(0.0, "0");
  expect_refused<Delta>(-0.0, "-0");
  expect_refused<Delta>(-1e-6, "-1e-06");
  expect_refused<Delta>(1, "1");
  expect_refused<Delta>(2, "2");
  expect_refused<Delta>(1e-19, "1e-19");
  expect_refused<Delta>(kNaN, "NaN");
  expect_refused<Delta>(kInf, "Infinity");
  expect_refused<Delta>(-kInf, "-Infinity");
}

TEST(Limit, OfEpsilonGoesBeyondThatOfOneAnswer) {
  EXPECT_EQ(Epsilon::limit(0.3).nano, 300'000'000u);
  EXPECT_EQ(Epsilon::limit(1e-9).nano, 1u);
  EXPECT_EQ(Epsilon::limit(9e9).nano, 9'000'000'000'000'000'000u);
  EXPECT_EQ(Epsilon::limit(8'999'999'999.5).nano, 8'999'999'999'500'000'000u);
  for (const double value : {0.0, -0.0, -1.0, kNaN, kInf, -kInf, 9.9e-10, std::nextafter(9e9, kInf), 1e308}) {
    expect_no_limit<Epsilon>(value, decimal(value));
  }
  EXPECT_THROW(Epsilon::limit(0, "query_epsilon"), Error);
}

TEST(Limit, OfDeltaMayBeZero) {
  EXPECT_EQ(Delta::limit(0).atto, 0u);
  EXPECT_EQ(Delta::limit(-0.0).atto, 0u);
  EXPECT_EQ(Delta::limit(1e-18).atto, 1u);
  EXPECT_EQ(Delta::limit(1e-6).atto, 1'000'000'000'000u);
  for (const double value : {-1e-6, 1.0, 2.0, 1e-19, kNaN, kInf, -kInf}) expect_no_limit<Delta>(value, decimal(value));
}

}  // namespace
}  // namespace dp::mechanism
