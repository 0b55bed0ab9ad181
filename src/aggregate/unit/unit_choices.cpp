#include "aggregate/unit/unit_choices.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "pg/random_bits.h"

namespace dp::aggregate {

void UnitChoices::begin(std::size_t groups) {
  groups_ = groups;
  if (groups <= room_) return;
  room_ = std::max<std::size_t>(2 * room_, groups);
  if (magnitudes_ != nullptr) pfree(magnitudes_);
  magnitudes_ = static_cast<Uint128*>(
      MemoryContextAllocHuge(context_, static_cast<std::size_t>(group_->count) * kRows * room_ * sizeof(Uint128)));
}

// Of each choice once, which is where its first arm is met.
void UnitChoices::share_limits() {
  std::optional<std::uint64_t> key;
  for (int aggregate = 0; aggregate < group_->count; ++aggregate) {
    const UnitShare& share = group_->shares[aggregate];
    if (share.choice == nullptr || share.arm > 0) continue;
    LimitChoice& choice = *share.choice;
    choice.begin();
    const std::size_t places = choice.arms * groups_;
    const Uint128* const whole = magnitudes(choice, kWhole);
    const Uint128 sum = std::accumulate(whole, whole + places, Uint128{0});
    if (sum == 0) continue;
    choice.bin = choice.scale.bin_of(sum);
    choice.alone = std::count(whole, whole + places, Uint128{0}) + 1 == static_cast<std::ptrdiff_t>(places);
    ++choice.units[choice.bin];
    if (choice.alone) continue;
    if (!key) key = pg::random_bits().bits(64);
    for (int number = 0; number < choice.bin; ++number)
      share_limit(*key, choice.scale.limit(number), sum, whole, places, magnitudes(choice, number));
  }
}

}  // namespace dp::aggregate
