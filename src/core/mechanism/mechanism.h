// A mechanism: how noise is chosen for a privacy parameter and a set of possible changes.
//
// To add one: write a file that defines its Family (about 100 lines), declare it in catalogue.h and add it to the list
// in catalogue.cpp. Text form, errors, dp_describe and the aggregates follow from the Family.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <variant>

#include "core/mechanism/epsilon_delta.h"
#include "core/mechanism/law.h"
#include "core/mechanism/loss.h"
#include "core/mechanism/sensitivity.h"

namespace dp::mechanism {

struct Family;

// One of a key's listed words, by its place in the list.
struct Choice {
  std::uint8_t index;
  friend bool operator==(const Choice&, const Choice&) = default;
};

using Value = std::variant<std::monostate, Choice, Delta, double>;

inline constexpr std::size_t kMaxKeys = 4;

// A parsed `name(key=value, ...)`: plain data. Where a choice was left out its default is filled in; another key that
// was left out is empty.
struct Mechanism {
  const Family* family;
  std::array<Value, kMaxKeys> values{};
};
static_assert(std::is_trivially_copyable_v<Mechanism>);

// The law to draw from, and on which lattice: each lattice step is cut into 2^refinement, so that the exact integers
// are multiplied by 2^refinement before the noise is added.
struct Calibration {
  Mechanism mechanism;  // the one that is used: `auto` has chosen
  Law law;
  unsigned refinement;
};

// The noise of one released number, for reports.
struct Description {
  Mechanism mechanism;  // the one that would be used: `auto` has chosen
  Loss loss;
  std::function<double(double)> within;  // P(|noise| <= t), t >= 0
  std::function<double(double)> phi;     // |E e^{i t noise}|, the absolute characteristic function
};

struct Key {
  enum class Type : std::uint8_t {
    choice,  // one of `choices`, the first by default
    delta,   // must be given, unless `required` says otherwise
    number,  // any finite decimal; the family's `check` says whether it must be given and which are allowed
  };

  std::string_view name;
  Type type;
  std::span<const std::string_view> choices = {};
  bool required = true;  // of a delta
};

struct Family {
  std::string_view name;
  std::string_view example;  // a valid text of the family, shown in hints
  std::span<const Key> keys;

  // Throws dp::Error where the keys do not fit together or are out of range. Called once, when the text is read.
  void (*check)(const Mechanism&);

  // The law of least noise that is (epsilon, delta)-differentially private for every change in the set.
  // Throws dp::Error where there is none.
  Calibration (*calibrate)(const Mechanism&, Epsilon, const Changes&, Lattice);

  // The noise of one released number of that sensitivity (> 0). On Lattice::integer the sensitivity is a whole number
  // and the figures are those of the released integer; on Lattice::fine those of the continuous law that is approached.
  Description (*describe)(const Mechanism&, Epsilon, double sensitivity, Lattice);
};

// The delta that an answer costs beside epsilon; zero for pure mechanisms.
Delta delta_of(const Mechanism& mechanism);

// The check of a family whose keys all stand for themselves.
inline void accept_keys(const Mechanism&) {}

// Shorthands for the catalogue's own entry points.
inline Calibration calibrate(const Mechanism& m, Epsilon epsilon, const Changes& changes, Lattice lattice) {
  return m.family->calibrate(m, epsilon, changes, lattice);
}

// Throws dp::Error unless the sensitivity is finite, positive and, on Lattice::integer, a whole number up to 2^53.
Description describe(const Mechanism& m, Epsilon epsilon, double sensitivity, Lattice lattice);

}  // namespace dp::mechanism
