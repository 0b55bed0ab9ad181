#include "budget/ledger/known_divergences.h"

#include <cstddef>
#include <optional>
#include <utility>

namespace dp::budget {
namespace {

// The oldest one gives way.
template <class Key, class Value, std::size_t kPlaces>
class Recent {
 public:
  template <class Compute>
  const Value& get(const Key& key, Compute compute) {
    for (const std::optional<Place>& place : places_) {
      if (place && place->key == key) return place->value;
    }
    std::optional<Place>& place = places_[next_];
    place.emplace(Place{key, compute(key)});
    next_ = (next_ + 1) % kPlaces;
    return place->value;
  }

 private:
  struct Place {
    Key key;
    Value value;
  };

  std::optional<Place> places_[kPlaces];
  std::size_t next_ = 0;
};

}  // namespace

Divergences known_divergences(const Losses& losses) {
  static Recent<Loss, Divergences, 64> known;
  Divergences sum;
  for (Loss loss : losses.all()) {
    const std::int64_t times = std::exchange(loss.times, 1);
    sum += known.get(loss, [](const Loss& one) { return divergences_of(one); }).times(times);
  }
  return sum;
}

const Divergences& known_rough_divergences(std::int64_t epsilon) {
  static Recent<std::int64_t, Divergences, 8> known;
  return known.get(epsilon, rough_divergences);
}

const Conversion& known_conversion(std::int64_t delta) {
  static Recent<std::int64_t, Conversion, 8> known;
  return known.get(delta, [](std::int64_t one) { return Conversion(one); });
}

}  // namespace dp::budget
