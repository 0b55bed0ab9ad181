// A mechanism: how noise is chosen for a privacy parameter and a set of possible changes.
//
// To add one: write a file that defines its Family (about 100 lines), declare it in catalogue.h and add it to the list
// in catalogue.cpp. Text form, errors, dp_describe and the aggregates follow from the Family.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "mechanism/changes.h"
#include "mechanism/law.h"
#include "mechanism/loss.h"
#include "mechanism/privacy.h"

namespace dp::mechanism {

struct Family;

// One of a key's listed words, by its place in the list.
struct Choice {
  std::uint8_t index;
  friend bool operator==(const Choice&, const Choice&) = default;
};

using Value = std::variant<std::monostate, Choice, Delta>;

inline constexpr std::size_t kMaxKeys = 4;

// A parsed `name(key=value, ...)`: plain data, with the default filled in where a key was left out.
struct Mechanism {
  const Family* family;
  std::array<Value, kMaxKeys> values{};
};
static_assert(std::is_trivially_copyable_v<Mechanism>);

// The law to draw from, and on which lattice: each lattice step is cut into 2^refinement, so that the exact integers are
// multiplied by 2^refinement before the noise is added.
struct Calibration {
  Mechanism mechanism;  // the one that is used: `auto` has chosen
  Law law;
  unsigned refinement;
};

struct Description {
  Mechanism mechanism;
  Loss loss;
};

// A key takes one of `choices`, the first by default; with no choices it takes a delta and must be given.
struct Key {
  std::string_view name;
  std::span<const std::string_view> choices;
};

struct Family {
  std::string_view name;
  std::span<const Key> keys;

  // The law of least noise that is (epsilon, delta)-differentially private for every change in the set.
  // Throws dp::Error where there is none.
  Calibration (*calibrate)(const Mechanism&, Epsilon, const Changes&, Lattice);

  // The noise of one released number of that sensitivity (> 0). On Lattice::integer the sensitivity is a whole number and
  // the figures are those of the released integer; on Lattice::fine those of the continuous law that is approached.
  Description (*describe)(const Mechanism&, Epsilon, double sensitivity, Lattice);
};

// The delta that an answer costs beside epsilon; zero for pure mechanisms.
Delta delta_of(const Mechanism& mechanism);

// Shorthands for the catalogue's own entry points.
inline Calibration calibrate(const Mechanism& m, Epsilon epsilon, const Changes& changes, Lattice lattice) {
  return m.family->calibrate(m, epsilon, changes, lattice);
}

// Throws dp::Error unless the sensitivity is finite, positive and, on Lattice::integer, a whole number up to 2^53.
Description describe(const Mechanism& m, Epsilon epsilon, double sensitivity, Lattice lattice);

}  // namespace dp::mechanism
