// Publishes what is due, by background workers: one that the server starts with itself, and that looks round once a
// minute (dp.publish_interval), and one in each database where something is due, which goes when it is done.
//
// A standby has none: they begin when it is promoted, and find all that they need in tables. What was due while no
// server was there is published then, each period by itself and in order.
#pragma once

#include "pg/server.h"

namespace dp::budget {

// Something has changed in this database: it is looked at as soon as the transaction commits.
void wake_launcher();

// Called once, when the library is loaded at the server's start.
void install_publishing();

}  // namespace dp::budget
