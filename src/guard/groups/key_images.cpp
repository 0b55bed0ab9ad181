#include "guard/groups/key_images.h"

#include <cstdint>
#include <vector>

#include "budget/policy/accounts.h"
#include "budget/policy/ranges.h"
#include "guard/forms/one_case.h"
#include "guard/groups/finite_keys.h"
#include "guard/groups/key_cells.h"
#include "pg/errors.h"
#include "pg/planner.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// Combinations of points on which a key is evaluated at most.
constexpr std::int64_t kMostPoints = 200'000;

// An image is a list of the values that the key can have, whatever it reads (finite_keys.h). Or it is a list of: the
// key over the points (columns 1, 2, ... of row 1); the conditions on these that rule points out; and for each column a
// list of its number in the table, whether it can be NULL (oid), and its cells, where it has some.

// ---- the points of one column ---------------------------------------------------------------------------------------

std::optional<budget::Domain> listed(Oid table, AttrNumber column, Oid role) {
  const auto protection = budget::protection_of(table);
  if (!protection) return budget::public_column_domain(table, column);
  Oid type, collation;
  int32 modifier;
  get_atttypetypmodcoll(table, column, &type, &modifier, &collation);
  const char* const name = quote_identifier(get_attname(table, column, false));
  if (auto declared = budget::declared_domain(protection->relation, name, type, collation)) return declared;
  return budget::natural_domain(table, column, role);
}

std::optional<int> listed_size(Oid table, AttrNumber column, Oid role) {
  const auto protection = budget::protection_of(table);
  if (!protection) return budget::public_column_size(table, column);
  const char* const name = quote_identifier(get_attname(table, column, false));
  if (auto declared = budget::declared_size(protection->relation, name, get_atttype(table, column))) return declared;
  return budget::natural_size(table, column, role);
}

// A column of the image.
struct Points {
  AttrNumber column;
  bool can_be_null;    // which is one of its points, then
  const Cells* cells;  // nullptr: its values are listed
};

Node* as_column(const Var* column, int number) {
  return reinterpret_cast<Node*>(
      makeVar(1, static_cast<AttrNumber>(number), column->vartype, column->vartypmod, column->varcollid, 0));
}

// ---- making it ------------------------------------------------------------------------------------------------------

struct Substitution {
  List* columns;  // Var
  bool fails = false;
};

Node* over_points(Node* node, void* context) {
  if (node == nullptr) return nullptr;
  auto* const here = static_cast<Substitution*>(context);
  if (IsA(node, Var)) {
    ListCell* cell;
    foreach (cell, here->columns) {
      if (equal(lfirst(cell), node)) return as_column(castNode(Var, node), foreach_current_index(cell) + 1);
    }
    here->fails = true;
    return node;
  }
  if (IsA(node, Param) && castNode(Param, node)->paramkind != PARAM_EXTERN) here->fails = true;
  return here->fails ? node : pg::mutate(node, over_points, context);
}

// Conditions that read none but these columns, each by itself.
List* conditions_on(List* columns, List* conditions) {
  List* found = NIL;
  ListCell* cell;
  foreach (cell, conditions) {
    auto* const condition = static_cast<Node*>(lfirst(cell));
    if (IsA(condition, List) || is_andclause(condition)) {
      List* const parts =
          IsA(condition, List) ? reinterpret_cast<List*>(condition) : castNode(BoolExpr, condition)->args;
      found = list_concat(found, conditions_on(columns, parts));
      continue;
    }
    if (!contain_var_clause(condition)) continue;
    Substitution substitution{columns};
    Node* const over = over_points(condition, &substitution);
    if (!substitution.fails && !tells_cases_apart(condition)) found = lappend(found, over);
  }
  return found;
}

List* different_columns(Node* key) {
  List* columns = NIL;
  ListCell* cell;
  foreach (cell, pull_var_clause(key, 0)) {
    columns = list_append_unique(columns, lfirst(cell));
  }
  return columns;
}

// As a plan can hold it, and back.
List* as_list(const Cells& cells) {
  int16 length;
  bool by_value;
  get_typlenbyval(cells.type, &length, &by_value);
  const auto end = [&](Datum value) {
    return makeConst(cells.type, -1, InvalidOid, length, datumCopy(value, by_value, length), false, by_value);
  };
  Const* const step = makeConst(FLOAT8OID, -1, InvalidOid, sizeof(float8), Float8GetDatum(cells.step), false, true);
  return list_make5(end(cells.lower), end(cells.upper), makeBoolConst(cells.exact, false), step, cells.zones);
}

