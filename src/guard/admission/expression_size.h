// How large the expressions below private aggregates may be.
//
// Many values together could take more memory than there is, once a row gets there. And a column of a subquery is
// written out wherever it is used, so that thirty nested subqueries can make a billion parts of one line of text.
#pragma once

#include <cstdint>

#include "pg/planner.h"

namespace dp::guard {

struct ExpressionSize {
  std::int64_t parts = 0;  // of the expression; a list of constants is one: it is worked out before
  std::int64_t nodes = 0;  // in memory

  ExpressionSize& operator+=(const ExpressionSize& other) {
    parts += other.parts;
    nodes += other.nodes;
    return *this;
  }

  // More than one expression may have, or all of a query level together.
  bool too_large() const { return parts > kMostParts || nodes > kMostNodes; }

  static constexpr int kMostParts = 10'000;
  static constexpr int kMostNodes = 250'000;
};

// The size of an expression in which a reference is as large as of_column(reference) says. Stops where it is too large.
using SizeOfColumn = ExpressionSize (*)(const Var* column, void* context);
ExpressionSize size_of(Node* expression, SizeOfColumn of_column = nullptr, void* context = nullptr);

// Raises DP002. `place` names the expression in messages (WHERE, GROUP BY, an aggregate).
[[noreturn]] void refuse_size(const ExpressionSize& size, const char* place, int location);

}  // namespace dp::guard
