// Background workers: sessions that the server starts by itself.
#pragma once

#include "pg/server.h"

extern "C" {
#include "postmaster/bgworker.h"
#include "storage/latch.h"
}
