// What is known of the values of an expression, and how surely.
#pragma once

#include <cstdint>
#include <optional>

namespace dp::guard {

enum class Sound : std::uint8_t {
  proven,   // by types, constants and the definitions of functions: it is so in every row
  declared  // also by what somebody has said, or what the question asks for: a row may lie outside
};

// A fact, or nothing. What is proven is as good as declared. What is declared is never as good as proven: a call that
// was let pass because of it would raise an error that tells of the row that lies outside.
template <Sound sound, class Fact>
class Known {
 public:
  Known() = default;
  Known(std::nullopt_t) {}
  Known(std::optional<Fact> fact) : fact_(std::move(fact)) {}
  template <Sound other>
  requires(other == Sound::proven && sound == Sound::declared) Known(const Known<other, Fact>& proven)
      : fact_(proven.fact()) {}

  explicit operator bool() const { return fact_.has_value(); }
  const Fact& operator*() const { return *fact_; }
  const Fact* operator->() const { return &*fact_; }
  bool operator==(const Fact& other) const { return fact_ == other; }
  const std::optional<Fact>& fact() const { return fact_; }

 private:
  std::optional<Fact> fact_;
};

}  // namespace dp::guard
