#include "guard/inner/inner_run.h"

#include "guard/inner/server_settings.h"
#include "guard/query/silence.h"
#include "pg/errors.h"
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

constexpr int kStep = 64 * 1024;  // below the slop that PostgreSQL leaves between max_stack_depth and the real end
constexpr int kSteps = 8;

// Goes down in steps that are smaller than the slop, so that no single step can leave the stack.
[[gnu::noinline]] bool has_room(int steps) {
  volatile char room[kStep];
  room[0] = 1;
  const bool fits = !stack_is_too_deep() && (steps == 1 || has_room(steps - 1));
  // Read after the call, so that the compiler cannot turn it into a tail call that reuses the frame.
  return fits && room[0] == 1;
}

// InvalidOid: it has none.
Oid toast_table_of(Oid table) {
  HeapTuple const row = SearchSysCache1(RELOID, ObjectIdGetDatum(table));
  if (!HeapTupleIsValid(row)) return InvalidOid;
  const Oid toast = reinterpret_cast<Form_pg_class>(GETSTRUCT(row))->reltoastrelid;
  ReleaseSysCache(row);
  return toast;
}

}  // namespace

void require_free_stack() {
  if (!stack_is_too_deep() && has_room(kSteps)) return;
  ereport(ERROR,
          (errcode(ERRCODE_STATEMENT_TOO_COMPLEX),
           errmsg("less than %d kB of the stack are left, which a private query may need", kStep / 1024 * kSteps),
           errhint("Ask the query by itself rather than within many functions, or raise max_stack_depth (now %d kB).",
                   max_stack_depth)));
}

void open_toast_tables(List* tables) {
  ListCell *cell, *index;
  foreach (cell, tables) {
    const Oid table = toast_table_of(lfirst_oid(cell));
    if (!OidIsValid(table)) continue;
    Relation const toast = table_open(table, AccessShareLock);
    foreach (index, RelationGetIndexList(toast)) index_close(index_open(lfirst_oid(index), AccessShareLock), NoLock);
    table_close(toast, NoLock);
  }
}

void below_the_noise(bool watched, void (*work)(void*), void* argument) {
  pg::entry([=] {
    const ServerSettings settings(watched);
    const Silence silence(watched);
    pg::call([=] { work(argument); });
  });
}

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
