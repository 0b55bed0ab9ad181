// Hostile scripts about values that are not of the row alone: what comparison functions return beyond the sign, and
// what depends on how and where a value is stored.
#pragma once

#include "support/fuzz_hostile_tables.h"
#include "support/server.h"

namespace dp::test {

// glibc compares bytes in several ways, chosen by the processor. Without AVX512VL the value it returns depends on where
// a page ends.
inline constexpr const char* kOlderProcessor = "glibc.cpu.hwcaps=-AVX512VL";

// The server anew, with these settings of glibc ("": none).
inline void restart_with(const char* tunables) {
  const Server server;
  server.stop();
  setenv("GLIBC_TUNABLES", tunables, 1);
  server.start();
  unsetenv("GLIBC_TUNABLES");
}

// In m the first row is missing, so that all others lie elsewhere.
inline Script values(Dice& dice) {
  const std::string text = dice.word({"tx", "nm::text", "reverse(tx)", "left(tx, 3)", "upper(tx)", "btrim(tx, 'y')"}),
                    name = dice.word({"nm", "tx::name"});
  const std::string constant =
      dice.word({"'nz'", "'n1xxz'", "'a'", "'n1'", "''", "'n1xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxz'"});
  const std::string call =
      dice.word({"bttextnamecmp(" + text + ", " + constant + ")",
                 "btnametextcmp(" + name + ", " + constant + ")",
                 "bttextcmp(" + text + ", " + constant + ")",
                 "btnamecmp(" + name + ", " + constant + ")",
                 "byteacmp(by, 'nz')",
                 "byteacmp(by, " + constant + "::bytea)",
                 "network_cmp(ip, '10.0.100.7')",
                 "network_cmp('11.0.0.0', ip)",
                 "bpcharcmp(" + text + "::bpchar, " + constant + ")",
                 "bttext_pattern_cmp(" + text + ", " + constant + ")",
                 "btbpchar_pattern_cmp(" + text + "::bpchar, 'nz')",
                 "uuid_cmp('00000000-0000-0000-0000-000000000001'::uuid, dp_try_int(tx)::text::uuid)",
                 "position(" + constant + " IN " + text + ")",
                 "length(" + text + ")",
                 "strpos(" + text + ", 'x')",
                 "octet_length(by)",
                 "masklen(ip)",
                 "hashtext(" + text + ")",
                 "pg_column_size(tx)",
                 "ascii(" + text + ")",
                 "array_length(ARRAY[masklen(ip)], 1)"});
  const std::string bounds = dice.word({"-200, 0", "0, 200", "-5, 5", "-100000, 100000"});
  const double wide = bounds == "-100000, 100000" ? 100000 : 200;
  const Script settings = dice.once_in(3) ? Script{asks(kParallel)} : Script{};
  return settings + Script{asks_within("SELECT dp_sum(" + call + ", " + bounds + ", 100000) FROM m", wide * 1.01)};
}

}  // namespace dp::test
