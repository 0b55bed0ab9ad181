#include "guard/rewrite/part_keys.h"

#include <cmath>

#include "guard/admission/values.h"
#include "guard/functions/folded.h"
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
#include "pg/walk.h"

namespace dp::guard {
namespace {

struct Part {
  Node* node;
  Node* in_place;  // over its column, of the node's type
  Var* column;
};

bool reads_several(Node* node) {
  List* different = NIL;
  ListCell* cell;
  foreach (cell, pull_var_clause(node, PVC_INCLUDE_AGGREGATES)) different = list_append_unique(different, lfirst(cell));
  return list_length(different) > 1;
}

bool is_zero(Node* node) {
  return IsA(node, Const) && !castNode(Const, node)->constisnull && castNode(Const, node)->consttype == INT4OID &&
         DatumGetInt32(castNode(Const, node)->constvalue) == 0;
}

// floor(sqrt(x)), ceil(ln(x)), round(x * y): whole numbers of another type.
bool is_rounded(Node* node) {
  const auto [function, arguments] = called_by(node);
  if (!OidIsValid(function) || arguments == NIL) return false;
  const bool to_digits = list_length(arguments) == 2 && meaning_of(function) != Meaning::div &&
                         !is_zero(static_cast<Node*>(lsecond(arguments)));
  if (to_digits || (exprType(node) != NUMERICOID && exprType(node) != FLOAT8OID)) return false;
  const auto meaning = meaning_of(function);
  return meaning == Meaning::floor || meaning == Meaning::ceil || meaning == Meaning::round ||
         meaning == Meaning::trunc || (list_length(arguments) == 2 && meaning == Meaning::div);
}

bool rounds(Node* node, void*) {
  if (node == nullptr) return false;
  return is_rounded(node) || pg::walk(node, rounds, nullptr);
}

bool is_whole_part(Node* node);

// Without digits behind the point, which the sum would show.
bool is_whole_constant(const Const* constant) {
  if (constant->constisnull) return false;
  if (constant->consttype == NUMERICOID)
    return DatumGetInt32(DirectFunctionCall1(numeric_scale, constant->constvalue)) == 0;
  return constant->consttype == FLOAT8OID && std::fmod(DatumGetFloat8(constant->constvalue), 1) == 0;
}

// A constant, a whole number that is cast, or such a part.
bool is_whole_number(Node* node) {
  if (IsA(node, Const)) return is_whole_constant(castNode(Const, node));
  const CalledFunction call = called_by(node);
  if (OidIsValid(call.function) && list_length(call.arguments) == 1 && meaning_of(call.function) == Meaning::cast &&
      is_whole(exprType(static_cast<Node*>(linitial(call.arguments)))))
    return true;
  return is_whole_part(node);
}

// x + y of whole numbers. (0 * -1 of doubles is -0.)
bool is_whole_sum(Node* node, const CalledFunction& call) {
  const auto means = meaning_of(call.function);
  const bool exact = exprType(node) == NUMERICOID;
  if (means != Meaning::plus && means != Meaning::minus && !(means == Meaning::times && exact)) return false;
  if ((!exact && exprType(node) != FLOAT8OID) || list_length(call.arguments) != 2) return false;
  for (void* const argument : {linitial(call.arguments), lsecond(call.arguments)}) {
    auto* const part = static_cast<Node*>(argument);
    if (!is_whole_number(part) || (!exact && is_rounded(part))) return false;
  }
  return true;
}

// extract(year FROM age(a, b)) and its like are, too, and what they add up to.
bool is_whole_part(Node* node) {
  if (is_rounded(node)) return true;
  const CalledFunction call = called_by(node);
  if (!OidIsValid(call.function)) return false;
  if (is_whole_sum(node, call)) return true;
  List* const arguments = call.arguments;
  if (meaning_of(call.function) != Meaning::extract || list_length(arguments) != 2) return false;
  if (exprType(node) != NUMERICOID && exprType(node) != FLOAT8OID) return false;
  const MomentField* const field = field_of(static_cast<Node*>(linitial(arguments)));
  return field != nullptr && field->whole;
}

// date_trunc('month', coalesce(discharged, admitted)): the same of each day's moments.
bool is_cut_to_days(Node* node) {
  const auto [function, arguments] = called_by(node);
  if (!OidIsValid(function) || meaning_of(function) != Meaning::date_trunc || list_length(arguments) != 2 ||
      !is_timestamp(exprType(node)) || exprType(node) != exprType(static_cast<Node*>(lsecond(arguments))))
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
  const Oid cast = exprType(cut) == TIMESTAMPTZOID ? F_TIMESTAMPTZ_DATE : F_TIMESTAMP_DATE;
  lsecond(called_by(call).arguments) =
      makeFuncExpr(cast, exprType(cut), list_make1(day), InvalidOid, InvalidOid, COERCE_IMPLICIT_CAST);
  return call;
}

class Parts {
 public:
  // `least`: the least parts are taken, otherwise the largest.
  Parts(const Sources& sources, bool least) : sources_(sources), least_(least) {}

