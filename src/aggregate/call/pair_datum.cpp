#include "aggregate/call/pair_datum.h"

namespace dp::aggregate {
namespace {

struct Numbers {
  Numbers(const Form& form, noise::Int128View noisy) : count(noisy.size) {
    const double row = pair_row(form);
    for (std::size_t i = 0; i < count; ++i) in_rows[i] = static_cast<double>(noisy[i]) / row;
  }

  PairSays says(const Form& form) const { return pair_says(form, in_rows, count); }

  double in_rows[10];
  std::size_t count;
};

constexpr bool is_count(Part part) { return part == Part::rows || part == Part::pairs; }

Datum datum_of(const PairSays& says, Part part) {
  return is_count(part) ? Int64GetDatum(whole_pairs(says.of(part))) : Float8GetDatum(says.of(part));
}

Part part_at(int place) {
  return place == 0 ? Part::rows : static_cast<Part>(static_cast<int>(Part::pairs) + place - 1);
}

}  // namespace

Part part_of_pair_column(Form::Kind kind, int column) {
  return column <= parts_said(kind) ? part_at(column - 1) : Part::whole;
}

Oid pair_part_type(Part part) { return is_count(part) ? INT8OID : FLOAT8OID; }

Datum pair_part(const Form& form, noise::Int128View noisy, Part part) {
  return datum_of(Numbers(form, noisy).says(form), part);
}

std::optional<double> error_of_pair_part(const Form& form, noise::Int128View noisy, const PairNoise* noise, Part part) {
  if (noise == nullptr || part == Part::whole || part == Part::covariances) return std::nullopt;
  const Numbers numbers(form, noisy);
  return noise->errors(form, numbers.in_rows, numbers.count).of(part);
}

Datum pair_row_answer(const Form& form, noise::Int128View noisy, const PairNoise* noise, Oid type) {
  TupleDesc const shape = lookup_rowtype_tupdesc(type, -1);
  const int count = Min(shape->natts / 2, parts_said(form.kind));
  Datum values[2 * PairSays::kCount];
  bool nulls[2 * PairSays::kCount] = {};
  const Numbers numbers(form, noisy);
  const PairSays says = numbers.says(form);
  const PairSays errors = noise == nullptr ? PairSays{} : noise->errors(form, numbers.in_rows, numbers.count);
  for (int i = 0; i < count; ++i) {
    values[i] = datum_of(says, part_at(i));
    values[count + i] = Float8GetDatum(errors.at(i));
    nulls[count + i] = noise == nullptr;
  }
  HeapTuple const tuple = heap_form_tuple(shape, values, nulls);
  ReleaseTupleDesc(shape);
  return HeapTupleGetDatum(tuple);
}

}  // namespace dp::aggregate
