// What the pure core says where it refuses.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "core/mechanism/error.h"

namespace dp::test {

// The error that call() throws, which must give a hint; one that says "no error" where it throws none.
template <class Call>
Error error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_FALSE(error.hint().empty()) << error.what();
    return error;
  }
  return {"no error", ""};
}

template <class Call>
std::string message_of(Call call) {
  return error_of(call).what();
}

// call() throws an error whose message holds `part`, and its hint `advice`.
template <class Call>
void expect_error(Call call, const std::string& part, const std::string& advice = "") {
  const Error error = error_of(call);
  EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what() << "\nexpected: " << part;
  EXPECT_NE(error.hint().find(advice), std::string::npos) << error.hint() << "\nexpected: " << advice;
}

}  // namespace dp::test
