#include "guard/rewrite/per_unit_keys.h"

#include <algorithm>

#include "guard/functions/aggregates.h"
#include "guard/groups/computed_columns.h"
#include "guard/groups/key_images.h"
#include "guard/groups/key_steps.h"
#include "guard/groups/values_from_quals.h"
#include "guard/query/plan_dependencies.h"
#include "guard/relations/joins.h"
#include "guard/relations/nulls.h"
#include "guard/rewrite/computed_ranges.h"
#include "guard/rewrite/key_tails.h"
#include "guard/rewrite/part_keys.h"
#include "guard/rewrite/value_bounds.h"
#include "guard/tree/by_number.h"
#include "guard/tree/columns.h"
#include "guard/tree/entries.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// A value that is computed of each person, or of each row where windows look at these, and the column that stands for
// it.
struct Computed {
  Node* call;  // Aggref, WindowFunc, or a column itself, as it runs, over the tables below
  Var* column;
};

// Of such a call.
Oid function_of(const Node* call) {
  return IsA(call, Aggref) ? reinterpret_cast<const Aggref*>(call)->aggfnoid
                           : reinterpret_cast<const WindowFunc*>(call)->winfnoid;
}

List* arguments_of(const Node* call) {
  return IsA(call, Aggref) ? reinterpret_cast<const Aggref*>(call)->args
                           : reinterpret_cast<const WindowFunc*>(call)->args;
}

const Expr* filter_of(const Node* call) {
  return IsA(call, Aggref) ? reinterpret_cast<const Aggref*>(call)->aggfilter
                           : reinterpret_cast<const WindowFunc*>(call)->aggfilter;
}

bool is_named(const Node* call, const char* name) {
  return function_of(call) < FirstGenbkiObjectId && strcmp(get_func_name(function_of(call)), name) == 0;
}

class Columns {
 public:
  Columns(const Sources& sources, List* tables) : sources_(sources), tables_(tables) {}

  // The expression with these columns in the place of the subqueries'; nullptr where it reads something else of them.
  Node* over(Node* expression) {
    fails_ = false;
    Node* const made = put(expression, this);
    return fails_ ? nullptr : made;
  }

  // What the subquery of that number says of its groups, likewise.
  List* having(int table) {
    const Query* const subquery = entry_numbered(table, tables_)->subquery;
    List* found = NIL;
    ListCell* cell;
    foreach (cell, conditions_in(subquery->havingQual)) {
      fails_ = false;
      Below below{this, table};
      Node* const condition = put_below(static_cast<Node*>(lfirst(cell)), &below);
      if (!fails_) found = lappend(found, condition);
    }
    return found;
  }

  // That the greatest of some values is not below the least of them.
  List* orders() const {
    List* found = NIL;
    ListCell *one, *other;
    foreach (one, computed_) {
      foreach (other, computed_) {
        const auto* const least = static_cast<const Computed*>(lfirst(one));
        const auto* const most = static_cast<const Computed*>(lfirst(other));
        if (!IsA(least->call, Aggref) || !IsA(most->call, Aggref) || least->column->varno != most->column->varno ||
            !is_named(least->call, "min") || !is_named(most->call, "max") ||
            !equal(arguments_of(least->call), arguments_of(most->call)) ||
            !equal(filter_of(least->call), filter_of(most->call)))
          continue;
        const Oid type = most->column->vartype;
        const TypeCacheEntry* const order = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY);
        const Oid at_least = get_opfamily_member(order->btree_opf, type, type, BTGreaterEqualStrategyNumber);
        if (!OidIsValid(at_least)) continue;
        auto* const condition =
            make_opclause(at_least, BOOLOID, false, static_cast<Expr*>(copyObjectImpl(most->column)),
                          static_cast<Expr*>(copyObjectImpl(least->column)), InvalidOid, most->column->varcollid);
        set_opfuncid(castNode(OpExpr, condition));
        found = lappend(found, condition);
      }
    }
    return found;
  }

  const Computed* at(const Var* column) const {
    if (column->varattno < kComputed) return nullptr;
    return static_cast<const Computed*>(list_nth(computed_, column->varattno - kComputed));
  }

  // Behind the tables stand views, which are not read.
  bool is_per_unit(int table) const {
    if (sources_.grouped != nullptr && table == 1) return true;
    return table <= list_length(sources_.tables) && sources_.per_unit_at(table) != nullptr;
  }

 private:
  static Node* put(Node* node, void* context) {
    if (node == nullptr) return nullptr;
    auto* const self = static_cast<Columns*>(context);
    if (self->fails_ || IsA(node, SubLink)) return self->fail(node);
    if (!IsA(node, Var)) return pg::mutate(node, put, context);
    const auto* const column = castNode(Var, node);
    if (!self->is_per_unit(column->varno)) return static_cast<Node*>(copyObjectImpl(node));
    const Query* const subquery = entry_numbered(column->varno, self->tables_)->subquery;
    if (column->varattno <= 0 || column->varlevelsup > 0) return self->fail(node);
    Below below{self, column->varno};
    return put_below(reinterpret_cast<Node*>(target_numbered(subquery->targetList, column->varattno)->expr), &below);
  }

  struct Below {
    Columns* self;
    int table;
  };

  static Node* put_below(Node* node, void* context) {
    if (node == nullptr) return nullptr;
    const auto& here = *static_cast<const Below*>(context);
    if (IsA(node, Aggref) || IsA(node, WindowFunc)) return here.self->column_for(node, here.table);
    const bool is_column = IsA(node, Var) && castNode(Var, node)->varlevelsup == 0 && castNode(Var, node)->varattno > 0;
    if (is_column) return here.self->column_for(node, here.table);
    if (IsA(node, Var) || IsA(node, SubLink)) return here.self->fail(node);
    return pg::mutate(node, put_below, context);
  }

  Node* column_for(Node* call, int table) {
    ListCell* cell;
    foreach (cell, computed_) {
      const auto* const known = static_cast<const Computed*>(lfirst(cell));
      if (known->column->varno == table && equal(known->call, call))
        return static_cast<Node*>(copyObjectImpl(known->column));
    }
    Var* const column = column_showing(table, kComputed + list_length(computed_), call);
    computed_ = lappend(computed_, new (palloc(sizeof(Computed))) Computed{call, column});
    return static_cast<Node*>(copyObjectImpl(column));
  }

  Node* fail(Node* node) {
    fails_ = true;
    return node;
  }

  const Sources& sources_;
  List* tables_;
  List* computed_ = NIL;  // Computed*
  bool fails_ = false;
};

