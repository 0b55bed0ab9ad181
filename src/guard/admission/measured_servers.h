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
    {150018, 0x964a4bdbaf1d742c},
    {150020, 0x964a4bdbaf1d742c},
    {160015, 0x964a4bdbaf1d742c},
    {170012, 0x964a4bdbaf1d742c},
    {180006, 0x964a4bdbaf1d742c},
};
// clang-format on

}  // namespace dp::guard
