#include "guard/release/error_columns.h"

#include <cmath>

#include "aggregate/call/answer_datum.h"
#include "core/accumulate/half_width.h"
#include "core/accumulate/noisy_answer.h"
#include "guard/admission/values.h"
#include "guard/release/release_node.h"
#include "pg/errors.h"

namespace dp::guard {
namespace {

struct Asked {
  int column;
  int aggregate;
  int field;
  bool bias;
  double confidence;  // of an error
};

// The aggregate whose answers stand in that column of the inner query.
int aggregate_in(const ReleaseNode& node, int column) {
  int number = 0;
  while (node.columns[number] != column) {
    if (++number == node.gate->size()) elog(ERROR, "an error of a private query is asked of no answer");
  }
  return number;
}

double confidence_of(const ReleaseNode& node, Node* expression) {
  Node* const value = put_values(expression, node.values);
  if (!IsA(value, Const)) elog(ERROR, "the confidence of dp_error has no value");
  const auto* const constant = castNode(Const, value);
  if (!constant->constisnull) return DatumGetFloat8(constant->constvalue);
  ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("the confidence of dp_error must not be NULL"),
                  errhint("For example dp_error(count(*), 0.95).")));
  pg_unreachable();
}

template <class Visit>
void visit_asked(const ReleaseNode& node, Visit visit) {
  ListCell* cell;
  foreach (cell, node.inner_query.errors) {
    auto* const one = static_cast<List*>(lfirst(cell));
    const bool bias = intVal(list_nth(one, 4)) != 0;
    visit(Asked{intVal(linitial(one)), aggregate_in(node, intVal(lsecond(one))), intVal(lthird(one)), bias,
                bias ? 0 : confidence_of(node, static_cast<Node*>(lfourth(one)))});
  }
}

// Of a count or a sum: what counts of it, times what is cut beside that. Nothing of other answers.
std::optional<double> counted(const aggregate::Form& form, noise::Int128View noisy, aggregate::Part part,
                              const aggregate::VectorErrors* errors) {
  using Kind = aggregate::Form::Kind;
  using aggregate::Part;
  if (part == Part::rows || part == Part::count)
    return static_cast<double>(DatumGetInt64(aggregate::part_of_answer(form, noisy, *errors, part, INT8OID)));
  if (part == Part::sum) return DatumGetFloat8(aggregate::part_of_answer(form, noisy, *errors, part, FLOAT8OID));
  const bool is_total = form.kind == Kind::bigint || form.kind == Kind::numeric || form.kind == Kind::float8;
  if (part != Part::whole || !is_total) return std::nullopt;
  return aggregate::to_double(noisy[0], form.exponent - static_cast<int>(form.refinement));
}

}  // namespace

void check_confidences(const ReleaseNode& node) {
  visit_asked(node, [](const Asked& asked) {
    if (!asked.bias) aggregate::require_confidence(asked.confidence);
  });
}

ErrorColumns::ErrorColumns(const ReleaseNode& node, const AnsweredAs* answered, const IntegersOf* integers)
    : columns_(
          static_cast<Column*>(palloc0(sizeof(Column) * static_cast<Size>(list_length(node.inner_query.errors) + 1)))) {
  visit_asked(node, [&](const Asked& asked) {
    Column& column = columns_[count_++];
    column.number = asked.column;
    if (integers[asked.aggregate].count == 0) return;
    const AnsweredAs& as = answered[asked.aggregate];
    column.form = as.form;
    column.part = asked.field > 0 ? aggregate::part_of_vector_column(as.form.kind, asked.field) : as.part;
    if (asked.bias) {
      column.is_bias = true;
      column.cut = as.cut.value_or(0);
      column.errors = as.errors();
      if (as.cut) column.integers = integers[asked.aggregate];
      return;
    }
    column.errors = as.errors(asked.confidence);
    if (column.errors == nullptr) {
      const auto margin = aggregate::margin_of(as.form, as.law, asked.confidence, as.summed);
      if (!margin) return;
      column.margin = *margin;
    }
    column.integers = integers[asked.aggregate];
  });
}

std::optional<double> ErrorColumns::bias(const Column& column, noise::Int128View noisy) {
  const std::optional<double> answer = counted(column.form, noisy, column.part, column.errors);
  if (!answer) return std::nullopt;
  return std::fabs(*answer) * column.cut;
}

void ErrorColumns::fill(TupleTableSlot* row, const noise::Int128* noisy) const {
  if (count_ > 0) slot_getallattrs(row);
  for (int i = 0; i < count_; ++i) {
    const Column& column = columns_[i];
    row->tts_isnull[column.number - 1] = column.integers.count == 0;
    if (column.integers.count == 0) continue;
    const noise::Int128View answer = column.integers.in(noisy);
    const std::optional<double> error =
        column.is_bias             ? bias(column, answer)
        : column.errors == nullptr ? aggregate::error_of(column.form, answer, column.margin)
                                   : aggregate::error_of_part(column.form, answer, *column.errors, column.part);
    row->tts_isnull[column.number - 1] = !error;
    row->tts_values[column.number - 1] = Float8GetDatum(error.value_or(0));
  }
}

}  // namespace dp::guard
