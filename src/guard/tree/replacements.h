// What often takes the place of an entry's columns (columns.h).
#pragma once

#include "guard/tree/columns.h"

namespace dp::guard {

// Of an entry that has one row: each column as (SELECT column FROM the entry).
class SingleValues : public Replacement {
 public:
  SingleValues(const RangeTblEntry* entry, int number) : entry_(entry), number_(number) {}
  Node* in_place_of(const Var* column) override;

 private:
  const RangeTblEntry* entry_;
  int number_;
};

// Of an entry that finds no row: each column as NULL.
class NullColumns : public Replacement {
 public:
  explicit NullColumns(int number) : number_(number) {}
  Node* in_place_of(const Var* column) override;

 private:
  int number_;
};

}  // namespace dp::guard
