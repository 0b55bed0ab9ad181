#include "pg/errors.h"

namespace dp::pg {

void Failure::note(int code, const char* what, const char* advice) {
  sqlstate = code;
  strlcpy(message, what, sizeof message);
  strlcpy(hint, advice, sizeof hint);
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
