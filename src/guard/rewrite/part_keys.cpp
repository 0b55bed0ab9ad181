#include "guard/rewrite/part_keys.h"

#include <cmath>
#include <limits>

#include "core/bounds/traits.h"
#include "guard/admission/values.h"
#include "guard/facts/courses.h"
#include "guard/facts/form.h"
#include "guard/facts/grains.h"
#include "guard/functions/calls.h"
#include "guard/functions/constants.h"
#include "guard/functions/moment_fields.h"
#include "guard/groups/computed_columns.h"
#include "guard/groups/key_images.h"
#include "guard/groups/key_points.h"
#include "guard/groups/key_steps.h"
#include "guard/relations/nulls.h"
#include "guard/rewrite/computed_ranges.h"
#include "guard/rewrite/differences.h"
#include "guard/rewrite/value_bounds.h"
#include "guard/tree/columns.h"
#include "guard/tree/entries.h"
#include "pg/joins.h"
#include "pg/known_columns.h"
#include "pg/nodes.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// So many values of one column alone are groups whatever the table's policy pays for: as many buckets, and two more.
constexpr std::int64_t kFew = 1002;

struct Part {
  Node* node;
  Node* in_place;  // over its column, of the node's type
  Var* column;
  bool counts_units;  // the column is that number itself
};

bool reads_several(Node* node) {
  List* different = NIL;
  ListCell* cell;
  foreach (cell, pull_var_clause(node, PVC_INCLUDE_AGGREGATES)) different = list_append_unique(different, lfirst(cell));
  return list_length(different) > 1;
}

// floor(sqrt(x)), ceil(ln(x)), round(x * y): whole numbers of another type.
bool is_rounded(Node* node) {
  return bounds::traits_of(computation_of(node).meaning).rounds &&
         (exprType(node) == NUMERICOID || exprType(node) == FLOAT8OID) && grain_of(node) == bounds::kWhole;
}

bool rounds(Node* node, void*) {
  if (node == nullptr) return false;
  return is_rounded(node) || pg::walk(node, rounds, nullptr);
}

// Whether it is computed with the time, or something else that changes while a plan is kept.
bool is_momentary(Node* node, void*) {
  if (node == nullptr) return false;
  if (!contain_var_clause(node) && contain_mutable_functions(node)) return true;
  return pg::walk(node, is_momentary, nullptr);
}

// Whether a floating-point number may be -0, which compares as 0 and shows its sign elsewhere: ceil(-0.5), 0 * -1.
bool may_be_minus_zero(Node* node) {
  if (IsA(node, Const)) return is_null_constant(node) || std::signbit(real_constant(node));
  const auto [meaning, arguments] = computation_of(node);
  const auto of = [list = arguments](int number) {
    return may_be_minus_zero(static_cast<Node*>(list_nth(list, number)));
  };
  if (meaning == Meaning::cast) return !is_discrete(getBaseType(exprType(static_cast<Node*>(linitial(arguments)))));
  if (meaning == Meaning::plus) return of(0) && of(1);
  if (meaning == Meaning::minus) return of(0);
  return meaning != Meaning::extract;
}

// Which values an expression has, as those of a column of whole numbers: so many times its grain, or days.
struct Counted {
  Oid type;
  bounds::Grain each;

  Node* in_place_of(Oid of, Var* column) const {
    Node* const number = coerced(reinterpret_cast<Node*>(column), of);
    if (each == bounds::kWhole) return number;
    const Datum written = NumericGetDatum(int64_div_fast_to_numeric(each.millionths, 6));
    return operation("*", number, constant(DirectFunctionCall1(numeric_trim_scale, written), of));
  }
};

// date_trunc('month', coalesce(discharged, admitted)): the same of each day's moments.
bool is_cut_to_days(Node* node) {
  const auto [meaning, arguments] = computation_of(node);
  if (meaning != Meaning::date_trunc || list_length(arguments) != 2 || !is_timestamp(exprType(node)) ||
      exprType(node) != exprType(static_cast<Node*>(lsecond(arguments))))
    return false;
  const MomentField* const field = field_of(static_cast<Node*>(linitial(arguments)));
  return field != nullptr && field->longest > 0 && field->step == USECS_PER_DAY;
}

