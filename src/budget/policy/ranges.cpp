#include "budget/policy/ranges.h"

#include "budget/catalog/range_rows.h"
#include "budget/policy/accounts.h"
#include "budget/policy/checked_values.h"
#include "budget/policy/checks.h"
#include "budget/policy/domains.h"
#include "budget/policy/grouping_expression.h"
#include "pg/joins.h"

namespace dp::budget {
namespace {

// ---- declared -------------------------------------------------------------------------------------------------------

Datum read_value(Oid type, const char* text) {
  Oid input, parameter;
  getTypeInputInfo(type, &input, &parameter);
  return OidInputFunctionCall(input, const_cast<char*>(text), parameter, -1);
}

// Whether texts of the type mean the same under all settings: those of numbers do.
bool is_read_alike(Oid type) {
  return type == INT2OID || type == INT4OID || type == INT8OID || type == NUMERICOID || type == FLOAT4OID ||
         type == FLOAT8OID;
}

std::optional<ColumnRange> declared(Oid protected_table, const char* column, Oid type) {
  const auto range = declared_range(protected_table, column);
  if (!range || range->type != type) return std::nullopt;
  const auto read = [&] {
    return ColumnRange{type, read_value(type, range->lower), read_value(type, range->upper), "dp.declare_range"};
  };
  if (is_read_alike(type)) return read();
  const int level = begin_stable_text();
  const ColumnRange found = read();
  end_stable_text(level);
  return found;
}

std::optional<ColumnRange> of_listed_values(Oid protected_table, const char* column, Oid type) {
  const auto domain = declared_domain(protected_table, column_text(column), type, InvalidOid);
  if (!domain || domain->size == 0) return std::nullopt;
  return ColumnRange{type, domain->values[0], domain->values[domain->size - 1], "dp.declare_values"};
}

// ---- constraints ----------------------------------------------------------------------------------------------------

// What comparisons with constants leave of a value.
class ComparedRange {
 public:
  explicit ComparedRange(Oid type) : type_(type), cache_(lookup_type_cache(type, TYPECACHE_CMP_PROC_FINFO)) {}

  // `condition` holds for every value; AND of comparisons `value op constant`. The rest says nothing.
  void add(Node* condition, AttrNumber column) {
    ListCell* cell;
    foreach (cell, make_ands_implicit(reinterpret_cast<Expr*>(condition))) {
      auto* const part = static_cast<Node*>(lfirst(cell));
      if (IsA(part, BoolExpr) && castNode(BoolExpr, part)->boolop == AND_EXPR) {
        add(part, column);
      } else if (IsA(part, OpExpr) && list_length(castNode(OpExpr, part)->args) == 2) {
        add_comparison(castNode(OpExpr, part), column);
      }
    }
  }

  std::optional<ColumnRange> range(const char* source) const {
    if (!has_lower_ || !has_upper_ || is_less(upper_, lower_)) return std::nullopt;
    return ColumnRange{type_, lower_, upper_, source};
  }

 private:
  bool is_less(Datum one, Datum other) const {
    return DatumGetInt32(FunctionCall2Coll(const_cast<FmgrInfo*>(&cache_->cmp_proc_finfo), InvalidOid, one, other)) < 0;
  }

  void add_comparison(const OpExpr* comparison, AttrNumber column) {
    auto* left = static_cast<Node*>(linitial(comparison->args));
    auto* right = static_cast<Node*>(lsecond(comparison->args));
    const bool mirrored = IsA(left, Const);
    if (mirrored) std::swap(left, right);
    if (!is_checked_value(left, column) || !IsA(right, Const)) return;
    const auto value = converted(castNode(Const, right));
    if (!value) return;
    const std::int64_t next = is_whole() ? 1 : 0;  // x < 100 is x <= 99
    const int strategy = pg::range_of(comparison->opno, mirrored);
    if (strategy == 0) return;
    const Datum below = strategy == BTLessStrategyNumber ? moved(*value, -next) : *value;
    const Datum above = strategy == BTGreaterStrategyNumber ? moved(*value, next) : *value;
    if (strategy <= BTEqualStrategyNumber && (!has_upper_ || is_less(below, upper_))) {
      upper_ = below;
      has_upper_ = true;
    }
    if (strategy >= BTEqualStrategyNumber && (!has_lower_ || is_less(lower_, above))) {
      lower_ = above;
      has_lower_ = true;
    }
  }

