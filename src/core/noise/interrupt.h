// How whoever runs the pure core can stop it in the middle of a long computation.
#pragma once

namespace dp::noise {

using InterruptCheck = void (*)();

// Called now and then; throws to stop. None by default, so that the core needs nobody to run it.
inline constinit InterruptCheck interrupt_check = nullptr;

// Stands in every loop that can take long (some tens of milliseconds for parameters that somebody may give), also in
// those where only a part of it may: it costs next to nothing. Never in what runs for each row, or decides a draw.
inline void check_interrupt() {
  if (interrupt_check != nullptr) interrupt_check();
}

}  // namespace dp::noise
