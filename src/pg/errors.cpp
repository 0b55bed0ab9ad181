#include <boost/math/policies/error_handling.hpp>
#include <stdexcept>

#include "pg/errors.h"

namespace dp::pg {

void Failure::note(int code, const char* what, const char* advice) {
  sqlstate = code;
  strlcpy(message, what, sizeof message);
  strlcpy(hint, advice, sizeof hint);
}

void Failure::note(const std::exception& error) {
  const bool out_of_range = dynamic_cast<const boost::math::evaluation_error*>(&error) != nullptr ||
                            dynamic_cast<const boost::math::rounding_error*>(&error) != nullptr ||
                            dynamic_cast<const std::overflow_error*>(&error) != nullptr ||
                            dynamic_cast<const std::range_error*>(&error) != nullptr ||
                            dynamic_cast<const std::domain_error*>(&error) != nullptr;
  if (!out_of_range) return note(ERRCODE_INTERNAL_ERROR, error.what(), "");
  note(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE, "parameters are too extreme to be computed with",
       "Use a less extreme epsilon, delta, sensitivity or range.");
}

void Failure::raise() const {
  if (postgres != nullptr) ReThrowError(postgres);
  ereport(ERROR, (errcode(sqlstate), errmsg("%s", message), hint[0] != '\0' ? errhint("%s", hint) : 0));
  pg_unreachable();
}

int sqlstate_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_parameter_value:
      return ERRCODE_INVALID_PARAMETER_VALUE;
    case ErrorCode::invalid_text_representation:
      return ERRCODE_INVALID_TEXT_REPRESENTATION;
  }
  return ERRCODE_INTERNAL_ERROR;
}

}  // namespace dp::pg
