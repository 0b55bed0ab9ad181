// Forgets what dp.retain_releases() says without anybody's call: now and then who stores a release has a background
// worker started for it, which is a session of its own, so that no analyst's transaction holds others up.
#pragma once

namespace dp::budget {

// After a release was stored.
void forget_beside();

// Defines dp.forget_interval. Called once, when the library is loaded at the server's start.
void define_forgetting_setting();

}  // namespace dp::budget
