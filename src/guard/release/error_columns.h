// The columns of a release node that show how far its answers may be off (guard/rewrite/error_calls.h). Released
// numbers and public parameters only.
#pragma once

#include "aggregate/call/answer_datum.h"
#include "aggregate/call/vector_datum.h"
#include "guard/release/answered_as.h"
#include "pg/planner.h"

namespace dp::guard {

// Checks the confidences of the errors that the node is asked for, before anything is charged. Throws dp::Error for one
// that is not between 0 and 1, raises 22004 for NULL.
void check_confidences(const ReleaseNode& node);

// Of rows whose aggregates were all answered alike. In the current memory context.
class ErrorColumns {
 public:
  // `answered`: for each aggregate with noise how it was; `integers`: where the integers of each stand.
  ErrorColumns(const ReleaseNode& node, const AnsweredAs* answered, const IntegersOf* integers);

  // Puts the errors, and what was left out, into a row of the node. `noisy`: the noisy integers that its answers are
  // read from. An error is NULL where the answer says nothing of it.
  void fill(TupleTableSlot* row, const noise::Int128* noisy) const;

 private:
  struct Column {
    int number;
    aggregate::Form form;
    aggregate::Margin margin;
    const aggregate::VectorErrors* errors;  // of a part, in place of that
    aggregate::Part part;                   // whose error is asked
    IntegersOf integers;                    // none: what is asked is not known
    bool is_bias;                           // it is what was left out, and not the error:
    double cut;                             // as AnsweredAs has it
  };

  static std::optional<double> bias(const Column& column, noise::Int128View noisy);

  Column* columns_;
  int count_ = 0;
};

}  // namespace dp::guard