const Cells* as_cells(List* list) {
  const auto value = [list](int i) { return castNode(Const, list_nth(list, i))->constvalue; };
  return new (palloc(sizeof(Cells))) Cells{
      castNode(Const, linitial(list))->consttype, value(0), value(1), DatumGetBool(value(2)), DatumGetFloat8(value(3)),
      static_cast<List*>(list_nth(list, 4))};
}

List* column_of_image(const Var* column, bool can_be_null, const Cells* cells) {
  List* const what = list_make2_oid(static_cast<Oid>(column->varattno), static_cast<Oid>(can_be_null));
  if (cells == nullptr) return list_make1(what);
  return list_make2(what, as_list(*cells));
}

Points points_of(List* column) {
  const auto* const what = static_cast<List*>(linitial(column));
  return {static_cast<AttrNumber>(linitial_oid(what)), lsecond_oid(what) != 0,
          list_length(column) > 1 ? as_cells(static_cast<List*>(lsecond(column))) : nullptr};
}

}  // namespace

// Over the points of its columns; NIL where one of these has none.
static List* image_over_points(Node* key, List* columns, Oid table, List* conditions, List* nulls, Oid role) {
  List* described = NIL;
  List* exact = NIL;  // columns whose points are all their values: conditions may rule them out
  std::int64_t combinations = 1;
  ListCell* cell;
  foreach (cell, columns) {
    const auto* const column = lfirst_node(Var, cell);
    if (column->varattno <= 0 || column->varlevelsup > 0) return NIL;
    std::int64_t size;
    const bool can_be_null = list_member(nulls, column);
    if (const auto values = listed_size(table, column->varattno, role)) {
      size = *values;
      described = lappend(described, column_of_image(column, can_be_null, nullptr));
      exact = lappend(exact, const_cast<Var*>(column));
    } else {
      const auto range = budget::range_of_column(table, column->varattno);
      const auto cells = range ? cells_of(key, column, *range, conditions) : std::nullopt;
      if (!cells) return NIL;
      size = cells->most();
      described = lappend(described, column_of_image(column, can_be_null, new (palloc(sizeof(Cells))) Cells(*cells)));
      if (cells->exact) exact = lappend(exact, const_cast<Var*>(column));
    }
    if (__builtin_mul_overflow(combinations, size + can_be_null, &combinations) || combinations > kMostPoints)
      return NIL;
  }
  Substitution substitution{columns};
  Node* const over = over_points(key, &substitution);
  if (substitution.fails || tells_cases_apart(key)) return NIL;
  // A condition on all columns is over the same numbers only where all are exact.
  List* const ruling_out = list_length(exact) == list_length(columns) ? conditions_on(columns, conditions) : NIL;
  return list_make3(over, ruling_out, described);
}

static bool can_have_image(Node* key) {
  return !contain_volatile_functions(key) && OidIsValid(lookup_type_cache(exprType(key), TYPECACHE_CMP_PROC)->cmp_proc);
}

List* image_of_key(Node* key, int number, List* entries, List* conditions, List* nulls, Oid role) {
  if (!can_have_image(key)) return NIL;
  if (List* const choices = choices_of(key); choices != NIL) return list_make1(choices);
  List* const image =
      image_over_points(key, different_columns(key), rt_fetch(number, entries)->relid, conditions, nulls, role);
  return image != NIL ? image : finite_image(key, nulls);
}

List* finite_image(Node* key, List* nulls) {
  List* const finite = can_have_image(key) ? finite_values(key, nulls) : NIL;
  return finite == NIL ? NIL : list_make1(finite);
}

bool has_image(List* image, Oid table, Oid role) {
  if (list_length(image) == 1) return true;
  ListCell* cell;
  foreach (cell, static_cast<List*>(lthird(image))) {
    const Points points = points_of(static_cast<List*>(lfirst(cell)));
    if (points.cells == nullptr && !listed_size(table, points.column, role)) return false;
  }
  return true;
}

Datum own_copy(Datum value, int16 length, bool by_value) {
  return length == -1 ? PointerGetDatum(PG_DETOAST_DATUM_COPY(value)) : datumCopy(value, by_value, length);
}

