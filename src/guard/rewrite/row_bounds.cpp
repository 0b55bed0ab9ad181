#include "guard/rewrite/row_bounds.h"

#include <algorithm>
#include <cmath>

#include "budget/policy/accounts.h"
#include "budget/policy/domains.h"
#include "budget/policy/ranges.h"
#include "guard/admission/admission.h"
#include "guard/admission/values.h"
#include "guard/facts/number_values.h"
#include "guard/rewrite/declared_bounds.h"
#include "guard/tree/by_number.h"
#include "guard/tree/columns.h"
#include "pg/errors.h"
#include "pg/nodes.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// A value is an expression over leaves, the columns 1, 2, ... of the range-table index 1, and over values of the inner
// query. A leaf is a list of: the
// table and the number of the subquery (from 1) whose column it is, and the column's number (oid; 0: it is no such
// column); and between which values it lies (Const float8), where that is known beforehand.

bool can_be_bounded(Oid type) { return is_number(type) || budget::can_have_range(type); }

// Whether the column's values are public as they are.
bool is_of_rows(const Var* column, const Sources& sources) {
  if (column->varlevelsup > 0 || column->varattno <= 0 || !can_be_bounded(getBaseType(column->vartype))) return false;
  const RangeTblEntry* const entry = sources.table(column->varno);
  if (number_of_public_rows(entry) > 0) return true;
  if (entry->rtekind != RTE_RELATION || sources.protection(column->varno) != nullptr ||
      budget::range_of_column(entry->relid, column->varattno))
    return false;
  return budget::public_column_size(entry->relid, column->varattno).has_value();
}

bool is_parameter(const Node* node) {
  return IsA(node, Param) && reinterpret_cast<const Param*>(node)->paramkind == PARAM_EXTERN &&
         can_be_bounded(getBaseType(exprType(node)));
}

bool add_parameters(Node* node, void* parts) {
  if (node == nullptr) return false;
  if (is_parameter(node)) *static_cast<List**>(parts) = lappend(*static_cast<List**>(parts), node);
  return pg::walk(node, add_parameters, parts);
}

// Var and Param: what the expression reads that is known when an execution begins.
List* parts_known_later(Node* expression, const Sources& sources) {
  List* parts = NIL;
  ListCell* cell;
  foreach (cell, pull_vars_of_level(expression, 0)) {
    if (is_of_rows(lfirst_node(Var, cell), sources)) parts = lappend(parts, lfirst(cell));
  }
  add_parameters(expression, &parts);
  return parts;
}

// ---- planning -------------------------------------------------------------------------------------------------------

Node* float_constant(double value) { return reinterpret_cast<Node*>(pg::float8_constant(value)); }

// What bounds the expression has where these parts have some: such as suit a logarithm, a divisor, a root, or others.
ValueBounds assumed_bounds(Node* expression, Node* filter, const Sources& sources, List* parts) {
  ValueBounds found;
  for (const double lower : {1.0, 1000.0, -2.0}) {
    List* known = NIL;
    ListCell* cell;
    foreach (cell, parts) {
      known = lappend(known, new (palloc(sizeof(KnownColumn)))
                                 KnownColumn{static_cast<Node*>(lfirst(cell)), Ends{lower, lower + 1}});
    }
    found = bounds_of(expression, filter, sources, known);
    if (found.bounds) break;
  }
  return found;
}

struct Leaves {
  const Sources& sources;
  Node* filter;
  List* nodes = NIL;   // Node: what the leaves stand for
  List* leaves = NIL;  // List
};

Node* leaf_for(Node* node, List* leaf, Leaves* all) {
  int number = 0;
  ListCell* cell;
  foreach (cell, all->nodes) {
    if (equal(lfirst(cell), node)) number = foreach_current_index(cell) + 1;
  }
  if (number == 0) {
    all->nodes = lappend(all->nodes, node);
    all->leaves = lappend(all->leaves, leaf);
    number = list_length(all->nodes);
  }
  return reinterpret_cast<Node*>(column_showing(1, number, node));
}

List* leaf_of_rows(const Var* column, const Leaves& all) {
  const RangeTblEntry* const entry = all.sources.table(column->varno);
  const int subquery = number_of_public_rows(entry);
  const NumberRange range = number_range_of(column, all.filter, all.sources);
  return list_make3(list_make3_oid(subquery > 0 ? InvalidOid : entry->relid, static_cast<Oid>(subquery),
                                   static_cast<Oid>(column->varattno)),
                    float_constant(bounds::double_below(range.lower)),
                    float_constant(bounds::double_above(range.upper)));
}

