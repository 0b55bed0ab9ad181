#include "guard/inner/free_stack.h"

#include "pg/server.h"

namespace dp::guard {
namespace {

constexpr int kStep = 64 * 1024;  // below the slop that PostgreSQL leaves between max_stack_depth and the real end
constexpr int kSteps = 8;

// Goes down step by step, so that no step leaves the stack where the one before it was within.
[[gnu::noinline]] bool has_room(int steps) {
  volatile char room[kStep];
  room[0] = 1;
  const bool fits = !stack_is_too_deep() && (steps == 1 || has_room(steps - 1));
  return fits && room[0] == 1;  // read again, so that the call is none of the last kind, which would reuse the frame
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

}  // namespace dp::guard
