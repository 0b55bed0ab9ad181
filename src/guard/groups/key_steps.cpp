#include "guard/groups/key_steps.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "guard/admission/values.h"
#include "guard/functions/meaning.h"
#include "guard/groups/moment_cells.h"
#include "pg/nodes.h"
#include "pg/walk.h"

namespace dp::guard {

bool is_whole(Oid type) { return type == INT2OID || type == INT4OID || type == INT8OID || type == DATEOID; }
bool is_timestamp(Oid type) { return type == TIMESTAMPOID || type == TIMESTAMPTZOID; }

std::int64_t as_whole(Oid type, Datum value) {
  if (type == INT2OID) return DatumGetInt16(value);
  return type == INT4OID || type == DATEOID ? DatumGetInt32(value) : DatumGetInt64(value);
}

double as_real(Oid type, Datum value) {
  if (type == FLOAT4OID) return DatumGetFloat4(value);
  if (type == FLOAT8OID) return DatumGetFloat8(value);
  return DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow, value));
}

bool is_finite(Oid type, Datum value) {
  if (type == DATEOID) return !DATE_NOT_FINITE(DatumGetDateADT(value));
  if (is_timestamp(type)) return !TIMESTAMP_NOT_FINITE(DatumGetTimestamp(value));
  return is_whole(type) || std::isfinite(as_real(type, value));
}

// The number that a constant is; 0 where it is none.
double real_constant(Node* node) {
  if (!IsA(node, Const) || castNode(Const, node)->constisnull) return 0;
  const auto* const constant = castNode(Const, node);
  if (is_whole(constant->consttype) && constant->consttype != DATEOID) {
    return static_cast<double>(as_whole(constant->consttype, constant->constvalue));
  }
  if (constant->consttype != FLOAT4OID && constant->consttype != FLOAT8OID && constant->consttype != NUMERICOID)
    return 0;
  return as_real(constant->consttype, constant->constvalue);
}

bool is_real_cast(Node* node) {
  const auto [function, arguments] = called_by(node);
  const Oid type = exprType(node);
  return meaning_of(function) == Meaning::cast && list_length(arguments) == 1 &&
         (type == NUMERICOID || type == FLOAT4OID || type == FLOAT8OID);
}

namespace {

class Reader {
 public:
  explicit Reader(const Var* column) : column_(column) {}

  // In `step` the largest cells in which the node is constant; false where there are none.
  bool read(Node* node, double step = 0) {
    if (node == nullptr) return true;
    if (IsA(node, Var)) {
      if (!equal(node, column_)) return true;
      if (step <= 0) return false;
      step_ = step_ == 0 ? step : common(step_, step);
      return step_ > 0;
    }
    if (IsA(node, RelabelType)) return read(reinterpret_cast<Node*>(castNode(RelabelType, node)->arg), step);
    const auto [function, arguments] = called_by(node);
    if (meaning_of(function) != Meaning::none)
      return read_all(arguments, std::max(step, step_of_number(node, arguments)));
    struct Below {
      Reader* reader;
    } below{this};
    return !pg::walk(
        node, [](Node* part, void* context) { return !static_cast<Below*>(context)->reader->read(part); }, &below);
  }

  double step() const { return step_; }

  // Whether all that reads the column rounds it without having calculated.
  bool rounds_all(Node* node) const {
    if (node == nullptr) return true;
    if (equal(node, column_)) return false;
    const auto [function, arguments] = called_by(node);
    if (arguments != NIL && is_column_itself(static_cast<Node*>(linitial(arguments))) &&
        rounding(node, arguments) > 0 && rounds_exactly(meaning_of(function)))
      return rounds_all(reinterpret_cast<Node*>(list_copy_tail(arguments, 1)));
    return !pg::walk(
        node, [](Node* part, void* reader) { return !static_cast<const Reader*>(reader)->rounds_all(part); },
        const_cast<Reader*>(this));
  }

