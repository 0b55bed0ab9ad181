// Settings that a session may change.
#pragma once

namespace dp::aggregate {

void define_settings();

// dp.epsilon, the epsilon of dp_count(*); 0 where it is not set.
double epsilon_setting();

}  // namespace dp::aggregate
