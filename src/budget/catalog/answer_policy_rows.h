// The rows of dp.answer_policy: read with a fresh catalog snapshot, written like a system catalog's. Nothing here asks
// what the current role may do.
#pragma once

#include <cstdint>
#include <optional>

#include "pg/server.h"

namespace dp::budget {

// What a curator says of the answers on a protected table. Without it none are stored.
struct AnswerPolicy {
  std::int64_t reuse;  // how old an answer may be that is shown again, in microseconds
  std::int64_t keep;   // how old a stored answer becomes
  std::int64_t bytes;  // how many bytes all of them may take
  bool shared;         // they serve other roles, too
};

std::optional<AnswerPolicy> answer_policy(Oid relation);

// Inserts the row, or changes the one of that table; nothing: removes it.
void store_answer_policy(Oid relation, const std::optional<AnswerPolicy>& policy);

}  // namespace dp::budget