static std::optional<Image> image_with(std::optional<budget::Domain> values, bool with_null) {
  if (!values) return std::nullopt;
  return Image{*values, with_null};
}

static std::optional<Image> computed(List* choices, EState* estate) {
  auto* const first = static_cast<Node*>(linitial(choices));
  int16 length;
  bool by_value;
  get_typlenbyval(exprType(first), &length, &by_value);
  ExprContext* const context = CreateExprContext(estate);
  auto* const values = static_cast<Datum*>(palloc(sizeof(Datum) * static_cast<Size>(list_length(choices))));
  int size = 0;
  bool with_null = false;
  ListCell* cell;
  foreach (cell, choices) {
    bool is_null;
    const Datum value =
        ExecEvalExprSwitchContext(ExecPrepareExpr(static_cast<Expr*>(lfirst(cell)), estate), context, &is_null);
    with_null = with_null || is_null;
    if (!is_null) values[size++] = own_copy(value, length, by_value);
  }
  FreeExprContext(context, true);
  return image_with(budget::make_domain(exprType(first), exprCollation(first), values, size), with_null);
}

std::optional<Image> compute_image(List* image, Oid table, Oid role, EState* estate) {
  if (list_length(image) == 1) return computed(static_cast<List*>(linitial(image)), estate);
  auto* const key = static_cast<Node*>(linitial(image));
  auto* const described = static_cast<List*>(lthird(image));
  const int columns = list_length(described);
  auto* const domains = static_cast<budget::Domain*>(palloc(sizeof(budget::Domain) * static_cast<Size>(columns)));
  auto* const sizes = static_cast<std::int64_t*>(palloc(sizeof(std::int64_t) * static_cast<Size>(columns)));
  TupleDesc const shape = CreateTemplateTupleDesc(columns);
  std::int64_t combinations = 1;
  ListCell* cell;
  foreach (cell, described) {
    const int i = foreach_current_index(cell);
    const Points points = points_of(static_cast<List*>(lfirst(cell)));
    const auto domain = points.cells == nullptr ? listed(table, points.column, role) : points.cells->points();
    if (!domain) return std::nullopt;
    domains[i] = *domain;
    sizes[i] = domain->size + points.can_be_null;
    Oid type, collation;
    int32 modifier;
    get_atttypetypmodcoll(table, points.column, &type, &modifier, &collation);
    TupleDescInitEntry(shape, static_cast<AttrNumber>(i + 1), nullptr, type, modifier, 0);
    TupleDescInitEntryCollation(shape, static_cast<AttrNumber>(i + 1), collation);
    if (__builtin_mul_overflow(combinations, sizes[i], &combinations) || combinations > kMostPoints)
      return std::nullopt;
  }
  ExprContext* const context = CreateExprContext(estate);
  TupleTableSlot* const row = MakeSingleTupleTableSlot(shape, &TTSOpsVirtual);
  ExecStoreAllNullTuple(row);
  context->ecxt_scantuple = row;
  ExprState* const state = ExecPrepareExpr(reinterpret_cast<Expr*>(key), estate);
  ExprState* const conditions = ExecPrepareQual(static_cast<List*>(lsecond(image)), estate);
  int16 length;
  bool by_value;
  get_typlenbyval(exprType(key), &length, &by_value);
  auto* const values = static_cast<Datum*>(palloc(sizeof(Datum) * static_cast<Size>(Max(combinations, 1))));
  int size = 0;
  bool with_null = false;
  for (std::int64_t combination = 0; combination < combinations; ++combination) {
    CHECK_FOR_INTERRUPTS();
    ResetExprContext(context);
    std::int64_t rest = combination;
    for (int i = 0; i < columns; ++i) {
      const std::int64_t place = rest % sizes[i];
      row->tts_isnull[i] = place == domains[i].size;
      if (!row->tts_isnull[i]) row->tts_values[i] = domains[i].values[place];
      rest /= sizes[i];
    }
    if (!ExecQual(conditions, context)) continue;
    bool is_null;
    const Datum value = ExecEvalExprSwitchContext(state, context, &is_null);
    with_null = with_null || is_null;
    if (is_null) continue;
    values[size++] = own_copy(value, length, by_value);
  }
  ExecDropSingleTupleTableSlot(row);
  FreeExprContext(context, true);
  return image_with(budget::make_domain(exprType(key), exprCollation(key), values, size), with_null);
}

}  // namespace dp::guard
