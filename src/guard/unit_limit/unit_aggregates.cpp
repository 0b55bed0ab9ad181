#include "guard/unit_limit/unit_aggregates.h"

#include "aggregate/call/prepare_plan.h"
#include "aggregate/call/shard_aggregates.h"
#include "aggregate/call/shard_groups.h"
#include "budget/catalog/extension_catalog.h"
#include "guard/functions/aggregates.h"
#include "pg/nodes.h"

namespace dp::guard {
namespace {

Aggref* make_aggregate(Oid function, Oid type, List* arguments) {
  auto* const aggregate = makeNode(Aggref);
  aggregate->aggfnoid = function;
  aggregate->aggtype = type;
  aggregate->aggkind = AGGKIND_NORMAL;
  aggregate->aggno = aggregate->aggtransno = -1;
  aggregate->location = -1;
  ListCell* cell;
  foreach (cell, arguments) {
    auto* const argument = static_cast<Expr*>(lfirst(cell));
    const auto number = static_cast<AttrNumber>(foreach_current_index(cell) + 1);
    aggregate->args = lappend(aggregate->args, makeTargetEntry(argument, number, nullptr, false));
    aggregate->aggargtypes = lappend_oid(aggregate->aggargtypes, exprType(reinterpret_cast<Node*>(argument)));
  }
  return aggregate;
}

// An aggregate that stands for another, with that one's OID as its last argument. Calls that differ keep differing:
// `resorigcol` is copied.
Aggref* stand_for(const Aggref* original, Oid function, Oid type, List* arguments, Const* which = nullptr) {
  if (which == nullptr)
    which = makeConst(OIDOID, -1, InvalidOid, sizeof(Oid), ObjectIdGetDatum(original->aggfnoid), false, true);
  Aggref* const made = make_aggregate(function, type, lappend(arguments, which));
  made->inputcollid = original->inputcollid;
  if (original->args != NIL) {
    linitial_node(TargetEntry, made->args)->resorigcol = linitial_node(TargetEntry, original->args)->resorigcol;
  }
  return made;
}

List* arguments_of(const Aggref* aggregate) {
  List* arguments = NIL;
  ListCell* cell;
  foreach (cell, aggregate->args) arguments = lappend(arguments, copyObjectImpl(lfirst_node(TargetEntry, cell)->expr));
  return arguments;
}

}  // namespace

int values_of(const Aggref* original) {
  return original->args == NIL ? 0 : aggregate::answers_about_pairs(original->aggfnoid) ? 2 : 1;
}

namespace {

// The arguments of an aggregate that reads no value.
List* arguments_of_none(const Aggref* aggregate) {
  List* const arguments = arguments_of(aggregate);
  for (int i = 0; i < values_of(aggregate); ++i) {
    ListCell* const cell = list_nth_cell(arguments, i);
    auto* const value = static_cast<Node*>(lfirst(cell));
    if (!IsA(value, Const)) lfirst(cell) = makeNullConst(exprType(value), exprTypmod(value), exprCollation(value));
  }
  return arguments;
}

// The arguments as another server is to read them. What is implicit is not written there, and an aggregate that takes
// arguments of any type would be called with another one.
List* written_arguments_of(const Aggref* aggregate) {
  List* const arguments = arguments_of(aggregate);
  ListCell* cell;
  foreach (cell, arguments) {
    auto* const argument = static_cast<Node*>(lfirst(cell));
    if (IsA(argument, FuncExpr) && castNode(FuncExpr, argument)->funcformat == COERCE_IMPLICIT_CAST)
      castNode(FuncExpr, argument)->funcformat = COERCE_EXPLICIT_CAST;
    if (IsA(argument, RelabelType)) castNode(RelabelType, argument)->relabelformat = COERCE_EXPLICIT_CAST;
  }
  return arguments;
}

// dp_internal.<prefix>_<type of the answer>
Oid named_by_type(const char* prefix, const Aggref* original) {
  const char* const vector = aggregate::name_of_vector(original->aggfnoid);
  const char* const type = vector != nullptr                     ? vector
                           : original->aggtype == INT8OID        ? "bigint"
                           : original->aggtype == NUMERICOID     ? "numeric"
                           : original->aggtype == INT8ARRAYOID   ? "bigints"
                           : original->aggtype == FLOAT8ARRAYOID ? "float8s"
                                                                 : "float8";
  return budget::internal_function(psprintf("%s_%s", prefix, type), {ANYOID});
}

// dp_internal.groups_<type>: the answer of an aggregate, of known groups, beside row_of_groups().
Aggref* over_groups(const Aggref* original) {
  Aggref* const answer =
      stand_for(original, named_by_type("groups", original), original->aggtype, arguments_of(original));
  answer->aggfilter = original->aggfilter;
  return answer;
}

Aggref* row_of_groups(Var* unit, List* keys, const ContributionBounds& limits) {
  auto* const first = static_cast<Node*>(linitial(keys));
  List* arguments = list_insert_nth(static_cast<List*>(copyObjectImpl(keys)), 1, copyObjectImpl(unit));
  for (const int limit : {limits.rows, limits.groups, limits.rows_per_group})
    arguments = lappend(arguments, pg::int8_constant(limit));
  const Oid function = budget::internal_function("units_row", {ANYELEMENTOID, ANYOID});
  Aggref* const row = make_aggregate(function, exprType(first), arguments);
  row->aggcollid = exprCollation(first);
  return row;
}

}  // namespace

Aggref* part_of(const Aggref* original, int most) {
  List* arguments = arguments_of(original);
  if (aggregate::keeps_rows(original)) arguments = lappend(arguments, pg::int8_constant(most));
  Aggref* const part = stand_for(original, budget::internal_function("unit_part", {ANYOID}), BYTEAOID, arguments);
  part->aggfilter = original->aggfilter;
  return part;
}

Aggref* total_of(const Aggref* original, Var* part, Expr* rows) {
  List* arguments = arguments_of(original);
  for (int i = 0; i < values_of(original); ++i) {
    ListCell* const cell = list_nth_cell(arguments, i);
    auto* const value = static_cast<Node*>(lfirst(cell));
    lfirst(cell) = makeNullConst(exprType(value), exprTypmod(value), exprCollation(value));
  }
  return stand_for(original, named_by_type("unit", original), original->aggtype, lcons(part, lcons(rows, arguments)));
}

Aggref* shard_part_of(const Aggref* original) {
  const Datum name = CStringGetTextDatum(aggregate::name_of_aggregate(original->aggfnoid));
  Aggref* const made =
      stand_for(original, budget::internal_function("shard_part", {ANYOID}), BYTEAOID, written_arguments_of(original),
                makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1, name, false, false));
  made->aggfilter = original->aggfilter;
  return made;
}

