#include "total_functions/attempt.h"

namespace dp::total {

bool is_about_arguments(int sqlstate) {
  switch (ERRCODE_TO_CATEGORY(sqlstate)) {
    case ERRCODE_INSUFFICIENT_RESOURCES:
    case ERRCODE_OPERATOR_INTERVENTION:
    case ERRCODE_SYSTEM_ERROR:
    case ERRCODE_INTERNAL_ERROR:
      return false;
    default:
      return true;
  }
}

}  // namespace dp::total
