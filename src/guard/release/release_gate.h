// The gate of one DpRelease, through which everything passes that the aggregates below it answer: it knows the
// aggregates, what they cost, how often they answered, and what was drawn.
#pragma once

#include "aggregate/call/call.h"
#include "core/accounting/loss.h"
#include "guard/query/private_query.h"
#include "guard/release/counting.h"
#include "guard/release/kept_draws.h"

namespace dp::guard {

class ReleaseGate final : public aggregate::Gate {
 public:
  // `keep`: how many draws may be kept for a release; 0 for none. Lives in the current memory context, and no longer
  // than the private query.
  ReleaseGate(const InnerQuery* inner_query, std::int64_t keep, const Counting* counting)
      : inner_query_(inner_query), counting_(counting), keep_(keep), draws_(CurrentMemoryContext) {}

  void adopt(aggregate::Call* call, aggregate::Release release) override;
  void answering(const aggregate::Call& call) override;
  void drew(const aggregate::Call& call, noise::Int128 noisy, noise::Int128 noise) override;

  // The aggregates that answer through this gate, in the order of their numbers.
  int size() const { return list_length(calls_); }
  const aggregate::Call& call(int number) const { return *static_cast<aggregate::Call*>(list_nth(calls_, number)); }

  // What one group of each grouping set costs: groups of one set are disjoint, so they cost what one of them does; and
  // so are the arms of a family (rewrite/exclusive_arms.h).
  budget::Cost cost() const;

  // The same of one aggregate, in one grouping set.
  budget::Cost cost_of(int number) const;

  // Of the aggregate's noise, in refined steps.
  mechanism::NoisePath path_of(int number) const;

  // What choosing the limits costs where nobody has said them: (epsilon, 0). It is done once, and known to whoever sees
  // an answer; and for all that are chosen from the same counts it costs what the dearest does.
  budget::Cost cost_of_limits() const;

  // Whether the limit of one of them could not be found (aggregate/call/limit_choice.h).
  bool lacks_limit() const;

  // Whether an answer of one of them is NaN, as no range was found for it.
  bool lacks_range() const;

  // Answers are let through from open() to close() only, and each aggregate answers once for each row: end_row() raises
  // an error where that is not so.
  void open();
  void end() { draws_.end(); }  // with its statement
  void close() { open_ = false; }
  void end_row();

  // Where running totals are published, before anything is drawn: a count of one is 2^kStreamBits of the integers that
  // noise is added to (core/accumulate/stream_sums.h).
  void count_in_stream();

  // Before anything is drawn, of what is answered in another way than group by group (group_curves.h): that no release is
  // kept; and Gaussian noise, where nobody named a mechanism and the accounts count so that it may be that.
  void keep_nothing() { keep_ = 0; }
  bool may_be_gaussian(int number) const;
  void make_gaussian(int number);

  // Of the number `place` of the row that ended: what it is without noise; and another one in its place.
  noise::Int128 exact(int place) const { return noisy_[place] - noise_[place]; }
  void show(int place, noise::Int128 noisy) { noisy_[place] = noisy; }
  // The row that ended is shown, or it is dropped without a trace: the number of kept draws must not tell of it.
  void keep_row();
  void drop_row();
  std::int64_t rows() const { return rows_; }

  // Whether the draws of all rows were kept; there are draws_per_row() of them in each row.
  bool keeps() const { return keep_ > 0; }
  int draws_per_row() const { return draws_per_row_; }
  // The noisy integers of the last row that was answered, those of each aggregate with noise in their order.
  noise::Int128View noisy() const { return {noisy_, static_cast<std::size_t>(draws_per_row_)}; }

  // Good until the next call.
  const Draw* draws(std::int64_t row) { return draws_.read(row * draws_per_row_, draws_per_row_); }

 private:
  void choose_noise(aggregate::Call* call) const;
  int family_of(int number) const;
  unsigned arms_beside(int number) const;
  int same_rows_of(int number) const;
  int alike(int same_rows) const;
  template <class CostOf>
  budget::Cost together(CostOf cost_of) const;

  const InnerQuery* inner_query_;
  const Counting* counting_;
  List* calls_ = NIL;
  List* automatic_ = NIL;  // int: those whose mechanism nobody named
  int draws_per_row_ = 0;
  std::int64_t bytes_per_row_ = 0;
  std::int64_t keep_;
  bool open_ = false;
  std::int64_t rows_ = 0;
  int answered_ = 0;  // in the current row
  int drawn_ = 0;     // in the current row
  noise::Int128* noisy_ = nullptr;
  noise::Int128* noise_ = nullptr;  // of the last row
  KeptDraws draws_;
};

}  // namespace dp::guard
