#include "guard/inner/free_stack.h"

#include "pg/server.h"

namespace dp::guard {
namespace {

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
