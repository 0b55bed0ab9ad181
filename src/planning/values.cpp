#include "planning/values.h"

#include "core/mechanism/mechanism_text.h"

namespace dp::planning {

std::string_view word_argument(FunctionCallInfo fcinfo, int place) {
  const text* const written = PG_GETARG_TEXT_PP(place);
  return {VARDATA_ANY(written), static_cast<std::size_t>(VARSIZE_ANY_EXHDR(written))};
}

mechanism::Mechanism mechanism_argument(FunctionCallInfo fcinfo, int place) {
  return mechanism::parse(word_argument(fcinfo, place));
}

std::span<const double> numbers_argument(FunctionCallInfo fcinfo, int place, const char* name) {
  ArrayType* const array = PG_GETARG_ARRAYTYPE_P(place);
  if (ARR_NDIM(array) > 1) {
    throw Error(std::string(name) + " must be an array of one dimension", "Give ARRAY[0.2, 0.5, 0.3].");
  }
  if (array_contains_nulls(array)) {
    throw Error(std::string(name) + " must not contain NULL", "Give a number for each entry, 0 where there is none.");
  }
  const int size = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
  return {reinterpret_cast<const double*>(ARR_DATA_PTR(array)), static_cast<std::size_t>(size)};
}

}  // namespace dp::planning
