// The evidence that the functions on the list are total on this server.
//
// They are functions of PostgreSQL, and a release may change what they do, a minor one too. So they are measured on a
// release: each is called with extreme values of its arguments (sql/install/44-measure.sql). A measurement is of one
// release and of the list as it is now, with what the catalog says of each function on it. The library knows those of
// measured_servers.h, a database those in dp.measured_server, and without either no private query is answered.
#pragma once

namespace dp::guard {

// The server stays what it is as long as its process lives.
inline bool has_evidence = false;

// Raises 55000 unless the functions were measured on this server.
void look_for_evidence();
inline void require_evidence() {
  if (!has_evidence) look_for_evidence();
}

}  // namespace dp::guard
