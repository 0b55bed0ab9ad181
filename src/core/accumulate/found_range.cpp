#include "core/accumulate/found_range.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "core/noise/interrupt.h"

namespace dp::aggregate {
namespace {

using noise::Uint128;
using noise::Utility;

// A cell more at either end takes in what rounding has put there; and a single value lies off both ends.
constexpr double kMargin = 0.25;

// What a size of 1 is worth, in the noise of a choice.
constexpr double kWorth = 2;

// How many rows lie below a number, from that one on. Rows ascend.
template <typename Below>
std::uint64_t count_below(const SortedPoints& rows, std::uint64_t from, const Below& is_below) {
  std::uint64_t end = rows.size();
  while (from < end) {
    const std::uint64_t middle = from + (end - from) / 2;
    if (is_below(rows.at(middle)))
      from = middle + 1;
    else
      end = middle;
  }
  return from;
}

// 0, and the octaves of magnitudes from 1 on.
class Magnitudes {
 public:
  explicit Magnitudes(const OpenGrid& grid) : grid_(grid), last_(std::max(-number(grid.first), number(grid.last))) {}

  int last() const { return static_cast<int>(last_); }

  // With the sign of the number.
  int of(std::uint32_t point) const { return static_cast<int>(number(grid_.first + point)); }

  // What all of it lies below.
  static double end(int magnitude) { return std::ldexp(1.0, magnitude); }

 private:
  std::int64_t number(std::int64_t of_grid) const {
    if (of_grid == 0) return 0;
    const std::int64_t magnitude = ((std::abs(of_grid) - 1) >> grid_.digits) + 1;
    return of_grid < 0 ? -magnitude : magnitude;
  }

  const OpenGrid& grid_;
  std::int64_t last_;
};

// `size`: how large a window of so many cells is; of more cells more.
template <typename Size>
Window choose_window(std::span<const std::uint64_t> rows, const Size& size, mechanism::Epsilon epsilon, Uint128 at_once,
                     noise::BitSource& bits) {
  const noise::Ratio of_row = epsilon.per(at_once);
  const noise::Ratio rate{of_row.num, noise::checked_mul(of_row.den, kPartsOfRow)};
  const double worth = std::ceil(kWorth * static_cast<double>(rate.den) / static_cast<double>(rate.num));
  std::vector<Utility> penalties;
  for (std::size_t cells = 1; cells <= rows.size(); ++cells)
    penalties.push_back(static_cast<Utility>(std::ceil(worth * size(static_cast<double>(cells)))));
  const std::vector<Window> windows = windows_of(static_cast<int>(rows.size()));
  return windows[noise::permute_and_flip(bits, window_utilities(rows, windows, penalties), rate)];
}

}  // namespace

std::vector<Window> windows_of(int cells) {
  std::vector<Window> windows;
  for (int size = 1; size <= cells;
       size += 1 << std::max(0, static_cast<int>(std::bit_width(static_cast<unsigned>(size))) - 3))
    for (int first = 0; first + size <= cells; ++first) windows.push_back({first, first + size - 1});
  return windows;
}

std::vector<Utility> window_utilities(std::span<const std::uint64_t> rows, std::span<const Window> windows,
                                      std::span<const Utility> penalties) {
  std::vector<Utility> before{0};
  for (const std::uint64_t count : rows) before.push_back(before.back() + count);
  std::vector<Utility> utilities;
  utilities.reserve(windows.size());
  for (const Window& window : windows) {
    const Utility inside =
        before[static_cast<std::size_t>(window.last) + 1] - before[static_cast<std::size_t>(window.first)];
    utilities.push_back((inside - before.back()) * kPartsOfRow -
                        penalties[static_cast<std::size_t>(window.cells()) - 1]);
  }
  return utilities;
}

FoundRange find_range(const SortedPoints& rows, const OpenGrid& grid, mechanism::Epsilon epsilon, Uint128 at_once,
                      noise::BitSource& bits) {
  const mechanism::Epsilon half{epsilon.nano / 2};
  // The rows from one cell to another one, of cells that ascend with the points.
  const auto counts_of = [&](int first, int last, const auto& cell_of) {
    const auto below = [&](std::uint64_t from, int end) {
      return count_below(rows, from, [&](std::uint32_t point) { return cell_of(point) < end; });
    };
    std::vector<std::uint64_t> counts;
    std::uint64_t before = below(0, first);
    for (int cell = first; cell <= last; ++cell) {
      noise::check_interrupt();
      const std::uint64_t through = below(before, cell + 1);
      counts.push_back(through - std::exchange(before, through));
    }
    return counts;
  };
  const Magnitudes magnitudes(grid);
  const int last = magnitudes.last();
  const auto of_signs = counts_of(-last, last, [&](std::uint32_t point) { return magnitudes.of(point); });
  std::vector<std::uint64_t> counts(of_signs.begin() + last, of_signs.end());
  for (int i = 1; i <= last; ++i) counts[static_cast<std::size_t>(i)] += of_signs[static_cast<std::size_t>(last - i)];
  const double end = Magnitudes::end(choose_window(
                                         counts, [](double octaves) { return octaves; }, half, at_once, bits)
                                         .last);

  const double cell = 2 * end / kCellsOfRange;
  counts = counts_of(0, kCellsOfRange - 1, [&](std::uint32_t point) {
    return static_cast<int>(std::fmin(std::fmax(std::floor((grid.step(point) + end) / cell), -1), kCellsOfRange));
  });
  const Window found = choose_window(
      counts, [](double cells) { return std::log2(cells); }, half, at_once, bits);
  return {cell * (found.first - kMargin) - end, cell * (found.last + 1 + kMargin) - end, end};
}

}  // namespace dp::aggregate
