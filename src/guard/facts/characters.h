// How many characters a text has, and how many elements an array.
#pragma once

#include "guard/facts/evaluator.h"
#include "guard/functions/meaning.h"

namespace dp::guard {

// length(x), octet_length(x), position(x IN y), ascii(x), array_length(x, 1), cardinality(x): what the type of x says,
// varchar(10), what it is computed by, left(x, 3), and what values are public of it.
bounds::Bounds bounds_of_size(Meaning meaning, List* arguments, Evaluator* parts);

}  // namespace dp::guard