// Largest parts without a column of rows and without a parameter are leaves whose bounds are known now.
Node* with_leaves(Node* node, void* context) {
  if (node == nullptr) return nullptr;
  auto* const all = static_cast<Leaves*>(context);
  if (IsA(node, Var) && is_of_rows(castNode(Var, node), all->sources))
    return leaf_for(node, leaf_of_rows(castNode(Var, node), *all), all);
  const bool structure = IsA(node, List) || IsA(node, CaseWhen);
  if (structure || !contain_var_clause(node) || parts_known_later(node, all->sources) != NIL ||
      (!IsA(node, Var) && !can_be_bounded(getBaseType(exprType(node)))))
    return pg::mutate(node, with_leaves, context);
  const bounds::Bounds bounds = bounds_of(node, all->filter, all->sources).bounds.fact();
  List* const none = list_make3_oid(InvalidOid, 0, 0);
  return leaf_for(node,
                  bounds ? list_make3(none, float_constant(bounds::double_below(bounds->lower)),
                                      float_constant(bounds::double_above(bounds->upper)))
                         : list_make1(none),
                  all);
}

// ---- execution ------------------------------------------------------------------------------------------------------

double float_of(Node* constant) { return DatumGetFloat8(castNode(Const, constant)->constvalue); }

bool is_infinite(Oid type, Datum value) {
  if (type == DATEOID) return DATE_NOT_FINITE(DatumGetDateADT(value));
  return (type == TIMESTAMPOID || type == TIMESTAMPTZOID) && TIMESTAMP_NOT_FINITE(DatumGetTimestamp(value));
}

struct Range {
  bounds::Number lower = INFINITY, upper = -INFINITY;

  void add(const NullableDatum& value, Oid type) {
    if (value.isnull) return;
    const auto number = is_infinite(type, value.value) ? std::nullopt : as_number(type, value.value);
    const bool is_nan = number && std::isnan(*number);  // above all numbers, also in conditions
    lower = std::min<bounds::Number>(lower, is_nan ? INFINITY : number.value_or(-INFINITY));
    upper = std::max<bounds::Number>(upper, is_nan ? INFINITY : number.value_or(INFINITY));
  }

  bool is_empty() const { return lower > upper; }
};

Range range_of_leaf(const List* what, Oid type, const PublicRows* rows) {
  Range range;
  const auto column = static_cast<int>(lthird_oid(what));
  if (const int subquery = static_cast<int>(lsecond_oid(what)); subquery > 0) {
    const PublicRows& all = rows[subquery - 1];
    for (int row = 0; row < all.count; ++row) range.add(all.at(row, column), type);
  } else {
    const budget::ColumnRows all = budget::public_rows(linitial_oid(what), list_make1_int(column));
    for (int row = 0; row < all.count; ++row) range.add(all.values[row], type);
  }
  return range;
}

std::optional<Ends> finite_ends(bounds::Number lower, bounds::Number upper) {
  const bounds::Bounds finite = bounds::make(lower, upper);
  return finite ? std::optional(Ends{bounds::double_below(lower), bounds::double_above(upper)}) : std::nullopt;
}

// Of a column without values what is computed from it is in no row.
std::optional<Ends> ends_of_leaf(const List* leaf, Oid type, const PublicRows* rows) {
  const auto* const what = static_cast<const List*>(linitial(leaf));
  if (lthird_oid(what) == 0) {
    if (list_length(leaf) == 1) return std::nullopt;
    return finite_ends(float_of(static_cast<Node*>(lsecond(leaf))), float_of(static_cast<Node*>(lthird(leaf))));
  }
  Range range = range_of_leaf(what, getBaseType(type), rows);
  range.lower = std::max<bounds::Number>(range.lower, float_of(static_cast<Node*>(lsecond(leaf))));
  range.upper = std::min<bounds::Number>(range.upper, float_of(static_cast<Node*>(lthird(leaf))));
  return range.is_empty() ? Ends{1, 1} : finite_ends(range.lower, range.upper);
}

