// By which hashes a stored answer is found: of its question, and of that with each of its aggregates and with each
// thing that the numbers of one say. So other aggregates of the same rows are not looked at.
//
// A hash only finds answers: what is found is compared whole.
#pragma once

#include <cstdint>

#include "budget/answers/question.h"

namespace dp::budget {

// The first bytes of a digest.
std::int64_t hash_of(std::string_view digest);

// Some numbers, palloc'd.
struct Numbers {
  std::int64_t* of;
  int count;

  void add(std::int64_t number) { of[count++] = number; }
  void sort();  // each is there once then
};

// Answers to the question, which has aggregates, all that have all of these or say them among them: those that do so
// for one of the aggregates, for which few of them do.
Numbers answers_to(const Question& question);

// Writes the hashes by which the answer to that question is found. Returns how many there are.
int store_hashes(const Question& question, std::int64_t answer);

// Removes them, as try_to_remove() does.
void forget_hashes(const Question& question, std::int64_t answer);

}  // namespace dp::budget
