// relax() and tighten(), with the geometric draws below them replaced by their exact law or by chosen values.
//
// A geometric draw is one choice with its true probability, so the law is seen to ten digits; with chosen draws every
// branch is walked to its edge, at sizes that no enumeration reaches.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include "relaxation_rows.h"
#include "support/enclosure.h"
#include "support/relaxation_law.h"

// The source is compiled a second time, in a namespace of its own, with the geometric() below in the place of the real
// one.
#define noise path
#include "core/noise/relaxation.cpp"
#undef noise

namespace dp::test {
namespace {

using path::BitSource;
using path::Int128;
using path::kInt128Max;
using path::RatePair;
using path::Ratio;
using path::Uint128;

using Value = unsigned __int128;  // Uint128 without its alignment, which templates ignore

constexpr Uint128 kUint128Max = ~Uint128{0};

Real real(const Ratio& ratio) {
  return Real(static_cast<std::uint64_t>(ratio.num)) / static_cast<std::uint64_t>(ratio.den);
}

Real coarse_rate(const RatePair& rates) { return real(path::ratio(rates.coarse, rates.den)); }
Real fine_rate(const RatePair& rates) { return real(path::ratio(rates.fine, rates.den)); }

class Geometrics : public BitSource {
 public:
  virtual Uint128 draw(const Ratio& rate) = 0;

 protected:
  ~Geometrics() = default;

 private:
  Chunk refill() override { throw std::logic_error("a bit besides the geometric draws"); }
};

// One path through the tree of all values of all draws. Where the values from one on have a probability below `least`
// together, they are left unfinished.
class Paths final : public Geometrics {
 public:
  explicit Paths(const Real& least) : least_(least) {}

  Uint128 draw(const Ratio& rate) override {
    if (next_ == path_.size()) {
      const Real ratio = exp(-real(rate));
      path_.push_back({0, probability() * (1 - ratio), ratio});
    }
    return path_[next_++].value;
  }

  Real probability() const { return path_.empty() ? Real(1) : path_.back().probability; }
  const Real& unfinished() const { return unfinished_; }

  bool advance() {
    for (next_ = 0; !path_.empty(); path_.pop_back()) {
      Draw& last = path_.back();
      ++last.value;
      last.probability *= last.ratio;
      const Real rest = last.probability / (1 - last.ratio);
      if (rest >= least_) return true;
      unfinished_ += rest;
    }
    return false;
  }

 private:
  struct Draw {
    std::uint64_t value;
    Real probability;  // of the path up to this value
    Real ratio;
  };

  Real least_;
  Real unfinished_ = 0;
  std::vector<Draw> path_;
  std::size_t next_ = 0;
};

// Chosen values, each with the rate at which it must be drawn.
class Script final : public Geometrics {
 public:
  using Draws = std::vector<std::pair<Ratio, Value>>;

  explicit Script(Draws draws) : draws_(std::move(draws)) {}
  ~Script() { EXPECT_EQ(next_, draws_.size()) << "fewer draws than expected"; }

  Uint128 draw(const Ratio& rate) override {
    if (next_ == draws_.size()) throw std::logic_error("more draws than expected");
    const auto& [expected, value] = draws_[next_++];
    EXPECT_TRUE(rate.num == expected.num && rate.den == expected.den) << "rate of draw " << next_;
    return value;
  }

 private:
  Draws draws_;
  std::size_t next_ = 0;
};

template <class Sample>
Masses enumerate(const Real& least, Sample sample) {
  Masses seen{{}, 0, 1e-40};
  Paths paths(least);
  do {
    const auto outcome = static_cast<std::int64_t>(sample(paths));
    seen.finished[outcome] += paths.probability();
  } while (paths.advance());
  seen.unfinished = paths.unfinished();
  return seen;
}

Masses relaxed(const RatePair& rates, Int128 coarse_noise) {
  return enumerate(1e-15, [&](BitSource& bits) { return path::relax(bits, rates, coarse_noise); });
}

Masses tightened(const RatePair& rates, Int128 fine_noise) {
  return enumerate(1e-10, [&](BitSource& bits) { return path::tighten(bits, rates, fine_noise); });
}

}  // namespace
}  // namespace dp::test

namespace dp::path {

Uint128 geometric(BitSource& bits, const Ratio& rate) { return static_cast<test::Geometrics&>(bits).draw(rate); }

}  // namespace dp::path

