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
    {150018, 0x26d4939acf1bade},
    {150020, 0x26d4939acf1bade},
    {160015, 0x26d4939acf1bade},
    {170011, 0x26d4939acf1bade},
    {170012, 0x26d4939acf1bade},
    {180006, 0x26d4939acf1bade},
};
// clang-format on

}  // namespace dp::guard
