// Aggregates under conditions that exclude each other, of units with several rows: what counts of a unit is divided
// among them. So all of them together change by no more than one of them could, and cost what the dearest does. Where a
// limit is declared these are the counts; where it is chosen, all whose limits are of the same amounts
// (aggregate/unit/limit_choice.h).
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

  // The same where limits are chosen, of aggregates that differ in nothing but their condition and what they are of. What
  // has several in an arm, such as a count and a sum, becomes several families. Of a family the rows are those of all
  // its arms: says so in what is known of the same rows (rewrite/same_rows.h), and leaves there what makes several
  // limits be chosen from the same counts.
  void limit_together(const Query* query);

  // The number of rows that the arms of that count's family are about, those so far and it.
  Aggref* rows_up_to(int number, const Aggref* count);

 private:
  void divide_alike(const Query* query);
  void count_same_rows();

  InnerQuery* what_ = nullptr;
  List* families_ = NIL;
  List* counted_ = NIL;  // List: of each family Node, which rows its arms so far are about
};

}  // namespace dp::guard
