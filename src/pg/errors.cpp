#include "pg/errors.h"

#include <boost/math/policies/error_handling.hpp>
#include <new>
#include <stdexcept>

namespace dp::pg {

namespace {

int sqlstate_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_parameter_value:
      return ERRCODE_INVALID_PARAMETER_VALUE;
    case ErrorCode::invalid_text_representation:
      return ERRCODE_INVALID_TEXT_REPRESENTATION;
    case ErrorCode::budget_exhausted:
      return kBudgetExhausted;
  }
  return ERRCODE_INTERNAL_ERROR;
}

}  // namespace

const Failure& Failure::noted() {
  static Failure failure;
  failure.postgres = nullptr;
  try {
    throw;
  } catch (const PostgresError& error) {
    failure.postgres = error.data;
  } catch (const Error& error) {
    failure.note(sqlstate_of(error.code()), error.what(), error.hint().c_str());
  } catch (const std::bad_alloc&) {
    failure.note(ERRCODE_OUT_OF_MEMORY, "out of memory", "");
  } catch (const std::exception& error) {
    failure.note(error);
  }
  return failure;
}

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

// Half of the tools show a message alone: what to write instead of what is not admissible stands there. A second line
// of the hint, which begins with "Or", tells of other ways, and is what is left of the hint.
static void tell_what_to_write(ErrorData* error) {
  if (error->sqlerrcode != kNotAdmissible || error->hint == nullptr || strncmp(error->hint, "Or ", 3) == 0) return;
  char* const other = strchr(error->hint, '\n');
  if (other != nullptr) *other = '\0';
  error->message = psprintf("%s. %s", error->message, error->hint);
  error->hint = other == nullptr ? nullptr : other + 1;
}

void Failure::raise() const {
  if (postgres != nullptr) {
    tell_what_to_write(postgres);
    ReThrowError(postgres);
  }
  ereport(ERROR, (errcode(sqlstate), errmsg("%s", message), hint[0] != '\0' ? errhint("%s", hint) : 0));
  pg_unreachable();
}

}  // namespace dp::pg