 private:
  // Every float4 is a float8.
  bool is_column_itself(Node* node) const {
    if (IsA(node, FuncExpr) && castNode(FuncExpr, node)->funcid == F_FLOAT8_FLOAT4)
      node = static_cast<Node*>(linitial(castNode(FuncExpr, node)->args));
    return equal(node, column_);
  }

  // Of doubles and numerics alike. (What divides may round the quotient up before it is cut.)
  static bool rounds_exactly(Meaning meaning) { return meaning != Meaning::div && meaning != Meaning::dp_bucket; }

  // Cells that begin where either begins.
  static double common(double one, double other) {
    const double less = std::min(one, other), more = std::max(one, other);
    const double times = std::round(more / less);
    return std::fabs(more / less - times) < 1e-9 ? less : 0;  // 0.05 is no double, and ten times 0.005 another one
  }

  bool read_all(List* nodes, double step) {
    ListCell* cell;
    foreach (cell, nodes) {
      if (!read(static_cast<Node*>(lfirst(cell)), step)) return false;
    }
    return true;
  }

  // A width beyond all ranges: cells begin at 0 alone.
  static constexpr double kWhole = 1e8;

  // How many digits behind the point x::numeric(p, s) keeps; nothing for another cast.
  static std::optional<int> scale_of_cast(List* arguments) {
    if (list_length(arguments) != 2) return std::nullopt;
    auto* const modifier = static_cast<Node*>(lsecond(arguments));
    if (!IsA(modifier, Const) || castNode(Const, modifier)->constisnull) return std::nullopt;
    const int32 known = DatumGetInt32(castNode(Const, modifier)->constvalue);
    if (known < static_cast<int32>(VARHDRSZ)) return std::nullopt;
    return (((known - static_cast<int32>(VARHDRSZ)) & 0x7ff) ^ 1024) - 1024;  // as numeric.c has it
  }

  static double rounding_of_cast(Oid type, List* arguments) {
    if (is_whole(type) && type != DATEOID) return 0.5;
    const auto scale = type == NUMERICOID ? scale_of_cast(arguments) : std::nullopt;
    return scale ? 0.5 * std::pow(10, -*scale) : 0;
  }

  // To whole numbers, or to so many digits.
  static double rounding_to_digits(List* arguments) {
    if (list_length(arguments) == 1) return 1;
    auto* const digits = static_cast<Node*>(lsecond(arguments));
    if (!IsA(digits, Const) || castNode(Const, digits)->constisnull) return 0;
    return std::pow(10, -real_constant(digits));
  }

  // Between which multiples a function of one number that rounds it gives the same; 0: it does not round.
  static double rounding(Node* node, List* arguments) {
    switch (meaning_of(called_by(node).function)) {
      case Meaning::floor:
      case Meaning::ceil:
        return 1;
      case Meaning::trunc:
        return rounding_to_digits(arguments);
      case Meaning::round:
        return 0.5 * rounding_to_digits(arguments);
      case Meaning::sign:
        return kWhole;
      case Meaning::div:
      case Meaning::dp_bucket:
        return positive(real_constant(static_cast<Node*>(lsecond(arguments))));
      case Meaning::cast:
        return rounding_of_cast(exprType(node), arguments);
      default:
        return 0;
    }
  }

  // A calculation of numbers that are not whole with a constant, which stands on the right, or may; nothing for others.
  struct Calculation {
    Meaning meaning;
    Node* number;
    double constant;
  };

  static std::optional<Calculation> calculation(Node* node) {
    const auto [function, parts] = called_by(node);
    const Meaning meaning = meaning_of(function);
    const bool turns = meaning == Meaning::plus || meaning == Meaning::minus || meaning == Meaning::times;
    const Oid type = exprType(node);
    if ((!turns && meaning != Meaning::divide) || list_length(parts) != 2 || (type != NUMERICOID && type != FLOAT8OID))
      return std::nullopt;
    const auto is_known = [](Node* part) { return IsA(part, Const) && !castNode(Const, part)->constisnull; };
    auto* const left = static_cast<Node*>(linitial(parts));
    auto* const right = static_cast<Node*>(lsecond(parts));
    if (is_known(right)) return Calculation{meaning, left, real_constant(right)};
    if (!is_known(left) || !turns) return std::nullopt;
    return Calculation{meaning, right, real_constant(left)};
  }

