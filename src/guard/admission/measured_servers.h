// Releases of PostgreSQL on which the functions on the list were measured. Written by tools/evidence.
#pragma once

#include <cstdint>

namespace dp::guard {

struct MeasuredServer {
  int version;  // as server_version_num says it
  std::uint64_t digest;
};

// A line each, as tools/evidence finds them.
// clang-format off
inline constexpr MeasuredServer kMeasuredServers[] = {
    {150018, 0xcfc30d2ba075e18b},
    {150020, 0xcfc30d2ba075e18b},
    {160015, 0xcfc30d2ba075e18b},
    {170012, 0xcfc30d2ba075e18b},
    {180006, 0xcfc30d2ba075e18b},
};
// clang-format on

}  // namespace dp::guard
