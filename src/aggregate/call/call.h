// One DP aggregate call in one execution, and the functions that PostgreSQL runs for it.
//
// Life of a call: when the executor starts, every Agg node is looked through (prepare_plan.h). The parameters of each
// of our aggregates are checked and made into a Call, which is stored in fn_extra of its transition and final
// functions. A function that finds no Call there was not called by such a node, and refuses. So a wrong parameter is an
// error before any row is read, a setting is read once, and calling a support function by hand leads nowhere.
#pragma once

#include <optional>

#include "aggregate/call/arguments.h"
#include "core/accumulate/answer_shape.h"
#include "core/accumulate/state.h"
#include "core/accumulate/unit_state.h"
#include "core/mechanism/mechanism.h"
#include "core/noise/bit_source.h"
#include "pg/server.h"

namespace dp::aggregate {

struct Call;
struct Support;
struct UnitGroup;
struct VectorErrors;
class RowColumns;

// How an aggregate keeps its rows private.
enum class Release : std::uint8_t {
  noise,   // integers with noise on them
  choice,  // one of the possible answers is chosen
  none,    // it does not: its values must be private already
};

// What stands above the aggregates of a protected table (the release node), and learns of everything that leaves them.
class Gate {
 public:
  // An aggregate that will answer through this gate, before a row is read. May change its mechanism and raise an error.
  virtual void adopt(Call* call, Release release) = 0;

  // A final function begins to answer. Raises an error where the gate is shut.
  virtual void answering(const Call& call) = 0;

  // It has drawn: `noisy` = exact integer + `noise`, in refined steps. Once for each coordinate, in order.
  virtual void drew(const Call& call, Int128 noisy, Int128 noise) = 0;

 protected:
  ~Gate() = default;
};

// Lives in the query's memory, where no destructor runs: plain data only.
struct Call {
  mechanism::Mechanism mechanism;
  mechanism::Epsilon epsilon;
  mechanism::Changes changes;  // of the integers that noise is added to, by one row
  mechanism::Lattice lattice;
  int choices;  // one after the other, each at that part of epsilon; 0: not several; kTogether: kinds/quantile.h
  Form form;    // unused where nothing is added to integers
  Oid answer_type;
  mechanism::Calibration calibration;  // filled in where the node computes answers, as is
  const VectorErrors* errors;          // what the answer shows of its errors; nullptr but of vectors

  // What runs for each row: the transition, made for these parameters; null where the declared one does it all. For it a
  // call is there for certain: the declared one checks that and goes on to it.
  PGFunction row;

  // Where answers leave through a gate: the gate, the aggregate's number there, and the integers of one answer.
  Gate* gate;
  int number;
  int coordinates;
  int column;  // its number in the node (aggno)
  const FmgrInfo* final;

  // Where the answer is made of parts by privacy unit: whose functions make them, and what one unit may add.
  const Support* support;
  std::uint32_t unit_rows;
  mechanism::Epsilon limit_epsilon;  // of choosing that, where nobody has said it (limit_choice.h); 0: it is known
  bool in_one_group;                 // and a unit is in one group of the answer
  int family;  // and it is chosen for all `arms` calls that have this number, which is not 0: no row is in two of them
  unsigned arms;
  // And for all `alike` calls that have this number, which is not 0, it is chosen from the same counts: they are about
  // the same rows of each unit.
  int same_rows;
  int alike;
  bool open;             // nothing but such a limit bounds what a row adds
  bool lacks_range;      // one of its answers so far is NaN, as no range was found for it
  std::uint32_t sample;  // of a part whose rows are kept: how many of a unit at most; 0: its state has all rows
  RowSteps steps;
  bool counts_missing;  // rows without a value count, too
  bool by_bucket;       // of a histogram: units have a record for each bucket (unit_buckets.h), not rows that are kept
  UnitGroup* units;     // where the aggregates of its node keep the states of units together, and its number there
  int share;
  RowColumns* columns;  // what it reads from each row, where no expression does