  Node* in_key(Node* key) {
    key_ = key;
    return put(key, this);
  }
  List* columns() const { return columns_; }

  // What conditions say of the parts: also discharged >= admitted, which is the same as discharged - admitted >= 0.
  List* in_conditions(List* conditions) {
    List* found = NIL;
    ListCell* cell;
    foreach (cell, parts_of(conditions)) {
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
    if (!structure && !reads_several(node) && !(contain_var_clause(node) && rounds(node, nullptr)))
      return static_cast<Node*>(copyObjectImpl(node));
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

  // The node, or what stands for it from now on.
  Node* taken(Node* node) {
    const Oid type = getBaseType(exprType(node));
    // ceil(-0.5) of a double is -0, which compares as 0 and shows its sign elsewhere.
    const bool shows_sign = type == FLOAT8OID && is_rounded(node) && node != key_;
    const bool as_number = is_whole_part(node) && !shows_sign;
    if (contain_subplans(node) || contain_volatile_functions(node)) return node;
    const bool of_days = is_cut_to_days(node);
    if (!is_whole(type) && !as_number && !of_days) return node;
    ValueBounds found;
    if (of_days) {
      found.bounds = days_of(node, sources_);
    } else {
      found = bounds_of(node, nullptr, sources_);
    }
    if (!found.bounds || found.by_limits) return node;
    const Oid whole = as_number ? INT4OID : of_days ? DATEOID : type;
    const auto range = range_between(whole, *found.bounds);
    if (!range || found.bounds->upper - found.bounds->lower >= kMostKeyPoints) return node;
    const int table = linitial_node(Var, pull_var_clause(node, 0))->varno;
    const auto number = static_cast<AttrNumber>(kComputed + list_length(sources_.computed) + list_length(columns_));
    Var* const column = column_of_type(table, number, whole, -1, InvalidOid);
    const bool nullable = may_be_null_in_row(node);
    columns_ = lappend(columns_, new (palloc(sizeof(ComputedColumn))) ComputedColumn{column, *range, nullable});
    Node* in_place = of_days ? cut_of_day(node, column) : reinterpret_cast<Node*>(column);
    if (as_number) {
      const Oid cast = exprType(node) == FLOAT8OID ? F_FLOAT8_INT4 : F_NUMERIC_INT4;
      in_place = reinterpret_cast<Node*>(
          makeFuncExpr(cast, exprType(node), list_make1(column), InvalidOid, InvalidOid, COERCE_IMPLICIT_CAST));
    }
    parts_ = lappend(parts_, new (palloc(sizeof(Part))) Part{node, in_place, column});
    ++put_;
    return static_cast<Node*>(copyObjectImpl(in_place));
  }

  bool may_be_null_in_row(Node* node) const {
    if (sources_.computed == NIL) return may_be_null(node, sources_.tables, sources_.tree);
    if (!keeps_values(node)) return true;
    ListCell* cell;
    foreach (cell, pull_var_clause(node, 0)) {
      const ComputedColumn* const computed = computed_column(lfirst_node(Var, cell), sources_);
      if (computed != nullptr ? computed->may_be_null
                              : may_be_null(static_cast<Node*>(lfirst(cell)), sources_.tables, sources_.tree))
        return true;
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
    auto* const with = makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(constant), false, true);
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
      if (!compared || part->column->vartype != INT4OID || (units->unit == 0 && compared->with != 0)) continue;
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
      const auto [function, arguments] = called_by(part->node);
      if (!OidIsValid(function) || meaning_of(function) != Meaning::minus || list_length(arguments) != 2 ||
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
  const bool least_;
  Node* key_ = nullptr;  // as it was given
  List* parts_ = NIL;    // Part*
  List* columns_ = NIL;  // ComputedColumn*
  int put_ = 0;          // how many have been put
};

}  // namespace

List* image_of_parts(Node* key, const Sources& sources, List* certain) {
  for (const bool least : {true, false}) {
    Parts parts(sources, least);
    Node* const over = parts.in_key(key);
    if (parts.columns() == NIL) return NIL;
    Sources with_parts = sources;
    with_parts.computed = list_concat_copy(sources.computed, parts.columns());
    List* const image = image_over_computed(over, with_parts, parts.in_conditions(certain));
    if (image != NIL) return image;
  }
  return NIL;
}

}  // namespace dp::guard
