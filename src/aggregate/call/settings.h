// Settings that a session may change.
#pragma once

namespace dp::aggregate {

void define_settings();

// dp.epsilon, the epsilon of answers that name none; 0 where it is not set.
double epsilon_setting();

// dp.mechanism, the mechanism of answers that give neither epsilon nor mechanism; "auto" where it is not set.
const char* mechanism_setting();

}  // namespace dp::aggregate