// On which days what is cut lies.
bounds::Bounds days_of(Node* cut, const Sources& sources) {
  auto* const moment = static_cast<Node*>(lsecond(called_by(cut).arguments));
  const double zones = exprType(cut) == TIMESTAMPTZOID ? 1 : 0;
  const auto moments = bounds_of(moment, nullptr, sources).bounds;
  if (!moments) return std::nullopt;
  constexpr auto kDay = static_cast<double>(USECS_PER_DAY);
  return bounds::make(std::floor(moments->lower / kDay) - zones, std::floor(moments->upper / kDay) + zones);
}

Node* cut_of_day(Node* cut, Var* day) {
  auto* const call = static_cast<Node*>(copyObjectImpl(cut));
  lsecond(called_by(call).arguments) = cast_to(exprType(cut), day, COERCE_IMPLICIT_CAST);
  return call;
}

class Parts {
 public:
  // `any`: also parts that read a single column and have few values, free % 10; `least`: the least parts are taken,
  // otherwise the largest.
  Parts(const Sources& sources, List* certain, bool any, bool least)
      : sources_(sources), certain_(certain), any_(any), least_(least) {}

  Node* in_key(Node* key) {
    key_ = key;
    return put(key, this);
  }
  List* columns() const { return columns_; }

  // What conditions say of the parts: also discharged >= admitted, which is the same as discharged - admitted >= 0.
  List* in_conditions() {
    List* found = NIL;
    ListCell* cell;
    foreach (cell, parts_of(certain_)) {
      auto* const condition = static_cast<Node*>(lfirst(cell));
      found = list_concat(lappend(found, put_known(condition, this)), said_of_differences(condition));
    }
    return found;
  }

 private:
  static Node* put(Node* node, void* context) {
    if (node == nullptr) return nullptr;
    check_stack_depth();
    auto* const self = static_cast<Parts*>(context);
    const bool structure = IsA(node, List) || IsA(node, CaseWhen);
    if (!structure && !self->may_hold_part(node)) return static_cast<Node*>(copyObjectImpl(node));
    const int before = self->put_;
    if (!structure && !self->least_) {
      Node* const whole = self->known_or_taken(node);
      if (self->put_ != before) return whole;
    }
    Node* const within = pg::mutate(node, put, context);
    return structure || self->put_ != before ? within : self->known_or_taken(node);
  }

  Node* known_or_taken(Node* node) {
    Node* const known = this->known(node);
    return known != nullptr ? known : taken(node);
  }

  Node* known(Node* node) {
    ListCell* cell;
    foreach (cell, parts_) {
      const auto* const part = static_cast<const Part*>(lfirst(cell));
      if (!equal(part->node, node)) continue;
      ++put_;
      return static_cast<Node*>(copyObjectImpl(part->in_place));
    }
    return nullptr;
  }

  bool may_hold_part(Node* node) const {
    if (!any_) return reads_several(node) || (contain_var_clause(node) && rounds(node, nullptr));
    return contain_var_clause(node) && !(IsA(node, Var) && is_discrete(getBaseType(exprType(node))));
  }

  // Nothing where its values cannot stand in its place: those that are computed from it may show how it is written.
  std::optional<Counted> counted(Node* node) const {
    const Oid type = getBaseType(exprType(node));
    if (is_cut_to_days(node)) return Counted{DATEOID, bounds::kWhole};
    const auto grain = grain_of(node);
    if (!grain || grain->millionths == 0) return std::nullopt;
    if (is_discrete(type)) return Counted{type, *grain};
    const bool shows = node != key_ && (type == NUMERICOID ? !is_shown_whole(node) : may_be_minus_zero(node));
    return (type == NUMERICOID || type == FLOAT8OID) && !shows ? std::optional(Counted{INT4OID, *grain}) : std::nullopt;
  }

