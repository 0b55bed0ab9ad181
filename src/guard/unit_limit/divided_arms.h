// Counts under conditions that exclude each other, of units with several rows: the rows that count of a unit are
// divided among them. So all of them together change by no more than one of them could, and cost what the dearest does.
#pragma once

#include "guard/query/private_query.h"

namespace dp::guard {

class DividedArms {
 public:
  // The families of the question's aggregates (rewrite/exclusive_arms.h), of which none is left there: a unit has rows
  // in several arms.
  void take_from(InnerQuery* what);

  // Says in the inner query that the count of that number divides the rows that count with the others of its family.
  // False, and nothing is said, where it has none, or one counts under the same condition already.
  bool divide(int number);

  // Says so of all counts by conditions of the query.
  void divide_counts(const Query* query);

  // The number of rows that the arms of that count's family are about, those so far and it.
  Aggref* rows_up_to(int number, const Aggref* count);

 private:
  InnerQuery* what_ = nullptr;
  List* families_ = NIL;
  List* counted_ = NIL;  // List: of each family Node, which rows its arms so far are about
};

}  // namespace dp::guard