Aggref* shard_total_of(const Aggref* original, Var* part) {
  return stand_for(original, named_by_type("shard", original), original->aggtype,
                   lcons(part, arguments_of_none(original)));
}

const Aggref* original_of_part(const Aggref* part) {
  if (part->aggfnoid != budget::internal_function("unit_part", {ANYOID})) return nullptr;
  const auto* const which = reinterpret_cast<const Const*>(llast_node(TargetEntry, part->args)->expr);
  if (!IsA(which, Const) || which->consttype != OIDOID) return nullptr;
  auto* const original = static_cast<Aggref*>(copyObjectImpl(part));
  original->aggfnoid = DatumGetObjectId(which->constvalue);
  original->args = list_truncate(original->args, list_length(original->args) - 1);
  return aggregate::keeps_rows(original) ? nullptr : original;
}

Aggref* unit_of_parts(const Aggref* original, Var* part) {
  return stand_for(original, budget::internal_function("unit_of_parts", {ANYOID}), BYTEAOID,
                   lcons(part, arguments_of_none(original)));
}

OverUnits taken_apart(const Aggref* over_units) {
  constexpr int kWithValue = 4;  // the value, the unit, the limit, and which it stands for
  const int count = list_length(over_units->args);
  if (count < kWithValue) return {};
  const auto* const which = reinterpret_cast<const Const*>(llast_node(TargetEntry, over_units->args)->expr);
  if (!IsA(which, Const) || which->consttype != OIDOID) return {};
  auto* const original = static_cast<Aggref*>(copyObjectImpl(over_units));
  original->aggfnoid = DatumGetObjectId(which->constvalue);
  if (over_units->aggfnoid != named_by_type("units", original)) return {};
  const int place = values_of(original);
  auto* const unit = reinterpret_cast<Node*>(list_nth_node(TargetEntry, original->args, place)->expr);
  original->args = list_delete_nth_cell(list_truncate(original->args, count - 2), place);
  return {original, unit};
}