  // Chooses the law, and what the form says of it.
  void calibrate();
};

// The functions of one aggregate (all its overloads) and how its parameters become a Call.
struct Support {
  PGFunction transition;
  PGFunction final;
  Call* (*prepare)(const Arguments&);
  Release release = Release::noise;
  // The kind of states of privacy units that its answer can be made of (unit_aggregates.h).
  std::optional<Tag> of_unit = std::nullopt;
  // Of what is answered in another way with Gaussian noise, which `auto` then is where accounts count Rényi
  // divergences.
  void (*with_gaussian)(Call*) = nullptr;
  // What answers in its place where one of the bounds, the second and third argument, is infinite; nullptr: nothing.
  const Support* open = nullptr;
};

extern const Support kCount;
extern const Support kSum;
extern const Support kAvg;
extern const Support kVariance;
extern const Support kStddev;
extern const Support kVarPop;
extern const Support kStddevPop;
extern const Support kTotals;
extern const Support kAllMoments;
extern const Support kCovariance;
extern const Support kRegression;
inline constexpr int kPairPartCount = static_cast<int>(Part::covariances) - static_cast<int>(Part::pairs);
extern const Support kPairParts[kPairPartCount];
extern const Support kHistogram;
extern const Support kCells;
extern const Support kCategories;
extern const Support kCumulative;
extern const Support kBounds;
extern const Support kMode;
extern const Support kQuantile;
extern const Support kQuantiles;
extern const Support kMedian;
extern const Support kMin;
extern const Support kMax;
extern const Support kResponses;
extern const Support kIncomplete;

// A zeroed call in the current memory context.
template <class C>
C* make_call() {
  static_assert(std::is_base_of_v<Call, C> && std::is_trivially_destructible_v<C>);
  static_assert(alignof(C) <= MAXIMUM_ALIGNOF);  // as clang sees 128-bit integers it is not, and palloc gives no more
  return new (palloc(sizeof(C))) C{};
}

// Says how the integers of the call become its answer.
void set_form(Call* call, const Form& form, int coordinates = 1);

// Raises the error of a support function that was not called by an Agg node that prepare_plan.cpp has prepared.
[[noreturn]] void refuse_direct_call(FunctionCallInfo fcinfo);

template <class C>
const C& call_of(FunctionCallInfo fcinfo) {
  const auto* call = static_cast<const C*>(static_cast<const Call*>(fcinfo->flinfo->fn_extra));
  if (call == nullptr) [[unlikely]]
    refuse_direct_call(fcinfo);
  return *call;
}

// The declared transition of calls that have their own.
inline Datum run_row(FunctionCallInfo fcinfo) { return call_of<Call>(fcinfo).row(fcinfo); }

// The memory in which states of the running aggregate live.
MemoryContext state_memory(FunctionCallInfo fcinfo);

// A zeroed state of that many bytes.
State* new_state(FunctionCallInfo fcinfo, std::size_t bytes, Tag tag);

// What stands below runs for each row. The rare cases are calls in tail position, so that the common one needs no
// stack.

// A transition's answer to a row that it passes over.
inline Datum same_state(FunctionCallInfo fcinfo) {
  if (PG_ARGISNULL(0)) PG_RETURN_NULL();
  return PG_GETARG_DATUM(0);
}

// Runs the transition again for the first row of a group, on a new state.
template <class S>
[[gnu::noinline]] Datum with_new_state(FunctionCallInfo fcinfo, PGFunction transition) {
  fcinfo->args[0] = {PointerGetDatum(new_state(fcinfo, sizeof(S), S::kTag)), false};
  return transition(fcinfo);
}

// The transition state in argument 0, which must not be NULL.
template <class S>
S& own_state(FunctionCallInfo fcinfo) {
  return *static_cast<S*>(reinterpret_cast<State*>(PG_GETARG_POINTER(0)));
}

// A final function's state: that of argument 0, or all zeros where no row came (also from an empty parallel plan).
// Raises an error where the pointer is not to a state of that kind.
const State* final_state(FunctionCallInfo fcinfo, Tag tag);

template <class S>
S state_or_zero(FunctionCallInfo fcinfo) {
  const State* const state = final_state(fcinfo, S::kTag);
  return state == nullptr ? S{} : *static_cast<const S*>(state);
}

// The call of a final function, which is about to answer.
template <class C>
const C& answering_call(FunctionCallInfo fcinfo) {
  const C& call = call_of<C>(fcinfo);
  if (call.gate != nullptr) call.gate->answering(call);
  return call;
}

// What the call answers where there are no rows, drawn as any other answer.
Datum answer_to_no_rows(const Call& call);

// The answer of a call of Release::noise: fresh noise on each of the exact integers, then the call's form.
Datum answer(const Call& call, noise::Int128View exact);

}  // namespace dp::aggregate
