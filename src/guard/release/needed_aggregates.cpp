#include "guard/release/needed_aggregates.h"

#include "guard/release/release_node.h"

namespace dp::guard {

NeededAggregates::NeededAggregates(const ReleaseNode& node, const budget::StoredAnswer& answer)
    : places_(answer.places),
      stored_(answer.question.size),
      needed_(static_cast<NeededAggregate*>(palloc0(sizeof(NeededAggregate) * static_cast<Size>(stored_ + 1)))) {
  for (int i = 0; i < node.question->size; ++i) {
    const auto [place, part] = places_[i];
    const aggregate::Form::Kind kind = answer.question.aggregates[place].form.kind;
    const int integers = part == aggregate::Part::whole ? node.gate->call(i).coordinates
                                                        : static_cast<int>(aggregate::numbers_of_column(kind));
    const Form_pg_attribute column = TupleDescAttr(node.shape, node.columns[i] - 1);
    const budget::ColumnForm form =
        integers > 0 ? budget::ColumnForm{-1, false} : budget::ColumnForm{column->attlen, column->attbyval};
    needed_[place] = {form, {0, integers}, node.columns[i]};
  }
  for (int place = 0; place < stored_; ++place) {
    needed_[place].integers.first = integers_;
    integers_ += needed_[place].integers.count;
  }
}

}  // namespace dp::guard
