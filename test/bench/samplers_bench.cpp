// How many exact draws a second, with bits that cost next to nothing and with the server's (tools/bench runs this).
#include <benchmark/benchmark.h>
#include <openssl/rand.h>

#include "core/noise/buffered_bits.h"
#include "core/noise/discrete_gaussian.h"
#include "core/noise/discrete_laplace.h"
#include "core/noise/geometric.h"
#include "core/noise/staircase.h"
#include "support/bits.h"

namespace dp::bench {
namespace {

using noise::Uint128;

// epsilon = 1/2 as nano-epsilon, and sensitivities of a count and of a sum of real values.
constexpr Uint128 kNanoEpsilon = 500'000'000;
constexpr Uint128 kPerUnit = 1'000'000'000;
constexpr Uint128 kCount = 1;
constexpr Uint128 kRealSum = Uint128{1} << 32;

noise::Ratio rate(Uint128 sensitivity) { return noise::ratio(kNanoEpsilon, kPerUnit * sensitivity); }

template <class Draw>
void run(benchmark::State& state, Draw draw) {
  test::SeededBits bits(20240229);
  for (auto _ : state) benchmark::DoNotOptimize(draw(bits));
  state.SetItemsProcessed(state.iterations());
}

// With the bits that the server draws from: there pg_strong_random fills the buffer, by OpenSSL's RAND_bytes too.
void discrete_laplace_secure(benchmark::State& state, Uint128 sensitivity) {
  const noise::DiscreteLaplace law{rate(sensitivity)};
  noise::BufferedBits bits([](void* buffer, std::size_t bytes) {
    return RAND_bytes(static_cast<unsigned char*>(buffer), static_cast<int>(bytes)) == 1;
  });
  for (auto _ : state) benchmark::DoNotOptimize(law.sample(bits));
  state.SetItemsProcessed(state.iterations());
}

void discrete_laplace(benchmark::State& state, Uint128 sensitivity) {
  const noise::DiscreteLaplace law{rate(sensitivity)};
  run(state, [&](noise::BitSource& bits) { return law.sample(bits); });
}

void geometric(benchmark::State& state, Uint128 sensitivity) {
  const noise::Ratio r = rate(sensitivity);
  run(state, [&](noise::BitSource& bits) { return noise::geometric(bits, r); });
}

void staircase(benchmark::State& state, Uint128 sensitivity) {
  const noise::Staircase law{rate(1), sensitivity, (sensitivity + 1) / 2};
  run(state, [&](noise::BitSource& bits) { return law.sample(bits); });
}

// sigma = 8.5 * sensitivity, about that of (1/2, 1e-6).
void discrete_gaussian(benchmark::State& state, int log2_sensitivity) {
  const auto law = noise::DiscreteGaussian::with_variance(289, 2 * log2_sensitivity - 2);
  run(state, [&](noise::BitSource& bits) { return law.sample(bits); });
}

BENCHMARK_CAPTURE(discrete_laplace, sensitivity 1, kCount);
BENCHMARK_CAPTURE(discrete_laplace, sensitivity 2 ^ 32, kRealSum);
BENCHMARK_CAPTURE(discrete_laplace_secure, sensitivity 1, kCount);
BENCHMARK_CAPTURE(discrete_laplace_secure, sensitivity 2 ^ 32, kRealSum);
BENCHMARK_CAPTURE(geometric, sensitivity 1, kCount);
BENCHMARK_CAPTURE(geometric, sensitivity 2 ^ 32, kRealSum);
BENCHMARK_CAPTURE(staircase, sensitivity 1, kCount);
BENCHMARK_CAPTURE(staircase, sensitivity 2 ^ 32, kRealSum);
BENCHMARK_CAPTURE(discrete_gaussian, sensitivity 1, 0);
BENCHMARK_CAPTURE(discrete_gaussian, sensitivity 2 ^ 32, 32);

}  // namespace
}  // namespace dp::bench
