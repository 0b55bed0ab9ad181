#include "core/accumulate/unit_table.h"

namespace dp::aggregate {

UnitTable::UnitTable(const Tag* tags, int count, Units units, const std::uint32_t* samples)
    : record_(tags, count, samples),
      units_(units),
      slot_bytes_(record_.bytes() + (units == Units::long_ones ? sizeof(Bytes) : 0)) {}

void UnitTable::begin(void* memory, std::uint64_t slots) {
  memory_ = static_cast<char*>(memory);
  slots_ = slots;
  used_ = 0;
  has_zero_ = false;
}

void UnitTable::move_to(void* memory, std::uint64_t slots) {
  const UnitTable old = *this;
  begin(memory, slots);
  for (std::uint64_t place = 0; place <= old.slots_; ++place) {
    const State* const slot = old.at(place);
    if (!(place == old.slots_ ? old.has_zero_ : word(*slot) != 0)) continue;
    std::memcpy(static_cast<void*>(free_slot(word(*slot))), slot, slot_bytes_);
  }
}

State* UnitTable::free_slot(std::uint64_t unit) {
  ++used_;
  std::uint64_t place = place_of(unit);
  if (place == slots_) {
    has_zero_ = true;
    return at(place);
  }
  while (word(*at(place)) != 0) place = next(place);
  return at(place);
}

void UnitTable::insert(const Unit& unit, const State& record) {
  State* const slot = free_slot(unit.word);
  std::memcpy(static_cast<void*>(slot), &record, record_.bytes());
  slot->tag = static_cast<Tag>(unit.word);
  if (units_ == Units::long_ones) bytes_of(slot) = {unit.bytes, unit.size};
}

}  // namespace dp::aggregate