Aggref* shard_units_of(const Aggref* over_units, int family) {
  List* const arguments = written_arguments_of(over_units);
  if (family > 0) {
    ListCell* const rows = list_nth_cell(arguments, list_length(arguments) - 2);
    lfirst(rows) = pg::int8_constant(aggregate::rows_for_servers(0, true, family));
  }
  const auto* const which = static_cast<const Const*>(llast(arguments));
  const Datum name = CStringGetTextDatum(aggregate::name_of_aggregate(DatumGetObjectId(which->constvalue)));
  Aggref* const made = stand_for(over_units, budget::internal_function("shard_units", {ANYOID}), BYTEAOID,
                                 list_truncate(arguments, list_length(arguments) - 1),
                                 makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1, name, false, false));
  made->aggfilter = over_units->aggfilter;
  return made;
}

Aggref* shard_row_of(const Aggref* row, Node* groups) {
  const Oid function = budget::internal_function("shard_row", {ANYELEMENTOID, ANYOID});
  return make_aggregate(function, INT8OID, lappend(written_arguments_of(row), groups));
}

Aggref* shard_groups_of(const Aggref* over_groups, std::int64_t rows) {
  List* arguments = written_arguments_of(over_groups);
  const auto* const which = static_cast<const Const*>(llast(arguments));
  const Datum name = CStringGetTextDatum(aggregate::name_of_aggregate(DatumGetObjectId(which->constvalue)));
  arguments = lappend(list_truncate(arguments, list_length(arguments) - 1), pg::int8_constant(rows));
  Aggref* const made = stand_for(over_groups, budget::internal_function("shard_groups", {ANYOID}), BYTEAOID, arguments,
                                 makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1, name, false, false));
  made->aggfilter = over_groups->aggfilter;
  return made;
}

Aggref* shard_groups_total_of(const Aggref* over_groups, Var* part, Var* row) {
  const Aggref* const original = original_of_groups(over_groups);
  return stand_for(original, named_by_type("shard_groups", original), original->aggtype,
                   lcons(part, lcons(row, arguments_of_none(original))));
}

Aggref* original_of_groups(const Aggref* over_groups) {
  const int count = list_length(over_groups->args);
  if (count < 2) return nullptr;
  const auto* const which = reinterpret_cast<const Const*>(llast_node(TargetEntry, over_groups->args)->expr);
  if (!IsA(which, Const) || which->consttype != OIDOID) return nullptr;
  auto* const original = static_cast<Aggref*>(copyObjectImpl(over_groups));
  original->aggfnoid = DatumGetObjectId(which->constvalue);
  if (over_groups->aggfnoid != named_by_type("groups", original)) return nullptr;
  original->args = list_truncate(original->args, count - 1);
  return original;
}

Node* unit_of_row(const Aggref* row) {
  if (row->aggfnoid != budget::internal_function("units_row", {ANYELEMENTOID, ANYOID})) return nullptr;
  return reinterpret_cast<Node*>(lsecond_node(TargetEntry, row->args)->expr);
}

Aggref* row_of_none(const Aggref* row) {
  auto* const none = static_cast<Aggref*>(copyObjectImpl(row));
  ListCell* cell;
  foreach (cell, none->args) {
    auto* const argument = lfirst_node(TargetEntry, cell);
    auto* const value = reinterpret_cast<Node*>(argument->expr);
    if (IsA(value, Const)) continue;  // the limits
    argument->expr = reinterpret_cast<Expr*>(makeNullConst(exprType(value), exprTypmod(value), exprCollation(value)));
  }
  return none;
}

Aggref* over_units(const Aggref* original, Var* unit, int most) {
  List* arguments = arguments_of(original);
  arguments = list_insert_nth(arguments, values_of(original), copyObjectImpl(unit));
  arguments = lappend(arguments, pg::int8_constant(most));
  Aggref* const answer = stand_for(original, named_by_type("units", original), original->aggtype, arguments);
  answer->aggfilter = original->aggfilter;
  return answer;
}

