#include "guard/inner/inner_run.h"

#include "pg/execution.h"

namespace dp::guard {
namespace {

struct Receiver {
  DestReceiver receiver;
  void (*take)(void* self, TupleTableSlot* row);
  void* self;
};

bool receive(TupleTableSlot* row, DestReceiver* opaque) {
  const auto* const to = reinterpret_cast<Receiver*>(opaque);
  pg::entry([=] { to->take(to->self, row); });
  return true;
}

}  // namespace

QueryDesc* begin_inner_query(PlannedStmt* plan, const EState* outer, ParamListInfo values,
                             QueryEnvironment* environment, int flags, int instruments) {
  QueryDesc* const inner = CreateQueryDesc(plan, outer->es_sourceText, outer->es_snapshot, InvalidSnapshot,
                                           None_Receiver, values, environment, instruments);
  PushActiveSnapshot(outer->es_snapshot);
  standard_ExecutorStart(inner, flags & EXEC_FLAG_EXPLAIN_ONLY);
  PopActiveSnapshot();
  return inner;
}

void run_inner_query(QueryDesc* inner, void (*take)(void* self, TupleTableSlot* row), void* self) {
  const auto nothing = [](DestReceiver*) {};
  Receiver receiver{{receive, [](DestReceiver*, int, TupleDesc) {}, nothing, nothing, DestNone}, take, self};
  inner->dest = &receiver.receiver;
  PushActiveSnapshot(inner->snapshot);
  pg::run_to_end(inner);
  standard_ExecutorFinish(inner);
  PopActiveSnapshot();
  inner->dest = None_Receiver;
}

void end_inner_query(QueryDesc* inner) {
  // What was begun has to be finished before its end.
  if (!inner->estate->es_finished && (inner->estate->es_top_eflags & EXEC_FLAG_EXPLAIN_ONLY) == 0)
    standard_ExecutorFinish(inner);
  standard_ExecutorEnd(inner);
  FreeQueryDesc(inner);
}

void explain_inner_query(QueryDesc* inner, const ExplainState* outer) {
  ExplainState shown = *outer;
  shown.rtable = NIL;
  shown.rtable_names = NIL;
  shown.deparse_cxt = NIL;
  shown.printed_subplans = nullptr;
  shown.workers_state = nullptr;
  shown.hide_workers = false;
  shown.settings = false;
  ExplainOpenGroup("Private Query", "Private Query", true, &shown);
  ExplainPrintPlan(&shown, inner);
  ExplainCloseGroup("Private Query", "Private Query", true, &shown);
}

}  // namespace dp::guard
