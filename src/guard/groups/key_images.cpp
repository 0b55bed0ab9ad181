#include "guard/groups/key_images.h"

#include <cstdint>

#include "guard/groups/counts_per_unit.h"
#include "guard/groups/equal_values.h"
#include "guard/groups/key_points.h"
#include "guard/groups/small_codomain.h"
#include "guard/groups/too_many.h"
#include "pg/errors.h"

namespace dp::guard {
namespace {

// An image is a list of the values that the key can have, whatever it reads (small_codomain.h). Or it is a list of: the
// key over a point; the columns and the parts of points (key_points.h); the conditions that rule points out.

List* image_over_points(Node* key, const Sources& sources, List* conditions) {
  if (!respects_equality(key, sources)) return NIL;
  const auto points = points_of_key(key, sources, conditions);
  Node* const over = points ? over_point(key, points->columns) : nullptr;
  return over == nullptr ? NIL : list_make4(over, points->columns, points->parts, points->conditions);
}

bool lists_values(const List* image) { return list_length(image) == 1; }

List* parts_of(const List* image) { return static_cast<List*>(lthird(image)); }

bool can_have_image(Node* key) {
  return !contain_volatile_functions(key) && OidIsValid(lookup_type_cache(exprType(key), TYPECACHE_CMP_PROC)->cmp_proc);
}

List* finite_image(Node* key, const KeyQuals& conditions, bool by_definition) {
  List* const finite = can_have_image(key) ? small_codomain(key, conditions, by_definition) : NIL;
  return finite == NIL ? NIL : list_make1(finite);
}

}  // namespace

List* image_of_choice(Node* key) {
  List* const choices = can_have_image(key) ? choices_of(key) : NIL;
  return choices == NIL ? NIL : list_make1(choices);
}

List* image_of_key(Node* key, Node* written, const Sources& sources, List* conditions) {
  if (!can_have_image(key)) return NIL;
  if (List* const choices = image_of_choice(key); choices != NIL) return choices;
  List* const image = image_over_points(key, sources, conditions);
  if (image != NIL && !has_too_many_points(image)) return image;
  List* const finite =
      finite_image(key, {conditions_and_counts(key, sources), reinterpret_cast<Node*>(conditions), written}, false);
  return finite != NIL ? finite : image;
}

List* image_over_computed(Node* key, const Sources& sources, List* conditions) {
  return can_have_image(key) ? image_over_points(key, sources, conditions) : NIL;
}

List* image_of_computed_key(Node* key, const KeyQuals& conditions) { return finite_image(key, conditions, true); }

bool has_image(List* image, Oid asker) { return lists_values(image) || are_public(parts_of(image), asker); }

bool is_of_subqueries(List* image) {
  return image != NIL && !lists_values(image) && are_of_subqueries(parts_of(image));
}

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

namespace {

// The values of expressions that read no row.
class Choices {
 public:
  Choices(Oid type, Oid collation, const char* text, EState* estate)
      : type_(type), collation_(collation), kept_{text}, estate_(estate), context_(CreateExprContext(estate)) {
    get_typlenbyvalalign(type, &length_, &by_value_, &alignment_);
  }

  void add(Node* expression) {
    const auto [value, is_null] = computed(expression);
    add(value, is_null);
  }

  // NULL among the elements equals nothing.
  void add_elements(Node* array) {
    const auto [value, is_null] = computed(array);
    if (is_null) return;
    Datum* element;
    bool* null;
    int count;
    ArrayType* const elements = DatumGetArrayTypeP(value);
    // Of the type itself, or of one with the same bytes: an array of varchar that is read as one of texts.
    deconstruct_array(elements, ARR_ELEMTYPE(elements), length_, by_value_, alignment_, &element, &null, &count);
    for (int i = 0; i < count; ++i) {
      if (!null[i]) add(element[i], false);
    }
  }

  std::optional<Image> image() {
    FreeExprContext(context_, true);
    return image_with(budget::make_domain(type_, collation_, values_, size_), with_null_);
  }

 private:
  NullableDatum computed(Node* expression) {
    NullableDatum result;
    ExprState* const state = ExecPrepareExpr(reinterpret_cast<Expr*>(expression), estate_);
    result.value = ExecEvalExprSwitchContext(state, context_, &result.isnull);
    return result;
  }

  void add(Datum value, bool is_null) {
    with_null_ = with_null_ || is_null;
    if (is_null) return;
    if (size_ == room_)
      values_ = static_cast<Datum*>(repalloc_huge(values_, sizeof(Datum) * static_cast<Size>(room_ *= 2)));
    values_[size_++] = own_copy(value, length_, by_value_, &kept_);
  }

  Oid type_, collation_;
  int16 length_;
  bool by_value_;
  char alignment_;
  KeptValues kept_;
  EState* estate_;
  ExprContext* context_;
  int size_ = 0;
  int room_ = 64;
  Datum* values_ = static_cast<Datum*>(palloc(sizeof(Datum) * static_cast<Size>(room_)));
  bool with_null_ = false;
};

std::optional<Image> chosen(List* choices, const char* text, EState* estate) {
  auto* first = static_cast<Node*>(linitial(choices));
  const bool in_array = IsA(first, List);
  if (in_array) first = static_cast<Node*>(linitial(castNode(List, first)));
  Choices values(in_array ? get_element_type(exprType(first)) : exprType(first), exprCollation(first), text, estate);
  ListCell* cell;
  foreach (cell, choices) {
    auto* const choice = static_cast<Node*>(lfirst(cell));
    if (IsA(choice, List)) {
      values.add_elements(static_cast<Node*>(linitial(castNode(List, choice))));
    } else {
      values.add(choice);
    }
  }
  return values.image();
}

}  // namespace

std::optional<Image> compute_image(List* image, const char* text, Oid asker, const PublicRows* rows, EState* estate) {
  if (lists_values(image)) return chosen(static_cast<List*>(linitial(image)), text, estate);
  auto* const key = static_cast<Node*>(linitial(image));
  const Oid type = getBaseType(exprType(key));
  const bool compares_signs = type != FLOAT8OID && type != FLOAT4OID;  // whose zeros are equal
  const Points points(static_cast<List*>(lsecond(image)), parts_of(image), asker, rows, estate, compares_signs);
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
