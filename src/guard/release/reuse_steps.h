// From a stored answer to what is asked: which levels of its release are needed, and what they and the rest cost.
#pragma once

#include <optional>
#include <span>

#include "budget/ledger/ledger.h"
#include "budget/release/parts.h"
#include "guard/release/reuse.h"

namespace dp::guard {

// Which levels of a release bring an answer to what is asked, and what else there is to pay.
struct Steps {
  budget::ReleasePart* part;  // nullptr: no level is needed
  List* wanted;               // budget::WantedLevel*
  budget::Cost others;        // of aggregates without levels, for a role that has not paid for them
  bool possible;
};

// At which epsilon the node asks that aggregate, and at which the stored answer has it.
mechanism::Epsilon asked_of(const ReleaseNode& node, int aggregate);
mechanism::Epsilon held_of(const budget::StoredAnswer& answer, int aggregate);

// For the ways `finer` and `shared`; none for others.
Steps steps_of(const ReleaseNode& node, const Reuse& reuse);

// What the steps charge, a list of budget::Entry*; nothing where a level cannot be had.
std::optional<List*> price(const ReleaseNode& node, const Reuse& reuse, const Steps& steps);

// Whether the answer serves in that way.
bool serves(const ReleaseNode& node, const Reuse& reuse);

// What the ledger calls the charges of that way.
const char* kind_of(const Reuse& reuse);

// Charges, durably, what is no level.
void charge_others(const ReleaseNode& node, const Reuse& reuse, const Steps& steps);

}  // namespace dp::guard