void keep_groups(Query* query, Var* unit, List* keys, const ContributionBounds& limits) {
  query->groupClause = NIL;
  ListCell* cell;
  foreach (cell, query->targetList) {
    auto* const entry = lfirst_node(TargetEntry, cell);
    const int number = foreach_current_index(cell);
    auto* const old = reinterpret_cast<Node*>(entry->expr);
    if (number == 0) {
      Aggref* const row = row_of_groups(unit, keys, limits);
      entry->expr =
          exprTypmod(old) < 0
              ? reinterpret_cast<Expr*>(row)
              : reinterpret_cast<Expr*>(makeRelabelType(reinterpret_cast<Expr*>(row), row->aggtype, exprTypmod(old),
                                                        row->aggcollid, COERCE_IMPLICIT_CAST));
    } else if (number < list_length(keys)) {
      entry->expr = reinterpret_cast<Expr*>(makeNullConst(exprType(old), exprTypmod(old), exprCollation(old)));
    } else {
      entry->expr = reinterpret_cast<Expr*>(over_groups(castNode(Aggref, entry->expr)));
    }
  }
}

Aggref* sum_of_weights(Expr* groups) {
  auto* const weight =
      reinterpret_cast<Expr*>(makeFuncExpr(budget::internal_function("group_weight", {INT8OID}), INT8OID,
                                           list_make1(groups), InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL));
  return make_aggregate(budget::internal_function("unit_sum", {INT8OID}), INT8OID, list_make1(weight));
}

Aggref* count_rows() {
  Aggref* const count = make_aggregate(kCountOfRows, INT8OID, NIL);
  count->aggstar = true;
  return count;
}

Aggref* count_where(Node* value, Expr* filter) {
  Aggref* const count =
      value == nullptr ? count_rows()
                       : make_aggregate(kCountOfValues, INT8OID, list_make1(static_cast<Expr*>(copyObjectImpl(value))));
  count->aggfilter = static_cast<Expr*>(copyObjectImpl(filter));
  return count;
}

Aggref* count_different(Var* column) {
  const TypeCacheEntry* const type = lookup_type_cache(column->vartype, TYPECACHE_LT_OPR | TYPECACHE_EQ_OPR);
  Aggref* const count = make_aggregate(kCountOfValues, INT8OID, list_make1(column));
  count->inputcollid = column->varcollid;
  auto* const clause = makeNode(SortGroupClause);
  clause->tleSortGroupRef = linitial_node(TargetEntry, count->args)->ressortgroupref = 1;
  clause->eqop = type->eq_opr;
  clause->sortop = type->lt_opr;
  count->aggdistinct = list_make1(clause);
  return count;
}

Expr* unit_rows(List* arguments) {
  const Oid function = budget::internal_function("unit_rows", {INT8OID, INT8OID, INT8OID, INT8OID, INT8OID});
  return reinterpret_cast<Expr*>(
      makeFuncExpr(function, INT8OID, arguments, InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL));
}

// The key is one of the unit's: it has several where it has several forms.
Expr* share_of_rows(UnitSubquery* inner, Expr* unit, List* keys, Expr* rows, int most) {
  List* const of_unit = list_make1(unit);
  List* const order = random_order(lcons(unit, list_copy(keys)), keys);
  Expr* const key = inner->over(kLeastInt8, INT8OID, keyed_hash(of_unit), of_unit, NIL);
  const Oid sum = budget::internal_function("unit_sum", {INT8OID});
  Expr* const before = inner->over(sum, INT8OID, rows, of_unit, order);
  Expr* const all = inner->over(sum, INT8OID, rows, of_unit, NIL);
  return unit_rows(list_make5(key, reinterpret_cast<Expr*>(pg::int8_constant(most)), rows, before, all));
}

Expr* key_of_counts(List* unit_and_keys) {
  // Not the key by which groups are chosen.
  auto* const other = reinterpret_cast<Expr*>(pg::int8_constant(1));
  return keyed_hash(lappend(unit_and_keys, other));
}

}  // namespace dp::guard
