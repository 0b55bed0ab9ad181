#include "guard/groups/key_images.h"

#include <cstdint>

#include "guard/groups/equal_values.h"
#include "guard/groups/finite_keys.h"
#include "guard/groups/key_points.h"
#include "guard/tables/nulls.h"
#include "pg/errors.h"

namespace dp::guard {
namespace {

// An image is a list of the values that the key can have, whatever it reads (finite_keys.h). Or it is a list of: the
// key over a point; the columns and the parts of points (key_points.h); the conditions that rule points out.

List* image_over_points(Node* key, const Sources& sources, List* conditions) {
  if (tells_equal_apart(key, sources)) return NIL;
  const auto points = points_of_key(key, sources, conditions);
  Node* const over = points ? over_point(key, points->columns) : nullptr;
  return over == nullptr ? NIL : list_make4(over, points->columns, points->parts, points->conditions);
}

bool is_finite(const List* image) { return list_length(image) == 1; }

List* parts_of(const List* image) { return static_cast<List*>(lthird(image)); }

bool can_have_image(Node* key) {
  return !contain_volatile_functions(key) && OidIsValid(lookup_type_cache(exprType(key), TYPECACHE_CMP_PROC)->cmp_proc);
}

List* finite_image(Node* key, List* nulls) {
  List* const finite = can_have_image(key) ? finite_values(key, nulls) : NIL;
  return finite == NIL ? NIL : list_make1(finite);
}

List* nullable_columns(Node* key, const Sources& sources) {
  List* nullable = NIL;
  ListCell* cell;
  foreach (cell, pull_var_clause(key, 0)) {
    auto* const column = static_cast<Node*>(lfirst(cell));
    if (may_be_null(column, sources.tables, sources.tree)) nullable = lappend(nullable, column);
  }
  return nullable;
}

}  // namespace

List* image_of_key(Node* key, const Sources& sources, List* conditions) {
  if (!can_have_image(key)) return NIL;
  if (List* const choices = choices_of(key); choices != NIL) return list_make1(choices);
  List* const image = image_over_points(key, sources, conditions);
  return image != NIL ? image : finite_image(key, nullable_columns(key, sources));
}

List* image_of_computed_key(Node* key) { return finite_image(key, pull_var_clause(key, 0)); }

bool has_image(List* image, Oid asker) { return is_finite(image) || are_public(parts_of(image), asker); }

bool is_of_subqueries(List* image) { return image != NIL && !is_finite(image) && are_of_subqueries(parts_of(image)); }

Datum own_copy(Datum value, int16 length, bool by_value, KeptValues* kept) {
  const Datum copy = length == -1 ? PointerGetDatum(PG_DETOAST_DATUM_COPY(value)) : datumCopy(value, by_value, length);
  if (!by_value) kept->bytes += datumGetSize(copy, false, length);
  if (kept->bytes > kMostPublicBytes) {
    ereport(ERROR, (errcode(pg::kNotAdmissible),
                    errmsg("the values that %s can have take more than %zu MB", kept->key, kMostPublicBytes >> 20),
                    errdetail("They are kept in memory, to be known before anything is charged."),
                    errhint("Group by something shorter, such as left(x, 20), or by the columns themselves.")));
  }
  return copy;
}

static std::optional<Image> image_with(std::optional<budget::Domain> values, bool with_null) {
  if (!values) return std::nullopt;
  return Image{*values, with_null};
}

static std::optional<Image> computed(List* choices, const char* text, EState* estate) {
  auto* const first = static_cast<Node*>(linitial(choices));
  int16 length;
  bool by_value;
  get_typlenbyval(exprType(first), &length, &by_value);
  ExprContext* const context = CreateExprContext(estate);
  auto* const values = static_cast<Datum*>(palloc(sizeof(Datum) * static_cast<Size>(list_length(choices))));
  int size = 0;
  bool with_null = false;
  KeptValues kept{text};
  ListCell* cell;
  foreach (cell, choices) {
    bool is_null;
    const Datum value =
        ExecEvalExprSwitchContext(ExecPrepareExpr(static_cast<Expr*>(lfirst(cell)), estate), context, &is_null);
    with_null = with_null || is_null;
    if (!is_null) values[size++] = own_copy(value, length, by_value, &kept);
  }
  FreeExprContext(context, true);
  return image_with(budget::make_domain(exprType(first), exprCollation(first), values, size), with_null);
}

std::optional<Image> compute_image(List* image, const char* text, Oid asker, const PublicRows* rows, EState* estate) {
  if (is_finite(image)) return computed(static_cast<List*>(linitial(image)), text, estate);
  auto* const key = static_cast<Node*>(linitial(image));
  const Points points(static_cast<List*>(lsecond(image)), parts_of(image), asker, rows, estate);
  if (!points.are_there()) return std::nullopt;
  const std::int64_t count = points.count(text);
  ExprContext* const context = CreateExprContext(estate);
  TupleTableSlot* const row = points.new_row();
  context->ecxt_scantuple = row;
  ExprState* const state = ExecPrepareExpr(reinterpret_cast<Expr*>(key), estate);
  ExprState* const conditions = ExecPrepareQual(static_cast<List*>(lfourth(image)), estate);
  int16 length;
  bool by_value;
  get_typlenbyval(exprType(key), &length, &by_value);
  auto* const values = static_cast<Datum*>(palloc(sizeof(Datum) * static_cast<Size>(Max(count, 1))));
  int size = 0;
  bool with_null = false;
  KeptValues kept{text};
  for (std::int64_t point = 0; point < count; ++point) {
    CHECK_FOR_INTERRUPTS();
    ResetExprContext(context);
    points.fill(row, point);
    if (!ExecQual(conditions, context)) continue;
    bool is_null;
    const Datum value = ExecEvalExprSwitchContext(state, context, &is_null);
    with_null = with_null || is_null;
    if (is_null) continue;
    values[size++] = own_copy(value, length, by_value, &kept);
  }
  ExecDropSingleTupleTableSlot(row);
  FreeExprContext(context, true);
  return image_with(budget::make_domain(exprType(key), exprCollation(key), values, size), with_null);
}

}  // namespace dp::guard
