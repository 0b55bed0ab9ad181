#include "core/accumulate/unit_table.h"

namespace dp::aggregate {

UnitTable::UnitTable(const Tag* tags, int count, Units units, const std::uint32_t* samples, Records records)
    : tags_(tags), samples_(samples), count_(count), units_(units), records_(records) {
  for (int i = 0; i < count; ++i)
    states_bytes_ += tags[i] == Tag::sample ? SampleState::bytes(samples[i]) : state_bytes(State{tags[i]});
  record_bytes_ = states_bytes_ + (by_groups() ? sizeof(GroupRows) : 0);
  slot_bytes_ = record_bytes_ + (units == Units::long_ones ? sizeof(Bytes) : 0);
}

void UnitTable::begin(void* memory, std::uint64_t slots) {
  memory_ = static_cast<char*>(memory);
  slots_ = slots;
  used_ = 0;
  has_zero_ = false;
}

void UnitTable::move_to(void* memory, std::uint64_t slots) {
  const UnitTable old = *this;
  begin(memory, slots);
  old.visit_slots(
      [&](const State& slot) { std::memcpy(static_cast<void*>(free_slot(old.unit_of(slot))), &slot, slot_bytes_); });
}

State* UnitTable::free_slot(const Unit& unit) {
  ++used_;
  std::uint64_t place = by_groups() ? place_of_group(unit) : place_of(unit.word);
  if (place == slots_) {
    has_zero_ = true;
    return at(place);
  }
  while (is_used(*at(place), place)) place = next(place);
  return at(place);
}

void UnitTable::insert(const Unit& unit, const State& record) {
  State* const slot = free_slot(unit);
  std::memcpy(static_cast<void*>(slot), &record, record_bytes_);
  slot->tag = static_cast<Tag>(unit.word);
  if (units_ == Units::long_ones) bytes_of(slot) = {unit.bytes, unit.size};
}

}  // namespace dp::aggregate
