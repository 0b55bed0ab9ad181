// The SQL type dp_mechanism: a text in canonical form, so that PostgreSQL's own functions print, send and compare it.
#include "core/mechanism/mechanism_text.h"
#include "pg/errors.h"
#include "pg/server.h"

namespace dp::planning {
namespace {

Datum canonical(std::string_view written) {
  const std::string text = mechanism::format(mechanism::parse(written));
  return pg::call(
      [&] { return PointerGetDatum(cstring_to_text_with_len(text.data(), static_cast<int>(text.size()))); });
}

}  // namespace

// dp_mechanism_in(cstring) returns dp_mechanism
DP_SQL_FUNCTION(dp_mechanism_in) { return canonical(PG_GETARG_CSTRING(0)); }

// dp_mechanism_recv(internal) returns dp_mechanism: the text form, read again like any other input.
DP_SQL_FUNCTION(dp_mechanism_recv) {
  auto* const message = reinterpret_cast<StringInfo>(PG_GETARG_POINTER(0));
  int bytes;
  const char* const written = pq_getmsgtext(message, message->len - message->cursor, &bytes);
  return canonical({written, static_cast<std::size_t>(bytes)});
}

}  // namespace dp::planning