  // The node, or what stands for it from now on.
  Node* taken(Node* node) {
    if (contain_subplans(node) || contain_volatile_functions(node)) return node;
    if (any_ && is_momentary(node, nullptr)) return node;
    const auto counted = this->counted(node);
    if (!counted) return node;
    const bool of_days = is_cut_to_days(node);
    ValueBounds found;
    if (of_days) {
      found.bounds = days_of(node, sources_);
    } else {
      found = bounds_of(node, nullptr, sources_);
    }
    if (!found.bounds || found.by_limits) return node;
    const auto values = bounds::multiples_within(*found.bounds, counted->each);
    if (!values || values->last < values->first || values->last - values->first >= (any_ ? kFew : kMostKeyPoints))
      return node;
    // NaN, which no bounds hold, stands behind the last of them, as in every order.
    const bool with_nan = may_be_nan(node);
    const std::int64_t last = values->last + (with_nan ? 1 : 0);
    const auto range =
        range_between(counted->type, {static_cast<bounds::Number>(values->first), static_cast<bounds::Number>(last)});
    if (!range) return node;
    const int table = linitial_node(Var, pull_var_clause(node, 0))->varno;
    const auto number = static_cast<AttrNumber>(kComputed + list_length(sources_.computed) + list_length(columns_));
    Var* const column = column_of_type(table, number, counted->type, -1, InvalidOid);
    const bool nullable = may_be_null_in_row(node);
    columns_ = lappend(columns_, new (palloc(sizeof(ComputedColumn))) ComputedColumn{column, *range, nullable});
    Node* in_place = of_days ? cut_of_day(node, column) : counted->in_place_of(exprType(node), column);
    if (with_nan) in_place = nan_where(column, static_cast<int32>(last), in_place);
    const bool counts_units = counted->type == INT4OID && counted->each == bounds::kWhole && !with_nan;
    parts_ = lappend(parts_, new (palloc(sizeof(Part))) Part{node, in_place, column, counts_units});
    ++put_;
    return static_cast<Node*>(copyObjectImpl(in_place));
  }

  // By its type, or as somebody has said between which numbers it lies: rows that do not are nowhere.
  bool has_an_end_each_way(Node* column) const {
    const Oid type = getBaseType(exprType(column));
    const bool endless = is_inexact(type) || is_moment(type);
    return !endless || bounds_of(column, nullptr, sources_).bounds;
  }

  bool have_an_end_each_way(List* columns) const {
    ListCell* cell;
    foreach (cell, columns) {
      if (!has_an_end_each_way(static_cast<Node*>(lfirst(cell)))) return false;
    }
    return true;
  }

  // Numbers that may be infinite or NaN, where nothing is said of them.
  static bool is_inexact(Oid type) { return type == FLOAT4OID || type == FLOAT8OID || type == NUMERICOID; }

  // Whether it is NaN for some numbers that its columns may be: sign(n) and trunc(n % 3) of a numeric, round(sin(x)).
  // The sign of a floating-point number is always one.
  bool may_be_nan(Node* node) const {
    const Oid type = getBaseType(exprType(node));
    if (!is_inexact(type) || (type == FLOAT8OID && computation_of(node).meaning == Meaning::sign)) return false;
    ListCell* cell;
    foreach (cell, pull_var_clause(node, 0)) {
      auto* const column = static_cast<Node*>(lfirst(cell));
      if (is_inexact(getBaseType(exprType(column))) && !has_an_end_each_way(column)) return true;
    }
    return false;
  }

  // CASE WHEN column = place THEN 'NaN' ELSE number END
  static Node* nan_where(Var* column, int32 place, Node* number) {
    const Oid type = exprType(number);
    const Datum nan = DirectFunctionCall1(float8_numeric, Float8GetDatum(std::numeric_limits<double>::quiet_NaN()));
    Node* const is_there = compared_with(reinterpret_cast<Node*>(column), BTEqualStrategyNumber, place);
    return pg::case_when(is_there, constant(nan, type), number);
  }

  bool may_be_null_in_row(Node* node) const {
    if (sources_.computed == NIL && !may_be_null(node, sources_.tables, sources_.tree)) return false;
    List* const columns = pull_var_clause(node, 0);
    if (!(have_an_end_each_way(columns) ? keeps_finite_values(node) : keeps_values(node))) return true;
    ListCell* cell;
    foreach (cell, columns) {
      const auto* const column = lfirst_node(Var, cell);
      const ComputedColumn* const computed = computed_column(column, sources_);
      const bool nullable = computed != nullptr
                                ? computed->may_be_null
                                : may_be_null(static_cast<Node*>(lfirst(cell)), sources_.tables, sources_.tree);
      if (nullable && !pg::is_known_by(column, certain_)) return true;
    }
    return false;
  }

