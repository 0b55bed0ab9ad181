// How rows of function_facts.h are written: several functions of which the same is known stand together.
#pragma once

#include <algorithm>
#include <array>

#include "guard/functions/called_functions.h"
#include "guard/functions/function_facts.h"

namespace dp::guard {

template <std::size_t size>
consteval std::array<FunctionFacts, size> each(const Oid (&functions)[size], const FunctionFacts& facts) {
  std::array<FunctionFacts, size> rows{};
  for (std::size_t i = 0; i < size; ++i) {
    rows[i] = facts;
    rows[i].function = functions[i];
  }
  return rows;
}

// A row that also says which function of citext it stands for.
consteval std::array<FunctionFacts, 1> of_citext(Oid function, const OfCitext& citext, FunctionFacts facts) {
  facts.function = function;
  facts.citext = citext;
  return {facts};
}

template <std::size_t... sizes>
consteval std::array<FunctionFacts, (sizes + ...)> together(const std::array<FunctionFacts, sizes>&... groups) {
  std::array<FunctionFacts, (sizes + ...)> rows{};
  auto* next = rows.begin();
  ((next = std::copy(groups.begin(), groups.end(), next)), ...);
  return rows;
}

}  // namespace dp::guard
