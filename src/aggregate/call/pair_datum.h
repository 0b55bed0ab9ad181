// What the noisy integers of pairs (core/accumulate/pairs.h) say as SQL values: one part by itself, or all of them as
// dp_covariance or dp_regression, each beside how far off it is.
#pragma once

#include <optional>

#include "core/accumulate/pair_noise.h"
#include "core/noise/integers.h"
#include "pg/server.h"

namespace dp::aggregate {

// The part that a column of dp_covariance or dp_regression shows, from 1 on; whole for a column of errors.
Part part_of_pair_column(Form::Kind kind, int column);

Oid pair_part_type(Part part);

Datum pair_part(const Form& form, noise::Int128View noisy, Part part);

// The error of that part; nothing of several parts together. `noise`: of one confidence; nullptr: not known.
std::optional<double> error_of_pair_part(const Form& form, noise::Int128View noisy, const PairNoise* noise, Part part);

// All parts that the type has.
Datum pair_row_answer(const Form& form, noise::Int128View noisy, const PairNoise* noise, Oid type);

}  // namespace dp::aggregate
