#include "guard/reuse/session_facts.h"

#include <cstring>
#include <iterator>

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/known_rows.h"
#include "pg/execution.h"

namespace dp::guard {
namespace {

constexpr const char* kNames[] = {"TimeZone",          "DateStyle",  "IntervalStyle", "timezone_abbreviations",
                                  "lc_time",           "lc_numeric", "lc_monetary",   "default_text_search_config",
                                  "bytea_output",      "xmlbinary",  "xmloption",     "array_nulls",
                                  "extra_float_digits"};
static_assert(std::size(kNames) == kSessionSettings);

constexpr int kCaches[] = {PROCOID, TYPEOID};

std::uint64_t object_changes = 0;

void change_object(Datum, int, uint32) { ++object_changes; }

// Found once in each process: settings of the server itself lie where they are for good.
const config_generic* record_of(SessionSetting setting) {
  static const config_generic* found[kSessionSettings];
  if (found[0] == nullptr) {
    pg::visit_variables([](const config_generic* record) {
      for (int i = 0; i < kSessionSettings; ++i) {
        if (strcmp(record->name, kNames[i]) == 0) found[i] = record;
      }
    });
  }
  const config_generic* const record = found[static_cast<int>(setting)];
  if (record == nullptr) elog(ERROR, "the server has no setting %s", kNames[static_cast<int>(setting)]);
  return record;
}

}  // namespace

const char* value_of(SessionSetting setting) {
  const config_generic* const record = record_of(setting);
  const auto* const any = static_cast<const void*>(record);
  switch (record->vartype) {
    case PGC_BOOL:
      return *static_cast<const config_bool*>(any)->variable ? "on" : "off";
    case PGC_INT:
      return psprintf("%d", *static_cast<const config_int*>(any)->variable);
    case PGC_ENUM: {
      auto* const config = const_cast<config_enum*>(static_cast<const config_enum*>(any));
      return config_enum_lookup_by_value(config, *config->variable);
    }
    case PGC_STRING: {
      const char* const value = *static_cast<const config_string*>(any)->variable;
      return value == nullptr ? "" : value;
    }
    default:
      return GetConfigOption(record->name, false, false);
  }
}

std::uint64_t session_changes() {
  static bool registered = false;
  if (!registered) {
    for (const int cache : kCaches) CacheRegisterSyscacheCallback(cache, change_object, 0);
    registered = true;
  }
  return budget::known_changes() + object_changes;
}

// ALTER EXTENSION tells of what it changes, though not of the version.
const char* own_version() {
  static char version[64];
  static std::uint64_t since = 0;
  const std::uint64_t now = session_changes();
  if (version[0] == '\0' || since != now) {
    strlcpy(version, budget::extension_version(), sizeof version);
    since = now;
  }
  return version;
}

}  // namespace dp::guard
