// The records of units that a process has shipped (unit_stream.h), one after the other.
#pragma once

#include "aggregate/unit/unit_stream.h"
#include "core/accumulate/unit_format.h"

namespace dp::aggregate {

// Lives in a memory context, without a destructor; what it needs is in the one that is current when it begins.
class ShippedRecords {
 public:
  // `shipped` must live as long as this where it holds the records itself: where head.in_file is 0.
  ShippedRecords(const ShippedHead& head, const bytea* shipped, FileSet* files, const UnitFormat& format)
      : ShippedRecords(UnitReader(head, shipped, files), format) {}

  // The same of what is left there.
  ShippedRecords(const UnitReader& reader, const UnitFormat& format) : reader_(reader), format_(format) { next(); }

  // Whether there is one more, and that one, good until next(). Raises an error where it is not what was shipped.
  bool is_there() const { return is_there_; }
  const UnitEntry& entry() const { return entry_; }

  void next() {
    while (from_ == end_) {
      is_there_ = reader_.next(&from_, &end_);
      if (!is_there_) return;
    }
    if (!format_.read(from_, static_cast<std::size_t>(end_ - from_), &entry_)) refuse_units();
    format_.find_word(&entry_.unit);
    from_ += entry_.bytes;
  }

  void end() { reader_.end(); }

 private:
  UnitReader reader_;
  UnitFormat format_;
  UnitEntry entry_{};
  const char* from_ = nullptr;
  const char* end_ = nullptr;
  bool is_there_ = false;
};

}  // namespace dp::aggregate
