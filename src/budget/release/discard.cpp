#include "budget/release/discard.h"

#include "budget/release/last_release.h"
#include "pg/server.h"

namespace dp::budget {
namespace {

ProcessUtility_hook_type next_utility = standard_ProcessUtility;

void run_utility(PlannedStmt* statement, const char* text, bool read_only, ProcessUtilityContext context,
                 ParamListInfo parameters, QueryEnvironment* environment, DestReceiver* receiver,
                 QueryCompletion* completion) {
  Node* const utility = statement->utilityStmt;
  const bool forgets = IsA(utility, DiscardStmt) && castNode(DiscardStmt, utility)->target == DISCARD_ALL;
  next_utility(statement, text, read_only, context, parameters, environment, receiver, completion);
  if (forgets) set_last_release(0);
}

}  // namespace

void install_discard() {
  if (ProcessUtility_hook != nullptr) next_utility = ProcessUtility_hook;
  ProcessUtility_hook = run_utility;
}

}  // namespace dp::budget
