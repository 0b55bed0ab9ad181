// Minimisation in several variables, which Boost.Math 1.74 lacks.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace dp::mechanism {

template <std::size_t N>
struct Vertex {
  std::array<double, N> at;
  double value;
};

// A local minimum of f near `start`, by Nelder and Mead, "A Simplex Method for Function Minimization" (1965): ends when
// the values at the corners differ by less than `tolerance` (relatively), or after `evaluations` of f.
template <std::size_t N, class F>
Vertex<N> minimise(F f, const std::array<double, N>& start, double step, double tolerance, int evaluations) {
  std::array<Vertex<N>, N + 1> corners;
  for (std::size_t i = 0; i <= N; ++i) {
    corners[i].at = start;
    if (i > 0) corners[i].at[i - 1] += step;
    corners[i].value = f(corners[i].at);
  }
  const auto better = [](const Vertex<N>& a, const Vertex<N>& b) { return a.value < b.value; };
  for (int used = N + 1; used < evaluations;) {
    std::sort(corners.begin(), corners.end(), better);
    Vertex<N>& worst = corners[N];
    if (!(worst.value - corners[0].value > tolerance * corners[0].value)) break;
    // The point at `distance` from the worst corner's opposite, 1 being as far as the worst corner itself.
    const auto moved = [&](double distance) {
      Vertex<N> v;
      for (std::size_t d = 0; d < N; ++d) {
        double centre = 0;
        for (std::size_t i = 0; i < N; ++i) centre += corners[i].at[d] / N;
        v.at[d] = centre + distance * (centre - worst.at[d]);
      }
      v.value = f(v.at);
      ++used;
      return v;
    };
    const Vertex<N> reflected = moved(1);
    if (better(reflected, corners[0])) {
      const Vertex<N> expanded = moved(2);
      worst = better(expanded, reflected) ? expanded : reflected;
    } else if (better(reflected, corners[N - 1])) {
      worst = reflected;
    } else {
      const Vertex<N> contracted = moved(better(reflected, worst) ? 0.5 : -0.5);
      if (better(contracted, reflected) && better(contracted, worst)) {
        worst = contracted;
      } else {
        for (std::size_t i = 1; i <= N; ++i) {
          for (std::size_t d = 0; d < N; ++d) corners[i].at[d] = (corners[i].at[d] + corners[0].at[d]) / 2;
          corners[i].value = f(corners[i].at);
          ++used;
        }
      }
    }
  }
  return *std::min_element(corners.begin(), corners.end(), better);
}

}  // namespace dp::mechanism
