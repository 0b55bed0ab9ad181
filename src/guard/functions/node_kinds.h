// The kinds of nodes that expressions are made of, a row for each, with what is true of it. A kind of a later
// PostgreSQL is made known here. One without a row is refused below the noise, in admission as in a finished plan, and
// is taken for one that runs code of somebody's.
#pragma once

#include <array>
#include <cstdint>

#include "pg/planner.h"

namespace dp::guard {

// How a node is judged below the noise: when it is admitted (admission/admission.cpp) and again in a finished plan
// (inner/plan_expressions.cpp).
enum class Judged : std::uint8_t {
  never,         // not admitted
  in_its_parts,  // no expression, but something with expressions in it
  as_order,      // a clause of ORDER BY or DISTINCT: by its operators
  as_given,      // it has a value before a row is read, or is what something around it has
  by_its_parts,  // cannot fail by itself
  as_column,
  as_collated,  // by what is collated
  as_call,
  as_operation,  // by its operator as well
  as_operation_on_elements,
  as_cast_by_text,
  as_extremum,  // by the order of its type
  as_aggregate,
  by_its_type,
  as_element,  // of an array or a jsonb
  as_field,    // of a row
  as_array,
  as_plan  // the planner alone makes it
};

// What names the function that it calls.
enum class Callee : std::uint8_t { none, by_number, by_operator, by_operator_on_elements };

struct NodeKind {
  Judged judged = Judged::never;
  Callee callee = Callee::none;
  bool of_rows = false;   // its value is read from rows
  bool collates = false;  // has a collation for its arguments
  bool harmless = false;  // runs no code beside the functions that check_functions_in_node() finds
};

// By their tags. All tags of expressions are below that number.
inline constexpr std::size_t kNodeTags = 512;
extern const std::array<NodeKind, kNodeTags> kNodeKinds;

inline NodeKind kind_of_node(const Node* node) {
  const auto tag = static_cast<std::size_t>(nodeTag(node));
  return tag < kNodeTags ? kNodeKinds[tag] : NodeKind{};
}

}  // namespace dp::guard
