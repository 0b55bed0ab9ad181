#include "guard/rewrite/people_keys.h"

#include <algorithm>

#include "guard/groups/asked_values.h"
#include "guard/groups/computed_columns.h"
#include "guard/groups/key_images.h"
#include "guard/query/facts.h"
#include "guard/rewrite/computed_ranges.h"
#include "guard/rewrite/key_tails.h"
#include "guard/rewrite/value_bounds.h"
#include "guard/tables/joins.h"
#include "guard/tables/nulls.h"
#include "guard/tree/by_number.h"
#include "guard/tree/columns.h"
#include "guard/tree/entries.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// A value that is computed of each person, and the column that stands for it.
struct Computed {
  const Aggref* aggregate;  // as it runs, over the tables below
  Var* column;
};

class Columns {
 public:
  Columns(const Sources& sources, List* tables) : sources_(sources), tables_(tables) {}

  // The expression with these columns in the place of the subqueries'; nullptr where it reads something else of them.
  Node* over(Node* expression) {
    fails_ = false;
    Node* const made = put(expression, this);
    return fails_ ? nullptr : made;
  }

  const Computed* at(const Var* column) const {
    if (column->varattno < kComputed) return nullptr;
    return static_cast<const Computed*>(list_nth(computed_, column->varattno - kComputed));
  }

  bool is_of_people(int table) const {
    return sources_.people_at(table) != nullptr || (sources_.grouped != nullptr && table == 1);
  }

 private:
  static Node* put(Node* node, void* context) {
    if (node == nullptr) return nullptr;
    auto* const self = static_cast<Columns*>(context);
    if (self->fails_ || IsA(node, SubLink)) return self->fail(node);
    if (!IsA(node, Var)) return pg::mutate(node, put, context);
    const auto* const column = castNode(Var, node);
    if (!self->is_of_people(column->varno)) return static_cast<Node*>(copyObjectImpl(node));
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
    if (IsA(node, Aggref)) return here.self->column_for(castNode(Aggref, node), here.table);
    if (IsA(node, Var) || IsA(node, SubLink)) return here.self->fail(node);
    return pg::mutate(node, put_below, context);
  }

  Node* column_for(const Aggref* aggregate, int table) {
    ListCell* cell;
    foreach (cell, computed_) {
      const auto* const known = static_cast<const Computed*>(lfirst(cell));
      if (known->column->varno == table && equal(known->aggregate, aggregate))
        return static_cast<Node*>(copyObjectImpl(known->column));
    }
    Var* const column = column_showing(table, kComputed + list_length(computed_), aggregate);
    computed_ = lappend(computed_, new (palloc(sizeof(Computed))) Computed{aggregate, column});
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

// Each person has a row, but for those that FILTER or NULL leave out.
double least_count(const Aggref* aggregate) {
  return aggregate->aggfnoid == F_COUNT_ && aggregate->aggfilter == nullptr ? 1 : 0;
}

bool is_one_of(const Aggref* aggregate, std::initializer_list<const char*> names) {
  if (aggregate->aggfnoid >= FirstGenbkiObjectId) return false;
  const char* const name = get_func_name(aggregate->aggfnoid);
  return std::any_of(names.begin(), names.end(), [name](const char* one) { return strcmp(one, name) == 0; });
}

Node* value_of(const Aggref* aggregate) {
  return reinterpret_cast<Node*>(linitial_node(TargetEntry, aggregate->args)->expr);
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
  const Oid type = computed.aggregate->aggtype;
  if (type != INT8OID) return std::nullopt;
  if (is_one_of(computed.aggregate, {"sum"})) {
    const auto value = bounds_of(bare(value_of(computed.aggregate)), nullptr, below).bounds;
    if (!value || value->lower < 0) return std::nullopt;
  } else if (!is_one_of(computed.aggregate, {"count"})) {
    return std::nullopt;
  }
  const auto tail = settled_from(key, computed.column);
  const double least = least_count(computed.aggregate);
  return tail ? range_between(type, least, std::max(*tail, least)) : std::nullopt;
}

std::optional<budget::ColumnRange> range_of(const Computed& computed, Node* key, const Sources& below, List* written) {
  if (auto asked = range_asked_for(reinterpret_cast<Node*>(computed.column), written)) return asked;
  if (auto known = range_to_the_tail(computed, key, below)) return known;
  if (is_one_of(computed.aggregate, {"count"})) {
    const auto [lower, upper] = ends_asked_for(reinterpret_cast<Node*>(computed.column), written);
    if (upper) return budget::ColumnRange{INT8OID, Int64GetDatum(0), *upper, "the question"};
  }
  if (!is_one_of(computed.aggregate, {"min", "max", "avg"})) return std::nullopt;
  const ValueBounds found = bounds_of(bare(value_of(computed.aggregate)), nullptr, below);
  if (!found.bounds || found.by_limits) return std::nullopt;  // beyond limits there are people, too
  return range_between(computed.aggregate->aggtype, found.bounds->lower, found.bounds->upper);
}

bool is_nullable(const Aggref* aggregate, const Sources& below) {
  if (is_one_of(aggregate, {"count"})) return false;
  return aggregate->aggfilter != nullptr || may_be_null(bare(value_of(aggregate)), below.tables, below.tree);
}

const Sources* below(const Sources& sources, int table) {
  const PeopleTable* const joined = sources.people_at(table);
  return joined != nullptr ? joined->below : sources.below;
}

void note_columns(const Aggref* aggregate, const Sources& below, List** facts) {
  ListCell* cell;
  foreach (cell, pull_var_clause(reinterpret_cast<Node*>(aggregate->args), 0)) {
    const auto* const column = lfirst_node(Var, cell);
    if (column->varattno > 0 && below.table(column->varno)->rtekind == RTE_RELATION)
      *facts = with_fact(*facts, Fact::column, below.table(column->varno)->relid, column->varattno);
  }
}

}  // namespace

List* image_of_people_key(Node* key, const Sources& sources, List* tables, List* certain, List** facts) {
  Columns columns(sources, tables);
  Node* const over = columns.over(key);
  if (over == nullptr) return NIL;
  Sources with_computed = sources;
  List* const written = all_over(sources.conditions, &columns);
  List* noted = list_copy(*facts);
  ListCell* cell;
  foreach (cell, pull_var_clause(over, 0)) {
    const auto* const column = lfirst_node(Var, cell);
    const Computed* const computed = columns.at(column);
    if (computed == nullptr || computed_column(column, with_computed) != nullptr) continue;
    const Sources* const read = below(sources, column->varno);
    const auto range = read == nullptr ? std::nullopt : range_of(*computed, over, *read, written);
    if (!range) return NIL;
    const bool nullable = may_be_missing(sources.tree, column->varno) || is_nullable(computed->aggregate, *read);
    with_computed.computed =
        lappend(with_computed.computed, new (palloc(sizeof(ComputedColumn))) ComputedColumn{column, *range, nullable});
    note_columns(computed->aggregate, *read, &noted);
  }
  if (with_computed.computed == NIL) return NIL;
  List* const image = image_over_computed(over, with_computed, all_over(certain, &columns));
  if (image != NIL) *facts = noted;
  return image;
}

}  // namespace dp::guard
