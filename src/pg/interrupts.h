// Cancels, timeouts and the end of a session, while the pure core computes.
#pragma once

namespace dp::pg {

// From now on the core stops in the middle of a computation where the session is to be interrupted
// (core/noise/interrupt.h); what PostgreSQL raises then comes out as a PostgresError. Called once, when the library is
// loaded.
void install_interrupts();

}  // namespace dp::pg
