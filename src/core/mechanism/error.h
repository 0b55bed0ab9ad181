// The errors that the pure core reports to a person; the seam turns them into PostgreSQL errors.
#pragma once

#include <stdexcept>
#include <string>

namespace dp {

enum class ErrorCode {
  invalid_parameter_value,      // SQLSTATE 22023
  invalid_text_representation,  // SQLSTATE 22P02
  budget_exhausted,             // SQLSTATE DP001
};

// `what()` says what was wrong and shows the value (lower case, no full stop); `hint` shows what to write instead.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message, std::string hint)
      : std::runtime_error(message), code_(code), hint_(std::move(hint)) {}
  Error(const std::string& message, std::string hint)
      : Error(ErrorCode::invalid_parameter_value, message, std::move(hint)) {}

  ErrorCode code() const { return code_; }
  const std::string& hint() const { return hint_; }

 private:
  ErrorCode code_;
  std::string hint_;
};

}  // namespace dp