[[noreturn]] void refuse_without_end(const char* text) {
  ereport(ERROR,
          (errcode(pg::kNotAdmissible),
           errmsg("the public rows that are joined, or parameters, give the value of %s no range: they hold NULL, "
                  "infinity or NaN, or 0 lies between the ends of a divisor",
                  text),
           errhint("Leave such rows out, say the range in a condition, or give bounds in a private call, for "
                   "example dp_sum(x, 0, 100).")));
  pg_unreachable();
}

Ends ends_of_rows(const List* bounds, ParamListInfo values, const PublicRows* rows) {
  Node* const expression = put_values(static_cast<Node*>(linitial(bounds)), values);
  List* known = NIL;
  ListCell* cell;
  foreach (cell, pull_vars_of_level(expression, 0)) {
    const auto* const leaf = lfirst_node(Var, cell);
    const auto* const described =
        static_cast<const List*>(list_nth(static_cast<List*>(lsecond(bounds)), leaf->varattno - 1));
    known = lappend(known, new (palloc(sizeof(KnownColumn))) KnownColumn{static_cast<Node*>(lfirst(cell)),
                                                                         ends_of_leaf(described, leaf->vartype, rows)});
  }
  const bounds::Bounds found = bounds_of_known(expression, known);
  if (!found) refuse_without_end(strVal(lthird(bounds)));
  return ends_of(*found);
}

char* description(const Node* part, const Sources& sources) {
  if (IsA(part, Param)) return psprintf("parameter $%d", reinterpret_cast<const Param*>(part)->paramid);
  const auto* const column = reinterpret_cast<const Var*>(part);
  const RangeTblEntry* const entry = sources.table(column->varno);
  return psprintf("%s of what %s holds", column_name(entry, column->varattno), entry->eref->aliasname);
}

}  // namespace

List* bounds_with_rows(Node* expression, Node* filter, const Sources& sources, ValueBounds* found) {
  List* const parts = parts_known_later(expression, sources);
  if (parts == NIL) return NIL;
  *found = assumed_bounds(expression, filter, sources, parts);
  if (!found->bounds) return NIL;
  ListCell* cell;
  foreach (cell, parts) {
    char* const text = description(static_cast<Node*>(lfirst(cell)), sources);
    if (!list_member(found->sources, makeString(text))) found->sources = lappend(found->sources, makeString(text));
  }
  return list_make2(bound_of_rows(-1, false), bound_of_rows(-1, true));
}

void note_row_bounds(Aggref* call, const ColumnNames& names, const Sources& sources, InnerQuery* what) {
  const auto is_bound = [](void* argument) {
    return as_bound_of_rows(reinterpret_cast<Node*>(static_cast<TargetEntry*>(argument)->expr)).has_value();
  };
  check_whole(reinterpret_cast<Node*>(call), "an aggregate");
  char* const text = text_of_call(reinterpret_cast<Node*>(call), names);
  Leaves all{sources, reinterpret_cast<Node*>(call->aggfilter)};
  auto* const value = reinterpret_cast<Node*>(linitial_node(TargetEntry, call->args)->expr);
  Node* const over = with_values(with_leaves(value, &all), "an aggregate", what);
  List* const bounds = list_make3(over, all.leaves, makeString(text));
  int number = 0;
  while (number < list_length(what->row_bounds) && !equal(list_nth(what->row_bounds, number), bounds)) ++number;
  if (number == list_length(what->row_bounds)) what->row_bounds = lappend(what->row_bounds, bounds);
  ListCell* cell;
  foreach (cell, call->args) {
    if (!is_bound(lfirst(cell))) continue;
    auto* const argument = lfirst_node(TargetEntry, cell);
    const bool upper = as_bound_of_rows(reinterpret_cast<Node*>(argument->expr))->upper;
    argument->expr = reinterpret_cast<Expr*>(bound_of_rows(number, upper));
  }
}

void tell_row_bounds(ParamListInfo values, const InnerQuery& inner_query, const PublicRows* rows) {
  int number = 0;
  ListCell *cell, *value;
  foreach (cell, inner_query.row_bounds) {
    const Ends interval = ends_of_rows(static_cast<const List*>(lfirst(cell)), values, rows);
    foreach (value, inner_query.parameters) {
      const auto bound = as_bound_of_rows(static_cast<const Node*>(lfirst(value)));
      if (!bound || bound->number != number) continue;
      const double end = bound->upper ? interval.upper : interval.lower;
      values->params[foreach_current_index(value)] = {Float8GetDatum(end), false, PARAM_FLAG_CONST, FLOAT8OID};
    }
    ++number;
  }
}

}  // namespace dp::guard