  static Node* put_known(Node* node, void* context) {
    if (node == nullptr) return nullptr;
    auto* const self = static_cast<Parts*>(context);
    if (!IsA(node, List)) {
      if (Node* const part = self->known(node)) return part;
      if (Node* const compared = self->as_difference(node)) return compared;
    }
    return pg::mutate(node, put_known, context);
  }

  static Node* compared_with(Node* number, int strategy, int32 constant) {
    const TypeCacheEntry* const order = lookup_type_cache(INT4OID, TYPECACHE_BTREE_OPFAMILY);
    const Oid compares = get_opfamily_member(order->btree_opf, INT4OID, INT4OID, static_cast<int16>(strategy));
    auto* const with = pg::int4_constant(constant);
    auto* const made = make_opclause(compares, BOOLOID, false, static_cast<Expr*>(copyObjectImpl(number)),
                                     reinterpret_cast<Expr*>(with), InvalidOid, InvalidOid);
    set_opfuncid(reinterpret_cast<OpExpr*>(made));
    return reinterpret_cast<Node*>(made);
  }

  // What a comparison of two moments, which holds, says of parts of their difference: discharged > admitted that whole
  // days between them are not below 0.
  List* said_of_differences(Node* condition) const {
    List* found = NIL;
    ListCell* cell;
    foreach (cell, parts_) {
      const auto* const part = static_cast<const Part*>(lfirst(cell));
      const auto units = units_between(part->node);
      const auto compared = units ? comparison_of_difference(condition, units->moments) : std::nullopt;
      if (!compared || !part->counts_units || (units->unit == 0 && compared->with != 0)) continue;
      const double number = units->unit == 0 ? 0 : static_cast<double>(compared->with) / units->unit;
      if (!(std::fabs(number) < PG_INT32_MAX)) continue;
      // Whichever way it is rounded.
      const auto also = [&](int strategy, double bound) {
        found =
            lappend(found, compared_with(reinterpret_cast<Node*>(part->column), strategy, static_cast<int32>(bound)));
      };
      if (compared->strategy <= BTEqualStrategyNumber) also(BTLessEqualStrategyNumber, std::ceil(number));
      if (compared->strategy >= BTEqualStrategyNumber) also(BTGreaterEqualStrategyNumber, std::floor(number));
    }
    return found;
  }

  // The comparison of two columns, of whose difference a part is; nullptr for another node.
  Node* as_difference(Node* node) const {
    if (!IsA(node, OpExpr) || list_length(castNode(OpExpr, node)->args) != 2) return nullptr;
    const auto* const op = castNode(OpExpr, node);
    ListCell* cell;
    foreach (cell, parts_) {
      const auto* const part = static_cast<const Part*>(lfirst(cell));
      const auto [meaning, arguments] = computation_of(part->node);
      if (meaning != Meaning::minus || list_length(arguments) != 2 ||
          exprType(static_cast<Node*>(linitial(arguments))) != DATEOID || exprType(part->in_place) != INT4OID)
        continue;
      const bool mirrored = equal(linitial(op->args), lsecond(arguments));
      if (!equal(mirrored ? lsecond(op->args) : linitial(op->args), linitial(arguments)) ||
          !equal(mirrored ? linitial(op->args) : lsecond(op->args), lsecond(arguments)))
        continue;
      const int strategy = pg::range_of(op->opno, mirrored);
      if (strategy == 0) continue;
      return compared_with(part->in_place, strategy, 0);
    }
    return nullptr;
  }

  const Sources& sources_;
  List* certain_;  // conditions that hold for every row that counts
  const bool any_, least_;
  Node* key_ = nullptr;  // as it was given
  List* parts_ = NIL;    // Part*
  List* columns_ = NIL;  // ComputedColumn*
  int put_ = 0;          // how many have been put
};

}  // namespace

List* image_of_parts(Node* key, const Sources& sources, List* certain) {
  for (const bool any : {false, true}) {
    for (const bool least : {true, false}) {
      Parts parts(sources, certain, any, least);
      Node* const over = parts.in_key(key);
      if (parts.columns() == NIL) continue;
      Sources with_parts = sources;
      with_parts.computed = list_concat_copy(sources.computed, parts.columns());
      List* const image = image_over_computed(over, with_parts, parts.in_conditions());
      if (image != NIL) return image;
    }
  }
  return NIL;
}

}  // namespace dp::guard
