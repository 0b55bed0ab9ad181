#include "guard/rewrite/differences.h"

#include "guard/admission/values.h"
#include "guard/facts/courses.h"
#include "guard/functions/moment_fields.h"
#include "guard/groups/key_steps.h"
#include "pg/joins.h"

namespace dp::guard {
namespace {

const Interval* span_constant(Node* node) {
  const bool is_one =
      IsA(node, Const) && castNode(Const, node)->consttype == INTERVALOID && !castNode(Const, node)->constisnull;
  return is_one ? DatumGetIntervalP(castNode(Const, node)->constvalue) : nullptr;
}

bool is_difference_of_moments(const Computation& call) {
  return call.meaning == Meaning::minus && list_length(call.arguments) == 2 &&
         is_timestamp(exprType(static_cast<Node*>(linitial(call.arguments)))) &&
         is_timestamp(exprType(static_cast<Node*>(lsecond(call.arguments))));
}

// Of days and times.
int64 microseconds(const Interval& span) { return span.day * USECS_PER_DAY + span.time; }

struct PartOf {
  Field field;
  List* moments;
};

// extract(field FROM a - b)
std::optional<PartOf> part_of_difference(Node* node) {
  const auto [meaning, arguments] = computation_of(node);
  if (list_length(arguments) != 2 || meaning != Meaning::extract) return std::nullopt;
  const MomentField* const part = field_of(static_cast<Node*>(linitial(arguments)));
  const Computation made = computation_of(static_cast<Node*>(lsecond(arguments)));
  if (part == nullptr || !is_difference_of_moments(made)) return std::nullopt;
  return PartOf{part->field, made.arguments};
}

bool rounds(Meaning meaning) {
  return meaning == Meaning::floor || meaning == Meaning::ceil || meaning == Meaning::round ||
         meaning == Meaning::trunc || meaning == Meaning::cast;
}

}  // namespace

std::optional<UnitsBetween> units_between(Node* part) {
  if (const auto whole = part_of_difference(part)) {
    const bool days = whole->field == Field::day;
    return UnitsBetween{whole->moments, days ? static_cast<double>(USECS_PER_DAY) : 0};
  }
  Computation call = computation_of(part);
  while (list_length(call.arguments) == 1 && rounds(call.meaning))
    call = computation_of(static_cast<Node*>(linitial(call.arguments)));
  if (list_length(call.arguments) != 2) return std::nullopt;
  const double divisor = real_constant(static_cast<Node*>(lsecond(call.arguments)));
  if ((call.meaning != Meaning::divide && call.meaning != Meaning::div) || !(divisor > 0)) return std::nullopt;
  auto* dividend = static_cast<Node*>(linitial(call.arguments));
  const auto [casts, value] = computation_of(dividend);
  if (casts == Meaning::cast && list_length(value) == 1) dividend = static_cast<Node*>(linitial(value));
  const auto seconds = part_of_difference(dividend);
  if (!seconds || seconds->field != Field::epoch) return std::nullopt;
  return UnitsBetween{seconds->moments, divisor * USECS_PER_SEC};
}

std::optional<Comparison> comparison_of_difference(Node* condition, List* moments) {
  if (!IsA(condition, OpExpr) || list_length(castNode(OpExpr, condition)->args) != 2) return std::nullopt;
  const auto* const op = castNode(OpExpr, condition);
  for (const bool mirrored : {false, true}) {
    const int strategy = pg::range_of(op->opno, mirrored);
    auto* const left = static_cast<Node*>(mirrored ? lsecond(op->args) : linitial(op->args));
    auto* const right = static_cast<Node*>(mirrored ? linitial(op->args) : lsecond(op->args));
    if (strategy == 0) return std::nullopt;
    if (equal(left, linitial(moments)) && equal(right, lsecond(moments))) return Comparison{strategy, 0};
    const auto [of_left, left_arguments] = computation_of(left);
    const Interval* const span = span_constant(right);
    constexpr int kMostMonths = 1'000'000;
    if (span != nullptr && std::abs(span->month) < kMostMonths && of_left == Meaning::minus &&
        equal(left_arguments, moments))
      return Comparison{strategy, span->month * DAYS_PER_MONTH * USECS_PER_DAY + microseconds(*span)};
    const auto [of_right, right_arguments] = computation_of(right);
    if (!equal(left, linitial(moments)) || exprType(left) != TIMESTAMPOID || of_right != Meaning::plus ||
        !equal(linitial(right_arguments), lsecond(moments)))
      continue;
    const Interval* const later = span_constant(static_cast<Node*>(lsecond(right_arguments)));
    if (later != nullptr && later->month == 0) return Comparison{strategy, microseconds(*later)};
  }
  return std::nullopt;
}

}  // namespace dp::guard
