#include "pg/random_bits.h"

#include <cstdint>
#include <stdexcept>

#include "pg/server.h"

namespace dp::pg {
namespace {

class ServerBits : public noise::BitSource {
 public:
  constexpr ServerBits() = default;

  void own_by(int pid) {
    if (owner_ == pid) return;
    explicit_bzero(words_, sizeof words_);
    next_ = kWords;
    discard();
    owner_ = pid;
  }

 private:
  Chunk refill() override {
    if (next_ == kWords) {
      if (!pg_strong_random(words_, sizeof words_)) throw std::runtime_error("could not generate random bits");
      next_ = 0;
    }
    const std::uint64_t word = words_[next_];
    words_[next_++] = 0;  // what has decided a draw does not stay in memory
    return {word, 64};
  }

  static constexpr int kWords = 512;

  int owner_ = 0;
  int next_ = kWords;
  std::uint64_t words_[kWords] = {};
};

constinit ServerBits server_bits;

}  // namespace

noise::BitSource& random_bits() {
  server_bits.own_by(MyProcPid);
  return server_bits;
}

}  // namespace dp::pg
