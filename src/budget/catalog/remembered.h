// What a function found out, for the next time that it is asked the same: a question asks who pays, who may read and
// whether all is as planned at each of its steps.
//
// The function reads nothing but what known_rows.h keeps and PostgreSQL's own catalogs, and what it returns holds until
// this session hears of any change there. Where a row that it read cannot be kept, or it has asked the snapshot how old
// something is, what it returned is not remembered.
#pragma once

#include <cstddef>
#include <type_traits>

#include "budget/catalog/known_rows.h"

namespace dp::budget {

// Of the session: static. A Key and a Value are numbers and structures of these.
template <class Key, class Value, std::size_t kPlaces = 16>
class Remembered {
 public:
  // What compute() returns now. An error of it is remembered by nobody.
  template <class Compute>
  Value get(const Key& key, Compute compute) {
    AcceptInvalidationMessages();
    const CatalogVersion now = catalog_version();
    for (const Place& place : places_) {
      if (place.catalog_version.changes == now.changes && place.key == key) return place.value;
    }
    const Value value = compute();
    put(key, value, now);
    return value;
  }

  // What was found out otherwise, after this session had heard of `since`.
  void put(const Key& key, const Value& value, const CatalogVersion& since) {
    if (!(catalog_version() == since)) return;
    places_[next_] = {since, key, value};
    next_ = (next_ + 1) % kPlaces;
  }

 private:
  static_assert(std::is_trivially_destructible_v<Key> && std::is_trivially_destructible_v<Value>,
                "an error jumps over them");

  struct Place {
    CatalogVersion catalog_version{PG_UINT64_MAX, 0};
    Key key;
    Value value;
  };

  Place places_[kPlaces];
  std::size_t next_ = 0;
};

}  // namespace dp::budget
