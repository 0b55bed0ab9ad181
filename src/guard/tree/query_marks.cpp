#include "guard/tree/query_marks.h"

namespace dp::guard {
namespace {

// The high half says that it is a mark, and above the number of which kind.
constexpr uint64 kOurs = UINT64CONST(0x64705f72) << 32;
constexpr int kNumberBits = 24;
constexpr uint64 kNumber = (uint64{1} << kNumberBits) - 1;

uint64 id_of(const Query* query) {
  const auto id = static_cast<uint64>(query->queryId);
  return (id & ~static_cast<uint64>(PG_UINT32_MAX)) == kOurs ? id & PG_UINT32_MAX : 0;
}

}  // namespace

void mark(Query* query, Mark kind, std::uint32_t number) {
  if (number > kNumber) elog(ERROR, "a statement holds too many private queries");
  const uint64 id = kOurs | static_cast<uint64>(kind) << kNumberBits | number;
  query->queryId = static_cast<decltype(query->queryId)>(kind == Mark::none ? 0 : id);
}

Mark mark_of(const Query* query) { return static_cast<Mark>(id_of(query) >> kNumberBits); }

std::uint32_t number_of_mark(const Query* query) { return static_cast<std::uint32_t>(id_of(query) & kNumber); }

}  // namespace dp::guard