  // floor(x / 10), floor((x - 20) / 10), floor(100 - x), floor(x * 4), round(x, -2), x::int, dp_bucket(x, 10)
  double step_of_number(Node* node, List* arguments) const {
    double step = rounding(node, arguments);
    if (step == 0) return 0;
    auto* number = without_sign(static_cast<Node*>(linitial(arguments)));
    while (const auto made = calculation(number)) {
      const bool divides = made->meaning == Meaning::divide;
      const bool shifts = made->meaning == Meaning::plus || made->meaning == Meaning::minus;
      if (!shifts && !(made->constant > 0)) break;
      step = shifts    ? dividing(step, std::fabs(made->constant))
             : divides ? step * made->constant
                       : step / made->constant;
      number = shifts ? made->number : without_sign(made->number);
    }
    return is_column(number) ? step : 0;
  }

  // What abs() or - is of: cells on both sides of 0 mirror each other, as long as nothing was added.
  static Node* without_sign(Node* node) {
    const auto [function, arguments] = called_by(node);
    const Meaning meaning = meaning_of(function);
    const bool is_sign = (meaning == Meaning::abs || meaning == Meaning::negate) && list_length(arguments) == 1;
    return is_sign ? static_cast<Node*>(linitial(arguments)) : node;
  }

  // What both are multiples of, in millionths; 0 where they are none of these.
  static double dividing(double step, double shift) {
    constexpr double kMillion = 1e6, kMost = 1e15;
    const double whole = std::round(step * kMillion), by = std::round(shift * kMillion);
    const auto close = [](double exact, double rounded) {
      return std::fabs(exact - rounded) < 1e-6 * std::fabs(exact);
    };
    if (shift == 0) return step;
    if (!(whole < kMost && by < kMost) || !close(step * kMillion, whole) || !close(shift * kMillion, by)) return 0;
    return static_cast<double>(std::gcd(static_cast<std::int64_t>(whole), static_cast<std::int64_t>(by))) / kMillion;
  }

  static double positive(double number) { return number > 0 ? number : 0; }

  // The column, perhaps as a number of another type that is not whole.
  bool is_column(Node* node) const {
    while (IsA(node, RelabelType)) node = reinterpret_cast<Node*>(castNode(RelabelType, node)->arg);
    if (equal(node, column_)) return true;
    return is_real_cast(node) && is_column(static_cast<Node*>(linitial(called_by(node).arguments)));
  }

  const Var* column_;
  double step_ = 0;
};

}  // namespace

bool reads_alone(Node* expression, const Var* column) {
  List* const columns = pull_var_clause(expression, 0);
  ListCell* cell;
  foreach (cell, columns) {
    if (!equal(lfirst(cell), column)) return false;
  }
  return columns != NIL;
}

std::optional<KeySteps> steps_of_key(Node* key, const Var* column) {
  if (is_timestamp(getBaseType(column->vartype))) {
    const auto cells = moment_cells_of(key, column);
    return cells ? std::optional(KeySteps{0, *cells}) : std::nullopt;
  }
  Reader reader(column);
  if (!reader.read(key)) return std::nullopt;
  return KeySteps{reader.step(), NIL};
}

bool rounds_as_it_is(Node* expression, const Var* column) { return Reader(column).rounds_all(expression); }

List* conditions_with_steps(Node* key, const Var* column, List* conditions) {
  List* found = NIL;
  ListCell* cell;
  foreach (cell, conditions) {
    List* const more = lappend(list_copy(found), lfirst(cell));
    if (reads_alone(static_cast<Node*>(lfirst(cell)), column) &&
        steps_of_key(reinterpret_cast<Node*>(list_make2(key, more)), column))
      found = more;
  }
  return found;
}

}  // namespace dp::guard
