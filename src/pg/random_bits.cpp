#include "pg/random_bits.h"

#include "core/noise/buffered_bits.h"
#include "pg/server.h"

namespace dp::pg {
namespace {

constinit noise::BufferedBits server_bits(pg_strong_random);

}  // namespace

noise::BitSource& random_bits() {
  server_bits.own_by(MyProcPid);
  return server_bits;
}

}  // namespace dp::pg