  bool is_whole() const { return type_ == INT2OID || type_ == INT4OID || type_ == INT8OID || type_ == DATEOID; }

  // A whole number one further, unless it is the last one.
  Datum moved(Datum value, std::int64_t by) const {
    std::int64_t moved;
    switch (by == 0 ? InvalidOid : type_) {
      case INT2OID:
        moved = DatumGetInt16(value) + by;
        return moved == static_cast<int16>(moved) ? Int16GetDatum(static_cast<int16>(moved)) : value;
      case INT4OID:
      case DATEOID:
        moved = DatumGetInt32(value) + by;
        return moved == static_cast<int32>(moved) ? Int32GetDatum(static_cast<int32>(moved)) : value;
      case INT8OID:
        return __builtin_add_overflow(DatumGetInt64(value), by, &moved) ? value : Int64GetDatum(moved);
      default:
        return value;
    }
  }

  // The constant as a value of the type, where it is one exactly: a smallint may be compared with an integer.
  std::optional<Datum> converted(const Const* constant) const {
    if (constant->constisnull) return std::nullopt;
    if (constant->consttype == type_) return constant->constvalue;
    if (constant->consttype != INT2OID && constant->consttype != INT4OID) return std::nullopt;
    const std::int64_t whole =
        constant->consttype == INT2OID ? DatumGetInt16(constant->constvalue) : DatumGetInt32(constant->constvalue);
    if (type_ == INT8OID) return Int64GetDatum(whole);
    if (type_ == INT4OID) return Int32GetDatum(static_cast<int32>(whole));
    if (type_ != INT2OID) return std::nullopt;
    const std::int64_t cut = Max(Min(whole, std::int64_t{PG_INT16_MAX}), std::int64_t{PG_INT16_MIN});
    return Int16GetDatum(static_cast<int16>(cut));
  }

  Oid type_;
  const TypeCacheEntry* cache_;
  Datum lower_ = 0, upper_ = 0;
  bool has_lower_ = false, has_upper_ = false;
};

// Of values that a CHECK constraint lists.
std::optional<ColumnRange> of_checked_values(Oid table, AttrNumber column, Oid type) {
  const auto listed = checked_values(table, column);
  if (!listed || listed->size == 0) return std::nullopt;
  return ColumnRange{type, listed->values[0], listed->values[listed->size - 1], "CHECK"};
}

}  // namespace

bool can_have_range(Oid type) {
  switch (type) {
    case INT2OID:
    case INT4OID:
    case INT8OID:
    case FLOAT4OID:
    case FLOAT8OID:
    case NUMERICOID:
    case DATEOID:
    case TIMESTAMPOID:
    case TIMESTAMPTZOID:
      return true;
    default:
      return false;
  }
}

std::optional<ColumnRange> range_of_column(Oid table, AttrNumber column) {
  if (column <= 0) return std::nullopt;
  const Oid named = get_atttype(table, column);
  const Oid type = getBaseType(named);
  if (!can_have_range(type)) return std::nullopt;
  const char* const name = get_attname(table, column, false);
  if (const auto protection = protection_of(table)) {
    if (auto range = declared(protection->relation, name, type)) return range;
    if (auto range = of_listed_values(protection->relation, name, named)) {
      range->type = type;
      return range;
    }
  }
  ComparedRange compared(type);
  ListCell* cell;
  foreach (cell, checks_of_column(table, column)) compared.add(static_cast<Node*>(lfirst(cell)), column);
  const auto range = compared.range("CHECK");
  return range ? range : of_checked_values(table, column, type);
}

}  // namespace dp::budget
