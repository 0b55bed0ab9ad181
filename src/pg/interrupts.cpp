#include "pg/interrupts.h"

#include "core/noise/interrupt.h"
#include "pg/errors.h"

namespace dp::pg {

void install_interrupts() {
  noise::interrupt_check = [] {
    if (INTERRUPTS_PENDING_CONDITION()) call([] { CHECK_FOR_INTERRUPTS(); });
  };
}

}  // namespace dp::pg