namespace dp::test {
namespace {

constexpr RatePair kRates[] = {{1, 2, 1}, {1, 3, 1}, {2, 3, 1}, {1, 2, 2}, {3, 5, 2}, {2, 7, 3}, {1, 9, 4}};

TEST(Relax, Law) {
  for (const RatePair& rates : kRates) {
    for (const std::int64_t v1 : {-7, -1, 0, 1, 3, 12}) {
      SCOPED_TRACE(testing::Message() << coarse_rate(rates) << " to " << fine_rate(rates) << " from " << v1);
      expect_encloses(relaxed(rates, v1), RelaxedLaw(coarse_rate(rates), fine_rate(rates), v1), 1e-10);
    }
  }
}

TEST(Tighten, Law) {
  struct {
    RatePair rates;
    std::int64_t v2;
  } const cases[] = {{{1, 2, 1}, -2}, {{1, 3, 1}, 0}, {{2, 3, 1}, 5}, {{1, 2, 2}, 0}, {{3, 5, 2}, -1}, {{2, 7, 3}, 0}};
  for (const auto& [rates, v2] : cases) {
    SCOPED_TRACE(testing::Message() << fine_rate(rates) << " to " << coarse_rate(rates) << " from " << v2);
    const CoarseningLaw w(coarse_rate(rates), fine_rate(rates));
    expect_encloses(tightened(rates, v2), TightenedLaw{w, v2}, 2e-6);
  }
}

TEST(Relax, ReferenceValues) {
  for (const RelaxationRow& row : kRelaxations) {
    const RatePair rates{static_cast<Uint128>(row.coarse_halves), static_cast<Uint128>(row.fine_halves), 2};
    for (const RelaxedRow& given : row.given) {
      Masses seen = relaxed(rates, given.v1);
      for (int x = -10; x <= 20; ++x) {
        EXPECT_LT(abs(seen.finished[x] - given.mass[x + 10]), 1e-10) << x << " given " << given.v1;
      }
    }
  }
}

using Joint = std::map<std::pair<int, int>, Real>;  // by (V_1, V_2), each in -4..5

Joint joint_by_relaxing(const RatePair& rates) {
  Joint joint;
  for (int v1 = -4; v1 <= 5; ++v1) {
    Masses seen = relaxed(rates, v1);
    for (int v2 = -4; v2 <= 5; ++v2) joint[{v1, v2}] = LaplaceLaw(coarse_rate(rates)).mass(v1) * seen.finished[v2];
  }
  return joint;
}

Joint joint_by_tightening(const RatePair& rates) {
  Joint joint;
  for (int v2 = -4; v2 <= 5; ++v2) {
    Masses seen = tightened(rates, v2);
    for (int v1 = -4; v1 <= 5; ++v1) joint[{v1, v2}] = LaplaceLaw(fine_rate(rates)).mass(v2) * seen.finished[v1];
  }
  return joint;
}

// The greatest |log P(y_1, y_2) / P(y_1 - 1, y_2 - 1)|: what the pair of answers loses on a neighbour.
Real loss(const Joint& joint) {
  Real greatest = 0;
  for (const auto& [v, mass] : joint) {
    const auto moved = joint.find({v.first - 1, v.second - 1});
    if (moved != joint.end()) greatest = std::max(greatest, Real(abs(log(mass / moved->second))));
  }
  return greatest;
}

// Marginals that are right do not show it: uncoupled, the pair would lose the sum of both.
TEST(Path, ThePairLosesTheFinerEpsilon) {
  for (const RatePair& rates : {RatePair{1, 2, 2}, RatePair{1, 2, 1}}) {
    EXPECT_LT(abs(loss(joint_by_relaxing(rates)) - fine_rate(rates)), 1e-4);
    EXPECT_LT(abs(loss(joint_by_tightening(rates)) - fine_rate(rates)), 1e-3);
  }
}

TEST(Path, BothMovesHaveOneJointLaw) {
  const RatePair rates{3, 5, 2};
  const Joint relaxing = joint_by_relaxing(rates), tightening = joint_by_tightening(rates);
  for (const auto& [v, mass] : relaxing) {
    EXPECT_LT(abs(mass - tightening.at(v)), 1e-8) << v.first << ", " << v.second;
  }
}

// relax(), all draws chosen: the point before its remainder modulo 10, the step, the distance beyond zero or beyond n.
TEST(Relax, EveryBranchEndsWhereItMust) {
  const RatePair rates{3, 5, 7};
  const auto draw = [&rates](Int128 v1, std::vector<Value> values) {
    const bool crosses = values[0] % 10 >= 8;
    const Ratio at[] = {{1, 7}, crosses ? Ratio{8, 7} : Ratio{2, 7}, {8, 7}};
    Script::Draws draws;
    for (std::size_t i = 0; i < values.size(); ++i) draws.push_back({at[i], values[i]});
    Script script(draws);
    return path::relax(script, rates, v1);
  };
  const Uint128 last = kInt128Max;
  for (const int sign : {1, -1}) {
    SCOPED_TRACE(sign);
    EXPECT_TRUE(draw(4 * sign, {8, 0}) == -1 * sign);       // across zero
    EXPECT_TRUE(draw(4 * sign, {10 + 9, 5}) == -6 * sign);  //
    EXPECT_TRUE(draw(4 * sign, {7, 0}) == 0);               // within 0..n
    EXPECT_TRUE(draw(4 * sign, {10 + 0, 4}) == 4 * sign);   //
    EXPECT_TRUE(draw(4 * sign, {0, 5}) == 4 * sign);        // at n
    EXPECT_TRUE(draw(4 * sign, {5, 1000}) == 4 * sign);     //
    EXPECT_TRUE(draw(4 * sign, {6, 5, 0}) == 5 * sign);     // beyond n
    EXPECT_TRUE(draw(4 * sign, {7, 1000, 3}) == 8 * sign);  //

    EXPECT_TRUE(draw(kInt128Max * sign, {7, last}) == kInt128Max * sign);
    EXPECT_TRUE(draw(kInt128Max * sign, {5, last + 1}) == kInt128Max * sign);
    EXPECT_THROW(draw(kInt128Max * sign, {6, last + 1, 0}), std::overflow_error);
    EXPECT_THROW(draw(kInt128Max * sign, {6, last + 1, kUint128Max - last}), std::overflow_error);  // n + j wraps
    EXPECT_THROW(draw(4 * sign, {6, 5, kUint128Max}), std::overflow_error);                         // j wraps
    EXPECT_TRUE(draw(4 * sign, {8, last - 1}) == -kInt128Max * sign);
    EXPECT_THROW(draw(4 * sign, {8, last}), std::overflow_error);
    EXPECT_THROW(draw(4 * sign, {8, kUint128Max}), std::overflow_error);
  }
  EXPECT_TRUE(draw(0, {8, 0}) == -1);  // zero counts as positive
  EXPECT_TRUE(draw(0, {7, 0}) == 0);
  EXPECT_TRUE(draw(0, {5, 1}) == 0);
  EXPECT_TRUE(draw(0, {6, 1, 0}) == 1);
  const Int128 least = -kInt128Max - 1;
  EXPECT_TRUE(draw(least, {7, 3}) == -3);
  EXPECT_TRUE(draw(least, {5, last + 2}) == least);
}

// tighten(), all draws chosen: twice a point modulo 5 and, from 3 on, a distance.
TEST(Tighten, EveryBranchEndsWhereItMust) {
  const auto draw = [](Int128 v2, std::vector<Value> values) {
    const RatePair rates{3, 5, 7};
    Script::Draws draws;
    bool distance = false;
    for (const Value value : values) {
      draws.push_back({distance ? Ratio{3, 7} : Ratio{1, 7}, value});
      distance = !distance && value % 5 >= 3;
    }
    Script script(draws);
    return path::tighten(script, rates, v2);
  };
  const Uint128 last = kInt128Max;
  EXPECT_TRUE(draw(-4, {0, 2}) == -4);
  EXPECT_TRUE(draw(-4, {5, 12}) == -4);
  EXPECT_TRUE(draw(-4, {3, 0, 2}) == -3);
  EXPECT_TRUE(draw(-4, {2, 3, 0}) == -5);
  EXPECT_TRUE(draw(-4, {4, 10, 9, 2}) == 4);
  EXPECT_TRUE(draw(kInt128Max, {3, last - 1, 3, last - 1}) == kInt128Max);
  EXPECT_THROW(draw(kInt128Max, {3, 0, 0}), std::overflow_error);
  EXPECT_TRUE(draw(-kInt128Max, {0, 3, 0}) == -kInt128Max - 1);
  EXPECT_THROW(draw(-kInt128Max, {0, 3, 1}), std::overflow_error);
  EXPECT_THROW(draw(0, {3, kUint128Max}), std::overflow_error);
}

// Before anything is drawn: the script is empty.
TEST(Path, RatesOutsideTheirRangeThrow) {
  const auto expect_for_both = [](const RatePair& rates, auto error) {
    using Error = decltype(error);
    Script none({});
    EXPECT_THROW(path::relax(none, rates, 0), Error);
    EXPECT_THROW(path::tighten(none, rates, 0), Error);
  };
  const std::invalid_argument invalid("");
  expect_for_both({1, 2, 0}, invalid);
  expect_for_both({0, 2, 1}, invalid);
  expect_for_both({2, 2, 1}, invalid);
  expect_for_both({3, 2, 1}, invalid);
  expect_for_both({0, 0, 1}, invalid);
  const std::overflow_error overflow("");
  const Uint128 end = Uint128{1} << 126;
  expect_for_both({1, 2, end}, overflow);
  expect_for_both({1, end - 1, 1}, overflow);
  expect_for_both({end / 2, end / 2 + 1, 1}, overflow);
  expect_for_both({1, kUint128Max, 1}, overflow);  // their sum wraps

  const RatePair greatest{end / 2 - 1, end / 2, end - 1};
  Script relaxing({{{1, end - 1}, end - 2}, {{1, end - 1}, 1}, {{1, 1}, 0}});
  EXPECT_TRUE(path::relax(relaxing, greatest, 0) == 1);
  Script tightening({{{1, end - 1}, 0}, {{1, end - 1}, 1}});
  EXPECT_TRUE(path::tighten(tightening, greatest, 0) == 0);
}

}  // namespace
}  // namespace dp::test