// With the columns, those that can be said of these.
List* all_over(List* conditions, Columns* columns) {
  List* found = NIL;
  ListCell* cell;
  foreach (cell, parts_of(conditions)) {
    if (Node* const over = columns->over(static_cast<Node*>(lfirst(cell))); over != nullptr)
      found = lappend(found, over);
  }
  return found;
}

bool is_one_of(const Node* call, std::initializer_list<const char*> names) {
  if (IsA(call, Var)) return false;
  if (function_of(call) >= FirstGenbkiObjectId) return false;
  const char* const name = get_func_name(function_of(call));
  return std::any_of(names.begin(), names.end(), [name](const char* one) { return strcmp(one, name) == 0; });
}

// A count of rows, or the number of a row among them.
bool counts(const Node* call) { return is_one_of(call, {"count", "row_number", "rank", "dense_rank"}); }

// Each person has a row, but for those that FILTER or NULL leave out; rows have numbers from 1 on.
double least_count(const Node* call) {
  if (is_one_of(call, {"row_number", "rank", "dense_rank"})) return 1;
  return IsA(call, Aggref) && function_of(call) == kCountOfRows && filter_of(call) == nullptr ? 1 : 0;
}

Node* value_of(const Node* call) {
  auto* const value = static_cast<Node*>(linitial(arguments_of(call)));
  return IsA(value, TargetEntry) ? reinterpret_cast<Node*>(castNode(TargetEntry, value)->expr) : value;
}

// What stands in the CASE that keeps a sum from overflowing (admission/total_aggregates.h), or the value itself.
Node* bare(Node* value) {
  if (!IsA(value, CaseExpr) || list_length(castNode(CaseExpr, value)->args) != 1) return value;
  auto* const when = reinterpret_cast<Node*>(linitial_node(CaseWhen, castNode(CaseExpr, value)->args)->expr);
  if (!IsA(when, NullTest) || castNode(NullTest, when)->nulltesttype != IS_NOT_NULL) return value;
  return reinterpret_cast<Node*>(castNode(NullTest, when)->arg);
}

// A count, and a sum of what is never below 0, where the key settles.
std::optional<budget::ColumnRange> range_to_the_tail(const Computed& computed, Node* key, const Sources& below) {
  const Oid type = exprType(computed.call);
  if (type != INT8OID) return std::nullopt;
  if (is_one_of(computed.call, {"sum"})) {
    const auto value = bounds_of(bare(value_of(computed.call)), nullptr, below).bounds;
    if (!value || value->lower < 0) return std::nullopt;
  } else if (!counts(computed.call)) {
    return std::nullopt;
  }
  const auto tail = settled_from(key, computed.column);
  const double least = least_count(computed.call);
  return tail ? range_between(type, {least, std::max(*tail, least)}) : std::nullopt;
}

// Between the least and the greatest of the values that conditions list.
std::optional<budget::ColumnRange> range_listed(const Var* column, List* written) {
  auto* const asked = reinterpret_cast<Node*>(const_cast<Var*>(column));
  if (!is_discrete(column->vartype)) return std::nullopt;
  std::optional<int64> least, most;
  ListCell* cell;
  foreach (cell, values_from_quals(asked, asked, {written, reinterpret_cast<Node*>(written), asked}, false)) {
    const auto* const value = static_cast<const Const*>(lfirst(cell));
    if (!IsA(value, Const)) return std::nullopt;
    if (value->constisnull) continue;
    const int64 number = as_whole(column->vartype, value->constvalue);
    least = std::min(least.value_or(number), number);
    most = std::max(most.value_or(number), number);
  }
  if (!least) return std::nullopt;
  return range_between(column->vartype, {static_cast<bounds::Number>(*least), static_cast<bounds::Number>(*most)});
}

std::optional<budget::ColumnRange> range_of(const Computed& computed, Node* key, const Sources& below, List* written) {
  if (auto asked = range_from_quals(reinterpret_cast<Node*>(computed.column), written)) return asked;
  if (auto listed = range_listed(computed.column, written)) return listed;
  if (auto known = range_to_the_tail(computed, key, below)) return known;
  if (counts(computed.call)) {
    const auto [lower, upper] = ends_from_quals(reinterpret_cast<Node*>(computed.column), written);
    const auto least = static_cast<int64>(IsA(computed.call, WindowFunc) ? least_count(computed.call) : 0);
    if (upper) return budget::ColumnRange{INT8OID, Int64GetDatum(least), *upper, "the question"};
  }
  const bool shows = IsA(computed.call, Var) ||
                     is_one_of(computed.call, {"min", "max", "avg", "first_value", "last_value", "nth_value"}) ||
                     (is_one_of(computed.call, {"lag", "lead"}) && list_length(arguments_of(computed.call)) < 3);
  if (!shows) return std::nullopt;
  Node* const value = IsA(computed.call, Var) ? computed.call : bare(value_of(computed.call));
  const ValueBounds found = bounds_of(value, nullptr, below);
  if (!found.bounds || found.by_limits) return std::nullopt;  // beyond limits there are people, too
  return range_between(exprType(computed.call), *found.bounds);
}

bool is_nullable(Node* call, const Sources& below) {
  if (IsA(call, Var)) return may_be_null(call, below.tables, below.tree);
  if (counts(call)) return false;
  // The rows that a window shows one of need not be there.
  return IsA(call, WindowFunc) || filter_of(call) != nullptr ||
         may_be_null(bare(value_of(call)), below.tables, below.tree);
}

const Sources* below(const Sources& sources, int table) {
  const PerUnitTable* const joined = sources.per_unit_at(table);
  return joined != nullptr ? joined->below : sources.below;
}

void note_columns(Node* call, const Sources& below, List** facts) {
  ListCell* cell;
  auto* const read = IsA(call, Var) ? call : reinterpret_cast<Node*>(arguments_of(call));
  foreach (cell, pull_var_clause(read, 0)) {
    const auto* const column = lfirst_node(Var, cell);
    if (column->varattno > 0 && below.table(column->varno)->rtekind == RTE_RELATION)
      *facts = with_dependency(*facts, Dependency::column, below.table(column->varno)->relid, column->varattno);
  }
}

}  // namespace

List* image_of_per_unit_key(Node* key, const Sources& sources, List* tables, List* certain, List** facts) {
  Columns columns(sources, tables);
  Node* const over = columns.over(key);
  if (over == nullptr) return NIL;
  Sources with_computed = sources;
  List* written = all_over(sources.conditions, &columns);
  List* held = all_over(certain, &columns);
  for (int table = 1; table <= list_length(tables); ++table) {
    if (!columns.is_per_unit(table) || may_be_missing(sources.tree, table)) continue;
    List* const having = columns.having(table);
    written = list_concat(written, list_copy(having));
    held = list_concat(held, having);
  }
  List* noted = list_copy(*facts);
  ListCell* cell;
  foreach (cell, pull_var_clause(over, 0)) {
    const auto* const column = lfirst_node(Var, cell);
    const Computed* const computed = columns.at(column);
    if (computed == nullptr || computed_column(column, with_computed) != nullptr) continue;
    const Sources* const read = below(sources, column->varno);
    const auto range = read == nullptr ? std::nullopt : range_of(*computed, over, *read, written);
    if (!range) return NIL;
    const bool nullable = may_be_missing(sources.tree, column->varno) || is_nullable(computed->call, *read);
    with_computed.computed =
        lappend(with_computed.computed, new (palloc(sizeof(ComputedColumn))) ComputedColumn{column, *range, nullable});
    note_columns(computed->call, *read, &noted);
  }
  if (with_computed.computed == NIL) return NIL;
  held = list_concat(held, columns.orders());
  List* image = image_over_computed(over, with_computed, held);
  if (image == NIL) image = image_of_parts(over, with_computed, held);
  if (image != NIL) *facts = noted;
  return image;
}

}  // namespace dp::guard
